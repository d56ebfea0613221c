/* judge.h: how good a simulation was, measured the same way whoever made it. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include "bench/engine.h"

/* By bench_quality_field. */
typedef struct bench_quality {
    double value[BENCH_QUALITIES];
} bench_quality;

/* Sets of quality fields, bit by bench_quality_field. */
typedef struct bench_verdict {
    unsigned beyond; /* its bound */
    unsigned worse;  /* than the peer's, by more than noise */
} bench_verdict;

/* How a field is called in files and tables, and in what unit a table shows it. */
typedef struct bench_quality_name {
    const char *name, *heading;
    double scale;
    int decimals;
} bench_quality_name;

extern const bench_quality_name bench_quality_names[BENCH_QUALITIES];

/* `states` are the engine's final ones, one per body of the scene. */
bench_quality bench_judge(const bench_scene *scene, const bench_state *states);

/* What of `quality` is not good enough. Fields that the scene does not bound are not judged; with
 * `peer` null nothing is worse. */
bench_verdict bench_verdict_of(const bench_scene *scene, const bench_quality *quality,
                               const bench_quality *peer);

#endif
