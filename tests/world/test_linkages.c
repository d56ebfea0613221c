/* Joints over many bodies as objects: what is refused, what goes with what, who is awake, and that
 * threads, snapshots and instruction sets change no bit. */
#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHEELS = 300, CHAINS = 8 };

typedef struct train {
    lode_world world;
    lode_body body[WHEELS];
    lode_joint hinge[WHEELS], gear[WHEELS];
    lode_joint tie;
} train;

static lode_joint hinge_of(lode_world world, lode_body body)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = body;
    assert_int_equal(lode_joint_def_anchor_world(&def, lode_body_get_center(body), vec(0, 0, 1)),
                     LODE_OK);
    return lode_joint_create(world, &def);
}

static lode_joint gear_of(lode_world world, lode_joint one, lode_joint other, lode_real ratio)
{
    const lode_joint_term terms[] = {{one, 0, 1}, {other, 0, ratio}};
    lode_coupling_def def = lode_coupling_def_default();
    def.terms = terms;
    def.term_count = 2;
    assert_int_equal(lode_coupling_def_hold(&def), LODE_OK);
    lode_joint joint = lode_coupling_create(world, &def);
    assert_true(joint.id != 0);
    return joint;
}

/* Holds the mean of turns: nothing that a train would do by itself. */
static void write_tie(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context;
    for (int i = 0; i < request->body_count; ++i)
        out_row->angular[i] = vec(0, request->row, 1);
    out_row->min_force = -1;
    out_row->max_force = 1;
}

/* One island: wheels in rows that drive each other, some by two, and rows over eight of them;
 * crates lie on some. */
static train train_create(int threads, lode_simd simd)
{
    train t;
    lode_world_def def = lode_world_def_default();
    def.threads = threads;
    def.simd = simd;
    t.world = lode_world_create(&def);
    lode_body eight[CHAINS];
    for (int i = 0; i < WHEELS; ++i) {
        t.body[i] = add_ball(t.world, (lode_real)i * 2, (lode_real)(i % 7), 3, (lode_real)0.5);
        t.hinge[i] = hinge_of(t.world, t.body[i]);
        t.gear[i] = i < 2 ? (lode_joint){0}
                          : gear_of(t.world, t.hinge[i - 1 - i % 2], t.hinge[i],
                                    (lode_real)(i % 5 - 2.5));
        if (i % 40 == 0)
            eight[i / 40] = t.body[i];
    }
    gear_of(t.world, t.hinge[0], t.hinge[1], 2);
    lode_rows_def rows = lode_rows_def_default();
    rows.bodies = eight;
    rows.body_count = CHAINS;
    rows.row_count = 2;
    t.tie = lode_rows_create(t.world, &rows);
    assert_true(t.tie.id != 0);
    const lode_row_writer writer = {write_tie, NULL};
    assert_int_equal(lode_world_set_row_writer(t.world, &writer), LODE_OK);
    for (int i = 0; i < WHEELS; i += 3)
        lode_body_set_angular_velocity(t.body[i], vec(0, 0, (lode_real)(i % 11)));
    return t;
}

static void steps(lode_world world, int count)
{
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
}

static void threads_and_sets_change_no_bit(void **state)
{
    (void)state;
    uint64_t plain = 0;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd)
        for (int threads = 1; threads <= 3 && lode_simd_available((lode_simd)simd); ++threads) {
            train t = train_create(threads, (lode_simd)simd);
            steps(t.world, 100);
            uint64_t hash = lode_world_hash(t.world);
            plain = plain ? plain : hash;
            assert_true(hash == plain);
            lode_world_destroy(t.world);
        }
}

