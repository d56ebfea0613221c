/* How articulations move: against analysis, integration by other means, and the laws of
 * conservation. */
#include "tests/world/support.h"

#include <math.h>

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

static double length_of(lode_vec3 v)
{
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
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

/* ---- contacts */

static lode_shape add_box(lode_body body, lode_real x, lode_real y, lode_real z)
{
    lode_shape_def def = lode_shape_def_default();
    def.density = 0;
    lode_shape shape = lode_shape_create_box(body, &def, vec(x, y, z));
    assert_true(shape.id);
    return shape;
}

/* Legs of two links under a trunk, on drives. */
static arm make_quadruped(lode_world world, lode_vec3 at)
{
    arm a = make_arm_in(world, false);
    lode_articulation_def settings = lode_articulation_get_def(a.articulation);
    settings.sleep_threshold = 0;
    lode_articulation_set_def(a.articulation, &settings);
    add_root(&a, at);
    set_mass(a.link[0], 10, 0.2, 0.5, 0.6);
    add_box(a.link[0], (lode_real)0.4, (lode_real)0.2, (lode_real)0.08);
    for (int leg = 0; leg < 4; ++leg) {
        lode_real x = (lode_real)(leg & 1 ? 0.35 : -0.35), y = (lode_real)(leg & 2 ? 0.25 : -0.25);
        for (int part = 0; part < 2; ++part) {
            lode_link_def def = hinge_at(part ? vec(0, 0, (lode_real)-0.15) : vec(x, y, 0),
                                         vec(0, 0, (lode_real)0.15));
            def.axis[0].position = def.axis[0].target = (lode_real)(part ? -0.8 : 0.4);
            def.axis[0].drive = (lode_link_drive){LODE_DRIVE_FORCE,    400, 20, 100, 0,
                                                  (lode_real)INFINITY, 0,   0};
            add_to(&a, part ? a.count - 1 : 0, &def);
            set_mass(a.link[a.count - 1], 0.7, 0.006, 0.006, 0.001);
            add_box(a.link[a.count - 1], (lode_real)0.03, (lode_real)0.03, (lode_real)0.15);
        }
    }
    insert(&a);
    return a;
}

static void make_mesh_floor(lode_world world)
{
    enum { SIDE = 9 };
    static lode_vec3 points[SIDE * SIDE];
    static uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 2][3];
    for (int i = 0; i < SIDE * SIDE; ++i)
        points[i] = vec((lode_real)(0.37 * (i % SIDE - SIDE / 2)),
                        (lode_real)(0.41 * (i / SIDE - SIDE / 2)), 0);
    int count = 0;
    for (uint32_t y = 0; y + 1 < SIDE; ++y)
        for (uint32_t x = 0; x + 1 < SIDE; ++x) {
            uint32_t p = y * SIDE + x;
            const uint32_t two[2][3] = {{p, p + 1, p + SIDE}, {p + 1, p + SIDE + 1, p + SIDE}};
            for (int k = 0; k < 6; ++k)
                triangles[count + k / 3][k % 3] = two[k / 3][k % 3];
            count += 2;
        }
    lode_mesh_def surface = lode_mesh_def_default();
    surface.vertices = points;
    surface.vertex_count = SIDE * SIDE;
    surface.indices = triangles;
    surface.triangle_count = count;
    lode_mesh *mesh = lode_mesh_create(&surface);
    assert_non_null(mesh);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def def = lode_shape_def_default();
    assert_true(lode_shape_create_mesh(ground, &def, mesh).id);
    lode_mesh_release(mesh);
}

enum { STANDING = 20 }; /* seconds */

