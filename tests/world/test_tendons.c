/* test_tendons.c: tendons and mimic joints of articulations: what holds at rest, under load and
 * when stiff; what of them can be made, asked and changed, and what is refused. Their forces in
 * random states are in test_tendon_forces.c. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LINKS = 8 };

#ifdef LODE_DOUBLE
static const double tight = 1e-10;
#else
static const double tight = 2e-5;
#endif

/* A fixed base and links on it: each on the one before (a chain) or all on the base (a hand). */
typedef struct limb {
    lode_world world;
    lode_articulation articulation;
    lode_body link[MOST_LINKS];
    int count;
} limb;

static lode_world world_with(lode_vec3 gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = gravity;
    def.sub_steps = 1;
    return lode_world_create(&def);
}

/* Turns are about y of the links' ends, slides along x. */
static limb make_in(lode_world world, lode_link_joint_type type, int count, bool chain)
{
    limb l = {.world = world, .count = count};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = true;
    def.self_collision = false;
    l.articulation = lode_articulation_create(world, &def);
    for (int i = 0; i < count; ++i) {
        lode_link_def link = lode_link_def_default(i > 0 ? type : LODE_LINK_FIXED);
        link.parent = i == 0 ? (lode_body){0} : l.link[chain ? i - 1 : 0];
        if (type != LODE_LINK_PRISMATIC && i > 0) {
            link.parent_frame.position = vec(chain && i > 1 ? 0.5f : 0, chain ? 0 : 0.2f * i, 0);
            link.child_frame.position = vec(-0.5f, 0, 0);
            link.parent_frame.rotation = link.child_frame.rotation = (lode_quat){
                (lode_real)0.70710678118654752, 0, 0, (lode_real)0.70710678118654752};
        }
        l.link[i] = lode_articulation_add_link(l.articulation, &link);
        lode_mass mass = {.mass = 1 + 0.5f * i, .inertia = {0.1f, 0.1f, 0.1f}};
        assert_int_equal(lode_body_set_mass(l.link[i], &mass), LODE_OK);
    }
    return l;
}

static limb make(lode_link_joint_type type, int count, bool chain, lode_vec3 gravity)
{
    return make_in(world_with(gravity), type, count, chain);
}

static void insert(const limb *l)
{
    assert_int_equal(lode_articulation_insert(l->articulation), LODE_OK);
}

static lode_link_axis_index axis_of(const limb *l)
{
    return lode_link_get_type(l->link[1]) == LODE_LINK_PRISMATIC ? LODE_AXIS_X : LODE_AXIS_TWIST;
}

static double position(const limb *l, int link)
{
    return lode_link_get_axis(l->link[link], axis_of(l)).position;
}

static double speed(const limb *l, int link)
{
    return lode_link_get_axis(l->link[link], axis_of(l)).velocity;
}

static void step(const limb *l, double h, int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(l->world, (lode_real)h), LODE_OK);
}

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

/* ---- tendons */

static lode_tendon spatial(const limb *l, double stiffness, double damping, double limit_stiffness)
{
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    def.stiffness = (lode_real)stiffness;
    def.damping = (lode_real)damping;
    def.limit_stiffness = (lode_real)limit_stiffness;
    lode_tendon tendon = lode_tendon_create(l->articulation, &def);
    assert_true(lode_tendon_is_valid(tendon));
    return tendon;
}

static int attach(lode_tendon tendon, int parent, lode_body link, lode_vec3 point, double rest)
{
    lode_tendon_attachment a = lode_tendon_attachment_default();
    a.parent = parent;
    a.link = link;
    a.point = point;
    a.rest_length = (lode_real)rest;
    return lode_tendon_add_attachment(tendon, &a);
}

static int run_along(lode_tendon tendon, int parent, lode_body link, double coefficient,
                     double reciprocal)
{
    lode_tendon_joint j = {.parent = parent,
                           .link = link,
                           .coefficient = (lode_real)coefficient,
                           .reciprocal = (lode_real)reciprocal};
    return lode_tendon_add_joint(tendon, &j);
}

/* Three parallel turns, the tendon anchored at the first one's link: they feel (0, f2 + f3, f3),
 * for the opposite holds them still. */
