/* stage.c: a microbenchmark of one stage.
 *
 * A scene runs its warm-up steps. Then a step is begun again and again and never ended: the stages
 * before the wanted one run, untimed, then that one runs, timed. A step that is not ended changes
 * no pose, velocity or impulse, so every timing is of the same work, with the caches as the stages
 * before leave them. From "finalise" on a step can only be finished, so that these stages are timed
 * on a world that moves on. */
#include "bench/stage.h"

#include "bench/progress.h"
#include "bench/report.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, USUAL_RUNS = 200 };

/* The stages of a step, without sub-stages. */
typedef struct pipeline {
    const char *names[MOST];
    int count;
    int wanted;
    bool finished; /* the wanted one changes poses */
} pipeline;

static int find_names(const char *out_names[MOST])
{
    lode_stage_info infos[MOST];
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    int count = lode_world_get_stages(world, infos, MOST), used = 0;
    for (int i = 0; i < count && i < MOST; ++i)
        if (infos[i].parent[0] == 0)
            out_names[used++] = infos[i].name;
    lode_world_destroy(world);
    return used;
}

bool bench_stage_find(const char *name, char *out_names, size_t size)
{
    const char *names[MOST];
    int count = find_names(names);
    bool found = false;
    out_names[0] = 0;
    for (int i = 0; i < count; ++i) {
        size_t used = strlen(out_names);
        snprintf(out_names + used, size - used, "%s%s", used ? ", " : "", names[i]);
        found = found || strcmp(names[i], name) == 0;
    }
    return found;
}

static pipeline find_pipeline(const char *name)
{
    pipeline p = {.wanted = -1};
    p.count = find_names(p.names);
    for (int i = 0; i < p.count && p.wanted < 0; ++i) {
        p.finished = p.finished || strcmp(p.names[i], "finalise") == 0;
        if (strcmp(p.names[i], name) == 0)
            p.wanted = i;
    }
    return p;
}

static void run(void *world, const pipeline *p, int begin, int end)
{
    for (int i = begin; i < end; ++i)
        if (!bench_lode_run_stage(world, p->names[i]))
            bench_fail("--stage: '%s' failed", p->names[i]);
}

/* Seconds of the wanted stage. */
static double time_stage(void *world, const pipeline *p)
{
    run(world, p, 0, p->wanted);
    double before = bench_now();
    run(world, p, p->wanted, p->wanted + 1);
    double seconds = bench_now() - before;
    if (p->finished)
        run(world, p, p->wanted + 1, p->count);
    return seconds;
}

static void run_scene(const bench_scene *scene, const bench_plan *plan, const pipeline *p, int runs)
{
    void *world = bench_engine_lode.create(scene, &plan->options);
    if (!world)
        bench_fail("lode cannot build the scene '%s'", scene->name);
    for (int i = 0; i < scene->warmup_steps; ++i) {
        if (!bench_engine_lode.step(world))
            bench_fail("a step of lode failed");
        bench_progress_add(1);
    }
    bench_counts counts;
    bench_engine_lode.counts(world, &counts);
    double *us = bench_alloc((size_t)runs, sizeof *us);
    for (int i = 0; i < runs; ++i) {
        us[i] = 1e6 * time_stage(world, p);
        bench_progress_add(1);
    }
    bench_engine_lode.destroy(world);
    bench_spread spread = bench_spread_of(us, runs);
    free(us);
    bench_progress_clear();
    printf("%-15s %7d %9d %8d %11.2f %11.2f %11.2f\n", scene->name, bench_moving_bodies(scene),
           counts.contacts, counts.contact_rows + counts.joint_rows, spread.median, spread.p99,
           spread.min);
    fflush(stdout);
}

static int work_of(const int *scenes, int scene_count, int runs)
{
    int work = 0;
    for (int i = 0; i < scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(scenes[i], &scene);
        work += scene.warmup_steps + runs;
        bench_scene_free(&scene);
    }
    return work;
}

void bench_stage_run(const char *name, const int *scenes, int scene_count, const bench_plan *plan)
{
    const pipeline p = find_pipeline(name);
    int runs = plan->steps ? plan->steps : USUAL_RUNS;
    bench_report_head(plan);
    printf("\nStage '%s' by itself, microseconds over %d runs\n"
           "%-15s %7s %9s %8s %11s %11s %11s\n",
           name, runs, "scene", "bodies", "contacts", "rows", "median", "p99", "min");
    bench_progress_begin(work_of(scenes, scene_count, runs));
    for (int i = 0; i < scene_count; ++i) {
        bench_scene scene;
        bench_scene_build(scenes[i], &scene);
        bench_progress_label(scene.name);
        run_scene(&scene, plan, &p, runs);
        bench_scene_free(&scene);
    }
}
