/* sounding.h: what the tests of sounds share: a world, and bodies of which one hears. */
#ifndef LODE_TESTS_WORLD_SOUNDING_H
#define LODE_TESTS_WORLD_SOUNDING_H

#include "tests/world/support.h"

#define R(x) ((lode_real)(x))

static lode_world world;

static inline lode_world make_world(bool sleep, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = sleep;
    def.threads = threads;
    return lode_world_create(&def);
}

static inline int set_up(void **state)
{
    (void)state;
    report_install();
    world = make_world(false, 1);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return 0;
}

static inline lode_sounds step(void)
{
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    return lode_world_get_sounds(world);
}

static inline void expect_counts(lode_sounds s, int impacts, int rolls, int slides)
{
    assert_int_equal(s.impact_count, impacts);
    assert_int_equal(s.roll_count, rolls);
    assert_int_equal(s.slide_count, slides);
}

static inline lode_shape_def asking(void)
{
    lode_shape_def def = lode_shape_def_default();
    def.sound_events = true;
    return def;
}

static inline lode_body dynamic(lode_real z, lode_vec3 linear, lode_vec3 angular)
{
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, z);
    lode_body_set_linear_velocity(body, linear);
    lode_body_set_angular_velocity(body, angular);
    return body;
}

static inline lode_shape asking_ball(lode_body body, lode_real radius)
{
    lode_shape_def def = asking();
    return lode_shape_create_sphere(body, &def, radius);
}

static inline lode_shape asking_box(lode_body body, lode_vec3 half)
{
    lode_shape_def def = asking();
    return lode_shape_create_box(body, &def, half);
}

#endif
