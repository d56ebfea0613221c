/* Joints that get other bodies, lose them, and are in limbo; and what is between two bodies. */
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "world/validate.h"

#include <stdlib.h>

static const lode_pose identity = {{0, 0, 0}, {1, 0, 0, 0}};
static lode_world world;

static lode_world make_world(void)
{
    lode_world_def def = lode_world_def_default();
    return lode_world_create(&def);
}

static int set_up(void **state)
{
    (void)state;
    report_install();
    world = make_world();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lode_world_destroy(world);
    return report.count;
}

static void validate(void)
{
    lode__world_validate(lode__registry_world(world.id));
}

static lode_world_stats step(int count)
{
    lode_world_stats stats;
    for (int i = 0; i < count; ++i)
        assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    validate();
    return stats;
}

static lode_joint_def def_of(lode_joint_type type, lode_body a, lode_body b)
{
    lode_joint_def def = lode_joint_def_default(type);
    def.body_a = a;
    def.body_b = b;
    def.frame_a.position = vec((lode_real)0.5, 0, 0);
    def.frame_b.position = vec((lode_real)-0.5, 0, 0);
    return def;
}

static lode_joint join(lode_joint_type type, lode_body a, lode_body b)
{
    lode_joint_def def = def_of(type, a, b);
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id);
    return joint;
}

static lode_status attach(lode_joint joint, lode_body a, lode_body b)
{
    lode_joint_def def = def_of(LODE_JOINT_BALL, a, b);
    return lode_joint_attach(joint, a, b, def.frame_a, def.frame_b);
}