static void a_quadruped_stands_still(void **state)
{
    (void)state;
    for (int on_mesh = 0; on_mesh < 2; ++on_mesh) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        lode_world world = lode_world_create(&def);
        if (on_mesh)
            make_mesh_floor(world);
        else
            add_ground(world);
        arm a = make_quadruped(world, vec(0, 0, (lode_real)0.6));
        step_by(&a, 5 * 60, (lode_real)1 / 60); /* it settles */
        lode_vec3 stood = lode_body_get_center(a.link[0]);
        double fastest = 0, furthest = 0;
        for (int s = 0; s < STANDING * 60; ++s) {
            step_by(&a, 1, (lode_real)1 / 60);
            lode_vec3 now = lode_body_get_center(a.link[0]);
            furthest = fmax(furthest,
                            length_of(vec(now.x - stood.x, now.y - stood.y, now.z - stood.z)));
            for (int i = 1; i < a.count; ++i)
                fastest = fmax(fastest, fabs(qd_of(a.link[i])));
        }
        if (furthest >= 1e-3 || fastest >= 1e-3)
            print_error("on %d: moved %.3g m, fastest joint %.3g rad/s\n", on_mesh, furthest,
                        fastest);
        assert_true((double)stood.z > 0.4);
        assert_true(furthest < 1e-3);
        assert_true(fastest < 1e-3);
        lode_world_destroy(world);
    }
}

/* A link that falls on the ground comes to rest there, and bears what it weighs. */
static void links_rest_on_what_they_touch(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP};
    for (size_t i = 0; i < 2; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.solver = solvers[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm a = make_arm_in(world, false);
        add_root(&a, vec(0, 0, (lode_real)0.3));
        add_box(a.link[0], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
        lode_link_def link = hinge_at(vec((lode_real)0.3, 0, 0), vec((lode_real)-0.3, 0, 0));
        set_mass(add(&a, &link), 3, 0.1, 0.1, 0.1);
        add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
        insert(&a);
        step_by(&a, 180, (lode_real)1 / 60);
        double load = 0;
        lode_contact contacts[8];
        int count = lode_world_get_contacts(world, contacts, 8);
        for (int c = 0; c < count; ++c)
            for (int p = 0; p < contacts[c].point_count; ++p)
                load += fabs((double)contacts[c].points[p].impulse.z) * 60;
        EXPECT_NEAR(load, 40, 0.2);
        for (int l = 0; l < 2; ++l) {
            EXPECT_NEAR(lode_body_get_center(a.link[l]).z, 0.1, 0.01);
            EXPECT_NEAR(length_of(lode_body_get_linear_velocity(a.link[l])), 0, 1e-3);
        }
        lode_world_destroy(world);
    }
}

/* Contacts with links bounce like others: a floating link of its own like a ball, and one of two on
 * a hinge to the height that its energy gives. */
static void links_bounce(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, -10);
    def.sub_steps = 1;
    lode_world world = lode_world_create(&def);
    lode_body ground = add_body(world, LODE_STATIC, 0, 0, 0);
    lode_shape_def shape = lode_shape_def_default();
    shape.restitution = (lode_real)0.8;
    shape.density = 0;
    assert_true(lode_shape_create_plane(ground, &shape, vec(0, 0, 1), 0).id);
    lode_body ball = add_body(world, LODE_DYNAMIC, 5, 0, 1);
    assert_true(lode_shape_create_sphere(ball, &shape, (lode_real)0.1).id);
    arm a = make_arm_in(world, false);
    add_root(&a, vec(0, 0, 1));
    assert_true(lode_shape_create_sphere(a.link[0], &shape, (lode_real)0.1).id);
    insert(&a);
    arm b = make_arm_in(world, true); /* a hammer that falls on the ground */
    add_root(&b, vec(0, 3, (lode_real)0.1));
    lode_link_def link = hinge_at(vec(0, 0, 0), vec(-1, 0, 0));
    link.axis[0].position = (lode_real)-0.5;
    set_mass(add(&b, &link), 2, 0.1, 0.1, 0.1);
    assert_true(lode_shape_create_sphere(b.link[1], &shape, (lode_real)0.1).id);
    insert(&b);
    double before = 0, after = 0;
    for (int s = 0; s < 1500; ++s) {
        double was = qd_of(b.link[1]);
        step_by(&a, 1, H);
        double now = qd_of(b.link[1]);
        if (was > 0.5 && now < 0 && before == 0) {
            before = was;
            after = now;
        }
        EXPECT_NEAR(lode_body_get_center(a.link[0]).z, lode_body_get_center(ball).z, 1e-5);
    }
    EXPECT_NEAR(-after / before, 0.8, 0.01);
    lode_world_destroy(world);
}

