/* number.h: numbers as text, alike in every locale. */
#ifndef LODE_IO_NUMBER_H
#define LODE_IO_NUMBER_H

#include "io/memory.h"
#include "lode/types.h"

/* A number to the precision of a double, by which it is judged, and to that of the library: what is
 * next to a bound does not get past it by rounding. */
typedef struct lode__io_number {
    double wide;
    lode_real value;
} lode__io_number;

/* Of a number of JSON, with `length` characters. */
lode__io_number lode__io_number_read(lode__io_memory *memory, const char *text, size_t length);

enum { LODE__IO_NUMBER_ROOM = 64 };

/* The shortest that reads back to the same bits; `x` is finite. */
void lode__io_number_write(lode_real x, char out[LODE__IO_NUMBER_ROOM]);

#endif
