/* Joints that break: at which load, which of many, in which step, and how that is told. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const lode_real infinite = (lode_real)INFINITY;
static const double g = 9.81;
static lode_world world;
static lode_solver solvers[LODE_SOLVER_COUNT];

static lode_world make_world(lode_solver solver, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.threads = threads;
    return lode_world_create(&def);
}

static int set_up(void **state)
{
    report_install();
    world = make_world(*state ? *(const lode_solver *)*state : LODE_SOLVER_PGS, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static lode_events step(void)
{
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    return lode_world_get_events(world);
}

/* Between two bodies, or one and the world, at a world anchor. */
static lode_joint join(lode_joint_type type, lode_body a, lode_body b, lode_vec3 anchor,
                       lode_real max_force, lode_real max_torque)
{
    lode_joint_def def = lode_joint_def_default(type);
    assert_true(def.max_force == infinite && def.max_torque == infinite);
    def.body_a = a;
    def.body_b = b;
    def.max_force = max_force;
    def.max_torque = max_torque;
    assert_int_equal(lode_joint_def_anchor_world(&def, anchor, vec(1, 0, 0)), LODE_OK);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id);
    return joint;
}

/* A body of `mass` kg without shapes. */
static lode_body add_bob(lode_real mass, lode_real x, lode_real y, lode_real z)
{
    lode_body bob = add_body(world, LODE_DYNAMIC, x, y, z);
    lode_mass m = {.mass = mass, .inertia = {mass, mass, mass}};
    assert_int_equal(lode_body_set_mass(bob, &m), LODE_OK);
    return bob;
}

static lode_joint hang(lode_body bob, lode_real max_force)
{
    lode_vec3 at = lode_body_get_center(bob);
    return join(LODE_JOINT_BALL, bob, (lode_body){0}, at, max_force, infinite);
}

