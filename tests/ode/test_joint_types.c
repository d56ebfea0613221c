/* test_joint_types.c: joints of the ODE face that hold what the common ones do not: slides with
 * hinges and universal joints, links, wheels that drive each other. */
#include "joint_tests.h"

/* --- slides with hinges and universal joints */

/* The slide is the first body's, the hinge stays with the second; either may be the world. */
static void a_hinge_slides_along_the_first_body(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID pr = dJointCreatePR(w, 0);
        dVector3 v;
        dJointAttach(pr, turned ? 0 : b[0], turned ? b[0] : 0);
        dJointSetPRAnchor(pr, -1, 0, 0);
        dJointSetPRAxis1(pr, 1, 0, 0);
        dJointSetPRAxis2(pr, 0, 0, 1);
        near_to(dJointGetPRPosition(pr), 0, 1e-6);
        dJointSetPRParam(pr, dParamVel, (dReal)0.5);
        dJointSetPRParam(pr, dParamFMax, 1000);
        dJointSetPRParam(pr, dParamVel2, 1);
        dJointSetPRParam(pr, dParamFMax2, 1000);
        assert_true(dJointGetPRParam(pr, dParamVel2) == 1);
        run(w, 50);
        double sign = turned ? -1 : 1; /* motors act on the body that is there */
        near_to(dJointGetPRPosition(pr), sign * 0.25, 0.01);
        near_to(dJointGetPRPositionRate(pr), sign * 0.5, 0.02); /* turns within a step */
        near_to(dJointGetPRAngle(pr), sign * 0.5, 0.01);
        near_to(dJointGetPRAngleRate(pr), sign, 0.01);
        dJointGetPRAxis1(pr, v);
        points_to(v, turned ? 1 : cos(0.5), turned ? 0 : sin(0.5), 0, 0.01);
        dJointGetPRAxis2(pr, v);
        points_to(v, 0, 0, 1, 1e-3);
        dJointGetPRAnchor(pr, v);
        points_to(v, turned ? -0.75 : -1, 0, 0, 0.01);
        const dReal *p = dBodyGetPosition(b[0]);
        points_to(p, turned ? -0.75 + cos(0.5) : -1 + 1.25 * cos(0.5),
                  turned ? sin(0.5) : 1.25 * sin(0.5), 0, 0.02);
        dJointSetPRParam(pr, dParamHiStop2, (dReal)0.6);
        dJointSetPRParam(pr, dParamHiStop, (dReal)0.3);
        run(w, 50);
        near_to(dJointGetPRPosition(pr), sign * 0.3, 0.01);
        near_to(dJointGetPRAngle(pr), sign * 0.6, 0.01);
        dBodySetTorque(b[0], 0, 0, 0);
        dJointAddPRTorque(pr, 2);
        points_to(dBodyGetTorque(b[0]), 0, 0, 2 * sign, 1e-2);
        dWorldDestroy(w);
    }
}

