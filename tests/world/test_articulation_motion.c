/* How articulations move: against analysis, integration by other means, and the laws of conservation. */
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>

#define DOUBLE (sizeof(lode_real) == sizeof(double))
#define H ((lode_real)0.001)
#define PI 3.14159265358979323846

enum { MOST_LINKS = 128 };

/* A world without ground, and an articulation in it. */
typedef struct arm {
    lode_world world;
    lode_articulation articulation;
    lode_body link[MOST_LINKS];
    int count;
} arm;

static lode_world make_world(lode_vec3 gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = gravity;
    def.sub_steps = 1;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

static arm make_arm_in(lode_world world, bool fixed)
{
    arm a = {.world = world};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    def.sleep_threshold = 0;
    a.articulation = lode_articulation_create(world, &def);
    assert_true(a.articulation.id);
    return a;
}

static arm make_arm(lode_vec3 gravity, bool fixed)
{
    return make_arm_in(make_world(gravity), fixed);
}

static void set_mass(lode_body body, double mass, double ix, double iy, double iz)
{
    lode_mass m = {.mass = (lode_real)mass,
                   .inertia = {(lode_real)ix, (lode_real)iy, (lode_real)iz, 0, 0, 0}};
    assert_int_equal(lode_body_set_mass(body, &m), LODE_OK);
}

/* A link on the last one, or on `parent`. */
static lode_body add_to(arm *a, int parent, lode_link_def *def)
{
    if (parent >= 0)
        def->parent = a->link[parent];
    lode_body link = lode_articulation_add_link(a->articulation, def);
    assert_true(link.id);
    a->link[a->count++] = link;
    return link;
}

static lode_body add(arm *a, lode_link_def *def)
{
    return add_to(a, a->count - 1, def);
}

static lode_body add_root(arm *a, lode_vec3 at)
{
    lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
    def.pose.position = at;
    lode_body root = add(a, &def);
    set_mass(root, 1, 0.1, 0.2, 0.3);
    return root;
}

/* A turn about the world's y, `up` from the parent's end and `down` to the child's centre. */
static lode_link_def hinge_at(lode_vec3 up, lode_vec3 down)
{
    const lode_quat about_y = {(lode_real)sqrt(0.5), 0, 0, (lode_real)sqrt(0.5)};
    lode_link_def def = lode_link_def_default(LODE_LINK_REVOLUTE_UNWRAPPED);
    def.parent_frame = (lode_pose){up, about_y};
    def.child_frame = (lode_pose){down, about_y};
    return def;
}

static void insert(const arm *a)
{
    assert_int_equal(lode_articulation_insert(a->articulation), LODE_OK);
}

static void step_by(const arm *a, int steps, lode_real dt)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(a->world, dt), LODE_OK);
}

static lode_link_axis axis_of(lode_body link, int axis)
{
    return lode_link_get_axis(link, (lode_link_axis_index)axis);
}

static double q_of(lode_body link)
{
    return (double)axis_of(link, LODE_AXIS_TWIST).position;
}

static double qd_of(lode_body link)
{
    return (double)axis_of(link, LODE_AXIS_TWIST).velocity;
}

#define EXPECT_NEAR(a, b, tolerance) expect_near((double)(a), (double)(b), tolerance, __LINE__)

static void expect_near(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("line %d: %.12g is not %.12g to %.3g, but to %.3g\n", line, a, b, tolerance,
                    fabs(a - b));
        fail();
    }
}

/* ---- pendulums */

/* A quarter of the period of a physical pendulum that starts at rest at `angle`: by the arithmetic-
 * geometric mean, T = 2 pi sqrt(I / m g l) / agm(1, cos(angle / 2)). */
static double period(double inertia, double mgl, double angle)
{
    double a = 1, b = cos(angle / 2);
    for (int i = 0; i < 20; ++i) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * PI * sqrt(inertia / mgl) / a;
}

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

typedef struct momentum {
    double p[3], l[3], mass, c[3];
} momentum;

