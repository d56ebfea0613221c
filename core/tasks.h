/* tasks.h: work split into fixed blocks over worker threads.
 *
 * A task runs over items 0..count-1 in blocks of `grain` items. The split depends on count and
 * grain alone, never on the number of threads; a block may write only what belongs to its items,
 * so no result depends on which thread ran it. With one thread the blocks run in order on the
 * caller's. Workers spin briefly between runs before they sleep. */
#ifndef LODE_CORE_TASKS_H
#define LODE_CORE_TASKS_H

#include "lode/world.h"

typedef struct lode__tasks lode__tasks;

/* Runs items begin..end-1, on any thread. */
typedef void lode__task_fn(void *context, uint32_t begin, uint32_t end);

/* Null when memory or threads cannot be had. `system` with a run function replaces the pool. */
lode__tasks *lode__tasks_create(int threads, const lode_task_system *system);
void lode__tasks_destroy(lode__tasks *tasks);

int lode__tasks_workers(const lode__tasks *tasks);

/* Returns when all blocks are done. Allocates nothing. The caller's thread has entered Lode's
 * floating-point control (core/os.h); on all others it is set here. A task must not run tasks, and
 * one lode__tasks serves one calling thread at a time. */
void lode__tasks_run(lode__tasks *tasks, uint32_t count, uint32_t grain, lode__task_fn *run,
                     void *context);

/* Runs items 0..count-1 one by one, in phases, `rounds` times over. A phase is a range of items, and
 * after[i] the first item of the phase of i: item i starts when all items of earlier phases and
 * rounds have been done. All else is as with lode__tasks_run(). */
void lode__tasks_run_ordered(lode__tasks *tasks, uint32_t count, uint32_t rounds,
                             const uint32_t *after, lode__task_fn *run, void *context);

#endif
