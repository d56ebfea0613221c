/* articulations.c: the public functions of lode_io/articulations.h: arguments, memory and files.
 * All that can fail for the text's sake comes before the world is touched. */
#include "lode_io/articulations.h"

#include "io/description.h"
#include "io/file.h"
#include "lode/setup.h"
#include "lode/world.h"

#include <string.h>

typedef struct job {
    lode_world world;
    lode_articulation articulation;
    const char *function;
    lode_status status;
    const char *name; /* what stands for the text, or the file's path */
    const char *text; /* that is read; null: that of the file */
    char *out;        /* where the text goes, if `size` is enough */
    size_t size, written;
    int *left_out;
} job;

static lode_status check_pointer(const job *job, const void *pointer, const char *argument)
{
    return pointer ? LODE_OK
                   : lode_report_error(LODE_ERROR_ARGUMENT, job->function, argument,
                                       "must not be null");
}

static lode_status run(job *job, void (*work)(lode__io_memory *memory, void *job))
{
    lode__io_memory memory;
    if (!lode__io_run(&memory, work, job))
        job->status = lode_report_error(LODE_ERROR_MEMORY, job->function, "", "out of memory");
    return job->status;
}

/* ---- reading */

static void tell_fault(lode__io_memory *memory, job *job, const lode__io_scan *scan)
{
    size_t room = strlen(job->name) + 16;
    char *where = lode__io_alloc(memory, room);
    snprintf(where, room, "%s:%d", job->name, scan->fault_line);
    job->status = lode_report_error(LODE_ERROR_ARGUMENT, job->function, where, scan->fault);
}

static void read_text(lode__io_memory *memory, job *job)
{
    lode__io_scan scan = {.memory = memory, .text = job->text, .size = job->size};
    lode__io_description description;
    lode__io_description_read(memory, &scan, &description);
    if (!scan.fault[0]) {
        lode_body *bodies = lode__io_alloc(memory, (size_t)description.link_count * sizeof *bodies);
        job->articulation = lode__io_description_build(&description, job->world, bodies, &scan);
    }
    if (scan.fault[0])
        tell_fault(memory, job, &scan);
}

static void read_any(lode__io_memory *memory, void *data)
{
    job *job = data;
    const char *fault = NULL;
    if (!job->text)
        job->text = lode__io_file_read(memory, job->name, &job->size, &fault);
    if (job->text)
        read_text(memory, job);
    else
        job->status = lode_report_error(LODE_ERROR_SYSTEM, job->function, job->name, fault);
}

static lode_articulation read_job(job *job, const char *name_argument, const void *text)
{
    if (!lode_world_is_valid(job->world)) {
        lode_report_error(LODE_ERROR_HANDLE, job->function, "world", "is null, stale or foreign");
        return (lode_articulation){0};
    }
    if (!check_pointer(job, job->name, name_argument) && !check_pointer(job, text, "text"))
        run(job, read_any);
    return job->articulation;
}

lode_articulation lode_io_read_articulation(lode_world world, const char *name, const char *text,
                                            size_t size)
{
    job job = {.world = world, .function = __func__, .name = name, .text = text, .size = size};
    return read_job(&job, "name", text);
}

lode_articulation lode_io_load_articulation(lode_world world, const char *path)
{
    job job = {.world = world, .function = __func__, .name = path};
    return read_job(&job, "path", "");
}

/* ---- writing */

/* The text, or null after a report. */
static const char *make_text(lode__io_memory *memory, job *job, size_t *out_size)
{
    lode__io_description description;
    int left_out = lode__io_description_take(memory, job->articulation, &description);
    const char *text = NULL, *fault = "has a name that is not UTF-8, as JSON must be";
    if (left_out > 0 && !job->left_out)
        fault = "has a shape of another type than descriptions have, or a loop joint that "
                "joins another body or none";
    else
        text = lode__io_description_write(memory, &description, out_size);
    if (text && job->left_out)
        *job->left_out = left_out;
    if (!text)
        job->status = lode_report_error(LODE_ERROR_ARGUMENT, job->function, "articulation", fault);
    return text;
}

static void write_text(lode__io_memory *memory, void *data)
{
    job *job = data;
    size_t size;
    const char *text = make_text(memory, job, &size);
    if (text && size <= job->size)
        memcpy(job->out, text, size);
    job->written = text ? size : 0;
}

static lode_status check_articulation(const job *job)
{
    return lode_articulation_is_valid(job->articulation)
               ? LODE_OK
               : lode_report_error(LODE_ERROR_HANDLE, job->function, "articulation",
                                   "is null, stale or foreign");
}

size_t lode_io_write_articulation(lode_articulation articulation, char *out_text, size_t size,
                                  int *out_left_out)
{
    job job = {.articulation = articulation,
               .function = __func__,
               .out = out_text,
               .size = size,
               .left_out = out_left_out};
    if (check_articulation(&job) || check_pointer(&job, size ? out_text : "", "out_text") ||
        run(&job, write_text))
        return 0;
    return job.written;
}

static void write_file(lode__io_memory *memory, void *data)
{
    job *job = data;
    size_t size;
    const char *text = make_text(memory, job, &size);
    if (text && !lode__io_file_write(memory, job->name, text, size))
        job->status = lode_report_error(LODE_ERROR_SYSTEM, job->function, job->name,
                                        "the file cannot be written");
}

lode_status lode_io_save_articulation(lode_articulation articulation, const char *path,
                                      int *out_left_out)
{
    job job = {
        .articulation = articulation, .function = __func__, .name = path, .left_out = out_left_out};
    lode_status status = check_articulation(&job);
    if (!status)
        status = check_pointer(&job, path, "path");
    return status ? status : run(&job, write_file);
}
