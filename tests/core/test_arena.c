/* Arenas: what is taken never overlaps, is aligned, and costs no heap after warm-up. */
#include "core/arena.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

enum { TAKES = 300 };

typedef struct taken {
    unsigned char *memory;
    size_t size;
} taken;

/* One step's worth of takes, each filled with its number; then all are found as they were. */
static void use_arena(lode__arena *arena, uint64_t seed, uint32_t largest)
{
    test_random random = {seed};
    static taken takes[TAKES];
    for (int i = 0; i < TAKES; ++i) {
        size_t size = random_below(&random, largest);
        bool zeroed = random_below(&random, 2);
        unsigned char *memory = (zeroed ? lode__arena_take_zeroed : lode__arena_take)(arena, size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        for (size_t k = 0; zeroed && k < size; ++k)
            assert_int_equal(memory[k], 0);
        memset(memory, i & 0xff, size);
        takes[i] = (taken){memory, size};
    }
    for (int i = 0; i < TAKES; ++i)
        for (size_t k = 0; k < takes[i].size; ++k)
            if (takes[i].memory[k] != (i & 0xff))
                fail_msg("take %d was overwritten at %zu", i, k);
}

static void takes_never_overlap(void **state)
{
    (void)state;
    lode__arena arena = {0};
    for (uint64_t step = 0; step < 20; ++step) {
        use_arena(&arena, step, step < 10 ? 700 : 9000);
        lode__arena_reset(&arena);
        assert_int_equal(lode__arena_taken(&arena), 0);
    }
    lode__arena_free(&arena);
}

static void second_equal_step_leaves_the_heap_alone(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__arena arena = {0};
    use_arena(&arena, 5, 4000);
    assert_true(alloc_fail_live() > 1);
    lode__arena_reset(&arena);
    assert_int_equal(alloc_fail_live(), 1);
    assert_int_equal(alloc_fail_live_bytes(), lode__arena_bytes(&arena));
    size_t peak = arena.peak;
    alloc_fail_nth(-1);
    for (int step = 0; step < 3; ++step) {
        use_arena(&arena, 5, 4000);
        lode__arena_reset(&arena);
    }
    assert_int_equal(alloc_fail_calls(), 0);
    assert_int_equal(arena.peak, peak);
    lode__arena_free(&arena);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* What a rollback frees is needed again by the next step. */
static void a_step_that_rolls_back_is_warm_too(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__arena arena = {0};
    for (int step = 0; step < 4; ++step) {
        assert_non_null(lode__arena_take(&arena, 60000));
        lode__arena_mark mark = lode__arena_mark_now(&arena);
        assert_non_null(lode__arena_take(&arena, 60000));
        lode__arena_rollback(&arena, mark);
        lode__arena_reset(&arena);
        if (step == 0)
            alloc_fail_nth(-1);
    }
    assert_int_equal(alloc_fail_calls(), 0);
    lode__arena_free(&arena);
    alloc_fail_remove();
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    lode__arena arena = {0};
    assert_null(lode__arena_take(&arena, SIZE_MAX));
    assert_null(lode__arena_take(&arena, SIZE_MAX - 64));
    assert_null(lode__arena_take(&arena, SIZE_MAX - 128));
    assert_non_null(lode__arena_take(&arena, 0));
    lode__arena_free(&arena);
}

static void arena_survives_failing_allocations(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__arena arena = {0};
    alloc_fail_nth(0);
    assert_null(lode__arena_take(&arena, 10));
    assert_int_equal(lode__arena_taken(&arena), 0);
    unsigned char *first = lode__arena_take(&arena, 1000);
    memset(first, 1, 1000);
    alloc_fail_nth(0);
    assert_null(lode__arena_take_zeroed(&arena, 1 << 20));
    assert_int_equal(first[999], 1);
    assert_non_null(lode__arena_take(&arena, 1 << 20));
    alloc_fail_nth(0); /* the merge fails: the newest block serves on */
    lode__arena_reset(&arena);
    assert_true(alloc_fail_happened());
    assert_int_equal(alloc_fail_live(), 1);
    assert_non_null(lode__arena_take(&arena, 1 << 20));
    assert_int_equal(alloc_fail_calls(), 1);
    lode__arena_free(&arena);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* What was taken before the mark stays as it was; what was taken after it is given back, and
 * going back again and again takes no more memory. */
static void rolling_back_keeps_what_came_before(void **state)
{
    (void)state;
    lode__arena arena = {0};
    unsigned char *kept = lode__arena_take(&arena, 1000);
    memset(kept, 7, 1000);
    lode__arena_mark mark = lode__arena_mark_now(&arena);
    size_t bytes = lode__arena_bytes(&arena), taken = lode__arena_taken(&arena);
    void *first = lode__arena_take(&arena, 100);
    lode__arena_rollback(&arena, mark);
    assert_ptr_equal(lode__arena_take(&arena, 100), first);
    for (int i = 0; i < 5; ++i) {
        use_arena(&arena, 3, 90000); /* several blocks */
        lode__arena_rollback(&arena, mark);
        assert_int_equal(lode__arena_bytes(&arena), bytes);
        assert_int_equal(lode__arena_taken(&arena), taken);
    }
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(kept[i], 7);
    lode__arena_rollback(&arena, (lode__arena_mark){0}); /* a mark from before the first block */
    assert_int_equal(lode__arena_bytes(&arena), 0);
    lode__arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_back_keeps_what_came_before),
        cmocka_unit_test(takes_never_overlap),
        cmocka_unit_test(second_equal_step_leaves_the_heap_alone),
        cmocka_unit_test(a_step_that_rolls_back_is_warm_too),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(arena_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
