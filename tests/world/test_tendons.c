/* test_tendons.c: tendons and mimic joints of articulations at rest, under load and when stiff.
 * Their forces in random states are in test_tendon_forces.c, their functions in
 * test_tendon_calls.c. */
#include "tests/world/arm.h"

#include <math.h>

#ifdef LODE_DOUBLE
static const double tight = 1e-10;
#else
static const double tight = 2e-5;
#endif

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static int no_reports(void **state)
{
    (void)state;
    return report.count;
}

/* Three parallel turns, the tendon anchored at the first one's link: they feel (0, f2 + f3, f3),
 * for the opposite holds them still. */
static void test_a_fixed_tendon_reacts_on_its_anchor(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0));
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_FIXED);
    def.stiffness = 40;
    def.damping = 3;
    def.offset = 0.25f;
    def.rest_length = 0.125f;
    lode_tendon tendon = lode_tendon_create(l.articulation, &def);
    assert_int_equal(arm_run_along(tendon, -1, l.link[1], 7, 9), 0);
    assert_int_equal(arm_run_along(tendon, 0, l.link[2], 1, 1), 1);
    assert_int_equal(arm_run_along(tendon, 1, l.link[3], 2, 0.5), 2);
    arm_insert(&l);
    const double q[4] = {0, 0.3, 0.5, -0.7};
    for (int i = 1; i < 4; ++i)
        lode_link_set_position(l.link[i], LODE_AXIS_TWIST, (lode_real)q[i]);
    double length = 0.25 + q[2] + 2 * q[3], pull = 40 * (length - 0.125) / 2;
    double f2 = -1 * pull, f3 = -0.5 * pull;
    assert_true(near(lode_tendon_get_length(tendon, 0), length, tight));
    lode_link_set_joint_force(l.link[2], LODE_AXIS_TWIST, (lode_real) - (f2 + f3));
    lode_link_set_joint_force(l.link[3], LODE_AXIS_TWIST, (lode_real)-f3);
    arm_step(&l, 0.01, 3);
    for (int i = 1; i < 4; ++i)
        assert_true(near(arm_speed(&l, i), 0, tight * 100));
    lode_link_set_joint_force(l.link[2], LODE_AXIS_TWIST, (lode_real)-f2);
    arm_step(&l, 0.01, 1);
    assert_true(fabs(arm_speed(&l, 2)) > 1e-3);
    lode_world_destroy(l.world);
}

/* A weight falls freely until its rope is taut, and then hangs by it. */
static void test_limits_hold(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_PRISMATIC, 2, true, vec(10, 0, 0));
    lode_tendon rope = arm_spatial(&l, 0, 200, 1e5);
    assert_int_equal(arm_attach(rope, -1, l.link[0], vec(0, 0, 0), 0), 0);
    assert_int_equal(arm_attach(rope, 0, l.link[1], vec(0.5f, 0, 0), 0), 1);
    lode_tendon_def slack = lode_tendon_get_def(rope);
    slack.damping = 0;
    assert_int_equal(lode_tendon_set_def(rope, &slack, false), LODE_OK);
    lode_tendon_attachment a = lode_tendon_get_attachment(rope, 1);
    a.lo = 0.25f;
    a.hi = 1.5f;
    assert_int_equal(lode_tendon_set_attachment(rope, 1, &a, false), LODE_OK);
    arm_insert(&l);
    arm_step(&l, 1.0 / 256, 64);
    assert_true(near(arm_speed(&l, 1), 2.5, tight * 100));
    slack.damping = 200;
    arm_step(&l, 1.0 / 256, 40);
    assert_int_equal(lode_tendon_set_def(rope, &slack, true), LODE_OK);
    arm_step(&l, 1.0 / 256, 3000);
    assert_true(near(lode_tendon_get_length(rope, 1), 1.5 + 1.5 * 10 / 1e5, 1e-6));
    assert_true(near(arm_position(&l, 1), 1.0 + 1.5 * 10 / 1e5, 1e-6));
    lode_world_set_gravity(l.world, vec(-10, 0, 0)); /* and is kept from its end, from below */
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0);
    arm_step(&l, 1.0 / 256, 3000);
    assert_true(near(lode_tendon_get_length(rope, 1), 0.25 - 1.5 * 10 / 1e5, 1e-6));
    lode_world_destroy(l.world);
}