static double apart(lode_joint joint)
{
    lode_vec3 a = lode_joint_get_anchor_a(joint), b = lode_joint_get_anchor_b(joint);
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

/* ---- other bodies ---- */

static void it_holds_its_new_bodies_and_not_the_old_ones(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body b[4];
    for (int i = 0; i < 4; ++i)
        b[i] = add_ball(world, (lode_real)(i * 1.05), 0, 0, (lode_real)0.5);
    lode_joint joint = join(LODE_JOINT_BALL, b[0], b[1]);
    assert_int_equal(step(1).joint_rows, 3);
    assert_int_equal(attach(joint, b[2], b[3]), LODE_OK);
    assert_true(lode_joint_get_body_a(joint).id == b[2].id);
    assert_true(lode_joint_get_body_b(joint).id == b[3].id);
    assert_false(lode_bodies_are_connected(b[0], b[1]) || lode_body_get_joints(b[0], NULL, 0));
    lode_body_set_linear_velocity(b[0], vec(-1, 0, 0)); /* flies away alone */
    lode_body_set_linear_velocity(b[3], vec(1, 0, 0));  /* takes b[2] along */
    step(60);
    assert_true(near(lode_body_get_linear_velocity(b[0]).x, -1, 1e-5));
    assert_true(near(lode_body_get_linear_velocity(b[2]).x, 0.5, 0.05) && apart(joint) < 1e-6);
    assert_int_equal(attach(joint, b[1], (lode_body){0}), LODE_OK); /* to the world */
    assert_true(lode_joint_get_body_b(joint).id == 0);
    assert_int_equal(step(30).joint_rows, 3);
    assert_true(apart(joint) < 1e-4);
}

/* Whoever is let go may touch again, and who is joined ceases to. */
static void contacts_follow(void **state)
{
    (void)state;
    lode_world_set_gravity(world, vec(0, 0, 0));
    lode_body b[3];
    for (int i = 0; i < 3; ++i)
        b[i] = add_ball(world, (lode_real)(i * 0.98), 0, 0, (lode_real)0.5);
    lode_joint joint = join(LODE_JOINT_BALL, b[0], b[1]);
    assert_int_equal(step(1).contacts, 1);
    assert_int_equal(attach(joint, b[1], b[2]), LODE_OK);
    lode_contact contact;
    step(1);
    assert_int_equal(lode_world_get_contacts(world, &contact, 1), 1);
    lode_body touch = lode_shape_get_body(contact.shape_a);
    assert_true(touch.id == b[0].id || lode_shape_get_body(contact.shape_b).id == b[0].id);
    assert_int_equal(lode_joint_detach(joint), LODE_OK);
    assert_int_equal(step(1).contacts, 2);
}

/* To the bit. */
static void a_way_through_limbo_changes_nothing(void **state)
{
    (void)state;
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type) {
        uint64_t hash[2];
        for (int way = 0; way < 2; ++way) {
            lode_world_destroy(world);
            world = make_world();
            lode_body b[4];
            for (int i = 0; i < 4; ++i) {
                b[i] = add_ball(world, (lode_real)(2 * i), 0, 0, (lode_real)0.5);
                lode_body_set_angular_velocity(b[i], vec((lode_real)i, 2, 1));
            }
            lode_joint_def def = def_of((lode_joint_type)type, b[0], b[1]);
            for (int i = 0; i < LODE_JOINT_AXES; ++i) {
                def.axis[i].lo_stop = (lode_real)-0.5;
                def.axis[i].hi_stop = (lode_real)0.5;
                def.axis[i].f_max = 2;
            }
            def.distance = 1;
            def.max_force = 1000;
            lode_joint joint = lode_joint_create(world, &def);
            assert_true(joint.id);
            step(10);
            if (way == 0) {
                assert_int_equal(lode_joint_attach(joint, b[2], b[3], def.frame_b, def.frame_a),
                                 LODE_OK);
            } else {
                lode_joint_detach(joint);
                lode_joint_def now = lode_joint_get_def(joint);
                assert_int_equal(lode_joint_attach(joint, b[2], b[3], def.frame_b, def.frame_a),
                                 LODE_OK);
                assert_true(now.body_a.id == 0 && now.body_b.id == 0);
                assert_true(now.max_force == 1000 && now.axis[0].f_max == 2);
                assert_true(now.distance == 1 && now.type == (lode_joint_type)type);
            }
            step(20);
            hash[way] = lode_world_hash(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* Impulses, angles and all else start as a new joint's do. */
static void a_new_joint_in_its_place_moves_the_same(void **state)
{
    (void)state;
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type) {
        lode_pose pose[2][4];
        for (int way = 0; way < 2; ++way) {
            lode_world_destroy(world);
            world = make_world();
            lode_body b[4];
            for (int i = 0; i < 4; ++i)
                b[i] = add_ball(world, (lode_real)(2 * i), 0, 0, (lode_real)0.5);
            lode_joint_def def = def_of((lode_joint_type)type, b[0], b[1]);
            def.distance = 1;
            def.axis[0].vel = def.axis[0].f_max = 1;
            lode_joint joint = lode_joint_create(world, &def);
            step(10);
            if (way == 0) {
                assert_int_equal(lode_joint_attach(joint, b[2], b[3], def.frame_a, def.frame_b),
                                 LODE_OK);
            } else {
                lode_joint_destroy(joint);
                def.body_a = b[2];
                def.body_b = b[3];
                assert_true(lode_joint_create(world, &def).id);
            }
            step(40);
            for (int i = 0; i < 4; ++i)
                pose[way][i] = lode_body_get_pose(b[i]);
        }
        assert_memory_equal(pose[0], pose[1], sizeof pose[0]);
    }
}

/* ---- limbo ---- */

static void in_limbo_it_does_nothing_and_keeps_all(void **state)
{
    (void)state;
    lode_body bob = add_ball(world, 0, 0, 5, (lode_real)0.25);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_HINGE);
    def.body_a = bob;
    lode_joint_def_anchor_world(&def, vec(0, 0, 5), vec(1, 0, 0));
    def.axis[0].vel = 3;
    def.axis[0].f_max = 2;
    def.erp = (lode_real)0.5;
    def.user_data = &bob;
    lode_joint joint = lode_joint_create(world, &def);
    step(10);
    assert_true(lode_joint_get_force(joint).z > 0 && lode_joint_get_position(joint, 0) > 0);
    assert_int_equal(lode_joint_detach(joint), LODE_OK);
    assert_int_equal(lode_joint_detach(joint), LODE_OK); /* again */
    validate();
    assert_true(lode_joint_is_valid(joint) && lode_joint_get_enabled(joint));
    assert_true(lode_joint_get_body_a(joint).id == 0 && lode_joint_get_body_b(joint).id == 0);
    assert_true(near_vec(lode_joint_get_force(joint), vec(0, 0, 0), 0));
    assert_true(near_vec(lode_joint_get_anchor_b(joint), vec(0, 0, 0), 0));
    assert_true(near_vec(lode_joint_get_axis_world(joint, 0), vec(0, 0, 0), 0));
    assert_true(lode_joint_get_position(joint, 0) == 0 && lode_joint_get_rate(joint, 0) == 0);
    assert_true(lode_joint_get_motor_force(joint, 0) == 0);
    assert_int_equal(lode_joint_add_force(joint, 0, 5), LODE_OK);
    assert_int_equal(lode_joint_set_motor(joint, 0, -3, 400), LODE_OK); /* settings can be set */
    assert_int_equal(lode_joint_set_limits(joint, 0, -1, 1), LODE_OK);
    assert_int_equal(lode_joint_set_enabled(joint, false), LODE_OK);
    assert_int_equal(lode_joint_set_enabled(joint, true), LODE_OK);
    assert_int_equal(lode_joint_set_collide_connected(joint, true), LODE_OK);
    assert_int_equal(lode_joint_set_max_force(joint, 0), LODE_OK);
    assert_int_equal(lode_joint_set_frames(joint, identity, identity), LODE_OK);
    double z = lode_body_get_pose(bob).position.z;
    lode_world_stats stats = step(20);
    assert_int_equal(stats.joint_rows, 0);
    assert_int_equal(stats.joints, 1);
    assert_int_equal(lode_world_get_events(world).break_count, 0);
    assert_true(lode_body_get_pose(bob).position.z < z - 0.4); /* it falls */
    lode_joint_set_max_force(joint, (lode_real)INFINITY);
    lode_joint_def now = lode_joint_get_def(joint);
    assert_true(now.axis[0].vel == -3 && now.axis[0].hi_stop == 1 && now.erp == def.erp);
    assert_true(now.collide_connected && now.user_data == &bob);
    assert_int_equal(
        lode_joint_attach(joint, bob, (lode_body){0}, identity, lode_body_get_pose(bob)), LODE_OK);
    assert_int_equal(step(20).joint_rows, 7);
    assert_true(apart(joint) < 1e-4 && near(lode_joint_get_rate(joint, 0), -3, 1e-3));
}

static void joints_outlive_bodies_if_they_are_to(void **state)
{
    (void)state;
    for (int side = 0; side < 2; ++side)
        for (int outlives = 0; outlives < 2; ++outlives) {
            lode_body b[2] = {add_ball(world, 0, 0, 0, (lode_real)0.4),
                              add_ball(world, 1, 0, 0, (lode_real)0.4)};
            lode_joint joint = join(LODE_JOINT_BALL, b[0], b[1]);
            assert_int_equal(lode_joint_set_outlives_bodies(joint, outlives), LODE_OK);
            assert_int_equal(lode_joint_get_def(joint).outlives_bodies, outlives);
            step(2);
            assert_int_equal(lode_body_destroy(b[side]), LODE_OK);
            validate();
            assert_int_equal(lode_joint_is_valid(joint), outlives);
            assert_int_equal(lode_body_get_joints(b[1 - side], NULL, 0), 0);
            step(2);
            if (outlives) {
                assert_true(!lode_joint_get_body_a(joint).id && !lode_joint_get_body_b(joint).id);
                b[side] = add_ball(world, 1, 0, 0, (lode_real)0.4);
                assert_int_equal(attach(joint, b[0], b[1]), LODE_OK);
                assert_int_equal(step(2).joint_rows, 3);
                lode_joint_detach(joint);
                assert_int_equal(lode_joint_destroy(joint), LODE_OK);
                lode_body_destroy(b[side]);
            }
            lode_body_destroy(b[1 - side]);
        }
    assert_int_equal(step(1).joints, 0);
}

/* A hub goes with half its joints, and leaves the others. */
static void a_hub_goes(void **state)
{
    (void)state;
    enum { SPOKES = 60 };
    lode_joint joints[SPOKES];
    lode_body hub = add_ball(world, 0, 0, 0, 1);
    for (int i = 0; i < SPOKES; ++i) {
        lode_joint_def def = def_of(LODE_JOINT_BALL, add_ball(world, (lode_real)i, 9, 0, 1), hub);
        if (i % 3 == 0) {
            def.body_b = def.body_a;
            def.body_a = hub;
        }
        def.outlives_bodies = i % 2;
        joints[i] = lode_joint_create(world, &def);
        assert_true(joints[i].id);
    }
    step(2);
    assert_int_equal(lode_body_destroy(hub), LODE_OK);
    for (int i = 0; i < SPOKES; ++i)
        assert_int_equal(lode_joint_is_valid(joints[i]), i % 2);
    lode_world_stats stats = step(2);
    assert_int_equal(stats.joints, SPOKES / 2);
    assert_int_equal(stats.joint_rows, 0);
}

static void joints_can_be_made_in_limbo(void **state)
{
    (void)state;
    for (int type = 0; type < LODE_JOINT_TYPE_COUNT; ++type) {
        lode_joint_def def = lode_joint_def_default((lode_joint_type)type);
        def.outlives_bodies = true;
        lode_joint joint = lode_joint_create(world, &def);
        assert_true(joint.id);
        assert_int_equal(step(1).joint_rows, 0);
        lode_joint_def now = lode_joint_get_def(joint);
        assert_true(now.body_a.id == 0 && now.outlives_bodies);
        assert_true(now.distance == def.distance); /* left open */
        lode_joint twin = lode_joint_create(world, &now);
        assert_true(twin.id);
        lode_body body = add_ball(world, 3, 0, 0, 1);
        assert_int_equal(lode_joint_attach(joint, body, (lode_body){0}, identity, identity),
                         LODE_OK);
        double distance = lode_joint_get_def(joint).distance;
        assert_true(distance == -1 || near(distance, 3, 1e-6));
        assert_true(step(1).joint_rows > 0);
        lode_body_destroy(body);
        lode_joint_destroy(joint);
        lode_joint_destroy(twin);
    }
}

static void snapshots_hold_limbo(void **state)
{
    (void)state;
    lode_body b[2] = {add_ball(world, 0, 0, 0, (lode_real)0.4),
                      add_ball(world, 1, 0, 0, (lode_real)0.4)};
    lode_joint joint = join(LODE_JOINT_HINGE, b[0], b[1]);
    lode_joint_set_outlives_bodies(joint, true);
    lode_joint other = join(LODE_JOINT_BALL, b[0], b[1]);
    step(5);
    lode_joint_detach(joint);
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(lode_world_snapshot(world, bytes, size), size);
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        lode_body_destroy(b[1]);
        validate();
        assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
        validate();
        assert_true(lode_joint_get_body_a(joint).id == 0);
        assert_true(lode_bodies_are_connected(b[0], b[1]));
        assert_false(lode_bodies_are_connected_excluding(b[0], b[1], LODE_JOINT_BALL));
        step(3);
        assert_int_equal(attach(joint, b[0], b[1]), LODE_OK);
        lode_joint_destroy(other);
        step(10);
        hash[i] = lode_world_hash(world);
    }
    assert_true(hash[0] == hash[1]);
    free(bytes);
}

static void between_the_halves_of_a_step(void **state)
{
    (void)state;
    lode_body b[3];
    for (int i = 0; i < 3; ++i)
        b[i] = add_ball(world, (lode_real)(i * 1.05), 0, 0, (lode_real)0.5);
    lode_joint joint = join(LODE_JOINT_BALL, b[0], b[1]);
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(lode_world_collide(world, STEP), LODE_OK);
        if (i % 3 == 0)
            lode_joint_detach(joint);
        else
            assert_int_equal(attach(joint, b[i % 3], b[(i + 1) % 3]), LODE_OK);
        assert_int_equal(lode_world_solve(world, STEP), LODE_OK);
        lode_world_stats stats;
        lode_world_get_stats(world, &stats);
        assert_int_equal(stats.joint_rows, i % 3 ? 3 : 0);
        validate();
    }
}

