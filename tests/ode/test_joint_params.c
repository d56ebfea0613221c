/* test_joint_params.c: parameters of all types of joints of the ODE face: what they begin with,
 * that each is kept by itself, and that 0 is read of what a type has not; and what all joints
 * have. */
#include "joint_params.h"
#include "joint_tests.h"

/* What a joint has of one that the world says at its making, or 0. */
static dReal first_value(const with_params *t, int axis, int parameter)
{
    if (axis < t->axes)
        switch (parameter) {
        case dParamLoStop:
            return -dInfinity;
        case dParamHiStop:
            return dInfinity;
        case dParamFudgeFactor:
            return 1;
        case dParamStopERP:
            return world_erp;
        case dParamCFM:
        case dParamStopCFM:
            return world_cfm;
        }
    if (axis == 0 && t->soft)
        return parameter == dParamERP ? world_erp : parameter == dParamCFM ? world_cfm : 0;
    if (axis == 0 && t->sprung)
        return parameter == dParamSuspensionERP   ? world_erp
               : parameter == dParamSuspensionCFM ? world_cfm
                                                  : 0;
    return 0;
}

static int is_of(const with_params *t, int axis, int parameter)
{
    if (axis < t->axes && parameter <= dParamStopCFM)
        return parameter != dParamLoVel && parameter != dParamHiVel;
    if (axis == 0 && t->soft)
        return parameter == dParamERP || parameter == dParamCFM;
    return axis == 0 && t->sprung &&
           (parameter == dParamSuspensionERP || parameter == dParamSuspensionCFM);
}

static void parameters_begin_as_the_world_has_them(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; ++i) {
        const with_params *t = &types[i];
        dWorldID w;
        dJointID joint = make_with_params(t, &w);
        FOR_EACH_PARAMETER(axis, parameter)
        {
            dReal want = first_value(t, axis, parameter);
            dReal got = t->get(joint, axis * dParamGroup + parameter);
            if (got != want)
                fail_msg("type %d, axis %d, parameter %d: %g, not %g", (int)dJointGetType(joint),
                         axis, parameter, (double)got, (double)want);
        }
        dWorldDestroy(w);
    }
}

static void each_parameter_is_kept_by_itself(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; ++i) {
        const with_params *t = &types[i];
        dWorldID w;
        dJointID joint = make_with_params(t, &w);
        dReal value = 0;
        FOR_EACH_PARAMETER(axis, parameter)
        t->set(joint, axis * dParamGroup + parameter, value += (dReal)(1. / 64));
        value = 0;
        FOR_EACH_PARAMETER(axis, parameter)
        {
            value += (dReal)(1. / 64);
            dReal got = t->get(joint, axis * dParamGroup + parameter);
            if (got != (is_of(t, axis, parameter) ? value : 0))
                fail_msg("type %d, axis %d, parameter %d: %g", (int)dJointGetType(joint), axis,
                         parameter, (double)got);
        }
        dWorldDestroy(w);
    }
}

/* As in ODE, without a word. */
static void bad_values_are_dropped(void **state)
{
    (void)state;
    for (int i = 0; i < TYPES; ++i) {
        const with_params *t = &types[i];
        dWorldID w;
        dJointID joint = make_with_params(t, &w);
        if (!t->axes) {
            dWorldDestroy(w);
            continue;
        }
        t->set(joint, dParamFMax, 5);
        t->set(joint, dParamFMax, -1);
        t->set(joint, dParamFudgeFactor, (dReal)0.5);
        t->set(joint, dParamFudgeFactor, (dReal)1.5);
        t->set(joint, dParamFudgeFactor, (dReal)-0.5);
        assert_true(t->get(joint, dParamFMax) == 5);
        assert_true(t->get(joint, dParamFudgeFactor) == (dReal)0.5);
        t->set(joint, dParamLoStop, 1); /* inverted stops are kept */
        t->set(joint, dParamHiStop, -1);
        assert_true(t->get(joint, dParamLoStop) == 1 && t->get(joint, dParamHiStop) == -1);
        dWorldDestroy(w);
    }
}

/* --- of all joints */

