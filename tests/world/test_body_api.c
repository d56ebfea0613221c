/* What can be asked of a body and said to it: coordinates, forces in frames, sums of forces, names,
 * lists. A body with its centre of mass off its origin, turned and moving, is the witness. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tolerance = sizeof(lode_real) == sizeof(float) ? 2e-5 : 1e-13;
static const lode_mass off_center = {2, {1, 2, -1}, {4, 5, 6, 0, 0, 0}};
static lode_world world;
static test_random dice;

static int set_up(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    dice = (test_random){11};
    report_install();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static lode_vec3 any(double most)
{
    lode_real x = (lode_real)random_between(&dice, -most, most);
    lode_real y = (lode_real)random_between(&dice, -most, most);
    return vec(x, y, (lode_real)random_between(&dice, -most, most));
}

static lode_body add_witness(void)
{
    lode_body_def def = lode_body_def_default();
    lode_vec3 u = any(1);
    def.type = LODE_DYNAMIC;
    def.position = any(5);
    def.rotation = (lode_quat){(lode_real)0.5, u.x, u.y, u.z};
    def.linear_velocity = any(3);
    def.angular_velocity = any(3);
    lode_body body = lode_body_create(world, &def);
    assert_int_equal(lode_body_set_mass(body, &off_center), LODE_OK);
    return body;
}

static lode_vec3 add(lode_vec3 a, lode_vec3 b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static lode_vec3 sub(lode_vec3 a, lode_vec3 b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static lode_vec3 cross(lode_vec3 a, lode_vec3 b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* ---- coordinates ---- */

static void coordinates_lead_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < 100; ++i) {
        lode_body body = add_witness();
        lode_vec3 x = any(4), origin = vec(0, 0, 0);
        lode_vec3 there = lode_body_point_to_world(body, x);
        assert_true(near_vec(lode_body_point_from_world(body, there), x, 20 * tolerance));
        lode_vec3 turned = lode_body_vector_to_world(body, x);
        assert_true(near_vec(lode_body_vector_from_world(body, turned), x, 20 * tolerance));
        lode_vec3 at = lode_body_point_to_world(body, origin);
        assert_true(near_vec(at, lode_body_get_pose(body).position, 20 * tolerance));
        assert_true(near_vec(sub(there, at), turned, 20 * tolerance));
    }
}

/* A quarter about z takes x to y: which way round it is. */
static void a_quarter_turn_takes_x_to_y(void **state)
{
    (void)state;
    lode_body body = add_body(world, LODE_STATIC, 5, 0, 0);
    lode_body_set_pose(body, (lode_pose){{5, 0, 0}, {1, 0, 0, 1}});
    lode_vec3 x = vec(1, 0, 0);
    assert_true(near_vec(lode_body_vector_to_world(body, x), vec(0, 1, 0), tolerance));
    assert_true(near_vec(lode_body_vector_from_world(body, x), vec(0, -1, 0), tolerance));
    assert_true(near_vec(lode_body_point_to_world(body, x), vec(5, 1, 0), tolerance));
    assert_true(near_vec(lode_body_point_from_world(body, x), vec(0, 4, 0), 10 * tolerance));
}

static void the_center_of_mass_is_a_point_of_the_body(void **state)
{
    (void)state;
    lode_body body = add_witness();
    lode_vec3 center = lode_body_point_to_world(body, off_center.center);
    assert_true(near_vec(center, lode_body_get_center(body), 20 * tolerance));
    lode_vec3 v = lode_body_get_point_velocity(body, off_center.center, LODE_BODY_FRAME);
    assert_true(near_vec(v, lode_body_get_linear_velocity(body), 0));
}