static void test_a_fixed_tendon_reacts_on_its_anchor(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0));
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_FIXED);
    def.stiffness = 40;
    def.damping = 3;
    def.offset = 0.25f;
    def.rest_length = 0.125f;
    lode_tendon tendon = lode_tendon_create(l.articulation, &def);
    assert_int_equal(run_along(tendon, -1, l.link[1], 7, 9), 0);
    assert_int_equal(run_along(tendon, 0, l.link[2], 1, 1), 1);
    assert_int_equal(run_along(tendon, 1, l.link[3], 2, 0.5), 2);
    insert(&l);
    const double q[4] = {0, 0.3, 0.5, -0.7};
    for (int i = 1; i < 4; ++i)
        lode_link_set_position(l.link[i], LODE_AXIS_TWIST, (lode_real)q[i]);
    double length = 0.25 + q[2] + 2 * q[3], pull = 40 * (length - 0.125) / 2;
    double f2 = -1 * pull, f3 = -0.5 * pull;
    assert_true(near(lode_tendon_get_length(tendon, 0), length, tight));
    lode_link_set_joint_force(l.link[2], LODE_AXIS_TWIST, (lode_real) - (f2 + f3));
    lode_link_set_joint_force(l.link[3], LODE_AXIS_TWIST, (lode_real)-f3);
    step(&l, 0.01, 3);
    for (int i = 1; i < 4; ++i)
        assert_true(near(speed(&l, i), 0, tight * 100));
    lode_link_set_joint_force(l.link[2], LODE_AXIS_TWIST, (lode_real)-f2);
    step(&l, 0.01, 1);
    assert_true(fabs(speed(&l, 2)) > 1e-3);
    lode_world_destroy(l.world);
}

/* A weight falls freely until its rope is taut, and then hangs by it. */
static void test_limits_hold(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_PRISMATIC, 2, true, vec(10, 0, 0));
    lode_tendon rope = spatial(&l, 0, 200, 1e5);
    assert_int_equal(attach(rope, -1, l.link[0], vec(0, 0, 0), 0), 0);
    assert_int_equal(attach(rope, 0, l.link[1], vec(0.5f, 0, 0), 0), 1);
    lode_tendon_def slack = lode_tendon_get_def(rope);
    slack.damping = 0;
    assert_int_equal(lode_tendon_set_def(rope, &slack, false), LODE_OK);
    lode_tendon_attachment a = lode_tendon_get_attachment(rope, 1);
    a.lo = 0.25f;
    a.hi = 1.5f;
    assert_int_equal(lode_tendon_set_attachment(rope, 1, &a, false), LODE_OK);
    insert(&l);
    step(&l, 1.0 / 256, 64);
    assert_true(near(speed(&l, 1), 2.5, tight * 100));
    slack.damping = 200;
    step(&l, 1.0 / 256, 40);
    assert_int_equal(lode_tendon_set_def(rope, &slack, true), LODE_OK);
    step(&l, 1.0 / 256, 3000);
    assert_true(near(lode_tendon_get_length(rope, 1), 1.5 + 1.5 * 10 / 1e5, 1e-6));
    assert_true(near(position(&l, 1), 1.0 + 1.5 * 10 / 1e5, 1e-6));
    lode_world_set_gravity(l.world, vec(-10, 0, 0)); /* and is kept from its end, from below */
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0);
    step(&l, 1.0 / 256, 3000);
    assert_true(near(lode_tendon_get_length(rope, 1), 0.25 - 1.5 * 10 / 1e5, 1e-6));
    lode_world_destroy(l.world);
}