/* ---- loops */

/* Ordinary joints between links: a parallelogram of links that a hinge closes swings as a pendulum
 * of the same rods does, and stays closed. */
static void joints_close_loops(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), true);
    add_root(&a, vec(0, 0, 0));
    for (int side = 0; side < 2; ++side) {
        lode_link_def def = hinge_at(vec((lode_real)side, 0, 0), vec(0, 0, (lode_real)0.5));
        def.axis[0].position = (lode_real)0.5;
        add_to(&a, 0, &def);
        set_mass(a.link[a.count - 1], 1, 1.0 / 12, 1.0 / 12, 0.001);
    }
    lode_link_def bar = hinge_at(vec(0, 0, (lode_real)-0.5), vec((lode_real)-0.5, 0, 0));
    bar.axis[0].position = (lode_real)-0.5;
    add_to(&a, 1, &bar);
    set_mass(a.link[3], 1, 0.001, 1.0 / 12, 1.0 / 12);
    insert(&a);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a.link[3];
    def.body_b = a.link[2];
    lode_vec3 corner = lode_body_point_to_world(a.link[3], vec((lode_real)0.5, 0, 0));
    assert_true(
        near_vec(corner, lode_body_point_to_world(a.link[2], vec(0, 0, (lode_real)-0.5)), 1e-5));
    lode_joint_def_anchor_world(&def, corner, vec(0, 1, 0));
    assert_true(lode_joint_create(a.world, &def).id);
    /* one angle: I = 2 (1/12 + 1/4) + 1, moments m g l = 2 * 10 * 0.5 + 10 * 1 */
    double wanted = period(2.0 / 12 + 0.5 + 1, 20, 0.5), time = 0, last = 0, first = 0;
    for (int crossings = 0; crossings < 3;) {
        double q = q_of(a.link[1]);
        step_by(&a, 1, H);
        time += (double)H;
        double now = q_of(a.link[1]);
        if (q > 0 && now <= 0) {
            last = time - (double)H * now / (now - q);
            first = crossings++ == 0 ? last : first;
        }
        lode_vec3 p = lode_body_point_to_world(a.link[3], vec((lode_real)0.5, 0, 0));
        assert_true(
            near_vec(p, lode_body_point_to_world(a.link[2], vec(0, 0, (lode_real)-0.5)), 1e-3));
        assert_true(time < 20);
    }
    EXPECT_NEAR((last - first) / 2, wanted, 2e-3 * wanted);
    lode_world_destroy(a.world);
}

/* A body that hangs on a link by a ball joint weighs as much as one that is a link. */
static void bodies_hang_on_links(void **state)
{
    (void)state;
    double angle[2];
    for (int as_link = 0; as_link < 2; ++as_link) {
        arm a = make_arm(vec(0, 0, -10), true);
        add_root(&a, vec(0, 0, 0));
        lode_link_def def = hinge_at(vec(0, 0, 0), vec(0, 0, (lode_real)0.5));
        def.axis[0].drive = (lode_link_drive){LODE_DRIVE_FORCE,    200, 40, (lode_real)INFINITY, 0,
                                              (lode_real)INFINITY, 0,   0};
        def.axis[0].target = 1;
        def.axis[0].position = 1;
        set_mass(add(&a, &def), 1, 0.1, 0.1, 0.1);
        if (as_link) {
            lode_link_def low = lode_link_def_default(LODE_LINK_SPHERICAL);
            low.parent_frame.position.z = (lode_real)-0.5;
            set_mass(add(&a, &low), 4, 0.1, 0.1, 0.1);
        }
        insert(&a);
        if (!as_link) {
            lode_vec3 at = lode_body_point_to_world(a.link[1], vec(0, 0, (lode_real)-0.5));
            lode_body body = add_body(a.world, LODE_DYNAMIC, at.x, at.y, at.z);
            set_mass(body, 4, 0.1, 0.1, 0.1);
            lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
            joint.body_a = a.link[1];
            joint.body_b = body;
            lode_joint_def_anchor_world(&joint, at, vec(0, 0, 1));
            assert_true(lode_joint_create(a.world, &joint).id);
        }
        step_by(&a, 5000, H);
        angle[as_link] = q_of(a.link[1]);
        EXPECT_NEAR(qd_of(a.link[1]), 0, 1e-3);
        lode_world_destroy(a.world);
    }
    EXPECT_NEAR(angle[0], angle[1], 1e-3);
    /* k (1 - q) = (1 * 0.5 + 4 * 1) * 10 * sin(q) */
    EXPECT_NEAR(200 * (1 - angle[1]), 45 * sin(angle[1]), 0.05);
}

