/* Running out of memory: a script of calls, from making a world to ending it, is run once for every
 * allocation it makes, with that one failing. The call that met it reports and changes nothing;
 * called again it succeeds; and the run ends in the very state of a run that met no failure. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <string.h>

enum { BALLS = 24, PEBBLES = 280, STEPS = 12 };

/* What a run has made so far. */
typedef struct run {
    int threads;
    lode_solver solver;
    lode_world world;
    lode_body ground, balls[BALLS];
    int ball_count, pebble_count;
    lode_joint joint;
} run;

/* Each call of the script; false when it was refused. */

static bool make_world(run *r)
{
    lode_world_def def = lode_world_def_default();
    def.threads = r->threads;
    def.solver = r->solver;
    def.stiff_joints = LODE_STIFF_ALWAYS;
    r->world = lode_world_create(&def);
    return r->world.id;
}

static bool make_ground(run *r)
{
    lode_body_def def = lode_body_def_default();
    r->ground = lode_body_create(r->world, &def);
    return r->ground.id;
}

static bool make_plane(run *r)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_plane(r->ground, &def, vec(0, 0, 1), 0).id;
}

static bool make_ball(run *r)
{
    lode_real n = (lode_real)r->ball_count;
    lode_body_def def = lode_body_def_default();
    def.type = LODE_DYNAMIC;
    def.position = vec((lode_real)(r->ball_count % 4), n / 16, (lode_real)0.5 + n / 8);
    def.name = r->ball_count % 2 ? "odd" : NULL;
    def.continuous = r->ball_count % 5 == 0;
    if (def.continuous)
        def.linear_velocity = vec(-30, 10, -80);
    lode_body body = lode_body_create(r->world, &def);
    r->balls[r->ball_count] = body;
    r->ball_count += body.id != 0;
    return body.id;
}

static bool make_ball_shape(run *r)
{
    lode_shape_def def = lode_shape_def_default();
    return lode_shape_create_box(r->balls[r->ball_count - 1], &def,
                                 vec((lode_real)0.4, (lode_real)0.3, (lode_real)0.3))
        .id;
}

static bool rename_ball(run *r)
{
    return lode_body_set_name(r->balls[0], "first of all balls") == LODE_OK;
}

static bool make_pebble(run *r)
{
    lode_shape_def def = lode_shape_def_default();
    def.pose.position = vec((lode_real)(r->pebble_count % 17), (lode_real)(r->pebble_count / 17),
                            0);
    bool made = lode_shape_create_sphere(r->ground, &def, (lode_real)0.3).id;
    r->pebble_count += made;
    return made;
}

static bool make_joint(run *r)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = r->balls[0];
    def.body_b = r->balls[1];
    def.frame_a.position = vec((lode_real)0.5, 0, 0);
    def.frame_b.position = vec((lode_real)-0.5, 0, 0);
    r->joint = lode_joint_create(r->world, &def);
    return r->joint.id;
}

static bool step(run *r)
{
    return lode_world_step(r->world, STEP) == LODE_OK;
}

static bool destroy_ball(run *r)
{
    return lode_body_destroy(r->balls[--r->ball_count]) == LODE_OK;
}

/* ---- watching a call ---- */

/* Poses and velocities: what even a failed step leaves untouched. */
typedef struct motion {
    lode_pose pose[BALLS];
    lode_vec3 linear[BALLS], angular[BALLS];
} motion;

static motion motion_of(const run *r)
{
    motion m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < r->ball_count; ++i) {
        m.pose[i] = lode_body_get_pose(r->balls[i]);
        m.linear[i] = lode_body_get_linear_velocity(r->balls[i]);
        m.angular[i] = lode_body_get_angular_velocity(r->balls[i]);
    }
    return m;
}

static void expect_memory_report(void)
{
    bool threads = !strcmp(report.argument, "def.threads");
    assert_int_equal(report.count, 1);
    assert_int_equal(report.status, threads ? LODE_ERROR_SYSTEM : LODE_ERROR_MEMORY);
}

/* Calls; if that fails for want of memory, checks what is left and calls again. */
static void call(run *r, bool (*what)(run *))
{
    uint64_t hash = r->world.id ? lode_world_hash(r->world) : 0;
    motion before = motion_of(r);
    report_clear();
    if (what(r)) {
        assert_int_equal(report.count, 0);
        return;
    }
    assert_true(alloc_fail_happened());
    expect_memory_report();
    if (r->world.id && what != step)
        assert_true(lode_world_hash(r->world) == hash);
    motion after = motion_of(r);
    assert_memory_equal(&before, &after, sizeof before);
    report_clear();
    assert_true(what(r));
    assert_int_equal(report.count, 0);
}

