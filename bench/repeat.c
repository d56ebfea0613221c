/* repeat.c: measures a scene several times, each time from fresh worlds, and takes of every figure
 * the median. The spread says how far to trust it. */
#include "bench/measure.h"

#include "bench/tool.h"

#include <stddef.h>
#include <stdlib.h>

/* The figures that time decides; the others are the same in every repeat. */
static const size_t figures[] = {
    offsetof(bench_result, step_ms.median),  offsetof(bench_result, step_ms.p99),
    offsetof(bench_result, step_ms.min),     offsetof(bench_result, points_per_second),
    offsetof(bench_result, rows_per_second), offsetof(bench_result, step_ratio),
    offsetof(bench_result, solver_ratio),    offsetof(bench_result, program_ratio),
    offsetof(bench_result, equal_ratio),
};

static double *figure(bench_result *result, size_t offset)
{
    return (double *)(void *)((char *)result + offset);
}

/* Copies one figure of every repeat, `stride` results apart. */
static void collect(bench_result *results, size_t offset, int repeats, int stride, double *out)
{
    for (int i = 0; i < repeats; ++i)
        out[i] = *figure(&results[i * stride], offset);
}

static double spread(double *values, int count)
{
    double median = bench_median(values, count); /* sorts */
    return count > 1 && median > 0 ? (values[count - 1] - values[0]) / median : -1;
}

/* `results` is the engine's first repeat, which becomes the summary. */
static void merge(bench_result *results, int repeats, int stride)
{
    double *values = bench_alloc((size_t)repeats, sizeof *values);
    collect(results, offsetof(bench_result, step_ms.median), repeats, stride, values);
    double step_spread = spread(values, repeats);
    collect(results, offsetof(bench_result, step_ratio), repeats, stride, values);
    double ratio_spread = spread(values, repeats);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i) {
        collect(results, figures[i], repeats, stride, values);
        *figure(results, figures[i]) = bench_median(values, repeats);
    }
    for (int k = 0; k < results->stage_count; ++k) {
        size_t offset = offsetof(bench_result, stages) + (size_t)k * sizeof results->stages[0] +
                        offsetof(bench_stage_time, ms);
        collect(results, offset, repeats, stride, values);
        results->stages[k].ms = bench_median(values, repeats);
    }
    results->repeats = repeats;
    results->step_spread = step_spread;
    results->ratio_spread = ratio_spread;
    free(values);
}

void bench_measure(const bench_scene *scene, const bench_plan *plan, bench_result *out_results)
{
    int engines = plan->engine_count;
    bench_result *all = bench_alloc((size_t)(plan->repeats * engines), sizeof *all);
    for (int i = 0; i < plan->repeats; ++i)
        bench_measure_once(scene, plan, i == 0, &all[i * engines]);
    for (int e = 0; e < engines; ++e) {
        merge(&all[e], plan->repeats, engines);
        out_results[e] = all[e];
    }
    free(all);
}
