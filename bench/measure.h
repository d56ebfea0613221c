/* measure.h: runs one scene on several engines, pair by pair, and gathers what is reported. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "bench/counters.h"
#include "bench/engine.h"
#include "bench/judge.h"
#include "bench/stats.h"
#include "bench/trace.h"

enum { BENCH_ENGINES = 4 };

/* What to measure, the scene apart. */
typedef struct bench_plan {
    bench_options options;
    const bench_engine *engines[BENCH_ENGINES]; /* Lode first */
    int engine_count;
    int steps;   /* 0: what the scene says */
    int repeats; /* of the whole measurement */

    /* Watch a few more steps after the measured ones; null: not. */
    bench_trace *trace;
    bench_counters *counters;
} bench_plan;

typedef struct bench_stage_time {
    const char *name, *parent;
    double ms; /* median over the measured steps */
} bench_stage_time;

/* One engine on one scene. What does not apply is negative. */
typedef struct bench_result {
    const char *scene;
    const char *twin; /* as in the scene */
    bool timed;       /* false: only the quality counts, times are negative */
    const bench_engine *engine;
    const char *simd; /* null for engines that have no choice */
    bench_options options;
    int bodies; /* dynamic */
    int steps;
    bench_counts counts;
    bench_spread step_ms;
    bench_stage_time stages[BENCH_STAGES];
    bench_stage_counts stage_counts[BENCH_STAGES]; /* per step */
    int stage_count;
    double points_per_second; /* per second and iteration: contact points */
    double rows_per_second;   /* and rows of contacts and joints */
    bench_quality quality;
    double bounds[BENCH_QUALITIES];
    bench_verdict verdict;

    /* How many times faster Lode is, as the median of pairwise ratios; 1 for Lode itself. The
     * second compares contact points, or rows where there are no contacts. */
    double step_ratio, solver_ratio;

    /* Of programs for ODE (programs.h): what their rows miss, m/s; and of libode how many times
     * faster the face is, at equal iterations and at the iterations that libode takes to miss as
     * little. */
    double missed, program_ratio, equal_ratio;
    int equal_iterations;

    /* Step time as a multiple of its own on the scene's twin. */
    double twin_ratio;

    /* Over the repeats: largest less least, as a share of the median. */
    int repeats;
    double step_spread, ratio_spread;
} bench_result;

/* Steps, in units of which bench_measure() reports its progress. */
int bench_measure_work(const bench_scene *scene, const bench_plan *plan);

/* Fills one result per engine: medians over the plan's repeats, each of which starts afresh. */
void bench_measure(const bench_scene *scene, const bench_plan *plan, bench_result *out_results);

/* Fills twin_ratio where the twin is among the results, of which there are `stride` per scene. */
void bench_measure_twins(bench_result *results, int scene_count, int stride);

/* One repeat; with `watched`, trace and counters of the plan are served. */
void bench_measure_once(const bench_scene *scene, const bench_plan *plan, bool watched,
                        bench_result *out_results);

#endif
