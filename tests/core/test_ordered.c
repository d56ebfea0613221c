/* Ordered runs: every item once per round, none before the phases it follows, on any number of
 * threads, on the pool and on a host that runs its jobs in its own way. Run under the thread
 * sanitizer too. */
#include "core/tasks.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

typedef struct ordered_check {
    uint32_t count;
    uint32_t after[MOST];
    uint32_t rounds[MOST]; /* done of each item; read by those that come after it */
    atomic_uint broken;
} ordered_check;

/* Reads what others wrote without atomics: the thread sanitizer sees whether order is real. */
static void check_item(void *context, uint32_t begin, uint32_t end)
{
    ordered_check *check = context;
    uint32_t round = check->rounds[begin];
    bool wrong = end != begin + 1 || end > check->count;
    for (uint32_t i = 0; i < check->after[begin]; ++i)
        wrong = wrong || check->rounds[i] != round + 1;
    if (begin == 0) /* a round begins when the last has ended */
        for (uint32_t i = 0; i < check->count; ++i)
            wrong = wrong || check->rounds[i] != round;
    check->rounds[begin] = round + 1;
    if (wrong)
        atomic_fetch_add(&check->broken, 1);
}

/* Phases of random sizes; the first is one item, which looks at all others. */
static void choose_phases(ordered_check *check, test_random *random)
{
    uint32_t begin = 0, end = 1;
    for (uint32_t i = 0; i < check->count; ++i) {
        if (i == end) {
            begin = i;
            end = i + 1 + random_below(random, 6);
        }
        check->after[i] = begin;
    }
}

static void check_ordered(lode__tasks *tasks, uint32_t count, uint32_t rounds, test_random *random)
{
    static ordered_check check;
    memset(&check, 0, sizeof check);
    check.count = count;
    choose_phases(&check, random);
    lode__tasks_run_ordered(tasks, count, rounds, check.after, check_item, &check);
    assert_int_equal(atomic_load(&check.broken), 0);
    for (uint32_t i = 0; i < MOST; ++i)
        assert_int_equal(check.rounds[i], i < count ? rounds : 0);
}

static void check_orders(lode__tasks *tasks)
{
    test_random random = {7};
    for (uint32_t count = 0; count < 5; ++count)
        for (uint32_t rounds = 0; rounds < 4; ++rounds)
            check_ordered(tasks, count, rounds, &random);
    for (int i = 0; i < 60; ++i)
        check_ordered(tasks, 1 + random_below(&random, MOST), 1 + random_below(&random, 20),
                      &random);
    lode__tasks_destroy(tasks);
}

static void every_item_comes_after_the_phases_before(void **state)
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

static void one_item(void *context, uint32_t begin, uint32_t end)
{
    uint32_t *next = context;
    assert_int_equal(begin, *next % 3);
    assert_int_equal(end, begin + 1);
    ++*next;
}

static void one_thread_goes_round_in_order(void **state)
{
    (void)state;
    static const uint32_t after[3] = {0};
    uint32_t next = 0;
    lode__tasks *tasks = lode__tasks_create(1, NULL);
    lode__tasks_run_ordered(tasks, 3, 50, after, one_item, &next);
    assert_int_equal(next, 150);
    lode__tasks_destroy(tasks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_comes_after_the_phases_before),
        cmocka_unit_test(a_host_with_one_thread_gets_through),
        cmocka_unit_test(one_thread_goes_round_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
