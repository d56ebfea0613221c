/* test_plans.c: the direct solver keeps plans of islands from step to step, others those of nets.
 * No result tells: a world that was set back from a snapshot has none of them, and goes on the same
 * way; and what is kept does not grow with time, however often islands change. */
#include "tests/support/random.h"
#include "tests/world/support.h"

#include <stdlib.h>

enum { BODIES = 24, JOINTS = 40, STEPS = 120 };

static lode_world make_world(lode_solver solver)
{
    lode_world_def def = lode_world_def_default();
    def.solver = solver;
    def.stiff_joints = LODE_STIFF_ALWAYS;
    def.sleep.enabled = false;
    lode_world world = lode_world_create(&def);
    assert_true(lode_world_is_valid(world));
    return world;
}

typedef struct net {
    lode_world world;
    lode_body bodies[BODIES];
    lode_joint joints[JOINTS];
} net;

static net net_create(lode_solver solver, bool touching)
{
    net n = {.world = make_world(solver)};
    for (int i = 0; i < BODIES; ++i) {
        lode_real x = (lode_real)(i % 6), z = (lode_real)(i / 6) + 1;
        n.bodies[i] = touching ? add_ball(n.world, x, 0, z, (lode_real)0.5)
                               : add_body(n.world, LODE_DYNAMIC, x, 0, z);
    }
    if (touching)
        add_ground(n.world);
    return n;
}

/* Takes a joint away, or puts one between any two bodies, or a body and the world. */
static void change(net *n, test_random *random)
{
    static const lode_joint_type types[] = {LODE_JOINT_BALL, LODE_JOINT_HINGE, LODE_JOINT_FIXED,
                                            LODE_JOINT_UNIVERSAL};
    lode_joint *joint = &n->joints[random_below(random, JOINTS)];
    uint32_t a = random_below(random, BODIES), b = random_below(random, BODIES + 4);
    uint32_t type = random_below(random, 4), keep = random_below(random, 4);
    if (joint->id) {
        assert_int_equal(lode_joint_destroy(*joint), LODE_OK);
        joint->id = 0;
    }
    if (keep == 0 || a == b)
        return;
    lode_joint_def def = lode_joint_def_default(types[type]);
    def.body_a = n->bodies[a];
    def.body_b = b < BODIES ? n->bodies[b] : (lode_body){0};
    assert_int_equal(lode_joint_def_anchor_world(&def, vec(0, 0, 2), vec(1, 0, 0)), LODE_OK);
    *joint = lode_joint_create(n->world, &def);
    assert_true(joint->id != 0);
}

/* A new world that is where another one is. */
static lode_world copy_of(lode_world world)
{
    size_t size = lode_world_snapshot(world, NULL, 0);
    void *snapshot = malloc(size);
    lode_world copy = make_world(LODE_SOLVER_PGS); /* settings come from the snapshot */
    assert_true(snapshot && lode_world_snapshot(world, snapshot, size) == size);
    assert_int_equal(lode_world_restore(copy, snapshot, size), LODE_OK);
    free(snapshot);
    return copy;
}

static void plans_that_are_kept_leave_no_trace(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        net n = net_create(kind < 2 ? LODE_SOLVER_DIRECT : LODE_SOLVER_SOFT_STEP, kind % 2);
        test_random random = {5};
        for (int step = 0; step < STEPS; ++step) {
            for (uint32_t i = random_below(&random, 3); i > 0; --i)
                change(&n, &random);
            lode_world copy = copy_of(n.world);
            assert_int_equal(lode_world_step(n.world, STEP), LODE_OK);
            assert_int_equal(lode_world_step(copy, STEP), LODE_OK);
            assert_true(lode_world_hash(copy) == lode_world_hash(n.world));
            lode_world_destroy(copy);
        }
        lode_world_destroy(n.world);
    }
}

static size_t scratch_of(lode_world world)
{
    lode_world_stats stats;
    assert_int_equal(lode_world_get_stats(world, &stats), LODE_OK);
    return stats.bytes_scratch;
}

static void expect_no_pile(lode_solver solver)
{
    net n = net_create(solver, false);
    test_random random = {6};
    size_t early = 0;
    for (int step = 0; step < 12 * STEPS; ++step) {
        change(&n, &random);
        assert_int_equal(lode_world_step(n.world, STEP / 64), LODE_OK);
        early = step == 2 * STEPS ? scratch_of(n.world) : early;
    }
    assert_true(scratch_of(n.world) < 2 * early);
    lode_world_destroy(n.world);
}

static void plans_do_not_pile_up(void **state)
{
    (void)state;
    expect_no_pile(LODE_SOLVER_DIRECT);
    expect_no_pile(LODE_SOLVER_SOFT_STEP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_that_are_kept_leave_no_trace),
        cmocka_unit_test(plans_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
