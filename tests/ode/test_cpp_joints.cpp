/* ODE's C++ classes of joints. */
#include "cpp_check.h"

static const dVector3 x_axis = {1, 0, 0, 0};
static const dVector3 y_axis = {0, 1, 0, 0};
static const dVector3 z_axis = {0, 0, 1, 0};

static void place(dBody &body, dReal x, dReal angle)
{
    dQuaternion turned;
    dQFromAxisAndAngle(turned, 1, 2, 3, angle);
    body.setPosition(x, 0, 0);
    body.setQuaternion(turned);
}

/* Joints are attached to bodies at rest. */
static void rest(dBody &a, dBody &b)
{
    place(a, 0, 0);
    place(b, 1, 0);
    a.setLinearVel(0, 0, 0);
    a.setAngularVel(0, 0, 0);
    a.setForce(0, 0, 0);
    a.setTorque(0, 0, 0);
}

/* Then all that a joint tells is something. */
static void stir(dBody &a, dBody &b)
{
    place(a, dReal(0.25), dReal(0.375));
    place(b, 1, dReal(-0.125));
    a.setLinearVel(dReal(0.3), dReal(0.5), dReal(0.7));
    a.setAngularVel(dReal(1.1), dReal(1.3), dReal(1.7));
}

/* Every joint is made in five ways, one is ended; the last is kept between two bodies. */
template <class Class>
static void make(Class &joint, dJointType type, dWorld &world, dBody &a, dBody &b)
{
    rest(a, b);
    Class at_once(world), by_id(world.id()), later;
    CHECK(at_once.getType() == type && by_id.getType() == type && begins_empty<Class>());
    later.create(world.id());
    CHECK(later.getType() == type);
    const int before = a.getNumJoints();
    {
        Class ended(world);
        ended.attach(a, b);
        CHECK(a.getNumJoints() == before + 1);
    }
    CHECK(a.getNumJoints() == before);
    joint.create(world);
    dJointID converted = joint;
    CHECK(converted == joint.id() && joint.getType() == type);
    joint.attach(a, b);
}

/* Through the base: setParam and getParam are virtual. */
static bool keeps(dJoint &joint, int parameter)
{
    joint.setParam(parameter, dReal(0.5));
    return joint.getParam(parameter) == dReal(0.5);
}

static void test_base(dWorld &world, dBody &a, dBody &b)
{
    dBallJoint joint;
    make(joint, dJointTypeBall, world, a, b);
    joint.attach(a.id(), 0);
    CHECK(joint.getNumBodies() == 1);
    joint.attach(a, b);
    CHECK(joint.getNumBodies() == 2 && joint.getBody(0) == a.id() && joint.getBody(1) == b.id());
    CHECK(a.getNumJoints() == 1 && a.getJoint(0) == joint.id() && a.isConnectedTo(b));
    joint.disable();
    CHECK(!joint.isEnabled());
    joint.enable();
    CHECK(joint.isEnabled());
    dJointFeedback feedback;
    SET_GET(joint, Data, (void *)&world);
    SET_GET(joint, Feedback, &feedback);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    CHECK(keeps(joint, dParamCFM));
    stir(a, b);
    GIVES_VECTOR(joint, getAnchor, dJointGetBallAnchor);
    GIVES_VECTOR(joint, getAnchor2, dJointGetBallAnchor2);
}

