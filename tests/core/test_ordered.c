/* Ordered runs: the turn of every share once in each phase, no edge before those of the phase
 * before are done, no part of a turn beside one of the same share's other turns, on any number of
 * threads, on the pool and on a host that runs its jobs in its own way. Run under the thread
 * sanitizer too. */
#include "core/os.h"
#include "core/tasks.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct ordered_check {
    uint32_t phases, shares;
    uint32_t done[LODE__MOST_SHARES];  /* edges of each share; read by the others' next edges */
    uint32_t edges[LODE__MOST_SHARES]; /* parts of each share that are done; its own affair */
    uint32_t insides[LODE__MOST_SHARES];
    test_random delay[LODE__MOST_SHARES];
    atomic_uint broken;
} ordered_check;

/* Work of random length, so that threads come late and take what is not theirs. */
static void idle_about(test_random *random)
{
    for (uint32_t i = random_below(random, 4) ? 0 : random_below(random, 300); i > 0; --i)
        lode__os_relax();
}

/* Counts a part of a turn, of which the other may be done or not; false when it is not its turn. */
static bool count_part(ordered_check *check, uint32_t phase, uint32_t share, int part)
{
    uint32_t *own = part == LODE__INSIDE ? &check->insides[share] : &check->edges[share];
    uint32_t other = part == LODE__INSIDE ? check->edges[share] : check->insides[share];
    return (*own)++ == phase && (other == phase || other == phase + 1);
}

/* Odd phases write their share's count, even ones compare all of them: without atomics, so that the
 * thread sanitizer sees whether the order is real. */
static void check_turn(void *context, uint32_t phase, uint32_t share, int part)
{
    ordered_check *check = context;
    bool wrong = phase >= check->phases || share >= check->shares;
    wrong = wrong || !count_part(check, phase, share, part);
    idle_about(&check->delay[share]);
    if (part == LODE__EDGE && phase % 2)
        for (uint32_t i = 0; i < check->shares; ++i)
            wrong = wrong || check->done[i] != phase / 2 + 1;
    else if (part == LODE__EDGE)
        wrong = wrong || check->done[share]++ != phase / 2;
    if (wrong)
        atomic_fetch_add(&check->broken, 1);
}

static void check_ordered(lode__tasks *tasks, uint32_t phases, uint32_t shares)
{
    static ordered_check check;
    memset(&check, 0, sizeof check);
    check.phases = phases;
    check.shares = shares;
    for (uint32_t i = 0; i < shares; ++i)
        check.delay[i] = (test_random){i + 1};
    uint64_t busy[LODE__MOST_SHARES] = {0}, begin = lode__os_ticks();
    bool known = lode__tasks_run_ordered(tasks, phases, shares, check_turn, &check, busy);
    uint64_t passed = lode__os_ticks() - begin;
    assert_true(!known || (shares > 1 && lode__tasks_workers(tasks) > 1));
    for (uint32_t i = 0; i < LODE__MOST_SHARES; ++i) /* one worker may have taken half of it */
        assert_true(known && i < shares ? busy[i] <= 2 * passed + 1 : busy[i] == 0);
    assert_int_equal(atomic_load(&check.broken), 0);
    for (uint32_t i = 0; i < LODE__MOST_SHARES; ++i)
        assert_int_equal(check.done[i], i < shares ? (phases + 1) / 2 : 0);
    for (uint32_t i = 0; i < LODE__MOST_SHARES; ++i)
        assert_int_equal(check.edges[i], i < shares ? phases : 0);
    for (uint32_t i = 0; i < LODE__MOST_SHARES; ++i)
        assert_int_equal(check.insides[i], i < shares ? phases : 0);
}

static void check_orders(lode__tasks *tasks)
{
    test_random random = {7};
    for (uint32_t phases = 0; phases < 5; ++phases)
        for (uint32_t shares = 1; shares < 4; ++shares)
            check_ordered(tasks, phases, shares);
    for (int i = 0; i < 40; ++i)
        check_ordered(tasks, 1 + random_below(&random, 150),
                      1 + random_below(&random, LODE__MOST_SHARES));
    lode__tasks_destroy(tasks);
}

static void every_turn_comes_after_the_phase_before(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; ++threads)
        check_orders(lode__tasks_create(threads, NULL));
}

/* The last job first, each to its end: nobody comes to help. */
static void run_backwards(void *user, int count, void (*job)(void *context, int index),
                          void *context)
{
    (void)user;
    for (int i = count - 1; i >= 0; --i)
        job(context, i);
}

static void a_host_with_one_thread_gets_through(void **state)
{
    (void)state;
    lode_task_system system = {NULL, 4, run_backwards};
    check_orders(lode__tasks_create(1, &system));
}

typedef struct in_order {
    uint32_t next;
} in_order;

static void next_turn(void *context, uint32_t phase, uint32_t share, int part)
{
    in_order *order = context;
    assert_int_equal(order->next++, 2 * (phase * 3 + share) + (uint32_t)part);
}

static void one_thread_goes_in_order(void **state)
{
    (void)state;
    in_order order = {0};
    lode__tasks *tasks = lode__tasks_create(1, NULL);
    lode__tasks_run_ordered(tasks, 50, 3, next_turn, &order, NULL);
    assert_int_equal(order.next, 300);
    lode__tasks_destroy(tasks);
}

/* --- stretches */

enum { MOST_ITEMS = 5000 };

typedef struct kept_check {
    uint32_t count, grain;
    uint8_t done[MOST_ITEMS]; /* how often each item was */
    atomic_uint stretches, broken;
} kept_check;

static void check_stretch(void *context, uint32_t begin, uint32_t end)
{
    kept_check *check = context;
    if (begin >= end || end > check->count || begin % check->grain ||
        (end % check->grain && end != check->count))
        atomic_fetch_add(&check->broken, 1);
    for (uint32_t i = begin; i < end && i < MOST_ITEMS; ++i)
        ++check->done[i];
    atomic_fetch_add(&check->stretches, 1);
}

static void check_kept(lode__tasks *tasks, uint32_t count, uint32_t grain)
{
    static kept_check check;
    memset(&check, 0, sizeof check);
    check.count = count;
    check.grain = grain;
    lode__tasks_run_kept(tasks, count, grain, check_stretch, &check);
    assert_int_equal(atomic_load(&check.broken), 0);
    assert_true(atomic_load(&check.stretches) <= lode__tasks_shares(tasks));
    for (uint32_t i = 0; i < MOST_ITEMS; ++i)
        assert_int_equal(check.done[i], i < count);
}

static void stretches_hold_every_item_once(void **state)
{
    (void)state;
    test_random random = {5};
    lode_task_system system = {NULL, 4, run_backwards};
    for (int threads = 0; threads <= 5; ++threads) {
        lode__tasks *tasks = lode__tasks_create(threads, threads ? NULL : &system);
        for (uint32_t count = 0; count < 20; ++count)
            check_kept(tasks, count, 1 + count % 5);
        for (int i = 0; i < 200; ++i)
            check_kept(tasks, random_below(&random, MOST_ITEMS), 1 + random_below(&random, 300));
        lode__tasks_destroy(tasks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_comes_after_the_phase_before),
        cmocka_unit_test(a_host_with_one_thread_gets_through),
        cmocka_unit_test(one_thread_goes_in_order),
        cmocka_unit_test(stretches_hold_every_item_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
