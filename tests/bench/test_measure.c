/* test_measure.c: the arithmetic that the benchmark's figures rest on: order statistics, scenes,
 * and the judge of quality. */
#include "tests/support/test.h"

#include "bench/judge.h"
#include "bench/scene.h"
#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%g is not %g within %g", value, wanted, tolerance);
}

static void median_p99_and_min_are_order_statistics(void **state)
{
    (void)state;
    double values[200];
    for (int i = 0; i < 200; ++i)
        values[i] = (i * 77) % 200 + 1; /* 1..200 in another order */
    bench_spread spread = bench_spread_of(values, 200);
    assert_near(spread.median, 100.5, 0);
    assert_near(spread.p99, 198, 0);
    assert_near(spread.min, 1, 0);
}

static void few_values_have_order_statistics_too(void **state)
{
    (void)state;
    double one[] = {5}, three[] = {3, 1, 2};
    bench_spread spread = bench_spread_of(one, 1);
    assert_near(spread.median + spread.p99 + spread.min, 15, 0);
    spread = bench_spread_of(three, 3);
    assert_near(spread.median, 2, 0);
    assert_near(spread.p99, 3, 0);
    assert_near(bench_spread_of(NULL, 0).median, 0, 0);
}

static int dynamic_bodies(const char *name)
{
    bench_scene scene;
    int index = bench_scene_find(name), count = 0;
    assert_true(index >= 0);
    bench_scene_build(index, &scene);
    for (int i = 0; i < scene.body_count; ++i)
        count += scene.bodies[i].dynamic;
    bench_scene_free(&scene);
    return count;
}

static void scenes_have_the_bodies_their_names_promise(void **state)
{
    (void)state;
    assert_int_equal(dynamic_bodies("pyramid"), 820);
    assert_int_equal(dynamic_bodies("pyramids"), 5500);
    assert_int_equal(dynamic_bodies("wall"), 500);
    assert_int_equal(dynamic_bodies("box_pile"), 2000);
    assert_int_equal(dynamic_bodies("sphere_pile"), 4000);
    assert_int_equal(dynamic_bodies("joint_grid"), 60 * 59); /* the upper edge is fixed */
    assert_int_equal(bench_scene_find("no such scene"), -1);
}

static void a_scene_is_the_same_every_time(void **state)
{
    (void)state;
    for (int i = 0; i < bench_scene_count(); ++i) {
        bench_scene a, b;
        bench_scene_build(i, &a);
        bench_scene_build(i, &b);
        assert_int_equal(a.body_count, b.body_count);
        for (int k = 0; k < a.body_count; ++k)
            for (int axis = 0; axis < 3; ++axis)
                assert_true(a.bodies[k].position[axis] == b.bodies[k].position[axis]);
        bench_scene_free(&a);
        bench_scene_free(&b);
    }
}

/* Two boxes of 1 x 1 x 1 m, a ball joint between them if wanted. */
static bench_scene two_boxes(bench_body bodies[2], bench_joint *joint, double gap)
{
    for (int i = 0; i < 2; ++i)
        bodies[i] = (bench_body){.shape = BENCH_BOX,
                                 .dynamic = true,
                                 .collides = true,
                                 .size = {0.5, 0.5, 0.5},
                                 .density = 1000,
                                 .position = {0, 0, i * (1 + gap)},
                                 .rotation = {1, 0, 0, 0}};
    if (joint)
        *joint = (bench_joint){.body_a = 0, .body_b = 1, .anchor = {0, 0, 0.5 * (1 + gap)}};
    return (bench_scene){.name = "two boxes",
                         .bodies = bodies,
                         .body_count = 2,
                         .joints = joint,
                         .joint_count = joint ? 1 : 0,
                         .friction = 0.5};
}

static void read_states(const bench_scene *scene, bench_state states[2])
{
    memset(states, 0, 2 * sizeof *states);
    for (int i = 0; i < 2; ++i) {
        memcpy(states[i].position, scene->bodies[i].position, sizeof states[i].position);
        memcpy(states[i].rotation, scene->bodies[i].rotation, sizeof states[i].rotation);
    }
}

static void boxes_that_overlap_are_judged_by_their_depth(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, NULL, -0.1);
    read_states(&scene, states);
    assert_near(bench_judge(&scene, states).penetration, 0.1, 1e-5);
    scene = two_boxes(bodies, NULL, 0.5);
    read_states(&scene, states);
    assert_near(bench_judge(&scene, states).penetration, 0, 0);
}

static void anchors_that_parted_are_judged_by_their_distance(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_joint joint;
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, &joint, 0);
    read_states(&scene, states);
    assert_near(bench_judge(&scene, states).separation, 0, 1e-12);
    states[0].position[0] = 0.3;
    assert_near(bench_judge(&scene, states).separation, 0.3, 1e-12);
    /* a quarter turn about y takes the anchor of the second box from -z to -x */
    read_states(&scene, states);
    states[1].rotation[0] = states[1].rotation[2] = sqrt(0.5);
    assert_near(bench_judge(&scene, states).separation, sqrt(0.5), 1e-12);
    assert_near(bench_judge(&scene, states).penetration, 0, 0); /* jointed bodies do not touch */
}

static void energy_and_displacement_are_those_of_the_bodies(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, NULL, 1);
    read_states(&scene, states);
    states[0].linear[0] = 2;  /* 1000 kg: 2000 J */
    states[1].angular[1] = 3; /* 1000/6 kg m^2: 750 J */
    states[1].position[0] = 0.6;
    bench_quality quality = bench_judge(&scene, states);
    assert_near(quality.kinetic_energy, 2750, 1e-9);
    assert_near(quality.displaced, 0.5, 0);
}

static void bounds_are_kept_by_numbers_only(void **state)
{
    (void)state;
    bench_bounds bounds = {
        .penetration = 0.1, .separation = -1, .kinetic_energy = 5, .displaced = 0};
    bench_quality quality = {.penetration = 0.1, .separation = 99};
    assert_true(bench_within(&quality, &bounds));
    quality.kinetic_energy = 6;
    assert_false(bench_within(&quality, &bounds));
    quality.kinetic_energy = NAN;
    assert_false(bench_within(&quality, &bounds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_p99_and_min_are_order_statistics),
        cmocka_unit_test(few_values_have_order_statistics_too),
        cmocka_unit_test(scenes_have_the_bodies_their_names_promise),
        cmocka_unit_test(a_scene_is_the_same_every_time),
        cmocka_unit_test(boxes_that_overlap_are_judged_by_their_depth),
        cmocka_unit_test(anchors_that_parted_are_judged_by_their_distance),
        cmocka_unit_test(energy_and_displacement_are_those_of_the_bodies),
        cmocka_unit_test(bounds_are_kept_by_numbers_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
