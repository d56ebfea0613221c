/* test_joints.c: joints of the ODE face: attaching, groups, lists and parameters. */
#include "joint_tests.h"

#include "tests/support/random.h"

#include <stdbool.h>

static void joints_of_a_body_are_listed_and_found(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID ball = dJointCreateBall(w, 0), hinge = dJointCreateHinge(w, 0), list[2];
    dJointAttach(ball, b[0], b[1]);
    assert_int_equal(dAreConnected(b[0], b[1]), 1);
    assert_int_equal(dAreConnectedExcluding(b[0], b[1], dJointTypeBall), 0);
    dJointAttach(hinge, b[1], b[0]);
    assert_int_equal(dAreConnectedExcluding(b[0], b[1], dJointTypeBall), 1);
    assert_int_equal(dBodyGetNumJoints(b[0]), 2);
    assert_int_equal(dConnectingJointList(b[0], b[1], list), 2);
    assert_ptr_equal(dBodyGetJoint(b[0], 0), hinge);
    assert_ptr_equal(dBodyGetJoint(b[0], 1), ball);
    assert_null(dBodyGetJoint(b[0], 2));
    dJointAttach(hinge, 0, b[1]);
    assert_null(dJointGetBody(hinge, 0));
    assert_ptr_equal(dJointGetBody(hinge, 1), b[1]);
    assert_int_equal(dJointGetNumBodies(hinge), 1);
    assert_ptr_equal(dConnectingJoint(b[0], b[1]), ball);
    dJointDestroy(ball);
    assert_int_equal(dAreConnected(b[0], b[1]), 0);
    dWorldDestroy(w);
}

enum { BODIES = 5, JOINTS = 40 };

/* Joints of a world in the order in which they were attached; kind 0 and 1: contacts of a group, 2:
 * another joint. */
typedef struct row {
    dBodyID b[BODIES];
    dJointGroupID groups[2];
    dJointID joints[JOINTS];
    int of[JOINTS][2], kind[JOINTS], count;
} row;

static void attach_one(dWorldID w, row *r, test_random *random)
{
    dContact contact = {.geom = {.normal = {0, 0, 1}}};
    int i = r->count++, kind = r->kind[i] = (int)random_below(random, 3);
    int a = r->of[i][0] = (int)random_below(random, BODIES);
    int b = r->of[i][1] = (a + 1 + (int)random_below(random, BODIES - 1)) % BODIES;
    r->joints[i] = kind < 2 ? dJointCreateContact(w, r->groups[kind], &contact)
                            : dJointCreateBall(w, 0);
    dJointAttach(r->joints[i], r->b[a], r->b[b]);
}

/* All of a group, or one of kind 2. */
static void end_some(row *r, int kind)
{
    int kept = 0;
    bool ended = false;
    for (int i = 0; i < r->count; ++i) {
        bool ends = r->kind[i] == kind && !(kind == 2 && ended);
        ended |= ends;
        if (ends && kind == 2)
            dJointDestroy(r->joints[i]);
        if (ends)
            continue;
        r->joints[kept] = r->joints[i];
        r->kind[kept] = r->kind[i];
        r->of[kept][0] = r->of[i][0];
        r->of[kept][1] = r->of[i][1];
        ++kept;
    }
    r->count = kept;
    if (kind < 2)
        dJointGroupEmpty(r->groups[kind]);
}

static void check_pair(const row *r, int x, int y)
{
    int at = 0, between = 0, others = 0;
    dJointID list[JOINTS];
    for (int i = r->count - 1; i >= 0; --i) {
        bool has_x = r->of[i][0] == x || r->of[i][1] == x;
        bool has_y = r->of[i][0] == y || r->of[i][1] == y;
        if (has_x)
            assert_ptr_equal(dBodyGetJoint(r->b[x], at++), r->joints[i]);
        if (has_x && has_y && between++ == 0)
            assert_ptr_equal(dConnectingJoint(r->b[x], r->b[y]), r->joints[i]);
        others += has_x && has_y && r->kind[i] == 2;
    }
    assert_int_equal(dBodyGetNumJoints(r->b[x]), at);
    assert_null(dBodyGetJoint(r->b[x], at));
    assert_int_equal(dConnectingJointList(r->b[x], r->b[y], list), between);
    assert_int_equal(dAreConnected(r->b[x], r->b[y]), between > 0);
    assert_int_equal(dAreConnectedExcluding(r->b[x], r->b[y], dJointTypeContact), others > 0);
    assert_int_equal(dAreConnectedExcluding(r->b[y], r->b[x], dJointTypeBall), between > others);
}