static void test_hinge(dWorld &world, dBody &a, dBody &b)
{
    dHingeJoint joint;
    make(joint, dJointTypeHinge, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    SET_GET_VECTOR(joint, Axis, 0, 0.6, 0.8);
    CHECK(keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES_VECTOR(joint, getAnchor2, dJointGetHingeAnchor2);
    GIVES(joint, getAngle, dJointGetHingeAngle);
    GIVES(joint, getAngleRate, dJointGetHingeAngleRate);
    rest(a, b);
    joint.addTorque(3);
    CHECK(is(a.getTorque(), 0, 1.8, 2.4));
}

static void test_slider(dWorld &world, dBody &a, dBody &b)
{
    dSliderJoint joint;
    make(joint, dJointTypeSlider, world, a, b);
    SET_GET_VECTOR(joint, Axis, 0, 0.6, 0.8);
    CHECK(keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES(joint, getPosition, dJointGetSliderPosition);
    GIVES(joint, getPositionRate, dJointGetSliderPositionRate);
    rest(a, b);
    joint.addForce(3);
    CHECK(is(a.getForce(), 0, 1.8, 2.4));
}

/* Both axes in both ways, always at right angles to each other. */
template <class Class> static void set_axes_in_turn(Class &joint)
{
    dVector3 read;
    joint.setAxis1(0, 0, 1);
    joint.getAxis1(read);
    CHECK(is(read, 0, 0, 1));
    joint.setAxis2(x_axis);
    joint.getAxis2(read);
    CHECK(is(read, 1, 0, 0));
    joint.setAxis1(y_axis);
    joint.getAxis1(read);
    CHECK(is(read, 0, 1, 0));
    joint.setAxis2(0, 0, 1);
    joint.getAxis2(read);
    CHECK(is(read, 0, 0, 1));
    joint.setAxis2(x_axis); /* which it may have been from the beginning */
    joint.getAxis2(read);
    CHECK(is(read, 1, 0, 0));
}

static void test_universal(dWorld &world, dBody &a, dBody &b)
{
    dUniversalJoint joint;
    dReal angle1 = 0, angle2 = 0;
    make(joint, dJointTypeUniversal, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    set_axes_in_turn(joint);
    CHECK(keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES_VECTOR(joint, getAnchor2, dJointGetUniversalAnchor2);
    GIVES(joint, getAngle1, dJointGetUniversalAngle1);
    GIVES(joint, getAngle2, dJointGetUniversalAngle2);
    GIVES(joint, getAngle1Rate, dJointGetUniversalAngle1Rate);
    GIVES(joint, getAngle2Rate, dJointGetUniversalAngle2Rate);
    joint.getAngles(&angle1, &angle2);
    CHECK(near(angle1, joint.getAngle1()) && near(angle2, joint.getAngle2()));
    rest(a, b);
    joint.addTorques(3, 4);
    CHECK(is(a.getTorque(), 4, 3, 0));
}

static void test_hinge2(dWorld &world, dBody &a, dBody &b)
{
    dHinge2Joint joint;
    dVector3 axis1, axis2;
    make(joint, dJointTypeHinge2, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    set_axes_in_turn(joint);
    joint.setAxes(z_axis, x_axis);
    joint.getAxis1(axis1);
    joint.getAxis2(axis2);
    CHECK(is(axis1, 0, 0, 1) && is(axis2, 1, 0, 0) && keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES_VECTOR(joint, getAnchor2, dJointGetHinge2Anchor2);
    GIVES(joint, getAngle1, dJointGetHinge2Angle1);
    GIVES(joint, getAngle1Rate, dJointGetHinge2Angle1Rate);
    GIVES(joint, getAngle2Rate, dJointGetHinge2Angle2Rate);
    rest(a, b);
    joint.addTorques(3, 4);
    CHECK(is(a.getTorque(), 4, 0, 3));
}

static void test_pr(dWorld &world, dBody &a, dBody &b)
{
    dPRJoint joint;
    make(joint, dJointTypePR, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    set_axes_in_turn(joint);
    CHECK(keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES(joint, getPosition, dJointGetPRPosition);
    GIVES(joint, getPositionRate, dJointGetPRPositionRate);
    GIVES(joint, getAngle, dJointGetPRAngle);
    GIVES(joint, getAngleRate, dJointGetPRAngleRate);
}

/* Its third axis has two names. */
static void test_pu(dWorld &world, dBody &a, dBody &b)
{
    dPUJoint joint;
    dVector3 read;
    make(joint, dJointTypePU, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    joint.setAxis1(0, 0, 1);
    joint.getAxis1(read);
    CHECK(is(read, 0, 0, 1));
    joint.setAxis2(1, 0, 0);
    joint.getAxis2(read);
    CHECK(is(read, 1, 0, 0));
    joint.setAxis1(y_axis);
    joint.getAxis1(read);
    CHECK(is(read, 0, 1, 0));
    SET_GET_VECTOR(joint, Axis3, 0, 1, 0);
    joint.setAxisP(0, 0, 1);
    joint.getAxis3(read);
    CHECK(is(read, 0, 0, 1));
    joint.setAxisP(x_axis);
    joint.getAxisP(read);
    CHECK(is(read, 1, 0, 0) && keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES(joint, getAngle1, dJointGetPUAngle1);
    GIVES(joint, getAngle2, dJointGetPUAngle2);
    GIVES(joint, getAngle1Rate, dJointGetPUAngle1Rate);
    GIVES(joint, getAngle2Rate, dJointGetPUAngle2Rate);
    GIVES(joint, getPosition, dJointGetPUPosition);
    GIVES(joint, getPositionRate, dJointGetPUPositionRate);
}

static void test_piston(dWorld &world, dBody &a, dBody &b)
{
    dPistonJoint joint;
    make(joint, dJointTypePiston, world, a, b);
    SET_GET_VECTOR(joint, Anchor, 1, 2, 3);
    SET_GET_VECTOR(joint, Axis, 0, 0.6, 0.8);
    CHECK(keeps(joint, dParamLoStop));
    stir(a, b);
    GIVES_VECTOR(joint, getAnchor2, dJointGetPistonAnchor2);
    GIVES(joint, getPosition, dJointGetPistonPosition);
    GIVES(joint, getPositionRate, dJointGetPistonPositionRate);
    rest(a, b);
    joint.addForce(3);
    CHECK(is(a.getForce(), 0, 1.8, 2.4));
}

/* It holds what is when it is set, not what was when it was attached. */
static void test_fixed(dWorld &world, dBody &a, dBody &b)
{
    dFixedJoint joint;
    make(joint, dJointTypeFixed, world, a, b);
    joint.set();
    a.setPosition(dReal(0.5), 0, 0);
    joint.set();
    world.step(dReal(0.1));
    CHECK(near(a.getPosition()[0], dReal(0.5)) && near(b.getPosition()[0], 1));
    CHECK(keeps(joint, dParamERP));
}

/* Parameters of what has none are ignored and are zero. */
static void test_null(dWorld &world, dBody &a, dBody &b)
{
    dNullJoint joint;
    make(joint, dJointTypeNull, world, a, b);
    CHECK(!keeps(joint, dParamLoStop) && joint.getParam(dParamLoStop) == 0);
}

static void test_contact(dWorld &world, dBody &a, dBody &b)
{
    dContact touch;
    memset(&touch, 0, sizeof touch);
    touch.geom.normal[2] = 1;
    dContactJoint at_once(world, 0, &touch), by_id(world.id(), 0, &touch), later, later_by_id;
    CHECK(at_once.getType() == dJointTypeContact && by_id.getType() == dJointTypeContact);
    CHECK(begins_empty<dContactJoint>());
    later.create(world, 0, &touch);
    later_by_id.create(world.id(), 0, &touch);
    CHECK(later.id() && later.getType() == dJointTypeContact);
    CHECK(later_by_id.id() && later_by_id.getType() == dJointTypeContact);
    const int before = a.getNumJoints();
    {
        dContactJoint ended(world, 0, &touch);
        ended.attach(a, b);
        CHECK(a.getNumJoints() == before + 1);
    }
    CHECK(a.getNumJoints() == before);
}

static void test_angular_motor(dWorld &world, dBody &a, dBody &b)
{
    dAMotorJoint joint;
    dVector3 read;
    make(joint, dJointTypeAMotor, world, a, b);
    SET_GET(joint, Mode, (int)dAMotorEuler);
    joint.setAxis(0, 1, x_axis);
    joint.setAxis(2, 2, z_axis);
    stir(a, b);
    CHECK(joint.getAngleRate(0) == dJointGetAMotorAngleRate(joint, 0));
    CHECK(!near(joint.getAngleRate(0), 0));
    rest(a, b);
    SET_GET(joint, Mode, (int)dAMotorUser);
    SET_GET(joint, NumAxes, 2);
    SET_GET(joint, NumAxes, 3);
    joint.setAxis(1, 0, 0, 0, 1);
    joint.setAxis(2, 0, 0, 1, 0);
    joint.setAxis(0, 1, x_axis);
    joint.getAxis(0, read);
    CHECK(is(read, 1, 0, 0) && joint.getAxisRel(0) == 1);
    joint.getAxis(1, read);
    CHECK(is(read, 0, 0, 1));
    joint.setAxis(1, 0, y_axis);
    joint.setAxis(2, 0, 0, 0, 1);
    joint.getAxis(1, read);
    CHECK(is(read, 0, 1, 0));
    joint.setAngle(0, dReal(0.25));
    CHECK(joint.getAngle(0) == dReal(0.25) && keeps(joint, dParamLoStop));
    joint.addTorques(3, 4, 5);
    CHECK(is(a.getTorque(), 3, 4, 5));
}

static void test_linear_motor(dWorld &world, dBody &a, dBody &b)
{
    dLMotorJoint joint;
    dVector3 read;
    make(joint, dJointTypeLMotor, world, a, b);
    SET_GET(joint, NumAxes, 2);
    joint.setAxis(0, 0, 0, 1, 0);
    joint.setAxis(1, 0, x_axis);
    joint.getAxis(0, read);
    CHECK(is(read, 0, 1, 0));
    joint.getAxis(1, read);
    CHECK(is(read, 1, 0, 0) && keeps(joint, dParamLoStop));
}

void test_joints(dWorld &world)
{
    dBody a(world), b(world);
    test_base(world, a, b);
    test_hinge(world, a, b);
    test_slider(world, a, b);
    test_universal(world, a, b);
    test_hinge2(world, a, b);
    test_pr(world, a, b);
    test_pu(world, a, b);
    test_piston(world, a, b);
    test_fixed(world, a, b);
    test_null(world, a, b);
    test_contact(world, a, b);
    test_angular_motor(world, a, b);
    test_linear_motor(world, a, b);
    CHECK(a.getNumJoints() == 0);
}
