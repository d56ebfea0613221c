/* What a step has found out of islands serves the next one where nothing has changed
 * (solver/standing.h). Nobody tells it of a change, so here everything changes that can: a world whose
 * steps go in one, and so may use what the last one knew, is held against its twin, whose stages run
 * one by one and know nothing, to the bit and with all counts. */
#include "tests/support/random.h"
#include "tests/world/links.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { ARMS = 22, TREES = 20, MOST_STAGES = 64, STEPS = 800 };

typedef struct yard {
    lode_world world;
    arm arms[ARMS]; /* trees alike, and two that stand */
    lode_body crate, cart;
    lode_joint rope;
} yard;

/* Alike but for one, so that several flocks are given the same; a joint has stops, and one a drive. */
static void build_arm(yard *y, int n)
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

static yard make_yard(void)
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

static arm *some_arm(yard *y, test_random *random)
{
    return &y->arms[random_below(random, ARMS)];
}

static lode_body some_link(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    return a->link[1 + random_below(random, (uint32_t)a->count - 1)];
}

static lode_real between(test_random *random, double lo, double hi)
{
    return (lode_real)random_between(random, lo, hi);
}

static lode_vec3 some_vector(test_random *random, double size)
{
    double d[3];
    random_direction(random, d);
    return vec((lode_real)(size * d[0]), (lode_real)(size * d[1]), (lode_real)(size * d[2]));
}

static void nothing(yard *y, test_random *random)
{
    (void)y, (void)random;
}

static void push(yard *y, test_random *random)
{
    lode_body link = some_link(y, random);
    lode_body_add_force(link, some_vector(random, 20));
    lode_body_add_torque(link, some_vector(random, 2));
}

static void hit(yard *y, test_random *random)
{
    lode_body_add_impulse(some_link(y, random), some_vector(random, 1));
}

static void pull_joint(yard *y, test_random *random)
{
    lode_link_set_joint_force(some_link(y, random), LODE_AXIS_TWIST, between(random, -2, 2));
}

static void put_joint(yard *y, test_random *random)
{
    lode_link_set_position(some_link(y, random), LODE_AXIS_TWIST, between(random, -1, 1));
}

static void aim(yard *y, test_random *random)
{
    lode_link_set_target(some_link(y, random), LODE_AXIS_TWIST, between(random, -1, 1),
                         random_below(random, 2));
}

static void set_axis(yard *y, test_random *random)
{
    lode_body link = some_link(y, random);
    lode_link_axis axis = lode_link_get_axis(link, LODE_AXIS_TWIST);
    axis.static_friction = random_below(random, 2) ? (lode_real)0.5 : 0;
    axis.dynamic_friction = axis.static_friction;
    axis.armature = between(random, 0, 0.1);
    assert_int_equal(lode_link_set_axis(link, LODE_AXIS_TWIST, &axis), LODE_OK);
}

static void rub(yard *y, test_random *random)
{
    lode_link_set_friction_coefficient(some_link(y, random),
                                       random_below(random, 2) ? (lode_real)0.1 : 0);
}

static void weigh(yard *y, test_random *random)
{
    set_mass(some_link(y, random), random_between(random, 0.5, 2), 0.02, 0.03, 0.04);
}

static void limit(yard *y, test_random *random)
{
    lode_body_set_max_linear_speed(some_link(y, random),
                                   random_below(random, 2) ? 3 : (lode_real)INFINITY);
}

static void lighten(yard *y, test_random *random)
{
    lode_body_set_gravity_scale(some_link(y, random), between(random, 0, 1));
}

static void damp(yard *y, test_random *random)
{
    lode_link_set_damping(some_link(y, random), between(random, 0, 1), between(random, 0, 1));
}

static void doze(yard *y, test_random *random)
{
    lode_articulation_sleep(some_arm(y, random)->articulation);
}

static void rouse(yard *y, test_random *random)
{
    lode_articulation_wake(some_arm(y, random)->articulation);
}

static void wind_up(yard *y, test_random *random)
{
    lode_articulation_set_wake_counter(some_arm(y, random)->articulation,
                                       between(random, 0.05, 0.2));
}