/* Each axis in turn is driven to a stop, with slides of several directions. */
static void a_universal_joint_slides_along_the_first_body(void **state)
{
    (void)state;
    for (int variant = 0; variant < 6; ++variant) {
        const dReal slides[3][3] = {{1, 0, 0}, {-1, 0, 0}, {(dReal)0.6, 0, (dReal)0.8}};
        const dReal *slide = slides[variant / 2];
        int turned = variant % 2;
        double sign = turned ? -1 : 1; /* motors act on the body that is there */
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID pu = dJointCreatePU(w, 0);
        dVector3 v;
        dReal angle[2];
        dJointAttach(pu, turned ? 0 : b[0], turned ? b[0] : 0);
        dJointSetPUAnchor(pu, -1, 0, 0);
        dJointSetPUAxis1(pu, 0, 1, 0);
        dJointSetPUAxis2(pu, 0, 0, 1);
        dJointSetPUAxis3(pu, slide[0], slide[1], slide[2]);
        dJointSetPUParam(pu, dParamVel, 1);
        dJointSetPUParam(pu, dParamFMax, 1000);
        dJointSetPUParam(pu, dParamHiStop, (dReal)0.3);
        dJointSetPUParam(pu, dParamVel2, (dReal)-0.5);
        dJointSetPUParam(pu, dParamFMax2, 1000);
        dJointSetPUParam(pu, dParamLoStop2, (dReal)-0.2);
        dJointSetPUParam(pu, dParamVel3, 2);
        dJointSetPUParam(pu, dParamFMax3, 1000);
        dJointSetPUParam(pu, dParamHiStop3, (dReal)0.5);
        assert_true(dJointGetPUParam(pu, dParamVel3) == 2);
        run(w, 1);
        near_to(dJointGetPUAngle1Rate(pu), sign, 0.03);
        near_to(dJointGetPUAngle2Rate(pu), sign * -0.5, 0.03);
        near_to(dJointGetPUPositionRate(pu), sign * 2, 0.03);
        run(w, 99);
        near_to(dJointGetPUAngle1(pu), sign * 0.3, 0.01);
        near_to(dJointGetPUAngle2(pu), sign * -0.2, 0.01);
        near_to(dJointGetPUPosition(pu), sign * 0.5, 0.01);
        dJointGetPUAngles(pu, &angle[0], &angle[1]);
        assert_true(angle[0] == dJointGetPUAngle1(pu) && angle[1] == dJointGetPUAngle2(pu));
        dJointGetPUAnchor(pu, v);
        points_to(v, turned ? -1 + 0.5 * slide[0] : -1, 0, turned ? 0.5 * slide[2] : 0, 0.02);
        dVector3 axis1, axis2, axis3, expected;
        dJointGetPUAxis1(pu, axis1);
        dJointGetPUAxis2(pu, axis2);
        dJointGetPUAxis3(pu, axis3);
        dJointGetPUAxisP(pu, v);
        near_to(dCalcVectorDot3(axis1, axis2), 0, 1e-3);
        near_to(dCalcVectorDot3(axis1, axis3), 0, 1e-3);
        assert_true(v[0] == axis3[0] && v[2] == axis3[2]);
        dBodyVectorToWorld(b[0], 0, !turned, turned, expected); /* what turns with the body */
        points_to(turned ? axis2 : axis1, expected[0], expected[1], expected[2], 1e-5);
        dJointAddPUTorque(pu, 2);
        for (int i = 0; i < 3; ++i)
            near_to(dBodyGetTorque(b[0])[i], sign * 2 * axis1[i], 1e-5);
        dWorldDestroy(w);
    }
}

static void the_anchor_of_a_slide_is_set_as_if_it_were_elsewhere(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID pu = dJointCreatePU(w, 0);
    dVector3 v;
    dJointAttach(pu, b[0], b[1]);
    dJointSetPUAxisP(pu, 0, 0, 1);
    dJointSetPUAxis1(pu, 1, 0, 0);
    dJointSetPUAxis2(pu, 0, 1, 0);
    dJointSetPUAnchorOffset(pu, 1, 2, 3, 7, 8, (dReal)0.5);
    near_to(dJointGetPUPosition(pu), 0.5, 1e-6);
    dJointGetPUAnchor(pu, v);
    points_to(v, 1, 2, 3, 1e-6);
    dJointSetPUAnchorDelta(pu, 1, 2, 3, 0, 0, (dReal)0.5);
    near_to(dJointGetPUPosition(pu), -0.5, 1e-6);
    run(w, 10);
    near_to(dJointGetPUPosition(pu), -0.5, 1e-5);
    points_to(dBodyGetPosition(b[0]), 0, 0, 0, 1e-5);
    dWorldDestroy(w);
}

/* --- links */

