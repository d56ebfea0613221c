/* ordered.c: work in phases that follow one another, as one run of the workers; see tasks.h.
 *
 * Were each phase a run of its own, every thread would be called and waited for once per phase,
 * which takes longer than phases of a few microseconds themselves. Here all threads stay, and what
 * they share is one atomic word per share of the work, in a cache line of its own:
 *
 *     | 3 * turns done + how far the next one is (31) | its own worker is here |
 *
 * Most of a turn touches nothing that another share does. So a turn has two parts: its edge, which
 * waits for the edges of all other shares in the phases before, and its inside, which waits for
 * nobody. A thread tells that an edge is done before it begins the inside, and until it needs the
 * others' next edges, they have had that long to finish them. If they have not, it begins with the
 * inside: nobody waits unless somebody is two turns late.
 *
 * Each share is one worker's, that which has its number: it works on the same data in every phase,
 * and finds it in its own cache; a line that another core has written takes a hundred nanoseconds
 * to come. A thread that is late or never comes is not waited for: until it is here, others take
 * its turns, one at a time, when they have nothing else to do. Those waited for are in the run and
 * always go on, so a run ends whichever threads come, and when. */
#include "core/tasks.h"

#include "core/error.h"
#include "core/os.h"

#include <stdatomic.h>

enum { LOOKS = 500 }; /* at the words, before others get the processor */

enum { HERE = 1, ONE = 2 };                         /* in a word */
enum { FREE = 0, TAKEN = 1, INSIDE = 2, TURN = 3 }; /* how far a turn is; one turn in all */

/* Two cache lines: processors fetch them in pairs. */
typedef struct share_word {
    _Alignas(128) _Atomic uint32_t word;
    uint32_t own;  /* turns that its own worker took */
    uint64_t busy; /* how long they took, in ticks */
} share_word;

typedef struct ordered_run {
    share_word shares[LODE__MOST_SHARES];
    _Alignas(128) uint32_t phases;
    uint32_t share_count;
    int most_looks;
    bool timed;
    lode__phase_fn *run;
    void *context;
} ordered_run;

static uint32_t look(const ordered_run *ordered, uint32_t share)
{
    return atomic_load_explicit(&ordered->shares[share].word, memory_order_acquire);
}

/* True when all edges of the phases before are done. */
static bool may_begin(const ordered_run *ordered, uint32_t phase)
{
    for (uint32_t i = 0; i < ordered->share_count; ++i)
        if (look(ordered, i) / ONE + 1 < TURN * phase)
            return false;
    return true;
}

/* --- turns of workers that are not here */

static bool is_left(const ordered_run *ordered, uint32_t word)
{
    return !(word & HERE) && word / ONE < TURN * ordered->phases;
}

static bool take_turn(ordered_run *ordered, uint32_t share)
{
    _Atomic uint32_t *at = &ordered->shares[share].word;
    uint32_t word = look(ordered, share), phase = word / ONE / TURN;
    if (!is_left(ordered, word) || word / ONE % TURN != FREE || !may_begin(ordered, phase) ||
        !atomic_compare_exchange_strong_explicit(at, &word, word + ONE, memory_order_relaxed,
                                                 memory_order_relaxed))
        return false;
    ordered->run(ordered->context, phase, share, LODE__EDGE);
    atomic_fetch_add_explicit(at, ONE, memory_order_release);
    ordered->run(ordered->context, phase, share, LODE__INSIDE);
    atomic_fetch_add_explicit(at, ONE, memory_order_release);
    return true;
}

/* Takes a turn of somebody who is not here, if there is one, or else lets time pass. */
static void help(ordered_run *ordered, int *looks)
{
    for (uint32_t i = 0; i < ordered->share_count; ++i)
        if (take_turn(ordered, i))
            return;
    if (++*looks % ordered->most_looks)
        lode__os_relax();
    else
        lode__os_yield();
}

static bool any_left(const ordered_run *ordered)
{
    for (uint32_t i = 0; i < ordered->share_count; ++i)
        if (is_left(ordered, look(ordered, i)))
            return true;
    return false;
}

/* --- a worker's own */

/* From now on nobody else takes a turn of the share; returns the first that nobody has taken. */
static uint32_t come(ordered_run *ordered, uint32_t share)
{
    int looks = 0;
    uint32_t word = atomic_fetch_or_explicit(&ordered->shares[share].word, HERE,
                                             memory_order_acquire);
    for (; word / ONE % TURN != FREE; word = look(ordered, share))
        help(ordered, &looks);
    return word / ONE / TURN;
}

