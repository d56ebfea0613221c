/* The table of joined bodies, against counts kept in a plain matrix. */
#include "core/pool.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/support/test.h"
#include "world/joined.h"

#include <string.h>

enum { BODIES = 12, TYPES = 5, JOINTS = 400 };

/* Slots that are neighbours, far apart, and the world. */
static uint32_t slot_of(uint32_t body)
{
    static const uint32_t slots[BODIES] = {0,     1,     2,       3,        255,      256,
                                           65536, 65537, 8388608, 16777000, 16777213, LODE__NONE};
    return slots[body];
}

typedef struct matrix {
    uint32_t all[BODIES][BODIES], forbid[BODIES][BODIES], of[TYPES][BODIES][BODIES];
} matrix;

static void count(matrix *m, lode__joined_by j, uint32_t by)
{
    for (int turn = 0; turn < 2; ++turn) {
        uint32_t a = turn ? j.body_b : j.body_a, b = turn ? j.body_a : j.body_b;
        m->all[a][b] += by;
        m->forbid[a][b] += j.forbids ? by : 0;
        m->of[j.type][a][b] += by;
    }
}

static void expect_same(const lode__joined *joined, const matrix *m)
{
    for (uint32_t a = 0; a < BODIES; ++a)
        for (uint32_t b = 0; b < BODIES; ++b) {
            if (a == b)
                continue;
            assert_int_equal(lode__joined_count(joined, slot_of(a), slot_of(b)), m->all[a][b]);
            assert_true(lode__joined_forbid(joined, slot_of(a), slot_of(b)) ==
                        (m->forbid[a][b] > 0));
            for (uint32_t t = 0; t < TYPES; ++t)
                assert_int_equal(lode__joined_count_of(joined, slot_of(a), slot_of(b), t),
                                 m->of[t][a][b]);
        }
}

static lode__joined_by with_slots(lode__joined_by j)
{
    return (lode__joined_by){slot_of(j.body_a), slot_of(j.body_b), j.type, j.forbids};
}

static void it_counts_as_a_matrix_does(void **state)
{
    (void)state;
    static lode__joined_by in[JOINTS];
    static matrix m;
    lode__joined joined = {0};
    test_random random = {7};
    int living = 0;
    alloc_fail_install();
    expect_same(&joined, &m);
    for (int i = 0; i < 4000; ++i) {
        bool grows = (i / 500) % 2 == 0;
        uint32_t dice = random_below(&random, 4);
        if (living < JOINTS && (dice == 0 || grows)) {
            lode__joined_by j = {.body_a = random_below(&random, BODIES)};
            j.body_b = (j.body_a + 1 + random_below(&random, BODIES - 1)) % BODIES;
            j.type = random_below(&random, TYPES);
            j.forbids = random_below(&random, 2);
            assert_true(lode__joined_reserve(&joined, 1));
            long calls = alloc_fail_calls();
            lode__joined_add(&joined, with_slots(j));
            assert_int_equal(alloc_fail_calls(), calls);
            count(&m, j, 1);
            in[living++] = j;
        } else if (living > 0) {
            uint32_t which = random_below(&random, (uint32_t)living);
            lode__joined_remove(&joined, with_slots(in[which]));
            count(&m, in[which], (uint32_t)-1);
            in[which] = in[--living];
        }
        if (i % 16 == 0)
            expect_same(&joined, &m);
    }
    while (living > 0) {
        lode__joined_remove(&joined, with_slots(in[--living]));
        count(&m, in[living], (uint32_t)-1);
    }
    expect_same(&joined, &m);
    assert_int_equal(joined.count, 0);
    for (uint32_t i = 0; i < joined.capacity; ++i)
        assert_true(joined.entries[i].key == 0 && joined.entries[i].count == 0);
    lode__joined_free(&joined);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* Room that was asked for is there whatever joints come; a failed request changes nothing. */
static void room_is_room(void **state)
{
    (void)state;
    lode__joined joined = {0};
    alloc_fail_install();
    for (uint32_t round = 0; round < 6; ++round) {
        uint32_t more = 1u << (2 * round);
        lode__joined before = joined;
        alloc_fail_nth(0);
        bool kept = lode__joined_reserve(&joined, more);
        assert_true(kept == !alloc_fail_happened());
        assert_true(kept || memcmp(&before, &joined, sizeof joined) == 0);
        alloc_fail_nth(-1);
        assert_true(lode__joined_reserve(&joined, more));
        long calls = alloc_fail_calls();
        for (uint32_t i = 0; i < more; ++i) /* each a pair of its own */
            lode__joined_add(&joined, (lode__joined_by){more + i, LODE__NONE, i % 3, true});
        assert_int_equal(alloc_fail_calls(), calls);
        assert_true(2 * joined.count <= joined.capacity);
        for (uint32_t i = 0; i < more; ++i)
            assert_int_equal(lode__joined_count(&joined, LODE__NONE, more + i), 1);
    }
    lode__joined_clear(&joined);
    assert_int_equal(lode__joined_count(&joined, LODE__NONE, 1), 0);
    assert_false(lode__joined_forbid(&joined, LODE__NONE, 1));
    lode__joined_free(&joined);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_counts_as_a_matrix_does),
        cmocka_unit_test(room_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
