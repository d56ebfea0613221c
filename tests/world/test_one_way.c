/* Contacts that push one body alone: what is immovable to others moves as if they were not there,
 * to the bit, with every solver, asleep and awake, on threads, by material, by the application's
 * word and in contacts of the caller; and the others are pushed as by a kinematic body. */
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAVY = 6, LIGHT = 10, ALL = HEAVY + LIGHT };

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return report.count;
}

static void run(lode_world world, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

/* Heavy things push light ones; which comes first in the entry is the caller's choice. All are hard
 * and do not bounce. */
static void give_table(lode_world world, bool heavy_first)
{
    static const char *const pairs[][2] = {{"heavy", "light"},
                                           {"heavy", "heavy"},
                                           {"heavy", "default"},
                                           {"light", "light"},
                                           {"light", "default"}};
    lode_contact_properties table[5];
    for (int i = 0; i < 5; ++i) {
        lode_contact_properties *p = &table[i];
        *p = lode_contact_properties_default();
        p->material1 = pairs[i][!heavy_first];
        p->material2 = pairs[i][heavy_first];
        p->bounce = 0;
        p->soft_cfm = (lode_real)1e-6;
        p->rolling_friction[0] = p->rolling_friction[1] = (lode_real)0.01;
    }
    table[0].immovable = heavy_first ? LODE_IMMOVABLE_FIRST : LODE_IMMOVABLE_SECOND;
    assert_int_equal(lode_world_set_contact_properties(world, table, 5), LODE_OK);
}

static void name_shapes(lode_body body, const char *material)
{
    lode_shape shapes[4];
    int count = lode_body_get_shapes(body, shapes, 4);
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_shape_set_material(shapes[i], material), LODE_OK);
}

static bool same_pose(lode_body a, lode_body b)
{
    lode_pose p = lode_body_get_pose(a), q = lode_body_get_pose(b);
    lode_vec3 v = lode_body_get_linear_velocity(a), u = lode_body_get_linear_velocity(b);
    lode_vec3 w = lode_body_get_angular_velocity(a), x = lode_body_get_angular_velocity(b);
    return memcmp(&p, &q, sizeof p) == 0 && memcmp(&v, &u, sizeof v) == 0 &&
           memcmp(&w, &x, sizeof w) == 0 && lode_body_is_awake(a) == lode_body_is_awake(b);
}

/* With the inertia of a ball of radius 0.5 m. */
static void set_mass(lode_body body, lode_real mass)
{
    lode_mass m = {.mass = mass};
    m.inertia[0] = m.inertia[1] = m.inertia[2] = (lode_real)0.1 * mass;
    assert_int_equal(lode_body_set_mass(body, &m), LODE_OK);
}

/* --- a heap of both */

typedef struct heap {
    lode_world world;
    lode_body heavy[HEAVY], light[LIGHT];
} heap;

static lode_body add_light(lode_world world, int i, lode_real away)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(0.31 * (i % 4) - 0.2) + away,
                              (lode_real)(0.17 * (i % 3)), (lode_real)(0.6 + 0.45 * i));
    lode_vec3 half = vec((lode_real)0.2, (lode_real)0.3, (lode_real)0.15);
    if (i % 3 == 0)
        lode_shape_create_sphere(body, &shape, (lode_real)0.25);
    else if (i % 3 == 1)
        lode_shape_create_box(body, &shape, half);
    else
        lode_shape_create_capsule(body, &shape, (lode_real)0.15, (lode_real)0.2);
    set_mass(body, 50);
    name_shapes(body, "light");
    return body;
}

static lode_body add_heavy(lode_world world, int i)
{
    lode_shape_def shape = lode_shape_def_default();
    lode_body body = add_body(world, LODE_DYNAMIC, (lode_real)(i % 2 ? 0.9 : 0),
                              (lode_real)(0.02 * i), (lode_real)(0.25 + 0.55 * (i / 2)));
    lode_shape_create_box(body, &shape, vec((lode_real)0.4, (lode_real)0.4, (lode_real)0.25));
    name_shapes(body, "heavy");
    lode_body_set_linear_velocity(body, vec((lode_real)0.5, (lode_real)0.25 * (lode_real)i, 0));
    return body;
}