/* All come to rest, and float. */
static void calm(yard *y, test_random *random)
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
static void fall(yard *y, test_random *random)
{
    (void)random;
    lode_world_set_gravity(y->world, vec(0, 0, -30));
}

/* One, or all alike. */
static void weigh_roots(yard *y, test_random *random)
{
    double kg = random_between(random, 0.5, 2);
    bool all = random_below(random, 2);
    for (int n = 0; n < (all ? TREES : 1); ++n)
        set_mass(y->arms[n].link[0], kg, 0.1, 0.2, 0.3);
}

/* What has no finite state freezes; who is set anywhere takes part again. */
static void burst(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    lode_link_set_velocity(a->link[1], LODE_AXIS_TWIST, (lode_real)1e30);
}

static void take_out_and_in(yard *y, test_random *random)
{
    arm *a = some_arm(y, random);
    if (lode_articulation_is_inserted(a->articulation))
        assert_int_equal(lode_articulation_remove(a->articulation), LODE_OK);
    if (random_below(random, 4))
        insert(a);
}

static void swap_link(yard *y, test_random *random)
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

static void rebuild(yard *y, test_random *random)
{
    uint32_t n = random_below(random, ARMS);
    assert_int_equal(lode_articulation_destroy(y->arms[n].articulation), LODE_OK);
    build_arm(y, (int)n);
}

/* Who is carried off must not hang on anything. */
static void untie(yard *y)
{
    if (y->rope.id && lode_joint_is_valid(y->rope))
        assert_int_equal(lode_joint_destroy(y->rope), LODE_OK);
    y->rope = (lode_joint){0};
}

static void drop(yard *y, test_random *random)
{
    untie(y);
    lode_pose pose = {vec(between(random, -20, 20), between(random, -20, 20), 1), {1, 0, 0, 0}};
    lode_articulation_set_root_pose(some_arm(y, random)->articulation, pose, true);
}

static void lift(yard *y, test_random *random)
{
    (void)random;
    untie(y);
    for (int n = 0; n < ARMS; ++n) {
        lode_pose pose = {vec((lode_real)(4 * n), 0, 300), {1, 0, 0, 0}};
        lode_articulation_set_root_pose(y->arms[n].articulation, pose, true);
    }
}

static void put_crate(yard *y, test_random *random)
{
    if (y->crate.id) {
        assert_int_equal(lode_body_destroy(y->crate), LODE_OK);
        y->crate = (lode_body){0};
        return;
    }
    y->crate = add_body(y->world, LODE_DYNAMIC, between(random, -9, 9), 0, 200);
}

static void tie(yard *y, test_random *random)
{
    untie(y);
    if (random_below(random, 3))
        return;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_DOUBLE_BALL);
    def.body_a = some_link(y, random);
    y->rope = lode_joint_create(y->world, &def);
}

static void drive_cart(yard *y, test_random *random)
{
    lode_body_set_linear_velocity(y->cart, random_below(random, 2) ? vec(0, 1, 0) : vec(0, 0, 0));
}

static void tilt(yard *y, test_random *random)
{
    lode_world_set_gravity(y->world, some_vector(random, 10));
}

static void rule(yard *y, test_random *random)
{
    static const lode_solver solvers[] = {LODE_SOLVER_SOFT_STEP, LODE_SOLVER_DIRECT,
                                          LODE_SOLVER_PGS};
    lode_world_set_solver(y->world, solvers[random_below(random, 3)]);
    lode_world_set_measure_residual(y->world, random_below(random, 2));
    lode_world_set_exit_below(y->world, random_below(random, 2) ? (lode_real)1e-3 : 0);
    lode_world_set_integrator(y->world, random_below(random, 2) ? LODE_INTEGRATOR_SEMI_IMPLICIT
                                                                : LODE_INTEGRATOR_SECOND_ORDER);
}

static void look(yard *y, test_random *random)
{
    lode_ray ray = {
        .origin = vec(between(random, -9, 9), 0, 400), .direction = vec(0, 0, -1), .length = 500};
    lode_ray_hit hit;
    lode_world_cast_ray(y->world, &ray, NULL, &hit);
}