/* A link that hangs level by its end: the joint bears what the line does not, of its weight. */
static void test_joints_bear_what_tendons_do_not(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE, 2, true, vec(0, 0, -10));
    lode_tendon line = arm_spatial(&l, 1e4, 500, 0);
    arm_attach(line, -1, l.link[0], vec(1, 0, 2), 0);
    arm_attach(line, 0, l.link[1], vec(0.5f, 0, 0), 2 - 7.5 / 1e4);
    arm_insert(&l);
    arm_step(&l, 1.0 / 240, 200);
    assert_true(near(arm_position(&l, 1), 0, 1e-5));
    lode_articulation_cache *cache = lode_articulation_cache_create(l.articulation);
    assert_int_equal(
        lode_articulation_cache_copy(l.articulation, cache, LODE_CACHE_INCOMING_JOINT_FORCE),
        LODE_OK);
    lode_spatial_force borne = cache->link_incoming_joint_force[1];
    lode_vec3 f = borne.force, n = borne.torque;
    assert_true(near(f.z, 7.5, 1e-3) && near(f.x, 0, 1e-3) && near(f.y, 0, 1e-3));
    assert_true(near(n.x, 0, 1e-3) && near(n.y, 0, 1e-3) && near(n.z, 0, 1e-3));
    lode_articulation_cache_destroy(cache);
    lode_world_destroy(l.world);
}

/* Mechanical energy of a chain under gravity along z. */
static double energy(const arm *l)
{
    double sum = 0;
    for (int i = 1; i < l->count; ++i) {
        lode_mass m = lode_body_get_mass(l->link[i]);
        lode_vec3 v = lode_body_get_linear_velocity(l->link[i]);
        lode_vec3 w = lode_body_get_angular_velocity(l->link[i]);
        sum += 0.5 * (double)m.mass * (double)(v.x * v.x + v.y * v.y + v.z * v.z) +
               0.5 * (double)m.inertia[0] * (double)(w.x * w.x + w.y * w.y + w.z * w.z) +
               10 * (double)m.mass * (double)lode_body_get_center(l->link[i]).z;
    }
    return sum;
}

/* A chain that whips about, held by two lines and one coupling: gains less than 5 % of what its
 * weights could give, 360 J. A line is longer at most by what a step leads off a circle of a metre,
 * at 10 m/s, and by what it gives. */
static void check_stiff(double stiffness, double h)
{
    const double most = (10 * h) * (10 * h) / 2 + (stiffness > 1e6 ? 0.01 : 0.02);
    arm l = arm_make(LODE_LINK_REVOLUTE, 6, true, vec(0, 0, -10));
    lode_tendon stay = arm_spatial(&l, stiffness, 0, stiffness);
    arm_attach(stay, -1, l.link[0], vec(0, 0, 1), 0);
    arm_attach(stay, 0, l.link[2], vec(0, 0, 0), 0);
    arm_attach(stay, 0, l.link[4], vec(0.1f, 0, 0.1f), 0);
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_FIXED);
    def.stiffness = (lode_real)stiffness;
    lode_tendon couple = lode_tendon_create(l.articulation, &def);
    arm_run_along(couple, -1, l.link[2], 1, 1);
    arm_run_along(couple, 0, l.link[3], 1, 1);
    arm_insert(&l);
    for (int leaf = 1; leaf < 3; ++leaf) {
        lode_tendon_attachment a = lode_tendon_get_attachment(stay, leaf);
        a.rest_length = lode_tendon_get_length(stay, leaf);
        assert_int_equal(lode_tendon_set_attachment(stay, leaf, &a, true), LODE_OK);
    }
    lode_link_set_velocity(l.link[5], LODE_AXIS_TWIST, 3);
    double begin = energy(&l);
    for (int i = 0; i < 3000; ++i) {
        arm_step(&l, h, 1);
        assert_true(energy(&l) < begin + 18);
        for (int leaf = 1; leaf < 3; ++leaf)
            assert_true(fabs(lode_tendon_get_length(stay, leaf) -
                             lode_tendon_get_attachment(stay, leaf).rest_length) < most);
        assert_true(fabs(arm_position(&l, 3)) < 0.005);
    }
    lode_world_destroy(l.world);
}