/* The light ones `away` from the heavy ones. */
static heap make_heap(const lode_world_def *def, bool light_first, bool heavy_first, lode_real away)
{
    heap h = {.world = lode_world_create(def)};
    add_ground(h.world);
    give_table(h.world, heavy_first);
    for (int i = 0; i < LIGHT && light_first; ++i)
        h.light[i] = add_light(h.world, i, away);
    for (int i = 0; i < HEAVY; ++i)
        h.heavy[i] = add_heavy(h.world, i);
    for (int i = 0; i < LIGHT && !light_first; ++i)
        h.light[i] = add_light(h.world, i, away);
    return h;
}

static void compare(const heap *with, const heap *without, int steps)
{
    int touched = 0;
    for (int n = 0; n < steps; ++n) {
        run(with->world, 1);
        run(without->world, 1);
        lode_world_stats a, b;
        lode_world_get_stats(with->world, &a);
        lode_world_get_stats(without->world, &b);
        touched += a.contacts > b.contacts;
        for (int i = 0; i < HEAVY; ++i)
            assert_true(same_pose(with->heavy[i], without->heavy[i]));
    }
    assert_true(touched > 20);
}

static void the_immovable_moves_as_without(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver)
        for (int order = 0; order < 4; ++order) {
            lode_world_def def = lode_world_def_default();
            def.solver = (lode_solver)solver;
            def.threads = 1 + order % 2;
            def.sleep.enabled = true;
            heap with = make_heap(&def, order & 1, order & 2, 0);
            heap without = make_heap(&def, order & 1, order & 2, 500);
            compare(&with, &without, 400);
            for (int i = 0; i < HEAVY; ++i) /* they have come to rest beneath the others */
                assert_false(lode_body_is_awake(with.heavy[i]));
            for (int i = 0; i < LIGHT; ++i) { /* which are outside of them and on the ground */
                lode_vec3 at = lode_body_get_pose(with.light[i]).position;
                assert_true(at.z > (lode_real)0.1 && at.z < 3);
            }
            lode_world_destroy(with.world);
            lode_world_destroy(without.world);
        }
}

/* The heavy ones fly through the light ones and fall among them, so that each is for a while
 * touched by nothing but these; all are continuous, or none. */
static void it_does_so_with_each_integrator_and_when_iterations_end_early(void **state)
{
    static const lode_solver solvers[] = {LODE_SOLVER_SOFT_STEP, LODE_SOLVER_PGS,
                                          LODE_SOLVER_DIRECT};
    (void)state;
    for (int n = 0; n < 3 * LODE_INTEGRATOR_COUNT * 4; ++n) {
        lode_world_def def = lode_world_def_default();
        heap heaps[2];
        def.solver = solvers[n % 3];
        def.integrator = (lode_integrator)(n / 3 % LODE_INTEGRATOR_COUNT);
        def.exit_below = n / 3 / LODE_INTEGRATOR_COUNT % 2 ? (lode_real)0.01 : 0;
        const bool continuous = n / 6 / LODE_INTEGRATOR_COUNT % 2;
        for (int k = 0; k < 2; ++k) {
            heaps[k] = make_heap(&def, n & 1, n & 2, k == 0 ? 0 : 500);
            for (int i = 0; i < HEAVY; ++i) {
                lode_body_set_linear_velocity(heaps[k].heavy[i],
                                              vec((lode_real)0.1, 0, (lode_real)(2 * i)));
                assert_int_equal(lode_body_set_continuous(heaps[k].heavy[i], continuous), LODE_OK);
            }
            for (int i = 0; i < LIGHT; ++i)
                assert_int_equal(lode_body_set_continuous(heaps[k].light[i], continuous), LODE_OK);
        }
        compare(&heaps[0], &heaps[1], 200);
        for (int i = 0; i < LIGHT; ++i)
            assert_true(lode_body_get_pose(heaps[0].light[i]).position.z > (lode_real)0.1);
        lode_world_destroy(heaps[0].world);
        lode_world_destroy(heaps[1].world);
    }
}

/* A heavy ball that nothing touches but a light one beneath it moves on the parabola, which the
 * ballistic integrator and that of second order make, and the other is in front of it. */
