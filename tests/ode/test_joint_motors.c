/* test_joint_motors.c: joints of the ODE face that drive more than they hold: motors, planes,
 * wheels. */
#include "joint_tests.h"

/* --- angular motors */

static void an_angular_motor_drives_about_its_axes(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateAMotor(w, 0);
    dVector3 axis;
    dJointAttach(m, b[0], b[1]);
    assert_int_equal(dJointGetAMotorMode(m), dAMotorUser);
    assert_int_equal(dJointGetAMotorNumAxes(m), 0);
    dJointSetAMotorNumAxes(m, 2);
    assert_int_equal(dJointGetAMotorNumAxes(m), 2);
    dJointSetAMotorAxis(m, 0, 0, 0, 0, 5);
    dJointSetAMotorAxis(m, 1, 2, 1, 0, 0);
    dJointSetAMotorAxis(m, 2, 1, 0, 1, 0);
    assert_int_equal(dJointGetAMotorAxisRel(m, 1), 2);
    dJointGetAMotorAxis(m, 0, axis);
    points_to(axis, 0, 0, 1, 1e-6);
    dJointSetAMotorParam(m, dParamVel, 2);
    dJointSetAMotorParam(m, dParamFMax, 100);
    dJointSetAMotorParam(m, dParamVel3, 5);
    dJointSetAMotorParam(m, dParamFMax3, 100); /* there are two axes */
    assert_true(dJointGetAMotorParam(m, dParamFMax3) == 100);
    run(w, 2);
    near_to(dJointGetAMotorAngleRate(m, 0), 2, 1e-4);
    near_to(dJointGetAMotorAngleRate(m, 2), 0, 1e-4);
    near_to(dBodyGetAngularVel(b[0])[2], 1, 1e-4);
    near_to(dBodyGetAngularVel(b[1])[2], -1, 1e-4);
    run(w, 20);
    dJointGetAMotorAxis(m, 1, axis); /* turns with the second body */
    dVector3 expected;
    dBodyVectorToWorld(b[1], 1, 0, 0, expected);
    points_to(axis, expected[0], expected[1], expected[2], 1e-6);
    assert_true(axis[1] < (dReal)-0.1);
    dJointSetAMotorNumAxes(m, 0);
    dBodySetAngularVel(b[0], 0, 0, 7);
    run(w, 1);
    near_to(dBodyGetAngularVel(b[0])[2], 7, 1e-6);
    dWorldDestroy(w);
}

/* The program tells the angle. */
static void stops_of_an_angular_motor_go_by_the_program_s_angle(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateAMotor(w, 0);
    dJointAttach(m, b[0], 0);
    dJointSetAMotorNumAxes(m, 1);
    dJointSetAMotorAxis(m, 0, 0, 0, 0, 1);
    dJointSetAMotorParam(m, dParamLoStop, -1);
    dJointSetAMotorParam(m, dParamHiStop, 1);
    dJointSetAMotorAngle(m, 0, (dReal)0.5);
    assert_true(dJointGetAMotorAngle(m, 0) == (dReal)0.5);
    dBodySetAngularVel(b[0], 0, 0, 1);
    run(w, 100);
    near_to(dBodyGetAngularVel(b[0])[2], 1, 1e-4);
    assert_true(dJointGetAMotorAngle(m, 0) == (dReal)0.5);
    dJointSetAMotorAngle(m, 0, 1);
    run(w, 1);
    near_to(dBodyGetAngularVel(b[0])[2], 0, SOFT);
    dWorldDestroy(w);
}

