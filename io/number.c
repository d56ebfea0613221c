/* number.c: see number.h. The C library reads and writes the decimal point of the thread's locale,
 * which may be of several bytes; it takes the place of the one of JSON, and the other way round. */
#include "io/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LODE_DOUBLE
enum { MOST_DIGITS = 17 };
#define read_real strtod
#else
enum { MOST_DIGITS = 9 };
#define read_real strtof
#endif

enum { POINT_ROOM = 16 };

/* Returns its length. */
static size_t find_point(char out[POINT_ROOM])
{
    char half[POINT_ROOM + 2];
    snprintf(half, sizeof half, "%.1f", 0.5);
    size_t length = strlen(half) - 2;
    memcpy(out, half + 1, length);
    out[length] = 0;
    return length;
}

lode__io_number lode__io_number_read(lode__io_memory *memory, const char *text, size_t length)
{
    char point[POINT_ROOM];
    size_t point_length = find_point(point), before = length;
    char *local = lode__io_alloc(memory, length + POINT_ROOM);
    const char *dot = memchr(text, '.', length);
    if (dot)
        before = (size_t)(dot - text);
    memcpy(local, text, before);
    char *end = local + before;
    if (dot) {
        memcpy(end, point, point_length);
        end += point_length;
        memcpy(end, dot + 1, length - before - 1);
        end += length - before - 1;
    }
    *end = 0;
    lode__io_number number = {strtod(local, NULL), read_real(local, NULL)};
    lode__io_free(memory, local);
    return number;
}

void lode__io_number_write(lode_real x, char out[LODE__IO_NUMBER_ROOM])
{
    char point[POINT_ROOM];
    size_t point_length = find_point(point);
    for (int digits = 1; digits <= MOST_DIGITS; ++digits) {
        snprintf(out, LODE__IO_NUMBER_ROOM, "%.*g", digits, (double)x);
        if (read_real(out, NULL) == x)
            break;
    }
    char *at = strstr(out, point);
    if (at) {
        *at = '.';
        memmove(at + 1, at + point_length, strlen(at + point_length) + 1);
    }
}