static void what_nothing_else_touches_flies_on(void **state)
{
    (void)state;
    for (int n = 0; n < 4; ++n) {
        lode_world_def def = lode_world_def_default();
        lode_shape_def shape = lode_shape_def_default();
        def.integrator = n % 2 ? LODE_INTEGRATOR_BALLISTIC : LODE_INTEGRATOR_SECOND_ORDER;
        lode_world world = lode_world_create(&def);
        give_table(world, true);
        lode_body heavy = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.99);
        lode_body light = add_body(world, LODE_DYNAMIC, 0, 0, 0);
        lode_shape_create_sphere(heavy, &shape, (lode_real)0.5);
        lode_shape_create_sphere(light, &shape, (lode_real)0.5);
        lode_body_set_linear_velocity(heavy, vec(1, 0, (lode_real)-3));
        lode_body_set_continuous(heavy, n / 2);
        name_shapes(heavy, "heavy");
        name_shapes(light, "light");
        int touched = 0;
        for (int k = 1; k <= 64; ++k) {
            run(world, 1);
            lode_world_stats stats;
            lode_world_get_stats(world, &stats);
            touched += stats.contacts;
            double t = k / 64.0, z = 0.99 - 3 * t - 9.81 * t * t / 2;
            lode_vec3 at = lode_body_get_pose(heavy).position;
            assert_true(near((double)at.z, z, 2e-4) && near((double)at.x, t, 1e-4));
        }
        assert_true(touched > 5);
        assert_true(lode_body_get_linear_velocity(light).z < -3); /* it was pushed */
        lode_world_destroy(world);
    }
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    heap one = make_heap(&def, false, true, 0);
    def.threads = 3;
    heap three = make_heap(&def, false, true, 0);
    for (int n = 0; n < 200; ++n) {
        run(one.world, 1);
        run(three.world, 1);
        assert_true(lode_world_hash(one.world) == lode_world_hash(three.world));
    }
    lode_world_destroy(one.world);
    lode_world_destroy(three.world);
}

static void snapshots_hold_it(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    for (int at = 10; at <= 250; at += 80) {
        heap h = make_heap(&def, false, true, 0);
        lode_world other = lode_world_create(&def);
        run(h.world, at);
        size_t size = lode_world_snapshot(h.world, NULL, 0);
        char *bytes = malloc(size);
        assert_int_equal(lode_world_snapshot(h.world, bytes, size), size);
        assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
        for (int n = 0; n < 30; ++n) {
            run(h.world, 1);
            run(other, 1);
            assert_true(lode_world_hash(h.world) == lode_world_hash(other));
        }
        free(bytes);
        lode_world_destroy(other);
        lode_world_destroy(h.world);
    }
}

/* --- as by a kinematic body */

/* A box that goes along x, with a ball, or a box, in front of it and one on top, without
 * gravity. */
typedef struct push {
    lode_world world;
    lode_body by, ball, crate;
} push;

static push make_push(int solver, lode_body_type type, bool first, lode_real bounce)
{
    lode_world_def def = lode_world_def_default();
    def.solver = (lode_solver)solver;
    def.gravity = vec(0, 0, 0);
    push p = {.world = lode_world_create(&def)};
    lode_contact_properties table = lode_contact_properties_default();
    lode_shape_def shape = lode_shape_def_default();
    table.material1 = "heavy";
    table.material2 = "light";
    table.immovable = LODE_IMMOVABLE_FIRST;
    table.bounce = bounce;
    table.bounce_velocity = 0;
    lode_world_set_contact_properties(p.world, &table, 1);
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == first) {
            p.by = add_body(p.world, type, 0, 0, 0);
            lode_shape_create_box(p.by, &shape, vec(1, 1, 1));
            lode_body_set_linear_velocity(p.by, vec((lode_real)0.5, 0, 0));
            name_shapes(p.by, "heavy");
            continue;
        }
        p.ball = add_ball(p.world, (lode_real)1.75, (lode_real)0.25, 0, (lode_real)0.5);
        p.crate = add_body(p.world, LODE_DYNAMIC, 0, 0, (lode_real)1.25);
        lode_shape_create_box(p.crate, &shape,
                              vec((lode_real)0.25, (lode_real)0.25, (lode_real)0.25));
        lode_body_set_linear_velocity(p.crate, vec(0, 0, (lode_real)-0.125));
        name_shapes(p.ball, "light");
        name_shapes(p.crate, "light");
    }
    return p;
}

