/* resting.h: what bodies at rest cost. Both figures print a table and return false when it shows
 * more than may be. */
#ifndef BENCH_RESTING_H
#define BENCH_RESTING_H

#include <stdbool.h>

/* Bytes per resting box. */
bool bench_memory(void);

/* The step time of a large world that sleeps. True whatever it shows: time depends on the
 * machine. */
bool bench_sleeping(void);

#endif
