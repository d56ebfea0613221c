/* test_bodies.c: bodies and worlds of the ODE face: live pointers, refusals, and the rules of a
 * step that no other library is needed for. What bodies do in steps is in scenarios.c. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- settings */

static void bodies_take_the_worlds_settings(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dWorldSetAutoDisableFlag(w, 1);
    dWorldSetAutoDisableSteps(w, 3);
    dWorldSetAutoDisableAverageSamplesCount(w, 5);
    dWorldSetDamping(w, (dReal)0.25, (dReal)0.5);
    dWorldSetMaxAngularSpeed(w, 7);
    dBodyID b = dBodyCreate(w);
    dWorldSetAutoDisableSteps(w, 4);
    assert_int_equal(dBodyGetAutoDisableFlag(b), 1);
    assert_int_equal(dBodyGetAutoDisableSteps(b), 3);
    assert_int_equal(dBodyGetAutoDisableAverageSamplesCount(b), 5);
    assert_true(dBodyGetLinearDamping(b) == (dReal)0.25);
    assert_true(dBodyGetAngularDamping(b) == (dReal)0.5);
    assert_true(dBodyGetMaxAngularSpeed(b) == 7);
    dBodySetMaxAngularSpeed(b, 3);
    dBodySetLinearDamping(b, 1);
    dBodySetDampingDefaults(b); /* the speed's limit is no damping */
    assert_true(dBodyGetLinearDamping(b) == (dReal)0.25 && dBodyGetMaxAngularSpeed(b) == 3);
    dBodySetAutoDisableDefaults(b);
    assert_int_equal(dBodyGetAutoDisableSteps(b), 4);
    dWorldDestroy(w);
}

/* --- state */

static void pointers_are_live(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    const dReal *p = dBodyGetPosition(b), *R = dBodyGetRotation(b), *q = dBodyGetQuaternion(b);
    const dReal *v = dBodyGetLinearVel(b), *turn = dBodyGetAngularVel(b), *f = dBodyGetForce(b);
    dWorldSetGravity(w, 0, 0, -10);
    dBodySetAngularVel(b, 0, 0, 1);
    dBodyAddForce(b, 4, 0, 0);
    assert_true(f[0] == 4);
    for (int i = 0; i < 600; ++i)
        dBodyCreate(w); /* pools grow */
    assert_int_equal(dWorldStep(w, (dReal)0.5), 1);
    assert_true(p[0] == 1 && p[2] == (dReal)-2.5 && v[0] == 2 && v[2] == -5 && f[0] == 0);
    assert_true(turn[2] == 1 && q[3] > (dReal)0.2 && R[1] < (dReal)-0.4);
    dQuaternion back = {2, 0, 0, 0};
    dBodySetQuaternion(b, back);
    assert_true(q[0] == 1 && R[0] == 1 && R[1] == 0);
    dWorldDestroy(w);
}

static void points_and_directions_go_both_ways(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    const dMatrix3 quarter = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    dVector3 out;
    dBodySetPosition(b, 1, 2, 3);
    dBodySetRotation(b, quarter);
    dBodySetLinearVel(b, 0, 0, 5);
    dBodySetAngularVel(b, 0, 0, 2);
    dBodyGetRelPointPos(b, 1, 0, 0, out);
    assert_true(fabs(out[0] - 1) < 1e-6 && fabs(out[1] - 3) < 1e-6 && out[2] == 3);
    dBodyGetPosRelPoint(b, 1, 3, 3, out);
    assert_true(fabs(out[0] - 1) < 1e-6 && fabs(out[1]) < 1e-6);
    dBodyGetRelPointVel(b, 1, 0, 0, out);
    assert_true(fabs(out[0] + 2) < 1e-6 && fabs(out[1]) < 1e-6 && out[2] == 5);
    dBodyGetPointVel(b, 2, 2, 3, out);
    assert_true(fabs(out[0]) < 1e-6 && fabs(out[1] - 2) < 1e-6);
    dBodyVectorToWorld(b, 0, 1, 0, out);
    assert_true(fabs(out[0] + 1) < 1e-6);
    dBodyVectorFromWorld(b, -1, 0, 0, out);
    assert_true(fabs(out[1] - 1) < 1e-6);
    dBodyCopyPosition(b, out);
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == 3);
    dWorldDestroy(w);
}

/* --- steps */

static dBodyID heard_body;
static dReal heard_speed, heard_force;

static void note_moved(dBodyID body)
{
    heard_body = body;
    heard_speed = dBodyGetLinearVel(body)[0];
    heard_force = dBodyGetForce(body)[0];
}

static void rest(dBodyID body)
{
    note_moved(body);
    dBodyDisable(body);
}

static void callbacks_see_the_speed_before_damping(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dBodySetMovedCallback(b, note_moved);
    dBodySetLinearDamping(b, (dReal)0.5);
    dBodySetLinearVel(b, 2, 0, 0);
    dWorldStep(w, (dReal)0.25);
    assert_ptr_equal(heard_body, b);
    assert_true(heard_speed == 2 && dBodyGetLinearVel(b)[0] == 1 && dBodyGetPosition(b)[0] == 0.5);
    dWorldDestroy(w);
}

