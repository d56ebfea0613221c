/* main.c: lode-bench. Reads the command line, runs the scenes one after another, and reports. */
#include "bench/csv.h"
#include "bench/joints.h"
#include "bench/json.h"
#include "bench/kernels.h"
#include "bench/measure.h"
#include "bench/mesh_build.h"
#include "bench/robots.h"
#include "bench/options.h"
#include "bench/plot.h"
#include "bench/programs.h"
#include "bench/progress.h"
#include "bench/rays.h"
#include "bench/report.h"
#include "bench/resting.h"
#include "bench/solvers.h"
#include "bench/stage.h"
#include "bench/swarm.h"
#include "bench/tool.h"
#include "bench/touching.h"

#include "lode/lode.h"

#include <stdio.h>
#include <stdlib.h>

static bool list_scenes(void)
{
    for (int i = 0; i < bench_scene_count(); ++i)
        printf("%-15s %s\n", bench_scene_name(i), bench_scene_summary(i));
    return true;
}

/* As docs/architecture.md shows it; a test holds the two together. */
static bool print_stages(void)
{
    enum { MOST = 64 };
    lode_stage_info stages[MOST];
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    int count = lode_world_get_stages(world, stages, MOST);
    printf("| stage | reads | writes |\n| --- | --- | --- |\n");
    for (int i = 0; i < count && i < MOST; ++i)
        printf("| %s%s%s | %s | %s |\n", stages[i].parent, stages[i].parent[0] ? ": " : "",
               stages[i].name, stages[i].reads, stages[i].writes);
    lode_world_destroy(world);
    return true;
}

static int total_work(const bench_command *command)
{
    int work = 0;
    for (int i = 0; i < command->scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(command->scenes[i], &scene);
        work += bench_measure_work(&scene, &command->plan);
        bench_scene_free(&scene);
    }
    return work;
}

static void run_scenes(const bench_command *command, bench_result *results)
{
    const bench_plan *plan = &command->plan;
    bench_report_head(plan);
    bench_progress_begin(total_work(command));
    for (int i = 0; i < command->scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(command->scenes[i], &scene);
        bench_progress_label(scene.name);
        bench_result *own = &results[i * plan->engine_count];
        bench_measure(&scene, plan, own);
        bench_scene_free(&scene);
        bench_progress_clear();
        bench_report_scene(own, plan->engine_count);
    }
    bench_measure_twins(results, command->scene_count, plan->engine_count);
    bench_report_rest(plan, results, command->scene_count);
}

/* False, after a message, when a file could not be written. */
static bool write_files(const bench_command *command, const bench_result *results, int count)
{
    const char *const *path = command->output;
    bool ok = true;
    if (path[BENCH_JSON])
        ok = bench_json_write(path[BENCH_JSON], results, count) && ok;
    if (path[BENCH_CSV])
        ok = bench_csv_write(path[BENCH_CSV], results, count) && ok;
    if (path[BENCH_TRACE])
        ok = bench_trace_write(command->plan.trace, path[BENCH_TRACE]) && ok;
    if (path[BENCH_PLOT])
        ok = bench_plot_write(path[BENCH_PLOT], results, command->scene_count,
                              command->plan.engine_count) &&
             ok;
    return ok;
}

static bool good(const bench_result *results, int count, int stride)
{
    for (int i = 0; i < count; i += stride)
        if (results[i].verdict.beyond || results[i].verdict.worse) {
            fputs("lode-bench: Lode's quality is out of bounds or worse than ODE's; see the marks "
                  "above\n",
                  stderr);
            return false;
        }
    return true;
}

static int measure(bench_command *command)
{
    bench_plan *plan = &command->plan;
    int count = command->scene_count * plan->engine_count;
    bench_result *results = bench_alloc((size_t)count, sizeof *results);
    if (command->output[BENCH_TRACE])
        plan->trace = bench_trace_create();
    if (command->counters)
        plan->counters = bench_counters_open(bench_hardware_events);
    run_scenes(command, results);
    if (command->islands)
        bench_report_islands();
    bool written = write_files(command, results, count);
    int status = !written ? 2 : good(results, count, plan->engine_count) ? 0 : 1;
    if (plan->counters)
        bench_counters_close(plan->counters);
    free(results);
    return status;
}

static bool (*const specials[BENCH_SPECIALS])(void) = {
    [BENCH_LIST] = list_scenes,
    [BENCH_STAGE_TABLE] = print_stages,
    [BENCH_KERNELS] = bench_kernels,
    [BENCH_MEMORY] = bench_memory,
    [BENCH_SLEEPING] = bench_sleeping,
    [BENCH_BROAD_PHASE] = bench_broad_phase,
    [BENCH_NARROW_PHASE] = bench_narrow_phase,
    [BENCH_RAYS] = bench_rays,
    [BENCH_MESH_BUILD] = bench_mesh_build,
    [BENCH_ROBOTS] = bench_robots,
    [BENCH_JOINT_RATES] = bench_joints,
    [BENCH_SOLVER_TABLE] = bench_solvers,
};

int main(int argc, char **argv)
{
    bench_command command = bench_command_read(argc, argv);
    bool special = false, ok = true;
    for (int i = 0; i < BENCH_SPECIALS; ++i)
        if (command.special[i]) {
            special = true;
            ok = specials[i]() && ok;
        }
    int status = !ok;
    if (command.stage)
        bench_stage_run(command.stage, command.scenes, command.scene_count, &command.plan);
    else if (!special)
        status = measure(&command);
    free(command.scenes);
    return status;
}
