/* snapshot_file.c: snapshots in files. A file is written under another name and renamed when it is
 * complete, so that no failure leaves half a file where a whole one was. */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/os.h"
#include "lode/snapshot.h"
#include "world/check.h"
#include "world/snapshot.h"

static const char suffix[] = ".part";

/* ---- writing ---- */

static bool write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool written = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && written;
}

static lode_status write_whole(const char *path, char *beside, const char *bytes, size_t size,
                               const char *function)
{
    memcpy(beside, path, strlen(path));
    memcpy(beside + strlen(path), suffix, sizeof suffix);
    if (write_file(beside, bytes, size) && lode__os_rename(beside, path))
        return LODE_OK;
    remove(beside);
    return lode__error(LODE_ERROR_SYSTEM, function, "path", "the file cannot be written");
}

lode_status lode_world_save(lode_world world, const char *path)
{
    lode__world *w;
    lode_status status = lode__open_world_at_rest(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(path, __func__, "path");
    if (status)
        return status;
    size_t size = lode__snapshot_write(w, NULL, 0), path_size = strlen(path) + sizeof suffix;
    char *bytes = lode__alloc(size), *beside = lode__alloc(path_size);
    if (bytes && beside) {
        lode__snapshot_write(w, bytes, size);
        status = write_whole(path, beside, bytes, size, __func__);
    } else {
        status = lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    }
    lode__free(bytes, size);
    lode__free(beside, path_size);
    return status;
}

/* ---- reading ---- */

enum { PAGE = 1 << 16 };

typedef struct file_bytes {
    char *bytes;
    uint32_t pages; /* that there is room for */
    size_t size;
} file_bytes;

static lode_status read_file(FILE *file, file_bytes *out, const char *function)
{
    size_t read = 1;
    while (read > 0) {
        uint32_t pages = (uint32_t)(out->size / PAGE) + 1;
        if (!lode__grow((void **)&out->bytes, &out->pages, pages, PAGE))
            return lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
        read = fread(out->bytes + out->size, 1, (size_t)out->pages * PAGE - out->size, file);
        out->size += read;
    }
    return ferror(file)
               ? lode__error(LODE_ERROR_SYSTEM, function, "path", "the file cannot be read")
               : LODE_OK;
}

lode_status lode_world_load(lode_world world, const char *path)
{
    lode__world *w;
    lode__snapshot from;
    file_bytes content = {NULL, 0, 0};
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(path, __func__, "path");
    if (status)
        return status;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lode__error(LODE_ERROR_SYSTEM, __func__, "path", "the file cannot be opened");
    status = read_file(file, &content, __func__);
    fclose(file);
    if (!status)
        status = lode__snapshot_read(&from, w, content.bytes, content.size, __func__, "path");
    if (!status)
        status = lode__snapshot_restore(&from, w, __func__, "path");
    lode__free(content.bytes, (size_t)content.pages * PAGE);
    return status;
}