static double length(lode_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

/* ---- at which load ---- */

/* What hangs still weighs m g, in the first step as in all others. */
static void it_breaks_above_its_load_and_not_below(void **state)
{
    (void)state;
    const double weight = 3 * g;
    int mine;
    lode_body strong = add_bob(3, 0, 0, 0), weak = add_bob(3, 5, 0, 0);
    lode_joint holds = hang(strong, (lode_real)(weight * 1.0001));
    lode_joint breaks = hang(weak, (lode_real)(weight * 0.9999));
    lode_joint_set_user_data(breaks, &mine);
    lode_events e = step();
    assert_int_equal(e.break_count, 1);
    assert_true(e.breaks[0].joint.id == breaks.id && e.breaks[0].user_data == &mine);
    assert_true(e.breaks[0].body_a.id == weak.id && e.breaks[0].body_b.id == 0);
    assert_true(near_vec(e.breaks[0].force, vec(0, 0, (lode_real)weight), weight * 1e-4));
    assert_true(near_vec(e.breaks[0].torque, vec(0, 0, 0), 0));
    assert_false(lode_joint_get_enabled(breaks));
    assert_true(length(lode_joint_get_force(breaks)) == 0);
    for (int i = 1; i <= 60; ++i) {
        assert_int_equal(step().break_count, 0);
        double speed = -g * i * STEP; /* it has held until the step's end, and falls from then on */
        assert_true(near(lode_body_get_linear_velocity(weak).z, speed, -speed * 1e-5));
    }
    assert_true(lode_joint_get_enabled(holds));
    assert_true(near_vec(lode_body_get_center(strong), vec(0, 0, 0), 1e-3));
}

/* A beam of 2 m and 4 kg on a joint at either end, and a load of k dF at a quarter of it: the near
 * end bears m g / 2 + 3/4 k dF. It breaks in the very step in which that passes the limit, here in
 * the middle between two steps' loads. The other end then bears a quarter of the weight. */
static void a_beam_breaks_at_its_loaded_end(void **state)
{
    (void)state;
    const lode_real load = (lode_real)0.5;
    const double half_weight = 2 * g, limit = half_weight + 0.75 * 0.5 * 40.5;
    lode_body beam = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    lode_mass mass = {.mass = 4, .inertia = {(lode_real)0.1, (lode_real)(4.0 / 3), (lode_real)1.4}};
    assert_int_equal(lode_body_set_mass(beam, &mass), LODE_OK);
    lode_joint ends[2];
    for (int side = 0; side < 2; ++side)
        ends[side] = join(LODE_JOINT_BALL, beam, (lode_body){0},
                          vec((lode_real)(side ? 1 : -1), 0, 0), (lode_real)limit, infinite);
    for (int k = 1; k <= 41; ++k) {
        lode_body_add_force_at(beam, vec(0, 0, -load * (lode_real)k), vec((lode_real)-0.5, 0, 0));
        lode_events e = step();
        assert_int_equal(e.break_count, k == 41);
        for (int i = 0; i < e.break_count; ++i) {
            assert_true(e.breaks[i].joint.id == ends[0].id);
            assert_true(near(e.breaks[i].force.z, half_weight + 0.75 * 0.5 * 41, 0.15));
        }
    }
    assert_false(lode_joint_get_enabled(ends[0]));
    assert_int_equal(step().break_count, 0);
    assert_true(lode_joint_get_enabled(ends[1]));
    double quarter = length(lode_joint_get_force(ends[1]));
    assert_true(quarter > g * (1 - 1e-6) && quarter < 1.05 * g);
}

/* A load at the end of an arm twists its foot with m g times the arm, though it does not twist the
 * load about its centre at all. At rest: springs swing first. */
static void an_arm_breaks_by_torque(void **state)
{
    (void)state;
    const double torque = 2 * g * 3;
    lode_joint feet[2];
    for (int i = 0; i < 2; ++i)
        feet[i] = join(LODE_JOINT_FIXED, add_bob(2, 3, (lode_real)(5 * i), 0), (lode_body){0},
                       vec(0, (lode_real)(5 * i), 0), infinite, infinite);
    for (int i = 0; i < 200; ++i)
        assert_int_equal(step().break_count, 0);
    lode_joint_set_max_torque(feet[0], (lode_real)(torque * 0.999));
    lode_joint_set_max_torque(feet[1], (lode_real)(torque * 1.001));
    lode_events e = step();
    assert_int_equal(e.break_count, 1);
    assert_true(e.breaks[0].joint.id == feet[0].id);
    assert_true(near_vec(e.breaks[0].torque, vec(0, (lode_real)-torque, 0), torque * 1e-3));
    for (int i = 0; i < 30; ++i)
        assert_int_equal(step().break_count, 0);
    lode_vec3 told = lode_joint_get_anchor_torque(feet[1]);
    assert_true(near_vec(told, vec(0, (lode_real)-torque, 0), torque * 1e-3)); /* it holds up */
    assert_true(length(lode_joint_get_torque_a(feet[1])) < torque * 1e-3);
}

/* The force of a swinging pendulum has a lever about its centre, but nothing twists at a ball. */
static void a_ball_joint_bears_no_torque(void **state)
{
    (void)state;
    lode_body bob = add_bob(2, 1, 0, 0);
    lode_joint joint = join(LODE_JOINT_BALL, bob, (lode_body){0}, vec(0, 0, 0), infinite, 0);
    lode_body_set_angular_velocity(bob, vec(3, 2, 1));
    double most = 0;
    for (int i = 0; i < 200; ++i) {
        assert_int_equal(step().break_count, 0);
        assert_true(length(lode_joint_get_anchor_torque(joint)) == 0);
        most = fmax(most, length(lode_joint_get_torque_a(joint)));
    }
    assert_true(most > 10 && lode_joint_get_enabled(joint));
}

/* A motor twists with what it pushes with; stops do too. */
static void motors_and_stops_count(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body wheel = add_bob(1, 0, 0, 0);
    lode_joint hinge = join(LODE_JOINT_HINGE, wheel, (lode_body){0}, vec(0, 0, 0), infinite, 4);
    lode_joint_set_motor(hinge, 0, 1000, (lode_real)3.9);
    assert_int_equal(step().break_count, 0);
    assert_true(near(length(lode_joint_get_anchor_torque(hinge)), 3.9, 1e-3));
    lode_joint_set_motor(hinge, 0, 1000, (lode_real)4.1);
    lode_events e = step();
    assert_int_equal(e.break_count, 1);
    assert_true(near_vec(e.breaks[0].torque, vec((lode_real)4.1, 0, 0), 1e-3));
    lode_joint_set_motor(hinge, 0, 0, 0);
    lode_joint_set_enabled(hinge, true);
    lode_real angle = lode_joint_get_position(hinge, 0);
    assert_int_equal(step().break_count, 0);
    lode_joint_set_limits(hinge, 0, angle - 1, angle); /* it is beyond, and fast */
    assert_int_equal(step().break_count, 1);
}

static void limits_at_their_ends(void **state)
{
    (void)state;
    lode_joint bears = hang(add_bob(1, 0, 0, 0), infinite);
    lode_joint free_one = hang(add_bob(1, 5, 0, 0), 0);
    lode_body floating = add_bob(1, 9, 0, 0);
    lode_body_set_gravity_scale(floating, 0);
    lode_joint idle = hang(floating, 0);
    lode_events e = step();
    assert_int_equal(e.break_count, 1);
    assert_true(e.breaks[0].joint.id == free_one.id);
    for (int i = 0; i < 30; ++i)
        assert_int_equal(step().break_count, 0);
    assert_true(lode_joint_get_enabled(bears));
    assert_true(lode_joint_get_enabled(idle)); /* 0 is not more than 0 */
    lode_joint_set_max_force(bears, 1);
    assert_int_equal(step().break_count, 1);
    lode_joint_set_enabled(bears, true); /* mended, and given no limit again */
    lode_joint_set_max_force(bears, infinite);
    for (int i = 0; i < 200; ++i)
        assert_int_equal(step().break_count, 0);
    assert_true(near_vec(lode_joint_get_anchor_a(bears), lode_joint_get_anchor_b(bears), 1e-3));
}

/* ---- many ---- */

enum { MANY = 300 };

static double limit_of(int i)
{
    return g * (0.9 + 0.2 * ((i * 37) % MANY) / MANY);
}

static int add_many(lode_joint out[MANY])
{
    int weak = 0;
    for (int i = 0; i < MANY; ++i) {
        lode_body bob = add_bob(1, (lode_real)(3 * i), 0, 0);
        out[i] = hang(bob, (lode_real)limit_of(i));
        weak += limit_of(i) < g;
    }
    return weak;
}

static void of_many_those_break_that_are_too_weak(void **state)
{
    (void)state;
    lode_joint joints[MANY];
    int weak = add_many(joints), at = 0;
    lode_events e = step();
    assert_true(weak > 100 && weak < 200);
    assert_int_equal(e.break_count, weak);
    for (int i = 0; i < MANY; ++i) {
        bool broke = limit_of(i) < g;
        assert_int_equal(lode_joint_get_enabled(joints[i]), !broke);
        if (broke)
            assert_true(e.breaks[at++].joint.id == joints[i].id); /* by slot */
    }
}

/* A chain of boxes that tears by its own weight, over threads; the hash knows of limits. */
static uint64_t tear(lode_solver solver, int threads, lode_break_event *out, int *out_count)
{
    world = make_world(solver, threads);
    for (int c = 0; c < 40; ++c) {
        lode_body last = {0};
        for (int i = 0; i < 8; ++i) {
            lode_body link = add_ball(world, (lode_real)(3 * c), (lode_real)(i + 1), 0,
                                      (lode_real)0.3);
            join(c % 2 ? LODE_JOINT_BALL : LODE_JOINT_FIXED, link, last,
                 vec((lode_real)(3 * c), (lode_real)(i + (double)0.5), 0),
                 (lode_real)(2 + (i * 5 + c) % 17 * 4), (lode_real)(1 + (i * 3 + c) % 11 * 6));
            last = link;
        }
    }
    *out_count = 0;
    for (int s = 0; s < 60; ++s) {
        lode_events e = step();
        for (int i = 0; i < e.break_count; ++i)
            out[(*out_count)++] = e.breaks[i];
    }
    uint64_t hash = lode_world_hash(world);
    lode_world_destroy(world);
    return hash;
}

static void threads_change_nothing(void **state)
{
    lode_solver solver = *(const lode_solver *)*state;
    static lode_break_event first[400], other[400];
    int first_count, count;
    lode_world_destroy(world);
    uint64_t hash = tear(solver, 1, first, &first_count);
    assert_true(first_count > 20);
    for (int threads = 2; threads <= 4; ++threads) {
        assert_true(tear(solver, threads, other, &count) == hash);
        assert_int_equal(count, first_count);
        for (int i = 0; i < count; ++i) {
            assert_true((other[i].joint.id & 0xffffff) == (first[i].joint.id & 0xffffff));
            assert_memory_equal(&other[i].force, &first[i].force, 2 * sizeof(lode_vec3));
        }
    }
    world = make_world(solver, 1);
}

static void limits_are_state(void **state)
{
    (void)state;
    lode_joint joint = hang(add_bob(1, 0, 0, 0), infinite);
    uint64_t none = lode_world_hash(world);
    lode_joint_set_max_force(joint, 100);
    uint64_t hundred = lode_world_hash(world);
    lode_joint_set_max_force(joint, 101);
    uint64_t more = lode_world_hash(world);
    lode_joint_set_max_force(joint, infinite);
    assert_true(hundred != none && more != none && more != hundred);
    assert_true(lode_world_hash(world) == none);
}

/* ---- sleep ---- */

static void a_sleeping_joint_does_not_break(void **state)
{
    (void)state;
    lode_body bob = add_bob(1, 0, 0, 0);
    lode_joint joint = hang(bob, 1);
    assert_int_equal(lode_body_sleep(bob), LODE_OK);
    for (int i = 0; i < 20; ++i)
        assert_int_equal(step().break_count, 0);
    assert_true(lode_joint_get_enabled(joint) && !lode_body_is_awake(bob));
    assert_int_equal(lode_body_wake(bob), LODE_OK);
    assert_int_equal(step().break_count, 1);
}

/* What a joint lets go does not fall asleep in that very step, however soon it may. */
static void what_is_let_go_is_awake(void **state)
{
    (void)state;
    lode_sleep soon = {
        .enabled = true, .linear_threshold = infinite, .angular_threshold = infinite, .samples = 1};
    lode_body bobs[3];
    lode_joint joints[2];
    for (int i = 0; i < 3; ++i) {
        bobs[i] = add_bob(1, 0, 0, (lode_real)-i);
        assert_int_equal(lode_body_set_sleep(bobs[i], &soon), LODE_OK);
    }
    joints[0] = hang(bobs[0], infinite);
    joints[1] = join(LODE_JOINT_BALL, bobs[1], bobs[0], vec(0, 0, (lode_real)-0.5), 5, infinite);
    join(LODE_JOINT_BALL, bobs[2], bobs[1], vec(0, 0, (lode_real)-1.5), infinite, infinite);
    lode_events e = step();
    assert_int_equal(e.break_count, 1);
    assert_true(e.breaks[0].joint.id == joints[1].id);
    assert_true(e.breaks[0].body_a.id == bobs[1].id && e.breaks[0].body_b.id == bobs[0].id);
    for (int i = 0; i < 3; ++i)
        assert_true(lode_body_is_awake(bobs[i]));
    step();
    assert_false(lode_body_is_awake(bobs[0]));
}

/* ---- snapshots ---- */

static void a_snapshot_holds_limits(void **state)
{
    (void)state;
    static lode_joint joints[MANY];
    int weak = add_many(joints);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *before = malloc(size);
    assert_int_equal(lode_world_snapshot(world, before, size), size);
    lode_events e = step();
    assert_int_equal(e.break_count, weak);
    lode_break_event *told = malloc((size_t)weak * sizeof *told);
    memcpy(told, e.breaks, (size_t)weak * sizeof *told);
    uint64_t after = lode_world_hash(world);
    assert_int_equal(lode_world_restore(world, before, size), LODE_OK);
    assert_int_equal(lode_world_get_events(world).break_count, 0);
    assert_true(lode_joint_get_def(joints[3]).max_force == (lode_real)limit_of(3));
    e = step();
    assert_int_equal(e.break_count, weak);
    assert_true(lode_world_hash(world) == after);
    for (int i = 0; i < weak; ++i) {
        assert_true(e.breaks[i].joint.id == told[i].joint.id);
        assert_memory_equal(&e.breaks[i].force, &told[i].force, 2 * sizeof(lode_vec3));
    }
    void *broken = malloc(lode_world_snapshot(world, NULL, 0)); /* and what broke stays so */
    size = lode_world_snapshot(world, NULL, 0);
    lode_world_snapshot(world, broken, size);
    lode_world other = make_world(LODE_SOLVER_PGS, 1);
    assert_int_equal(lode_world_restore(other, broken, size), LODE_OK);
    assert_true(lode_world_hash(other) == after);
    assert_int_equal(lode_world_step(other, STEP), LODE_OK);
    assert_int_equal(lode_world_get_events(other).break_count, 0);
    lode_world_destroy(other);
    free(before);
    free(broken);
    free(told);
}

/* ---- steps in pieces, steps that fail, what is gone ---- */

static void every_way_to_step_tells(void **state)
{
    (void)state;
    static const int kinds = 3;
    for (int kind = 0; kind < kinds; ++kind) {
        lode_joint joint = hang(add_bob(1, 0, 0, 0), 1);
        if (kind < 2) {
            if (kind == 0)
                assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
            assert_int_equal(lode_world_get_events(world).break_count, 0);
            assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
        } else {
            lode_stage_info stages[64];
            int count = lode_world_get_stages(world, stages, 64);
            for (int i = 0; i < count; ++i)
                if (!stages[i].parent[0])
                    assert_int_equal(lode_world_run_stage(world, stages[i].name, STEP), LODE_OK);
        }
        lode_events e = lode_world_get_events(world);
        assert_int_equal(e.break_count, 1);
        assert_true(e.breaks[0].joint.id == joint.id);
        assert_int_equal(lode_world_get_events(world).break_count, 1); /* as often as asked */
        lode_joint_destroy(joint);
        assert_false(lode_joint_is_valid(lode_world_get_events(world).breaks[0].joint));
        assert_int_equal(step().break_count, 0);
    }
}

static void a_body_gone_not_finite_breaks_nothing(void **state)
{
    (void)state;
    lode_body bob = add_bob(1, 0, 0, 0);
    lode_joint joint = hang(bob, 10);
    const lode_real most = sizeof(lode_real) == 4 ? (lode_real)1e38 : (lode_real)1e308;
    lode_body_set_linear_velocity(bob, vec(most, most, most));
    lode_body_set_angular_velocity(bob, vec(most, most, most));
    lode_events e = step();
    lode_warning_info warnings[LODE_WARNING_COUNT];
    lode_world_get_warnings(world, warnings, LODE_WARNING_COUNT);
    assert_int_equal(warnings[LODE_WARNING_NAN_BODY].last, 1);
    assert_int_equal(e.break_count, 0);
    assert_true(lode_joint_get_enabled(joint));
}

/* A step that meets no memory breaks nothing, and the next one does. */
static void no_break_is_lost_for_want_of_memory(void **state)
{
    (void)state;
    lode_joint joints[MANY];
    lode_world_destroy(world);
    alloc_fail_install();
    for (long n = 0;; ++n) {
        world = make_world(LODE_SOLVER_PGS, 1);
        int weak = add_many(joints);
        uint64_t hash = lode_world_hash(world);
        alloc_fail_nth(n);
        lode_status status = lode_world_step(world, STEP);
        bool failed = alloc_fail_happened();
        alloc_fail_nth(-1);
        assert_true(failed ? status == LODE_ERROR_MEMORY : status == LODE_OK);
        if (failed) {
            report_clear();
            assert_true(lode_world_hash(world) == hash);
            assert_int_equal(lode_world_get_events(world).break_count, 0);
            status = lode_world_step(world, STEP);
        }
        assert_int_equal(lode_world_get_events(world).break_count, weak);
        lode_world_destroy(world);
        if (!failed)
            break;
    }
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world(LODE_SOLVER_PGS, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define EACH(name, solver) \
    { \
#name " (" #solver ")", name, set_up, tear_down, &solvers[solver] \
    }
#define EACH_SOLVER(name) \
    EACH(name, LODE_SOLVER_PGS), EACH(name, LODE_SOLVER_SOFT_STEP), EACH(name, LODE_SOLVER_DIRECT)

int main(void)
{
    for (int i = 0; i < LODE_SOLVER_COUNT; ++i)
        solvers[i] = (lode_solver)i;
    const struct CMUnitTest tests[] = {
        EACH_SOLVER(it_breaks_above_its_load_and_not_below),
        EACH_SOLVER(a_beam_breaks_at_its_loaded_end),
        EACH_SOLVER(an_arm_breaks_by_torque),
        EACH_SOLVER(a_ball_joint_bears_no_torque),
        EACH_SOLVER(motors_and_stops_count),
        EACH_SOLVER(limits_at_their_ends),
        EACH_SOLVER(of_many_those_break_that_are_too_weak),
        EACH_SOLVER(threads_change_nothing),
        TEST(limits_are_state),
        EACH_SOLVER(a_sleeping_joint_does_not_break),
        EACH_SOLVER(what_is_let_go_is_awake),
        TEST(a_snapshot_holds_limits),
        TEST(every_way_to_step_tells),
        TEST(a_body_gone_not_finite_breaks_nothing),
        TEST(no_break_is_lost_for_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
