/* What drives, stops, frictions and limits of speed do to an articulation's joints. */
#include "tests/world/links.h"

/* ---- drives */

/* A slide along x from a fixed root, with a mass of 2. */
static arm make_slide(lode_link_axis axis, lode_vec3 gravity)
{
    arm a = make_arm(gravity, true);
    add_root(&a, vec(0, 0, 0));
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    def.axis[LODE_AXIS_X] = axis;
    set_mass(add(&a, &def), 2, 0.1, 0.1, 0.1);
    insert(&a);
    return a;
}

static lode_link_axis free_axis(void)
{
    lode_link_axis axis = lode_link_def_default(LODE_LINK_PRISMATIC).axis[LODE_AXIS_X];
    axis.max_velocity = (lode_real)INFINITY;
    return axis;
}

static lode_link_axis slide_of(const arm *a)
{
    return axis_of(a->link[1], LODE_AXIS_X);
}

static void drives_are_implicit_springs(void **state)
{
    (void)state;
    const struct {
        lode_drive_type type;
        double k, d, armature;
    } cases[] = {{LODE_DRIVE_FORCE, 100, 3, 0},        {LODE_DRIVE_FORCE, 1e6, 0, 0},
                 {LODE_DRIVE_FORCE, 0, 50, 0},         {LODE_DRIVE_FORCE, 100, 3, 5},
                 {LODE_DRIVE_ACCELERATION, 100, 3, 0}, {LODE_DRIVE_ACCELERATION, 1e4, 20, 3},
                 {LODE_DRIVE_ACCELERATION, 0, 5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        lode_link_axis axis = free_axis();
        axis.drive.type = cases[i].type;
        axis.drive.stiffness = (lode_real)cases[i].k;
        axis.drive.damping = (lode_real)cases[i].d;
        axis.armature = (lode_real)cases[i].armature;
        axis.target = (lode_real)0.7;
        axis.target_velocity = (lode_real)0.2;
        arm a = make_slide(axis, vec(3, 0, 0));
        double h = (double)H, q = 0, v = 0, m = 2 + cases[i].armature;
        bool by_inertia = cases[i].type == LODE_DRIVE_ACCELERATION;
        double k = cases[i].k * (by_inertia ? m : 1), d = cases[i].d * (by_inertia ? m : 1);
        for (int s = 0; s < 500; ++s) {
            step_by(&a, 1, H);
            v = (m * v + h * (2 * 3 + k * (0.7 - q) + d * 0.2)) / (m + h * (h * k + d));
            q += h * v;
            lode_link_axis now = slide_of(&a);
            EXPECT_NEAR(now.position, q, DOUBLE ? 1e-9 : 1e-4);
            EXPECT_NEAR(now.velocity, v, DOUBLE ? 1e-8 : 2e-3);
        }
        lode_world_destroy(a.world);
    }
}

/* However stiff: it is where it should be. */
static void a_drive_without_end_is_kinematic(void **state)
{
    (void)state;
    lode_link_axis axis = free_axis();
    axis.drive.type = LODE_DRIVE_FORCE;
    axis.drive.stiffness = (lode_real)1e25;
    arm a = make_slide(axis, vec(3, 0, 0));
    for (int s = 0; s < 100; ++s) {
        lode_real target = (lode_real)(0.01 * s);
        assert_int_equal(lode_link_set_target(a.link[1], LODE_AXIS_X, target, true), LODE_OK);
        step_by(&a, 1, H);
        EXPECT_NEAR(slide_of(&a).position, target, DOUBLE ? 1e-6 : 1e-4);
    }
    /* and with a limit it gives that */
    axis = slide_of(&a);
    axis.position = axis.velocity = 0;
    axis.target = (lode_real)-0.1;
    axis.drive.max_force = 5;
    lode_link_set_axis(a.link[1], LODE_AXIS_X, &axis);
    step_by(&a, 100, H);
    EXPECT_NEAR(slide_of(&a).velocity, 0.1 * (3 - 2.5), DOUBLE ? 1e-7 : 1e-3);
    lode_world_destroy(a.world);
}

static void drives_give_no_more_than_they_may(void **state)
{
    (void)state;
    for (int impulses = 0; impulses < 2; ++impulses) {
        lode_link_axis axis = free_axis();
        axis.drive.type = LODE_DRIVE_FORCE;
        axis.drive.stiffness = 1000;
        axis.drive.damping = 200;
        axis.drive.max_force = (lode_real)(impulses ? 4e-3 : 4);
        axis.target = 1;
        arm a = make_slide(axis, vec(0, 0, 0));
        if (impulses) {
            lode_articulation_def def = lode_articulation_get_def(a.articulation);
            def.drive_limits_are_impulses = true;
            assert_int_equal(lode_articulation_set_def(a.articulation, &def), LODE_OK);
        }
        step_by(&a, 200, H); /* 2 m/s^2 for 0.2 s */
        EXPECT_NEAR(slide_of(&a).velocity, 0.4, DOUBLE ? 1e-9 : 1e-5);
        /* once there it holds: no impulse is left of the limit */
        step_by(&a, 20000, H);
        EXPECT_NEAR(slide_of(&a).position, 1, DOUBLE ? 1e-6 : 1e-4);
        lode_world_destroy(a.world);
    }
}

/* |E| <= max_effort - r |v|: the end is where the speed leaves nothing. */
static void an_envelope_bounds_motors(void **state)
{
    (void)state;
    lode_link_axis axis = free_axis();
    axis.drive.type = LODE_DRIVE_FORCE;
    axis.drive.damping = 1000;
    axis.drive.max_effort = 8;
    axis.drive.velocity_resistance = 4;
    axis.target_velocity = 10;
    arm a = make_slide(axis, vec(0, 0, 0));
    double h = (double)H, v = 0;
    for (int s = 0; s < 1000; ++s) {
        step_by(&a, 1, H);
        v = (v + h * 8 / 2) / (1 + h * 4 / 2);
        EXPECT_NEAR(slide_of(&a).velocity, v, DOUBLE ? 1e-8 : 1e-3);
    }
    /* the other line: |v| <= max_speed - s |E| */
    axis = slide_of(&a);
    axis.velocity = 0;
    axis.drive.velocity_resistance = 0;
    axis.drive.max_speed = 3;
    axis.drive.speed_effort_gradient = (lode_real)0.5;
    lode_link_set_axis(a.link[1], LODE_AXIS_X, &axis);
    v = 0;
    for (int s = 0; s < 3000; ++s) {
        step_by(&a, 1, H);
        double most = fmin(8, (3 - v) / (h / 2 + 0.5));
        v += h * most / 2;
        EXPECT_NEAR(slide_of(&a).velocity, v, DOUBLE ? 1e-8 : 1e-3);
    }
    EXPECT_NEAR(v, 3, 0.2);
    lode_world_destroy(a.world);
}

/* ---- stops, frictions, limits of speed */

static void stops_are_never_crossed(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        lode_link_axis axis = free_axis();
        axis.motion = LODE_MOTION_LIMITED;
        axis.lo = (lode_real)-0.1;
        axis.hi = (lode_real)0.25;
        axis.velocity = (lode_real)(i % 2 ? -90 : 90);
        arm a = make_slide(axis, vec((lode_real)(i < 2 ? 50 : -50), 0, 0));
        for (int s = 0; s < 2000; ++s) {
            step_by(&a, 1, (lode_real)(i == 3 ? 0.016 : 0.001));
            double q = (double)slide_of(&a).position;
            assert_true(q >= -0.1 - 1e-6 && q <= 0.25 + 1e-6);
        }
        EXPECT_NEAR(slide_of(&a).position, i < 2 ? 0.25 : -0.1, 1e-6);
        EXPECT_NEAR(slide_of(&a).velocity, 0, 1e-5);
        /* it leaves the stop as soon as it is drawn off, without what has pushed there so far */
        lode_world_set_gravity(a.world, vec((lode_real)(i < 2 ? -10 : 10), 0, 0));
        lode_articulation_wake(a.articulation);
        step_by(&a, 100, H);
        EXPECT_NEAR(fabs((double)slide_of(&a).velocity), 1, DOUBLE ? 1e-9 : 1e-4);
        lode_world_destroy(a.world);
    }
}