/* An arm on a fixed base lifts a box from below. */
static void an_arm_lifts_a_box(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    world_def.gravity = vec(0, 0, -10);
    lode_world world = lode_world_create(&world_def);
    add_ground(world);
    arm a = make_arm_in(world, true);
    add_root(&a, vec(-1, 0, (lode_real)0.05));
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    def.axis[LODE_AXIS_X].motion = LODE_MOTION_LOCKED;
    def.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_Z].drive = (lode_link_drive){LODE_DRIVE_FORCE,    20000, 2000, 1000, 0,
                                                    (lode_real)INFINITY, 0,     0};
    set_mass(add(&a, &def), 1, 0.1, 0.1, 0.1);
    add_box(a.link[1], (lode_real)0.5, (lode_real)0.3, (lode_real)0.04);
    insert(&a);
    lode_body box = add_body(world, LODE_DYNAMIC, -1, 0, (lode_real)0.3);
    lode_shape_def shape = lode_shape_def_default();
    shape.density = 100;
    lode_shape_create_box(box, &shape, vec((lode_real)0.2, (lode_real)0.2, (lode_real)0.2));
    step_by(&a, 30, (lode_real)1 / 60);
    for (int s = 0; s < 120; ++s) {
        lode_link_set_target(a.link[1], LODE_AXIS_Z, (lode_real)(s / 120.0), true);
        step_by(&a, 1, (lode_real)1 / 60);
    }
    step_by(&a, 120, (lode_real)1 / 60);
    double weight = (double)lode_body_get_mass(box).mass * 10 + 10;
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_Z).position, 1 - weight / 20000 - 1.0 / 120, 1e-3);
    EXPECT_NEAR(lode_body_get_center(box).z, axis_of(a.link[1], LODE_AXIS_Z).position + 0.05 + 0.24,
                0.01);
    lode_world_destroy(world);
}

/* ---- with bodies and with each other */

static lode_body add_ball_at(lode_world world, lode_vec3 at, lode_vec3 velocity, lode_real e)
{
    lode_body ball = add_body(world, LODE_DYNAMIC, at.x, at.y, at.z);
    lode_shape_def shape = lode_shape_def_default();
    shape.restitution = e;
    assert_true(lode_shape_create_sphere(ball, &shape, (lode_real)0.2).id);
    set_mass(ball, 2, 0.1, 0.1, 0.1);
    lode_body_set_linear_velocity(ball, velocity);
    return ball;
}

static double energy_of(const arm *a)
{
    double sum = 0;
    for (int i = 0; i < a->count; ++i) {
        lode_mass mass = lode_body_get_mass(a->link[i]);
        lode_vec3 v = lode_body_get_linear_velocity(a->link[i]);
        lode_vec3 w = lode_body_vector_from_world(a->link[i],
                                                  lode_body_get_angular_velocity(a->link[i]));
        sum += (double)(mass.mass * (v.x * v.x + v.y * v.y + v.z * v.z) +
                        mass.inertia[0] * w.x * w.x + mass.inertia[1] * w.y * w.y +
                        mass.inertia[2] * w.z * w.z);
    }
    return sum / 2;
}