static void all_joints_say_what_they_are(void **state)
{
    (void)state;
    static const struct {
        create_joint_fn *create;
        dJointType type;
    } made[] = {
        {dJointCreateBall, dJointTypeBall},     {dJointCreateHinge, dJointTypeHinge},
        {dJointCreateSlider, dJointTypeSlider}, {dJointCreateUniversal, dJointTypeUniversal},
        {dJointCreateHinge2, dJointTypeHinge2}, {dJointCreateFixed, dJointTypeFixed},
        {dJointCreateNull, dJointTypeNull},     {dJointCreateAMotor, dJointTypeAMotor},
        {dJointCreateLMotor, dJointTypeLMotor}, {dJointCreatePlane2D, dJointTypePlane2D},
        {dJointCreatePR, dJointTypePR},         {dJointCreatePU, dJointTypePU},
        {dJointCreatePiston, dJointTypePiston}, {dJointCreateDBall, dJointTypeDBall},
        {dJointCreateDHinge, dJointTypeDHinge}, {dJointCreateTransmission, dJointTypeTransmission},
    };
    for (size_t i = 0; i < sizeof made / sizeof made[0]; ++i) {
        int mine;
        dJointFeedback feedback;
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID joint = made[i].create(w, 0);
        assert_int_equal(dJointGetType(joint), made[i].type);
        assert_null(dJointGetData(joint));
        assert_null(dJointGetFeedback(joint));
        assert_null(dJointGetBody(joint, 0));
        assert_int_equal(dJointGetNumBodies(joint), 0);
        assert_int_equal(dJointIsEnabled(joint), 1);
        dJointSetData(joint, &mine);
        dJointSetFeedback(joint, &feedback);
        dJointDisable(joint);
        assert_ptr_equal(dJointGetData(joint), &mine);
        assert_ptr_equal(dJointGetFeedback(joint), &feedback);
        assert_int_equal(dJointIsEnabled(joint), 0);
        dJointEnable(joint);
        assert_int_equal(dJointIsEnabled(joint), 1);
        dJointAttach(joint, b[0], b[1]);
        assert_int_equal(dJointGetNumBodies(joint), 2);
        assert_ptr_equal(dJointGetBody(joint, 0), b[0]);
        assert_ptr_equal(dJointGetBody(joint, 1), b[1]);
        dWorldDestroy(w);
    }
    dWorldID w = dWorldCreate();
    dContact contact = {.geom = {.normal = {0, 0, 1}}};
    assert_int_equal(dJointGetType(dJointCreateContact(w, 0, &contact)), dJointTypeContact);
    dWorldDestroy(w);
}

/* --- forces of joints, and where they are */

static void joints_push_and_twist(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID hinge = dJointCreateHinge(w, 0), slider = dJointCreateSlider(w, 0);
    dJointID piston = dJointCreatePiston(w, 0);
    dJointAttach(hinge, b[0], b[1]);
    dJointAttach(slider, b[0], b[1]);
    dJointAttach(piston, b[0], b[1]);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetSliderAxis(slider, 0, 1, 0);
    dJointSetPistonAxis(piston, 1, 0, 0);
    dJointAddHingeTorque(hinge, 5);
    points_to(dBodyGetTorque(b[0]), 0, 0, 5, 1e-6);
    points_to(dBodyGetTorque(b[1]), 0, 0, -5, 1e-6);
    dJointAddSliderForce(slider, 2); /* and no couple: half of it times the distance on either */
    points_to(dBodyGetForce(b[0]), 0, 2, 0, 1e-6);
    points_to(dBodyGetForce(b[1]), 0, -2, 0, 1e-6);
    points_to(dBodyGetTorque(b[0]), 0, 0, 6, 1e-6);
    points_to(dBodyGetTorque(b[1]), 0, 0, -4, 1e-6);
    dJointAddPistonForce(piston, 7);
    points_to(dBodyGetForce(b[0]), 7, 2, 0, 1e-6);
    points_to(dBodyGetForce(b[1]), -7, -2, 0, 1e-6);
    dWorldDestroy(w);
}

/* Anchors of the second body go with it. */
static void second_anchors_are_the_second_bodys(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID piston = dJointCreatePiston(w, 0), universal = dJointCreateUniversal(w, 0);
    dVector3 v;
    dJointAttach(piston, b[0], b[1]);
    dJointAttach(universal, b[0], b[1]);
    dJointSetPistonAnchor(piston, 1, 2, 3);
    dJointSetUniversalAnchor(universal, 4, 5, 6);
    dBodySetPosition(b[1], 1, 0, 10);
    dJointGetPistonAnchor2(piston, v);
    points_to(v, 1, 2, 13, 1e-5);
    dJointGetPistonAnchor(piston, v);
    points_to(v, 1, 2, 3, 1e-5);
    dJointGetUniversalAnchor2(universal, v);
    points_to(v, 4, 5, 16, 1e-5);
    dJointGetUniversalAnchor(universal, v);
    points_to(v, 4, 5, 6, 1e-5);
    dWorldDestroy(w);
}

