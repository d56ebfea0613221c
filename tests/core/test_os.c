/* What core/os.h promises: signals, threads, the lock, the clock, floating-point control. */
#define _POSIX_C_SOURCE 200809L
#include "core/os.h"
#include "lode/types.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/test.h"

#include <stdlib.h>

typedef struct counting {
    lode__signal *go, *done;
    long counter; /* guarded by the process lock */
} counting;

static void count_under_the_lock(void *context)
{
    counting *shared = context;
    lode__signal_wait(shared->go, 0);
    for (int i = 0; i < 2000; ++i) {
        lode__os_lock();
        shared->counter++;
        lode__os_unlock();
    }
    lode__signal_raise(shared->done);
}

static void threads_signals_and_lock_work_together(void **state)
{
    (void)state;
    alloc_fail_install();
    counting shared = {lode__signal_create(), lode__signal_create(), 0};
    lode__thread *threads[4];
    for (int i = 0; i < 4; ++i)
        assert_non_null(threads[i] = lode__thread_start(count_under_the_lock, &shared));
    assert_int_equal(lode__signal_value(shared.go), 0);
    lode__signal_raise(shared.go);
    for (uint32_t seen; (seen = lode__signal_value(shared.done)) < 4;)
        lode__signal_wait(shared.done, seen);
    assert_int_equal(shared.counter, 8000);
    for (int i = 0; i < 4; ++i)
        lode__thread_join(threads[i]);
    lode__signal_wait(shared.done, 3); /* a value that has passed: returns at once */
    lode__signal_destroy(shared.go);
    lode__signal_destroy(shared.done);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void never_run(void *context)
{
    (void)context;
    abort();
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    alloc_fail_install();
    alloc_fail_nth(0);
    assert_null(lode__thread_start(never_run, NULL));
    alloc_fail_nth(0);
    assert_null(lode__signal_create());
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void clock_runs_forward(void **state)
{
    (void)state;
    uint64_t start = lode__os_ticks();
    while (lode__os_seconds(lode__os_ticks() - start) < 0.002)
        lode__os_relax();
    assert_true(lode__os_ticks() > start);
    assert_true(lode__os_seconds(0) == 0);
    assert_true(lode__os_processor_count() >= 1);
}

static void environment_is_read(void **state)
{
    (void)state;
    assert_int_equal(setenv("LODE_TEST_VARIABLE", "hello", 1), 0);
    assert_string_equal(lode__os_environment("LODE_TEST_VARIABLE"), "hello");
    unsetenv("LODE_TEST_VARIABLE");
    assert_null(lode__os_environment("LODE_TEST_VARIABLE"));
}

#if defined(__x86_64__) || defined(__aarch64__)

/* Flush to zero (and denormals as zero where that is a mode of its own), round towards zero. */
#ifdef __x86_64__
static const uint64_t odd_control = 0x1f80 | 0x8000 | 0x0040 | 0x6000;
static const uint64_t control_bits = 0xffc0;
#else
static const uint64_t odd_control = 1u << 24 | 3u << 22;
static const uint64_t control_bits = ~(uint64_t)0;
#endif

/* Bit 0: the smallest normal number halved is zero. Bit 1: a third is rounded down. Stores through
 * volatile keep the arithmetic where it is written. */
static int observe_arithmetic(void)
{
    volatile float smallest = 0x1p-126f, half = 0.5f, one = 1, three = 3;
    volatile float halved = smallest * half;
    volatile float two_thirds = (one + one) / three;
    return (halved == 0) | (two_thirds < 0x1.555556p-1f) << 1;
}

static void floating_point_control_is_set_and_restored(void **state)
{
    (void)state;
    uint64_t before = lode__fp_enter();
    lode__fp_leave(odd_control);
    assert_int_equal(observe_arithmetic(), 3);
    uint64_t saved = lode__fp_enter();
    assert_int_equal(saved & control_bits, odd_control & control_bits);
    assert_int_equal(observe_arithmetic(), 0);
    lode__fp_leave(saved);
    assert_int_equal(observe_arithmetic(), 3);
    lode__fp_leave(before);
}

#else

static void floating_point_control_is_set_and_restored(void **state)
{
    (void)state;
    lode__fp_leave(lode__fp_enter());
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_signals_and_lock_work_together),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(clock_runs_forward),
        cmocka_unit_test(environment_is_read),
        cmocka_unit_test(floating_point_control_is_set_and_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
