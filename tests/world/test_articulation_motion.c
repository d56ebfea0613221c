/* How articulations move: against analysis, integration by other means, and the laws of
 * conservation. */
#include "tests/world/links.h"

/* ---- pendulums */

static void a_pendulum_has_its_period(void **state)
{
    (void)state;
    const double angles[] = {0.1, 1, 2.5};
    for (int i = 0; i < 3; ++i) {
        arm a = make_arm(vec(0, 0, -10), true);
        add_root(&a, vec(1, 2, 3));
        lode_link_def def = hinge_at(vec(0, 0, 0), vec(0, 0, (lode_real)0.8));
        def.axis[0].position = (lode_real)angles[i];
        set_mass(add(&a, &def), 2, 0.3, 0.4, 0.5);
        insert(&a);
        double wanted = period(0.4 + 2 * 0.64, 2 * 10 * 0.8, angles[i]), time = 0, before = 1;
        int crossings = 0;
        double first = 0, last = 0;
        while (crossings < 5) { /* five times down through the middle */
            double q = q_of(a.link[1]);
            step_by(&a, 1, H);
            time += (double)H;
            double now = q_of(a.link[1]);
            if (q > 0 && now <= 0) {
                last = time - (double)H * now / (now - q);
                first = crossings++ == 0 ? last : first;
            }
            before = now;
        }
        (void)before;
        EXPECT_NEAR((last - first) / 4, wanted, 1e-4 * wanted);
        lode_world_destroy(a.world);
    }
}

/* Two rods, each 1 long, 1 kg, hinges at their ends; angles against the vertical. */
typedef struct two {
    double q[2], v[2];
} two;

static void accelerate_two(const two *s, double out[2])
{
    const double m = 1, l = 1, c = 0.5, inertia = 1.0 / 12, g = 9.81;
    double d = s->q[0] - s->q[1]; /* absolute angles */
    double a11 = inertia + m * c * c + m * l * l, a22 = inertia + m * c * c,
           a12 = m * l * c * cos(d);
    double b1 = -m * l * c * sin(d) * s->v[1] * s->v[1] - (m * c + m * l) * g * sin(s->q[0]);
    double b2 = m * l * c * sin(d) * s->v[0] * s->v[0] - m * c * g * sin(s->q[1]);
    double det = a11 * a22 - a12 * a12;
    out[0] = (b1 * a22 - b2 * a12) / det;
    out[1] = (b2 * a11 - b1 * a12) / det;
}

static two moved_two(two s, const double v[2], const double a[2], double h)
{
    for (int i = 0; i < 2; ++i) {
        s.q[i] += h * v[i];
        s.v[i] += h * a[i];
    }
    return s;
}

static two runge_kutta(two s, double h)
{
    double a[4][2], v[4][2];
    const double at[4] = {0, 0.5, 0.5, 1};
    for (int k = 0; k < 4; ++k) {
        two x = k > 0 ? moved_two(s, v[k - 1], a[k - 1], at[k] * h) : s;
        accelerate_two(&x, a[k]);
        v[k][0] = x.v[0], v[k][1] = x.v[1];
    }
    for (int i = 0; i < 2; ++i) {
        s.q[i] += h / 6 * (v[0][i] + 2 * v[1][i] + 2 * v[2][i] + v[3][i]);
        s.v[i] += h / 6 * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]);
    }
    return s;
}

/* The error halves with the step, and is small. */
static void a_double_pendulum_follows_its_equations(void **state)
{
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        lode_real h = (lode_real)(fine ? 0.00025 : 0.0005);
        arm a = make_arm(vec(0, 0, (lode_real)-9.81), true);
        add_root(&a, vec(0, 0, 0));
        for (int i = 0; i < 2; ++i) {
            lode_link_def def = hinge_at(vec(0, 0, (lode_real)(i ? -0.5 : 0)),
                                         vec(0, 0, (lode_real)0.5));
            def.axis[0].position = (lode_real)(i ? -0.4 : 1);
            set_mass(add(&a, &def), 1, 1.0 / 12, 1.0 / 12, 0.01);
        }
        insert(&a);
        two s = {{1, 0.6}, {0, 0}};
        int steps = (int)(1.5 / (double)h + 0.5);
        step_by(&a, steps, h);
        for (int i = 0; i < 10 * steps; ++i)
            s = runge_kutta(s, (double)h / 10);
        error[fine] = fabs(q_of(a.link[1]) - s.q[0]) +
                      fabs(q_of(a.link[1]) + q_of(a.link[2]) - s.q[1]);
        lode_world_destroy(a.world);
    }
    assert_true(error[1] < 0.01);
    if (DOUBLE)
        EXPECT_NEAR(error[0] / error[1], 2, 0.2);
}

