/* A step in pieces: halves with anything in between, single stages, and what is refused meanwhile.
 * However a step is cut, its result is that of the whole, to the bit. */
#include "tests/support/alloc_fail.h"
#include "tests/world/support.h"

#include <math.h>
#include <string.h>

enum { MOST_STAGES = 48 };

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* A scene with a heap of balls: contacts, joints, several islands. */
static scene heap_create(int solver, int threads)
{
    lode_world_def def = lode_world_def_default();
    def.solver = (lode_solver)solver;
    def.threads = threads;
    scene s = scene_create(&def);
    for (int i = 0; i < 60; ++i)
        add_ball(s.world, (lode_real)(i % 4) * (lode_real)0.9 + 8, (lode_real)(i % 3),
                 (lode_real)(i / 4) * (lode_real)0.8 + 1, (lode_real)0.5);
    return s;
}

/* The names of the stages that run by themselves, in order. */
static int stage_names(lode_world world, const char *names[MOST_STAGES])
{
    lode_stage_info stages[MOST_STAGES];
    int all = lode_world_get_stages(world, stages, MOST_STAGES), count = 0;
    assert_true(all > 0 && all <= MOST_STAGES);
    for (int i = 0; i < all; ++i)
        if (!stages[i].parent[0])
            names[count++] = stages[i].name;
    return count;
}

static int place_of(const char *const *names, const char *name)
{
    int i = 0;
    while (strcmp(names[i], name) != 0)
        ++i;
    return i;
}

static void run(lode_world world, const char *name)
{
    assert_int_equal(lode_world_run_stage(world, name, STEP), LODE_OK);
}

static void expect_same(const scene *a, const scene *b)
{
    assert_true(lode_world_hash(a->world) == lode_world_hash(b->world));
}

/* ---- halves ---- */

static void two_halves_are_a_step(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        scene whole = heap_create(solver, 1), halved = heap_create(solver, 3);
        for (int i = 0; i < 60; ++i) {
            scene_step(&whole, 1);
            assert_int_equal(lode_world_collide(halved.world, STEP), LODE_OK);
            assert_int_equal(lode_world_solve(halved.world, STEP), LODE_OK);
            expect_same(&whole, &halved);
        }
        lode_world_stats a, b;
        lode_world_get_stats(whole.world, &a);
        lode_world_get_stats(halved.world, &b);
        assert_int_equal(a.contacts, b.contacts);
        assert_int_equal(a.pairs, b.pairs);
        lode_world_destroy(whole.world);
        lode_world_destroy(halved.world);
    }
    assert_int_equal(report.count, 0);
}

/* A force given between the halves acts in the second one. */
static void forces_between_the_halves_act(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    double mass = lode_body_get_mass(s.rod).mass;
    lode_joint_destroy(s.hook);
    lode_vec3 before = lode_body_get_linear_velocity(s.rod);
    lode_world_collide(s.world, STEP);
    assert_true(near_vec(lode_body_get_linear_velocity(s.rod), before, 0));
    lode_body_add_force(s.rod, vec((lode_real)(64 * mass), 0, 0));
    lode_world_solve(s.world, STEP);
    assert_true(near(lode_body_get_linear_velocity(s.rod).x, before.x + 1, 1e-5));
    lode_world_destroy(s.world);
}

static void contacts_can_be_read_between_the_halves(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    add_ground(world);
    lode_body ball = add_ball(world, 0, 0, (lode_real)0.49, (lode_real)0.5);
    lode_contact contact;
    lode_world_collide(world, STEP);
    assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
    assert_true(near(contact.points[0].depth, 0.01, 1e-6));
    assert_true(near(lode_body_get_pose(ball).position.z, 0.49, 1e-7));
    lode_world_destroy(world);
}

/* What is destroyed in between takes its contacts along, and what takes its slots has none. */
static void destruction_between_the_halves_is_safe(void **state)
{
    (void)state;
    for (int again = 0; again < 2; ++again) {
        scene s = heap_create(LODE_SOLVER_PGS, 1);
        lode_body balls[40];
        for (int i = 0; i < 40; ++i)
            balls[i] = add_ball(s.world, (lode_real)(i % 5), (lode_real)(i / 5) + 20,
                                (lode_real)0.5, (lode_real)0.55);
        for (int i = 0; i < 40; ++i) {
            lode_world_collide(s.world, STEP);
            lode_world_get_contacts(s.world, NULL, 0);
            lode_body_destroy(balls[i]);
            if (again)
                balls[i] = add_ball(s.world, (lode_real)i, -20, 3, (lode_real)0.5);
            if (i == 20)
                lode_body_destroy(s.ground);
            assert_int_equal(lode_world_solve(s.world, STEP), LODE_OK);
            if (again) { /* in free fall from rest, touched by nothing */
                lode_vec3 v = lode_body_get_linear_velocity(balls[i]);
                assert_true(near_vec(v, vec(0, 0, -9.81 * STEP), 1e-5));
            }
        }
        lode_world_destroy(s.world);
    }
    assert_int_equal(report.count, 0);
}