/* The velocity of a point is how fast it moves: a small step against the difference quotient. */
static void points_move_at_their_velocity(void **state)
{
    (void)state;
    const double dt = sizeof(lode_real) == sizeof(float) ? 1e-3 : 1e-5;
    for (int i = 0; i < 20; ++i) {
        lode_body body = add_witness();
        lode_body_set_gyroscopic(body, false);
        lode_vec3 x = any(3), before = lode_body_point_to_world(body, x);
        lode_vec3 v = lode_body_get_point_velocity(body, x, LODE_BODY_FRAME);
        lode_vec3 same = lode_body_get_point_velocity(body, before, LODE_WORLD_FRAME);
        assert_true(near_vec(v, same, 100 * tolerance));
        lode_world_step(world, (lode_real)dt);
        lode_vec3 moved = sub(lode_body_point_to_world(body, x), before);
        /* the quotient's own error: half of w x (w x r) dt, and what rounding leaves */
        assert_true(near_vec(vec(v.x * (lode_real)dt, v.y * (lode_real)dt, v.z * (lode_real)dt),
                             moved, 100 * dt * dt + tolerance));
    }
}

/* ---- forces ---- */

static void expect_sums(lode_body body, lode_vec3 force, lode_vec3 torque)
{
    assert_true(near_vec(lode_body_get_force(body), force, 100 * tolerance));
    assert_true(near_vec(lode_body_get_torque(body), torque, 1000 * tolerance));
}

static void forces_in_all_frames_add_up(void **state)
{
    (void)state;
    const lode_frame frames[] = {LODE_WORLD_FRAME, LODE_BODY_FRAME};
    for (int i = 0; i < 40; ++i) {
        lode_body body = add_witness();
        lode_vec3 force = any(9), point = any(3);
        lode_frame of_force = frames[i & 1], of_point = frames[i >> 1 & 1];
        lode_vec3 f = of_force ? lode_body_vector_to_world(body, force) : force;
        lode_vec3 x = of_point ? lode_body_point_to_world(body, point) : point;
        lode_vec3 torque = cross(sub(x, lode_body_get_center(body)), f);
        lode_body_add_force_in(body, force, of_force, point, of_point);
        expect_sums(body, f, torque);
        lode_body_add_force_at(body, f, x);
        lode_body_add_torque(body, vec(1, 2, 3));
        lode_body_add_force(body, vec(3, 2, 1));
        expect_sums(body, add(add(f, f), vec(3, 2, 1)), add(add(torque, torque), vec(1, 2, 3)));
    }
}

static void impulses_in_all_frames_change_velocity_alike(void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        lode_body a = add_witness(), b = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_body_set_mass(b, &off_center);
        lode_body_set_pose(b, lode_body_get_pose(a));
        lode_body_set_linear_velocity(b, lode_body_get_linear_velocity(a));
        lode_body_set_angular_velocity(b, lode_body_get_angular_velocity(a));
        lode_vec3 p = any(9), x = any(3);
        lode_body_add_impulse_in(a, p, LODE_BODY_FRAME, x, LODE_BODY_FRAME);
        lode_body_add_impulse_at(b, lode_body_vector_to_world(b, p),
                                 lode_body_point_to_world(b, x));
        assert_true(near_vec(lode_body_get_linear_velocity(a), lode_body_get_linear_velocity(b),
                             10 * tolerance));
        assert_true(near_vec(lode_body_get_angular_velocity(a), lode_body_get_angular_velocity(b),
                             100 * tolerance));
    }
}

/* Far from the world's origin a world point has lost its digits, a point of the body has not. */
static void points_of_the_body_keep_their_digits(void **state)
{
    (void)state;
    lode_body body = add_body(world, LODE_DYNAMIC, 1e7, 0, 0);
    lode_vec3 x = vec((lode_real)0.1, 0, 0);
    lode_body_add_force_in(body, vec(0, 10, 0), LODE_WORLD_FRAME, x, LODE_BODY_FRAME);
    assert_true(near_vec(lode_body_get_torque(body), vec(0, 0, 1), tolerance));
}