/* Whatever comes and goes, in whatever order: contacts, of several groups, and others. */
static void lists_are_those_of_joints_that_are_attached(void **state)
{
    (void)state;
    test_random random = {3};
    dWorldID w = dWorldCreate();
    row r = {.groups = {dJointGroupCreate(0), dJointGroupCreate(0)}};
    for (int i = 0; i < BODIES; ++i)
        r.b[i] = dBodyCreate(w);
    for (int round = 0; round < 3000; ++round) {
        if (random_below(&random, 20) > 1 && r.count < JOINTS)
            attach_one(w, &r, &random);
        else
            end_some(&r, (int)random_below(&random, 3));
        int x = (int)random_below(&random, BODIES);
        check_pair(&r, x, (x + 1 + (int)random_below(&random, BODIES - 1)) % BODIES);
    }
    dWorldDestroy(w);
    dJointGroupDestroy(r.groups[0]);
    dJointGroupDestroy(r.groups[1]);
}

static void a_joint_loses_its_bodies_with_one_of_them(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID joint = dJointCreateBall(w, 0);
    dJointAttach(joint, b[0], b[1]);
    dWorldStep(w, (dReal)0.01);
    dBodyDestroy(b[1]);
    assert_null(dJointGetBody(joint, 0));
    assert_int_equal(dBodyGetNumJoints(b[0]), 0);
    assert_int_equal(dWorldStep(w, (dReal)0.01), 1);
    dJointAttach(joint, b[0], 0); /* out of limbo */
    dWorldSetGravity(w, 0, 0, -10);
    dWorldStep(w, (dReal)0.01);
    assert_true(fabs(dBodyGetPosition(b[0])[2]) < 1e-4);
    dWorldDestroy(w);
}

static void members_of_groups_go_with_their_group_alone(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointGroupID group = dJointGroupCreate(0);
    dJointID first = dJointCreateBall(w, group);
    dJointAttach(first, b[0], b[1]);
    dJointDestroy(first);
    assert_int_equal(dAreConnected(b[0], b[1]), 1);
    for (int i = 0; i < 2000; ++i)
        dJointAttach(dJointCreateNull(w, group), b[0], b[1]);
    assert_int_equal(dBodyGetNumJoints(b[1]), 2001);
    dJointGroupEmpty(group);
    assert_int_equal(dBodyGetNumJoints(b[1]), 0);
    dJointAttach(dJointCreateBall(w, group), b[0], b[1]);
    dWorldDestroy(w); /* before the group */
    dJointGroupDestroy(group);
}

static void parameters_are_kept_and_what_is_none_reads_0(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dWorldSetERP(w, (dReal)0.5);
    dJointID hinge = dJointCreateHinge(w, 0);
    dWorldSetERP(w, (dReal)0.1);
    dJointAttach(hinge, b[0], b[1]);
    assert_true(dJointGetHingeParam(hinge, dParamLoStop) == -dInfinity);
    assert_true(dJointGetHingeParam(hinge, dParamHiStop) == dInfinity);
    assert_true(dJointGetHingeParam(hinge, dParamFudgeFactor) == 1);
    assert_true(dJointGetHingeParam(hinge, dParamStopERP) == (dReal)0.5);
    assert_true(dJointGetHingeParam(hinge, dParamSuspensionERP) == 0);
    assert_true(dJointGetHingeParam(hinge, dParamGroup + dParamVel) == 0);
    dJointSetHingeParam(hinge, dParamFMax, -1);
    dJointSetHingeParam(hinge, dParamFudgeFactor, 2);
    assert_true(dJointGetHingeParam(hinge, dParamFMax) == 0);
    assert_true(dJointGetHingeParam(hinge, dParamFudgeFactor) == 1);
    dJointSetHingeParam(hinge, dParamLoStop, 1);
    dJointSetHingeParam(hinge, dParamHiStop, -1); /* inverted: kept, and no stop */
    dBodySetAngularVel(b[0], 3, 0, 0);
    for (int i = 0; i < 100; ++i)
        dWorldStep(w, (dReal)0.01);
    assert_true(dJointGetHingeParam(hinge, dParamLoStop) == 1);
    assert_true(dJointGetHingeAngleRate(hinge) > 2);
    dWorldDestroy(w);
}

