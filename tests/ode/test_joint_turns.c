/* test_joint_turns.c: angles of joints of the ODE face beyond half a turn. They are from -pi to pi,
 * and "for rotational joints, this stop must be greater than -pi to be effective" (ODE's manual,
 * stop and motor parameters). */
#include "joint_tests.h"

#include <math.h>

/* A joint about z between a body that turns and one that is held. */
typedef struct turner {
    dJointID (*make)(dBodyID turning, dBodyID held);
    void (*set)(dJointID, int, dReal);
    dReal (*angle)(dJointID);
    int group;
    dReal sign; /* of the angle as the body turns */
} turner;

static dJointID make_hinge(dBodyID turning, dBodyID held)
{
    dJointID j = dJointCreateHinge(dBodyGetWorld(turning), 0);
    dJointAttach(j, turning, held);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

static dJointID make_universal(dBodyID turning, dBodyID held)
{
    dJointID j = dJointCreateUniversal(dBodyGetWorld(turning), 0);
    dJointAttach(j, turning, held);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    return j;
}

static dJointID make_hinge2(dBodyID turning, dBodyID held)
{
    const dVector3 steering = {0, 0, 1}, axle = {0, 1, 0};
    dJointID j = dJointCreateHinge2(dBodyGetWorld(turning), 0);
    dJointAttach(j, held, turning);
    dJointSetHinge2Axes(j, steering, axle);
    return j;
}

static dJointID make_pr(dBodyID turning, dBodyID held)
{
    dJointID j = dJointCreatePR(dBodyGetWorld(turning), 0);
    dJointAttach(j, turning, held);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 0, 1);
    return j;
}

static dJointID make_pu(dBodyID turning, dBodyID held)
{
    dJointID j = dJointCreatePU(dBodyGetWorld(turning), 0);
    dJointAttach(j, turning, held);
    dJointSetPUAxis1(j, 0, 0, 1);
    dJointSetPUAxis2(j, 0, 1, 0);
    dJointSetPUAxisP(j, 1, 0, 0);
    return j;
}

static dJointID make_piston(dBodyID turning, dBodyID held)
{
    dJointID j = dJointCreatePiston(dBodyGetWorld(turning), 0);
    dJointAttach(j, turning, held);
    dJointSetPistonAxis(j, 0, 0, 1);
    return j;
}

static const turner turners[] = {
    {make_hinge, dJointSetHingeParam, dJointGetHingeAngle, 0, 1},
    {make_universal, dJointSetUniversalParam, dJointGetUniversalAngle1, 0, 1},
    {make_hinge2, dJointSetHinge2Param, dJointGetHinge2Angle1, 0, -1},
    {make_pr, dJointSetPRParam, dJointGetPRAngle, dParamGroup2, 1},
    {make_pu, dJointSetPUParam, dJointGetPUAngle1, 0, 1},
    {make_piston, dJointSetPistonParam, dJointGetPistonAngle, dParamGroup2, 1},
};
enum { TURNERS = sizeof turners / sizeof *turners };

static void set_stops(const turner *t, dJointID j, dReal lo, dReal hi)
{
    t->set(j, t->group + dParamLoStop, lo);
    t->set(j, t->group + dParamHiStop, hi);
}

/* Turned by 7 rad at 1 rad/s. */
static dJointID spin(const turner *t, dReal lo, dReal hi, dBodyID *out_body)
{
    dWorldID w = dWorldCreate();
    dBodyID turning = dBodyCreate(w), held = dBodyCreate(w);
    dBodySetKinematic(held);
    dBodySetFiniteRotationMode(turning, 1);
    dJointID j = t->make(turning, held);
    set_stops(t, j, lo, hi);
    dBodySetAngularVel(turning, 0, 0, 1);
    run(w, 700);
    *out_body = turning;
    return j;
}