static void others_are_pushed_as_by_a_kinematic_body(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver)
        for (int first = 0; first < 2; ++first) {
            push a = make_push(solver, LODE_DYNAMIC, first, 0);
            push b = make_push(solver, LODE_KINEMATIC, first, 0);
            for (int n = 0; n < 200; ++n) {
                run(a.world, 1);
                run(b.world, 1);
                lode_vec3 x = lode_body_get_pose(a.by).position;
                assert_true(x.x == (lode_real)0.5 * STEP * (lode_real)(n + 1) && x.y == 0);
                lode_pose p = lode_body_get_pose(a.ball), q = lode_body_get_pose(b.ball);
                assert_memory_equal(&p, &q, sizeof p);
                p = lode_body_get_pose(a.crate);
                q = lode_body_get_pose(b.crate);
                assert_memory_equal(&p, &q, sizeof p);
            }
            /* both have been pushed: ahead, and off */
            assert_true(lode_body_get_linear_velocity(a.ball).x > (lode_real)0.45);
            assert_true(lode_body_get_linear_velocity(a.crate).z > (lode_real)-0.01);
            lode_world_destroy(a.world);
            lode_world_destroy(b.world);
        }
}

/* A light ball bounces off as off a wall that comes on. */
static void they_bounce_as_off_a_wall(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first) {
        push p = make_push(LODE_SOLVER_SOFT_STEP, LODE_DYNAMIC, first, 1);
        lode_body_set_linear_velocity(p.ball, vec(-1, 0, 0));
        run(p.world, 40);
        assert_true(near((double)lode_body_get_linear_velocity(p.ball).x, 2, 1e-3));
        assert_true(lode_body_get_linear_velocity(p.by).x == (lode_real)0.5);
        lode_world_destroy(p.world);
    }
}

/* What contacts tell is what the pushed body gets, in either order: it slides along x on a heavy
 * box. */
static void impulses_are_those_on_the_pushed(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first)
        for (int type = 0; type < 2; ++type) {
            push p = make_push(LODE_SOLVER_PGS, type ? LODE_DYNAMIC : LODE_KINEMATIC, first, 0);
            lode_contact contacts[4];
            lode_body_set_linear_velocity(p.by, vec(0, 0, 0));
            lode_body_set_pose(p.ball, (lode_pose){{50, 0, 0}, {1, 0, 0, 0}});
            lode_body_set_linear_velocity(p.crate, vec(1, (lode_real)0.5, 0));
            lode_body_set_gravity_scale(p.by, 0);
            lode_world_set_gravity(p.world, vec(0, 0, -8));
            run(p.world, 8);
            lode_vec3 before = lode_body_get_linear_velocity(p.crate);
            run(p.world, 1);
            lode_vec3 after = lode_body_get_linear_velocity(p.crate), sum = vec(0, 0, 0);
            assert_int_equal(lode_world_get_contacts(p.world, contacts, 4), 1);
            bool is_a = contacts[0].body_a.id == p.crate.id;
            for (int k = 0; k < contacts[0].point_count; ++k) {
                lode_vec3 j = contacts[0].points[k].impulse;
                sum = vec(sum.x + j.x, sum.y + j.y, sum.z + j.z);
            }
            double side = is_a ? 1 : -1, mass = (double)lode_body_get_mass(p.crate).mass;
            assert_true(
                near(side * (double)sum.x, mass * (double)(after.x - before.x), 1e-4 * mass));
            assert_true(
                near(side * (double)sum.y, mass * (double)(after.y - before.y), 1e-4 * mass));
            assert_true(near(side * (double)sum.z, mass * (8.0 / 64 + (double)(after.z - before.z)),
                             1e-4 * mass));
            assert_true(after.x < before.x - (lode_real)0.05);
            lode_world_destroy(p.world);
        }
}

/* --- sleep */

typedef struct resting {
    lode_world world;
    lode_body under, on; /* heavy, light */
} resting;

static resting make_resting(bool first)
{
    lode_world_def def = lode_world_def_default();
    lode_shape_def shape = lode_shape_def_default();
    def.sleep.enabled = true;
    resting r = {.world = lode_world_create(&def)};
    add_ground(r.world);
    give_table(r.world, true);
    for (int i = 0; i < 2; ++i) {
        bool heavy = (i == 0) == first;
        lode_body body = add_body(r.world, LODE_DYNAMIC, 0, 0, (lode_real)(heavy ? 0.5 : 1.25));
        lode_real half = (lode_real)(heavy ? 0.5 : 0.25);
        lode_shape_create_box(body, &shape, vec(half, half, half));
        name_shapes(body, heavy ? "heavy" : "light");
        *(heavy ? &r.under : &r.on) = body;
    }
    for (int n = 0; n < 300 && lode_body_is_awake(r.on); ++n) {
        assert_true(!lode_body_is_awake(r.under) || lode_body_is_awake(r.on));
        run(r.world, 1);
    }
    assert_false(lode_body_is_awake(r.on) || lode_body_is_awake(r.under));
    return r;
}

