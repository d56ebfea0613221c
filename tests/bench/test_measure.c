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
    int index = bench_scene_find(name);
    assert_true(index >= 0);
    bench_scene_build(index, &scene);
    int count = bench_moving_bodies(&scene);
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
    assert_int_equal(dynamic_bodies("mixed_pile"), 3000);
    assert_int_equal(dynamic_bodies("platform"), 501);
    assert_int_equal(dynamic_bodies("platform_static"), 500);
    assert_int_equal(dynamic_bodies("ragdolls"), 2200);
    assert_int_equal(dynamic_bodies("boxes_on_mesh"), 1500);
    assert_int_equal(dynamic_bodies("ragdolls_on_mesh"), 2200);
    assert_int_equal(dynamic_bodies("chain"), 20);
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

static double judged(const bench_scene *scene, const bench_state *states, bench_quality_field field)
{
    return bench_judge(scene, states).value[field];
}

static void boxes_that_overlap_are_judged_by_their_depth(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, NULL, -0.1);
    read_states(&scene, states);
    assert_near(judged(&scene, states, BENCH_PENETRATION), 0.1, 1e-5);
    scene = two_boxes(bodies, NULL, 0.5);
    read_states(&scene, states);
    assert_near(judged(&scene, states, BENCH_PENETRATION), 0, 0);
}

static void anchors_that_parted_are_judged_by_their_distance(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_joint joint;
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, &joint, 0);
    read_states(&scene, states);
    assert_near(judged(&scene, states, BENCH_SEPARATION), 0, 1e-12);
    states[0].position[0] = 0.3;
    assert_near(judged(&scene, states, BENCH_SEPARATION), 0.3, 1e-12);
    /* a quarter turn about y takes the anchor of the second box from -z to -x */
    read_states(&scene, states);
    states[1].rotation[0] = states[1].rotation[2] = sqrt(0.5);
    assert_near(judged(&scene, states, BENCH_SEPARATION), sqrt(0.5), 1e-12);
    assert_near(judged(&scene, states, BENCH_PENETRATION), 0, 0); /* jointed bodies do not touch */
}

static void joints_that_may_be_jammed_are_not_judged(void **state)
{
    (void)state;
    bench_body bodies[2];
    bench_joint joints[4];
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, joints, 0);
    read_states(&scene, states);
    for (int i = 1; i < 4; ++i) {
        joints[i] = joints[0];
        joints[i].anchor[1] += i; /* parts by i sqrt(2) when a box turns a quarter about x */
    }
    scene.joint_count = 4;
    states[1].rotation[0] = states[1].rotation[1] = sqrt(0.5);
    double all = judged(&scene, states, BENCH_SEPARATION);
    scene.jammed = 0.25;
    double but_one = judged(&scene, states, BENCH_SEPARATION);
    scene.jammed = 0.24;
    assert_near(judged(&scene, states, BENCH_SEPARATION), all, 0);
    assert_true(but_one < all - 1);
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
    assert_near(quality.value[BENCH_KINETIC], 2750, 1e-9);
    assert_near(quality.value[BENCH_DISPLACED], 0.5, 0);
}

/* Turns body a of two by `angle` about an axis. */
static void turn_first(bench_state states[2], const double axis[3], double angle)
{
    states[0].rotation[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; ++i)
        states[0].rotation[1 + i] = sin(0.5 * angle) * axis[i];
}

static void hinges_are_judged_by_axis_and_limits(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    bench_body bodies[2];
    bench_joint joint;
    bench_state states[2];
    bench_scene scene = two_boxes(bodies, &joint, 0);
    joint.type = BENCH_HINGE;
    joint.axis[0] = 1;
    joint.lo = -0.5;
    joint.hi = 1;
    const double angles[][2] = {{0, 0}, {0.9, 0}, {1.25, 0.25}, {-0.5, 0}, {-0.8, 0.3}};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; ++i) {
        read_states(&scene, states);
        turn_first(states, x, angles[i][0]);
        assert_near(judged(&scene, states, BENCH_ANGLE), angles[i][1], 1e-12);
    }
    turn_first(states, y, 0.4); /* the axes part */
    assert_near(judged(&scene, states, BENCH_ANGLE), 0.4, 1e-12);
    joint.type = BENCH_BALL;
    assert_near(judged(&scene, states, BENCH_ANGLE), 0, 0);
}

