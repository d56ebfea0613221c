/* Bodies: mass from shapes, a centre of mass off the origin, forces and impulses at points. Each
 * expectation is a formula of mechanics, evaluated here in double. */
#include "tests/world/support.h"

#include <math.h>

static const double tolerance = sizeof(lode_real) == sizeof(float) ? 1e-5 : 1e-12;
static const double pi = 3.14159265358979323846;
static lode_world world;

static int set_up(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    report_install();
    world = lode_world_create(&def);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count; /* good calls report nothing */
}

static void step(int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static bool near_part(double a, double b)
{
    return near(a, b, tolerance * (1 + fabs(b)));
}

static void expect_mass(lode_body body, double mass, lode_vec3 center, const double inertia[6])
{
    lode_mass m = lode_body_get_mass(body);
    assert_true(near_part(m.mass, mass));
    assert_true(near_vec(m.center, center, tolerance));
    double scale = 1 + inertia[0] + inertia[1] + inertia[2];
    for (int i = 0; i < 6; ++i)
        assert_true(near(m.inertia[i], inertia[i], scale * tolerance));
}

/* ---- mass ---- */

static void bodies_without_shapes_weigh_one_kilogram(void **state)
{
    (void)state;
    const double unit[6] = {1, 1, 1, 0, 0, 0}, none[6] = {0};
    lode_body body = add_body(world, LODE_DYNAMIC, 1, 2, 3);
    expect_mass(body, 1, vec(0, 0, 0), unit);
    expect_mass(add_body(world, LODE_STATIC, 0, 0, 0), 0, vec(0, 0, 0), none);
    lode_shape_def def = lode_shape_def_default();
    def.density = 0;
    lode_shape_create_sphere(body, &def, 2);
    expect_mass(body, 1, vec(0, 0, 0), unit);
}

static void shapes_say_the_mass(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    def.density = 500;
    lode_body ball = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_shape_create_sphere(ball, &def, 2);
    double m = 500 * 4 / 3.0 * pi * 8, i = 0.4 * m * 4;
    expect_mass(ball, m, vec(0, 0, 0), (double[6]){i, i, i, 0, 0, 0});

    /* a box of 2 x 4 x 6, turned a quarter about z: x and y change places */
    lode_body crate = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    def.pose.rotation = (lode_quat){1, 0, 0, 1};
    lode_shape_create_box(crate, &def, vec(1, 2, 3));
    m = 500 * 48;
    expect_mass(crate, m, vec(0, 0, 0),
                (double[6]){m / 12 * (4 + 36), m / 12 * (16 + 36), m / 12 * (4 + 16), 0, 0, 0});
}

/* Two equal balls of mass m at a and b: centre between, point masses about it. */
static void several_shapes_add_up(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 5, 0, 0);
    def.pose.position = vec(1, 0, 0);
    lode_shape first = lode_shape_create_sphere(body, &def, (lode_real)0.5);
    def.pose.position = vec(3, 2, 0);
    lode_shape second = lode_shape_create_sphere(body, &def, (lode_real)0.5);
    double m = 1000 * pi / 6, own = 0.1 * m;
    const double inertia[6] = {2 * (own + m), 2 * (own + m), 2 * (own + 2 * m), -2 * m, 0, 0};
    expect_mass(body, 2 * m, vec(2, 1, 0), inertia);
    assert_true(near_vec(lode_body_get_pose(body).position, vec(5, 0, 0), tolerance));
    assert_true(near_vec(lode_body_get_center(body), vec(7, 1, 0), tolerance));

    lode_shape_destroy(first);
    expect_mass(body, m, vec(3, 2, 0), (double[6]){own, own, own, 0, 0, 0});
    lode_shape_destroy(second);
    expect_mass(body, 1, vec(0, 0, 0), (double[6]){1, 1, 1, 0, 0, 0});
    assert_true(near_vec(lode_body_get_pose(body).position, vec(5, 0, 0), 2 * tolerance));
}