/* A link that hangs level by its end: the joint bears what the line does not, of its weight. */
static void test_joints_bear_what_tendons_do_not(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 2, true, vec(0, 0, -10));
    lode_tendon line = spatial(&l, 1e4, 500, 0);
    attach(line, -1, l.link[0], vec(1, 0, 2), 0);
    attach(line, 0, l.link[1], vec(0.5f, 0, 0), 2 - 7.5 / 1e4);
    insert(&l);
    step(&l, 1.0 / 240, 200);
    assert_true(near(position(&l, 1), 0, 1e-5));
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
static double energy(const limb *l)
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
    limb l = make(LODE_LINK_REVOLUTE, 6, true, vec(0, 0, -10));
    lode_tendon stay = spatial(&l, stiffness, 0, stiffness);
    attach(stay, -1, l.link[0], vec(0, 0, 1), 0);
    attach(stay, 0, l.link[2], vec(0, 0, 0), 0);
    attach(stay, 0, l.link[4], vec(0.1f, 0, 0.1f), 0);
    lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_FIXED);
    def.stiffness = (lode_real)stiffness;
    lode_tendon couple = lode_tendon_create(l.articulation, &def);
    run_along(couple, -1, l.link[2], 1, 1);
    run_along(couple, 0, l.link[3], 1, 1);
    insert(&l);
    for (int leaf = 1; leaf < 3; ++leaf) {
        lode_tendon_attachment a = lode_tendon_get_attachment(stay, leaf);
        a.rest_length = lode_tendon_get_length(stay, leaf);
        assert_int_equal(lode_tendon_set_attachment(stay, leaf, &a, true), LODE_OK);
    }
    lode_link_set_velocity(l.link[5], LODE_AXIS_TWIST, 3);
    double begin = energy(&l);
    for (int i = 0; i < 3000; ++i) {
        step(&l, h, 1);
        assert_true(energy(&l) < begin + 18);
        for (int leaf = 1; leaf < 3; ++leaf)
            assert_true(fabs(lode_tendon_get_length(stay, leaf) -
                             lode_tendon_get_attachment(stay, leaf).rest_length) < most);
        assert_true(fabs(position(&l, 3)) < 0.005);
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
    limb l = make(LODE_LINK_REVOLUTE_UNWRAPPED, 4, true, vec(0, 0, -10));
    for (int i = 0; i < 4; ++i) {
        lode_mimic_def def = lode_mimic_def_default();
        def.link_a = l.link[i == 2 ? 2 : 1];
        def.link_b = l.link[i == 0 || i == 3 ? 2 : 3];
        def.gear_ratio = -1;
        assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    }
    for (int i = 0; i < 2; ++i) {
        lode_tendon stay = spatial(&l, 1e30, 0, 0);
        attach(stay, -1, l.link[0], vec(0, 0, 0.5f), 0);
        attach(stay, 0, l.link[1], vec(0, 0, 0), sqrt(0.5));
    }
    insert(&l);
    for (int i = 0; i < 1000; ++i) {
        step(&l, 1.0 / 240, 1);
        for (int k = 1; k < 4; ++k)
            assert_true(fabs(position(&l, k)) < 1e-3);
    }
    lode_world_destroy(l.world);
}

/* Attachments at one place have no direction: nothing moves, nothing is lost. */
static void test_a_stretch_of_no_length_pulls_nothing(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_PRISMATIC, 2, true, vec(0, 0, 0));
    lode_tendon tendon = spatial(&l, 1e6, 1, 1);
    attach(tendon, -1, l.link[0], vec(0, 0, 0), 0);
    attach(tendon, 0, l.link[1], vec(0.0005f, 0, 0), 1);
    insert(&l);
    step(&l, 0.01, 10);
    assert_true(speed(&l, 1) == 0 && position(&l, 1) == 0);
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0.001f);
    step(&l, 0.01, 1);
    assert_true(speed(&l, 1) > 0);
    lode_world_destroy(l.world);
}

/* ---- mimic joints */

static lode_mimic_def pair(const limb *l, double ratio, double offset)
{
    lode_mimic_def def = lode_mimic_def_default();
    def.link_a = l->link[1];
    def.link_b = l->link[2];
    def.axis_a = def.axis_b = axis_of(l);
    def.gear_ratio = (lode_real)ratio;
    def.offset = (lode_real)offset;
    return def;
}

/* A force on one slide moves both as one mass would: m_a + m_b / G^2. */
static void test_a_hard_mimic_shares_a_load(void **state)
{
    const double ratio = -2, h = 1.0 / 1024, masses[] = {1.5, 2};
    (void)state;
    limb l = make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_mimic_def def = pair(&l, ratio, 0);
    assert_true(lode_mimic_is_valid(lode_mimic_create(l.articulation, &def)));
    insert(&l);
    lode_link_set_joint_force(l.link[1], LODE_AXIS_X, 3);
    step(&l, h, 1024);
    double speed_of_one = 3 / (masses[0] + masses[1] / (ratio * ratio));
    assert_true(near(speed(&l, 1), speed_of_one, 1e3 * tight));
    assert_true(near(position(&l, 1) + ratio * position(&l, 2), 0, tight));
    assert_true(near(speed(&l, 1) + ratio * speed(&l, 2), 0, 10 * tight));
    lode_world_destroy(l.world);
}

