/* Shared geometry lives as long as someone holds a reference, whichever thread lets go last. */
#include "core/memory.h"
#include "core/os.h"
#include "core/shape_data.h"
#include "lode/setup.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/test.h"

#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 20000 };

typedef struct object {
    lode__shape_data data;
    int content;
} object;

static atomic_int freed;

static void free_object(lode__shape_data *data)
{
    atomic_fetch_add(&freed, 1);
    lode__free(data, sizeof(object));
}

static object *make(uint64_t hash)
{
    object *made = lode__alloc(sizeof *made);
    assert_non_null(made);
    made->content = 42;
    lode__data_begin(&made->data, LODE_BOX, hash, free_object);
    return made;
}

static void the_last_reference_frees(void **state)
{
    (void)state;
    alloc_fail_install();
    atomic_store(&freed, 0);
    object *one = make(7);
    assert_true(one->data.hash == 7 && one->data.type == LODE_BOX);
    lode__data_retain(&one->data);
    lode__data_release(&one->data);
    assert_int_equal(atomic_load(&freed), 0);
    assert_int_equal(one->content, 42);
    lode__data_release(&one->data);
    assert_int_equal(atomic_load(&freed), 1);
    assert_int_equal(alloc_fail_live(), 0);
    lode__data_retain(NULL);
    lode__data_release(NULL);
    alloc_fail_remove();
}

static void no_hash_is_zero(void **state)
{
    (void)state;
    object *one = make(0);
    assert_true(one->data.hash != 0);
    lode__data_release(&one->data);
}

static void the_allocator_stays_while_one_lives(void **state)
{
    (void)state;
    object *one = make(7);
    assert_int_equal(lode_set_allocator(NULL), LODE_ERROR_STATE);
    lode__data_release(&one->data);
    assert_int_equal(lode_set_allocator(NULL), LODE_OK);
}

static void take_and_give_back(void *context)
{
    object *shared = context;
    for (int i = 0; i < ROUNDS; ++i) {
        lode__data_retain(&shared->data);
        if (shared->content != 42)
            abort();
        lode__data_release(&shared->data);
    }
    lode__data_release(&shared->data);
}

static void threads_may_share_one(void **state)
{
    (void)state;
    lode__thread *threads[THREADS];
    atomic_store(&freed, 0);
    object *shared = make(7);
    for (int i = 0; i < THREADS; ++i)
        lode__data_retain(&shared->data);
    for (int i = 0; i < THREADS; ++i) {
        threads[i] = lode__thread_start(take_and_give_back, shared);
        assert_non_null(threads[i]);
    }
    lode__data_release(&shared->data);
    for (int i = 0; i < THREADS; ++i)
        lode__thread_join(threads[i]);
    assert_int_equal(atomic_load(&freed), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_reference_frees),
        cmocka_unit_test(no_hash_is_zero),
        cmocka_unit_test(the_allocator_stays_while_one_lives),
        cmocka_unit_test(threads_may_share_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
