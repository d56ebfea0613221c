/* Groups of joints: who is in, and what is left when one is emptied. */
#include "tests/support/alloc_fail.h"
#include "tests/support/random.h"
#include "tests/world/support.h"
#include "world/validate.h"

#include <stdlib.h>

static lode_world world;

static int set_up(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    report_install();
    world = lode_world_create(&def);
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

static lode_joint join(lode_body a, lode_body b)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    lode_joint joint = lode_joint_create(world, &def);
    assert_true(joint.id);
    return joint;
}

static void emptying_takes_its_own_joints_alone(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    lode_joint joints[COUNT], in[COUNT];
    lode_body hub = add_ball(world, 0, 0, 0, 1), other = add_ball(world, 3, 0, 0, 1);
    lode_joint_group group = lode_joint_group_create(world), rest = lode_joint_group_create(world);
    assert_true(group.id && rest.id && group.id != rest.id);
    assert_true(lode_joint_group_get_world(group).id == world.id);
    for (int i = COUNT - 1; i >= 0; --i) { /* added against the order of slots */
        joints[i] = join(hub, i % 2 ? other : (lode_body){0});
        assert_int_equal(lode_joint_group_add(i % 3 ? rest : group, joints[i]), LODE_OK);
        assert_int_equal(lode_joint_group_add(i % 3 ? rest : group, joints[i]), LODE_OK);
    }
    assert_int_equal(lode_joint_group_get_joints(group, in, COUNT), COUNT / 3);
    for (int i = 1; i < COUNT / 3; ++i)
        assert_true((in[i].id & 0xffffff) > (in[i - 1].id & 0xffffff));
    assert_int_equal(lode_joint_group_empty(group), LODE_OK);
    validate();
    for (int i = 0; i < COUNT; ++i)
        assert_int_equal(lode_joint_is_valid(joints[i]), i % 3 != 0);
    assert_int_equal(lode_joint_group_get_joints(group, NULL, 0), 0);
    assert_int_equal(lode_joint_group_get_joints(rest, NULL, 0), COUNT - COUNT / 3);
    assert_int_equal(lode_joint_group_empty(group), LODE_OK); /* nothing left */
    assert_true(lode_joint_group_is_valid(group));
    lode_joint again = join(hub, other); /* in a slot that the group had */
    assert_false(lode_joint_group_has(group, again));
    assert_int_equal(lode_joint_group_add(group, again), LODE_OK);
    assert_true(lode_joint_group_has(group, again));
    assert_int_equal(lode_joint_group_destroy(group, false), LODE_OK);
    assert_true(lode_joint_is_valid(again) && !lode_joint_group_is_valid(group));
    assert_int_equal(lode_joint_group_destroy(rest, true), LODE_OK);
    assert_int_equal(lode_body_get_joints(hub, NULL, 0), 1);
    assert_int_equal(lode_world_step(world, STEP), LODE_OK);
    validate();
}

/* A joint's slot may be used again; the group knows the old one only. */
static void what_is_gone_is_in_no_group(void **state)
{
    (void)state;
    lode_body a = add_ball(world, 0, 0, 0, 1), b = add_ball(world, 3, 0, 0, 1);
    lode_joint_group one = lode_joint_group_create(world), two = lode_joint_group_create(world);
    lode_joint joint = join(a, b);
    lode_joint_group_add(one, joint);
    lode_joint_group_add(two, joint);
    assert_int_equal(lode_joint_group_empty(one), LODE_OK);
    assert_int_equal(lode_joint_group_get_joints(two, NULL, 0), 0);
    lode_joint heir = join(a, b);
    assert_true((heir.id & 0xffffff) == (joint.id & 0xffffff));
    assert_false(lode_joint_group_has(two, heir));
    assert_int_equal(lode_joint_group_remove(two, heir), LODE_OK); /* is not there */
    assert_int_equal(lode_joint_group_empty(two), LODE_OK);
    assert_true(lode_joint_is_valid(heir));
    lode_joint_group_add(two, heir);
    assert_int_equal(lode_joint_group_remove(two, heir), LODE_OK);
    assert_int_equal(lode_joint_group_empty(two), LODE_OK);
    assert_true(lode_joint_is_valid(heir));
    lode_joint_group_add(two, heir);
    lode_body_destroy(a); /* takes it along */
    assert_int_equal(lode_joint_group_get_joints(two, NULL, 0), 0);
    assert_int_equal(lode_joint_group_empty(two), LODE_OK);
    validate();
}