static void sums_can_be_set_and_are_cleared_by_a_step(void **state)
{
    (void)state;
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body_add_force(body, vec(9, 9, 9));
    lode_body_set_force(body, vec(64, 0, 0));
    lode_body_set_torque(body, vec(0, 64, 0));
    expect_sums(body, vec(64, 0, 0), vec(0, 64, 0));
    lode_world_step(world, STEP);
    expect_sums(body, vec(0, 0, 0), vec(0, 0, 0));
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(1, 0, 0), tolerance));
    assert_true(near_vec(lode_body_get_angular_velocity(body), vec(0, 1, 0), tolerance));
    lode_body_add_force(body, vec(64, 0, 0));
    lode_body_set_force(body, vec(0, 0, 0));
    lode_world_step(world, STEP);
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(1, 0, 0), tolerance));
}

static void static_bodies_gather_no_force(void **state)
{
    (void)state;
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    uint64_t hash = lode_world_hash(world);
    assert_int_equal(lode_body_set_force(body, vec(1, 2, 3)), LODE_OK);
    assert_int_equal(lode_body_set_torque(body, vec(1, 2, 3)), LODE_OK);
    assert_int_equal(
        lode_body_add_force_in(body, vec(1, 2, 3), LODE_BODY_FRAME, vec(1, 0, 0), LODE_WORLD_FRAME),
        LODE_OK);
    expect_sums(body, vec(0, 0, 0), vec(0, 0, 0));
    assert_true(lode_world_hash(world) == hash);
}

/* ---- what it is ---- */

static void names_are_copies(void **state)
{
    (void)state;
    char text[] = "left wheel";
    lode_body_def def = lode_body_def_default();
    uint64_t hash = lode_world_hash(world);
    def.name = text;
    lode_body body = lode_body_create(world, &def);
    hash = lode_world_hash(world);
    text[0] = 'd';
    assert_string_equal(lode_body_get_name(body), "left wheel");
    assert_int_equal(lode_body_set_name(body, lode_body_get_name(body) + 5), LODE_OK);
    assert_string_equal(lode_body_get_name(body), "wheel");
    assert_int_equal(lode_body_set_name(body, ""), LODE_OK);
    assert_string_equal(lode_body_get_name(body), "");
    assert_int_equal(lode_body_set_name(body, NULL), LODE_OK);
    assert_string_equal(lode_body_get_name(body), "");
    assert_true(lode_world_hash(world) == hash);
}

static void names_count_as_bytes_and_end_with_the_body(void **state)
{
    (void)state;
    lode_world_stats before, with, after;
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_world_get_stats(world, &before);
    lode_body_set_name(body, "0123456789");
    lode_world_get_stats(world, &with);
    assert_int_equal(with.bytes_bodies - before.bytes_bodies, 11);
    assert_int_equal(with.bytes - before.bytes, 11);
    lode_body_destroy(body);
    body = add_body(world, LODE_STATIC, 0, 0, 0);
    assert_string_equal(lode_body_get_name(body), "");
    lode_world_get_stats(world, &after);
    assert_int_equal(after.bytes_bodies, before.bytes_bodies);
    lode_body_set_name(body, "the world's end frees this");
}

static void user_data_can_be_set(void **state)
{
    (void)state;
    int mine;
    lode_body body = add_body(world, LODE_STATIC, 0, 0, 0);
    assert_null(lode_body_get_user_data(body));
    assert_int_equal(lode_body_set_user_data(body, &mine), LODE_OK);
    assert_ptr_equal(lode_body_get_user_data(body), &mine);
}

/* Without the gyroscopic torque the angular velocity is kept, with it the angular momentum. */
static void the_gyroscopic_torque_can_be_switched(void **state)
{
    (void)state;
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_mass mass = {1, {0, 0, 0}, {1, 2, (lode_real)2.5, 0, 0, 0}};
    lode_vec3 w = vec(1, 2, 3);
    lode_body_set_mass(body, &mass);
    assert_true(lode_body_get_gyroscopic(body));
    assert_int_equal(lode_body_set_gyroscopic(body, false), LODE_OK);
    assert_false(lode_body_get_gyroscopic(body));
    lode_body_set_angular_velocity(body, w);
    lode_world_step(world, STEP);
    assert_true(near_vec(lode_body_get_angular_velocity(body), w, 0));
    assert_int_equal(lode_body_set_gyroscopic(body, true), LODE_OK);
    lode_world_step(world, STEP);
    assert_false(near_vec(lode_body_get_angular_velocity(body), w, 1e-3));
}