/* Without a first half nothing touches; the second collide finds everything again. */
static void solving_alone_knows_no_contacts(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_world_stats stats;
    double z = lode_body_get_pose(s.rod).position.z;
    lode_vec3 before = lode_body_get_linear_velocity(s.ball);
    lode_joint_destroy(s.link);
    assert_int_equal(lode_world_solve(s.world, STEP), LODE_OK);
    lode_vec3 after = lode_body_get_linear_velocity(s.ball);
    assert_true(near(after.z, before.z - 9.81 * STEP, 1e-5));
    assert_true(near(lode_body_get_pose(s.rod).position.z, z, 0.05)); /* its joint holds */
    lode_world_get_stats(s.world, &stats);
    assert_int_equal(stats.contacts, 0);
    assert_int_equal(stats.joint_rows, 3);
    scene_step(&s, 1);
    lode_world_get_stats(s.world, &stats);
    assert_true(stats.contacts > 0);
    lode_world_destroy(s.world);
}

/* What has become static is looked at anew in the next first half, and until then keeps the contact
 * of a box put to sleep on it, which is known once ever after. */
static void solving_alone_keeps_what_the_next_first_half_finds(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_shape_def shape = lode_shape_def_default();
    lode_body floor = add_body(world, LODE_KINEMATIC, 0, 0, 0);
    lode_body box = add_body(world, LODE_DYNAMIC, 0, 0, (lode_real)0.998);
    lode_shape_create_box(floor, &shape, vec(4, 4, 1));
    lode_shape_create_box(box, &shape, vec(1, 1, 1));
    for (int i = 0; i < 10; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_int_equal(lode_body_set_type(floor, LODE_STATIC), LODE_OK);
    assert_int_equal(lode_body_sleep(box), LODE_OK);
    assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
    for (int i = 0; i < 3; ++i) {
        lode_contact contacts[4];
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
        lode_body_wake(box);
        assert_int_equal(lode_world_get_contacts(world, contacts, 4), 1);
    }
    lode_world_destroy(world);
}

static void a_new_first_half_replaces_the_old_one(void **state)
{
    (void)state;
    scene whole = heap_create(0, 1), twice = heap_create(0, 1);
    for (int i = 0; i < 30; ++i) {
        scene_step(&whole, 1);
        lode_world_collide(twice.world, STEP);
        lode_world_collide(twice.world, STEP);
        lode_world_solve(twice.world, STEP);
        expect_same(&whole, &twice);
        scene_step(&whole, 1);
        lode_world_collide(twice.world, STEP);
        scene_step(&twice, 1);
        expect_same(&whole, &twice);
    }
    lode_world_destroy(whole.world);
    lode_world_destroy(twice.world);
}

/* ---- single stages ---- */

static void stage_by_stage_is_a_step(void **state)
{
    (void)state;
    for (int solver = 0; solver < LODE_SOLVER_COUNT; ++solver) {
        scene whole = heap_create(solver, 1), staged = heap_create(solver, 2);
        const char *names[MOST_STAGES];
        int count = stage_names(whole.world, names);
        for (int i = 0; i < 50; ++i) {
            scene_step(&whole, 1);
            for (int k = 0; k < count; ++k)
                run(staged.world, names[k]);
            expect_same(&whole, &staged);
        }
        lode_world_destroy(whole.world);
        lode_world_destroy(staged.world);
    }
    assert_int_equal(report.count, 0);
}

/* Each stage that may run again does so five times, and the step is still the same. */
static void repeated_stages_change_nothing_and_take_no_more_memory(void **state)
{
    (void)state;
    alloc_fail_install();
    scene whole = heap_create(0, 1), staged = heap_create(0, 1);
    const char *names[MOST_STAGES];
    int count = stage_names(whole.world, names), solve = place_of(names, "solve");
    size_t held = 0;
    for (int i = 0; i < 40; ++i) {
        scene_step(&whole, 1);
        for (int k = 0; k < count; ++k)
            for (int times = k < solve && k > 0 ? 5 : 1; times > 0; --times)
                run(staged.world, names[k]);
        expect_same(&whole, &staged);
        if (i == 20)
            held = alloc_fail_live_bytes();
    }
    assert_true(alloc_fail_live_bytes() < held + held / 4);
    lode_world_destroy(whole.world);
    lode_world_destroy(staged.world);
    alloc_fail_remove();
}

/* From anywhere in an open step one can go back to any stage up to islands. */
static void going_back_changes_nothing(void **state)
{
    (void)state;
    scene whole = heap_create(1, 1), staged = heap_create(1, 1);
    const char *names[MOST_STAGES];
    int count = stage_names(whole.world, names), islands = place_of(names, "islands");
    int finalise = place_of(names, "finalise");
    for (int i = 0; i < 2 * count; ++i) {
        scene_step(&whole, 1);
        int far = i % finalise, back = far < islands ? far : islands;
        for (int k = 0; k <= far; ++k)
            run(staged.world, names[k]);
        for (int k = back - (back > i % 3 ? i % 3 : 0); k < count; ++k)
            run(staged.world, names[k]);
        expect_same(&whole, &staged);
    }
    lode_world_destroy(whole.world);
    lode_world_destroy(staged.world);
    assert_int_equal(report.count, 0);
}

/* Solve can be measured alone: what it did is taken back with islands. */
static void the_second_half_starts_over_from_islands(void **state)
{
    (void)state;
    scene whole = heap_create(0, 1), staged = heap_create(0, 1);
    scene_step(&whole, 1);
    lode_world_collide(staged.world, STEP);
    const char *const again[] = {"islands", "colouring", "row prepare", "solve"};
    for (int i = 0; i < 12; ++i)
        run(staged.world, again[i % 4]);
    assert_int_equal(lode_world_solve(staged.world, STEP), LODE_OK);
    expect_same(&whole, &staged);
    lode_world_destroy(whole.world);
    lode_world_destroy(staged.world);
}

static void nothing_moves_before_the_last_stage(void **state)
{
    (void)state;
    scene s = heap_create(0, 1);
    const char *names[MOST_STAGES];
    stage_names(s.world, names);
    scene twin = heap_create(0, 1);
    for (int k = 0; k < place_of(names, "finalise"); ++k)
        run(s.world, names[k]);
    scene_step(&twin, 1);
    assert_int_equal(lode_world_collide(s.world, STEP), LODE_OK); /* gives the step up */
    lode_pose pose = lode_body_get_pose(s.ball), moved = lode_body_get_pose(twin.ball);
    assert_false(near_vec(pose.position, moved.position, 0));
    lode_world_solve(s.world, STEP);
    expect_same(&s, &twin);
    lode_world_destroy(s.world);
    lode_world_destroy(twin.world);
}

/* ---- refusals ---- */

static void a_step_that_has_moved_bodies_can_only_be_finished(void **state)
{
    (void)state;
    scene s = heap_create(0, 1), twin = heap_create(0, 1);
    const char *names[MOST_STAGES];
    int count = stage_names(s.world, names), last = place_of(names, "finalise");
    lode_damping damping = {.linear_per_step = (lode_real)0.5};
    lode_world_set_damping(s.world, &damping);
    lode_world_set_damping(twin.world, &damping);
    for (int k = 0; k <= last; ++k)
        run(s.world, names[k]);
    EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_step, s.world, STEP);
    EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_collide, s.world, STEP);
    EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_solve, s.world, STEP);
    for (int k = 0; k <= last; ++k)
        EXPECT_REFUSED(LODE_ERROR_STATE, "name", lode_world_run_stage, s.world, names[k], STEP);
    for (int k = last + 1; k < count; ++k)
        run(s.world, names[k]);
    scene_step(&twin, 1);
    expect_same(&s, &twin);
    scene_step(&s, 1);
    scene_step(&twin, 1);
    expect_same(&s, &twin);
    lode_world_destroy(s.world);
    lode_world_destroy(twin.world);
}