/* And are gone afterwards, also of a body that the callback has disabled. */
static void callbacks_see_the_forces_of_the_step(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    for (int disables = 0; disables < 2; ++disables) {
        dBodySetMovedCallback(b, disables ? rest : note_moved);
        dBodyAddForce(b, 3, 0, 0);
        dBodyAddTorque(b, 0, 4, 0);
        dWorldStep(w, (dReal)0.25);
        assert_true(heard_force == 3 && heard_speed == (dReal)(0.75 * (1 + disables)));
        assert_true(dBodyGetForce(b)[0] == 0 && dBodyGetTorque(b)[1] == 0);
    }
    dBodyAddForce(b, 5, 0, 0); /* one that sleeps keeps what is added */
    dWorldStep(w, (dReal)0.25);
    assert_true(dBodyGetForce(b)[0] == 5);
    dWorldDestroy(w);
}

static void the_disabled_stand_still_until_something_that_moves_hangs_on_them(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    dBodySetPosition(b, 1, 0, 0);
    dWorldSetGravity(w, 0, 0, -10);
    dBodyDisable(a);
    dWorldStep(w, (dReal)0.1);
    assert_true(dBodyGetPosition(a)[2] == 0 && dBodyGetPosition(b)[2] < 0);
    dJointID joint = dJointCreateBall(w, 0);
    dJointAttach(joint, a, b);
    dJointDisable(joint);
    dWorldStep(w, (dReal)0.1);
    assert_int_equal(dBodyIsEnabled(a), 0);
    dJointEnable(joint);
    dWorldStep(w, (dReal)0.1);
    assert_int_equal(dBodyIsEnabled(a), 1);
    assert_true(dBodyGetPosition(a)[2] != 0);
    dWorldDestroy(w);
}

static void idle_bodies_disable_themselves_if_they_have_a_joint(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID free_one = dBodyCreate(w), b = dBodyCreate(w);
    dJointAttach(dJointCreateBall(w, 0), b, 0);
    for (int i = 0; i < 2; ++i) {
        dBodyID each = i ? b : free_one;
        dBodySetAutoDisableFlag(each, 1);
        dBodySetAutoDisableSteps(each, 4);
        dBodySetAutoDisableTime(each, (dReal)0.05);
        dBodySetAutoDisableDefaults(each); /* takes them back: the world says nobody */
        assert_int_equal(dBodyGetAutoDisableFlag(each), 0);
        dBodySetAutoDisableFlag(each, 1);
        dBodySetAutoDisableSteps(each, 4);
    }
    for (int i = 0; i < 10; ++i)
        dWorldStep(w, (dReal)0.01);
    assert_int_equal(dBodyIsEnabled(b), 0);
    assert_int_equal(dBodyIsEnabled(free_one), 1);
    dBodyEnable(b);
    dBodySetLinearVel(b, 1, 0, 0);
    assert_int_equal(dBodyIsEnabled(b), 1);
    dWorldDestroy(w);
}

static void kinematic_bodies_go_as_they_are_told(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dWorldSetGravity(w, 0, 0, -10);
    dBodySetKinematic(b);
    dBodySetLinearVel(b, 1, 0, 0);
    dBodyAddForce(b, 0, 100, 0);
    dWorldQuickStep(w, (dReal)0.5);
    assert_true(dBodyGetPosition(b)[0] == 0.5 && dBodyGetPosition(b)[1] == 0);
    assert_true(dBodyGetPosition(b)[2] == 0 && dBodyIsKinematic(b) == 1);
    dBodySetDynamic(b);
    dWorldQuickStep(w, (dReal)0.5);
    assert_true(dBodyGetLinearVel(b)[2] == -5);
    dWorldDestroy(w);
}

static void a_change_of_type_enables_nobody(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w), other = dBodyCreate(w);
    dBodySetPosition(other, 0, 0, 5);
    dWorldSetGravity(w, 0, 0, -10);
    dBodyDisable(b);
    dBodySetKinematic(b);
    dBodySetDynamic(b);
    dWorldStep(w, (dReal)0.1);
    assert_int_equal(dBodyIsEnabled(b), 0);
    assert_true(dBodyGetPosition(b)[2] == 0 && dBodyGetPosition(other)[2] < 5);
    dWorldDestroy(w);
}

