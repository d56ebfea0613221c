/* counters.h: what the processor counts while stages run. Linux only, and only where the machine
 * and its settings let a program count: often not in virtual machines. */
#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

#include "bench/engine.h"

enum { BENCH_COUNTERS = 3 };

/* Of one stage, what its sub-stages count included; negative where nothing could be counted. */
typedef struct bench_stage_counts {
    double value[BENCH_COUNTERS];
} bench_stage_counts;

/* What is counted: a name for files and tables, and perf_event_open()'s type and config. */
typedef struct bench_counter_event {
    const char *name;
    uint32_t type;
    uint64_t config;
} bench_counter_event;

/* Cycles, instructions, cache misses: of this thread, in user mode. */
extern const bench_counter_event bench_hardware_events[BENCH_COUNTERS];

typedef struct bench_counters bench_counters;

/* Never null; what cannot be counted stays negative. */
bench_counters *bench_counters_open(const bench_counter_event events[BENCH_COUNTERS]);
void bench_counters_close(bench_counters *counters);

/* Why something is not counted, in a few words; null when all is. */
const char *bench_counters_missing(const bench_counters *counters);

/* Starts afresh with these stages, the only ones that are counted. */
void bench_counters_reset(bench_counters *counters, const bench_stage *stages, int count);

/* Zones of a `probe`, which is valid as long as the counters. */
const bench_probe *bench_counters_probe(bench_counters *counters);

/* Per step; fills as many as there are stages. */
void bench_counters_read(const bench_counters *counters, int steps, bench_stage_counts *out);

#endif
