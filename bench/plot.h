/* plot.h: results as a picture, drawn by gnuplot. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include "bench/measure.h"

/* Ends the program when `path` is neither .svg nor .png, or gnuplot is not installed: before a
 * minute of measuring. */
void bench_plot_check(const char *path);

/* False, after a message, on failure. `results` holds engine_count of them per scene. */
bool bench_plot_write(const char *path, const bench_result *results, int scene_count,
                      int engine_count);

#endif