/* To the bit as if each had been destroyed by itself. */
static void emptying_leaves_no_trace(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int way = 0; way < 2; ++way) {
        lode_world_def def = lode_world_def_default();
        lode_world_destroy(world);
        world = lode_world_create(&def);
        lode_body b[6];
        lode_joint joints[15];
        int count = 0;
        lode_joint_group group = lode_joint_group_create(world);
        for (int i = 0; i < 6; ++i)
            b[i] = add_ball(world, (lode_real)i, 0, 0, (lode_real)0.4);
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < i; ++k) {
                joints[count] = join(b[i], b[k]);
                if (count % 2)
                    lode_joint_group_add(group, joints[count]);
                ++count;
            }
        for (int s = 0; s < 5; ++s)
            lode_world_step(world, STEP);
        if (way == 0)
            lode_joint_group_empty(group);
        for (int i = 1; i < count && way == 1; i += 2)
            lode_joint_destroy(joints[i]);
        for (int s = 0; s < 20; ++s)
            lode_world_step(world, STEP);
        hash[way] = lode_world_hash(world);
    }
    assert_true(hash[0] == hash[1]);
}

static void groups_against_plain_sets(void **state)
{
    (void)state;
    enum { GROUPS = 4, COUNT = 24 };
    test_random random = {5};
    lode_body hub = add_ball(world, 0, 0, 0, 1);
    lode_joint_group groups[GROUPS];
    lode_joint joints[COUNT] = {{0}}, told[COUNT];
    bool in[GROUPS][COUNT] = {{false}};
    for (int g = 0; g < GROUPS; ++g)
        groups[g] = lode_joint_group_create(world);
    for (int round = 0; round < 3000; ++round) {
        uint32_t g = random_below(&random, GROUPS), j = random_below(&random, COUNT);
        uint32_t what = random_below(&random, 40);
        if (what == 0) {
            for (int i = 0; i < COUNT; ++i)
                if (in[g][i]) {
                    joints[i].id = 0;
                    for (int k = 0; k < GROUPS; ++k)
                        in[k][i] = false;
                }
            assert_int_equal(lode_joint_group_empty(groups[g]), LODE_OK);
        } else if (!joints[j].id) {
            joints[j] = join(hub, (lode_body){0});
        } else if (what < 4) {
            lode_joint_destroy(joints[j]);
            joints[j].id = 0;
            for (int k = 0; k < GROUPS; ++k)
                in[k][j] = false;
        } else {
            in[g][j] = what < 26;
            assert_int_equal(
                (what < 26 ? lode_joint_group_add : lode_joint_group_remove)(groups[g], joints[j]),
                LODE_OK);
        }
        for (int k = 0; k < GROUPS; ++k) {
            int count = 0;
            for (int i = 0; i < COUNT; ++i) {
                count += in[k][i];
                assert_true(!joints[i].id ||
                            lode_joint_group_has(groups[k], joints[i]) == in[k][i]);
            }
            assert_int_equal(lode_joint_group_get_joints(groups[k], told, COUNT), count);
        }
    }
    validate();
}

/* Snapshots hold no groups; joints that a world set back has are in the groups they are in now. */
static void a_world_set_back_keeps_its_groups(void **state)
{
    (void)state;
    lode_body hub = add_ball(world, 0, 0, 0, 1);
    lode_joint_group group = lode_joint_group_create(world);
    lode_joint joint = join(hub, (lode_body){0});
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    lode_world_snapshot(world, bytes, size);
    lode_joint_group_add(group, joint);
    lode_joint late = join(hub, (lode_body){0});
    lode_joint_group_add(group, late);
    lode_joint_destroy(joint);
    assert_int_equal(lode_world_restore(world, bytes, size), LODE_OK);
    assert_true(lode_joint_group_has(group, joint) && !lode_joint_is_valid(late));
    assert_int_equal(lode_joint_group_get_joints(group, NULL, 0), 1);
    assert_int_equal(lode_joint_group_empty(group), LODE_OK);
    assert_int_equal(lode_body_get_joints(hub, NULL, 0), 0);
    free(bytes);
}