/* Into the same world, and into another one that has nothing yet. */
static void snapshots_change_no_bit(void **state)
{
    (void)state;
    train t = train_create(1, LODE_SIMD_AUTO);
    steps(t.world, 20);
    size_t size = lode_world_snapshot(t.world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(t.world, bytes, size), size);
    steps(t.world, 30);
    uint64_t hash = lode_world_hash(t.world);
    lode_joint_destroy(t.gear[5]);
    assert_int_equal(lode_world_restore(t.world, bytes, size), LODE_OK);
    steps(t.world, 30);
    assert_true(lode_world_hash(t.world) == hash);
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    const lode_row_writer writer = {write_tie, NULL};
    assert_int_equal(lode_world_set_row_writer(other, &writer), LODE_OK);
    assert_int_equal(lode_world_restore(other, bytes, size), LODE_OK);
    steps(other, 30);
    assert_true(lode_world_hash(other) == hash);
    lode_world_destroy(other);
    lode_world_destroy(t.world);
    free(bytes);
}

/* An island's bits are its own. */
static void others_change_no_bit(void **state)
{
    (void)state;
    lode_real angle[2];
    for (int with = 0; with < 2; ++with) {
        lode_world_def def = lode_world_def_default();
        lode_world world = lode_world_create(&def);
        for (int i = 0; i < 9 * with; ++i) {
            lode_joint a = hinge_of(world, add_ball(world, 30, i, 0, (lode_real)0.2));
            lode_joint b = hinge_of(world, add_ball(world, 40, i, 0, (lode_real)0.2));
            gear_of(world, a, b, 3);
        }
        lode_body one = add_ball(world, 0, 0, 0, (lode_real)0.2);
        lode_joint a = hinge_of(world, one);
        for (int i = 0; i < 5; ++i)
            gear_of(world, a, hinge_of(world, add_ball(world, i, 5, 0, (lode_real)0.2)),
                    (lode_real)(i + 1) / 3);
        lode_body_set_angular_velocity(one, vec(0, 0, 3));
        steps(world, 60);
        angle[with] = lode_joint_get_position(a, 0);
        lode_world_destroy(world);
    }
    assert_true(angle[0] == angle[1] && angle[0] != 0);
}

/* --- what goes with what */

static int joint_count(lode_world world)
{
    return lode_world_get_joints(world, NULL, 0);
}

static void couplings_go_with_their_joints_and_bodies(void **state)
{
    (void)state;
    train t = train_create(1, LODE_SIMD_AUTO);
    int all = joint_count(t.world);
    assert_int_equal(all, 2 * WHEELS - 2 + 1 + 1);
    assert_int_equal(lode_body_get_joints(t.body[0], NULL, 0), 3);
    lode_joint_destroy(t.hinge[10]); /* of gears 10, 11 and 13 at most */
    assert_false(lode_joint_is_valid(t.gear[10]));
    int gone = all - joint_count(t.world) - 1;
    assert_true(gone >= 1 && gone <= 3);
    lode_body_destroy(t.body[40]); /* the rows over eight bodies too */
    assert_false(lode_joint_is_valid(t.tie) || lode_joint_is_valid(t.hinge[40]) ||
                 lode_joint_is_valid(t.gear[40]));
    steps(t.world, 5);
    for (int i = 0; i < WHEELS; ++i)
        if (lode_joint_is_valid(t.gear[i]))
            lode_joint_destroy(t.gear[i]);
    steps(t.world, 5);
    assert_int_equal(lode_body_get_joints(t.body[100], NULL, 0), 1);
    lode_world_destroy(t.world);
}

