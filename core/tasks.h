/* tasks.h: work split into fixed blocks over worker threads.
 *
 * A task runs over items 0..count-1 in blocks of `grain` items. The split depends on count and
 * grain alone, never on the number of threads; a block may write only what belongs to its items,
 * so no result depends on which thread ran it. Each worker begins with a stretch of its own, the
 * same part of the items in every run, and then helps the others. With one thread the blocks run in
 * order on the caller's. Workers spin briefly between runs before they sleep. */
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

/* Says whether more runs are to come soon: workers then wait for them longer before they sleep. */
void lode__tasks_expect(lode__tasks *tasks, bool more);

/* True when there are more workers than processors: who waits must let others run. */
bool lode__tasks_are_crowded(const lode__tasks *tasks);

/* In how many shares work is best cut that has one thread for each: as many as workers, up to a
 * bound. */
enum { LODE__MOST_SHARES = 32 };
uint32_t lode__tasks_shares(const lode__tasks *tasks);

/* Returns when all blocks are done. Allocates nothing. The caller's thread has entered Lode's
 * floating-point control (core/os.h); on all others it is set here. A task must not run tasks, and
 * one lode__tasks serves one calling thread at a time. */
void lode__tasks_run(lode__tasks *tasks, uint32_t count, uint32_t grain, lode__task_fn *run,
                     void *context);

/* The same with the number of the worker, 0..workers-1: no two that run at the same time have the
 * same one. */
typedef void lode__numbered_fn(void *context, uint32_t worker, uint32_t begin, uint32_t end);
void lode__tasks_run_numbered(lode__tasks *tasks, uint32_t count, uint32_t grain,
                              lode__numbered_fn *run, void *context);

/* The same as lode__tasks_run() for work of even cost on what threads have in their own caches from
 * the last run: as far as threads are in time, each takes one stretch of whole grains and no more,
 * always the same one. */
void lode__tasks_run_kept(lode__tasks *tasks, uint32_t count, uint32_t grain, lode__task_fn *run,
                          void *context);

/* Runs something once on each worker that comes in time, the calling thread among them as number 0;
 * on the pool a thread always has the same number. Returns when all that came are done. */
typedef void lode__worker_fn(void *context, uint32_t worker);
void lode__tasks_run_each(lode__tasks *tasks, lode__worker_fn *run, void *context);

/* The same as lode__tasks_run(), and calls `follow` for one block after another, each once it has
 * run: on one thread at a time, in order, while others run the blocks to come. `done` has a byte
 * for each block, zeroed. */
void lode__tasks_run_followed(lode__tasks *tasks, uint32_t count, uint32_t grain,
                              lode__task_fn *run, lode__task_fn *follow, void *context,
                              uint8_t *done);

/* Runs the turn of every share 0..shares-1 in phase 0, then in phase 1, and so on. A turn has two
 * parts: an edge, which begins after the edges of all shares in the phases before, and an inside,
 * which is ordered after and before the share's parts in other phases only; which of a turn's two
 * parts is first is left open. As far as
 * threads are in time, a share's turns are all run by the same one, in each run of the same tasks;
 * no result may depend on it. All else is as with lode__tasks_run().
 *
 * If `busy` is not null, adds to the number of each share how long it took, waiting left out, in
 * ticks of core/os.h; returns false, and adds nothing, where too few turns were run by their own
 * thread to tell. */
enum { LODE__EDGE, LODE__INSIDE };
typedef void lode__phase_fn(void *context, uint32_t phase, uint32_t share, int part);
bool lode__tasks_run_ordered(lode__tasks *tasks, uint32_t phases, uint32_t shares,
                             lode__phase_fn *run, void *context, uint64_t *busy);

#endif
