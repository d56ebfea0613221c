/* Whom the functions of aggregates wake: members, where it is another who touches them. */
#include "tests/world/wake_row.h"

#include "world/validate.h"

static lode_aggregate make(asleep *a, bool self_collision)
{
    lode_aggregate aggregate = lode_aggregate_create(a->world, self_collision);
    assert_true(aggregate.id);
    return aggregate;
}

/* With the lower body of the tower in it. */
static lode_aggregate make_around_box(asleep *a, bool self_collision)
{
    lode_aggregate aggregate = make(a, self_collision);
    assert_int_equal(lode_body_set_aggregate(asleep_own(a, LODE_BOX), aggregate), LODE_OK);
    return aggregate;
}

static void create(asleep *a)
{
    make(a, false);
}

static void destroy(asleep *a)
{
    lode_aggregate_destroy(make_around_box(a, true));
}

static void destroy_apart(asleep *a)
{
    lode_aggregate_destroy(make_around_box(a, false));
}

static void put_in(asleep *a)
{
    make_around_box(a, true);
}

static void put_apart(asleep *a)
{
    make_around_box(a, false);
}

static void put_support_apart(asleep *a)
{
    lode_body_set_aggregate(a->support[LODE_BOX], make(a, false));
}

static void take_out(asleep *a)
{
    make_around_box(a, true);
    lode_body_set_aggregate(asleep_own(a, LODE_BOX), (lode_aggregate){0});
}

static void put_again(asleep *a)
{
    lode_aggregate empty = make(a, false);
    lode_body_set_aggregate(a->cart, empty);
    lode_body_set_aggregate(a->cart, empty);
}

static void self_collision(asleep *a)
{
    lode_aggregate_set_self_collision(make_around_box(a, true), false);
}

static void same_self_collision(asleep *a)
{
    lode_aggregate_set_self_collision(make_around_box(a, true), true);
}

static void self_collision_of_none(asleep *a)
{
    lode_aggregate_set_self_collision(make(a, true), false);
}

static void user_data(asleep *a)
{
    lode_aggregate_set_user_data(make_around_box(a, true), a);
}

static void each_call_wakes_whom_it_should(void **state)
{
    (void)state;
    /* clang-format off */
    const wake_row rows[] = {
        ROW(lode_aggregate_create, "", create, NOBODY, 0),
        ROW(lode_aggregate_destroy, "all may touch", destroy, NOBODY, 0),
        ROW(lode_aggregate_destroy, "none may", destroy_apart, OWN(LODE_BOX), 0),
        ROW(lode_body_set_aggregate, "all may touch", put_in, NOBODY, 0),
        ROW(lode_body_set_aggregate, "none may", put_apart, OWN(LODE_BOX), 0),
        ROW(lode_body_set_aggregate, "what another stands on", put_support_apart, ON(LODE_BOX), 0),
        ROW(lode_body_set_aggregate, "none", take_out, NOBODY, 0),
        ROW(lode_body_set_aggregate, "the same", put_again, NOBODY, 0),
        ROW(lode_aggregate_set_self_collision, "another", self_collision, OWN(LODE_BOX), 0),
        ROW(lode_aggregate_set_self_collision, "the same", same_self_collision, NOBODY, 0),
        ROW(lode_aggregate_set_self_collision, "empty", self_collision_of_none, NOBODY, 0),
        ROW(lode_aggregate_set_user_data, "", user_data, NOBODY, 0),
    };
    /* clang-format on */
    wake_rows_run(rows, sizeof rows / sizeof rows[0]);
}

#define ASK(function, ...) \
    do { \
        (void)function(__VA_ARGS__); \
        assert_int_equal(asleep_awake(&a), 0); \
    } while (0)

static void who_only_asks_wakes_nobody(void **state)
{
    (void)state;
    asleep a = asleep_create();
    lode_body bodies[2];
    lode_articulation articulations[1];
    lode_aggregate aggregate = make_around_box(&a, true);
    ASK(lode_body_get_aggregate, asleep_own(&a, LODE_BOX));
    ASK(lode_aggregate_is_valid, aggregate);
    ASK(lode_aggregate_get_world, aggregate);
    ASK(lode_aggregate_get_self_collision, aggregate);
    ASK(lode_aggregate_get_user_data, aggregate);
    ASK(lode_aggregate_get_bodies, aggregate, bodies, 2);
    ASK(lode_aggregate_get_articulations, aggregate, articulations, 1);
    ASK(lode_aggregate_get_bounds, aggregate);
    lode__world_validate(lode__registry_world(a.world.id));
    asleep_destroy(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_wakes_whom_it_should),
        cmocka_unit_test(who_only_asks_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