static void a_double_ball_keeps_its_anchors_at_a_distance(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dVector3 v;
        dWorldSetERP(w, (dReal)0.6);
        dJointID link = dJointCreateDBall(w, 0);
        dWorldSetGravity(w, 0, 0, -10);
        dJointSetDBallAnchor1(link, 1, 1, 1); /* is not attached */
        dJointAttach(link, turned ? 0 : b[0], b[1]);
        near_to(dJointGetDBallDistance(link), 1, 1e-6);
        dJointSetDBallAnchor1(link, 0, 0, 2);
        dJointSetDBallAnchor2(link, 1, 0, 2);
        dJointGetDBallAnchor1(link, v);
        points_to(v, 0, 0, 2, 1e-6);
        dJointGetDBallAnchor2(link, v);
        points_to(v, 1, 0, 2, 1e-6);
        near_to(dJointGetDBallDistance(link), 1, 1e-6);
        dJointSetDBallDistance(link, (dReal)1.5);
        near_to(dJointGetDBallDistance(link), 1.5, 1e-6);
        near_to(dJointGetDBallParam(link, dParamERP), 0.6, 1e-6); /* the world's when it was made */
        dJointSetDBallParam(link, dParamERP, (dReal)0.1);
        dJointSetDBallParam(link, dParamCFM, (dReal)1e-6);
        near_to(dJointGetDBallParam(link, dParamCFM), 1e-6, 1e-9);
        run(w, 200);
        dVector3 p, q;
        dJointGetDBallAnchor1(link, p);
        dJointGetDBallAnchor2(link, q);
        near_to(dCalcPointsDistance3(p, q), 1.5, 0.02);
        dJointSetDBallDistance(link, 0); /* is as near to 0 as can be */
        run(w, 200);
        dJointGetDBallAnchor1(link, p);
        dJointGetDBallAnchor2(link, q);
        near_to(dCalcPointsDistance3(p, q), 0, 0.02);
        dMessageFunction *before = dGetDebugHandler();
        dSetDebugHandler(count_complaint);
        complaints = 0;
        dJointSetDBallDistance(link, -1);
        dSetDebugHandler(before);
        assert_int_equal(complaints, 1);
        assert_true(dJointGetDBallDistance(link) == 0);
        dWorldDestroy(w);
    }
}

/* A swing: the seat's axis stays level and in its plane, the link stays as long. */
static void a_double_hinge_swings_in_a_plane(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID link = dJointCreateDHinge(w, 0);
    dVector3 v, p, q;
    dWorldSetGravity(w, 0, 3, -10);
    dJointAttach(link, b[1], 0);
    dJointGetDHingeAxis(link, v);
    points_to(v, 1, 0, 0, 1e-6);
    dJointSetDHingeAxis(link, 0, 2, 0);
    dJointGetDHingeAxis(link, v);
    points_to(v, 0, 1, 0, 1e-6);
    dJointSetDHingeAnchor1(link, (dReal)0.9, 0, 0);
    dJointSetDHingeAnchor2(link, 0, 0, (dReal)0.5);
    double length = dJointGetDHingeDistance(link);
    near_to(length, hypot(0.9, 0.5), 1e-6);
    dJointSetDHingeParam(link, dParamERP, (dReal)0.5);
    near_to(dJointGetDHingeParam(link, dParamERP), 0.5, 1e-6);
    assert_true(dJointGetDHingeParam(link, dParamFMax) == 0);
    double lowest = 0;
    for (int i = 0; i < 200; ++i) {
        run(w, 1);
        dJointGetDHingeAnchor1(link, p);
        dJointGetDHingeAnchor2(link, q);
        points_to(q, 0, 0, 0.5, 1e-6);
        near_to(dCalcPointsDistance3(p, q), length, 0.01);
        near_to(p[1], 0, 1e-3);
        lowest = fmin(lowest, p[2]);
    }
    near_to(lowest, 0.5 - length, 0.01);
    dJointGetDHingeAxis(link, v);
    points_to(v, 0, 1, 0, 1e-3);
    dWorldDestroy(w);
}

/* --- wheels that drive each other */