static void stages_out_of_order_are_refused(void **state)
{
    (void)state;
    scene s = heap_create(0, 1), twin = heap_create(0, 1);
    const char *names[MOST_STAGES];
    int count = stage_names(s.world, names);
    int solve = place_of(names, "solve"), islands = place_of(names, "islands");
    lode_world w = s.world;
    for (int k = 1; k < count; ++k) /* no step is open */
        EXPECT_REFUSED(LODE_ERROR_STATE, "name", lode_world_run_stage, w, names[k], STEP);
    for (int k = 0; k < count; ++k) {
        run(w, names[k]);
        if (k + 1 == count)
            break;
        for (int later = k + 2; later < count; ++later)
            EXPECT_REFUSED(LODE_ERROR_STATE, "name", lode_world_run_stage, w, names[later], STEP);
        if (k >= solve)
            for (int once = islands + 1; once <= k; ++once)
                EXPECT_REFUSED(LODE_ERROR_STATE, "name", lode_world_run_stage, w, names[once],
                               STEP);
        if (k + 1 != islands)
            EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "dt", lode_world_run_stage, w, names[k + 1],
                           STEP / 2);
        if (k + 1 < islands)
            EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_solve, w, STEP);
    }
    scene_step(&twin, 1);
    expect_same(&s, &twin);
    lode_world_destroy(s.world);
    lode_world_destroy(twin.world);
}

