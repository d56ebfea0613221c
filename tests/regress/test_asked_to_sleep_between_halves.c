/* A body is asked to sleep, or made static, between the halves of a step that found its contacts.
 * It kept the number of its line from the step before, and islands were joined by it: beyond the
 * end of their array, if there were fewer bodies now. */
#include "tests/world/support.h"

enum { BALLS = 40 };

static void leave_between_halves(bool asleep)
{
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body balls[BALLS];
    report_install();
    add_ground(world);
    for (int i = 0; i < BALLS; ++i)
        balls[i] = add_ball(world, (lode_real)(2 * i), 0, (lode_real)0.49, (lode_real)0.5);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    for (int i = 0; i + 1 < BALLS; ++i) { /* the last ball's line would be the first again */
        if (asleep)
            lode_body_sleep(balls[i]);
        else
            lode_body_set_type(balls[i], LODE_STATIC);
    }
    if (asleep) /* also what sleeps with it keeps no line */
        lode_body_sleep(balls[BALLS - 1]);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    for (int i = 0; i + 1 < BALLS; ++i)
        assert_false(lode_body_is_awake(balls[i]));
    lode_world_stats stats;
    lode_world_get_stats(world, &stats);
    assert_int_equal(stats.islands, asleep ? 0 : 1);
    for (int i = 0; i < 10; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_world_destroy(world);
    assert_int_equal(report.count, 0);
}

static void what_is_asked_to_sleep_between_the_halves_has_no_line(void **state)
{
    (void)state;
    leave_between_halves(true);
}

static void what_becomes_static_between_the_halves_has_no_line(void **state)
{
    (void)state;
    leave_between_halves(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_to_sleep_between_the_halves_has_no_line),
        cmocka_unit_test(what_becomes_static_between_the_halves_has_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