static void stops_and_motors_hold_and_drive(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID slider = dJointCreateSlider(w, 0);
    dJointAttach(slider, b[0], 0);
    dJointSetSliderAxis(slider, 0, 0, 1);
    dJointSetSliderParam(slider, dParamHiStop, (dReal)0.5);
    dJointSetSliderParam(slider, dParamVel, 2);
    dJointSetSliderParam(slider, dParamFMax, 1000);
    dWorldStep(w, (dReal)0.01);
    dReal softened = 2 / (1 + dWorldGetCFM(w) / (dReal)0.01); /* K = 1 / kg */
    assert_true(fabs(dJointGetSliderPositionRate(slider) - softened) < 1e-6);
    for (int i = 0; i < 100; ++i)
        dWorldStep(w, (dReal)0.01);
    assert_true(fabs(dJointGetSliderPosition(slider) - 0.5) < 0.01);
    dJointSetSliderParam(slider, dParamVel, -2);
    dWorldStep(w, (dReal)0.01);
    dWorldStep(w, (dReal)0.01);
    assert_true(fabs(dJointGetSliderPositionRate(slider) + 2) < 0.01);
    dWorldDestroy(w);
}

/* The axis lies next to -x, where a turn from x is ill-defined. */
static void pistons_swing_as_hinges_do(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID hinge = dJointCreateHinge(w, 0), piston = dJointCreatePiston(w, 0);
    dVector3 axis;
    dWorldSetGravity(w, 0, 0, -10);
    for (int i = 0; i < 2; ++i)
        dBodySetPosition(b[i], 0, (dReal)0.5, 0);
    dJointAttach(hinge, b[0], 0);
    dJointAttach(piston, 0, b[1]);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetPistonAnchor(piston, 0, 0, 0);
    dJointSetHingeAxis(hinge, -1, 0, (dReal)5e-4);
    dJointSetPistonAxis(piston, -1, 0, (dReal)5e-4);
    for (int i = 0; i < 100; ++i)
        dWorldStep(w, (dReal)0.01);
    dReal tolerance = sizeof(dReal) == 8 ? (dReal)1e-4 : (dReal)1e-3;
    const dReal *of_hinge = dBodyGetPosition(b[0]), *of_piston = dBodyGetPosition(b[1]);
    assert_true(of_hinge[1] < (dReal)0.4);
    for (int k = 1; k < 3; ++k)
        assert_true(fabs(of_hinge[k] - of_piston[k]) < tolerance);
    dJointGetHingeAxis(hinge, axis);
    assert_true(fabs(axis[2] - 5e-4) < 1e-5);
    dWorldDestroy(w);
}

static void setters_before_attaching_do_nothing(void **state)
{
    (void)state;
    dBodyID b[2];
    dVector3 axis;
    dWorldID w = make_pair(b);
    dJointID hinge = dJointCreateHinge(w, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointAttach(hinge, b[0], b[1]);
    dJointGetHingeAxis(hinge, axis);
    assert_true(axis[0] == 1 && axis[2] == 0);
    dJointSetHingeAxis(hinge, 0, 0, 4);
    dJointGetHingeAxis(hinge, axis);
    assert_true(fabs(axis[0]) < 1e-6 && fabs(axis[2] - 1) < 1e-6);
    dWorldDestroy(w);
}

/* --- as if bodies were elsewhere. Each with both bodies, and with the world as either. */

enum { TWO_BODIES, FIRST_BODY, SECOND_BODY, WAYS };

static void attach(dJointID joint, const dBodyID b[2], int way)
{
    dJointAttach(joint, way == SECOND_BODY ? 0 : b[0],
                 way == TWO_BODIES   ? b[1]
                 : way == FIRST_BODY ? 0
                                     : b[0]);
}

/* Nothing moves, since all is where the joints have been told that it is. */
static void stands_still(dWorldID w, const dBodyID b[2])
{
    run(w, 20);
    for (int i = 0; i < 2; ++i) {
        points_to(dBodyGetPosition(b[i]), i, 0, 0, 1e-5);
        near_to(dBodyGetQuaternion(b[i])[0], 1, 1e-6);
    }
}

static void a_hinge_begins_at_an_angle(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; ++way) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID hinge = dJointCreateHinge(w, 0);
        dVector3 v;
        attach(hinge, b, way);
        dJointSetHingeAnchor(hinge, (dReal)0.5, 0, 0);
        dJointSetHingeAxisOffset(hinge, 0, 0, 2, (dReal)0.3);
        dJointGetHingeAxis(hinge, v);
        points_to(v, 0, 0, 1, 1e-6);
        near_to(dJointGetHingeAngle(hinge), 0.3, 1e-6);
        stands_still(w, b);
        near_to(dJointGetHingeAngle(hinge), 0.3, 1e-5);
        dJointSetHingeParam(hinge, dParamLoStop, way == SECOND_BODY ? (dReal)-0.3 : (dReal)0.3);
        stands_still(w, b); /* stops count from there: by body 0, whichever that is */
        dWorldDestroy(w);
    }
}