/* Two wheels on hinges with the world, at places and about axes of their own. */
typedef struct wheel_pair {
    dWorldID world;
    dBodyID body[2];
    dJointID joint;
    dJointFeedback feedback;
} wheel_pair;

static void make_wheels(wheel_pair *out, int mode, const dVector3 place[2], const dVector3 axis[2])
{
    out->world = make_pair(out->body);
    for (int i = 0; i < 2; ++i) {
        dJointID hinge = dJointCreateHinge(out->world, 0);
        dBodySetPosition(out->body[i], place[i][0], place[i][1], place[i][2]);
        dJointAttach(hinge, out->body[i], 0);
        dJointSetHingeAnchor(hinge, place[i][0], place[i][1], place[i][2]);
        dJointSetHingeAxis(hinge, axis[i][0], axis[i][1], axis[i][2]);
    }
    dJointID joint = out->joint = dJointCreateTransmission(out->world, 0);
    dJointAttach(joint, out->body[0], out->body[1]);
    dJointSetFeedback(joint, &out->feedback);
    dJointSetTransmissionMode(joint, mode);
    assert_int_equal(dJointGetTransmissionMode(joint), mode);
    dJointSetTransmissionAnchor1(joint, place[0][0], place[0][1], place[0][2]);
    dJointSetTransmissionAnchor2(joint, place[1][0], place[1][1], place[1][2]);
    if (mode == dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis1(joint, axis[0][0], axis[0][1], axis[0][2]);
        dJointSetTransmissionAxis2(joint, axis[1][0], axis[1][1], axis[1][2]);
    } else {
        dJointSetTransmissionAxis(joint, axis[0][0], axis[0][1], axis[0][2]);
    }
}

/* Drives the first wheel for two turns and more; returns how far. */
static double drive(wheel_pair *wheels, const dVector3 axis)
{
    dJointID motor = dJointCreateAMotor(wheels->world, 0);
    dJointAttach(motor, wheels->body[0], 0);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 0, axis[0], axis[1], axis[2]);
    dJointSetAMotorParam(motor, dParamVel, 5);
    dJointSetAMotorParam(motor, dParamFMax, 1000);
    run(wheels->world, 300);
    dJointDestroy(motor);
    near_to(dJointGetTransmissionAngle1(wheels->joint), 15, 0.1);
    return dJointGetTransmissionAngle1(wheels->joint);
}

static void gears_turn_against_each_other_as_their_radii_say(void **state)
{
    (void)state;
    wheel_pair g;
    const dVector3 place[2] = {{5, 1, 2}, {8, 1, 2}}, axis[2] = {{0, 0, 1}, {0, 0, 1}};
    dVector3 v;
    make_wheels(&g, dTransmissionParallelAxes, place, axis);
    assert_true(dJointGetTransmissionRatio(g.joint) == 1);
    dJointSetTransmissionRatio(g.joint, 2);
    assert_true(dJointGetTransmissionRatio(g.joint) == 2);
    near_to(dJointGetTransmissionRadius1(g.joint), 2, 1e-5);
    near_to(dJointGetTransmissionRadius2(g.joint), 1, 1e-5);
    dJointGetTransmissionContactPoint1(g.joint, v);
    points_to(v, 7, 1, 2, 1e-5);
    dJointGetTransmissionContactPoint2(g.joint, v);
    points_to(v, 7, 1, 2, 1e-5);
    dJointGetTransmissionAxis(g.joint, v);
    points_to(v, 0, 0, 1, 1e-6);
    v[2] = 9;
    dJointGetTransmissionAxis2(g.joint, v);
    points_to(v, 0, 0, 1, 1e-6);
    dJointGetTransmissionAnchor1(g.joint, v);
    points_to(v, 5, 1, 2, 1e-5);
    dBodyAddTorque(g.body[0], 0, 0, 10); /* I + 4 I is what that turns */
    run(g.world, 1);
    near_to(dBodyGetAngularVel(g.body[0])[2], 0.02, 1e-3);
    near_to(dBodyGetAngularVel(g.body[1])[2], -0.04, 1e-3);
    points_to(g.feedback.f1, 0, -4, 0, 0.1); /* on a lever of 2 m, and of 1 m */
    points_to(g.feedback.t1, 0, 0, -8, 0.2);
    points_to(g.feedback.f2, 0, 4, 0, 0.1);
    points_to(g.feedback.t2, 0, 0, -4, 0.1);
    double driven = drive(&g, axis[0]);
    near_to(dJointGetTransmissionAngle2(g.joint), -2 * driven, 2e-3);
    dWorldDestroy(g.world);
}