/* Turns of a chain that swings and is kicked keep their ratio; from a wrong one they come to it. */
static void test_a_hard_mimic_holds_under_load(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE_UNWRAPPED, 6, true, vec(0, 0, -10));
    lode_mimic_def def = pair(&l, -0.5, 0.25);
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
    insert(&l);
    step(&l, 1.0 / 240, 120); /* 0.25 of a radian must go first */
    for (int i = 0; i < 1000; ++i) {
        if (i % 100 == 0)
            lode_body_add_impulse(l.link[4], vec(0, 0, 5));
        step(&l, 1.0 / 240, 1);
        assert_true(near(position(&l, 1) - 0.5 * position(&l, 2) + 0.25, 0, 1e-4));
        assert_true(near(position(&l, 3) + position(&l, 5), 0, 1e-4));
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
    limb l = make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_mass heavy = {.mass = mass, .inertia = {1, 1, 1}};
    lode_body_set_mass(l.link[2], &heavy);
    lode_mimic_def def = pair(&l, ratio, 0.5);
    def.natural_frequency = (lode_real)w;
    def.damping_ratio = (lode_real)z;
    assert_true(lode_mimic_create(l.articulation, &def).id != 0);
    insert(&l);
    lode_link_set_position(l.link[1], LODE_AXIS_X, 0.5f);
    for (int i = 1; i <= 20; ++i) {
        step(&l, h, 500);
        double c = position(&l, 1) + ratio * position(&l, 2) + 0.5;
        assert_true(near(c, oscillation(w, z, 500 * h * i), 0.01));
        /* what moves one moves the other by the ratio */
        double drift = ratio * 1.5 * (position(&l, 1) - 0.5) - (double)mass * position(&l, 2);
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
        limb l = make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
        lode_mimic_def def = pair(&l, 1, 0);
        def.natural_frequency = 30;
        def.damping_ratio = 1;
        lode_mimic mimic = lode_mimic_create(l.articulation, &def);
        lode_link_axis axis = lode_link_get_axis(l.link[1], LODE_AXIS_X);
        axis.position = axis.target = 1;
        axis.drive.type = driven ? LODE_DRIVE_FORCE : LODE_DRIVE_NONE;
        axis.drive.damping = 1e8f;
        assert_int_equal(lode_link_set_axis(l.link[1], LODE_AXIS_X, &axis), LODE_OK);
        insert(&l);
        step(&l, 1e-3, 1);
        /* the held slide's share of the force is lost, the other's is as before */
        after[driven] = speed(&l, 2);
        assert_true(lode_mimic_is_valid(mimic));
        lode_world_destroy(l.world);
    }
    assert_true(near(after[0], after[1], 0.1 * fabs(after[0])));
}

/* ---- life */

static void test_all_of_it_is_kept(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0));
    lode_tendon_def def = {LODE_TENDON_FIXED, 1, 2, 3, 4, 5, 6, 7};
    lode_tendon t = lode_tendon_create(l.articulation, &def);
    lode_tendon s = spatial(&l, 1, 2, 3);
    lode_tendon_def got = lode_tendon_get_def(t);
    assert_true(got.type == def.type && got.stiffness == 1 && got.damping == 2 &&
                got.limit_stiffness == 3 && got.offset == 4 && got.rest_length == 5 &&
                got.lo == 6 && got.hi == 7);
    run_along(t, -1, l.link[0], 1, 1);
    run_along(t, 0, l.link[1], 2, 3);
    lode_tendon_joint j = lode_tendon_get_joint(t, 1);
    assert_true(j.parent == 0 && j.link.id == l.link[1].id && j.axis == LODE_AXIS_TWIST &&
                j.coefficient == 2 && j.reciprocal == 3);
    assert_int_equal(lode_tendon_get_joint(t, 0).parent, -1);
    j.coefficient = 8;
    assert_int_equal(lode_tendon_set_joint(t, 1, &j, false), LODE_OK);
    assert_true(lode_tendon_get_joint(t, 1).coefficient == 8);
    attach(s, -1, l.link[2], vec(1, 2, 3), 4);
    attach(s, 0, l.link[1], vec(5, 6, 7), 8);
    lode_tendon_attachment a = lode_tendon_get_attachment(s, 1);
    assert_true(a.parent == 0 && a.link.id == l.link[1].id && a.point.z == 7 &&
                a.coefficient == 1 && a.rest_length == 8 && a.lo > a.hi);
    assert_int_equal(lode_tendon_count_parts(s), 2);
    lode_mimic_def m = pair(&l, 3, 4);
    lode_mimic mimic = lode_mimic_create(l.articulation, &m);
    insert(&l);
    m.gear_ratio = 5;
    m.offset = 6;
    m.natural_frequency = 7;
    m.damping_ratio = 8;
    assert_int_equal(lode_mimic_set_def(mimic, &m, false), LODE_OK);
    lode_mimic_def n = lode_mimic_get_def(mimic);
    assert_true(n.link_a.id == l.link[1].id && n.link_b.id == l.link[2].id &&
                n.axis_b == LODE_AXIS_TWIST && n.gear_ratio == 5 && n.offset == 6 &&
                n.natural_frequency == 7 && n.damping_ratio == 8);
    lode_world_destroy(l.world);
}