static void a_given_mass_overrides_shapes_until_taken_back(void **state)
{
    (void)state;
    const lode_mass given = {2, {1, 0, 0}, {3, 4, 5, 0, 0, 1}};
    const double inertia[6] = {3, 4, 5, 0, 0, 1};
    lode_body body = add_ball(world, 0, 0, 0, 1);
    lode_mass of_shapes = lode_body_get_mass(body);
    assert_int_equal(lode_body_set_mass(body, &given), LODE_OK);
    expect_mass(body, 2, vec(1, 0, 0), inertia);
    lode_shape_def def = lode_shape_def_default();
    lode_shape more = lode_shape_create_sphere(body, &def, 2);
    expect_mass(body, 2, vec(1, 0, 0), inertia);
    lode_shape_destroy(more);
    expect_mass(body, 2, vec(1, 0, 0), inertia);
    assert_int_equal(lode_body_set_mass_from_shapes(body), LODE_OK);
    assert_true(near_part(lode_body_get_mass(body).mass, of_shapes.mass));
    assert_true(near_vec(lode_body_get_center(body), vec(0, 0, 0), tolerance));
}

/* Rounding leaves the sum's least moment below zero; the body must still be one to compute with. */
static void slender_bodies_keep_an_inverse(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    for (int side = -1; side <= 1; side += 2) {
        lode_real x = (lode_real)(side * 7.3), y = (lode_real)(side * 9.1);
        def.pose.position = vec(x, y, (lode_real)(side * 5.7));
        assert_true(lode_shape_create_sphere(body, &def, (lode_real)0.001).id != 0);
    }
    lode_body_add_angular_impulse(body, vec((lode_real)1e-4, 0, 0));
    step(10);
    lode_warning_info nan_body;
    lode_world_get_warnings(world, &nan_body, 1);
    assert_int_equal(nan_body.ever, 0);
}

/* ---- origin and centre ---- */

static lode_body add_off_center(lode_vec3 position)
{
    lode_shape_def def = lode_shape_def_default();
    lode_body_def body_def = lode_body_def_default();
    body_def.type = LODE_DYNAMIC;
    body_def.position = position;
    lode_body body = lode_body_create(world, &body_def);
    def.pose.position = vec(1, 0, 0);
    lode_shape_create_sphere(body, &def, (lode_real)0.5);
    return body;
}

static void poses_are_those_of_the_bodys_frame(void **state)
{
    (void)state;
    lode_body body = add_off_center(vec(1, 2, 3));
    lode_pose pose = {{4, 5, 6}, {2, 0, 0, 2}}; /* a quarter about z, not of unit length */
    assert_true(near_vec(lode_body_get_center(body), vec(2, 2, 3), tolerance));
    assert_int_equal(lode_body_set_pose(body, pose), LODE_OK);
    assert_true(near_vec(lode_body_get_center(body), vec(4, 6, 6), 10 * tolerance));
    pose = lode_body_get_pose(body);
    assert_true(near_vec(pose.position, vec(4, 5, 6), 10 * tolerance));
    assert_true(near(pose.rotation.w, sqrt(0.5), tolerance));
    assert_true(near(pose.rotation.z, sqrt(0.5), tolerance));
}

/* Spinning freely, the centre of mass stays and the origin circles around it. */
static void the_origin_circles_around_the_center(void **state)
{
    (void)state;
    lode_body body = add_off_center(vec(0, 0, 0));
    lode_body_set_angular_velocity(body, vec(0, 0, (lode_real)pi));
    step(64); /* half a turn */
    assert_true(near_vec(lode_body_get_center(body), vec(1, 0, 0), 1e-4));
    assert_true(near_vec(lode_body_get_pose(body).position, vec(2, 0, 0), 1e-2));
}

/* A shape that joins a spinning body moves the centre of mass, not the matter: the point that was
 * at rest is still at rest. */
static void matter_keeps_its_velocity_when_the_center_moves(void **state)
{
    (void)state;
    lode_shape_def def = lode_shape_def_default();
    lode_body body = add_ball(world, 0, 0, 0, 1);
    lode_body_set_angular_velocity(body, vec(0, 0, 2));
    def.pose.position = vec(4, 0, 0);
    lode_shape_create_sphere(body, &def, 1);
    assert_true(near_vec(lode_body_get_center(body), vec(2, 0, 0), tolerance));
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(0, 4, 0), 4 * tolerance));
    assert_true(near_vec(lode_body_get_pose(body).position, vec(0, 0, 0), tolerance));
}

/* ---- forces and impulses ---- */

static const lode_mass top = {2, {1, 0, 0}, {4, 5, 6, 0, 0, 0}};

static lode_body add_top(void)
{
    lode_body body = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_body_set_mass(body, &top);
    return body;
}

