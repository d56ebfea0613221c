/* programs.c: the same program for ODE on libode and on Lode's ODE face.
 *
 * What rows miss (missed_ode.h) is taken in five steps of each world's own, with a step between, so
 * that those who start from the last step's impulses do; the median counts. Then libode solves its
 * last step again with ever more iterations until it misses as little as the face: the face's gain
 * at equal residual. */
#include "bench/programs.h"

#include "bench/solvers.h"
#include "bench/tool.h"

#include <stdio.h>
#include <string.h>

enum { MOMENTS = 5 };

double bench_program_missed(const bench_engine *engine, void *world, int iterations)
{
    double missed[MOMENTS], seconds;
    if (!engine->missed)
        return -1;
    for (int i = 0; i < MOMENTS; ++i) {
        if (!engine->step(world))
            bench_fail("a step of %s failed", engine->name);
        missed[i] = engine->missed(world, iterations, &seconds);
    }
    return bench_median(missed, MOMENTS);
}

/* Each number is about the square root of two of the last. */
int bench_program_iterations(const bench_engine *engine, void *world, double missed,
                             double *out_seconds)
{
    static const int numbers[] = {5,  7,   10,  14,  20,  28,  40,  57,
                                  80, 113, 160, 226, 320, 453, 640, 905};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        if (engine->missed(world, numbers[i], out_seconds) <= missed)
            return numbers[i];
    engine->missed(world, BENCH_MOST_ITERATIONS, out_seconds);
    return BENCH_MOST_ITERATIONS;
}

/* --- scenes */

int bench_engine_among(const bench_result *results, int count, const char *engine)
{
    int e = count - 1;
    while (e >= 0 && strcmp(results[e].engine->name, engine) != 0)
        --e;
    return e;
}

static void report_scene(const bench_result *ode, const bench_result *face)
{
    const bench_result *both[] = {ode, face};
    for (int i = 0; i < 2; ++i) {
        const bench_result *r = both[i];
        printf("%-16s %-6s %6d %6d %7d %8.3f %8.3f", i ? "" : r->scene, i ? "face" : "libode",
               r->bodies, r->counts.points, r->counts.contact_rows + r->counts.joint_rows,
               r->stages[0].ms, r->stages[1].ms);
        if (i == 0)
            printf(" %9s %9.2f", "", 1e3 * r->missed);
        else
            printf(" %8.1fx %9.2f %6s%4d %8.1fx", ode->program_ratio, 1e3 * r->missed,
                   ode->equal_iterations == BENCH_MOST_ITERATIONS ? ">=" : "",
                   ode->equal_iterations, ode->equal_ratio);
        putchar('\n');
    }
}

void bench_report_programs(const bench_result *results, int scene_count, int engine_count)
{
    bool headed = false;
    for (int s = 0; s < scene_count; ++s) {
        const bench_result *own = &results[s * engine_count];
        int ode = bench_engine_among(own, engine_count, "ode");
        int face = bench_engine_among(own, engine_count, "face");
        if (ode < 0 || face < 0 || !own->timed)
            continue;
        if (!headed)
            printf("\nProgram for ODE with dWorldQuickStep and a near callback, on libode and on "
                   "Lode's ODE face, ms\n"
                   "%-16s %-6s %6s %6s %7s %8s %8s %9s %9s %10s %9s\n",
                   "scene", "", "bodies", "points", "rows", "collide", "step", "face is", "misses",
                   "libode's", "face is");
        headed = true;
        report_scene(&own[ode], &own[face]);
    }
    if (headed)
        printf("\nRows miss as many mm/s; libode's are the iterations that it takes to miss no "
               "more than the face,\nand the last column how much faster the face is then.\n");
}

/* --- islands */

#ifdef BENCH_HAVE_FACE

enum { ROUNDS = 31, WARMUP = 3, SIZES = 4 };

static const int sizes[SIZES] = {100, 200, 300, 500};

static void time_island(bench_shape_of_system shape, int rows)
{
    const bench_solver *solvers[2] = {&bench_solvers_ode[0], &bench_solvers_face[0]};
    bench_system system = bench_system_make(shape, rows);
    double ms[2][ROUNDS], ratios[ROUNDS];
    void *sides[2];
    for (int k = 0; k < 2; ++k)
        sides[k] = solvers[k]->create(&system, solvers[k]->number);
    for (int i = -WARMUP; i < ROUNDS; ++i) {
        for (int k = 0; k < 2; ++k)
            ms[k][i < 0 ? 0 : i] = 1e3 * solvers[k]->step(sides[k]);
        ratios[i < 0 ? 0 : i] = ms[0][i < 0 ? 0 : i] / ms[1][i < 0 ? 0 : i];
    }
    printf("%-24s %6d %9.4f %9.4f %8.1fx\n", system.name, solvers[0]->rows(sides[0]),
           bench_median(ms[0], ROUNDS), bench_median(ms[1], ROUNDS), bench_median(ratios, ROUNDS));
    for (int k = 0; k < 2; ++k)
        solvers[k]->destroy(sides[k]);
    bench_system_free(&system);
}

void bench_report_islands(void)
{
    printf("\nProgram for ODE with dWorldStep, on libode and on Lode's ODE face, ms a step\n"
           "%-24s %6s %9s %9s %9s\n",
           "island", "rows", "libode", "face", "face is");
    for (int shape = 0; shape < BENCH_SYSTEM_COUNT; ++shape)
        for (int size = 0; size < SIZES; ++size)
            time_island((bench_shape_of_system)shape, sizes[size]);
}

#else

void bench_report_islands(void)
{
}

#endif
