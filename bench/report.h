/* report.h: results as tables a newcomer can read, a hundred columns wide. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/measure.h"

/* What is measured, on what and how: before the first scene runs. */
void bench_report_head(const bench_plan *plan);

/* The rows of one scene, as soon as it is done; the first call prints the table's head. Scenes that
 * are not timed have none. */
void bench_report_scene(const bench_result *results, int engine_count);

/* Everything else, when all scenes are done. `results` holds one per engine for every scene. */
void bench_report_rest(const bench_plan *plan, const bench_result *results, int scene_count);

/* "pgs" or "soft": the solver as --solver spells it. */
const char *bench_solver_name(int solver);

/* The same of lode_stiff. */
const char *bench_stiff_name(int stiff);

#endif
