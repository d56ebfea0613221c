/* file.h: files as a whole. */
#ifndef LODE_IO_FILE_H
#define LODE_IO_FILE_H

#include "io/memory.h"

/* The bytes of a file, in `memory`. Null: they cannot be had, and `out_fault` says why. */
char *lode__io_file_read(lode__io_memory *memory, const char *path, size_t *out_size,
                         const char **out_fault);

/* The other way: under another name, which becomes the file's when all is written, so that no
 * failure leaves half a file where a whole one was. False: it cannot be written. */
bool lode__io_file_write(lode__io_memory *memory, const char *path, const char *bytes, size_t size);

#endif
