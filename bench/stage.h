/* stage.h: one stage of Lode's step by itself, on prepared worlds. */
#ifndef BENCH_STAGE_H
#define BENCH_STAGE_H

#include "bench/measure.h"

/* Whether a step has a stage of this name; fills `out_names` with all there are, parted by
 * commas. */
bool bench_stage_find(const char *name, char *out_names, size_t size);

/* Prints a table with a row per scene. */
void bench_stage_run(const char *name, const int *scenes, int scene_count, const bench_plan *plan);

#endif