/* ---- conservation */

static void what_floats_keeps_its_momentum(void **state)
{
    (void)state;
    arm a = make_tree(vec(0, 0, 0));
    lode_articulation_set_root_linear_velocity(a.articulation, vec(1, 2, 3), true);
    lode_articulation_set_root_angular_velocity(a.articulation, vec(1, -1, 2), true);
    momentum before = momentum_of(&a);
    step_by(&a, 100, H); /* explicit in what turns: an error of first order in the step */
    momentum after = momentum_of(&a);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(after.p[k], before.p[k], 0.02);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(after.l[k], before.l[k], 0.02);
    lode_world_destroy(a.world);
}

/* Momentum is gained by as much as is given, about any point, and joints are not torn. */
static void a_kick_gives_its_momentum(void **state)
{
    (void)state;
    double tight = DOUBLE ? 1e-11 : 1e-4;
    arm a = make_tree(vec(0, 0, 0));
    for (int i = 0; i < a.count; ++i) {
        momentum before = momentum_of(&a);
        lode_vec3 kick = vec(3, -2, 1), spin = vec((lode_real)0.3, (lode_real)-0.1, 1);
        lode_vec3 at = lode_body_get_center(a.link[i]);
        assert_int_equal(lode_body_add_impulse(a.link[i], kick), LODE_OK);
        assert_int_equal(lode_body_add_angular_impulse(a.link[i], spin), LODE_OK);
        momentum after = momentum_of(&a);
        EXPECT_NEAR(after.p[0] - before.p[0], kick.x, tight);
        EXPECT_NEAR(after.p[1] - before.p[1], kick.y, tight);
        EXPECT_NEAR(after.p[2] - before.p[2], kick.z, tight);
        EXPECT_NEAR(after.l[0] - before.l[0], spin.x + at.y * kick.z - at.z * kick.y, tight);
        EXPECT_NEAR(after.l[1] - before.l[1], spin.y + at.z * kick.x - at.x * kick.z, tight);
        EXPECT_NEAR(after.l[2] - before.l[2], spin.z + at.x * kick.y - at.y * kick.x, tight);
    }
    /* velocities are those that joints allow: the same that their own speeds make */
    lode_vec3 v[MOST_LINKS];
    for (int i = 0; i < a.count; ++i)
        v[i] = lode_body_get_linear_velocity(a.link[i]);
    lode_link_axis one = axis_of(a.link[1], 0);
    lode_link_set_velocity(a.link[1], LODE_AXIS_TWIST, one.velocity);
    for (int i = 0; i < a.count; ++i)
        assert_true(near_vec(v[i], lode_body_get_linear_velocity(a.link[i]), tight));
    lode_world_destroy(a.world);
}

/* ---- several turns */

/* A ball on a spherical joint that is driven to targets: it gets there the shorter way, and the
 * positions are the rotation vector. */
static void spherical_joints_go_to_their_targets(void **state)
{
    (void)state;
    for (int locked = -1; locked < 3; ++locked) {
        arm a = make_arm(vec(0, 0, 0), true);
        add_root(&a, vec(0, 0, 0));
        lode_link_def def = lode_link_def_default(LODE_LINK_SPHERICAL);
        lode_real targets[3] = {(lode_real)1.9, (lode_real)-1.4, (lode_real)1.7};
        for (int k = 0; k < 3; ++k) {
            def.axis[k].motion = k == locked ? LODE_MOTION_LOCKED : LODE_MOTION_FREE;
            def.axis[k].drive.type = LODE_DRIVE_ACCELERATION;
            def.axis[k].drive.stiffness = 100;
            def.axis[k].drive.damping = 20;
            targets[k] = k == locked ? 0 : targets[k];
        }
        set_mass(add(&a, &def), 1, 0.1, 0.2, 0.3);
        insert(&a);
        for (int k = 0; k < 3; ++k)
            if (k != locked)
                lode_link_set_target(a.link[1], (lode_link_axis_index)k, targets[k], true);
        step_by(&a, 4000, H);
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(axis_of(a.link[1], k).position, targets[k], 2e-3);
            EXPECT_NEAR(axis_of(a.link[1], k).velocity, 0, 2e-3);
        }
        lode_world_destroy(a.world);
    }
}