static void bounds_are_kept_by_numbers_only(void **state)
{
    (void)state;
    bench_scene scene = {.bounds = {0.1, -1, -1, 5, 0}, .noise = 1};
    bench_quality quality = {{0.1, 99, 99, 5, 0}};
    assert_int_equal(bench_verdict_of(&scene, &quality, NULL).beyond, 0);
    quality.value[BENCH_KINETIC] = 6;
    assert_int_equal(bench_verdict_of(&scene, &quality, NULL).beyond, 1 << BENCH_KINETIC);
    quality.value[BENCH_KINETIC] = NAN;
    assert_int_equal(bench_verdict_of(&scene, &quality, NULL).beyond, 1 << BENCH_KINETIC);
}

static void what_a_peer_does_better_is_worse_unless_noise_explains_it(void **state)
{
    (void)state;
    bench_scene scene = {.bounds = {0.1, -1, -1, -1, -1}, .noise = 1.5};
    bench_quality peer = {{0.04, 0, 0, 0, 0}}, quality = {{0.06, 99, 0, 0, 0}};
    assert_int_equal(bench_verdict_of(&scene, &quality, &peer).worse, 0);
    quality.value[BENCH_PENETRATION] = 0.061;
    assert_int_equal(bench_verdict_of(&scene, &quality, &peer).worse, 1 << BENCH_PENETRATION);
    assert_int_equal(bench_verdict_of(&scene, &quality, NULL).worse, 0);
    quality.value[BENCH_PENETRATION] = 0.01; /* a tenth of the bound is as good as nothing */
    peer.value[BENCH_PENETRATION] = 0;
    assert_int_equal(bench_verdict_of(&scene, &quality, &peer).worse, 0);
    peer.value[BENCH_PENETRATION] = NAN;
    quality.value[BENCH_PENETRATION] = 0.09; /* within bounds; a broken peer is no measure */
    assert_int_equal(bench_verdict_of(&scene, &quality, &peer).worse, 0);
}

/* The mass of a capsule by adding up thin discs, and its moments with them. */
static void capsules_weigh_what_their_discs_weigh(void **state)
{
    (void)state;
    enum { DISCS = 20000 };
    const double r = 0.3, half = 0.7, density = 800;
    const bench_body body = {
        .shape = BENCH_CAPSULE, .dynamic = true, .density = density, .size = {r, half}};
    double thick = 2 * (half + r) / DISCS, mass = 0, across = 0, along = 0;
    for (int i = 0; i < DISCS; ++i) {
        double z = -half - r + (i + 0.5) * thick, beyond = fabs(z) > half ? fabs(z) - half : 0;
        double r2 = r * r - beyond * beyond, m = density * 3.14159265358979 * r2 * thick;
        mass += m;
        across += m * (r2 / 4 + z * z);
        along += m * r2 / 2;
    }
    double inertia[3];
    assert_near(bench_body_mass(&body, inertia) / mass, 1, 1e-6);
    assert_near(inertia[0] / across, 1, 1e-6);
    assert_near(inertia[1] / across, 1, 1e-6);
    assert_near(inertia[2] / along, 1, 1e-6);
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
        cmocka_unit_test(joints_that_may_be_jammed_are_not_judged),
        cmocka_unit_test(energy_and_displacement_are_those_of_the_bodies),
        cmocka_unit_test(hinges_are_judged_by_axis_and_limits),
        cmocka_unit_test(bounds_are_kept_by_numbers_only),
        cmocka_unit_test(what_a_peer_does_better_is_worse_unless_noise_explains_it),
        cmocka_unit_test(capsules_weigh_what_their_discs_weigh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
