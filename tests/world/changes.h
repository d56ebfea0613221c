/* changes.h: a yard of articulations, most of them alike, for tests of what is kept from step to
 * step; and all that can be changed in it between steps. */
#ifndef LODE_TESTS_WORLD_CHANGES_H
#define LODE_TESTS_WORLD_CHANGES_H

#include "tests/support/random.h"
#include "tests/world/links.h"

#include <stdlib.h>

enum { ARMS = 22, TREES = 20 };

typedef struct yard {
    lode_world world;
    arm arms[ARMS]; /* trees alike, and two that stand */
    lode_body crate, cart;
    lode_joint rope;
} yard;

/* Alike but for one, so that several flocks are given the same; a joint has stops, and one a
 * drive. */
static inline void build_arm(yard *y, int n)
{
    const bool fixed = n >= TREES;
    lode_articulation_def def = lode_articulation_def_default();
    arm *a = &y->arms[n];
    *a = (arm){.world = y->world};
    def.fixed_base = fixed;
    def.wake_counter = (lode_real)0.2;
    def.sleep_threshold = (lode_real)0.002;
    a->articulation = lode_articulation_create(y->world, &def);
    assert_true(a->articulation.id);
    add_root(a, vec((lode_real)(4 * n), 0, 20));
    for (int i = 0; i < 4; ++i) {
        lode_link_def link = hinge_at(vec((lode_real)0.3, 0, (lode_real)-0.2),
                                      vec(0, 0, (lode_real)0.4));
        lode_link_axis *axis = &link.axis[LODE_AXIS_TWIST];
        axis->velocity = (lode_real)(i - 1);
        if (i == 1) {
            axis->motion = LODE_MOTION_LIMITED;
            axis->lo = -2, axis->hi = 2;
        }
        if (i == 2) {
            axis->drive.type = LODE_DRIVE_FORCE;
            axis->drive.stiffness = 5, axis->drive.damping = 1, axis->drive.max_force = 10;
        }
        add_to(a, i == 3 ? 0 : i, &link);
        set_mass(a->link[i + 1], n == TREES / 2 ? 1.5 : 1, 0.02, 0.03, 0.04);
    }
    lode_shape_def shape = lode_shape_def_default();
    assert_true(lode_shape_create_sphere(a->link[4], &shape, (lode_real)0.2).id);
    insert(a);
}

static inline yard make_yard(void)
{
    lode_world_def def = lode_world_def_default();
    yard y = {.world = lode_world_create(&def)};
    assert_true(lode_world_is_valid(y.world));
    lode_body ground = add_body(y.world, LODE_STATIC, 0, 0, -1);
    lode_shape_def shape = lode_shape_def_default();
    assert_true(lode_shape_create_box(ground, &shape, vec(100, 100, 1)).id);
    y.cart = add_body(y.world, LODE_KINEMATIC, -5, 0, 30);
    for (int n = 0; n < ARMS; ++n)
        build_arm(&y, n);
    return y;
}

/* ---- changes */

typedef void change_fn(yard *y, test_random *random);

static inline arm *some_arm(yard *y, test_random *random)
{
    return &y->arms[random_below(random, ARMS)];
}

static inline lode_body some_link(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    return a->link[1 + random_below(random, (uint32_t)a->count - 1)];
}

static inline lode_real between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static inline lode_vec3 some_vector(test_random *random, double size)
{
    double d[3];
    random_direction(random, d);
    return vec((lode_real)(size * d[0]), (lode_real)(size * d[1]), (lode_real)(size * d[2]));
}

static inline void nothing(yard *y, test_random *random)
{
    (void)y, (void)random;
}

static inline void push(yard *y, test_random *random)
{
    lode_body link = some_link(y, random);
    lode_body_add_force(link, some_vector(random, 20));
    lode_body_add_torque(link, some_vector(random, 2));
}

static inline void hit(yard *y, test_random *random)
{
    lode_body_add_impulse(some_link(y, random), some_vector(random, 1));
}

static inline void pull_joint(yard *y, test_random *random)
{
    lode_link_set_joint_force(some_link(y, random), LODE_AXIS_TWIST, between(random, -2, 2));
}

static inline void put_joint(yard *y, test_random *random)
{
    lode_link_set_position(some_link(y, random), LODE_AXIS_TWIST, between(random, -1, 1));
}

