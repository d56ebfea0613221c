/* Sets of things that hang together, against labels that are painted over one by one: after each
 * pair that is told, the roots are the lowest members, and no parent is above its child. */
#include "core/union_find.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

enum { THINGS = 60 };

static void paint(uint32_t *label, uint32_t a, uint32_t b)
{
    uint32_t from = label[a] > label[b] ? label[a] : label[b];
    uint32_t to = label[a] > label[b] ? label[b] : label[a];
    for (uint32_t i = 0; i < THINGS; ++i)
        if (label[i] == from)
            label[i] = to;
}

static void roots_are_the_lowest_members_in_any_order(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 50; ++round) {
        uint32_t parent[THINGS], label[THINGS];
        for (uint32_t i = 0; i < THINGS; ++i)
            parent[i] = label[i] = i;
        for (int pairs = 0; pairs < THINGS; ++pairs) {
            uint32_t a = random_below(&random, THINGS), b = random_below(&random, THINGS);
            lode__union_join(parent, a, b);
            paint(label, a, b);
            for (uint32_t i = 0; i < THINGS; ++i)
                assert_true(parent[i] <= i);
            uint32_t looked_up = random_below(&random, THINGS); /* halves paths, moves no root */
            assert_int_equal(lode__union_root(parent, looked_up), label[looked_up]);
        }
        for (uint32_t i = 0; i < THINGS; ++i)
            assert_int_equal(lode__union_root(parent, i), label[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots_are_the_lowest_members_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
