/* measure.h: runs one scene on several engines, pair by pair, and gathers what is reported. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/engine.h"
#include "bench/judge.h"
#include "bench/stats.h"

typedef struct bench_stage_time {
    const char *name, *parent;
    double ms; /* median over the measured steps */
} bench_stage_time;

/* One engine on one scene. What does not apply is negative. */
typedef struct bench_result {
    const char *scene;
    const bench_engine *engine;
    const char *simd; /* null for engines that have no choice */
    bench_options options;
    int bodies; /* dynamic */
    int steps;
    bench_counts counts;
    bench_spread step_ms;
    bench_stage_time stages[BENCH_STAGES];
    int stage_count;
    double points_per_second; /* per second and iteration: contact points */
    double rows_per_second;   /* and rows of contacts and joints */
    bench_quality quality;
    bench_bounds bounds;
    bool good; /* quality is within bounds */

    /* How many times faster Lode is, as the median of pairwise ratios; 1 for Lode itself. The
     * second compares contact points, or rows where there are no contacts. */
    double step_ratio, solver_ratio;
} bench_result;

/* Steps, in units of which bench_measure() reports its progress. */
int bench_measure_work(const bench_scene *scene, int engine_count, int steps);

/* engines[0] is Lode. Fills one result per engine. */
void bench_measure(const bench_scene *scene, const bench_engine *const *engines, int engine_count,
                   const bench_options *options, int steps, bench_result *out_results);

#endif