/* What is beyond its stops comes back and stays. */
static void a_stop_takes_back_what_is_beyond(void **state)
{
    (void)state;
    lode_link_axis axis = free_axis();
    axis.motion = LODE_MOTION_LIMITED;
    axis.lo = -1;
    axis.hi = 0;
    axis.position = (lode_real)0.1;
    arm a = make_slide(axis, vec(0, 0, 0));
    step_by(&a, 200, H);
    double q = (double)slide_of(&a).position;
    assert_true(q <= 1e-6 && q > -1e-3);
    EXPECT_NEAR(slide_of(&a).velocity, 0, 1e-6);
    lode_world_destroy(a.world);
}

static void friction_holds_and_brakes(void **state)
{
    (void)state;
    double tight = DOUBLE ? 1e-9 : 1e-4, h = (double)H;
    lode_link_axis axis = free_axis();
    axis.static_friction = 6;
    axis.dynamic_friction = 4;
    axis.viscous_friction = 3;
    arm a = make_slide(axis, vec((lode_real)2.9, 0, 0)); /* 5.8 N */
    step_by(&a, 100, H);
    EXPECT_NEAR(slide_of(&a).position, 0, tight);
    lode_world_set_gravity(a.world, vec((lode_real)3.1, 0, 0)); /* 6.2 N: it goes */
    lode_articulation_wake(a.articulation);
    double v = 0;
    for (int s = 0; s < 2000; ++s) {
        step_by(&a, 1, H);
        v = (v + h * (6.2 - 4) / 2) / (1 + h * 3 / 2);
        EXPECT_NEAR(slide_of(&a).velocity, v, tight * 10);
    }
    lode_world_set_gravity(a.world, vec(0, 0, 0)); /* and comes to rest */
    step_by(&a, 2000, H);
    EXPECT_NEAR(slide_of(&a).velocity, 0, tight);
    lode_world_destroy(a.world);
}