static void test_lists_and_ends(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0)),
         other = make_in(l.world, LODE_LINK_REVOLUTE, 3, true);
    lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon a = spatial(&l, 1, 1, 1), b = lode_tendon_create(l.articulation, &fixed),
                c = spatial(&l, 1, 1, 1), d = spatial(&other, 1, 1, 1), list[4];
    lode_mimic_def def = pair(&l, 1, 0);
    lode_mimic m = lode_mimic_create(l.articulation, &def), mimics[2];
    attach(a, -1, l.link[1], vec(0, 0, 0), 0);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 0, 4),
                     2);
    assert_true(list[0].id == a.id && list[1].id == c.id);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 1, 1),
                     2);
    assert_true(list[0].id == c.id);
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_FIXED, NULL, 0, 0),
                     1);
    assert_int_equal(lode_articulation_get_mimics(l.articulation, mimics, 0, 2), 1);
    assert_true(mimics[0].id == m.id);
    assert_true(lode_tendon_get_articulation(b).id == l.articulation.id);
    assert_true(lode_mimic_get_articulation(m).id == l.articulation.id);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "link", lode_articulation_remove_link, l.articulation,
                   l.link[1]);
    assert_int_equal(lode_tendon_destroy(a), LODE_OK);
    assert_false(lode_tendon_is_valid(a));
    assert_int_equal(lode_articulation_get_tendons(l.articulation, LODE_TENDON_SPATIAL, list, 0, 4),
                     1);
    assert_int_equal(lode_articulation_remove_link(l.articulation, l.link[3]), LODE_OK);
    insert(&l);
    assert_int_equal(lode_articulation_destroy(l.articulation), LODE_OK);
    assert_false(lode_tendon_is_valid(b) || lode_tendon_is_valid(c) || lode_mimic_is_valid(m));
    assert_true(lode_tendon_is_valid(d));
    assert_int_equal(lode_tendon_set_def(c, &fixed, true), LODE_ERROR_HANDLE);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_tendon_set_def", "tendon");
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "mimic", lode_mimic_destroy, m);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "tendon", lode_tendon_destroy, (lode_tendon){0});
    lode_world_destroy(l.world);
}

/* ---- refusals */

#define REFUSED_NULL(status, argument, function, ...) \
    do { \
        assert_true(function(__VA_ARGS__).id == 0); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)

#define REFUSED_PART(status, argument, function, ...) \
    do { \
        assert_int_equal(function(__VA_ARGS__), -1); \
        EXPECT_REPORT(status, #function, argument); \
        report_clear(); \
    } while (0)

static void test_bad_numbers_are_refused(void **state)
{
    const lode_real nan = (lode_real)NAN, infinite = (lode_real)INFINITY;
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
    const lode_tendon_def good = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    lode_tendon tendon = lode_tendon_create(l.articulation, &good);
    const struct {
        lode_tendon_def def;
        const char *argument;
    } bad[] = {
        {{.type = LODE_TENDON_TYPE_COUNT}, "def.type"},
        {{.stiffness = -1}, "def.stiffness"},
        {{.stiffness = infinite}, "def.stiffness"},
        {{.damping = nan}, "def.damping"},
        {{.limit_stiffness = -1}, "def.limit_stiffness"},
        {{.offset = infinite}, "def.offset"},
        {{.rest_length = nan}, "def"},
        {{.lo = nan}, "def"},
        {{.hi = nan}, "def"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        REFUSED_NULL(LODE_ERROR_ARGUMENT, bad[i].argument, lode_tendon_create, l.articulation,
                     &bad[i].def);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, bad[i].argument, lode_tendon_set_def, tendon,
                       &bad[i].def, true);
    }
    const lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def.type", lode_tendon_set_def, tendon, &fixed, true);
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def", lode_tendon_create, l.articulation, NULL);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def", lode_tendon_set_def, tendon, NULL, true);

    lode_mimic_def def = pair(&l, 1, 0);
    lode_mimic mimic = lode_mimic_create(l.articulation, &def);
    lode_real *const numbers[] = {&def.gear_ratio, &def.offset, &def.natural_frequency,
                                  &def.damping_ratio};
    const char *const names[] = {"def.gear_ratio", "def.offset", "def.natural_frequency",
                                 "def.damping_ratio"};
    for (int i = 0; i < 4; ++i) {
        lode_real kept = *numbers[i];
        *numbers[i] = i % 2 ? infinite : nan;
        REFUSED_NULL(LODE_ERROR_ARGUMENT, names[i], lode_mimic_create, l.articulation, &def);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, names[i], lode_mimic_set_def, mimic, &def, true);
        *numbers[i] = kept;
    }
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def", lode_mimic_create, l.articulation, NULL);
    lode_world_destroy(l.world);
}

