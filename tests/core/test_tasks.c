/* Task runs: every item once, the same blocks on any number of threads, on the pool and on a
 * host's job system, with Lode's floating-point control on every thread. Run under the thread
 * sanitizer too. */
#define _POSIX_C_SOURCE 200809L
#include "core/memory.h"
#include "core/os.h"
#include "core/tasks.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 3000 };

typedef struct marks {
    uint32_t count, grain;
    uint8_t runs[MOST];   /* how often each item was run */
    uint32_t begin[MOST]; /* of the block that ran it */
} marks;

static void mark_items(void *context, uint32_t begin, uint32_t end)
{
    marks *m = context;
    for (uint32_t i = begin; i < end && i < MOST; ++i) {
        m->runs[i]++;
        m->begin[i] = begin;
    }
    if (begin >= end || end > m->count || (end - begin < m->grain && end != m->count))
        abort();
}

static void check_run(lode__tasks *tasks, uint32_t count, uint32_t grain)
{
    static marks m;
    memset(&m, 0, sizeof m);
    m.count = count;
    m.grain = grain;
    lode__tasks_run(tasks, count, grain, mark_items, &m);
    for (uint32_t i = 0; i < MOST; ++i) {
        if (m.runs[i] != (i < count))
            fail_msg("count %u grain %u: item %u ran %d times", count, grain, i, m.runs[i]);
        if (i < count && m.begin[i] != i / grain * grain)
            fail_msg("count %u grain %u: item %u in block %u", count, grain, i, m.begin[i]);
    }
}

static void check_many_runs(lode__tasks *tasks)
{
    static const uint32_t counts[] = {0, 1, 7, 8, 9, 15, 16, 17, MOST};
    test_random random = {11};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
        for (uint32_t grain = 1; grain < 20; grain += 7)
            check_run(tasks, counts[c], grain);
    check_run(tasks, 5, UINT32_MAX);
    check_run(tasks, MOST, MOST - 1);
    for (int round = 0; round < 100; ++round)
        check_run(tasks, random_below(&random, MOST), 1 + random_below(&random, 200));
}

