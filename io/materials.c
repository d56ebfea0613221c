/* materials.c: the public functions of lode_io/materials.h: arguments, memory and files. */
#include "lode_io/materials.h"

#include "io/file.h"
#include "io/materials_text.h"
#include "lode/setup.h"
#include "lode/world.h"

#include <string.h>

typedef struct job {
    lode_world world;
    const char *function;
    lode_status status;
    const char *name; /* what stands for the text, or the file's path */
    const char *text; /* that is read */
    char *out;        /* where the text goes, if `size` is enough */
    size_t size, written;
} job;

static lode_status check_arguments(const job *job, const void *pointer, const char *argument)
{
    if (!lode_world_is_valid(job->world))
        return lode_report_error(LODE_ERROR_HANDLE, job->function, "world",
                                 "is null, stale or foreign");
    if (!pointer)
        return lode_report_error(LODE_ERROR_ARGUMENT, job->function, argument, "must not be null");
    return LODE_OK;
}

static lode_status finish(job *job, void (*work)(lode__io_memory *memory, void *job))
{
    lode__io_memory memory;
    if (!lode__io_run(&memory, work, job))
        job->status = lode_report_error(LODE_ERROR_MEMORY, job->function, "", "out of memory");
    return job->status;
}

/* --- reading */

static void read_text(lode__io_memory *memory, void *data)
{
    job *job = data;
    job->status = lode__io_materials_read(memory, job->world, job->name, job->text, job->size,
                                          job->function);
}

lode_status lode_io_read_materials(lode_world world, const char *name, const char *text,
                                   size_t size)
{
    job job = {.world = world, .function = __func__, .name = name, .text = text, .size = size};
    lode_status status = check_arguments(&job, name, "name");
    if (!status)
        status = check_arguments(&job, text, "text");
    return status ? status : finish(&job, read_text);
}

static void read_file(lode__io_memory *memory, void *data)
{
    job *job = data;
    const char *fault;
    job->text = lode__io_file_read(memory, job->name, &job->size, &fault);
    if (job->text)
        read_text(memory, job);
    else
        job->status = lode_report_error(LODE_ERROR_SYSTEM, job->function, job->name, fault);
}

lode_status lode_io_load_materials(lode_world world, const char *path)
{
    job job = {.world = world, .function = __func__, .name = path};
    lode_status status = check_arguments(&job, path, "path");
    return status ? status : finish(&job, read_file);
}

/* --- writing */

static void write_text(lode__io_memory *memory, void *data)
{
    job *job = data;
    size_t size;
    const char *text = lode__io_materials_write(memory, job->world, &size, job->function);
    if (text && size <= job->size)
        memcpy(job->out, text, size);
    job->written = text ? size : 0;
}

size_t lode_io_write_materials(lode_world world, char *out_text, size_t size)
{
    job job = {.world = world, .function = __func__, .out = out_text, .size = size};
    if (check_arguments(&job, size ? out_text : "", "out_text") || finish(&job, write_text))
        return 0;
    return job.written;
}

static void write_file(lode__io_memory *memory, void *data)
{
    job *job = data;
    size_t size;
    const char *text = lode__io_materials_write(memory, job->world, &size, job->function);
    if (!text)
        job->status = LODE_ERROR_ARGUMENT;
    else if (!lode__io_file_write(memory, job->name, text, size))
        job->status = lode_report_error(LODE_ERROR_SYSTEM, job->function, job->name,
                                        "the file cannot be written");
}

lode_status lode_io_save_materials(lode_world world, const char *path)
{
    job job = {.world = world, .function = __func__, .name = path};
    lode_status status = check_arguments(&job, path, "path");
    return status ? status : finish(&job, write_file);
}