static void test_bad_structure_is_refused(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_REVOLUTE, 4, true, vec(0, 0, 0));
    limb other = make_in(l.world, LODE_LINK_REVOLUTE, 3, true);
    limb far = make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
    lode_body loose = add_ball(l.world, 0, 0, 9, 1);
    lode_tendon s = spatial(&l, 1, 1, 1);
    const lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon f = lode_tendon_create(l.articulation, &fixed);
    lode_tendon_attachment a = lode_tendon_attachment_default();

    /* attachments */
    a.link = l.link[0];
    a.parent = 0;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, s, &a);
    a.parent = -1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "tendon", lode_tendon_add_attachment, f, &a);
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_add_attachment, s, NULL);
    assert_int_equal(lode_tendon_add_attachment(s, &a), 0);
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, s, &a);
    a.parent = 1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.parent", lode_tendon_add_attachment, s, &a);
    a.parent = 0;
    a.link = other.link[1];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.link", lode_tendon_add_attachment, s, &a);
    a.link = loose;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.link", lode_tendon_add_attachment, s, &a);
    a.link = far.link[1];
    REFUSED_PART(LODE_ERROR_HANDLE, "attachment.link", lode_tendon_add_attachment, s, &a);
    a.link = l.link[1];
    a.point.x = (lode_real)NAN;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.point", lode_tendon_add_attachment, s, &a);
    a.point.x = 0;
    a.coefficient = (lode_real)INFINITY;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "attachment.coefficient", lode_tendon_add_attachment, s, &a);
    a.coefficient = 1;
    assert_int_equal(lode_tendon_add_attachment(s, &a), 1);
    a.parent = 1;
    assert_int_equal(lode_tendon_add_attachment(s, &a), 2);

    /* limits are of leaves; what it hangs on stays */
    lode_tendon_attachment middle = lode_tendon_get_attachment(s, 1);
    middle.hi = 5;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_set_attachment, s, 1, &middle,
                   true);
    middle = lode_tendon_get_attachment(s, 1);
    middle.parent = -1;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "attachment", lode_tendon_set_attachment, s, 1, &middle,
                   true);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "index", lode_tendon_set_attachment, s, 3, &a, true);
    lode_tendon_get_length(s, -1);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_tendon_get_length", "index");
    report_clear();

    /* joints */
    lode_tendon_joint j = lode_tendon_joint_default();
    j.link = l.link[0];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "tendon", lode_tendon_add_joint, s, &j);
    assert_int_equal(lode_tendon_add_joint(f, &j), 0);
    j.parent = 0;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, f, &j); /* the root */
    j.link = l.link[2];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, f, &j); /* no child */
    j.link = other.link[1];
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.link", lode_tendon_add_joint, f, &j);
    j.link = l.link[1];
    j.axis = LODE_AXIS_SWING1;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_add_joint, f, &j); /* locked */
    j.axis = LODE_LINK_AXES;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_add_joint, f, &j);
    j.axis = LODE_AXIS_TWIST;
    j.reciprocal = (lode_real)NAN;
    REFUSED_PART(LODE_ERROR_ARGUMENT, "joint.coefficient", lode_tendon_add_joint, f, &j);
    j.reciprocal = 1;
    assert_int_equal(lode_tendon_add_joint(f, &j), 1);
    j.axis = LODE_AXIS_SWING1;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint.axis", lode_tendon_set_joint, f, 1, &j, true);

    /* mimic joints */
    lode_mimic_def m = pair(&l, 1, 0);
    m.link_b = m.link_a;
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, l.articulation, &m);
    m.link_b = other.link[1];
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, l.articulation, &m);
    m.link_b = l.link[0];
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.link_b", lode_mimic_create, l.articulation, &m);
    m.link_b = l.link[2];
    m.axis_a = LODE_AXIS_X;
    REFUSED_NULL(LODE_ERROR_ARGUMENT, "def.axis_a", lode_mimic_create, l.articulation, &m);
    m.axis_a = LODE_AXIS_TWIST;
    lode_mimic mimic = lode_mimic_create(l.articulation, &m);
    m.link_b = l.link[3];
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "def", lode_mimic_set_def, mimic, &m, true);

    /* none of it inside the simulation */
    insert(&l);
    m = pair(&l, 1, 0);
    REFUSED_NULL(LODE_ERROR_STATE, "articulation", lode_mimic_create, l.articulation, &m);
    REFUSED_NULL(LODE_ERROR_STATE, "articulation", lode_tendon_create, l.articulation, &fixed);
    REFUSED_PART(LODE_ERROR_STATE, "articulation", lode_tendon_add_attachment, s, &a);
    REFUSED_PART(LODE_ERROR_STATE, "articulation", lode_tendon_add_joint, f, &j);
    EXPECT_REFUSED(LODE_ERROR_STATE, "articulation", lode_tendon_destroy, s);
    EXPECT_REFUSED(LODE_ERROR_STATE, "articulation", lode_mimic_destroy, mimic);
    assert_int_equal(lode_tendon_count_parts(s), 3);
    assert_int_equal(lode_tendon_count_parts(f), 2);
    lode_world_destroy(l.world);
    lode_world_destroy(far.world);
}

