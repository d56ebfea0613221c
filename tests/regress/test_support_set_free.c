/* A body that others sleep on begins to move: static until now, or frozen. They kept the contact
 * while the broad phase found it once more, so it was solved twice and the pairs were out of
 * order. */
#include "tests/world/support.h"

#include "world/validate.h"
#include "world/world.h"

typedef struct pile {
    lode_world world;
    lode_body support, sleeper; /* which lies on it */
} pile;

static lode_body add_cube(lode_world world, lode_body_type type, lode_real z)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body body = add_body(world, type, 0, 0, z);
    lode_shape_create_box(body, &shape, vec((lode_real)0.5, (lode_real)0.5, (lode_real)0.5));
    return body;
}

static pile create(lode_body_type type)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    pile p = {.world = lode_world_create(&def)};
    add_ground(p.world);
    p.support = add_cube(p.world, type, (lode_real)0.5);
    p.sleeper = add_cube(p.world, LODE_DYNAMIC, (lode_real)1.5);
    return p;
}

static void step_whole(const pile *p, int steps)
{
    const lode__world *w = lode__registry_world(p->world.id);
    for (int i = 0; i < steps; ++i) {
        assert_int_equal(lode_world_step(p->world, STEP), LODE_OK);
        lode__world_validate(w);
    }
}

/* Sets the support free by `act`; the sleeper must wake, and both stand on each other. */
static void expect_woken(const pile *p, lode_status done)
{
    assert_int_equal(done, LODE_OK);
    assert_true(lode_body_is_awake(p->sleeper));
    step_whole(p, 2);
    assert_int_equal(lode_world_get_contacts(p->world, NULL, 0), 2);
    step_whole(p, 300);
    assert_true(near(lode_body_get_pose(p->sleeper).position.z, 1.5, 0.02));
    assert_int_equal(report.count, 0);
    lode_world_destroy(p->world);
}

static void a_static_support_that_becomes_dynamic_wakes_what_sleeps_on_it(void **state)
{
    (void)state;
    report_install();
    pile p = create(LODE_STATIC);
    step_whole(&p, 100);
    assert_false(lode_body_is_awake(p.sleeper));
    expect_woken(&p, lode_body_set_type(p.support, LODE_DYNAMIC));
}

static void a_frozen_support_that_thaws_wakes_what_sleeps_on_it(void **state)
{
    (void)state;
    report_install();
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    pile p = create(LODE_DYNAMIC);
    lode_pose pose = lode_body_get_pose(p.support);
    lode_body_set_pose(p.sleeper, (lode_pose){vec(0, 0, 9), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(p.support, vec(huge, huge, huge));
    assert_int_equal(lode_world_step(p.world, 10), LODE_OK);
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(p.world, warnings, LODE_WARNING_COUNT);
    assert_int_equal(warnings[LODE_WARNING_NAN_BODY].last, 1);
    lode_body_set_pose(p.sleeper, (lode_pose){vec(0, 0, (lode_real)1.5), {1, 0, 0, 0}});
    lode_body_set_linear_velocity(p.sleeper, vec(0, 0, 0));
    step_whole(&p, 100);
    assert_false(lode_body_is_awake(p.sleeper));
    expect_woken(&p, lode_body_set_pose(p.support, pose));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_static_support_that_becomes_dynamic_wakes_what_sleeps_on_it),
        cmocka_unit_test(a_frozen_support_that_thaws_wakes_what_sleeps_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
