/* frontier.c: what it costs to hold a load: the chains of the scenes, swung for a minute at 60 Hz,
 * by Lode's solvers with joints that are swept and joints that do not stretch, in more and fewer
 * sub-steps, and by libode. Told are the time of a step, the largest distance of a joint's anchors
 * at the end of any step, and how much energy was won at most and lost in the end, as shares of
 * what the load has to fall. */
#include "bench/frontier.h"

#include "bench/judge.h"
#include "bench/stats.h"
#include "bench/tool.h"

#include "lode/lode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 3600, SWEEPS = 5 };

typedef struct frontier_row {
    const bench_engine *engine;
    const char *name;
    int solver, stiff, sub_steps;
} frontier_row;

#define SOFT(stiff, n) \
    { \
        &bench_engine_lode, "soft step, " stiff_name_##stiff, LODE_SOLVER_SOFT_STEP, \
            LODE_STIFF_##stiff, n \
    }
#define DIRECT(stiff, n) \
    { \
        &bench_engine_lode, "direct, " stiff_name_##stiff, LODE_SOLVER_DIRECT, LODE_STIFF_##stiff, \
            n \
    }
#define stiff_name_NEVER "as ever"
#define stiff_name_ALWAYS "not stretching"

static const frontier_row rows[] = {
    SOFT(NEVER, 1),
    SOFT(NEVER, 2),
    SOFT(NEVER, 4),
    SOFT(NEVER, 8),
    SOFT(NEVER, 16),
    SOFT(ALWAYS, 1),
    SOFT(ALWAYS, 2),
    SOFT(ALWAYS, 4),
    SOFT(ALWAYS, 8),
    DIRECT(NEVER, 1),
    DIRECT(NEVER, 4),
    DIRECT(ALWAYS, 1),
    DIRECT(ALWAYS, 4),
#ifdef BENCH_ODE_VERSION
    {&bench_engine_ode, "libode, QuickStep", 0, 0, 1},
#endif
};

typedef struct outcome {
    double ms, apart, won, lost;
} outcome;

static double energy_of(const bench_scene *scene, const bench_state *states)
{
    double energy = bench_judge(scene, states).value[BENCH_KINETIC], inertia[3];
    for (int i = 0; i < scene->body_count; ++i)
        energy -= bench_body_mass(&scene->bodies[i], inertia) * scene->gravity[2] *
                  states[i].position[2];
    return energy;
}

static outcome swing(const frontier_row *row, const bench_scene *scene)
{
    static double ms[STEPS];
    bench_options options = {
        .iterations = row->engine == &bench_engine_lode ? SWEEPS * row->sub_steps : 4 * SWEEPS,
        .sub_steps = row->sub_steps,
        .threads = 1,
        .solver = row->solver,
        .stiff = row->stiff,
        .simd = LODE_SIMD_AUTO};
    bench_state *states = bench_alloc((size_t)scene->body_count, sizeof *states);
    void *world = row->engine->create(scene, &options);
    double inertia[3], first = 0, last = 0;
    const bench_body *load = &scene->bodies[scene->body_count - 1];
    double falls = -bench_body_mass(load, inertia) * scene->gravity[2] * scene->joint_count;
    outcome out = {0};
    if (!world)
        bench_fail("no world for %s", row->name);
    row->engine->read(world, states);
    first = last = energy_of(scene, states);
    for (int i = 0; i < STEPS; ++i) {
        double before = bench_now();
        if (!row->engine->step(world))
            bench_fail("a step of %s failed", row->name);
        ms[i] = 1e3 * (bench_now() - before);
        row->engine->read(world, states);
        double apart = bench_judge(scene, states).value[BENCH_SEPARATION];
        last = energy_of(scene, states);
        out.apart = apart <= out.apart ? out.apart : apart;
        out.won = last - first <= out.won * falls ? out.won : (last - first) / falls;
    }
    out.ms = bench_median(ms, STEPS);
    out.lost = (first - last) / falls;
    row->engine->destroy(world);
    free(states);
    return out;
}

static void print(const frontier_row *row, const outcome *o)
{
    printf("%-28s %5d %9.4f", row->name, row->sub_steps, o->ms);
    if (o->apart < 1e3 && o->won < 1e3)
        printf(" %12.4g %9.4f %9.4f\n", 1e3 * o->apart, o->won, o->lost);
    else
        printf(" %12s %9s %9s\n", "flies apart", "-", "-");
}

static void run(const char *name)
{
    bench_scene scene;
    bench_scene_build(bench_scene_find(name), &scene);
    printf("%s: %s\n%-28s %5s %9s %12s %9s %9s\n", name, scene.summary, "", "steps", "ms",
           "apart, mm", "won", "lost");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        outcome o = swing(&rows[i], &scene);
        print(&rows[i], &o);
    }
    bench_scene_free(&scene);
}

bool bench_frontier(void)
{
    run("chain");
    run("chain_1000");
    return true;
}