/* ---- waking, bits and memory */

static void test_setters_wake_if_asked(void **state)
{
    (void)state;
    limb l = make(LODE_LINK_PRISMATIC, 3, false, vec(0, 0, 0));
    lode_tendon t = spatial(&l, 1, 1, 1);
    attach(t, -1, l.link[0], vec(0, 0, 0), 0);
    lode_tendon_def fixed_def = lode_tendon_def_default(LODE_TENDON_FIXED);
    lode_tendon f = lode_tendon_create(l.articulation, &fixed_def);
    lode_tendon_joint j = lode_tendon_joint_default();
    j.link = l.link[0];
    lode_tendon_add_joint(f, &j);
    lode_mimic_def m = pair(&l, 1, 0);
    lode_mimic mimic = lode_mimic_create(l.articulation, &m);
    lode_tendon_def def = lode_tendon_get_def(t);
    lode_tendon_attachment a = lode_tendon_get_attachment(t, 0);
    insert(&l);
    for (int wake = 0; wake < 2; ++wake)
        for (int which = 0; which < 4; ++which) {
            assert_int_equal(lode_articulation_sleep(l.articulation), LODE_OK);
            step(&l, 0.01, 1);
            assert_true(lode_articulation_is_sleeping(l.articulation));
            lode_status status = which == 0   ? lode_tendon_set_def(t, &def, wake)
                                 : which == 1 ? lode_tendon_set_attachment(t, 0, &a, wake)
                                 : which == 2 ? lode_tendon_set_joint(f, 0, &j, wake)
                                              : lode_mimic_set_def(mimic, &m, wake);
            assert_int_equal(status, LODE_OK);
            assert_int_equal(!lode_articulation_is_sleeping(l.articulation), wake);
            assert_true((lode_articulation_get_wake_counter(l.articulation) > 0) == wake);
        }
    lode_world_destroy(l.world);
}

/* Everything at once. */
static limb scene_of_all(int threads)
{
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    limb l = make_in(lode_world_create(&def), LODE_LINK_REVOLUTE, 8, true);
    lode_tendon s = spatial(&l, 100, 1, 1000);
    attach(s, -1, l.link[0], vec(0, 0, 1), 1);
    attach(s, 0, l.link[3], vec(0, 0, 0), 1);
    attach(s, 1, l.link[6], vec(0, 0, 0), 1);
    attach(s, 0, l.link[5], vec(0, 1, 0), 1);
    lode_tendon_def fixed = lode_tendon_def_default(LODE_TENDON_FIXED);
    fixed.stiffness = 30;
    fixed.damping = 1;
    lode_tendon f = lode_tendon_create(l.articulation, &fixed);
    run_along(f, -1, l.link[1], 1, 1);
    run_along(f, 0, l.link[2], 1, 1);
    run_along(f, 1, l.link[3], -1, -1);
    lode_mimic_def m = pair(&l, -1, 0);
    lode_mimic_create(l.articulation, &m);
    m.link_a = l.link[7];
    m.natural_frequency = 20;
    m.damping_ratio = 1;
    lode_mimic_create(l.articulation, &m);
    insert(&l);
    return l;
}