static void both_angles_of_a_universal_are_told_at_once(void **state)
{
    (void)state;
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dJointID universal = dJointCreateUniversal(w, 0);
    dQuaternion q;
    dReal angle1 = 7, angle2 = 7;
    dJointAttach(universal, b[0], b[1]);
    dJointSetUniversalAxis1(universal, 1, 0, 0);
    dJointSetUniversalAxis2(universal, 0, 1, 0);
    dQFromAxisAndAngle(q, 1, 0, 0, (dReal)0.3); /* of the first body about its own axis */
    dBodySetQuaternion(b[0], q);
    dQFromAxisAndAngle(q, 0, 1, 0, (dReal)0.2);
    dBodySetQuaternion(b[1], q);
    dJointGetUniversalAngles(universal, &angle1, &angle2);
    near_to(angle1, 0.3, 1e-5);
    near_to(angle2, -0.2, 1e-5);
    near_to(dJointGetUniversalAngle1(universal), 0.3, 1e-5);
    near_to(dJointGetUniversalAngle2(universal), -0.2, 1e-5);
    dWorldDestroy(w);
}

/* A fixed joint that is set anew holds the bodies where they stand by then. */
static void fixed_joints_hold_what_they_were_set_to(void **state)
{
    (void)state;
    for (int anew = 0; anew < 2; ++anew) {
        dBodyID b[2];
        dWorldID w = make_pair(b);
        dJointID fixed = dJointCreateFixed(w, 0);
        dJointAttach(fixed, b[0], b[1]);
        dBodySetPosition(b[1], (dReal)1.5, 0, 0);
        if (anew)
            dJointSetFixed(fixed);
        run(w, 200);
        near_to(dBodyGetPosition(b[1])[0] - dBodyGetPosition(b[0])[0], anew ? 1.5 : 1, 1e-3);
        dWorldDestroy(w);
    }
}

/* What is off by a tenth is taken back by one step, slides by the joint's share and turns by the
 * world's, which may change. */
static void a_fixed_joint_turns_as_softly_as_the_world(void **state)
{
    (void)state;
    int (*const steppers[])(dWorldID, dReal) = {dWorldStep, dWorldQuickStep};
    for (int i = 0; i < 2; ++i) {
        dWorldID w = dWorldCreate();
        dBodyID b = dBodyCreate(w);
        dJointID fixed = dJointCreateFixed(w, 0);
        dMatrix3 R;
        dJointAttach(fixed, b, 0);
        dJointSetFixedParam(fixed, dParamERP, (dReal)0.5);
        for (int k = 0; k < 3; ++k) {
            const dReal erp[] = {(dReal)0.2, 1, (dReal)0.5};
            dWorldSetERP(w, erp[k]);
            dBodySetPosition(b, (dReal)0.1, 0, 0);
            dBodySetLinearVel(b, 0, 0, 0);
            dBodySetAngularVel(b, 0, 0, 0);
            dRFromAxisAndAngle(R, 0, 0, 1, (dReal)0.1);
            dBodySetRotation(b, R);
            assert_int_equal(steppers[i](w, STEP), 1);
            near_to(dBodyGetPosition(b)[0], 0.05, 1e-4);
            near_to(2 * asin((double)dBodyGetQuaternion(b)[3]), 0.1 * (1 - (double)erp[k]), 2e-4);
        }
        dWorldDestroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_begin_as_the_world_has_them),
        cmocka_unit_test(each_parameter_is_kept_by_itself),
        cmocka_unit_test(bad_values_are_dropped),
        cmocka_unit_test(all_joints_say_what_they_are),
        cmocka_unit_test(joints_push_and_twist),
        cmocka_unit_test(second_anchors_are_the_second_bodys),
        cmocka_unit_test(both_angles_of_a_universal_are_told_at_once),
        cmocka_unit_test(fixed_joints_hold_what_they_were_set_to),
        cmocka_unit_test(a_fixed_joint_turns_as_softly_as_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
