/* profile.h: zones. A zone is a named span of time on one thread; it is added to the stage that
 * it belongs to and shown to the application's profiler if there is one.
 *
 * Spans are measured by the processor's counter (lode__os_count()), since a small world's step
 * takes a microsecond and reads it twenty times. What a count is in seconds is asked when somebody
 * wants to know, of all the time since the profile began. */
#ifndef LODE_CORE_PROFILE_H
#define LODE_CORE_PROFILE_H

#include "lode/world.h"

/* One row of the step's stage table: static data, so the page in docs/, the benchmark's columns
 * and the profiler's zones all come from it. */
typedef struct lode__stage {
    const char *name, *parent, *reads, *writes;
} lode__stage;

typedef struct lode__stage_time {
    uint64_t count;
    int calls;
    uint64_t begin; /* of the open zone */
} lode__stage_time;

typedef struct lode__profile {
    lode_profiler hooks;
    const lode__stage *stages;
    lode__stage_time *times; /* one per stage */
    int count;
    uint64_t now; /* when the last zone ended, where the next one follows at once; else 0 */
    uint64_t first_ticks, first_count; /* when it began */
} lode__profile;

/* Begins to compare the counter with the clock. */
void lode__profile_start(lode__profile *profile);

/* A count since then in seconds. */
double lode__profile_seconds(const lode__profile *profile, uint64_t count);

/* Zones of the stepping thread. */
void lode__profile_begin(lode__profile *profile, int stage);
void lode__profile_end(lode__profile *profile, int stage);

/* In place of an end: what time there was is the next zone's. */
void lode__profile_pass(lode__profile *profile, int stage);

/* Some of what was measured for one stage was another's work. */
void lode__profile_move(lode__profile *profile, int from, int to, uint64_t count);

/* Zeroes all times, at the start of a step. */
void lode__profile_reset(lode__profile *profile);

#endif