/* Balls strike a floating chain at rest: what one loses the other gains, with e = 1 energy too. */
static void blows_keep_momentum(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        lode_real e = (lode_real)(i & 1);
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, 0);
        def.sub_steps = i & 2 ? 4 : 1;
        def.solver = i & 4 ? LODE_SOLVER_SOFT_STEP : LODE_SOLVER_PGS;
        lode_world world = lode_world_create(&def);
        arm a = make_arm_in(world, false);
        for (int k = 0; k < 4; ++k) {
            lode_link_def link = k % 2 ? hinge_at(vec((lode_real)0.5, 0, 0),
                                                  vec((lode_real)-0.5, 0, 0))
                                       : lode_link_def_default(LODE_LINK_SPHERICAL);
            link.parent_frame.position.x = (lode_real)0.5;
            link.child_frame.position.x = (lode_real)-0.5;
            lode_body body = add(&a, &link);
            lode_shape_def shape = lode_shape_def_default();
            shape.restitution = e;
            shape.friction = 0;
            assert_true(lode_shape_create_capsule(body, &shape, (lode_real)0.2, (lode_real)0.2).id);
            set_mass(body, 1, 0.05, 0.08, 0.09);
        }
        insert(&a);
        a.link[a.count++] = add_ball_at(world, vec((lode_real)1.2, (lode_real)0.05, 1),
                                        vec(0, 0, -4), e);
        momentum before = momentum_of(&a);
        double energy = energy_of(&a);
        step_by(&a, 200, H);
        /* turning is of first order in the sub-step */
        expect_momentum(momentum_of(&a), before, def.sub_steps > 1 ? 0.02 : 0.1, __LINE__);
        assert_true((double)lode_body_get_linear_velocity(a.link[4]).z > -3); /* it struck */
        if (e > 0)
            EXPECT_NEAR(energy_of(&a), energy, 0.02 * energy);
        else
            assert_true(energy_of(&a) < 0.95 * energy);
        lode_world_destroy(world);
    }
}

/* A kinematic plate lifts a hanging link, and lets it down. */
static void kinematic_bodies_push_links(void **state)
{
    (void)state;
    arm a = make_arm(vec(0, 0, -10), true);
    add_root(&a, vec(0, 0, 2));
    lode_link_def def = lode_link_def_default(LODE_LINK_PRISMATIC);
    def.axis[LODE_AXIS_X].motion = LODE_MOTION_LOCKED;
    def.axis[LODE_AXIS_Z].motion = LODE_MOTION_FREE;
    def.axis[LODE_AXIS_Z].position = -1;
    set_mass(add(&a, &def), 5, 0.1, 0.1, 0.1);
    add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.1);
    insert(&a);
    lode_body plate = add_body(a.world, LODE_KINEMATIC, 0, 0, (lode_real)0.79);
    add_box(plate, 1, 1, (lode_real)0.1);
    step_by(&a, 200, H);
    for (int s = 0; s < 1000; ++s) {
        lode_body_set_linear_velocity(plate, vec(0, 0, (lode_real)(s < 500 ? 1 : -1)));
        step_by(&a, 1, H);
        double apart = (double)(lode_body_get_center(a.link[1]).z - lode_body_get_center(plate).z);
        if (s >= 500 && s < 950) /* it is thrown up: 0.2 m for 0.4 s */
            assert_true(apart > 0.19 && apart < 0.41);
        else
            EXPECT_NEAR(apart, 0.2, 0.006);
    }
    EXPECT_NEAR(axis_of(a.link[1], LODE_AXIS_Z).velocity, -1, 0.05);
    lode_world_destroy(a.world);
}