/* The whole script; returns the hash of its end. */
static uint64_t script(int threads, lode_solver solver)
{
    run r = {.threads = threads, .solver = solver};
    call(&r, make_world);
    call(&r, make_ground);
    call(&r, make_plane);
    for (int i = 0; i < BALLS; ++i) {
        call(&r, make_ball);
        call(&r, make_ball_shape);
    }
    call(&r, make_joint);
    call(&r, rename_ball);
    for (int i = 0; i < STEPS; ++i)
        call(&r, step);
    for (int i = 0; i < PEBBLES; ++i)
        call(&r, make_pebble);
    call(&r, step);
    call(&r, destroy_ball);
    call(&r, step);
    lode_joint_destroy(r.joint);
    for (int i = 0; i < STEPS; ++i)
        call(&r, step);
    uint64_t hash = lode_world_hash(r.world);
    lode_world_destroy(r.world);
    return hash;
}

static void fail_each_allocation(int threads, lode_solver solver)
{
    report_install();
    alloc_fail_install();
    uint64_t undisturbed = script(threads, solver);
    long n = 0;
    for (bool more = true; more; ++n) {
        alloc_fail_nth(n);
        uint64_t hash = script(threads, solver);
        more = alloc_fail_happened();
        if (hash != undisturbed)
            print_error("the run differs after allocation %ld failed\n", n);
        assert_true(hash == undisturbed);
        assert_int_equal(alloc_fail_live(), 0);
    }
    print_message("%ld allocations failed once each\n", n - 1);
    assert_true(n > 20);
    alloc_fail_remove();
}

static void every_allocation_may_fail_once(void **state)
{
    (void)state;
    fail_each_allocation(1, LODE_SOLVER_PGS);
    fail_each_allocation(1, LODE_SOLVER_DIRECT);
}

static void every_allocation_may_fail_once_with_threads(void **state)
{
    (void)state;
    fail_each_allocation(2, LODE_SOLVER_PGS);
    fail_each_allocation(2, LODE_SOLVER_DIRECT);
}

/* ---- a step in a settled world ---- */

static void expect_quiet_steps(lode_solver solver, int threads)
{
    report_install();
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.threads = threads;
    scene s = scene_create(&def);
    for (int i = 0; i < 30; ++i)
        add_ball(s.world, (lode_real)(i % 6), 3, (lode_real)0.5 + (lode_real)(i / 6), 0.5);
    scene_step(&s, 200);
    alloc_fail_nth(-1);
    scene_step(&s, 100);
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(s.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

static void after_warm_up_a_step_allocates_nothing(void **state)
{
    (void)state;
    expect_quiet_steps(LODE_SOLVER_PGS, 1);
    expect_quiet_steps(LODE_SOLVER_PGS, 3);
    expect_quiet_steps(LODE_SOLVER_SOFT_STEP, 1);
    expect_quiet_steps(LODE_SOLVER_DIRECT, 3);
}

/* Balls that fall asleep and are woken, over and over. */
static void falling_asleep_and_waking_allocate_nothing(void **state)
{
    (void)state;
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    def.sleep.enabled = true;
    lode_world world = lode_world_create(&def);
    lode_body balls[20];
    add_ground(world);
    for (int i = 0; i < 20; ++i)
        balls[i] = add_ball(world, (lode_real)(i % 5), 0, (lode_real)(i / 5) + 0.5f, 0.5f);
    for (int round = 0; round < 6; ++round) {
        if (round == 2)
            alloc_fail_nth(-1);
        for (int i = 0; i < 20; ++i)
            lode_body_wake(balls[i]);
        for (int i = 0; i < 300; ++i)
            lode_world_step(world, STEP);
        for (int i = 0; i < 20; ++i)
            lode_body_sleep(balls[i]);
        lode_world_step(world, STEP);
    }
    assert_int_equal(alloc_fail_calls(), 0);
    lode_world_destroy(world);
    alloc_fail_remove();
}

static void the_allocator_stays_while_a_world_lives(void **state)
{
    (void)state;
    report_install();
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    assert_int_equal(lode_set_allocator(NULL), LODE_ERROR_STATE);
    EXPECT_REPORT(LODE_ERROR_STATE, "lode_set_allocator", "");
    lode_world_destroy(world);
    assert_int_equal(lode_set_allocator(NULL), LODE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail_once),
        cmocka_unit_test(every_allocation_may_fail_once_with_threads),
        cmocka_unit_test(after_warm_up_a_step_allocates_nothing),
        cmocka_unit_test(falling_asleep_and_waking_allocate_nothing),
        cmocka_unit_test(the_allocator_stays_while_a_world_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