static void bevel_gears_turn_either_way(void **state)
{
    (void)state;
    for (int side = -1; side < 2; side += 2) {
        wheel_pair g;
        const dVector3 place[2] = {{5, 1, 2}, {7, 1, (dReal)(2 + side)}};
        const dVector3 axis[2] = {{0, 0, 1}, {1, 0, 0}};
        dVector3 v;
        make_wheels(&g, dTransmissionIntersectingAxes, place, axis);
        near_to(dJointGetTransmissionRatio(g.joint), 2, 1e-5);
        near_to(dJointGetTransmissionRadius1(g.joint), 2, 1e-5);
        near_to(dJointGetTransmissionRadius2(g.joint), 1, 1e-5);
        dJointGetTransmissionContactPoint1(g.joint, v);
        points_to(v, 7, 1, 2, 1e-5);
        dJointGetTransmissionAxis1(g.joint, v);
        points_to(v, 0, 0, 1, 1e-6);
        dJointSetTransmissionAxis2(g.joint, 0, 1, 0);
        dJointGetTransmissionAxis2(g.joint, v);
        points_to(v, 0, 1, 0, 1e-6);
        dJointSetTransmissionAxis2(g.joint, axis[1][0], axis[1][1], axis[1][2]);
        dJointGetTransmissionAnchor2(g.joint, v);
        points_to(v, 7, 1, 2 + side, 1e-5);
        double driven = drive(&g, axis[0]);
        near_to(dJointGetTransmissionAngle2(g.joint), 2 * side * driven, 2e-3);
        dWorldDestroy(g.world);
    }
}

static void a_chain_turns_both_wheels_the_same_way(void **state)
{
    (void)state;
    wheel_pair c;
    const dVector3 place[2] = {{5, 1, 2}, {5, 4, 2}}, axis[2] = {{0, 0, 1}, {0, 0, 1}};
    make_wheels(&c, dTransmissionChainDrive, place, axis);
    dJointSetTransmissionRadius1(c.joint, (dReal)0.5);
    dJointSetTransmissionRadius2(c.joint, 2);
    near_to(dJointGetTransmissionRatio(c.joint), 0.25, 1e-6);
    assert_true(dJointGetTransmissionRadius2(c.joint) == 2);
    dVector3 p, q, chain;
    dJointGetTransmissionContactPoint1(c.joint, p);
    dJointGetTransmissionContactPoint2(c.joint, q);
    for (int i = 0; i < 3; ++i)
        chain[i] = q[i] - p[i];
    for (int i = 0; i < 3; ++i) {
        p[i] -= place[0][i];
        q[i] -= place[1][i];
    }
    near_to(dCalcVectorDot3(p, chain), 0, 1e-5); /* it is a tangent */
    near_to(dCalcVectorDot3(q, chain), 0, 1e-5);
    near_to(dCalcVectorDot3(p, q), 1, 1e-5); /* of both on one side */
    dJointDisable(c.joint);
    dBodySetAngularVel(c.body[0], 0, 0, 1);
    run(c.world, 1);
    near_to(dBodyGetAngularVel(c.body[1])[2], 0, 1e-5);
    dBodySetAngularVel(c.body[0], 0, 0, 0);
    dJointEnable(c.joint);
    dJointSetTransmissionMode(c.joint, dTransmissionChainDrive); /* angles begin anew */
    double driven = drive(&c, axis[0]);
    near_to(dJointGetTransmissionAngle2(c.joint), driven / 4, 2e-3);
    dWorldDestroy(c.world);
}