/* ---- what is refused ---- */

static void bad_calls_change_nothing(void **state)
{
    (void)state;
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, 2, 0, 0, 1);
    lode_body post = add_body(world, LODE_STATIC, 0, 0, 9), gone = add_ball(world, 5, 5, 5, 1);
    lode_body_destroy(gone);
    lode_joint joint = join(LODE_JOINT_BALL, a, b);
    lode_world other = make_world();
    lode_body foreign = add_ball(other, 0, 0, 0, 1), none = {0};
    const lode_pose bad = {{(lode_real)NAN, 0, 0}, {1, 0, 0, 0}}, flat = {{0, 0, 0}, {0, 0, 0, 0}};
    uint64_t hash = lode_world_hash(world);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body_a", lode_joint_attach, joint, none, b, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body_a", lode_joint_attach, joint, none, none, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body_a", lode_joint_attach, joint, foreign, b, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body_b", lode_joint_attach, joint, a, foreign, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "body_b", lode_joint_attach, joint, a, gone, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "body_b", lode_joint_attach, joint, a, a, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "body_a", lode_joint_attach, joint, post, none, identity,
                   identity);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "frame_a", lode_joint_attach, joint, a, b, bad, identity);
    EXPECT_REFUSED(LODE_ERROR_ARGUMENT, "frame_b", lode_joint_attach, joint, a, b, identity, flat);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    assert_true(lode_joint_create(world, &def).id == 0); /* no limbo unless it is asked for */
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_create", "def.body_a");
    report_clear();
    def.outlives_bodies = true;
    def.body_b = b;
    assert_true(lode_joint_create(world, &def).id == 0); /* nor half of it */
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_create", "def.body_a");
    report_clear();
    assert_false(lode_bodies_are_connected(none, b));
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_bodies_are_connected", "a");
    report_clear();
    assert_false(lode_bodies_are_connected(a, foreign));
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_bodies_are_connected", "b");
    report_clear();
    assert_false(lode_bodies_are_connected_excluding(a, b, LODE_JOINT_TYPE_COUNT));
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_bodies_are_connected_excluding", "type");
    report_clear();
    assert_int_equal(lode_bodies_get_joints(a, b, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_bodies_get_joints", "out_joints");
    report_clear();
    assert_true(lode_world_hash(world) == hash);
    validate();
    lode_world_destroy(other);
}

/* Whatever allocation fails, the joint is where it was. */
static void without_memory_nothing_changes(void **state)
{
    (void)state;
    enum { BODIES = 30 };
    lode_world_destroy(world);
    alloc_fail_install();
    world = make_world();
    lode_body b[BODIES];
    for (int i = 0; i < BODIES; ++i)
        b[i] = add_ball(world, (lode_real)(3 * i), 0, 0, 1);
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.outlives_bodies = true;
    int failures = 0;
    lode_joint joints[BODIES];
    for (int i = 0; i < BODIES; ++i)
        joints[i] = lode_joint_create(world, &def);
    for (int i = 0; i + 1 < BODIES; ++i) { /* they come among what is joined */
        lode_joint joint = joints[i];
        assert_true(joint.id);
        for (long n = 0;; ++n) {
            uint64_t hash = lode_world_hash(world);
            alloc_fail_nth(n);
            lode_status status = attach(joint, b[i], b[i + 1]);
            bool failed = alloc_fail_happened();
            alloc_fail_nth(-1);
            assert_int_equal(status, failed ? LODE_ERROR_MEMORY : LODE_OK);
            validate();
            if (!failed)
                break;
            ++failures;
            assert_true(lode_world_hash(world) == hash && !lode_joint_get_body_a(joint).id);
        }
    }
    assert_true(failures > 2);
    report_clear();
    lode_world_destroy(world);
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = make_world();
}

/* ---- what is between two bodies, against a walk over all joints ---- */

enum { BODIES = 7, JOINTS = 40 };

typedef struct crowd {
    lode_body bodies[BODIES + 1]; /* the last is null: the world */
    lode_joint joints[JOINTS];
    test_random random;
} crowd;

static bool is_between(lode_joint joint, lode_body a, lode_body b)
{
    lode_body ja = lode_joint_get_body_a(joint), jb = lode_joint_get_body_b(joint);
    return ja.id && ((ja.id == a.id && jb.id == b.id) || (ja.id == b.id && jb.id == a.id));
}

static void expect_between(lode_body a, lode_body b)
{
    lode_joint all[JOINTS + 1], told[JOINTS + 1];
    int count = lode_world_get_joints(world, all, JOINTS + 1), found = 0;
    int of[LODE_JOINT_TYPE_COUNT] = {0};
    int number = lode_bodies_get_joints(a, b, told, JOINTS + 1);
    for (int i = count - 1; i >= 0; --i) { /* from the highest slot down */
        if (!is_between(all[i], a, b))
            continue;
        assert_true(found < number && told[found].id == all[i].id);
        ++found;
        ++of[lode_joint_get_type(all[i])];
    }
    assert_int_equal(number, found);
    assert_int_equal(lode_bodies_get_joints(a, b, told, 1), found);
    assert_true(lode_bodies_are_connected(a, b) == (found > 0));
    for (int t = 0; t < LODE_JOINT_TYPE_COUNT; ++t)
        assert_true(lode_bodies_are_connected_excluding(a, b, (lode_joint_type)t) ==
                    (found > of[t]));
}

static lode_body any_body(crowd *c, int kinds)
{
    return c->bodies[random_below(&c->random, (uint32_t)kinds)];
}

static void disturb(crowd *c)
{
    lode_joint *joint = &c->joints[random_below(&c->random, JOINTS)];
    uint32_t what = random_below(&c->random, 12);
    lode_body a = any_body(c, BODIES), b = any_body(c, BODIES + 1);
    uint32_t type = random_below(&c->random, LODE_JOINT_SIX_AXES), on = what & 1;
    if (!lode_joint_is_valid(*joint)) {
        lode_joint_def def = def_of((lode_joint_type)type, a, b);
        def.collide_connected = on;
        def.outlives_bodies = what & 2;
        if (a.id != b.id)
            *joint = lode_joint_create(world, &def);
    } else if (what < 4 && a.id != b.id) {
        attach(*joint, a, b);
    } else if (what == 4) {
        lode_joint_detach(*joint);
    } else if (what == 5) {
        lode_joint_destroy(*joint);
    } else if (what < 8) {
        lode_joint_set_collide_connected(*joint, on);
    } else if (what == 8) {
        lode_joint_set_enabled(*joint, false);
    } else if (what == 9 && random_below(&c->random, 4) == 0) {
        uint32_t which = random_below(&c->random, BODIES);
        lode_body_destroy(c->bodies[which]);
        c->bodies[which] = add_ball(world, (lode_real)which, 0, 0, (lode_real)0.4);
    } else if (what == 10) {
        lode_world_step(world, STEP);
    }
}

static void what_is_connected_is_known(void **state)
{
    (void)state;
    crowd c = {.random = {11}};
    for (int i = 0; i < BODIES; ++i)
        c.bodies[i] = add_ball(world, (lode_real)i, 0, 0, (lode_real)0.4);
    for (int round = 0; round < 1500; ++round) {
        disturb(&c);
        validate();
        if (round % 5)
            continue;
        for (int i = 0; i < BODIES; ++i)
            for (int k = 0; k <= BODIES; ++k)
                if (i != k)
                    expect_between(c.bodies[i], c.bodies[k]);
    }
    assert_int_equal(report.count, 0);
    assert_false(lode_bodies_are_connected(c.bodies[0], c.bodies[0]));
    assert_false(lode_bodies_are_connected_excluding(c.bodies[0], c.bodies[0], LODE_JOINT_BALL));
    assert_int_equal(lode_bodies_get_joints(c.bodies[0], c.bodies[0], NULL, 0), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_holds_its_new_bodies_and_not_the_old_ones),
        TEST(contacts_follow),
        TEST(a_way_through_limbo_changes_nothing),
        TEST(a_new_joint_in_its_place_moves_the_same),
        TEST(in_limbo_it_does_nothing_and_keeps_all),
        TEST(joints_outlive_bodies_if_they_are_to),
        TEST(a_hub_goes),
        TEST(joints_can_be_made_in_limbo),
        TEST(snapshots_hold_limbo),
        TEST(between_the_halves_of_a_step),
        TEST(bad_calls_change_nothing),
        TEST(without_memory_nothing_changes),
        TEST(what_is_connected_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