/* All in the frame of the first body; the middle axis lies across. */
static void an_euler_motor_knows_its_angles(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID m = dJointCreateAMotor(w, 0);
        dVector3 axis;
        dJointAttach(m, turned ? 0 : b[0], turned ? b[0] : 0);
        dJointSetAMotorMode(m, dAMotorEuler);
        dJointSetAMotorAxis(m, 0, 1, 1, 0, 0);
        dJointSetAMotorAxis(m, 2, 2, 0, 0, 1);
        assert_int_equal(dJointGetAMotorMode(m), dAMotorEuler);
        assert_int_equal(dJointGetAMotorNumAxes(m), 3);
        assert_int_equal(dJointGetAMotorAxisRel(m, 0), 1);
        for (int i = 0; i < 3; ++i) {
            dJointGetAMotorAxis(m, i, axis);
            points_to(axis, i == 0, i == 1, i == 2, 1e-6);
            near_to(dJointGetAMotorAngle(m, i), 0, 1e-6);
        }
        for (int i = 0; i < 3; ++i) { /* drives one, holds the others */
            dQuaternion q = {1, 0, 0, 0};
            dBodySetQuaternion(b[0], q);
            dBodySetAngularVel(b[0], 0, 0, 0);
            for (int k = 0; k < 3; ++k) {
                dJointSetAMotorParam(m, k * dParamGroup + dParamVel, k == i);
                dJointSetAMotorParam(m, k * dParamGroup + dParamFMax, 100);
                dJointSetAMotorParam(m, k * dParamGroup + dParamHiStop, (dReal)0.6);
                dJointSetAMotorParam(m, k * dParamGroup + dParamLoStop, (dReal)-0.6);
            }
            run(w, 50);
            for (int k = 0; k < 3; ++k)
                near_to(dBodyGetAngularVel(b[0])[k], k == i, 1e-3);
            near_to(dJointGetAMotorAngle(m, i), turned ? -0.5 : 0.5, 0.01);
            near_to(dJointGetAMotorAngleRate(m, i), turned ? -1 : 1, 1e-3);
            run(w, 50);
            near_to(dJointGetAMotorAngle(m, i), turned ? -0.6 : 0.6, 0.01);
            near_to(dJointGetAMotorAngle(m, (i + 1) % 3), 0, 1e-3);
        }
        dJointGetAMotorAxis(m, 0, axis); /* that of the first body */
        points_to(axis, turned ? 1 : cos(0.6), turned ? 0 : sin(0.6), 0, 0.01);
        dWorldDestroy(w);
    }
}

static void torques_of_an_angular_motor_act_on_both_bodies(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateAMotor(w, 0);
    dJointAttach(m, b[0], b[1]);
    dJointSetAMotorNumAxes(m, 2);
    dJointSetAMotorAxis(m, 0, 0, 0, 0, 1);
    dJointSetAMotorAxis(m, 1, 1, 1, 0, 0);
    dJointSetAMotorAxis(m, 2, 1, 0, 1, 0);
    dJointAddAMotorTorques(m, 1, 2, 3); /* the third is none */
    points_to(dBodyGetTorque(b[0]), 2, 0, 1, 1e-6);
    points_to(dBodyGetTorque(b[1]), -2, 0, -1, 1e-6);
    dJointAttach(m, 0, b[1]);
    dBodySetTorque(b[1], 0, 0, 0);
    dJointAddAMotorTorques(m, 1, 0, 0);
    points_to(dBodyGetTorque(b[1]), 0, 0, -1, 1e-6);
    dWorldDestroy(w);
}

/* --- linear motors */