static void names_and_times_are_checked(void **state)
{
    (void)state;
    scene s = scene_create(NULL);
    lode_world w = s.world;
    uint64_t hash = lode_world_hash(w);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_run_stage, w, NULL, STEP);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_run_stage, w, "", STEP);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_run_stage, w, "Bounds", STEP);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "name", lode_world_run_stage, w, "iterate", STEP);
    double tiny = sizeof(lode_real) == sizeof(float) ? 1e-40 : 1e-310;
    const lode_real bad[] = {0, -1, (lode_real)tiny, (lode_real)NAN, (lode_real)INFINITY};
    for (int i = 0; i < 5; ++i) {
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "dt", lode_world_run_stage, w, "bounds", bad[i]);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "dt", lode_world_collide, w, bad[i]);
        EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "dt", lode_world_solve, w, bad[i]);
    }
    assert_true(lode_world_hash(w) == hash);
    lode_world_destroy(w);
}

/* Between two stages the world is closed; between the halves and after the end it is open. */
static void calls_between_stages_are_refused(void **state)
{
    (void)state;
    scene s = scene_create(NULL), twin = scene_create(NULL);
    const char *names[MOST_STAGES];
    int count = stage_names(s.world, names), islands = place_of(names, "islands");
    lode_body_def body_def = lode_body_def_default();
    lode_world_stats stats;
    for (int k = 0; k + 1 < count; ++k) {
        run(s.world, names[k]);
        if (k + 1 == islands)
            continue;
        EXPECT_REFUSED(LODE_ERROR_STATE, "body", lode_body_destroy, s.ball);
        EXPECT_REFUSED(LODE_ERROR_STATE, "body", lode_body_add_force, s.ball, vec(1, 2, 3));
        EXPECT_REFUSED(LODE_ERROR_STATE, "shape", lode_shape_destroy, s.sphere);
        EXPECT_REFUSED(LODE_ERROR_STATE, "joint", lode_joint_destroy, s.link);
        EXPECT_REFUSED(LODE_ERROR_STATE, "world", lode_world_set_iterations, s.world, 1);
        assert_true(lode_body_create(s.world, &body_def).id == 0);
        EXPECT_REPORT(LODE_ERROR_STATE, "lode_body_create", "world");
        report_clear();
        assert_int_equal(lode_world_get_stats(s.world, &stats), LODE_OK);
        assert_true(lode_world_is_valid(s.world) && lode_body_is_valid(s.ball));
        lode_world_get_contacts(s.world, NULL, 0);
        assert_int_equal(report.count, 0);
    }
    run(s.world, names[count - 1]);
    scene_step(&twin, 1);
    expect_same(&s, &twin);
    assert_int_equal(lode_body_add_force(s.ball, vec(1, 2, 3)), LODE_OK);
    run(s.world, names[0]);
    lode_world_destroy(s.world); /* allowed at any time but inside */
    lode_world_destroy(twin.world);
    assert_int_equal(report.count, 0);
}