static void a_coupling_rests_while_a_joint_is_disabled(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body one = add_ball(world, 0, 0, 0, 1), two = add_ball(world, 9, 0, 0, 1);
    lode_joint a = hinge_of(world, one), b = hinge_of(world, two), gear = gear_of(world, a, b, 1);
    lode_body_set_angular_velocity(one, vec(0, 0, 1));
    steps(world, 1);
    assert_true(lode_joint_get_stop_force(gear, 0) != 0);
    lode_body_set_angular_velocity(two, vec(0, 0, 0));
    lode_joint_set_enabled(b, false);
    assert_true(lode_joint_get_stop_force(gear, 0) == 0);
    lode_body_set_angular_velocity(one, vec(0, 0, 1));
    steps(world, 10);
    assert_true(lode_joint_get_stop_force(gear, 0) == 0);
    assert_true(lode_body_get_angular_velocity(two).z == 0);
    lode_joint_set_enabled(b, true);
    assert_int_equal(lode_joint_set_limits(gear, 0, -10, 10), LODE_OK);
    assert_int_equal(lode_joint_set_motor(gear, 0, 3, 1000000), LODE_OK);
    steps(world, 10);
    assert_true(near((double)lode_joint_get_rate(gear, 0), 3, 1e-3));
    lode_joint_set_enabled(gear, false);
    assert_false(lode_joint_get_enabled(gear));
    lode_body_set_angular_velocity(one, vec(0, 0, 7));
    double speed = (double)lode_body_get_angular_velocity(two).z;
    steps(world, 10);
    assert_true(near((double)lode_body_get_angular_velocity(two).z, speed, 1e-3));
    lode_world_destroy(world);
}

static void write_weight(void *context, const lode_row_request *request, lode_row *out_row)
{
    (void)context, (void)request;
    out_row->linear[0] = vec(0, 0, 1);
}

static void rows_that_nobody_writes_bear_nothing(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    const lode_body body = add_ball(world, 0, 0, 0, 1);
    lode_rows_def rows = lode_rows_def_default();
    rows.bodies = &body;
    rows.body_count = 1;
    lode_joint joint = lode_rows_create(world, &rows);
    const lode_row_writer writer = {write_weight, NULL};
    assert_int_equal(lode_world_set_row_writer(world, &writer), LODE_OK);
    steps(world, 2);
    assert_true(lode_joint_get_row_force(joint, 0) > 0);
    assert_int_equal(lode_world_set_row_writer(world, NULL), LODE_OK);
    assert_true(lode_joint_get_row_force(joint, 0) == 0);
    steps(world, 2);
    assert_true(lode_joint_get_row_force(joint, 0) == 0);
    assert_true(lode_body_get_linear_velocity(body).z < 0);
    lode_world_destroy(world);
}

static void a_coupling_says_what_it_is(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world world = lode_world_create(&def);
    lode_body bodies[4], body = add_ball(world, 0, 0, 0, 1);
    lode_joint a = hinge_of(world, body), b = hinge_of(world, add_ball(world, 3, 0, 0, 1));
    lode_joint c = hinge_of(world, add_ball(world, 6, 0, 0, 1));
    const lode_joint_term terms[] = {{a, 0, 1}, {b, 0, 2}, {c, 0, 3}};
    lode_joint_term out[8];
    lode_coupling_def coupling = lode_coupling_def_default();
    coupling.terms = terms;
    coupling.term_count = 3;
    coupling.user_data = &def;
    lode_joint joint = lode_coupling_create(world, &coupling);
    assert_int_equal(lode_coupling_get_terms(joint, out, 8), 3);
    assert_memory_equal(out, terms, 1);
    for (int i = 0; i < 3; ++i)
        assert_true(out[i].joint.id == terms[i].joint.id && out[i].ratio == terms[i].ratio);
    assert_int_equal(lode_coupling_get_terms(joint, out, 1), 3);
    assert_int_equal(lode_coupling_get_terms(a, out, 8), 0);
    assert_int_equal(lode_joint_get_bodies(joint, bodies, 4), 3);
    assert_true(bodies[0].id == body.id);
    assert_int_equal(lode_joint_get_bodies(a, bodies, 4), 1);
    assert_ptr_equal(lode_joint_get_user_data(joint), &def);
    assert_int_equal(lode_world_get_joints(world, NULL, 0), 4);
    lode_joint between[4];
    assert_int_equal(lode_bodies_get_joints(body, (lode_body){0}, between, 4), 1);
    assert_true(between[0].id == a.id);
    assert_int_equal(lode_bodies_get_joints(bodies[0], bodies[1], between, 4), 0);
    assert_false(lode_bodies_are_connected(bodies[0], bodies[1]));
    lode_joint_destroy(joint);
    assert_int_equal(lode_world_get_joints(world, NULL, 0), 3);
    lode_world_destroy(world);
}