static void stops_beyond_half_a_turn_are_none(void **state)
{
    (void)state;
    for (int i = 0; i < TURNERS; ++i) {
        dBodyID body;
        dJointID j = spin(&turners[i], -4, 4, &body);
        near_to(dBodyGetAngularVel(body)[2], 1, 1e-3);
        near_to(turners[i].angle(j), turners[i].sign * (7 - 2 * M_PI), 0.02);
        dWorldDestroy(dBodyGetWorld(body));
    }
}

/* One stop that counts and one that does not: 4 s after it was come to. */
static void a_stop_within_half_a_turn_holds(void **state)
{
    (void)state;
    for (int i = 0; i < TURNERS; ++i) {
        const int over = turners[i].sign < 0;
        dBodyID body;
        dJointID j = spin(&turners[i], over ? -3 : -4, over ? 4 : 3, &body);
        dReal angle = turners[i].angle(j) * turners[i].sign; /* it may have been pushed back */
        assert_true(dBodyGetAngularVel(body)[2] <= 1e-3);
        assert_true(angle <= 3.02 && angle > 2);
        dWorldDestroy(dBodyGetWorld(body));
    }
}

/* What was turned about once before stops are set is where it looks to be. */
static void stops_know_no_whole_turns(void **state)
{
    (void)state;
    for (int i = 0; i < TURNERS; ++i) {
        dBodyID body;
        dJointID j = spin(&turners[i], -dInfinity, dInfinity, &body);
        set_stops(&turners[i], j, (dReal)-1.2, (dReal)1.2);
        run(dBodyGetWorld(body), 20);
        near_to(dBodyGetAngularVel(body)[2], 1, 1e-3);
        near_to(turners[i].angle(j), turners[i].sign * (7.2 - 2 * M_PI), 0.02);
        for (int k = 0; k < 100; ++k) { /* and then they hold */
            run(dBodyGetWorld(body), 1);
            assert_true(turners[i].angle(j) * turners[i].sign <= 1.22);
        }
        assert_true(dBodyGetAngularVel(body)[2] <= 1e-3);
        dWorldDestroy(dBodyGetWorld(body));
    }
}

/* Whatever way it turns: by what the angles become in the next steps. */
static void euler_angles_go_with_their_rates(void **state)
{
    (void)state;
    for (int n = 0; n < 200; ++n) {
        dWorldID w = dWorldCreate();
        dBodyID a = dBodyCreate(w), b = n % 2 ? dBodyCreate(w) : NULL;
        dJointID j = dJointCreateAMotor(w, 0);
        dMatrix3 R;
        dReal before[3], rate[3];
        if (n % 4 == 3)
            dJointAttach(j, b, a);
        else
            dJointAttach(j, a, b);
        dJointSetAMotorMode(j, dAMotorEuler);
        dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
        dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
        dRFromEulerAngles(R, dRandReal() * 2 - 1, dRandReal() * 2 - 1, dRandReal() * 2 - 1);
        dBodySetRotation(a, R);
        dBodySetAngularVel(a, dRandReal() - (dReal)0.5, dRandReal() - (dReal)0.5, dRandReal());
        dBodySetFiniteRotationMode(a, 1);
        dBodySetGyroscopicMode(a, 0);
        for (int i = 0; i < 3; ++i)
            before[i] = dJointGetAMotorAngle(j, i);
        dWorldStep(w, (dReal)0.01);
        for (int i = 0; i < 3; ++i)
            rate[i] = dJointGetAMotorAngleRate(j, i);
        dWorldStep(w, (dReal)0.01);
        for (int i = 0; i < 3; ++i)
            near_to(rate[i], (dJointGetAMotorAngle(j, i) - before[i]) / (dReal)0.02, 2e-3);
        dWorldDestroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_beyond_half_a_turn_are_none),
        cmocka_unit_test(a_stop_within_half_a_turn_holds),
        cmocka_unit_test(stops_know_no_whole_turns),
        cmocka_unit_test(euler_angles_go_with_their_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