static void go_back(yard *y, test_random *random)
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
static void tidy(yard *y)
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

/* ---- two worlds */

static void step_by_stages(lode_world world)
{
    lode_stage_info stages[MOST_STAGES];
    int count = lode_world_get_stages(world, stages, MOST_STAGES);
    for (int i = 0; i < count; ++i)
        if (!stages[i].parent[0])
            assert_int_equal(lode_world_run_stage(world, stages[i].name, STEP), LODE_OK);
}

static bool stands(lode_world world)
{
    lode__world *w;
    assert_int_equal(lode__open_world(&w, world, __func__), LODE_OK);
    return w->solver.standing;
}

static lode_world_stats counts_of(lode_world world)
{
    lode_world_stats stats = {0};
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    stats.bytes = stats.bytes_bodies = stats.bytes_contacts = stats.bytes_scratch = 0;
    return stats;
}

static void expect_same_warnings(const yard *a, const yard *b)
{
    lode_warning_info s[LODE_WARNING_COUNT], t[LODE_WARNING_COUNT];
    int count = lode_world_get_warnings(a->world, s, LODE_WARNING_COUNT);
    assert_int_equal(lode_world_get_warnings(b->world, t, LODE_WARNING_COUNT), count);
    for (int i = 0; i < count; ++i)
        assert_true(s[i].last == t[i].last && s[i].ever == t[i].ever);
}

static void expect_same(const yard *a, const yard *b)
{
    expect_same_warnings(a, b);
    lode_world_stats s = counts_of(a->world), t = counts_of(b->world);
    assert_memory_equal(&s, &t, sizeof s);
    assert_true(lode_world_hash(a->world) == lode_world_hash(b->world));
    lode_moved m = lode_world_get_moved(a->world), n = lode_world_get_moved(b->world);
    assert_int_equal(m.count, n.count);
    for (int i = 0; i < m.count; ++i)
        assert_memory_equal(&m.poses[i], &n.poses[i], sizeof *m.poses);
    for (int k = 0; k < ARMS; ++k)
        assert_true(lode_articulation_get_wake_counter(a->arms[k].articulation) ==
                    lode_articulation_get_wake_counter(b->arms[k].articulation));
}

/* The same change on both; mostly none, so that what stands comes to be used. */
static void change_both(yard *a, yard *b, test_random *random)
{
    uint32_t which = random_below(random, 4 * CHANGES);
    test_random again = *random;
    change_fn *change = which < CHANGES ? changes[which] : nothing;
    change(a, random);
    change(b, &again);
}

static void whatever_changes_is_seen(void **state)
{
    (void)state;
    int stood = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        test_random random = {seed};
        yard a = make_yard(), b = make_yard();
        for (int i = 0; i < STEPS; ++i) {
            if (i % 40 == 0)
                tidy(&a), tidy(&b);
            change_both(&a, &b, &random);
            assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
            step_by_stages(b.world);
            expect_same(&a, &b);
            stood += stands(a.world);
        }
        lode_world_destroy(a.world);
        lode_world_destroy(b.world);
    }
    assert_true(stood > STEPS / 2);
}

/* Of every change alone: steps before it stand. */
static void each_change_alone_is_seen(void **state)
{
    (void)state;
    for (int c = 0; c < CHANGES; ++c)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            test_random random = {seed}, again = {seed};
            yard a = make_yard(), b = make_yard();
            for (int i = 0; i < 30; ++i) {
                if (i % 5 == 4)
                    changes[c](&a, &random), changes[c](&b, &again);
                assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
                step_by_stages(b.world);
                expect_same(&a, &b);
                assert_true(i != 3 || stands(a.world));
            }
            lode_world_destroy(a.world);
            lode_world_destroy(b.world);
        }
}

/* Upwards at 1 m/s, to come to a stop after 30 steps. */
static void toss(yard *y)
{
    test_random none = {0};
    calm(y, &none);
    lode_world_set_gravity(y->world, vec(0, 0, -2));
    for (int n = 0; n < TREES; ++n)
        lode_articulation_set_root_linear_velocity(y->arms[n].articulation, vec(0, 0, 1), true);
}

