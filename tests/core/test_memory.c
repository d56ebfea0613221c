/* The allocator hook and growing arrays. */
#include "core/memory.h"
#include "lode/setup.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

typedef struct last_error {
    int count;
    lode_status status;
    char argument[32];
} last_error;

static void remember_error(void *user, lode_status status, const char *function,
                           const char *argument, const char *message)
{
    last_error *last = user;
    assert_string_equal(function, "lode_set_allocator");
    assert_true(strlen(message) > 0);
    last->count++;
    last->status = status;
    strncpy(last->argument, argument, sizeof last->argument - 1);
}

static void *never_alloc(void *user, size_t size, size_t alignment)
{
    (void)user, (void)size, (void)alignment;
    return NULL;
}

static void never_free(void *user, void *memory, size_t size)
{
    (void)user, (void)memory, (void)size;
    fail();
}

static void default_memory_is_aligned(void **state)
{
    (void)state;
    for (size_t size = 1; size < 5000; size += 61) {
        char *memory = lode__alloc(size);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        memset(memory, 1, size);
        lode__free(memory, size);
    }
    assert_null(lode__alloc(0));
    lode__free(NULL, 10);
}

static void allocator_is_refused_while_a_world_lives_or_half_given(void **state)
{
    (void)state;
    last_error last = {0};
    lode_set_error_hook(remember_error, &last);
    lode_allocator half = {NULL, never_alloc, NULL};
    assert_int_equal(lode_set_allocator(&half), LODE_ERROR_ARGUMENT);
    assert_string_equal(last.argument, "allocator");
    half = (lode_allocator){NULL, NULL, never_free};
    assert_int_equal(lode_set_allocator(&half), LODE_ERROR_ARGUMENT);
    assert_int_equal(last.count, 2);

    const lode_allocator never = {NULL, never_alloc, never_free};
    lode__memory_users(1);
    assert_int_equal(lode_set_allocator(&never), LODE_ERROR_STATE);
    assert_int_equal(last.status, LODE_ERROR_STATE);
    assert_int_equal(lode_set_allocator(NULL), LODE_ERROR_STATE);
    lode__memory_users(-1);
    assert_int_equal(last.count, 4);

    assert_int_equal(lode_set_allocator(&never), LODE_OK);
    assert_null(lode__alloc(10));
    lode__free(NULL, 10);
    assert_int_equal(lode_set_allocator(NULL), LODE_OK);
    assert_int_equal(last.count, 4);
    lode_set_error_hook(NULL, NULL);
}

static void grown_array_keeps_its_content(void **state)
{
    (void)state;
    alloc_fail_install();
    uint32_t *array = NULL, capacity = 0;
    for (uint32_t count = 1; count < 5000; ++count) {
        uint32_t before = capacity;
        assert_true(lode__grow((void **)&array, &capacity, count, sizeof *array));
        assert_true(capacity >= count);
        assert_true(capacity == before || capacity >= 2 * before);
        array[count - 1] = count;
    }
    for (uint32_t i = 0; i < 4999; ++i)
        assert_int_equal(array[i], i + 1);
    lode__free(array, capacity * sizeof *array);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void failed_growth_changes_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    uint64_t *array = NULL;
    uint32_t capacity = 0;
    alloc_fail_nth(0);
    assert_false(lode__grow((void **)&array, &capacity, 1, sizeof *array));
    assert_null(array);
    assert_int_equal(capacity, 0);
    assert_true(lode__grow((void **)&array, &capacity, 1, sizeof *array));
    array[0] = 77;
    uint64_t *before = array;
    uint32_t capacity_before = capacity;
    alloc_fail_nth(0);
    assert_false(lode__grow((void **)&array, &capacity, capacity + 1, sizeof *array));
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(array[0], 77);
    /* UINT32_MAX elements of this size would wrap round to 64 bytes */
    size_t wrapping = (size_t)0 - 64 * (((size_t)1 << 32) + 1);
    assert_false(lode__grow((void **)&array, &capacity, UINT32_MAX, wrapping));
    assert_false(lode__grow((void **)&array, &capacity, UINT32_MAX, SIZE_MAX / 1000));
    assert_ptr_equal(array, before);
    lode__free(array, capacity * sizeof *array);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_memory_is_aligned),
        cmocka_unit_test(allocator_is_refused_while_a_world_lives_or_half_given),
        cmocka_unit_test(grown_array_keeps_its_content),
        cmocka_unit_test(failed_growth_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
