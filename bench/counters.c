/* counters.c: performance events through perf_event_open(2), which glibc has no function for.
 *
 * Every event has a descriptor of its own, so one that the machine lacks takes no other with it. A
 * zone costs a few system calls at its begin and end; so counts are taken in steps of their own,
 * whose times are not reported. Kernel mode is left out, which keeps most of the cost of counting
 * out of the counts, and needs no privileges. */
#define _GNU_SOURCE
#include "bench/counters.h"

#include "bench/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

const bench_counter_event bench_hardware_events[BENCH_COUNTERS] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
};

static int open_event(const bench_counter_event *event)
{
    struct perf_event_attr attributes = {.type = event->type,
                                         .size = sizeof attributes,
                                         .config = event->config,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
#else
const bench_counter_event bench_hardware_events[BENCH_COUNTERS] = {
    {"cycles", 0, 0}, {"instructions", 0, 0}, {"cache_misses", 0, 0}};

static int open_event(const bench_counter_event *event)
{
    (void)event;
    errno = ENOSYS;
    return -1;
}
#endif

enum { DEPTH = 8 };

typedef struct zone {
    int stage; /* negative: not counted */
    uint64_t begin[BENCH_COUNTERS];
} zone;

struct bench_counters {
    bench_probe probe;
    int files[BENCH_COUNTERS]; /* negative: not there */
    int error;                 /* of the last that is not */
    const bench_stage *stages;
    int stage_count;
    double sums[BENCH_STAGES][BENCH_COUNTERS];
    zone zones[DEPTH];
    int depth;
};

static void read_all(const bench_counters *counters, uint64_t out[BENCH_COUNTERS])
{
    for (int i = 0; i < BENCH_COUNTERS; ++i)
        if (counters->files[i] < 0 ||
            read(counters->files[i], &out[i], sizeof out[i]) != sizeof out[i])
            out[i] = 0;
}

static int find_stage(const bench_counters *counters, const char *name)
{
    const zone *outer = counters->depth > 0 ? &counters->zones[counters->depth - 1] : NULL;
    const char *parent = outer && outer->stage >= 0 ? counters->stages[outer->stage].name : "";
    for (int i = 0; i < counters->stage_count; ++i)
        if (strcmp(counters->stages[i].name, name) == 0 &&
            strcmp(counters->stages[i].parent, parent) == 0)
            return i;
    return -1;
}

static void begin(void *user, const char *name)
{
    bench_counters *counters = user;
    if (counters->depth == DEPTH)
        bench_fail("stages are nested more than %d deep", DEPTH);
    int stage = find_stage(counters, name);
    zone *next = &counters->zones[counters->depth++];
    next->stage = stage;
    read_all(counters, next->begin);
}

static void end(void *user, const char *name)
{
    (void)name;
    bench_counters *counters = user;
    uint64_t now[BENCH_COUNTERS];
    read_all(counters, now);
    const zone *last = &counters->zones[--counters->depth];
    if (last->stage < 0)
        return;
    for (int i = 0; i < BENCH_COUNTERS; ++i)
        counters->sums[last->stage][i] += (double)(now[i] - last->begin[i]);
}

bench_counters *bench_counters_open(const bench_counter_event events[BENCH_COUNTERS])
{
    bench_counters *counters = bench_alloc(1, sizeof *counters);
    counters->probe = (bench_probe){counters, begin, end};
    for (int i = 0; i < BENCH_COUNTERS; ++i) {
        counters->files[i] = open_event(&events[i]);
        if (counters->files[i] < 0)
            counters->error = errno;
    }
    return counters;
}

void bench_counters_close(bench_counters *counters)
{
    for (int i = 0; i < BENCH_COUNTERS; ++i)
        if (counters->files[i] >= 0)
            close(counters->files[i]);
    free(counters);
}

const char *bench_counters_missing(const bench_counters *counters)
{
    return counters->error ? strerror(counters->error) : NULL;
}

void bench_counters_reset(bench_counters *counters, const bench_stage *stages, int count)
{
    counters->stages = stages;
    counters->stage_count = count;
    counters->depth = 0;
    memset(counters->sums, 0, sizeof counters->sums);
}

const bench_probe *bench_counters_probe(bench_counters *counters)
{
    return &counters->probe;
}

void bench_counters_read(const bench_counters *counters, int steps, bench_stage_counts *out)
{
    for (int k = 0; k < counters->stage_count; ++k)
        for (int i = 0; i < BENCH_COUNTERS; ++i)
            out[k].value[i] = counters->files[i] < 0 ? -1 : counters->sums[k][i] / steps;
}