static void the_pushed_sleeps_and_wakes_with_the_other(void **state)
{
    (void)state;
    enum { WAKE, PUSH, MOVE, TURN_STATIC, DESTROY, CASES };
    for (int first = 0; first < 2; ++first)
        for (int what = 0; what < CASES; ++what) {
            resting r = make_resting(first);
            if (what == WAKE)
                lode_body_wake(r.under);
            if (what == PUSH)
                lode_body_set_linear_velocity(r.under, vec((lode_real)0.1, 0, 0));
            if (what == MOVE)
                lode_body_set_pose(r.under, (lode_pose){{5, 0, (lode_real)0.5}, {1, 0, 0, 0}});
            if (what == TURN_STATIC)
                lode_body_set_type(r.under, LODE_STATIC);
            if (what == DESTROY)
                lode_body_destroy(r.under);
            assert_true(lode_body_is_awake(r.on));
            run(r.world, 100);
            double height = what == MOVE || what == DESTROY ? 0.25 : 1.25;
            assert_true(near((double)lode_body_get_pose(r.on).position.z, height, 0.01));
            lode_world_destroy(r.world);
        }
}

/* Nothing that happens to the light one wakes the heavy one. */
static void the_immovable_sleeps_on(void **state)
{
    (void)state;
    enum { WAKE, PUSH, LIFT, SHAPE, DESTROY, DROP, CASES };
    for (int first = 0; first < 2; ++first)
        for (int what = 0; what < CASES; ++what) {
            resting r = make_resting(first);
            lode_pose before = lode_body_get_pose(r.under);
            lode_shape shape;
            lode_body_get_shapes(r.on, &shape, 1);
            if (what == WAKE)
                lode_body_wake(r.on);
            if (what == PUSH)
                lode_body_set_linear_velocity(r.on, vec((lode_real)0.25, 0, 0));
            if (what == LIFT)
                lode_body_set_pose(r.on, (lode_pose){{0, 0, 2}, {1, 0, 0, 0}});
            if (what == SHAPE)
                lode_shape_set_friction(shape, (lode_real)0.1);
            if (what == DESTROY)
                lode_body_destroy(r.on);
            if (what == DROP)
                name_shapes(add_ball(r.world, 0, 0, 3, (lode_real)0.25), "light");
            for (int n = 0; n < 200; ++n) {
                assert_false(lode_body_is_awake(r.under));
                run(r.world, 1);
            }
            lode_pose after = lode_body_get_pose(r.under);
            assert_memory_equal(&before, &after, sizeof before);
            if (what != DESTROY) {
                assert_true(lode_body_get_pose(r.on).position.z > 1);
                assert_false(lode_body_is_awake(r.on));
            }
            lode_world_destroy(r.world);
        }
}

/* What pushes nobody lets pass: the light thing is static, and the heavy one falls through it. */
static void nothing_holds_what_is_immovable(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body ground = add_ground(world), ball = add_ball(world, 0, 0, 1, (lode_real)0.5);
    give_table(world, true);
    name_shapes(ground, "light");
    name_shapes(ball, "heavy");
    run(world, 64);
    assert_true(lode_body_get_pose(ball).position.z < -3);
    lode_world_destroy(world);
}

/* --- continuous bodies */

/* A fast thing that is immovable to what stands in its way, and a fast one that meets what is
 * immovable to it. */
