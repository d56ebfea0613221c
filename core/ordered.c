/* ordered.c: items in phases that follow one another, as one run of the workers; see tasks.h.
 *
 * Were each phase a run of its own, every thread would be called and waited for once per phase,
 * which takes longer than phases of a few microseconds themselves. Here all threads stay, and one
 * atomic word is all they share:
 *
 *     | items done (32) | items taken (32) |
 *
 * A thread that has done an item adds one to both halves: so it reports, takes the next item, and
 * learns how many are done, at the cost of one transfer of the word. Then it waits until so many are
 * done as come before its phase: those can only be the earlier phases' own, because no item of a
 * later one has begun. Items are taken in order, so the thread with the lowest one never waits: a
 * run ends whichever threads come, and when. */
#include "core/os.h"
#include "core/tasks.h"

#include <stdatomic.h>

#define TAKEN ((uint64_t)1)
#define DONE ((uint64_t)1 << 32)

enum {
    MOST_ITEMS = 1 << 30, /* of one run, so that no half overflows */
    LOOKS = 1000          /* at the word, before others get the processor */
};

typedef struct ordered_run {
    _Alignas(64) _Atomic uint64_t word;
    _Alignas(64) uint32_t count;
    uint32_t total; /* of all rounds */
    const uint32_t *after;
    lode__task_fn *run;
    void *context;
} ordered_run;

static void wait_until_done(const ordered_run *ordered, uint32_t items)
{
    for (int looks = 1;; ++looks) {
        if (atomic_load_explicit(&ordered->word, memory_order_acquire) / DONE >= items)
            return;
        if (looks % LOOKS)
            lode__os_relax();
        else
            lode__os_yield();
    }
}

static void take_part(void *context, uint32_t begin, uint32_t end)
{
    (void)begin, (void)end;
    ordered_run *ordered = context;
    uint64_t word = atomic_fetch_add_explicit(&ordered->word, TAKEN, memory_order_acquire);
    uint32_t number;
    while ((number = (uint32_t)word) < ordered->total) {
        uint32_t item = number % ordered->count;
        wait_until_done(ordered, number - item + ordered->after[item]);
        ordered->run(ordered->context, item, item + 1);
        word = atomic_fetch_add_explicit(&ordered->word, DONE + TAKEN, memory_order_acq_rel);
    }
}

static void run_alone(uint32_t count, uint32_t rounds, lode__task_fn *run, void *context)
{
    for (uint32_t round = 0; round < rounds; ++round)
        for (uint32_t i = 0; i < count; ++i)
            run(context, i, i + 1);
}

void lode__tasks_run_ordered(lode__tasks *tasks, uint32_t count, uint32_t rounds,
                             const uint32_t *after, lode__task_fn *run, void *context)
{
    uint32_t workers = (uint32_t)lode__tasks_workers(tasks);
    if (workers == 1 || count < 2 || count > MOST_ITEMS) {
        run_alone(count, rounds, run, context);
        return;
    }
    uint32_t most = MOST_ITEMS / count;
    while (rounds > 0) {
        uint32_t now = rounds < most ? rounds : most;
        ordered_run ordered = {
            .count = count, .total = now * count, .after = after, .run = run, .context = context};
        lode__tasks_run(tasks, workers, 1, take_part, &ordered);
        rounds -= now;
    }
}
