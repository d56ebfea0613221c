/* programs.h: the same program for ODE on libode and on Lode's ODE face. */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include "bench/measure.h"

/* After the measured steps: what the rows of the world's next steps miss, m/s; negative for what is
 * no program for ODE. The world goes on. */
double bench_program_missed(const bench_engine *engine, void *world, int iterations);

/* Iterations that a step of the world takes to miss no more than `missed`, or the most that are
 * tried, and the seconds that one with so many takes. */
int bench_program_iterations(const bench_engine *engine, void *world, double missed,
                             double *out_seconds);
enum { BENCH_MOST_ITERATIONS = 1280 };

/* Which of a scene's results is this engine's; -1: none. */
int bench_engine_among(const bench_result *results, int count, const char *engine);

/* Tables: scenes with both among their engines, and dWorldStep() on islands. Nothing where one is
 * missing. */
void bench_report_programs(const bench_result *results, int scene_count, int engine_count);
void bench_report_islands(void);

#endif