/* --- sleep */

/* What turns far away keeps awake whom it drives; when all rest, all sleep, and one wakes all. */
static void what_is_coupled_sleeps_and_wakes_together(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    def.gravity = vec(0, 0, 0);
    lode_world world = lode_world_create(&def);
    lode_sleep sleep = lode_sleep_default();
    sleep.enabled = true;
    assert_int_equal(lode_world_set_sleep(world, &sleep), LODE_OK);
    lode_body bodies[3];
    lode_joint hinges[3];
    for (int i = 0; i < 3; ++i) {
        bodies[i] = add_ball(world, (lode_real)i * 50, 0, 0, 1);
        hinges[i] = hinge_of(world, bodies[i]);
    }
    const lode_joint_term terms[] = {{hinges[0], 0, 1}, {hinges[1], 0, 1000}, {hinges[2], 0, 1000}};
    lode_coupling_def coupling = lode_coupling_def_default();
    coupling.terms = terms;
    coupling.term_count = 3;
    assert_int_equal(lode_coupling_def_hold(&coupling), LODE_OK);
    lode_joint gear = lode_coupling_create(world, &coupling);
    assert_true(gear.id != 0);
    lode_body_set_angular_velocity(bodies[0], vec(0, 0, 1));
    steps(world, 200);
    for (int i = 0; i < 3; ++i)
        assert_true(lode_body_is_awake(bodies[i]));
    lode_body_set_angular_velocity(bodies[0], vec(0, 0, 0));
    for (int i = 1; i < 3; ++i)
        lode_body_set_angular_velocity(bodies[i], vec(0, 0, 0));
    steps(world, 200);
    for (int i = 0; i < 3; ++i)
        assert_false(lode_body_is_awake(bodies[i]));
    lode_body_wake(bodies[2]);
    assert_true(lode_body_is_awake(bodies[0]) && lode_body_is_awake(bodies[1]));
    assert_int_equal(lode_body_sleep(bodies[1]), LODE_OK);
    steps(world, 1);
    assert_false(lode_body_is_awake(bodies[0]) || lode_body_is_awake(bodies[2]));
    lode_joint_destroy(gear);
    assert_true(lode_body_is_awake(bodies[0]) && lode_body_is_awake(bodies[1]));
    lode_world_destroy(world);
}

/* --- refusals */

