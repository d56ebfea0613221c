/* urdf.c: robots out of URDF: arguments and memory. All that can fail for the text's sake comes
 * before the world is touched. */
#include "io/file.h"
#include "io/urdf_robot.h"
#include "lode/setup.h"
#include "lode/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct job {
    lode_world world;
    const char *function;
    const char *name; /* what stands for the text, or the file's path */
    const char *text; /* null: that of the file */
    size_t size;
    lode_io_urdf_options options;
    lode__urdf urdf;
    lode_io_robot robot;
} job;

static void tell_fault(lode__io_memory *memory, const job *job)
{
    size_t room = strlen(job->name) + 16;
    char *where = lode__io_alloc(memory, room);
    snprintf(where, room, "%s:%d", job->name, job->urdf.fault_line);
    lode_report_error(job->urdf.status, job->function, where, job->urdf.fault);
}

static void read_text(lode__io_memory *memory, job *job)
{
    lode__urdf *u = &job->urdf;
    u->memory = memory;
    lode__urdf_read(u, job->text, job->size);
    if (!u->fault[0])
        lode__urdf_tie(u);
    if (!u->fault[0])
        lode__urdf_load_meshes(u, job->name, &job->options);
    if (u->fault[0]) {
        tell_fault(memory, job);
        return;
    }
    lode_body *bodies = lode__io_alloc(memory, (size_t)u->link_count * sizeof *bodies);
    if (!lode__urdf_robot_make(u, &job->robot))
        longjmp(*memory->out, 1);
    lode_articulation articulation = lode__urdf_build(u, job->world, &job->options, bodies);
    if (articulation.id)
        lode__urdf_robot_fill(u, articulation, bodies, &job->robot);
    else
        tell_fault(memory, job);
}

static void work(lode__io_memory *memory, void *data)
{
    job *job = data;
    const char *fault = NULL;
    if (!job->text)
        job->text = lode__io_file_read(memory, job->name, &job->size, &fault);
    if (job->text)
        read_text(memory, job);
    else
        lode_report_error(LODE_ERROR_SYSTEM, job->function, job->name, fault);
}

static lode_status check_arguments(const job *job, const char *name_argument, const void *text)
{
    if (!lode_world_is_valid(job->world))
        return lode_report_error(LODE_ERROR_HANDLE, job->function, "world",
                                 "is null, stale or foreign");
    if (!job->name || !text)
        return lode_report_error(LODE_ERROR_ARGUMENT, job->function,
                                 job->name ? "text" : name_argument, "must not be null");
    if (!(job->options.frame_mass > 0) || !isfinite(job->options.frame_mass))
        return lode_report_error(LODE_ERROR_ARGUMENT, job->function, "options.frame_mass",
                                 "must be above 0 and finite");
    return LODE_OK;
}

static lode_articulation run(job *job, lode_io_robot *out_robot)
{
    lode__io_memory memory;
    if (!lode__io_run(&memory, work, job))
        lode_report_error(LODE_ERROR_MEMORY, job->function, "", "out of memory");
    lode__urdf_end(&job->urdf);
    lode_articulation articulation = job->robot.articulation;
    if (articulation.id && out_robot)
        *out_robot = job->robot;
    else
        lode_io_robot_free(&job->robot);
    return articulation;
}

lode_articulation lode_io_read_urdf(lode_world world, const char *name, const char *text,
                                    size_t size, const lode_io_urdf_options *options,
                                    lode_io_robot *out_robot)
{
    job job = {.world = world, .function = __func__, .name = name, .text = text, .size = size};
    job.options = options ? *options : lode_io_urdf_options_default();
    if (out_robot)
        *out_robot = (lode_io_robot){0};
    return check_arguments(&job, "name", text) ? (lode_articulation){0} : run(&job, out_robot);
}

lode_articulation lode_io_load_urdf(lode_world world, const char *path,
                                    const lode_io_urdf_options *options, lode_io_robot *out_robot)
{
    job job = {.world = world, .function = __func__, .name = path};
    job.options = options ? *options : lode_io_urdf_options_default();
    if (out_robot)
        *out_robot = (lode_io_robot){0};
    return check_arguments(&job, "path", path) ? (lode_articulation){0} : run(&job, out_robot);
}