static inline void aim(yard *y, test_random *random)
{
    lode_link_set_target(some_link(y, random), LODE_AXIS_TWIST, between(random, -1, 1),
                         random_below(random, 2));
}

static inline void set_axis(yard *y, test_random *random)
{
    lode_body link = some_link(y, random);
    lode_link_axis axis = lode_link_get_axis(link, LODE_AXIS_TWIST);
    axis.static_friction = random_below(random, 2) ? (lode_real)0.5 : 0;
    axis.dynamic_friction = axis.static_friction;
    axis.armature = between(random, 0, 0.1);
    assert_int_equal(lode_link_set_axis(link, LODE_AXIS_TWIST, &axis), LODE_OK);
}

static inline void rub(yard *y, test_random *random)
{
    lode_link_set_friction_coefficient(some_link(y, random),
                                       random_below(random, 2) ? (lode_real)0.1 : 0);
}

static inline void weigh(yard *y, test_random *random)
{
    set_mass(some_link(y, random), random_between(random, 0.5, 2), 0.02, 0.03, 0.04);
}

static inline void limit(yard *y, test_random *random)
{
    lode_body_set_max_linear_speed(some_link(y, random),
                                   random_below(random, 2) ? 3 : (lode_real)INFINITY);
}

static inline void lighten(yard *y, test_random *random)
{
    lode_body_set_gravity_scale(some_link(y, random), between(random, 0, 1));
}

static inline void damp(yard *y, test_random *random)
{
    lode_link_set_damping(some_link(y, random), between(random, 0, 1), between(random, 0, 1));
}

static inline void doze(yard *y, test_random *random)
{
    lode_articulation_sleep(some_arm(y, random)->articulation);
}

static inline void rouse(yard *y, test_random *random)
{
    lode_articulation_wake(some_arm(y, random)->articulation);
}

static inline void wind_up(yard *y, test_random *random)
{
    lode_articulation_set_wake_counter(some_arm(y, random)->articulation,
                                       between(random, 0.05, 0.2));
}

/* All come to rest, and float. */
static inline void calm(yard *y, test_random *random)
{
    (void)random;
    lode_world_set_gravity(y->world, vec(0, 0, 0));
    for (int n = 0; n < ARMS; ++n) {
        arm *a = &y->arms[n];
        if (!lode_articulation_is_inserted(a->articulation))
            continue;
        if (n < TREES) {
            lode_articulation_set_root_linear_velocity(a->articulation, vec(0, 0, 0), true);
            lode_articulation_set_root_angular_velocity(a->articulation, vec(0, 0, 0), true);
        }
        for (int i = 1; i < a->count; ++i)
            lode_link_set_velocity(a->link[i], LODE_AXIS_TWIST, 0);
    }
}

/* Nobody is touched, and all are fast. */
static inline void fall(yard *y, test_random *random)
{
    (void)random;
    lode_world_set_gravity(y->world, vec(0, 0, -30));
}

/* One, or all alike. */
static inline void weigh_roots(yard *y, test_random *random)
{
    double kg = random_between(random, 0.5, 2);
    bool all = random_below(random, 2);
    for (int n = 0; n < (all ? TREES : 1); ++n)
        set_mass(y->arms[n].link[0], kg, 0.1, 0.2, 0.3);
}

/* What has no finite state freezes; who is set anywhere takes part again. */
static inline void burst(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    lode_link_set_velocity(a->link[1], LODE_AXIS_TWIST, (lode_real)1e30);
}

static inline void take_out_and_in(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    if (lode_articulation_is_inserted(a->articulation))
        assert_int_equal(lode_articulation_remove(a->articulation), LODE_OK);
    if (random_below(random, 4))
        insert(a);
}

static inline void swap_link(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    if (lode_articulation_is_inserted(a->articulation))
        assert_int_equal(lode_articulation_remove(a->articulation), LODE_OK);
    assert_int_equal(lode_articulation_remove_link(a->articulation, a->link[a->count - 1]),
                     LODE_OK);
    --a->count;
    lode_link_def link = hinge_at(vec(0, 0, between(random, -0.4, -0.1)),
                                  vec(0, 0, (lode_real)0.3));
    add_to(a, (int)random_below(random, (uint32_t)a->count), &link);
    insert(a);
}

static inline void rebuild(yard *y, test_random *random)
{
    uint32_t n = random_below(random, ARMS);
    assert_int_equal(lode_articulation_destroy(y->arms[n].articulation), LODE_OK);
    build_arm(y, (int)n);
}