static void bad_handles_are_refused(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    lode_world other = lode_world_create(&def);
    lode_body body = add_ball(world, 0, 0, 0, 1);
    lode_joint joint = join(body, (lode_body){0});
    lode_joint_group group = lode_joint_group_create(world), stale = group, none = {0};
    lode_joint_group_destroy(group, false);
    group = lode_joint_group_create(world); /* in the same slot */
    assert_true(group.id != stale.id);
    const lode_joint_group bad[3] = {none, stale, {joint.id ^ (uint64_t)0xffff << 48}};
    for (int i = 0; i < 3; ++i) {
        assert_false(lode_joint_group_is_valid(bad[i]));
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "group", lode_joint_group_destroy, bad[i], true);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "group", lode_joint_group_empty, bad[i]);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "group", lode_joint_group_add, bad[i], joint);
        EXPECT_REFUSED(LODE_ERROR_HANDLE, "group", lode_joint_group_remove, bad[i], joint);
        assert_int_equal(lode_joint_group_get_world(bad[i]).id, 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_group_get_world", "group");
        report_clear();
        assert_false(lode_joint_group_has(bad[i], joint));
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_group_has", "group");
        report_clear();
        assert_int_equal(lode_joint_group_get_joints(bad[i], NULL, 0), 0);
        EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_group_get_joints", "group");
        report_clear();
    }
    lode_joint_group foreign = lode_joint_group_create(other);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "joint", lode_joint_group_add, foreign, joint);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "joint", lode_joint_group_add, group, (lode_joint){0});
    lode_joint_destroy(joint);
    EXPECT_REFUSED(LODE_ERROR_HANDLE, "joint", lode_joint_group_remove, group, joint);
    assert_int_equal(lode_joint_group_get_joints(group, NULL, 1), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_joint_group_get_joints", "out_joints");
    report_clear();
    assert_int_equal(lode_joint_group_create((lode_world){0}).id, 0);
    EXPECT_REPORT(LODE_ERROR_HANDLE, "lode_joint_group_create", "world");
    report_clear();
    lode_world_destroy(other);
    assert_false(lode_joint_group_is_valid(foreign));
}

static void a_group_without_memory_stays_as_it_was(void **state)
{
    (void)state;
    lode_world_destroy(world);
    alloc_fail_install();
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    lode_body body = add_ball(world, 0, 0, 0, 1);
    lode_joint joint = join(body, (lode_body){0});
    lode_joint_group group = {0};
    for (long n = 0; !group.id; ++n) {
        alloc_fail_nth(n);
        group = lode_joint_group_create(world);
        assert_true(group.id ? !alloc_fail_happened() : alloc_fail_happened());
    }
    alloc_fail_nth(0);
    assert_int_equal(lode_joint_group_add(group, joint), LODE_ERROR_MEMORY);
    alloc_fail_nth(-1);
    assert_false(lode_joint_group_has(group, joint));
    assert_int_equal(lode_joint_group_add(group, joint), LODE_OK);
    assert_int_equal(lode_joint_group_empty(group), LODE_OK);
    long calls = alloc_fail_calls();
    for (int i = 0; i < 50; ++i) { /* full and empty by turns: it keeps its room */
        lode_joint_group_add(group, join(body, (lode_body){0}));
        lode_joint_group_empty(group);
    }
    assert_int_equal(alloc_fail_calls(), calls);
    report_clear();
    lode_world_destroy(world); /* with the group */
    assert_int_equal(alloc_fail_live(), 0);
    alloc_fail_remove();
    world = lode_world_create(&def);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(emptying_takes_its_own_joints_alone),
        TEST(what_is_gone_is_in_no_group),
        TEST(emptying_leaves_no_trace),
        TEST(groups_against_plain_sets),
        TEST(a_world_set_back_keeps_its_groups),
        TEST(bad_handles_are_refused),
        TEST(a_group_without_memory_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