/* A share of what the joint bears: a block of 2 kg on a rail, g = 10, bears 20 N. */
static void a_coefficient_brakes_by_the_load(void **state)
{
    (void)state;
    arm a = make_slide(free_axis(), vec(0, 0, -10));
    assert_int_equal(lode_link_set_friction_coefficient(a.link[1], (lode_real)0.1), LODE_OK);
    lode_link_set_joint_force(a.link[1], LODE_AXIS_X, (lode_real)1.9);
    step_by(&a, 100, H);
    double bears = sqrt(400 + 1.9 * 1.9); /* the force by hand is borne, too */
    EXPECT_NEAR(slide_of(&a).velocity, 0, DOUBLE ? 1e-9 : 1e-5);
    lode_link_set_joint_force(a.link[1], LODE_AXIS_X, 5);
    step_by(&a, 1000, H);
    bears = sqrt(400 + 25);
    EXPECT_NEAR(slide_of(&a).velocity, (5 - 0.1 * bears) / 2, 1e-3);
    lode_world_destroy(a.world);
}

static void joints_are_no_faster_than_they_may(void **state)
{
    (void)state;
    lode_link_axis axis = free_axis();
    axis.max_velocity = (lode_real)0.5;
    arm a = make_slide(axis, vec(10, 0, 0));
    step_by(&a, 1000, H);
    EXPECT_NEAR(slide_of(&a).velocity, 0.5, DOUBLE ? 1e-9 : 1e-5);
    lode_world_set_gravity(a.world, vec(-10, 0, 0));
    lode_articulation_wake(a.articulation);
    step_by(&a, 50, H); /* and turns round without delay */
    EXPECT_NEAR(slide_of(&a).velocity, 0, DOUBLE ? 1e-9 : 1e-4);
    lode_world_destroy(a.world);
}

static void links_are_no_faster_than_they_may(void **state)
{
    (void)state;
    arm a = make_tree(vec(0, 0, -10));
    assert_int_equal(lode_body_set_max_linear_speed(a.link[4], (lode_real)0.5), LODE_OK);
    assert_int_equal(lode_body_set_max_angular_speed(a.link[4], (lode_real)0.7), LODE_OK);
    lode_body_add_angular_impulse(a.link[0], vec(3, 2, 1));
    for (int s = 0; s < 500; ++s) {
        step_by(&a, 1, H);
        assert_true(length_of(lode_body_get_linear_velocity(a.link[4])) <= 0.5 * 1.01);
        assert_true(length_of(lode_body_get_angular_velocity(a.link[4])) <= 0.7 * 1.01);
    }
    lode_world_destroy(a.world);
}