static void test_stiff_tendons_are_stable(void **state)
{
    (void)state;
    check_stiff(1e6, 1.0 / 240);
    check_stiff(1e8, 1.0 / 60);
    check_stiff(1e8, 1.0 / 240);
    check_stiff(1e8, 1.0 / 1000);
    check_stiff(1e12, 1.0 / 240);
}

/* Twice the same, and three that follow from two, are no more than once. */
static void test_what_is_held_twice_holds(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE_UNWRAPPED, 4, true, vec(0, 0, -10));
    for (int i = 0; i < 4; ++i) {
        lode_mimic_def def = lode_mimic_def_default();
        def.link_a = l.link[i == 2 ? 2 : 1];
        def.link_b = l.link[i == 0 || i == 3 ? 2 : 3];
        def.gear_ratio = -1;
        assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    }
    for (int i = 0; i < 2; ++i) {
        lode_tendon stay = arm_spatial(&l, 1e30, 0, 0);
        arm_attach(stay, -1, l.link[0], vec(0, 0, 0.5f), 0);
        arm_attach(stay, 0, l.link[1], vec(0, 0, 0), sqrt(0.5));
    }
    arm_insert(&l);
    for (int i = 0; i < 1000; ++i) {
        arm_step(&l, 1.0 / 240, 1);
        for (int k = 1; k < 4; ++k)
            assert_true(fabs(arm_position(&l, k)) < 1e-3);
    }
    lode_world_destroy(l.world);
}

/* Attachments at one place have no direction: nothing moves, nothing is lost. */
static void test_a_stretch_of_no_length_pulls_nothing(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_PRISMATIC, 2, true, vec(0, 0, 0));
    lode_tendon tendon = arm_spatial(&l, 1e6, 1, 1);
    arm_attach(tendon, -1, l.link[0], vec(0, 0, 0), 0);
    arm_attach(tendon, 0, l.link[1], vec(0.0005f, 0, 0), 1);
    arm_insert(&l);
    arm_step(&l, 0.01, 10);
    assert_true(arm_speed(&l, 1) == 0 && arm_position(&l, 1) == 0);
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0.001f);
    arm_step(&l, 0.01, 1);
    assert_true(arm_speed(&l, 1) > 0);
    lode_world_destroy(l.world);
}

/* ---- mimic joints */

/* A force on one slide moves both as one mass would: m_a + m_b / G^2. */
static void test_a_hard_mimic_shares_a_load(void **state)
{
    const double ratio = -2, h = 1.0 / 1024, masses[] = {1.5, 2};
    (void)state;
    arm l = arm_make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_mimic_def def = arm_pair(&l, ratio, 0);
    assert_true(lode_mimic_is_valid(lode_mimic_create(l.articulation, &def)));
    arm_insert(&l);
    lode_link_set_joint_force(l.link[1], LODE_AXIS_X, 3);
    arm_step(&l, h, 1024);
    double speed_of_one = 3 / (masses[0] + masses[1] / (ratio * ratio));
    assert_true(near(arm_speed(&l, 1), speed_of_one, 1e3 * tight));
    assert_true(near(arm_position(&l, 1) + ratio * arm_position(&l, 2), 0, tight));
    assert_true(near(arm_speed(&l, 1) + ratio * arm_speed(&l, 2), 0, 10 * tight));
    lode_world_destroy(l.world);
}

/* Turns of a chain that swings and is kicked keep their ratio; from a wrong one they come to it. */
static void test_a_hard_mimic_holds_under_load(void **state)
{
    (void)state;
    arm l = arm_make(LODE_LINK_REVOLUTE_UNWRAPPED, 6, true, vec(0, 0, -10));
    lode_mimic_def def = arm_pair(&l, -0.5, 0.25);
    def.natural_frequency = -1;
    def.damping_ratio = 5;
    assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    def.link_a = l.link[3];
    def.link_b = l.link[5];
    def.gear_ratio = 1;
    def.offset = 0;
    def.natural_frequency = 100;
    def.damping_ratio = 0;
    assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    arm_insert(&l);
    arm_step(&l, 1.0 / 240, 120); /* 0.25 of a radian must go first */
    for (int i = 0; i < 1000; ++i) {
        if (i % 100 == 0)
            lode_body_add_impulse(l.link[4], vec(0, 0, 5));
        arm_step(&l, 1.0 / 240, 1);
        assert_true(near(arm_position(&l, 1) - 0.5 * arm_position(&l, 2) + 0.25, 0, 1e-4));
        assert_true(near(arm_position(&l, 3) + arm_position(&l, 5), 0, 1e-4));
    }
    lode_world_destroy(l.world);
}

