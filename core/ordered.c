/* ordered.c: work in phases that follow one another, as one run of the workers; see tasks.h.
 *
 * Were each phase a run of its own, every thread would be called and waited for once per phase,
 * which takes longer than phases of a few microseconds themselves. Here all threads stay, and what
 * they share is one atomic word per share of the work, in a cache line of its own:
 *
 *     | turns done (31) | a thread is at the next one |
 *
 * A worker first takes the turn of the share that has its own number. So the same thread works on
 * the same data in every phase, and finds it in its own cache; on the usual processors that matters
 * more than anything else here, because a line that another core has written takes a hundred
 * nanoseconds to come. Then it takes what nobody has begun, so a thread that is late or never comes
 * is not waited for. When all words say that a phase is done, the next one begins. Only turns that
 * some thread is at are ever waited for: a run ends whichever threads come, and when. */
#include "core/tasks.h"

#include "core/error.h"
#include "core/os.h"

#include <stdatomic.h>

enum { LOOKS = 1000 }; /* at the words, before others get the processor */

/* Two cache lines: processors fetch them in pairs. */
typedef struct share_word {
    _Alignas(128) _Atomic uint32_t turns;
} share_word;

typedef struct ordered_run {
    share_word words[LODE__MOST_SHARES];
    _Alignas(128) uint32_t phases;
    uint32_t shares;
    lode__phase_fn *run;
    void *context;
} ordered_run;

/* Phases that all shares have done. */
static uint32_t phases_done(const ordered_run *ordered)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < ordered->shares; ++i) {
        uint32_t turns = atomic_load_explicit(&ordered->words[i].turns, memory_order_acquire) / 2;
        least = turns < least ? turns : least;
    }
    return least;
}

/* Waits until `phase` can begin; returns the phase that all are at by then, it or a later one. */
static uint32_t wait_for(const ordered_run *ordered, uint32_t phase)
{
    uint32_t done;
    for (int looks = 1; (done = phases_done(ordered)) < phase; ++looks) {
        if (looks % LOOKS)
            lode__os_relax();
        else
            lode__os_yield();
    }
    return done;
}

/* Takes the share's turn in this phase unless it has been taken. */
static void take_turn(ordered_run *ordered, uint32_t share, uint32_t phase)
{
    _Atomic uint32_t *turns = &ordered->words[share].turns;
    uint32_t free = 2 * phase;
    if (atomic_load_explicit(turns, memory_order_relaxed) != free ||
        !atomic_compare_exchange_strong_explicit(turns, &free, free + 1, memory_order_relaxed,
                                                 memory_order_relaxed))
        return;
    ordered->run(ordered->context, phase, share);
    atomic_store_explicit(turns, 2 * phase + 2, memory_order_release);
}

static void take_part(void *context, uint32_t worker)
{
    ordered_run *ordered = context;
    for (uint32_t phase = 0; (phase = wait_for(ordered, phase)) < ordered->phases; ++phase)
        for (uint32_t i = 0; i < ordered->shares; ++i)
            take_turn(ordered, (worker + i) % ordered->shares, phase);
}

void lode__tasks_run_ordered(lode__tasks *tasks, uint32_t phases, uint32_t shares,
                             lode__phase_fn *run, void *context)
{
    LODE__DEBUG_ASSERT(shares <= LODE__MOST_SHARES && phases < UINT32_MAX / 2);
    if (lode__tasks_workers(tasks) == 1 || shares == 1) {
        for (uint32_t phase = 0; phase < phases; ++phase)
            for (uint32_t share = 0; share < shares; ++share)
                run(context, phase, share);
        return;
    }
    ordered_run ordered = {.phases = phases, .shares = shares, .run = run, .context = context};
    lode__tasks_run_each(tasks, take_part, &ordered);
}
