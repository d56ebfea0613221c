/* A static body is put onto a sleeper between the halves of a step. That it had been placed was
 * forgotten at the end of the step, before the broad phase of the next one could ask. */
#include "tests/world/support.h"

static void what_is_placed_onto_a_sleeper_between_the_halves_wakes_it(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.sleep.enabled = true;
    lode_world world = lode_world_create(&def);
    add_ground(world);
    lode_body ball = add_ball(world, 0, 0, 1, 1);
    lode_body wall = add_body(world, LODE_STATIC, 9, 0, 1);
    lode_shape_create_box(wall, &shape, vec(1, 1, 1));
    for (int i = 0; i < 100; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_false(lode_body_is_awake(ball));
    assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
    lode_body_set_pose(wall, (lode_pose){vec((lode_real)1.9, 0, 1), {1, 0, 0, 0}});
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    assert_false(lode_body_is_awake(ball));
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_true(lode_body_is_awake(ball));
    assert_int_equal(lode_world_get_contacts(world, NULL, 0), 2);
    lode_world_destroy(world);
    assert_int_equal(report.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_placed_onto_a_sleeper_between_the_halves_wakes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