/* Who has been idle for a while, but not long enough, and is fast again has not been idle at all;
 * nobody is touched meanwhile. */
static void who_moves_again_rests_from_the_beginning(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    bool idled = false;
    toss(&a), toss(&b);
    for (int i = 0; i < 45; ++i) {
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
        lode_real left = lode_articulation_get_wake_counter(a.arms[0].articulation);
        idled = idled || left < (lode_real)0.2;
        assert_true((i > 20 && i < 40) || left == (lode_real)0.2);
    }
    assert_true(idled && stands(a.world));
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Who was frozen and is set free is as it was, to whoever asks the lists. */
static void who_was_frozen_is_free(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    for (int i = 0; i < 20; ++i) {
        yard *both[] = {&a, &b};
        for (int k = 0; k < 2 && i == 5; ++k)
            lode_link_set_velocity(both[k]->arms[0].link[1], LODE_AXIS_TWIST, (lode_real)1e30);
        for (int k = 0; k < 2 && i == 6; ++k) {
            lode_link_set_velocity(both[k]->arms[0].link[1], LODE_AXIS_TWIST, 0);
            lode_articulation_set_root_pose(both[k]->arms[0].articulation,
                                            (lode_pose){vec(0, 0, 30), {1, 0, 0, 0}}, true);
        }
        assert_int_equal(lode_world_step(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
    }
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(a.world, warnings, LODE_WARNING_COUNT);
    assert_true(warnings[LODE_WARNING_NAN_BODY].ever > 0);
    assert_true(warnings[LODE_WARNING_NAN_BODY].last == 0);
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Steps of halves, the second of them made again from an earlier stage. */
static void what_is_made_again_does_not_stand(void **state)
{
    (void)state;
    yard a = make_yard(), b = make_yard();
    for (int i = 0; i < 40; ++i) {
        assert_int_equal(lode_world_collide(a.world, STEP), LODE_OK);
        if (i % 4 == 3) {
            assert_int_equal(lode_world_run_stage(a.world, "islands", STEP), LODE_OK);
            assert_int_equal(lode_world_run_stage(a.world, "colouring", STEP), LODE_OK);
        }
        assert_int_equal(lode_world_solve(a.world, STEP), LODE_OK);
        step_by_stages(b.world);
        expect_same(&a, &b);
    }
    lode_world_destroy(a.world);
    lode_world_destroy(b.world);
}

/* Nothing is taken from the heap for what stands. */
static void memory_stays(void **state)
{
    (void)state;
    yard a = make_yard();
    lode_world_stats before, after;
    for (int i = 0; i < 10; ++i)
        lode_world_step(a.world, STEP);
    lode_world_get_stats(a.world, &before);
    for (int i = 0; i < 50; ++i) {
        lode_world_step(a.world, STEP);
        lode_world_get_stats(a.world, &after);
        assert_int_equal(after.bytes, before.bytes);
    }
    assert_true(stands(a.world));
    lode_world_destroy(a.world);
}

/* Nor by what does not for long. */
static void memory_does_not_grow(void **state)
{
    (void)state;
    yard a = make_yard();
    lode_world_stats before = {0}, after;
    lode_world_set_gravity(a.world, vec(0, 0, 0)); /* nothing comes to touch */
    for (int i = 0; i < 600; ++i) {
        lode_body_set_gravity_scale(a.arms[i % ARMS].link[1], i / ARMS % 2 ? 1 : (lode_real)0.5);
        lode_world_step(a.world, STEP);
        lode_world_step(a.world, STEP);
        lode_world_get_stats(a.world, &after);
        before = i < 30 ? after : before;
        assert_true(i < 30 || after.bytes == before.bytes);
    }
    lode_world_destroy(a.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_alone_is_seen),
        cmocka_unit_test(whatever_changes_is_seen),
        cmocka_unit_test(who_moves_again_rests_from_the_beginning),
        cmocka_unit_test(who_was_frozen_is_free),
        cmocka_unit_test(what_is_made_again_does_not_stand),
        cmocka_unit_test(memory_stays),
        cmocka_unit_test(memory_does_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