/* A half that meets no memory can be tried again and ends in the same state. */
static void a_half_without_memory_can_be_tried_again(void **state)
{
    (void)state;
    alloc_fail_install();
    scene whole = heap_create(0, 1);
    scene_step(&whole, 1);
    for (int fail = 0;; ++fail) {
        scene s = heap_create(0, 1);
        alloc_fail_nth(fail);
        bool collided = lode_world_collide(s.world, STEP) == LODE_OK;
        if (!collided)
            assert_int_equal(lode_world_collide(s.world, STEP), LODE_OK);
        bool solved = lode_world_solve(s.world, STEP) == LODE_OK;
        if (!solved)
            assert_int_equal(lode_world_solve(s.world, STEP), LODE_OK);
        alloc_fail_nth(-1);
        expect_same(&whole, &s);
        lode_world_destroy(s.world);
        if (collided && solved) {
            assert_true(fail > 2);
            break;
        }
        EXPECT_REPORT(LODE_ERROR_MEMORY, collided ? "lode_world_solve" : "lode_world_collide", "");
        report_clear();
    }
    lode_world_destroy(whole.world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
}

/* ---- warnings ---- */

static void add_spoke(lode_world world, lode_body hub, int i)
{
    lode_joint_def joint = lode_joint_def_default(LODE_JOINT_BALL);
    lode_body ball = add_body(world, LODE_DYNAMIC, (lode_real)(i % 40), 1, 0);
    joint.body_a = i % 2 ? hub : ball;
    joint.body_b = i % 2 ? ball : hub;
    assert_true(lode_joint_create(world, &joint).id != 0);
}

static void warnings_count_and_name_the_first_body(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_warning_info w[LODE_WARNING_COUNT];
    lode_body hub = add_body(world, LODE_DYNAMIC, 0, 0, 0);
    for (int i = 0; i < 16 + 512; ++i)
        add_spoke(world, hub, i);
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    lode_world_get_warnings(world, w, LODE_WARNING_COUNT);
    assert_int_equal(w[LODE_WARNING_HUB_OVERFLOW].ever, 0);
    add_spoke(world, hub, 1);
    lode_body early = add_body(world, LODE_DYNAMIC, 0, 0, 100);
    lode_body late = add_body(world, LODE_DYNAMIC, 0, 0, 200);
    assert_int_equal(lode_world_get_warnings(world, w, LODE_WARNING_COUNT), LODE_WARNING_COUNT);
    for (int i = 0; i < LODE_WARNING_COUNT; ++i)
        assert_true(w[i].text && w[i].last == 0 && w[i].ever == 0 && w[i].first.id == 0);
    lode_real huge = sizeof(lode_real) == sizeof(float) ? (lode_real)3e38 : (lode_real)1.7e308;
    lode_body_set_linear_velocity(early, vec(huge, 0, 0));
    lode_body_set_linear_velocity(late, vec(huge, 0, 0));
    lode_body_add_force(early, vec(huge, 0, 0));
    lode_body_add_force(late, vec(huge, 0, 0));
    lode_world_step(world, 10);
    lode_world_get_warnings(world, w, LODE_WARNING_COUNT);
    assert_int_equal(w[LODE_WARNING_NAN_BODY].last, 2);
    assert_true(w[LODE_WARNING_NAN_BODY].first.id == early.id);
    assert_int_equal(w[LODE_WARNING_HUB_OVERFLOW].last, 1);
    assert_true(w[LODE_WARNING_HUB_OVERFLOW].first.id == hub.id);
    lode_world_step(world, STEP);
    lode_world_get_warnings(world, w, LODE_WARNING_COUNT);
    assert_int_equal(w[LODE_WARNING_NAN_BODY].last, 0);
    assert_int_equal(w[LODE_WARNING_NAN_BODY].ever, 2);
    assert_true(w[LODE_WARNING_NAN_BODY].first.id == early.id);
    assert_int_equal(w[LODE_WARNING_HUB_OVERFLOW].ever, 2);
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(two_halves_are_a_step, set_up),
        cmocka_unit_test_setup(forces_between_the_halves_act, set_up),
        cmocka_unit_test_setup(contacts_can_be_read_between_the_halves, set_up),
        cmocka_unit_test_setup(destruction_between_the_halves_is_safe, set_up),
        cmocka_unit_test_setup(solving_alone_knows_no_contacts, set_up),
        cmocka_unit_test_setup(solving_alone_keeps_what_the_next_first_half_finds, set_up),
        cmocka_unit_test_setup(a_new_first_half_replaces_the_old_one, set_up),
        cmocka_unit_test_setup(stage_by_stage_is_a_step, set_up),
        cmocka_unit_test_setup(repeated_stages_change_nothing_and_take_no_more_memory, set_up),
        cmocka_unit_test_setup(going_back_changes_nothing, set_up),
        cmocka_unit_test_setup(the_second_half_starts_over_from_islands, set_up),
        cmocka_unit_test_setup(nothing_moves_before_the_last_stage, set_up),
        cmocka_unit_test_setup(a_step_that_has_moved_bodies_can_only_be_finished, set_up),
        cmocka_unit_test_setup(stages_out_of_order_are_refused, set_up),
        cmocka_unit_test_setup(names_and_times_are_checked, set_up),
        cmocka_unit_test_setup(calls_between_stages_are_refused, set_up),
        cmocka_unit_test_setup(a_half_without_memory_can_be_tried_again, set_up),
        cmocka_unit_test_setup(warnings_count_and_name_the_first_body, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
