/* test_forces.c: forces and torques on bodies of the ODE face, in the world's and in the body's
 * frame, and what one step makes of them. */
#include <ode/ode.h>

#include "tests/ode/refusals.h"
#include "tests/support/test.h"

/* A body at (1, 2, 3) whose x axis points along the world's y, and whose y axis against its x. */
static dBodyID quarter_turned(dWorldID w)
{
    const dMatrix3 quarter = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    dBodyID b = dBodyCreate(w);
    dBodySetPosition(b, 1, 2, 3);
    dBodySetRotation(b, quarter);
    return b;
}

#define ASSERT_VECTOR(v, x, y, z) \
    do { \
        const dReal *got_v_ = (v); \
        assert_non_null(got_v_); \
        ASSERT_CLOSE(got_v_[0], x); \
        ASSERT_CLOSE(got_v_[1], y); \
        ASSERT_CLOSE(got_v_[2], z); \
    } while (0)

/* Force and torque of one call, on a body that has none. */
#define CHECK_PUSH(call, fx, fy, fz, tx, ty, tz) \
    do { \
        dBodySetForce(b, 0, 0, 0); \
        dBodySetTorque(b, 0, 0, 0); \
        call; \
        ASSERT_VECTOR(dBodyGetForce(b), fx, fy, fz); \
        ASSERT_VECTOR(dBodyGetTorque(b), tx, ty, tz); \
    } while (0)

static void forces_are_of_a_frame_and_a_point(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = quarter_turned(w);
    CHECK_PUSH(dBodyAddForce(b, 5, 6, 7), 5, 6, 7, 0, 0, 0);
    CHECK_PUSH(dBodyAddTorque(b, 5, 6, 7), 0, 0, 0, 5, 6, 7);
    CHECK_PUSH(dBodyAddRelForce(b, 5, 6, 7), -6, 5, 7, 0, 0, 0);
    CHECK_PUSH(dBodyAddRelTorque(b, 5, 6, 7), 0, 0, 0, -6, 5, 7);
    /* torque: the arm, (0, 0, 2), times the force */
    CHECK_PUSH(dBodyAddForceAtPos(b, 5, 6, 7, 1, 2, 5), 5, 6, 7, -12, 10, 0);
    CHECK_PUSH(dBodyAddRelForceAtPos(b, 5, 6, 7, 1, 2, 5), -6, 5, 7, -10, -12, 0);
    /* the arm (2, 0, 0) in the body is (0, 2, 0) */
    CHECK_PUSH(dBodyAddForceAtRelPos(b, 5, 6, 7, 2, 0, 0), 5, 6, 7, 14, 0, -10);
    CHECK_PUSH(dBodyAddRelForceAtRelPos(b, 5, 6, 7, 2, 0, 0), -6, 5, 7, 14, 0, 12);
    dWorldDestroy(w);
}

static void forces_add_up_until_they_are_set(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dBodyAddForce(b, 1, 2, 3);
    dBodyAddForce(b, 10, 20, 30);
    dBodyAddTorque(b, 4, 5, 6);
    dBodyAddRelTorque(b, 40, 50, 60);
    ASSERT_VECTOR(dBodyGetForce(b), 11, 22, 33);
    ASSERT_VECTOR(dBodyGetTorque(b), 44, 55, 66);
    dBodySetForce(b, 7, 8, 9);
    dBodySetTorque(b, -7, -8, -9);
    ASSERT_VECTOR(dBodyGetForce(b), 7, 8, 9);
    ASSERT_VECTOR(dBodyGetTorque(b), -7, -8, -9);
    dWorldDestroy(w);
}

static void a_step_takes_forces_and_forgets_them(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    dVector3 force = {9, 9, 9};
    dWorldImpulseToForce(w, (dReal)0.25, 1, -2, 3, force);
    ASSERT_VECTOR(force, 4, -8, 12);
    dBodySetForce(b, force[0], force[1], force[2]);
    dBodySetTorque(b, 8, 0, 0);
    dWorldStep(w, (dReal)0.25);
    ASSERT_VECTOR(dBodyGetLinearVel(b), 1, -2, 3);
    ASSERT_VECTOR(dBodyGetAngularVel(b), 2, 0, 0);
    ASSERT_VECTOR(dBodyGetForce(b), 0, 0, 0);
    ASSERT_VECTOR(dBodyGetTorque(b), 0, 0, 0);
    dWorldDestroy(w);
}