/* The whole is slowed, not its joints. */
static void the_whole_is_no_faster_than_it_may(void **state)
{
    (void)state;
    arm a = make_tree(vec(0, 0, -10));
    lode_articulation_def def = lode_articulation_get_def(a.articulation);
    def.max_com_linear_speed = (lode_real)0.3;
    assert_int_equal(lode_articulation_set_def(a.articulation, &def), LODE_OK);
    step_by(&a, 200, H);
    momentum m = momentum_of(&a);
    double v = sqrt(m.p[0] * m.p[0] + m.p[1] * m.p[1] + m.p[2] * m.p[2]) / m.mass;
    EXPECT_NEAR(v, 0.3, 1e-3);
    lode_world_destroy(a.world);
    /* the spin: of two balls on a spherical joint that turn as one */
    a = make_arm(vec(0, 0, 0), false);
    def.max_com_angular_speed = (lode_real)0.5;
    def.max_com_linear_speed = 100;
    lode_articulation_set_def(a.articulation, &def);
    add_root(&a, vec(0, 0, 0));
    set_mass(a.link[0], 1, 0.1, 0.1, 0.1);
    lode_link_def link = lode_link_def_default(LODE_LINK_SPHERICAL);
    link.parent_frame.position.x = 1;
    link.child_frame.position.x = -1;
    set_mass(add(&a, &link), 1, 0.1, 0.1, 0.1);
    insert(&a);
    lode_articulation_set_root_angular_velocity(a.articulation, vec(0, 0, 2), true);
    lode_articulation_set_root_linear_velocity(a.articulation, vec(0, -2, 0), true);
    step_by(&a, 1, H);
    for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(length_of(lode_body_get_angular_velocity(a.link[i])), 0.5, 1e-3);
    EXPECT_NEAR(length_of(lode_body_get_linear_velocity(a.link[1])), 0.5, 1e-3);
    lode_world_destroy(a.world);
}

static void gravity_and_damping_are_each_links_own(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), false);
    lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
    def.gravity_scale = (lode_real)-0.5;
    def.linear_damping = 2;
    def.angular_damping = 3;
    set_mass(add(&a, &def), 2, 1, 1, 1);
    insert(&a);
    lode_articulation_set_root_angular_velocity(a.articulation, vec(0, 0, 4), true);
    double v = 0, w = 4, h = (double)H;
    for (int s = 0; s < 300; ++s) {
        step_by(&a, 1, H);
        v += h * (5 - 2 * v); /* explicit: v (1 - c h) */
        w -= h * 3 * w;
        EXPECT_NEAR(lode_body_get_linear_velocity(a.link[0]).z, v, DOUBLE ? 1e-11 : 1e-5);
        EXPECT_NEAR(lode_body_get_angular_velocity(a.link[0]).z, w, DOUBLE ? 1e-11 : 1e-5);
    }
    lode_link_set_damping(a.link[0], 1, (lode_real)1e9); /* no more than there is */
    step_by(&a, 2, H);
    EXPECT_NEAR(lode_body_get_angular_velocity(a.link[0]).z, 0, 1e-5);
    lode_world_destroy(a.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drives_are_implicit_springs),
        cmocka_unit_test(a_drive_without_end_is_kinematic),
        cmocka_unit_test(drives_give_no_more_than_they_may),
        cmocka_unit_test(an_envelope_bounds_motors),
        cmocka_unit_test(stops_are_never_crossed),
        cmocka_unit_test(a_stop_takes_back_what_is_beyond),
        cmocka_unit_test(friction_holds_and_brakes),
        cmocka_unit_test(a_coefficient_brakes_by_the_load),
        cmocka_unit_test(joints_are_no_faster_than_they_may),
        cmocka_unit_test(links_are_no_faster_than_they_may),
        cmocka_unit_test(the_whole_is_no_faster_than_it_may),
        cmocka_unit_test(gravity_and_damping_are_each_links_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