static void fast_bodies_heed_it(void **state)
{
    (void)state;
    for (int heavy_flies = 0; heavy_flies < 2; ++heavy_flies) {
        lode_body bullet[2], wall[2];
        lode_world worlds[2];
        for (int i = 0; i < 2; ++i) {
            lode_world_def def = lode_world_def_default();
            lode_body_def body = lode_body_def_default();
            lode_shape_def shape = lode_shape_def_default();
            def.gravity = vec(0, 0, 0);
            worlds[i] = lode_world_create(&def);
            give_table(worlds[i], true);
            body.type = LODE_DYNAMIC;
            body.continuous = true;
            body.position = vec(-5, 0, 0);
            body.linear_velocity = vec(200, 0, 0);
            bullet[i] = lode_body_create(worlds[i], &body);
            lode_shape_create_sphere(bullet[i], &shape, (lode_real)0.05);
            wall[i] = add_body(worlds[i], LODE_DYNAMIC, 0, i == 1 ? 300 : 0, 0);
            lode_body_set_linear_velocity(wall[i], vec(-1, 0, 0));
            lode_shape_create_box(wall[i], &shape, vec((lode_real)0.05, 1, 1));
            name_shapes(bullet[i], heavy_flies ? "heavy" : "light");
            name_shapes(wall[i], heavy_flies ? "light" : "heavy");
        }
        for (int n = 0; n < 16; ++n) {
            run(worlds[0], 1);
            run(worlds[1], 1);
            if (heavy_flies) {
                assert_true(same_pose(bullet[0], bullet[1]));
                continue;
            }
            lode_vec3 near = lode_body_get_pose(wall[0]).position;
            lode_vec3 far = lode_body_get_pose(wall[1]).position;
            assert_true(near.x == far.x && near.y == 0);
            assert_true(lode_body_get_linear_velocity(wall[0]).x == -1);
            assert_true(lode_body_get_pose(bullet[0]).position.x < near.x);
        }
        lode_world_destroy(worlds[0]);
        lode_world_destroy(worlds[1]);
    }
}

/* --- by the application's word */

typedef struct word {
    lode_body immovable;
    int every, calls; /* it is said of every so many contacts */
} word;

static void say(void *user, lode_contact_edit *contact)
{
    word *w = user;
    if (w->calls++ % w->every != 0)
        return;
    contact->contact.immovable = contact->contact.body_a.id == w->immovable.id
                                     ? LODE_IMMOVABLE_FIRST
                                     : LODE_IMMOVABLE_SECOND;
}

static void the_editor_may_say_it(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first) {
        push p[2];
        word w = {.every = 1};
        for (int i = 0; i < 2; ++i) {
            p[i] = make_push(LODE_SOLVER_SOFT_STEP, i ? LODE_KINEMATIC : LODE_DYNAMIC, first, 0);
            lode_shape shape;
            lode_body_get_shapes(p[i].by, &shape, 1);
            lode_shape_set_edit_contacts(shape, i == 0);
            lode_contact_properties table = lode_contact_properties_default();
            table.material1 = "heavy";
            table.material2 = "light";
            table.bounce = 0;
            lode_world_set_contact_properties(p[i].world, &table, 1);
        }
        w.immovable = p[0].by;
        lode_world_set_contact_editor(p[0].world, &(lode_contact_editor){&w, say});
        for (int n = 0; n < 120; ++n) {
            run(p[0].world, 1);
            run(p[1].world, 1);
            assert_true(lode_body_get_linear_velocity(p[0].by).x == (lode_real)0.5);
            lode_pose a = lode_body_get_pose(p[0].ball), b = lode_body_get_pose(p[1].ball);
            assert_memory_equal(&a, &b, sizeof a);
            a = lode_body_get_pose(p[0].crate);
            b = lode_body_get_pose(p[1].crate);
            assert_memory_equal(&a, &b, sizeof a);
        }
        assert_true(w.calls > 20);
        /* when it is no longer said both push, from the next step on */
        lode_vec3 before = lode_body_get_linear_velocity(p[0].by);
        lode_body_set_linear_velocity(p[0].ball, vec(-1, 0, 0));
        w.every = 1 << 30;
        run(p[0].world, 30);
        assert_true(lode_body_get_linear_velocity(p[0].by).x < before.x - (lode_real)0.01);
        lode_world_destroy(p[0].world);
        lode_world_destroy(p[1].world);
    }
}

static void wrong(void *user, lode_contact_edit *contact)
{
    (void)user;
    contact->contact.immovable = (lode_immovable)7;
}