/* x'' + 2 z w x' + w^2 x = 0 from x = 1 at rest. */
static double oscillation(double w, double z, double t)
{
    double d = w * sqrt(fabs(1 - z * z));
    if (z < 1)
        return exp(-z * w * t) * (cos(d * t) + z * w / d * sin(d * t));
    if (z > 1)
        return exp(-z * w * t) * (cosh(d * t) + z * w / d * sinh(d * t));
    return (1 + w * t) * exp(-w * t);
}

static void check_oscillation(double w, double z, double ratio, lode_real mass)
{
    const double h = 1e-4;
    arm l = arm_make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_mass heavy = {.mass = mass, .inertia = {1, 1, 1}};
    lode_body_set_mass(l.link[2], &heavy);
    lode_mimic_def def = arm_pair(&l, ratio, 0.5);
    def.natural_frequency = (lode_real)w;
    def.damping_ratio = (lode_real)z;
    assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    arm_insert(&l);
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0.5f);
    for (int i = 1; i <= 20; ++i) {
        arm_step(&l, h, 500);
        double c = arm_position(&l, 1) + ratio * arm_position(&l, 2) + 0.5;
        assert_true(near(c, oscillation(w, z, 500 * h * i), 0.01));
        /* what moves one moves the other by the ratio */
        double drift = ratio * 1.5 * (arm_position(&l, 1) - 0.5) -
                       (double)mass * arm_position(&l, 2);
        assert_true(near(drift, 0, 1e3 * tight));
    }
    lode_world_destroy(l.world);
}

static void test_a_soft_mimic_is_an_oscillator(void **state)
{
    (void)state;
    check_oscillation(10, 0.1, 1, 2);
    check_oscillation(10, 1, -3, 0.5f);
    check_oscillation(8, 2, 0.5, 40);
    check_oscillation(0.5, 0.7, 1, 2);
}

/* Nor does the frequency ask what drives do: it is of the inertia alone. */
static void test_a_soft_mimic_knows_no_drives(void **state)
{
    double after[2];
    (void)state;
    for (int driven = 0; driven < 2; ++driven) {
        arm l = arm_make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
        lode_mimic_def def = arm_pair(&l, 1, 0);
        def.natural_frequency = 30;
        def.damping_ratio = 1;
        lode_mimic mimic = lode_mimic_create(l.articulation, &def);
        lode_link_axis axis = lode_link_get_axis(l.link[1], LODE_AXIS_X);
        axis.position = axis.target = 1;
        axis.drive.type = driven ? LODE_DRIVE_FORCE : LODE_DRIVE_NONE;
        axis.drive.damping = 1e8f;
        assert_int_equal(lode_link_set_axis(l.link[1], LODE_AXIS_X, &axis), LODE_OK);
        arm_insert(&l);
        arm_step(&l, 1e-3, 1);
        /* the held slide's share of the force is lost, the other's is as before */
        after[driven] = arm_speed(&l, 2);
        assert_true(lode_mimic_is_valid(mimic));
        lode_world_destroy(l.world);
    }
    assert_true(near(after[0], after[1], 0.1 * fabs(after[0])));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, no_reports)
    const struct CMUnitTest tests[] = {
        TEST(test_a_fixed_tendon_reacts_on_its_anchor),
        TEST(test_limits_hold),
        TEST(test_joints_bear_what_tendons_do_not),
        TEST(test_stiff_tendons_are_stable),
        TEST(test_what_is_held_twice_holds),
        TEST(test_a_stretch_of_no_length_pulls_nothing),
        TEST(test_a_hard_mimic_shares_a_load),
        TEST(test_a_hard_mimic_holds_under_load),
        TEST(test_a_soft_mimic_is_an_oscillator),
        TEST(test_a_soft_mimic_knows_no_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
