/* Bit sets against an array of bools. */
#include "core/bits.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <string.h>

enum { SIZE = 1500 };

static uint32_t slow_next(const bool *oracle, uint32_t from, bool value)
{
    while (from < SIZE && oracle[from] != value)
        ++from;
    return from;
}

static void check_equal(const lode__bits *bits, const bool *oracle)
{
    uint32_t count = 0, end = 0;
    for (uint32_t i = 0; i < SIZE; ++i) {
        assert_int_equal(lode__bits_get(bits, i), oracle[i]);
        uint32_t set = slow_next(oracle, i, true);
        assert_int_equal(lode__bits_next(bits, i), set < SIZE ? set : UINT32_MAX);
        assert_int_equal(lode__bits_next_clear(bits, i), slow_next(oracle, i, false));
        count += oracle[i];
        end = oracle[i] ? i + 1 : end;
    }
    assert_int_equal(lode__bits_count(bits), count);
    assert_int_equal(lode__bits_end(bits), end);
}

static void random_operations_agree_with_an_array(void **state)
{
    (void)state;
    test_random random = {1};
    lode__bits bits = {0};
    static bool oracle[SIZE];
    memset(oracle, 0, sizeof oracle);
    uint32_t size = 0;
    for (int round = 0; round < 60; ++round) {
        uint32_t more = size + random_below(&random, SIZE / 20);
        size = more < SIZE ? more : SIZE;
        assert_true(lode__bits_reserve(&bits, size));
        /* rounds with few, many and nearly all bits set */
        uint32_t density = 1 + random_below(&random, 16);
        for (int i = 0; i < 400 && size > 0; ++i) {
            uint32_t at = random_below(&random, size);
            oracle[at] = random_below(&random, 16) < density;
            (oracle[at] ? lode__bits_set : lode__bits_clear)(&bits, at);
        }
        check_equal(&bits, oracle);
    }
    lode__bits_free(&bits);
}

static void empty_set_answers_without_memory(void **state)
{
    (void)state;
    lode__bits bits = {0};
    assert_false(lode__bits_get(&bits, 0));
    assert_false(lode__bits_get(&bits, UINT32_MAX));
    assert_int_equal(lode__bits_next(&bits, 0), UINT32_MAX);
    assert_int_equal(lode__bits_next_clear(&bits, 7), 7);
    assert_int_equal(lode__bits_count(&bits), 0);
    assert_int_equal(lode__bits_end(&bits), 0);
    assert_true(lode__bits_reserve(&bits, 0));
    lode__bits_free(&bits);
}

static void search_beyond_the_size_is_safe(void **state)
{
    (void)state;
    lode__bits bits = {0};
    assert_true(lode__bits_reserve(&bits, 1));
    uint32_t size = bits.word_count * 64;
    for (uint32_t i = 0; i < size; ++i)
        lode__bits_set(&bits, i);
    assert_int_equal(lode__bits_next_clear(&bits, 0), size);
    assert_int_equal(lode__bits_next_clear(&bits, size + 5), size + 5);
    assert_int_equal(lode__bits_next(&bits, size), UINT32_MAX);
    assert_int_equal(lode__bits_next(&bits, UINT32_MAX), UINT32_MAX);
    lode__bits_free(&bits);
}

static void an_assigned_set_is_what_the_words_say(void **state)
{
    (void)state;
    test_random random = {2};
    lode__bits bits = {0};
    char image[SIZE / 8 + 16];
    lode__bits_assign(&bits, NULL, 0); /* a set without memory is empty already */
    assert_true(lode__bits_reserve(&bits, SIZE));
    for (int round = 0; round < 200; ++round) {
        static bool oracle[SIZE];
        uint32_t count = random_below(&random, 5) ? random_below(&random, SIZE) : 0;
        uint32_t taken = lode__words_of(count) * 64;
        char *words = image + 1; /* unaligned */
        assert_true(taken >= count && taken - count < 64);
        for (uint32_t i = 0; i < taken / 8; ++i)
            words[i] = (char)random_below(&random, 256);
        memset(oracle, 0, sizeof oracle);
        for (uint32_t i = 0; i < taken && i < SIZE; ++i)
            oracle[i] = words[i / 8] >> (i % 8) & 1;
        for (uint32_t i = SIZE; i < taken; ++i)
            words[i / 8] = (char)(words[i / 8] & ~(1 << (i % 8)));
        for (uint32_t i = 0; i < 100; ++i)
            lode__bits_set(&bits, random_below(&random, SIZE)); /* of before */
        lode__bits_assign(&bits, count ? words : NULL, count);
        check_equal(&bits, oracle);
    }
    lode__bits_free(&bits);
}

static void failed_growth_changes_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    lode__bits bits = {0};
    assert_true(lode__bits_reserve(&bits, 100));
    lode__bits_set(&bits, 99);
    lode__bits before = bits;
    alloc_fail_nth(0);
    assert_false(lode__bits_reserve(&bits, 100000));
    assert_memory_equal(&bits, &before, sizeof bits);
    assert_int_equal(lode__bits_end(&bits), 100);
    lode__bits_free(&bits);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_agree_with_an_array),
        cmocka_unit_test(empty_set_answers_without_memory),
        cmocka_unit_test(search_beyond_the_size_is_safe),
        cmocka_unit_test(an_assigned_set_is_what_the_words_say),
        cmocka_unit_test(failed_growth_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