/* Who is carried off must not hang on anything. */
static inline void untie(yard *y)
{
    if (y->rope.id && lode_joint_is_valid(y->rope))
        assert_int_equal(lode_joint_destroy(y->rope), LODE_OK);
    y->rope = (lode_joint){0};
}

static inline void drop(yard *y, test_random *random)
{
    untie(y);
    lode_pose pose = {vec(between(random, -20, 20), between(random, -20, 20), 1), {1, 0, 0, 0}};
    lode_articulation_set_root_pose(some_arm(y, random)->articulation, pose, true);
}

static inline void lift(yard *y, test_random *random)
{
    (void)random;
    untie(y);
    for (int n = 0; n < ARMS; ++n) {
        lode_pose pose = {vec((lode_real)(4 * n), 0, 300), {1, 0, 0, 0}};
        lode_articulation_set_root_pose(y->arms[n].articulation, pose, true);
    }
}

static inline void put_crate(yard *y, test_random *random)
{
    if (y->crate.id) {
        assert_int_equal(lode_body_destroy(y->crate), LODE_OK);
        y->crate = (lode_body){0};
        return;
    }
    y->crate = add_body(y->world, LODE_DYNAMIC, between(random, -9, 9), 0, 200);
}

static inline void tie(yard *y, test_random *random)
{
    untie(y);
    if (random_below(random, 3))
        return;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
    def.body_a = some_link(y, random);
    y->rope = lode_joint_create(y->world, &def);
}

static inline void drive_cart(yard *y, test_random *random)
{
    lode_body_set_linear_velocity(y->cart, random_below(random, 2) ? vec(0, 1, 0) : vec(0, 0, 0));
}

static inline void tilt(yard *y, test_random *random)
{
    lode_world_set_gravity(y->world, some_vector(random, 10));
}

static inline void rule(yard *y, test_random *random)
{
    static const lode_solver solvers[] = {LODE_SOLVER_SOFT_STEP, LODE_SOLVER_DIRECT,
                                          LODE_SOLVER_PGS};
    lode_world_set_solver(y->world, solvers[random_below(random, 3)]);
    lode_world_set_measure_residual(y->world, random_below(random, 2));
    lode_world_set_exit_below(y->world, random_below(random, 2) ? (lode_real)1e-3 : 0);
    lode_world_set_integrator(y->world, random_below(random, 2) ? LODE_INTEGRATOR_SEMI_IMPLICIT
                                                                : LODE_INTEGRATOR_SECOND_ORDER);
}

static inline void look(yard *y, test_random *random)
{
    lode_ray ray = {
        .origin = vec(between(random, -9, 9), 0, 400), .direction = vec(0, 0, -1), .length = 500};
    lode_ray_hit hit;
    lode_world_cast_ray(y->world, &ray, NULL, &hit);
}

static inline void go_back(yard *y, test_random *random)
{
    (void)random;
    size_t size = lode_world_snapshot(y->world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(lode_world_snapshot(y->world, bytes, size), size);
    assert_int_equal(lode_world_restore(y->world, bytes, size), LODE_OK);
    free(bytes);
}

/* As it was at first, so that there is something to stand. */
static inline void tidy(yard *y)
{
    untie(y);
    if (y->crate.id)
        assert_int_equal(lode_body_destroy(y->crate), LODE_OK);
    y->crate = (lode_body){0};
    lode_body_set_linear_velocity(y->cart, vec(0, 0, 0));
    lode_world_set_solver(y->world, LODE_SOLVER_SOFT_STEP);
    lode_world_set_exit_below(y->world, 0);
    lode_world_set_integrator(y->world, LODE_INTEGRATOR_SEMI_IMPLICIT);
    for (int n = 0; n < ARMS; ++n) {
        assert_int_equal(lode_articulation_destroy(y->arms[n].articulation), LODE_OK);
        build_arm(y, n);
    }
}

static change_fn *const changes[] = {
    nothing,   push,       hit,         pull_joint, put_joint,
    aim,       set_axis,   rub,         weigh,      limit,
    lighten,   damp,       doze,        rouse,      take_out_and_in,
    swap_link, rebuild,    drop,        lift,       put_crate,
    tie,       drive_cart, tilt,        rule,       look,
    go_back,   wind_up,    weigh_roots, calm,       fall,
    burst,
};

enum { CHANGES = sizeof changes / sizeof *changes };

#endif