/* What a surface cannot be does not stop the step. */
static void strange_surfaces_are_taken_as_what_they_can_be(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dContact contact = {.surface = {.mode = dContactBounce | dContactSoftERP | dContactSlip1,
                                    .mu = dInfinity,
                                    .bounce = 2,
                                    .bounce_vel = -1,
                                    .soft_erp = 3,
                                    .slip1 = -1},
                        .geom = {.normal = {0, 0, 1}, .depth = (dReal)0.001}};
    dBodySetLinearVel(b, 0, 0, -1);
    dJointAttach(dJointCreateContact(w, 0, &contact), b, 0);
    assert_int_equal(dWorldStep(w, (dReal)0.01), 1);
    assert_true(dBodyGetLinearVel(b)[2] > (dReal)0.9 && dBodyGetLinearVel(b)[2] < (dReal)1.2);
    dWorldDestroy(w);
}

/* --- refusals */

static void bad_calls_are_named_and_change_nothing(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dMass mass;
    dQuaternion none = {0, 0, 0, 0};
    dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    EXPECT_REFUSAL(dBodySetPosition(b, 0, (dReal)NAN, 0),
                   "dBodySetPosition: x, y, z must be finite");
    EXPECT_REFUSAL(dBodySetPosition(NULL, 0, 0, 0), "dBodySetPosition: body must not be null");
    EXPECT_REFUSAL(dBodySetQuaternion(b, none),
                   "dBodySetQuaternion: q must be finite and have a length");
    mass.mass = -1;
    EXPECT_REFUSAL(dBodySetMass(b, &mass), "dBodySetMass: mass must be finite and above 0");
    mass.mass = 1;
    mass.c[1] = 1;
    EXPECT_REFUSAL(dBodySetMass(b, &mass),
                   "dBodySetMass: mass must have its centre at the body's origin");
    mass.c[1] = 0;
    mass.I[5] = 0;
    EXPECT_REFUSAL(dBodySetMass(b, &mass),
                   "dBodySetMass: mass must have a positive definite inertia");
    dContact nowhere = {.geom = {.normal = {0, 0, 0}}};
    EXPECT_REFUSAL(dJointCreateContact(w, 0, &nowhere),
                   "dJointCreateContact: contact must be finite, and its normal not zero");
    EXPECT_REFUSAL(dWorldStep(w, 0), "dWorldStep: stepsize must be finite and above 0");
    EXPECT_REFUSAL(dWorldSetERP(w, 2), "dWorldSetERP: value must be in 0..1");
    EXPECT_REFUSAL(dBodySetLinearDamping(b, -1), "dBodySetLinearDamping: value must be in 0..1");
    EXPECT_REFUSAL(dInitODE2(1u << 20), "dInitODE2: uiInitFlags has flags that do not exist");
    assert_true(dBodyGetPosition(b)[1] == 0 && dBodyGetQuaternion(b)[0] == 1);
    assert_true(dWorldGetERP(w) == (dReal)0.2);
    dBodyGetMass(b, &mass);
    assert_true(mass.mass == 1 && mass.I[5] == 1);
    dWorldDestroy(w);
}

/* --- memory */

static long held;

static void *counted_alloc(size_t size)
{
    held += (long)size;
    return malloc(size);
}

static void counted_free(void *memory, size_t size)
{
    held -= (long)size;
    free(memory);
}

static void all_that_is_taken_is_given_back_with_its_size(void **state)
{
    (void)state;
    dSetAllocHandler(counted_alloc);
    dSetFreeHandler(counted_free);
    dWorldID w = dWorldCreate();
    dJointGroupID group = dJointGroupCreate(0);
    dWorldSetAutoDisableAverageSamplesCount(w, 4);
    dBodyID a = dBodyCreate(w), b = dBodyCreate(w);
    dJointAttach(dJointCreateHinge(w, 0), a, b);
    dContact contact = {.geom = {.normal = {0, 0, 1}}};
    for (int i = 0; i < 300; ++i)
        dJointAttach(dJointCreateContact(w, group, &contact), a, 0);
    assert_true(held > 0);
    dWorldStep(w, (dReal)0.01);
    dBodySetAutoDisableAverageSamplesCount(b, 9);
    dBodyDestroy(b);
    dWorldDestroy(w);
    dJointGroupDestroy(group);
    assert_int_equal(held, 0);
    dSetAllocHandler(NULL);
    dSetFreeHandler(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_take_the_worlds_settings),
        cmocka_unit_test(pointers_are_live),
        cmocka_unit_test(points_and_directions_go_both_ways),
        cmocka_unit_test(callbacks_see_the_speed_before_damping),
        cmocka_unit_test(callbacks_see_the_forces_of_the_step),
        cmocka_unit_test(the_disabled_stand_still_until_something_that_moves_hangs_on_them),
        cmocka_unit_test(idle_bodies_disable_themselves_if_they_have_a_joint),
        cmocka_unit_test(kinematic_bodies_go_as_they_are_told),
        cmocka_unit_test(a_change_of_type_enables_nobody),
        cmocka_unit_test(strange_surfaces_are_taken_as_what_they_can_be),
        cmocka_unit_test(bad_calls_are_named_and_change_nothing),
        cmocka_unit_test(all_that_is_taken_is_given_back_with_its_size),
    };
    return cmocka_run_group_tests(tests, listen, stop_listening);
}
