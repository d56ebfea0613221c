/* file.c: see file.h. The file hangs in the memory while that is asked for more, so that it is closed
 * too where there is none. */
#include "io/file.h"

#include <stdio.h>

char *lode__io_file_read(lode__io_memory *memory, const char *path, size_t *out_size,
                         const char **out_fault)
{
    char *bytes = NULL;
    size_t size = 0, room = 0, read = 1;
    memory->file = fopen(path, "rb");
    if (!memory->file) {
        *out_fault = "the file cannot be opened";
        return NULL;
    }
    while (read > 0) {
        if (size == room) {
            room = 2 * room + 4096;
            bytes = lode__io_realloc(memory, bytes, room);
        }
        read = fread(bytes + size, 1, room - size, memory->file);
        size += read;
    }
    bool failed = ferror(memory->file);
    fclose(memory->file);
    memory->file = NULL;
    *out_size = size;
    *out_fault = "the file cannot be read";
    return failed ? NULL : bytes;
}