static void bad_couplings_are_refused(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    report_install();
    lode_world world = lode_world_create(&world_def), other = lode_world_create(&world_def);
    lode_joint hinge = hinge_of(world, add_ball(world, 0, 0, 0, 1));
    lode_joint far = hinge_of(other, add_ball(other, 0, 0, 0, 1));
    lode_joint_def ball_def = lode_joint_def_default(LODE_JOINT_BALL);
    ball_def.body_a = add_ball(world, 5, 0, 0, 1);
    lode_joint ball = lode_joint_create(world, &ball_def);
    lode_joint gear = gear_of(world, hinge, hinge, 1);
    const lode_joint_term bad[] = {{far, 0, 1},
                                   {hinge, 1, 1},
                                   {hinge, -1, 1},
                                   {ball, 0, 1},
                                   {gear, 0, 1},
                                   {{0}, 0, 1},
                                   {hinge, 0, (lode_real)NAN}};
    int joints = joint_count(world);
    uint64_t hash = lode_world_hash(world);
    lode_coupling_def def = lode_coupling_def_default();
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); ++i) {
        const lode_joint_term terms[] = {{hinge, 0, 1}, bad[i]};
        def.terms = terms;
        def.term_count = 2;
        report_clear();
        assert_true(lode_coupling_create(world, &def).id == 0);
        assert_int_equal(report.count, 1);
        assert_string_equal(report.argument, "def.terms");
    }
    const lode_joint_term good = {hinge, 0, 1};
    for (int i = 0; i < 5; ++i) {
        static const char *const names[] = {"def.term_count", "def.term_count", "def.axis",
                                            "def.erp", "def.term_count"};
        def = lode_coupling_def_default();
        def.terms = i == 4 ? NULL : &good;
        def.term_count = i == 0 ? 0 : i == 1 ? LODE_COUPLING_TERMS + 1 : 1;
        def.axis.lo_stop = i == 2 ? 1 : 0;
        def.axis.hi_stop = 0;
        def.erp = i == 3 ? 2 : -1;
        report_clear();
        assert_true(lode_coupling_create(world, &def).id == 0);
        assert_int_equal(report.count, 1);
        assert_string_equal(report.argument, names[i]);
    }
    report_clear();
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_joint_set_collide_connected, gear, false);
    const lode_pose frame = {.rotation = {1, 0, 0, 0}};
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "joint", lode_joint_set_frames, gear, frame, frame);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "axis", lode_joint_set_motor, gear, 1, 1, 1);
    assert_int_equal(joint_count(world), joints);
    assert_true(lode_world_hash(world) == hash);
    lode_world_destroy(world);
    lode_world_destroy(other);
}

static void bad_rows_are_refused(void **state)
{
    (void)state;
    lode_world_def world_def = lode_world_def_default();
    report_install();
    lode_world world = lode_world_create(&world_def);
    lode_body body = add_ball(world, 0, 0, 0, 1), ground = add_ground(world);
    const lode_body twice[] = {body, ground, body}, still[] = {ground}, none[] = {body, {0}};
    const struct {
        const lode_body *bodies;
        int count, rows;
        const char *argument;
    } bad[] = {{twice, 3, 1, "def.bodies"},     {still, 1, 1, "def"},
               {none, 2, 1, "def.bodies"},      {twice, 0, 1, "def.body_count"},
               {NULL, 1, 1, "def.body_count"},  {twice, 1, 0, "def.row_count"},
               {twice, 1, 13, "def.row_count"}, {twice, 5000, 1, "def.body_count"}};
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); ++i) {
        lode_rows_def def = lode_rows_def_default();
        def.bodies = bad[i].bodies;
        def.body_count = bad[i].count;
        def.row_count = bad[i].rows;
        report_clear();
        assert_true(lode_rows_create(world, &def).id == 0);
        assert_int_equal(report.count, 1);
        assert_string_equal(report.argument, bad[i].argument);
    }
    report_clear();
    lode_rows_def def = lode_rows_def_default();
    def.bodies = twice;
    def.body_count = 2;
    lode_joint joint = lode_rows_create(world, &def);
    assert_true(joint.id != 0 && report.count == 0);
    steps(world, 3); /* nobody writes */
    assert_true(lode_joint_get_row_force(joint, 0) == 0 && report.count == 0);
    assert_true(lode_joint_get_row_force(joint, 1) == 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_joint_get_row_force", "row");
    lode_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_sets_change_no_bit),
        cmocka_unit_test(snapshots_change_no_bit),
        cmocka_unit_test(others_change_no_bit),
        cmocka_unit_test(couplings_go_with_their_joints_and_bodies),
        cmocka_unit_test(a_coupling_rests_while_a_joint_is_disabled),
        cmocka_unit_test(rows_that_nobody_writes_bear_nothing),
        cmocka_unit_test(a_coupling_says_what_it_is),
        cmocka_unit_test(what_is_coupled_sleeps_and_wakes_together),
        cmocka_unit_test(bad_couplings_are_refused),
        cmocka_unit_test(bad_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
