/* test_step_fast.c: StepFast1 of ODE's manual: a pendulum swings as with the other steppers, slow
 * bodies are disabled, and those that are enabled wake others no farther than they are told to. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <math.h>

static void it_has_the_manuals_defaults(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    assert_int_equal(dWorldGetAutoEnableDepthSF1(world), 1000);
    assert_true(dBodyGetAutoDisableThresholdSF1(body) == (dReal)0.003);
    assert_int_equal(dBodyGetAutoDisableStepsSF1(body), 10);
    assert_int_equal(dBodyGetAutoDisableSF1(body), 0);
    dWorldSetAutoEnableDepthSF1(world, 3);
    dBodySetAutoDisableThresholdSF1(body, (dReal)0.5);
    dBodySetAutoDisableStepsSF1(body, 4);
    dBodySetAutoDisableSF1(body, 1);
    assert_int_equal(dWorldGetAutoEnableDepthSF1(world), 3);
    assert_true(dBodyGetAutoDisableThresholdSF1(body) == (dReal)0.5);
    assert_int_equal(dBodyGetAutoDisableStepsSF1(body), 4);
    assert_int_equal(dBodyGetAutoDisableSF1(body), 1);
    EXPECT_REFUSAL(dWorldStepFast1(world, (dReal)0.01, 0),
                   "dWorldStepFast1: maxiterations must be above 0");
    EXPECT_REFUSAL(dWorldStepFast1(world, 0, 5),
                   "dWorldStepFast1: stepsize must be finite and above 0");
    EXPECT_REFUSAL(dWorldSetAutoEnableDepthSF1(world, -1),
                   "dWorldSetAutoEnableDepthSF1: autoEnableDepth must be at least 0");
    dWorldDestroy(world);
}

/* A chain of balls; the first hangs on the world. */
static void make_chain(dWorldID world, dBodyID *out, int count)
{
    for (int i = 0; i < count; ++i) {
        out[i] = dBodyCreate(world);
        dBodySetPosition(out[i], (dReal)(i + 1), 0, 0);
        dJointID joint = dJointCreateBall(world, 0);
        dJointAttach(joint, out[i], i ? out[i - 1] : NULL);
        dJointSetBallAnchor(joint, (dReal)(i + 0.5), 0, 0);
    }
}

static void a_pendulum_swings(void **state)
{
    (void)state;
    dVector3 ends[2];
    for (int fast = 0; fast < 2; ++fast) {
        dWorldID world = dWorldCreate();
        dBodyID body;
        make_chain(world, &body, 1);
        dWorldSetGravity(world, 0, 0, (dReal)-9.81);
        for (int i = 0; i < 100; ++i)
            assert_int_equal(
                fast ? dWorldStepFast1(world, (dReal)0.01, 20) : dWorldStep(world, (dReal)0.01), 1);
        dBodyCopyPosition(body, ends[fast]);
        dWorldDestroy(world);
    }
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(ends[0][i] - ends[1][i]) < 0.02);
    assert_true(ends[1][2] < -0.2);
}

static void slow_bodies_are_disabled(void **state)
{
    (void)state;
    dWorldID world = dWorldCreate();
    dBodyID slow = dBodyCreate(world), fast = dBodyCreate(world), other = dBodyCreate(world);
    dBodySetAutoDisableSF1(slow, 1);
    dBodySetAutoDisableSF1(fast, 1);
    dBodySetLinearVel(slow, (dReal)0.05, 0, 0);
    dBodySetAngularVel(fast, 0, (dReal)0.06, 0);
    for (int i = 0; i < 9; ++i)
        dWorldStepFast1(world, (dReal)0.01, 5);
    assert_true(dBodyIsEnabled(slow));
    dWorldStepFast1(world, (dReal)0.01, 5);
    assert_false(dBodyIsEnabled(slow));
    assert_true(dBodyIsEnabled(fast) && dBodyIsEnabled(other)); /* too fast; not told to */
    dWorldDestroy(world);
}

/* Of a chain that is disabled but for its end. */
static int count_enabled(int depth)
{
    enum { LINKS = 8 };
    dWorldID world = dWorldCreate();
    dBodyID links[LINKS];
    int enabled = 0;
    make_chain(world, links, LINKS);
    for (int i = 0; i < LINKS - 1; ++i)
        dBodyDisable(links[i]);
    if (depth >= 0)
        dWorldSetAutoEnableDepthSF1(world, depth);
    dWorldStepFast1(world, (dReal)0.01, 5);
    for (int i = 0; i < LINKS; ++i)
        enabled += dBodyIsEnabled(links[i]);
    dWorldDestroy(world);
    return enabled;
}

static void bodies_wake_those_near_them(void **state)
{
    (void)state;
    assert_int_equal(count_enabled(-1), 8);
    assert_int_equal(count_enabled(0), 1);
    assert_int_equal(count_enabled(1), 2);
    assert_int_equal(count_enabled(3), 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, listen, stop_listening)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_has_the_manuals_defaults),
        TEST(a_pendulum_swings),
        TEST(slow_bodies_are_disabled),
        TEST(bodies_wake_those_near_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