static void a_wrong_word_is_reported(void **state)
{
    (void)state;
    push p = make_push(LODE_SOLVER_PGS, LODE_DYNAMIC, true, 0);
    lode_shape shape;
    lode_body_get_shapes(p.by, &shape, 1);
    lode_shape_set_edit_contacts(shape, true);
    lode_world_set_contact_editor(p.world, &(lode_contact_editor){NULL, wrong});
    while (report.count == 0)
        run(p.world, 1);
    report_expect(LODE_ERROR_ARGUMENT, "lode_contact_editor.edit", "contacts.immovable", __FILE__,
                  __LINE__);
    report_clear();
    lode_world_destroy(p.world);
}

/* --- contacts of the caller */

/* A weight on a plate by contacts that the caller makes. */
static void contacts_of_the_caller_may_be_one_way(void **state)
{
    (void)state;
    for (int order = 0; order < 4; ++order) {
        bool heavy_first = order & 1, heavy_is_a = order & 2;
        lode_world_def def = lode_world_def_default();
        lode_world world = lode_world_create(&def);
        lode_body body[2];
        for (int i = 0; i < 2; ++i) {
            bool heavy = (i == 0) == heavy_first;
            body[heavy] = add_body(world, LODE_DYNAMIC, 0, 0, heavy ? 0 : 1);
            set_mass(body[heavy], 1);
        }
        lode_body_set_gravity_scale(body[1], 0);
        for (int n = 0; n < 100; ++n) {
            lode_contact_def contacts[4];
            lode_real z = lode_body_get_pose(body[0]).position.z;
            for (int k = 0; k < 4; ++k) {
                contacts[k] = lode_contact_def_default();
                contacts[k].body_a = body[heavy_is_a];
                contacts[k].body_b = body[!heavy_is_a];
                contacts[k].normal = vec(0, 0, heavy_is_a ? -1 : 1);
                contacts[k].position = vec(k & 1 ? (lode_real)0.5 : (lode_real)-0.5,
                                           k & 2 ? (lode_real)0.5 : (lode_real)-0.5,
                                           (lode_real)0.5);
                contacts[k].depth = 1 - z;
                contacts[k].immovable = heavy_is_a ? LODE_IMMOVABLE_FIRST : LODE_IMMOVABLE_SECOND;
            }
            assert_int_equal(lode_world_add_contacts(world, contacts, 4), LODE_OK);
            run(world, 1);
            lode_vec3 v = lode_body_get_linear_velocity(body[1]);
            assert_true(v.x == 0 && v.y == 0 && v.z == 0);
        }
        assert_true(near((double)lode_body_get_pose(body[0]).position.z, 1, 0.02));
        lode_contact told;
        assert_int_equal(lode_world_get_contacts(world, &told, 1), 1);
        double sum = 0, mass = (double)lode_body_get_mass(body[0]).mass;
        for (int k = 0; k < told.point_count; ++k)
            sum += (double)told.points[k].impulse.z;
        double on_light = told.body_a.id == body[0].id ? sum : -sum;
        assert_true(near(on_light, mass * 9.81 / 64, 0.01 * mass));
        lode_world_destroy(world);
    }
}

static void what_is_no_side_is_refused(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_contact_def contact = lode_contact_def_default();
    contact.body_a = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    contact.immovable = LODE_IMMOVABLE_COUNT;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "contacts.immovable", lode_world_add_contacts, world,
                   &contact, 1);
    lode_contact_properties p = lode_contact_properties_default();
    p.material2 = "other";
    p.immovable = (lode_immovable)-1;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "properties[0].immovable",
                   lode_world_set_contact_properties, world, &p, 1);
    p.material2 = "default";
    p.immovable = LODE_IMMOVABLE_FIRST;
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "properties[0].immovable",
                   lode_world_set_contact_properties, world, &p, 1);
    lode_world_destroy(world);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_immovable_moves_as_without),
        TEST(it_does_so_with_each_integrator_and_when_iterations_end_early),
        TEST(what_nothing_else_touches_flies_on),
        TEST(threads_change_no_bit),
        TEST(snapshots_hold_it),
        TEST(others_are_pushed_as_by_a_kinematic_body),
        TEST(they_bounce_as_off_a_wall),
        TEST(impulses_are_those_on_the_pushed),
        TEST(the_pushed_sleeps_and_wakes_with_the_other),
        TEST(the_immovable_sleeps_on),
        TEST(nothing_holds_what_is_immovable),
        TEST(fast_bodies_heed_it),
        TEST(the_editor_may_say_it),
        TEST(a_wrong_word_is_reported),
        TEST(contacts_of_the_caller_may_be_one_way),
        TEST(what_is_no_side_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
