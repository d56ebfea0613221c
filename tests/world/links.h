/* links.h: articulations that a test builds link by link, and what it asks of them. */
#ifndef LODE_TESTS_WORLD_LINKS_H
#define LODE_TESTS_WORLD_LINKS_H

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

static inline lode_world make_world(lode_vec3 gravity)
{
    lode_world_def def = lode_world_def_default();
    def.gravity = gravity;
    def.sub_steps = 1;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

static inline arm make_arm_in(lode_world world, bool fixed)
{
    arm a = {.world = world};
    lode_articulation_def def = lode_articulation_def_default();
    def.fixed_base = fixed;
    def.sleep_threshold = 0;
    a.articulation = lode_articulation_create(world, &def);
    assert_true(a.articulation.id);
    return a;
}

static inline arm make_arm(lode_vec3 gravity, bool fixed)
{
    return make_arm_in(make_world(gravity), fixed);
}

static inline void set_mass(lode_body body, double mass, double ix, double iy, double iz)
{
    lode_mass m = {.mass = (lode_real)mass,
                   .inertia = {(lode_real)ix, (lode_real)iy, (lode_real)iz, 0, 0, 0}};
    assert_int_equal(lode_body_set_mass(body, &m), LODE_OK);
}

/* A link on the last one, or on `parent`. */
static inline lode_body add_to(arm *a, int parent, lode_link_def *def)
{
    if (parent >= 0)
        def->parent = a->link[parent];
    lode_body link = lode_articulation_add_link(a->articulation, def);
    assert_true(link.id);
    a->link[a->count++] = link;
    return link;
}

static inline lode_body add(arm *a, lode_link_def *def)
{
    return add_to(a, a->count - 1, def);
}

static inline lode_body add_root(arm *a, lode_vec3 at)
{
    lode_link_def def = lode_link_def_default(LODE_LINK_FIXED);
    def.pose.position = at;
    lode_body root = add(a, &def);
    set_mass(root, 1, 0.1, 0.2, 0.3);
    return root;
}

/* A turn about the world's y, `up` from the parent's end and `down` to the child's centre. */
static inline lode_link_def hinge_at(lode_vec3 up, lode_vec3 down)
{
    const lode_quat about_y = {(lode_real)sqrt(0.5), 0, 0, (lode_real)sqrt(0.5)};
    lode_link_def def = lode_link_def_default(LODE_LINK_REVOLUTE_UNWRAPPED);
    def.parent_frame = (lode_pose){up, about_y};
    def.child_frame = (lode_pose){down, about_y};
    return def;
}

static inline void insert(const arm *a)
{
    assert_int_equal(lode_articulation_insert(a->articulation), LODE_OK);
}

static inline void step_by(const arm *a, int steps, lode_real dt)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(a->world, dt), LODE_OK);
}

static inline lode_link_axis axis_of(lode_body link, int axis)
{
    return lode_link_get_axis(link, (lode_link_axis_index)axis);
}

static inline double q_of(lode_body link)
{
    return (double)axis_of(link, LODE_AXIS_TWIST).position;
}

static inline double qd_of(lode_body link)
{
    return (double)axis_of(link, LODE_AXIS_TWIST).velocity;
}

#define EXPECT_NEAR(a, b, tolerance) expect_near((double)(a), (double)(b), tolerance, __LINE__)

static inline void expect_near(double a, double b, double tolerance, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("line %d: %.12g is not %.12g to %.3g, but to %.3g\n", line, a, b, tolerance,
                    fabs(a - b));
        fail();
    }
}

static inline double length_of(lode_vec3 v)
{
    return sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
}

/* A quarter of the period of a physical pendulum that starts at rest at `angle`: by the arithmetic-
 * geometric mean, T = 2 pi sqrt(I / m g l) / agm(1, cos(angle / 2)). */
static inline double period(double inertia, double mgl, double angle)
{
    double a = 1, b = cos(angle / 2);
    for (int i = 0; i < 20; ++i) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * PI * sqrt(inertia / mgl) / a;
}

/* ---- momentum */

typedef struct momentum {
    double p[3], l[3], mass, c[3];
} momentum;

static inline momentum momentum_of(const arm *a)
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

static inline void expect_momentum(momentum a, momentum b, double tolerance, int line)
{
    for (int k = 0; k < 3; ++k) {
        expect_near(a.p[k], b.p[k], tolerance, line);
        expect_near(a.l[k], b.l[k], tolerance, line);
    }
}

/* A floating tree of every kind of joint. */
static inline arm make_tree(lode_vec3 gravity)
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

#endif