/* ---- lists ---- */

enum { MANY = 600 };

static void a_world_lists_its_bodies_and_joints(void **state)
{
    (void)state;
    lode_body bodies[MANY], listed[MANY];
    lode_joint joints[MANY], listed_joints[MANY];
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    for (int i = 0; i < MANY; ++i) {
        bodies[i] = add_body(world, LODE_DYNAMIC, (lode_real)i, 0, 0);
        def.body_a = bodies[i];
        joints[i] = lode_joint_create(world, &def);
    }
    for (int i = 0; i < MANY; i += 3)
        lode_body_destroy(bodies[i]);
    assert_int_equal(lode_world_get_bodies(world, NULL, 0), MANY / 3 * 2);
    assert_int_equal(lode_world_get_joints(world, NULL, 0), MANY / 3 * 2);
    assert_int_equal(lode_world_get_bodies(world, listed, MANY), MANY / 3 * 2);
    assert_int_equal(lode_world_get_joints(world, listed_joints, MANY), MANY / 3 * 2);
    for (int i = 0, n = 0; i < MANY; ++i) {
        if (i % 3 == 0)
            continue;
        assert_true(listed[n].id == bodies[i].id && listed_joints[n].id == joints[i].id);
        ++n;
    }
    listed[2].id = 7;
    assert_int_equal(lode_world_get_bodies(world, listed, 2), MANY / 3 * 2);
    assert_true(listed[2].id == 7);
}

static void a_body_lists_its_shapes_and_joints(void **state)
{
    (void)state;
    report_clear();
    scene s = scene_create(NULL);
    lode_shape shapes[4] = {{0}};
    lode_joint joints[4] = {{0}};
    assert_int_equal(lode_body_get_shapes(s.crate, NULL, 0), 2);
    assert_int_equal(lode_body_get_shapes(s.crate, shapes, 4), 2);
    assert_true((shapes[0].id == s.box.id && shapes[1].id == s.lump.id) ||
                (shapes[0].id == s.lump.id && shapes[1].id == s.box.id));
    assert_int_equal(lode_body_get_joints(s.crate, joints, 4), 1);
    assert_true(joints[0].id == s.link.id && joints[1].id == 0);
    assert_int_equal(lode_body_get_joints(s.rod, joints, 0), 1);
    assert_int_equal(lode_body_get_joints(s.ground, joints, 4), 0);
    lode_joint_destroy(s.link);
    lode_shape_destroy(s.box);
    assert_int_equal(lode_body_get_joints(s.crate, joints, 4), 0);
    assert_int_equal(lode_body_get_shapes(s.crate, shapes, 1), 1);
    assert_true(shapes[0].id == s.lump.id);
    lode_world_destroy(s.world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(coordinates_lead_there_and_back),
        TEST(a_quarter_turn_takes_x_to_y),
        TEST(the_center_of_mass_is_a_point_of_the_body),
        TEST(points_move_at_their_velocity),
        TEST(forces_in_all_frames_add_up),
        TEST(impulses_in_all_frames_change_velocity_alike),
        TEST(points_of_the_body_keep_their_digits),
        TEST(sums_can_be_set_and_are_cleared_by_a_step),
        TEST(static_bodies_gather_no_force),
        TEST(names_are_copies),
        TEST(names_count_as_bytes_and_end_with_the_body),
        TEST(user_data_can_be_set),
        TEST(the_gyroscopic_torque_can_be_switched),
        TEST(a_world_lists_its_bodies_and_joints),
        TEST(a_body_lists_its_shapes_and_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