/* Nobody else writes the word of a worker who is here. */
static void tell(ordered_run *ordered, uint32_t share, uint32_t phase, uint32_t how_far)
{
    atomic_store_explicit(&ordered->shares[share].word, (TURN * phase + how_far) * ONE | HERE,
                          memory_order_release);
}

static uint64_t now(const ordered_run *ordered)
{
    return ordered->timed ? lode__os_ticks() : 0;
}

/* Returns how long it had to wait, in ticks. */
static uint64_t wait_for_turn(ordered_run *ordered, uint32_t phase)
{
    uint64_t begin = now(ordered);
    for (int looks = 0; !may_begin(ordered, phase);)
        help(ordered, &looks);
    return now(ordered) - begin;
}

static void take_own(ordered_run *ordered, uint32_t share)
{
    uint32_t phase = come(ordered, share);
    uint64_t begin = now(ordered), waited = 0;
    ordered->shares[share].own = ordered->phases - phase;
    for (; phase < ordered->phases; ++phase) {
        bool late = !may_begin(ordered, phase); /* somebody is */
        if (late) {
            ordered->run(ordered->context, phase, share, LODE__INSIDE);
            if (!may_begin(ordered, phase))
                waited += wait_for_turn(ordered, phase);
        }
        ordered->run(ordered->context, phase, share, LODE__EDGE);
        tell(ordered, share, phase, INSIDE);
        if (!late)
            ordered->run(ordered->context, phase, share, LODE__INSIDE);
    }
    ordered->shares[share].busy = now(ordered) - begin - waited;
    tell(ordered, share, phase, FREE);
}

static void take_part(void *context, uint32_t worker)
{
    ordered_run *ordered = context;
    int looks = 0;
    if (worker < ordered->share_count)
        take_own(ordered, worker);
    while (any_left(ordered))
        help(ordered, &looks);
}

/* Adds up how long each share took; false when others took too many of its turns to tell. */
static bool add_busy(const ordered_run *ordered, uint64_t *busy)
{
    for (uint32_t i = 0; i < ordered->share_count; ++i)
        if (ordered->shares[i].own * 2 <= ordered->phases)
            return false;
    for (uint32_t i = 0; i < ordered->share_count; ++i)
        busy[i] += ordered->shares[i].busy / ordered->shares[i].own * ordered->phases;
    return true;
}

bool lode__tasks_run_ordered(lode__tasks *tasks, uint32_t phases, uint32_t shares,
                             lode__phase_fn *run, void *context, uint64_t *busy)
{
    LODE__DEBUG_ASSERT(shares <= LODE__MOST_SHARES && phases < UINT32_MAX / (ONE * TURN));
    if (lode__tasks_workers(tasks) == 1 || shares == 1) {
        for (uint32_t phase = 0; phase < phases; ++phase)
            for (uint32_t share = 0; share < shares; ++share)
                for (int part = LODE__EDGE; part <= LODE__INSIDE; ++part)
                    run(context, phase, share, part);
        return false;
    }
    ordered_run ordered = {.phases = phases,
                           .share_count = shares,
                           .most_looks = lode__tasks_are_crowded(tasks) ? 1 : LOOKS,
                           .timed = busy,
                           .run = run,
                           .context = context};
    lode__tasks_run_each(tasks, take_part, &ordered);
    return busy && add_busy(&ordered, busy);
}

/* --- stretches */

typedef struct kept_run {
    uint32_t count, grain, shares;
    lode__task_fn *run;
    void *context;
} kept_run;

static uint32_t stretch_begin(const kept_run *kept, uint32_t share)
{
    uint64_t grains = ((uint64_t)kept->count + kept->grain - 1) / kept->grain;
    uint64_t begin = grains * share / kept->shares * kept->grain;
    return begin < kept->count ? (uint32_t)begin : kept->count;
}

static void run_stretch(void *context, uint32_t phase, uint32_t share, int part)
{
    const kept_run *kept = context;
    (void)phase;
    uint32_t begin = stretch_begin(kept, share), end = stretch_begin(kept, share + 1);
    if (part == LODE__INSIDE && begin < end)
        kept->run(kept->context, begin, end);
}

void lode__tasks_run_kept(lode__tasks *tasks, uint32_t count, uint32_t grain, lode__task_fn *run,
                          void *context)
{
    kept_run kept = {count, grain, lode__tasks_shares(tasks), run, context};
    if (kept.shares > 1 && count > grain)
        lode__tasks_run_ordered(tasks, 1, kept.shares, run_stretch, &kept, NULL);
    else if (count > 0)
        run(context, 0, count);
}