/* Across the end of the rotation vector, at pi, a drive goes on. */
static void a_drive_crosses_half_a_turn(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, 0), true);
    add_root(&a, vec(0, 0, 0));
    lode_link_def def = lode_link_def_default(LODE_LINK_SPHERICAL);
    for (int k = 0; k < 3; ++k) {
        def.axis[k].drive.type = LODE_DRIVE_ACCELERATION;
        def.axis[k].drive.stiffness = 100;
        def.axis[k].drive.damping = 20;
    }
    def.axis[0].position = (lode_real)3;
    def.axis[0].target = (lode_real)-3; /* 0.28 further on */
    set_mass(add(&a, &def), 1, 0.1, 0.2, 0.3);
    insert(&a);
    for (int s = 0; s < 3000; ++s) {
        step_by(&a, 1, H);
        assert_true(fabs((double)axis_of(a.link[1], 0).position) > 2.9);
    }
    EXPECT_NEAR(axis_of(a.link[1], 0).position, -3, 1e-3);
    lode_world_destroy(a.world);
}

/* Turns of a revolute joint: counted on, and wrapped by two whole ones. */
static void turns_are_counted_or_wrapped(void **state)
{
    (void)state;
    for (int wraps = 0; wraps < 2; ++wraps) {
        arm a = make_arm(vec(0, 0, 0), true);
        add_root(&a, vec(0, 0, 0));
        lode_link_def def = hinge_at(vec(0, 0, 0), vec(0, 0, 0));
        def.type = wraps ? LODE_LINK_REVOLUTE : LODE_LINK_REVOLUTE_UNWRAPPED;
        def.axis[0].velocity = 20;
        set_mass(add(&a, &def), 1, 0.1, 0.2, 0.3);
        insert(&a);
        double q = 0;
        for (int s = 0; s < 1000; ++s) {
            step_by(&a, 1, H);
            q += 20 * (double)H;
            q -= wraps && q > 2 * PI ? 4 * PI : 0;
            EXPECT_NEAR(q_of(a.link[1]), q, DOUBLE ? 1e-9 : 1e-3);
        }
        lode_world_destroy(a.world);
    }
}

/* A bar on six axes of which four are free: slides are the parent's, and it falls like a free body
 * along what is free. */
static void six_axes_are_free_as_they_are_asked(void **state)
{
    (void)state;
    arm a = make_arm(vec(1, -2, -3), true);
    add_root(&a, vec(0, 0, 0));
    lode_link_def def = lode_link_def_default(LODE_LINK_SIX_AXES);
    def.axis[LODE_AXIS_X].motion = def.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_SWING1].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_SWING1].velocity = 2;
    set_mass(add(&a, &def), 2, 0.1, 0.1, 0.1);
    insert(&a);
    step_by(&a, 1000, H);
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_X).velocity, 1, 1e-4);
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_Z).velocity, -3, 1e-4);
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_X).position, 0.5005, 1e-4);
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_SWING1).position, 2, 1e-3);
    lode_vec3 at = lode_body_get_center(a.link[1]);
    EXPECT_NEAR(at.y, 0, 1e-12);
    EXPECT_NEAR(at.x, axis_of(a.link[1], LODE_AXIS_X).position, 1e-6);
    lode_world_destroy(a.world);
}

/* ---- a long chain */

static lode_vec3 end_of(lode_body body, lode_pose frame)
{
    return lode_body_point_to_world(body, frame.position);
}

/* It does not stretch at all: where a joint is on one link, it is on the other. */
static void a_long_chain_does_not_stretch(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), true);
    add_root(&a, vec(0, 0, 0));
    for (int i = 0; i < 100; ++i) {
        lode_link_def def = lode_link_def_default(LODE_LINK_SPHERICAL);
        def.parent_frame.position.x = (lode_real)(i ? 0.05 : 0);
        def.child_frame.position.x = (lode_real)-0.05;
        double m = i == 99 ? 1000 : 1;
        set_mass(add(&a, &def), m, m * 0.001, m * 0.002, m * 0.002);
    }
    insert(&a);
    for (int s = 0; s < 300; ++s) {
        step_by(&a, 1, (lode_real)1 / 240);
        for (int i = 1; i < a.count; ++i) {
            lode_vec3 p = end_of(a.link[i - 1], lode_link_get_parent_frame(a.link[i]));
            lode_vec3 c = end_of(a.link[i], lode_link_get_child_frame(a.link[i]));
            assert_true(near_vec(p, c, DOUBLE ? 1e-13 : 1e-5));
        }
    }
    assert_true((double)lode_body_get_center(a.link[100]).z < -1); /* and it falls */
    lode_world_destroy(a.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_its_period),
        cmocka_unit_test(a_double_pendulum_follows_its_equations),
        cmocka_unit_test(what_floats_keeps_its_momentum),
        cmocka_unit_test(a_kick_gives_its_momentum),
        cmocka_unit_test(spherical_joints_go_to_their_targets),
        cmocka_unit_test(a_drive_crosses_half_a_turn),
        cmocka_unit_test(turns_are_counted_or_wrapped),
        cmocka_unit_test(six_axes_are_free_as_they_are_asked),
        cmocka_unit_test(a_long_chain_does_not_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
