/* followed.c: blocks on all threads, and on one of them what has to go through their results in
 * order, at the same time. Who follows runs blocks too when none is ready, and waits only for those
 * that others are in the middle of. */
#include "core/tasks.h"

#include "core/os.h"

#include <stdatomic.h>

enum { LOOKS = 500 }; /* at a block, before others get the processor */

typedef struct followed_run {
    _Alignas(128) _Atomic uint32_t next; /* block that nobody has taken */
    _Alignas(128) uint32_t count;
    uint32_t grain, blocks;
    uint32_t followed; /* blocks */
    int most_looks;
    uint8_t *done; /* by block */
    lode__task_fn *run, *follow;
    void *context;
} followed_run;

static void on_block(const followed_run *followed, lode__task_fn *run, uint32_t block)
{
    uint32_t begin = block * followed->grain, left = followed->count - begin;
    run(followed->context, begin, begin + (left < followed->grain ? left : followed->grain));
}

/* False when all have been taken. */
static bool run_next(followed_run *followed)
{
    if (atomic_load_explicit(&followed->next, memory_order_relaxed) >= followed->blocks)
        return false;
    uint32_t block = atomic_fetch_add_explicit(&followed->next, 1, memory_order_relaxed);
    if (block >= followed->blocks)
        return false;
    on_block(followed, followed->run, block);
    __atomic_store_n(&followed->done[block], 1, __ATOMIC_RELEASE);
    return true;
}

/* Waits for blocks that others are in the middle of. */
static void follow_all(followed_run *followed)
{
    int looks = 0;
    for (; followed->followed < followed->blocks; ++followed->followed) {
        while (!__atomic_load_n(&followed->done[followed->followed], __ATOMIC_ACQUIRE)) {
            if (run_next(followed))
                continue;
            if (++looks % followed->most_looks)
                lode__os_relax();
            else
                lode__os_yield();
        }
        on_block(followed, followed->follow, followed->followed);
    }
}

static void take_part(void *context, uint32_t worker)
{
    followed_run *followed = context;
    if (worker == 0)
        follow_all(followed);
    while (run_next(followed))
        ;
}

void lode__tasks_run_followed(lode__tasks *tasks, uint32_t count, uint32_t grain,
                              lode__task_fn *run, lode__task_fn *follow, void *context,
                              uint8_t *done)
{
    followed_run followed = {.count = count,
                             .grain = grain,
                             .blocks = (uint32_t)(((uint64_t)count + grain - 1) / grain),
                             .most_looks = lode__tasks_are_crowded(tasks) ? 1 : LOOKS,
                             .done = done,
                             .run = run,
                             .follow = follow,
                             .context = context};
    if (followed.blocks > 1)
        lode__tasks_run_each(tasks, take_part, &followed);
    follow_all(&followed); /* what is left, if the first worker did not come */
}