static void a_linear_motor_drives_and_stops(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateLMotor(w, 0);
    dVector3 axis;
    dJointAttach(m, b[0], b[1]);
    dJointSetLMotorNumAxes(m, 3);
    assert_int_equal(dJointGetLMotorNumAxes(m), 3);
    dJointSetLMotorAxis(m, 1, 1, 0, 3, 4);
    dJointGetLMotorAxis(m, 1, axis);
    points_to(axis, 0, 0.6, 0.8, 1e-6);
    dJointSetLMotorParam(m, dParamVel2, 1);
    dJointSetLMotorParam(m, dParamFMax2, 100);
    assert_true(dJointGetLMotorParam(m, dParamVel2) == 1);
    run(w, 1);
    dVector3 rate, v;
    dBodyGetPointVel(b[0], (dReal)0.5, 0, 0, rate);
    dBodyGetPointVel(b[1], (dReal)0.5, 0, 0, v);
    near_to((rate[1] - v[1]) * 0.6 + (rate[2] - v[2]) * 0.8, 1, SOFT);
    near_to(dBodyGetLinearVel(b[0])[1] + dBodyGetLinearVel(b[1])[1], 0, 1e-5);
    dJointAttach(m, 0, b[0]);
    dBodySetPosition(b[0], 3, 0, 0);
    dJointAttach(m, 0, b[0]); /* positions begin here */
    dJointSetLMotorNumAxes(m, 1);
    dJointSetLMotorAxis(m, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(m, dParamHiStop, (dReal)0.25);
    dBodySetLinearVel(b[0], 1, 0, 0);
    dBodySetAngularVel(b[0], 0, 0, 0);
    for (int i = 0; i < 100; ++i) {
        run(w, 1);
        assert_true(dBodyGetPosition(b[0])[0] < (dReal)3.265);
    }
    assert_true(dBodyGetLinearVel(b[0])[0] < 2 * SOFT);
    dJointSetLMotorNumAxes(m, 0);
    dBodySetPosition(b[0], 3, 0, 0);
    dBodySetLinearVel(b[0], 1, 0, 0);
    run(w, 100);
    near_to(dBodyGetPosition(b[0])[0], 4, 1e-3);
    dWorldDestroy(w);
}

/* How fast the first goes from the second along x, where the middle between them is. */
static double rate_in_the_middle(const dBodyID b[2])
{
    const dReal *p = dBodyGetPosition(b[0]), *q = dBodyGetPosition(b[1]);
    dVector3 v[2], middle;
    for (int k = 0; k < 3; ++k)
        middle[k] = (p[k] + q[k]) / 2;
    for (int i = 0; i < 2; ++i)
        dBodyGetPointVel(b[i], middle[0], middle[1], middle[2], v[i]);
    return (double)(v[0][0] - v[1][0]);
}

/* Though the middle is another in each step, what has been gone counts. */
static void a_linear_motor_stops_two_that_turn(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateLMotor(w, 0);
    dJointAttach(m, b[0], b[1]);
    dJointSetLMotorNumAxes(m, 1);
    dJointSetLMotorAxis(m, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(m, dParamVel, (dReal)0.5);
    dJointSetLMotorParam(m, dParamFMax, 10);
    dJointSetLMotorParam(m, dParamHiStop, (dReal)0.25);
    dBodySetPosition(b[0], 0, (dReal)0.3, 0);
    dJointAttach(m, b[0], b[1]);
    dBodySetAngularVel(b[0], 0, (dReal)0.5, 1);
    double way = 0;
    for (int i = 0; i < 300; ++i) {
        run(w, 1);
        way += rate_in_the_middle(b) * (double)STEP;
        assert_true(way < 0.265 && (i < 60 || way > 0.245));
        if (i == 30)
            near_to(rate_in_the_middle(b), 0.5, SOFT);
    }
    dWorldDestroy(w);
}

static void bad_calls_of_motors_have_no_effect(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID a = dJointCreateAMotor(w, 0), l = dJointCreateLMotor(w, 0);
    dMessageFunction *before = dGetDebugHandler();
    dSetDebugHandler(count_complaint);
    complaints = 0;
    dJointSetAMotorNumAxes(a, 4);
    dJointSetLMotorNumAxes(l, -1);
    dJointSetAMotorAxis(a, 3, 0, 1, 0, 0);
    dJointSetLMotorAxis(l, 0, 3, 1, 0, 0);
    dJointSetAMotorAxis(a, 0, 0, (dReal)NAN, 0, 0);
    dJointSetAMotorAngle(a, 0, (dReal)INFINITY);
    dJointSetAMotorMode(a, 2);
    dJointSetAMotorNumAxes(l, 1);
    dSetDebugHandler(before);
    assert_int_equal(complaints, 8);
    assert_int_equal(dJointGetAMotorNumAxes(a), 0);
    assert_int_equal(dJointGetLMotorNumAxes(l), 0);
    dVector3 axis;
    dJointSetAMotorAxis(a, 0, 1, 1, 0, 0); /* of a body that is not there */
    dJointGetAMotorAxis(a, 0, axis);
    points_to(axis, 0, 0, 0, 0);
    dWorldDestroy(w);
}

/* What a handle of the library below does not take counts as the nearest that it does. */
static void strange_values_of_axes_are_the_nearest_good_ones(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID m = dJointCreateLMotor(w, 0);
    dJointAttach(m, b[0], 0);
    dJointSetLMotorNumAxes(m, 1);
    dJointSetLMotorAxis(m, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(m, dParamStopERP, 3);
    dJointSetLMotorParam(m, dParamStopCFM, -1);
    dJointSetLMotorParam(m, dParamBounce, 2);
    dJointSetLMotorParam(m, dParamHiStop, (dReal)0.25);
    dJointSetLMotorParam(m, dParamLoStop, -dInfinity);
    assert_true(dJointGetLMotorParam(m, dParamBounce) == 2);
    dBodySetLinearVel(b[0], 1, 0, 0);
    run(w, 100);
    near_to(dBodyGetLinearVel(b[0])[0], -1, 1e-3); /* bounced, and no faster */
    dWorldDestroy(w);
}

/* --- in a plane */

static void a_plane_holds_height_and_tilt(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID p = dJointCreatePlane2D(w, 0);
        dWorldSetGravity(w, 0, 0, -10);
        dBodySetGravityMode(b[1], 0);
        dJointAttach(p, turned ? 0 : b[0], turned ? b[0] : b[1]); /* b[1] is not held */
        dBodySetLinearVel(b[0], 1, 0, 0);
        for (int i = 0; i < 100; ++i) {
            dBodyAddTorque(b[0], 3, 2, (dReal)0.5);
            run(w, 1);
        }
        near_to(dBodyGetPosition(b[0])[0], 1, 1e-3);
        near_to(dBodyGetPosition(b[0])[2], 0, 1e-3);
        near_to(dBodyGetRotation(b[0])[10], 1, 1e-4); /* tilt */
        near_to(dBodyGetAngularVel(b[0])[2], 0.5, 1e-3);
        points_to(dBodyGetLinearVel(b[1]), 0, 0, 0, 1e-6);
        dQuaternion tilted = {1, (dReal)0.2, 0, 0};
        dBodySetQuaternion(b[0], tilted); /* the program's word counts */
        dReal expected = dBodyGetRotation(b[0])[10];
        dBodySetAngularVel(b[0], 0, 0, 0);
        run(w, 20);
        near_to(dBodyGetRotation(b[0])[10], expected, 1e-4);
        dWorldDestroy(w);
    }
}

static void motors_and_stops_of_a_plane_go_by_world_coordinates(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID p = dJointCreatePlane2D(w, 0);
    dQuaternion q = {1, 0, 0, 1};
    dBodySetQuaternion(b[1], q);
    dJointAttach(p, b[1], 0);
    dJointSetPlane2DXParam(p, dParamVel, 2);
    dJointSetPlane2DXParam(p, dParamFMax, 1000);
    dJointSetPlane2DXParam(p, dParamHiStop, (dReal)1.5);
    dJointSetPlane2DYParam(p, dParamVel, -1);
    dJointSetPlane2DYParam(p, dParamFMax, 1000);
    dJointSetPlane2DAngleParam(p, dParamVel, 1);
    dJointSetPlane2DAngleParam(p, dParamFMax, 1000);
    dJointSetPlane2DAngleParam(p, dParamHiStop, (dReal)0.3);
    dJointSetPlane2DAngleParam(p, dParamFMax2, 0); /* is nobody's */
    run(w, 1);
    points_to(dBodyGetLinearVel(b[1]), 2, -1, 0, 1e-2);
    near_to(dBodyGetAngularVel(b[1])[2], 1, 1e-2);
    run(w, 99);
    near_to(dBodyGetPosition(b[1])[0], 1.5, 0.01);
    near_to(dBodyGetPosition(b[1])[1], -1, 0.01);
    near_to(atan2(dBodyGetRotation(b[1])[4], dBodyGetRotation(b[1])[0]), 1.5707963 + 0.3, 0.01);
    dWorldDestroy(w);
}

/* --- wheels */

static void a_wheel_steers_and_turns_on_its_suspension(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID wheel = dJointCreateHinge2(w, 0);
    const dVector3 up = {0, 0, 2}, axle = {0, 3, 0};
    dVector3 v;
    dBodySetKinematic(b[0]);
    dJointAttach(wheel, b[0], b[1]);
    dJointSetHinge2Anchor(wheel, 1, 0, 0);
    dJointSetHinge2Axes(wheel, up, axle);
    dJointGetHinge2Axis1(wheel, v);
    points_to(v, 0, 0, 1, 1e-6);
    dJointGetHinge2Axis2(wheel, v);
    points_to(v, 0, 1, 0, 1e-6);
    dJointGetHinge2Anchor(wheel, v);
    points_to(v, 1, 0, 0, 1e-6);
    v[0] = 9;
    dJointGetHinge2Anchor2(wheel, v);
    points_to(v, 1, 0, 0, 1e-6);
    dJointSetHinge2Param(wheel, dParamVel, 1); /* of the first body against the wheel */
    dJointSetHinge2Param(wheel, dParamFMax, 1000);
    dJointSetHinge2Param(wheel, dParamHiStop, (dReal)0.4);
    dJointSetHinge2Param(wheel, dParamVel2, -2);
    dJointSetHinge2Param(wheel, dParamFMax2, 1000);
    dJointSetHinge2Param(wheel, dParamLoStop2, (dReal)-0.1); /* is not heeded */
    assert_true(dJointGetHinge2Param(wheel, dParamLoStop2) == (dReal)-0.1);
    run(w, 20);
    near_to(dJointGetHinge2Angle1(wheel), 0.2, 0.01);
    near_to(dJointGetHinge2Angle1Rate(wheel), 1, 0.01);
    near_to(dJointGetHinge2Angle2(wheel), -0.4, 0.01);
    near_to(dJointGetHinge2Angle2Rate(wheel), -2, 0.01);
    near_to(dBodyGetAngularVel(b[1])[2], -1, 0.01);
    dJointGetHinge2Axis2(wheel, v);
    points_to(v, sin(0.2), cos(0.2), 0, 0.01);
    run(w, 80);
    near_to(dJointGetHinge2Angle1(wheel), 0.4, 0.01);
    near_to(dJointGetHinge2Angle2Rate(wheel), -2, 0.01);
    dJointSetHinge2Axis1(wheel, 0, 0, 1); /* angles begin anew */
    near_to(dJointGetHinge2Angle1(wheel), 0, 1e-5);
    near_to(dJointGetHinge2Angle2(wheel), 0, 1e-5);
    dBodySetTorque(b[1], 0, 0, 0);
    dJointGetHinge2Axis2(wheel, v);
    dJointAddHinge2Torques(wheel, 1, 2);
    points_to(dBodyGetTorque(b[1]), -2 * v[0], -2 * v[1], -2 * v[2] - 1, 1e-5);
    dWorldDestroy(w);
}

/* 1 kg on a spring of 100 N/m with a damper of 20 N s/m. */
static void suspension_is_a_spring_along_the_first_axis(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID wheel = dJointCreateHinge2(w, 0);
    const double h = 0.01, k = 100, d = 20;
    dWorldSetGravity(w, 0, 0, -10);
    dBodySetKinematic(b[0]);
    dJointAttach(wheel, b[0], b[1]);
    assert_true(dJointGetHinge2Param(wheel, dParamSuspensionERP) == dWorldGetERP(w));
    dJointSetHinge2Anchor(wheel, 1, 0, 0);
    dJointSetHinge2Axis1(wheel, 0, 0, 1);
    dJointSetHinge2Axis2(wheel, 0, 1, 0);
    dJointSetHinge2Param(wheel, dParamSuspensionERP, (dReal)(h * k / (h * k + d)));
    dJointSetHinge2Param(wheel, dParamSuspensionCFM, (dReal)(1 / (h * k + d)));
    assert_true(dJointGetHinge2Param(wheel, dParamSuspensionCFM) == (dReal)(1 / (h * k + d)));
    run(w, 500);
    near_to(dBodyGetPosition(b[1])[2], -0.1, 1e-3);
    near_to(dBodyGetPosition(b[1])[0], 1, 1e-3);
    dWorldDestroy(w);
}

/* A steering axis that leans by a tenth does not make the wheel wobble. */
static void a_wheel_turns_about_its_own_axle(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID wheel = dJointCreateHinge2(w, 0);
    const dVector3 leaning = {0, (dReal)0.1, 1}, axle = {0, 1, 0};
    dVector3 v;
    dBodySetKinematic(b[0]);
    dJointAttach(wheel, b[0], b[1]);
    dJointSetHinge2Anchor(wheel, 1, 0, 0);
    dJointSetHinge2Axes(wheel, leaning, axle);
    dJointSetHinge2Param(wheel, dParamLoStop, 0);
    dJointSetHinge2Param(wheel, dParamHiStop, 0);
    dBodySetAngularVel(b[1], 0, 5, 0);
    for (int i = 0; i < 100; ++i) {
        run(w, 1);
        dJointGetHinge2Axis2(wheel, v);
        points_to(v, 0, 1, 0, 1e-4);
    }
    dJointGetHinge2Axis1(wheel, v);
    near_to(v[1] / v[2], 0.1, 1e-6);
    near_to(dJointGetHinge2Angle2Rate(wheel), -5, 1e-2);
    dWorldDestroy(w);
}

static void a_wheel_is_not_attached_to_one_body(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID wheel = dJointCreateHinge2(w, 0);
    dMessageFunction *before = dGetDebugHandler();
    dSetDebugHandler(count_complaint);
    complaints = 0;
    dJointAttach(wheel, b[0], 0);
    dJointAttach(wheel, 0, b[0]);
    dJointAttach(wheel, b[0], b[1]);
    dJointSetHinge2Axes(wheel, NULL, NULL);
    dSetDebugHandler(before);
    assert_int_equal(complaints, 3);
    assert_int_equal(dJointGetNumBodies(wheel), 2);
    dJointAttach(wheel, 0, 0);
    assert_int_equal(dJointGetNumBodies(wheel), 0);
    dWorldDestroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_angular_motor_drives_about_its_axes),
        cmocka_unit_test(stops_of_an_angular_motor_go_by_the_program_s_angle),
        cmocka_unit_test(an_euler_motor_knows_its_angles),
        cmocka_unit_test(torques_of_an_angular_motor_act_on_both_bodies),
        cmocka_unit_test(a_linear_motor_drives_and_stops),
        cmocka_unit_test(a_linear_motor_stops_two_that_turn),
        cmocka_unit_test(bad_calls_of_motors_have_no_effect),
        cmocka_unit_test(strange_values_of_axes_are_the_nearest_good_ones),
        cmocka_unit_test(a_plane_holds_height_and_tilt),
        cmocka_unit_test(motors_and_stops_of_a_plane_go_by_world_coordinates),
        cmocka_unit_test(a_wheel_steers_and_turns_on_its_suspension),
        cmocka_unit_test(suspension_is_a_spring_along_the_first_axis),
        cmocka_unit_test(a_wheel_turns_about_its_own_axle),
        cmocka_unit_test(a_wheel_is_not_attached_to_one_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