/* Two arms whose hands a bar ties to each other. */
static void articulations_meet_each_other(void **state)
{
    (void)state;
    static const lode_solver solvers[] = {LODE_SOLVER_PGS, LODE_SOLVER_SOFT_STEP,
                                          LODE_SOLVER_DIRECT, LODE_SOLVER_HYBRID};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.solver = solvers[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm two[2];
        for (int k = 0; k < 2; ++k) {
            two[k] = make_arm_in(world, true);
            add_root(&two[k], vec((lode_real)(k ? 1 : -1), 0, 3));
            lode_link_def link = hinge_at(vec(0, 0, 0), vec(0, 0, (lode_real)0.5));
            link.axis[0].position = (lode_real)(k ? 0.6 : -0.6);
            set_mass(add(&two[k], &link), 1, 0.1, 0.1, 0.02);
            insert(&two[k]);
        }
        lode_joint_def joint = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
        joint.body_a = two[0].link[1];
        joint.body_b = two[1].link[1];
        joint.frame_a.position.z = joint.frame_b.position.z = (lode_real)-0.5;
        lode_vec3 p = lode_body_point_to_world(joint.body_a, joint.frame_a.position);
        lode_vec3 q = lode_body_point_to_world(joint.body_b, joint.frame_b.position);
        double gap = length_of(vec(p.x - q.x, p.y - q.y, p.z - q.z));
        joint.distance = (lode_real)gap;
        assert_true(lode_joint_create(world, &joint).id);
        for (int s = 0; s < 600; ++s) {
            step_by(&two[0], 1, (lode_real)1 / 240);
            p = lode_body_point_to_world(joint.body_a, joint.frame_a.position);
            q = lode_body_point_to_world(joint.body_b, joint.frame_b.position);
            EXPECT_NEAR(length_of(vec(p.x - q.x, p.y - q.y, p.z - q.z)), gap, 2e-3);
        }
        EXPECT_NEAR(q_of(two[0].link[1]) + q_of(two[1].link[1]), 0, 1e-2);
        lode_world_destroy(world);
    }
}

/* Steps of other lengths, and with other integrators, fall alike. */
static void whatever_the_world_is_set_to_it_falls(void **state)
{
    (void)state;
    static const lode_integrator integrators[] = {
        LODE_INTEGRATOR_SEMI_IMPLICIT, LODE_INTEGRATOR_BALLISTIC, LODE_INTEGRATOR_SECOND_ORDER};
    for (size_t i = 0; i < 3; ++i) {
        lode_world_def def = lode_world_def_default();
        def.gravity = vec(0, 0, -10);
        def.integrator = integrators[i];
        lode_world world = lode_world_create(&def);
        add_ground(world);
        arm a = make_arm_in(world, false);
        add_root(&a, vec(0, 0, 1));
        add_box(a.link[0], (lode_real)0.2, (lode_real)0.2, (lode_real)0.2);
        lode_link_def link = hinge_at(vec((lode_real)0.3, 0, 0), vec((lode_real)-0.3, 0, 0));
        set_mass(add(&a, &link), 3, 0.1, 0.1, 0.1);
        add_box(a.link[1], (lode_real)0.2, (lode_real)0.2, (lode_real)0.2);
        insert(&a);
        for (int s = 0; s < 300; ++s)
            step_by(&a, 1, (lode_real)(s % 3 ? 0.016 : 0.004));
        for (int l = 0; l < 2; ++l) {
            EXPECT_NEAR(lode_body_get_center(a.link[l]).z, 0.2, 0.02);
            EXPECT_NEAR(length_of(lode_body_get_linear_velocity(a.link[l])), 0, 5e-3);
        }
        lode_world_destroy(world);
    }
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
        cmocka_unit_test(links_are_no_faster_than_they_may),
        cmocka_unit_test(the_whole_is_no_faster_than_it_may),
        cmocka_unit_test(gravity_and_damping_are_each_links_own),
        cmocka_unit_test(spherical_joints_go_to_their_targets),
        cmocka_unit_test(a_drive_crosses_half_a_turn),
        cmocka_unit_test(turns_are_counted_or_wrapped),
        cmocka_unit_test(six_axes_are_free_as_they_are_asked),
        cmocka_unit_test(a_long_chain_does_not_stretch),
        cmocka_unit_test(a_quadruped_stands_still),
        cmocka_unit_test(links_rest_on_what_they_touch),
        cmocka_unit_test(links_bounce),
        cmocka_unit_test(joints_close_loops),
        cmocka_unit_test(bodies_hang_on_links),
        cmocka_unit_test(an_arm_lifts_a_box),
        cmocka_unit_test(blows_keep_momentum),
        cmocka_unit_test(kinematic_bodies_push_links),
        cmocka_unit_test(articulations_meet_each_other),
        cmocka_unit_test(whatever_the_world_is_set_to_it_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