static void impulses_act_at_once(void **state)
{
    (void)state;
    lode_body body = add_top(); /* its centre is at (1, 0, 0) */
    lode_body_add_impulse(body, vec(2, 4, 6));
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(1, 2, 3), tolerance));
    assert_true(near_vec(lode_body_get_angular_velocity(body), vec(0, 0, 0), 0));
    lode_body_add_angular_impulse(body, vec(4, 5, 6));
    assert_true(near_vec(lode_body_get_angular_velocity(body), vec(1, 1, 1), tolerance));

    lode_body other = add_top(); /* (0, 0, 1) x (0, 6, 0) = (-6, 0, 0); (2, 0, 0) x .. = 12 z */
    lode_body_add_impulse_at(other, vec(0, 6, 0), vec(3, 0, 1));
    assert_true(near_vec(lode_body_get_linear_velocity(other), vec(0, 3, 0), tolerance));
    assert_true(
        near_vec(lode_body_get_angular_velocity(other), vec((lode_real)-1.5, 0, 2), tolerance));
}

static void forces_last_for_one_step(void **state)
{
    (void)state;
    lode_body body = add_top();
    lode_body_add_force(body, vec(64, 0, 0));
    lode_body_add_force(body, vec(64, 0, 0));
    lode_body_add_torque(body, vec(0, 0, 6 * 64));
    assert_true(near_vec(lode_body_get_linear_velocity(body), vec(0, 0, 0), 0));
    for (int i = 0; i < 2; ++i) {
        step(1);
        assert_true(near_vec(lode_body_get_linear_velocity(body), vec(1, 0, 0), tolerance));
        assert_true(near_vec(lode_body_get_angular_velocity(body), vec(0, 0, 1), tolerance));
    }
}

static void a_force_at_a_point_is_a_force_and_a_torque(void **state)
{
    (void)state;
    lode_body a = add_top(), b = add_top();
    lode_body_add_force_at(a, vec(0, 64, 0), vec(3, 0, 0));
    lode_body_add_force(b, vec(0, 64, 0));
    lode_body_add_torque(b, vec(0, 0, 2 * 64));
    step(1);
    assert_true(near_vec(lode_body_get_linear_velocity(a), lode_body_get_linear_velocity(b), 0));
    assert_true(near_vec(lode_body_get_angular_velocity(a), lode_body_get_angular_velocity(b), 0));
    assert_true(lode_body_get_angular_velocity(a).z > 0);
}

static void impulses_use_the_inertia_as_the_body_lies(void **state)
{
    (void)state;
    lode_body body = add_top();
    lode_body_set_pose(body, (lode_pose){{0, 0, 0}, {1, 0, 0, 1}}); /* x is now y */
    lode_body_add_angular_impulse(body, vec(0, 4, 0));
    assert_true(near_vec(lode_body_get_angular_velocity(body), vec(0, 1, 0), tolerance));
}

static void bodies_say_what_they_are(void **state)
{
    (void)state;
    int mine;
    lode_body_def def = lode_body_def_default();
    def.user_data = &mine;
    lode_body still = lode_body_create(world, &def);
    def.type = LODE_DYNAMIC;
    def.linear_velocity = vec(1, 2, 3);
    lode_body moving = lode_body_create(world, &def);
    assert_int_equal(lode_body_get_type(still), LODE_STATIC);
    assert_int_equal(lode_body_get_type(moving), LODE_DYNAMIC);
    assert_ptr_equal(lode_body_get_user_data(moving), &mine);
    assert_true(lode_body_get_world(moving).id == world.id);
    assert_true(near_vec(lode_body_get_linear_velocity(moving), vec(1, 2, 3), 0));
    assert_true(near_vec(lode_body_get_linear_velocity(still), vec(0, 0, 0), 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bodies_without_shapes_weigh_one_kilogram),
        TEST(shapes_say_the_mass),
        TEST(several_shapes_add_up),
        TEST(a_given_mass_overrides_shapes_until_taken_back),
        TEST(slender_bodies_keep_an_inverse),
        TEST(poses_are_those_of_the_bodys_frame),
        TEST(the_origin_circles_around_the_center),
        TEST(matter_keeps_its_velocity_when_the_center_moves),
        TEST(impulses_act_at_once),
        TEST(forces_last_for_one_step),
        TEST(a_force_at_a_point_is_a_force_and_a_torque),
        TEST(impulses_use_the_inertia_as_the_body_lies),
        TEST(bodies_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
