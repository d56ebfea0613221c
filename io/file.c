/* file.c: see file.h. The file hangs in the memory while that is asked for more, so that it is
 * closed too where there is none. */
#include "io/file.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#endif

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

static bool write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

/* In the place of a file that is there. */
static bool take_place(const char *from, const char *to)
{
#ifdef _WIN32
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
#else
    return rename(from, to) == 0;
#endif
}

bool lode__io_file_write(lode__io_memory *memory, const char *path, const char *bytes, size_t size)
{
    size_t room = strlen(path) + sizeof ".part";
    char *beside = lode__io_alloc(memory, room);
    snprintf(beside, room, "%s.part", path);
    if (write_bytes(beside, bytes, size) && take_place(beside, path))
        return true;
    remove(beside);
    return false;
}