static void test_bits_do_not_depend_on_threads(void **state)
{
    uint64_t hashes[2];
    (void)state;
    for (int i = 0; i < 2; ++i) {
        limb l = scene_of_all(1 + 2 * i);
        step(&l, 1.0 / 60, 300);
        hashes[i] = lode_world_hash(l.world);
        lode_world_destroy(l.world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* A snapshot holds them with the impulses that they begin with: the same future, in any world. */
static void test_snapshots_hold_them(void **state)
{
    (void)state;
    limb l = scene_of_all(1);
    lode_world_def plain = lode_world_def_default();
    lode_world other = lode_world_create(&plain);
    step(&l, 1.0 / 60, 50);
    size_t size = lode_world_snapshot(l.world, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(l.world, bytes, size), size);
    step(&l, 1.0 / 60, 100);
    uint64_t hash = lode_world_hash(l.world);
    lode_mimic mimics[2];
    lode_articulation_get_mimics(l.articulation, mimics, 0, 2);
    assert_int_equal(lode_articulation_remove(l.articulation), LODE_OK);
    assert_int_equal(lode_mimic_destroy(mimics[0]), LODE_OK);
    lode_world worlds[2] = {l.world, other};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(lode_world_restore(worlds[i], bytes, size), LODE_OK);
        for (int k = 0; k < 100; ++k)
            assert_int_equal(lode_world_step(worlds[i], (lode_real)(1.0 / 60)), LODE_OK);
        assert_true(lode_world_hash(worlds[i]) == hash);
    }
    assert_true(lode_mimic_is_valid(mimics[0]));
    free(bytes);
    lode_world_destroy(l.world);
    lode_world_destroy(other);
}

static void test_steps_take_nothing_from_the_heap(void **state)
{
    (void)state;
    alloc_fail_install();
    limb l = scene_of_all(1);
    step(&l, 1.0 / 60, 5);
    alloc_fail_nth(-1);
    step(&l, 1.0 / 60, 100);
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(l.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* Makes a tendon with a part, and a mimic joint; what failed of it for memory is not there. */
static bool make_some(const limb *l)
{
    const lode_tendon_def def = lode_tendon_def_default(LODE_TENDON_SPATIAL);
    lode_tendon_attachment a = lode_tendon_attachment_default();
    lode_mimic_def m = pair(l, 1, 0);
    a.link = l->link[1];
    lode_tendon t = lode_tendon_create(l->articulation, &def);
    if (!t.id)
        return false;
    if (lode_tendon_add_attachment(t, &a) != 0) {
        assert_int_equal(lode_tendon_count_parts(t), 0);
        return false;
    }
    return lode_mimic_create(l->articulation, &m).id != 0;
}

static void test_memory_may_be_wanting(void **state)
{
    (void)state;
    alloc_fail_install();
    long failed = 0;
    for (bool happened = true; happened; ++failed) {
        limb l = make(LODE_LINK_REVOLUTE, 3, true, vec(0, 0, 0));
        alloc_fail_nth(failed);
        bool made = make_some(&l);
        happened = alloc_fail_happened();
        alloc_fail_nth(-1);
        assert_int_equal(made, !happened);
        assert_int_equal(report.count, happened);
        report_clear();
        insert(&l);
        step(&l, 0.01, 1);
        lode_world_destroy(l.world);
        assert_int_equal(alloc_fail_live(), 0);
    }
    assert_true(failed > 3);
    alloc_fail_remove();
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
        TEST(test_all_of_it_is_kept),
        TEST(test_lists_and_ends),
        TEST(test_bad_numbers_are_refused),
        TEST(test_bad_structure_is_refused),
        TEST(test_setters_wake_if_asked),
        TEST(test_bits_do_not_depend_on_threads),
        TEST(test_snapshots_hold_them),
        TEST(test_steps_take_nothing_from_the_heap),
        TEST(test_memory_may_be_wanting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