static void pool_runs_every_item_once(void **state)
{
    (void)state;
    alloc_fail_install();
    for (int threads = 1; threads <= 8; ++threads) {
        lode__tasks *tasks = lode__tasks_create(threads, NULL);
        assert_non_null(tasks);
        assert_int_equal(lode__tasks_workers(tasks), threads);
        alloc_fail_nth(-1);
        check_many_runs(tasks);
        assert_int_equal(alloc_fail_calls(), 0);
        lode__tasks_destroy(tasks);
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* Against the rules, but a proof: each block waits until there is one for each worker. */
static void meet_the_others(void *context, uint32_t begin, uint32_t end)
{
    (void)begin, (void)end;
    atomic_int *missing = context;
    uint64_t start = lode__os_ticks();
    atomic_fetch_sub(missing, 1);
    while (atomic_load(missing) > 0 && lode__os_seconds(lode__os_ticks() - start) < 20)
        sched_yield();
}

static void all_workers_take_part(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 4; ++threads) {
        lode__tasks *tasks = lode__tasks_create(threads, NULL);
        for (int round = 0; round < 20; ++round) {
            atomic_int missing = threads;
            lode__tasks_run(tasks, (uint32_t)threads, 1, meet_the_others, &missing);
            assert_int_equal(atomic_load(&missing), 0);
        }
        lode__tasks_destroy(tasks);
    }
}

typedef struct order {
    uint32_t next;
} order;

static void expect_order(void *context, uint32_t begin, uint32_t end)
{
    order *o = context;
    assert_int_equal(begin, o->next);
    o->next = end;
}

static void one_thread_runs_blocks_in_order(void **state)
{
    (void)state;
    lode__tasks *tasks = lode__tasks_create(1, NULL);
    order o = {0};
    lode__tasks_run(tasks, 1000, 7, expect_order, &o);
    assert_int_equal(o.next, 1000);
    /* near the end of the number range nothing wraps */
    o.next = 0;
    lode__tasks_run(tasks, UINT32_MAX, UINT32_MAX / 3 + 5, expect_order, &o);
    assert_int_equal(o.next, UINT32_MAX);
    lode__tasks_destroy(tasks);
}

static void double_items(void *context, uint32_t begin, uint32_t end)
{
    uint64_t *items = context;
    for (uint32_t i = begin; i < end; ++i)
        items[i] = items[i] * 3 + 1;
}

/* Results of one run are seen by the next, whoever ran what: tiny runs, back to back. */
static void many_tiny_runs_see_each_others_results(void **state)
{
    (void)state;
    static const int rounds = 3000;
    for (int threads = 1; threads <= 8; threads = threads * 2 + (threads == 2)) {
        lode__tasks *tasks = lode__tasks_create(threads, NULL);
        uint64_t items[64] = {0}, expected = 0;
        for (int i = 0; i < rounds; ++i) {
            lode__tasks_run(tasks, 64, 4, double_items, items);
            expected = expected * 3 + 1;
        }
        for (int i = 0; i < 64; ++i)
            assert_true(items[i] == expected);
        lode__tasks_destroy(tasks);
    }
}

static void sleeping_workers_wake_or_are_not_missed(void **state)
{
    (void)state;
    lode__tasks *tasks = lode__tasks_create(3, NULL);
    const struct timespec pause = {0, 500000};
    for (int i = 0; i < 40; ++i) {
        nanosleep(&pause, NULL);
        check_run(tasks, 500, 10);
    }
    lode__tasks_destroy(tasks);
    /* one that never ran anything, asleep or still starting */
    lode__tasks_destroy(lode__tasks_create(4, NULL));
    tasks = lode__tasks_create(4, NULL);
    nanosleep(&pause, NULL);
    lode__tasks_destroy(tasks);
    lode__tasks_destroy(NULL);
}

/* Two pools in two threads at once know nothing of each other. */
static void run_own_pool(void *context)
{
    uint64_t *items = context;
    lode__tasks *tasks = lode__tasks_create(2, NULL);
    for (int i = 0; i < 500; ++i)
        lode__tasks_run(tasks, 64, 4, double_items, items);
    lode__tasks_destroy(tasks);
}

static void two_pools_run_side_by_side(void **state)
{
    (void)state;
    uint64_t a[64] = {0}, b[64] = {0};
    lode__thread *thread = lode__thread_start(run_own_pool, a);
    run_own_pool(b);
    lode__thread_join(thread);
    assert_memory_equal(a, b, sizeof a);
}

static void creation_survives_failing_allocations(void **state)
{
    (void)state;
    alloc_fail_install();
    for (long n = 0;; ++n) {
        alloc_fail_nth(n);
        lode__tasks *tasks = lode__tasks_create(3, NULL);
        if (!alloc_fail_happened()) {
            assert_int_equal(n, 1 + 2 + 2); /* itself, two signals, two threads */
            lode__tasks_destroy(tasks);
            break;
        }
        assert_null(tasks);
        assert_int_equal(alloc_fail_live(), 0);
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* ---- a host's job system ---- */

typedef struct host {
    int runs, most_jobs;
} host;

static void run_backwards(void *user, int count, void (*task)(void *context, int index),
                          void *context)
{
    host *h = user;
    h->runs++;
    h->most_jobs = h->most_jobs < count ? count : h->most_jobs;
    while (count-- > 0)
        task(context, count);
}

static void host_system_replaces_the_pool(void **state)
{
    (void)state;
    host h = {0};
    lode_task_system system = {&h, 5, run_backwards};
    alloc_fail_install();
    lode__tasks *tasks = lode__tasks_create(64, &system);
    assert_int_equal(alloc_fail_calls(), 1);
    assert_int_equal(lode__tasks_workers(tasks), 5);
    check_many_runs(tasks);
    assert_true(h.runs > 50);
    assert_int_equal(h.most_jobs, 5);
    lode__tasks_destroy(tasks);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

typedef struct host_job {
    void (*task)(void *context, int index);
    void *context;
    int index;
    uint64_t fp_before, fp_after;
} host_job;

#if defined(__x86_64__)
static const uint64_t odd_control = 0x1f80 | 0x8000 | 0x0040 | 0x6000, default_control = 0x1f80;
static const uint64_t control_bits = 0xffc0;
#elif defined(__aarch64__)
static const uint64_t odd_control = 1u << 24 | 3u << 22, default_control = 0;
static const uint64_t control_bits = ~(uint64_t)0;
#else
static const uint64_t odd_control = 0, default_control = 0, control_bits = 0;
#endif

static uint64_t read_fp_control(void)
{
    uint64_t control = lode__fp_enter();
    lode__fp_leave(control);
    return control & control_bits;
}

/* A host thread with a floating-point control of its own. */
static void host_thread(void *context)
{
    host_job *job = context;
    lode__fp_leave(odd_control);
    job->fp_before = read_fp_control();
    job->task(job->context, job->index);
    job->fp_after = read_fp_control();
}

static void run_on_threads(void *user, int count, void (*task)(void *context, int index),
                           void *context)
{
    host_job jobs[8];
    lode__thread *threads[8];
    (void)user;
    assert_in_range(count, 1, 8);
    for (int i = 0; i < count; ++i) {
        jobs[i] = (host_job){task, context, i, 0, 0};
        assert_non_null(threads[i] = lode__thread_start(host_thread, &jobs[i]));
    }
    for (int i = 0; i < count; ++i) {
        lode__thread_join(threads[i]);
        assert_int_equal(jobs[i].fp_before, odd_control & control_bits);
        assert_int_equal(jobs[i].fp_after, jobs[i].fp_before);
    }
}

static void note_fp_control(void *context, uint32_t begin, uint32_t end)
{
    uint64_t *controls = context;
    for (uint32_t i = begin; i < end; ++i)
        controls[i] = read_fp_control();
}

static void check_fp_control(lode__tasks *tasks)
{
    static uint64_t controls[MOST];
    memset(controls, 0xff, sizeof controls);
    uint64_t before = lode__fp_enter();
    lode__tasks_run(tasks, MOST, 1, note_fp_control, controls);
    lode__fp_leave(before);
    for (int i = 0; i < MOST; ++i)
        assert_int_equal(controls[i], default_control & control_bits);
    lode__tasks_destroy(tasks);
}

static void every_thread_has_lodes_floating_point_control(void **state)
{
    (void)state;
    lode_task_system system = {NULL, 4, run_on_threads};
    check_fp_control(lode__tasks_create(1, &system));
    uint64_t before = lode__fp_enter();
    lode__fp_leave(odd_control); /* new threads inherit it on Linux */
    lode__tasks *pool = lode__tasks_create(4, NULL);
    lode__fp_leave(before);
    check_fp_control(pool);
}

typedef struct each_check {
    _Atomic uint32_t came[LODE__MOST_SHARES + 1];
} each_check;

static void come(void *context, uint32_t worker)
{
    each_check *check = context;
    atomic_fetch_add(&check->came[worker <= LODE__MOST_SHARES ? worker : LODE__MOST_SHARES], 1);
}

/* Leaves the run open for a while, so that who is done with it could come again. */
static void come_and_stay(void *context, uint32_t worker)
{
    come(context, worker);
    for (int i = 0; i < 200 && worker == 0; ++i)
        lode__os_relax();
}

static void each_worker_comes_at_most_once(void **state)
{
    (void)state;
    enum { RUNS = 20000 };
    for (int threads = 1; threads <= 5; ++threads) {
        lode__tasks *tasks = lode__tasks_create(threads, NULL);
        assert_int_equal(lode__tasks_shares(tasks), threads);
        for (int run = 0; run < RUNS; ++run) {
            each_check check = {0};
            lode__tasks_run_each(tasks, run % 2 ? come_and_stay : come, &check);
            assert_int_equal(atomic_load(&check.came[0]), 1);
            for (int worker = 1; worker <= LODE__MOST_SHARES; ++worker)
                assert_true(atomic_load(&check.came[worker]) <= (worker < threads ? 1u : 0u));
        }
        lode__tasks_destroy(tasks);
    }
}

/* ---- numbered workers ---- */

typedef struct number_check {
    uint32_t workers;
    atomic_bool at_work[16];
    _Atomic uint32_t items[MOST], wrong;
} number_check;

static void note_number(void *context, uint32_t worker, uint32_t begin, uint32_t end)
{
    number_check *check = context;
    if (worker >= check->workers || atomic_exchange(&check->at_work[worker], true))
        atomic_fetch_add(&check->wrong, 1);
    for (uint32_t i = begin; i < end; ++i)
        atomic_fetch_add(&check->items[i], 1);
    if (worker < check->workers)
        atomic_store(&check->at_work[worker], false);
}

static void check_numbers(lode__tasks *tasks, uint32_t count, uint32_t grain)
{
    static number_check check;
    memset(&check, 0, sizeof check);
    check.workers = (uint32_t)lode__tasks_workers(tasks);
    lode__tasks_run_numbered(tasks, count, grain, note_number, &check);
    assert_int_equal(atomic_load(&check.wrong), 0);
    for (uint32_t i = 0; i < MOST; ++i)
        assert_int_equal(atomic_load(&check.items[i]), i < count);
}

/* Runs of both kinds follow one another, on the pool and on a host's threads. */
static void no_two_at_work_have_one_number(void **state)
{
    (void)state;
    host h = {0};
    lode_task_system backwards = {&h, 5, run_backwards}, threads = {NULL, 4, run_on_threads};
    const lode_task_system *const systems[] = {&backwards, &threads, NULL, NULL, NULL};
    for (int i = 0; i < 5; ++i) {
        lode__tasks *tasks = lode__tasks_create(i, systems[i]);
        for (uint32_t run = 0; run < 40; ++run) {
            check_numbers(tasks, run * 70 % MOST, 1 + run % 3);
            check_run(tasks, run, 2);
        }
        check_numbers(tasks, 9, UINT32_MAX);
        lode__tasks_destroy(tasks);
    }
}

/* ---- followed blocks ---- */

typedef struct follow_check {
    uint32_t grain;
    _Atomic uint32_t ran[MOST], following, wrong;
    uint32_t followed; /* items */
} follow_check;

static void note_run(void *context, uint32_t begin, uint32_t end)
{
    follow_check *check = context;
    for (uint32_t i = begin; i < end; ++i)
        atomic_fetch_add_explicit(&check->ran[i], 1, memory_order_relaxed);
}

static void note_followed(void *context, uint32_t begin, uint32_t end)
{
    follow_check *check = context;
    bool wrong = atomic_fetch_add(&check->following, 1) != 0 || begin != check->followed ||
                 end - begin > check->grain;
    for (uint32_t i = begin; i < end; ++i)
        wrong = wrong || atomic_load_explicit(&check->ran[i], memory_order_relaxed) != 1;
    if (wrong)
        atomic_fetch_add(&check->wrong, 1);
    check->followed = end;
    atomic_fetch_sub(&check->following, 1);
}

/* Each block runs once, and is followed once, in order and one at a time, after it has run. */
static void blocks_are_followed_in_order(void **state)
{
    (void)state;
    static follow_check check;
    static uint8_t done[MOST];
    host h = {0};
    lode_task_system backwards = {&h, 5, run_backwards}, threads = {NULL, 4, run_on_threads};
    const lode_task_system *const systems[] = {&backwards, &threads, NULL, NULL, NULL};
    for (int i = 0; i < 5; ++i) {
        lode__tasks *tasks = lode__tasks_create(i, systems[i]);
        for (uint32_t run = 0; run < 100; ++run) {
            uint32_t count = run * 37 % MOST;
            memset(&check, 0, sizeof check);
            memset(done, 0, sizeof done);
            check.grain = 1 + run % 5;
            lode__tasks_run_followed(tasks, count, check.grain, note_run, note_followed, &check,
                                     done);
            assert_int_equal(atomic_load(&check.wrong), 0);
            assert_int_equal(check.followed, count);
            for (uint32_t k = 0; k < MOST; ++k)
                assert_int_equal(atomic_load(&check.ran[k]), k < count);
        }
        lode__tasks_destroy(tasks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_runs_every_item_once),
        cmocka_unit_test(all_workers_take_part),
        cmocka_unit_test(one_thread_runs_blocks_in_order),
        cmocka_unit_test(many_tiny_runs_see_each_others_results),
        cmocka_unit_test(sleeping_workers_wake_or_are_not_missed),
        cmocka_unit_test(two_pools_run_side_by_side),
        cmocka_unit_test(creation_survives_failing_allocations),
        cmocka_unit_test(host_system_replaces_the_pool),
        cmocka_unit_test(every_thread_has_lodes_floating_point_control),
        cmocka_unit_test(each_worker_comes_at_most_once),
        cmocka_unit_test(no_two_at_work_have_one_number),
        cmocka_unit_test(blocks_are_followed_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