static void anchors_of_a_hinge_come_together(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID hinge = dJointCreateHinge(w, 0);
    dVector3 v;
    dJointAttach(hinge, b[0], 0);
    dJointSetHingeAnchorDelta(hinge, 0, 0, 0, (dReal)0.2, 0, 0);
    dJointGetHingeAnchor(hinge, v);
    points_to(v, 0, 0, 0, 1e-6);
    dJointGetHingeAnchor2(hinge, v);
    points_to(v, 0.2, 0, 0, 1e-6);
    run(w, 100);
    points_to(dBodyGetPosition(b[0]), 0.2, 0, 0, 1e-3);
    dWorldDestroy(w);
}

static void slides_begin_at_a_position(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; ++way) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        double delta = way == SECOND_BODY ? 0.5 : -0.5; /* body 0 would have to go by that */
        dJointID slider = dJointCreateSlider(w, 0), piston = dJointCreatePiston(w, 0);
        attach(slider, b, way);
        dJointSetSliderAxisDelta(slider, 0, 2, 0, 7, (dReal)0.5, 7);
        near_to(dJointGetSliderPosition(slider), delta, 1e-6);
        stands_still(w, b);
        near_to(dJointGetSliderPosition(slider), delta, 1e-5);
        dJointDestroy(slider);
        attach(piston, b, way);
        dJointSetPistonAxis(piston, 0, 1, 0);
        dJointSetPistonAnchorOffset(piston, 0, 1, 0, 7, (dReal)0.25, 7);
        near_to(dJointGetPistonPosition(piston), 0.25, 1e-6);
        stands_still(w, b);
        near_to(dJointGetPistonPosition(piston), 0.25, 1e-5);
        dJointSetPistonAxisDelta(piston, 0, 0, 1, 7, 7, (dReal)0.5);
        near_to(dJointGetPistonPosition(piston), delta, 1e-5);
        stands_still(w, b);
        near_to(dJointGetPistonPosition(piston), delta, 1e-5);
        dWorldDestroy(w);
    }
}

static void a_universal_joint_begins_at_angles(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; ++way) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID joint = dJointCreateUniversal(w, 0);
        dVector3 v;
        attach(joint, b, way);
        dJointSetUniversalAnchor(joint, (dReal)0.5, 0, 0);
        dJointSetUniversalAxis2(joint, 0, 1, 0);
        dJointSetUniversalAxis1Offset(joint, 1, 0, 0, (dReal)0.2, (dReal)0.17);
        for (int k = 0; k < 2; ++k) {
            near_to(dJointGetUniversalAngle1(joint), 0.2, 1e-5);
            near_to(dJointGetUniversalAngle2(joint), 0.17, 1e-5);
            dJointGetUniversalAxis1(joint, v);
            points_to(v, 1, 0, 0, 1e-5);
            dJointGetUniversalAxis2(joint, v);
            points_to(v, 0, 1, 0, 1e-5);
            stands_still(w, b);
        }
        dJointSetUniversalAxis2Offset(joint, 0, 0, 3, (dReal)-0.4, (dReal)0.1);
        near_to(dJointGetUniversalAngle1(joint), -0.4, 1e-5);
        near_to(dJointGetUniversalAngle2(joint), 0.1, 1e-5);
        stands_still(w, b);
        near_to(dJointGetUniversalAngle1(joint), -0.4, 1e-5);
        dWorldDestroy(w);
    }
}