/* What a torque does in one step, by the rotation that the body begins it with: R I^-1 R^T. */
static void check_turn(dWorldID w, dBodyID b, const dReal inertia[3], int (*step)(dWorldID, dReal))
{
    const dReal h = (dReal)0.0625, torque[3] = {3, -2, 5};
    const dReal *R = dBodyGetRotation(b), *now = dBodyGetAngularVel(b);
    dReal wanted[3];
    for (int i = 0; i < 3; ++i)
        wanted[i] = now[i];
    for (int k = 0; k < 3; ++k) {
        dReal along = 0;
        for (int i = 0; i < 3; ++i)
            along += R[4 * i + k] * torque[i];
        for (int i = 0; i < 3; ++i)
            wanted[i] += h * R[4 * i + k] * along / inertia[k];
    }
    dBodySetTorque(b, torque[0], torque[1], torque[2]);
    assert_int_equal(step(w, h), 1);
    for (int i = 0; i < 3; ++i)
        ASSERT_CLOSE(dBodyGetAngularVel(b)[i], wanted[i]);
}

static dMass mass_of(const dReal inertia[3])
{
    dMass mass;
    dMassSetParameters(&mass, 2, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
    return mass;
}

static void torques_turn_by_the_inertia_of_where_a_body_is(void **state)
{
    (void)state;
    int (*const steps[])(dWorldID, dReal) = {dWorldStep, dWorldQuickStep};
    const dReal first[3] = {3, 4, 5}, second[3] = {1, (dReal)1.5, 2};
    for (int k = 0; k < 2; ++k) {
        dWorldID w = dWorldCreate();
        dBodyID b = quarter_turned(w);
        dMass mass = mass_of(first), other = mass_of(second);
        dBodySetMass(b, &mass);
        dBodySetGyroscopicMode(b, 0);
        dBodySetAngularVel(b, 1, 2, -1);
        for (int i = 0; i < 5; ++i)
            check_turn(w, b, first, steps[k]); /* turned by steps */
        dQuaternion q = {(dReal)0.5, (dReal)-0.5, (dReal)0.5, (dReal)0.5};
        dBodySetQuaternion(b, q);
        check_turn(w, b, first, steps[k]); /* turned by the program */
        dBodySetMass(b, &other);
        check_turn(w, b, second, steps[k]);
        dBodySetKinematic(b);
        steps[k](w, (dReal)0.25); /* turns as it did */
        dBodySetDynamic(b);
        check_turn(w, b, second, steps[k]);
        dBodySetRotation(b, dBodyGetRotation(b));
        dBodySetMass(b, &mass); /* between the turn and the step */
        check_turn(w, b, first, steps[k]);
        dBodyDisable(b);
        steps[k](w, (dReal)0.25);
        dBodyEnable(b);
        check_turn(w, b, first, steps[k]);
        dWorldDestroy(w);
    }
}

static void poses_are_copied(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = quarter_turned(w);
    dVector3 p = {0};
    dMatrix3 R = {0};
    dQuaternion q = {0};
    dBodyCopyPosition(b, p);
    dBodyCopyRotation(b, R);
    dBodyCopyQuaternion(b, q);
    ASSERT_VECTOR(p, 1, 2, 3);
    ASSERT_VECTOR(R, 0, -1, 0);
    ASSERT_VECTOR(R + 4, 1, 0, 0);
    ASSERT_VECTOR(R + 8, 0, 0, 1);
    ASSERT_CLOSE(q[0], sqrt(0.5));
    ASSERT_VECTOR(q + 1, 0, 0, sqrt(0.5));
    dWorldDestroy(w);
}

static void forces_that_are_none_are_refused(void **state)
{
    (void)state;
    dWorldID w = dWorldCreate();
    dBodyID b = dBodyCreate(w);
    EXPECT_REFUSAL(dBodyAddRelForce(b, 0, dInfinity, 0),
                   "dBodyAddRelForce: fx, fy, fz must be finite");
    EXPECT_REFUSAL(dBodyAddForceAtPos(b, 1, 0, 0, 0, (dReal)NAN, 0),
                   "dBodyAddForceAtPos: px, py, pz must be finite");
    EXPECT_REFUSAL(dBodySetTorque(NULL, 0, 0, 0), "dBodySetTorque: body must not be null");
    ASSERT_VECTOR(dBodyGetForce(b), 0, 0, 0);
    dWorldDestroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(forces_are_of_a_frame_and_a_point),    HEARING(forces_add_up_until_they_are_set),
        HEARING(a_step_takes_forces_and_forgets_them), HEARING(poses_are_copied),
        HEARING(forces_that_are_none_are_refused),
        HEARING(torques_turn_by_the_inertia_of_where_a_body_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
