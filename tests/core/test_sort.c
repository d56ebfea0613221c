/* The radix sort against a slow stable sort. */
#include "core/sort.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <stdlib.h>

enum { MOST = 3000 };

typedef struct pair {
    uint64_t key;
    uint32_t value;
} pair;

/* By key, then by value: the values below are numbered in order of arrival. */
static int compare(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->value < q->value ? -1 : p->value > q->value;
}

static void check_sort(test_random *random, uint32_t count, uint64_t mask)
{
    static uint64_t keys[MOST], alone[MOST], scratch_keys[MOST];
    static uint32_t values[MOST], scratch_values[MOST];
    static pair oracle[MOST];
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = alone[i] = random_bits(random) & mask;
        values[i] = i;
        oracle[i] = (pair){keys[i], i};
    }
    qsort(oracle, count, sizeof *oracle, compare);
    lode__sort(keys, values, scratch_keys, scratch_values, count);
    lode__sort(alone, NULL, scratch_keys, NULL, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(keys[i], oracle[i].key);
        assert_int_equal(values[i], oracle[i].value);
        assert_int_equal(alone[i], oracle[i].key);
    }
}

static void any_keys_come_out_sorted_and_stable(void **state)
{
    (void)state;
    static const uint64_t masks[] = {
        UINT64_MAX,         0, 1, 0xff, 0xff00, 0x00ffffff00ffffff, 0xff000000000000ff,
        0x000007ff000007ff, 0xfff8000000000001, 0x0303030303030303,
    };
    test_random random = {7};
    for (size_t m = 0; m < sizeof masks / sizeof *masks; ++m)
        for (uint32_t round = 0; round < 40; ++round)
            check_sort(&random, round < 5 ? round : random_below(&random, round < 20 ? 120 : MOST),
                       masks[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_keys_come_out_sorted_and_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