/* Axis 1 is the program's first, with the world as the first body too. */
static void motors_of_a_universal_joint_drive_its_axes(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        double sign = turned ? -1 : 1; /* motors act on the body that is there */
        dJointID joint = dJointCreateUniversal(w, 0);
        dJointAttach(joint, turned ? 0 : b[0], turned ? b[0] : 0);
        dJointSetUniversalAnchor(joint, 0, 0, 0);
        dJointSetUniversalAxis1(joint, 1, 0, 0);
        dJointSetUniversalAxis2(joint, 0, 1, 0);
        dJointSetUniversalParam(joint, dParamVel, 1);
        dJointSetUniversalParam(joint, dParamFMax, 1000);
        dJointSetUniversalParam(joint, dParamHiStop2, (dReal)0.2);
        run(w, 30);
        points_to(dBodyGetAngularVel(b[0]), 1, 0, 0, 2e-3);
        near_to(dJointGetUniversalAngle1(joint), sign * 0.3, 1e-3);
        near_to(dJointGetUniversalAngle1Rate(joint), sign, 2e-3);
        near_to(dJointGetUniversalAngle2(joint), 0, 1e-3);
        dBodySetTorque(b[0], 0, 0, 0);
        dJointAddUniversalTorques(joint, 3, 0);
        points_to(dBodyGetTorque(b[0]), 3 * sign, 0, 0, 1e-4);
        dWorldDestroy(w);
    }
}

/* --- what contacts exert */

enum { POINTS = 5 };

/* The upper body rests on the lower one, or on the floor, by corners; two of five points in one
 * place. Returns what bears it in all. */
static void rest(dWorldID w, dBodyID upper, dBodyID lower, int turned, dJointFeedback *out)
{
    const dReal corner[POINTS][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {1, 1}};
    dJointGroupID group = dJointGroupCreate(0);
    for (int i = 0; i < POINTS; ++i) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = (dReal)0.5}};
        contact.geom.pos[0] = corner[i][0];
        contact.geom.pos[1] = corner[i][1];
        contact.geom.pos[2] = (dReal)0.5;
        contact.geom.normal[2] = turned ? -1 : 1; /* into the first body */
        dJointID joint = dJointCreateContact(w, group, &contact);
        dJointAttach(joint, turned ? lower : upper, turned ? upper : lower);
        dJointSetFeedback(joint, &out[i]);
    }
    dBodyAddForce(upper, 2, 0, 0); /* friction bears it */
    run(w, 1);
    dJointGroupDestroy(group);
}

static void contacts_tell_what_they_bear(void **state)
{
    (void)state;
    for (int variant = 0; variant < 8; ++variant) {
        int turned = variant & 1, on_floor = variant >> 1 & 1, made_last = variant >> 2;
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dBodyID upper = b[!made_last], lower = on_floor ? 0 : b[made_last];
        dJointFeedback told[POINTS] = {0};
        dVector3 force = {0}, torque = {0}, other = {0};
        dWorldSetGravity(w, 0, 0, -10);
        dBodySetPosition(upper, 0, 0, 1);
        dBodySetPosition(b[made_last], 0, 0, 0);
        dBodySetKinematic(b[made_last]);
        rest(w, upper, lower, turned, told);
        int first = on_floor || !turned; /* the floor is never body 0 */
        for (int i = 0; i < POINTS; ++i)
            for (int k = 0; k < 3; ++k) {
                force[k] += first ? told[i].f1[k] : told[i].f2[k];
                torque[k] += first ? told[i].t1[k] : told[i].t2[k];
                other[k] += first ? told[i].f2[k] : told[i].f1[k];
            }
        double tolerance = sizeof(dReal) == 8 ? 1e-3 : 0.03; /* CFM */
        points_to(force, -2, 0, 10, tolerance);
        points_to(torque, 0, 0, 0, tolerance);
        points_to(other, on_floor ? 0 : 2, 0, on_floor ? 0 : -10, tolerance);
        near_to(told[2].f1[2], told[4].f1[2], 0.5 * fabs(told[2].f1[2]) + 1e-6);
        dWorldDestroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_of_a_body_are_listed_and_found),
        cmocka_unit_test(lists_are_those_of_joints_that_are_attached),
        cmocka_unit_test(a_joint_loses_its_bodies_with_one_of_them),
        cmocka_unit_test(members_of_groups_go_with_their_group_alone),
        cmocka_unit_test(parameters_are_kept_and_what_is_none_reads_0),
        cmocka_unit_test(stops_and_motors_hold_and_drive),
        cmocka_unit_test(pistons_swing_as_hinges_do),
        cmocka_unit_test(setters_before_attaching_do_nothing),
        cmocka_unit_test(a_hinge_begins_at_an_angle),
        cmocka_unit_test(anchors_of_a_hinge_come_together),
        cmocka_unit_test(slides_begin_at_a_position),
        cmocka_unit_test(a_universal_joint_begins_at_angles),
        cmocka_unit_test(motors_of_a_universal_joint_drive_its_axes),
        cmocka_unit_test(contacts_tell_what_they_bear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