static momentum momentum_of(const arm *a)
{
    momentum m = {0};
    for (int i = 0; i < a->count; ++i) {
        lode_mass mass = lode_body_get_mass(a->link[i]);
        lode_vec3 v = lode_body_get_linear_velocity(a->link[i]);
        lode_vec3 x = lode_body_get_center(a->link[i]);
        lode_vec3 w = lode_body_vector_from_world(a->link[i],
                                                  lode_body_get_angular_velocity(a->link[i]));
        lode_vec3 spin = lode_body_vector_to_world(
            a->link[i], vec(w.x * mass.inertia[0], w.y * mass.inertia[1], w.z * mass.inertia[2]));
        double kg = (double)mass.mass, vx = (double)v.x, vy = (double)v.y, vz = (double)v.z;
        m.mass += kg;
        m.p[0] += kg * vx, m.p[1] += kg * vy, m.p[2] += kg * vz;
        m.c[0] += kg * (double)x.x, m.c[1] += kg * (double)x.y, m.c[2] += kg * (double)x.z;
        m.l[0] += (double)spin.x + kg * ((double)x.y * vz - (double)x.z * vy);
        m.l[1] += (double)spin.y + kg * ((double)x.z * vx - (double)x.x * vz);
        m.l[2] += (double)spin.z + kg * ((double)x.x * vy - (double)x.y * vx);
    }
    return m;
}

static void expect_momentum(momentum a, momentum b, double tolerance, int line)
{
    for (int k = 0; k < 3; ++k) {
        expect_near(a.p[k], b.p[k], tolerance, line);
        expect_near(a.l[k], b.l[k], tolerance, line);
    }
}

/* A floating tree of every kind of joint. */
static arm make_tree(lode_vec3 gravity)
{
    static const lode_link_joint_type types[] = {
        LODE_LINK_REVOLUTE, LODE_LINK_SPHERICAL, LODE_LINK_PRISMATIC,         LODE_LINK_SIX_AXES,
        LODE_LINK_FIXED,    LODE_LINK_SPHERICAL, LODE_LINK_REVOLUTE_UNWRAPPED};
    arm a = make_arm(gravity, false);
    add_root(&a, vec(0, 0, 0));
    for (int i = 0; i < 7; ++i) {
        lode_link_def def = lode_link_def_default(types[i]);
        def.parent_frame.position = vec((lode_real)0.3, (lode_real)0.1, (lode_real)0.2);
        def.child_frame.position = vec((lode_real)-0.2, (lode_real)0.3, (lode_real)-0.1);
        def.parent_frame.rotation = (lode_quat){(lode_real)0.8, (lode_real)0.6, 0, 0};
        if (types[i] == LODE_LINK_SIX_AXES)
            def.axis[LODE_AXIS_SWING1].motion = def.axis[LODE_AXIS_Y].motion = LODE_MOTION_FREE;
        if (i == 5)
            def.axis[LODE_AXIS_SWING2].motion = LODE_MOTION_LOCKED;
        for (int k = 0; k < LODE_LINK_AXES; ++k)
            if (def.axis[k].motion != LODE_MOTION_LOCKED) {
                def.axis[k].position = (lode_real)(0.1 * (k + 1));
                def.axis[k].velocity = (lode_real)(0.5 - 0.3 * k);
            }
        add_to(&a, i / 2, &def);
        set_mass(a.link[a.count - 1], 0.5 + 0.1 * i, 0.02, 0.03, 0.04);
    }
    insert(&a);
    return a;
}

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
        EXPECT_NEAR(slide_of(&a).velocity, v, DOUBLE ? 1e-8 : 1e-4);
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
        EXPECT_NEAR(slide_of(&a).velocity, v, DOUBLE ? 1e-8 : 1e-4);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_its_period),
        cmocka_unit_test(a_double_pendulum_follows_its_equations),
        cmocka_unit_test(what_floats_keeps_its_momentum),
        cmocka_unit_test(a_kick_gives_its_momentum),
        cmocka_unit_test(drives_are_implicit_springs),
        cmocka_unit_test(a_drive_without_end_is_kinematic),
        cmocka_unit_test(drives_give_no_more_than_they_may),
        cmocka_unit_test(an_envelope_bounds_motors),
        cmocka_unit_test(stops_are_never_crossed),
        cmocka_unit_test(a_stop_takes_back_what_is_beyond),
        cmocka_unit_test(friction_holds_and_brakes),
        cmocka_unit_test(a_coefficient_brakes_by_the_load),
        cmocka_unit_test(joints_are_no_faster_than_they_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