/* Gears of 1.5 m with 0.3 m of backlash: the first turns by 0.1 until it presses, one way or the
 * other. */
static void gears_with_backlash_turn_freely_in_between(void **state)
{
    (void)state;
    for (int way = -1; way < 2; way += 2) {
        wheel_pair g;
        const dVector3 place[2] = {{0, 0, 0}, {3, 0, 0}}, axis[2] = {{0, 0, 1}, {0, 0, 1}};
        make_wheels(&g, dTransmissionParallelAxes, place, axis);
        dJointSetTransmissionBacklash(g.joint, (dReal)0.3);
        assert_true(dJointGetTransmissionBacklash(g.joint) == (dReal)0.3);
        dJointSetTransmissionParam(g.joint, dParamERP, (dReal)0.5);
        dJointSetTransmissionParam(g.joint, dParamCFM, (dReal)1e-6);
        near_to(dJointGetTransmissionParam(g.joint, dParamERP), 0.5, 1e-6);
        near_to(dJointGetTransmissionParam(g.joint, dParamCFM), 1e-6, 1e-9);
        dBodySetAngularVel(g.body[0], 0, 0, (dReal)way);
        run(g.world, 9);
        near_to(dBodyGetAngularVel(g.body[0])[2], way, 1e-4);
        near_to(dBodyGetAngularVel(g.body[1])[2], 0, 1e-4);
        run(g.world, 20);
        near_to(dBodyGetAngularVel(g.body[0])[2], 0.5 * way, 0.02);
        near_to(dBodyGetAngularVel(g.body[1])[2], -0.5 * way, 0.02);
        near_to(dJointGetTransmissionAngle1(g.joint) + dJointGetTransmissionAngle2(g.joint),
                0.1 * way, 0.01);
        dWorldDestroy(g.world);
    }
}

static void transmissions_refuse_what_their_mode_has_not(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID t = dJointCreateTransmission(w, 0);
    dVector3 v = {7, 7, 7};
    dMessageFunction *before = dGetDebugHandler();
    dSetDebugHandler(count_complaint);
    complaints = 0;
    dJointAttach(t, b[0], 0);
    dJointAttach(t, b[0], b[1]);
    dJointSetTransmissionRadius1(t, 2); /* with parallel axes */
    dJointSetTransmissionAxis1(t, 0, 0, 1);
    dJointSetTransmissionRatio(t, 0);
    dJointSetTransmissionBacklash(t, -1);
    dJointSetTransmissionMode(t, 3);
    dJointSetTransmissionMode(t, dTransmissionIntersectingAxes);
    dJointSetTransmissionRatio(t, 3);
    dJointGetTransmissionAxis(t, v);
    dSetDebugHandler(before);
    assert_int_equal(complaints, 8);
    points_to(v, 7, 7, 7, 0);
    assert_true(dJointGetTransmissionRatio(t) == 1); /* axes that do not meet: nothing is held */
    dBodySetAngularVel(b[0], 1, 0, 0);
    run(w, 10);
    near_to(dBodyGetAngularVel(b[0])[0], 1, 1e-5);
    dWorldDestroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge_slides_along_the_first_body),
        cmocka_unit_test(a_universal_joint_slides_along_the_first_body),
        cmocka_unit_test(the_anchor_of_a_slide_is_set_as_if_it_were_elsewhere),
        cmocka_unit_test(a_double_ball_keeps_its_anchors_at_a_distance),
        cmocka_unit_test(a_double_hinge_swings_in_a_plane),
        cmocka_unit_test(gears_turn_against_each_other_as_their_radii_say),
        cmocka_unit_test(bevel_gears_turn_either_way),
        cmocka_unit_test(a_chain_turns_both_wheels_the_same_way),
        cmocka_unit_test(gears_with_backlash_turn_freely_in_between),
        cmocka_unit_test(transmissions_refuse_what_their_mode_has_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
