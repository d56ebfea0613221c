/* ODE's C++ classes: each method once, by what it does. The same program holds for libode. */
#include <ode/ode.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

static int failures = 0;

static void check(bool holds, const char *what, int line)
{
    if (!holds) {
        fprintf(stderr, "test_cpp.cpp:%d: %s\n", line, what);
        ++failures;
    }
}

static bool near(dReal a, dReal b)
{
    return fabs((double)a - (double)b) < 1e-5;
}

static bool is(const dReal *v, double x, double y, double z)
{
    return near(v[0], dReal(x)) && near(v[1], dReal(y)) && near(v[2], dReal(z));
}

#define CHECK(holds) check(holds, #holds, __LINE__)
#define SET_GET(object, Name, value) \
    do { \
        (object).set##Name(value); \
        CHECK((object).get##Name() == (value)); \
    } while (0)
/* A vector set as three numbers and as one, and read. */
#define SET_GET_VECTOR(object, Name, x, y, z) \
    do { \
        const dVector3 given = {x, y, z, 0}; \
        dVector3 read; \
        (object).set##Name(z, x, y); \
        (object).get##Name(read); \
        CHECK(is(read, z, x, y)); \
        (object).set##Name(given); \
        (object).get##Name(read); \
        CHECK(is(read, x, y, z)); \
    } while (0)
/* A method of three numbers or a vector, and what a reading of the body is after each. */
#define BODY_VECTOR(method, clear, reading, x, y, z) \
    do { \
        const dVector3 given = {x, y, z, 0}; \
        clear; \
        body.method(z, x, y); \
        CHECK(is(body.reading(), z, x, y)); \
        clear; \
        body.method(given); \
        CHECK(is(body.reading(), x, y, z)); \
    } while (0)
#define MAPS(object, method, x, y, z) \
    do { \
        const dVector3 given = {1, 2, 3, 0}; \
        dVector3 read; \
        (object).method(1, 2, 3, read); \
        CHECK(is(read, x, y, z)); \
        read[0] = read[1] = read[2] = 77; \
        (object).method(given, read); \
        CHECK(is(read, x, y, z)); \
    } while (0)

static void test_world()
{
    dWorld world;
    dWorldID by_conversion = world;
    CHECK(by_conversion && by_conversion == world.id());
    SET_GET_VECTOR(world, Gravity, 1, 2, 3);
    SET_GET(world, ERP, dReal(0.5));
    SET_GET(world, CFM, dReal(0.25));
    SET_GET(world, QuickStepNumIterations, 33);
    SET_GET(world, QuickStepW, dReal(1.25));
    SET_GET(world, AutoDisableLinearThreshold, dReal(0.5));
    SET_GET(world, AutoDisableAngularThreshold, dReal(0.25));
    SET_GET(world, AutoDisableSteps, 7);
    SET_GET(world, AutoDisableTime, dReal(2));
    world.setAutoDisableFlag(1); /* libode reads back a bit of its own */
    CHECK(world.getAutoDisableFlag() != 0);
    SET_GET(world, LinearDampingThreshold, dReal(0.5));
    SET_GET(world, AngularDampingThreshold, dReal(0.25));
    SET_GET(world, LinearDamping, dReal(0.125));
    SET_GET(world, AngularDamping, dReal(0.0625));
    world.setDamping(dReal(0.25), dReal(0.5));
    CHECK(world.getLinearDamping() == dReal(0.25) && world.getAngularDamping() == dReal(0.5));
    SET_GET(world, MaxAngularSpeed, dReal(9));
    SET_GET(world, ContactSurfaceLayer, dReal(0.5));
    dVector3 force;
    world.impulseToForce(dReal(0.5), 1, 2, 3, force);
    CHECK(is(force, 2, 4, 6));

    dWorld moving;
    dBody body(moving);
    body.setLinearVel(1, 0, 0);
    moving.step(dReal(0.5));
    CHECK(is(body.getPosition(), 0.5, 0, 0));
    moving.quickStep(dReal(0.5));
    CHECK(is(body.getPosition(), 1, 0, 0));
}

static void test_body_state(dWorld &world)
{
    dBody body(world), by_id(world.id()), later, later_by_id;
    CHECK(!later.id());
    later.create(world);
    later_by_id.create(world.id());
    dBodyID converted = body;
    CHECK(converted && converted == body.id() && by_id.id() && later.id() && later_by_id.id());
    CHECK(dBodyGetWorld(later) == world.id() && dBodyGetWorld(later_by_id) == world.id());
    SET_GET(body, Data, (void *)&world);
    BODY_VECTOR(setPosition, , getPosition, 1, 2, 3);
    BODY_VECTOR(setLinearVel, , getLinearVel, 4, 5, 6);
    BODY_VECTOR(setAngularVel, , getAngularVel, 7, 8, 9);

    dMass mass;
    dMassSetSphereTotal(&mass, 2, 1);
    body.setMass(&mass);
    CHECK(body.getMass().mass == 2);
    mass.mass = 3;
    body.setMass(mass);
    CHECK(body.getMass().mass == 3);

    BODY_VECTOR(addForce, body.setForce(0, 0, 0), getForce, 1, 2, 3);
    BODY_VECTOR(addTorque, body.setTorque(0, 0, 0), getTorque, 1, 2, 3);
    BODY_VECTOR(setForce, , getForce, 4, 5, 6);
    BODY_VECTOR(setTorque, , getTorque, 4, 5, 6);

    body.setKinematic();
    CHECK(body.isKinematic());
    body.setDynamic();
    CHECK(!body.isKinematic());
    body.disable();
    CHECK(!body.isEnabled());
    body.enable();
    CHECK(body.isEnabled());
    SET_GET(body, FiniteRotationMode, true);
    SET_GET_VECTOR(body, FiniteRotationAxis, 0, 0, 1);
    SET_GET(body, GravityMode, false);
    SET_GET(body, AutoDisableLinearThreshold, dReal(0.5));
    SET_GET(body, AutoDisableAngularThreshold, dReal(0.25));
    SET_GET(body, AutoDisableSteps, 7);
    SET_GET(body, AutoDisableTime, dReal(2));
    SET_GET(body, AutoDisableFlag, true);
    SET_GET(body, LinearDamping, dReal(0.125));
    SET_GET(body, AngularDamping, dReal(0.0625));
    SET_GET(body, LinearDampingThreshold, dReal(0.5));
    SET_GET(body, AngularDampingThreshold, dReal(0.25));
    body.setDamping(dReal(0.25), dReal(0.5));
    CHECK(body.getLinearDamping() == dReal(0.25) && body.getAngularDamping() == dReal(0.5));
    body.setDampingDefaults();
    CHECK(body.getLinearDamping() == world.getLinearDamping());
    SET_GET(body, MaxAngularSpeed, dReal(9));
    SET_GET(body, GyroscopicMode, false);
}

/* The body stands at (1, 0, 0), turned a quarter about z: its x is the world's y. */
static void test_body_frames(dWorld &world)
{
    dBody body(world);
    dMatrix3 turn;
    dQuaternion quarter;
    dRFromAxisAndAngle(turn, 0, 0, 1, dReal(M_PI / 2));
    dQFromAxisAndAngle(quarter, 0, 0, 1, dReal(M_PI / 2));
    body.setRotation(turn);
    CHECK(near(body.getQuaternion()[3], dReal(sqrt(0.5))));
    body.setRotation(turn);
    body.setQuaternion(quarter);
    CHECK(near(body.getRotation()[4], 1) && near(body.getRotation()[0], 0));
    body.setPosition(1, 0, 0);
    body.setLinearVel(0, 0, 5);
    body.setAngularVel(0, 0, 1);
    MAPS(body, getRelPointPos, -1, 1, 3);
    MAPS(body, getPosRelPoint, 2, 0, 3);
    MAPS(body, getRelPointVel, -1, -2, 5);
    MAPS(body, getPointVel, -2, 0, 5);
    MAPS(body, vectorToWorld, -2, 1, 3);
    MAPS(body, vectorFromWorld, 2, -1, 3);

    const dVector3 x = {1, 0, 0, 0}, y = {0, 1, 0, 0};
#define CLEAR (body.setForce(0, 0, 0), body.setTorque(0, 0, 0))
#define PUSH(call, reading, fx, fy, fz) (CLEAR, body.call, CHECK(is(body.reading(), fx, fy, fz)))
    PUSH(addRelForce(1, 0, 0), getForce, 0, 1, 0);
    PUSH(addRelForce(x), getForce, 0, 1, 0);
    PUSH(addRelTorque(1, 0, 0), getTorque, 0, 1, 0);
    PUSH(addRelTorque(x), getTorque, 0, 1, 0);
    PUSH(addForceAtPos(1, 0, 0, 0, 1, 0), getTorque, 0, 0, -1);
    PUSH(addForceAtPos(x, y), getTorque, 0, 0, -1);
    PUSH(addForceAtRelPos(0, 1, 0, 0, 1, 0), getTorque, 0, 0, -1);
    PUSH(addForceAtRelPos(y, y), getTorque, 0, 0, -1);
    PUSH(addRelForceAtPos(0, 1, 0, 0, 1, 0), getTorque, 0, 0, 1);
    PUSH(addRelForceAtPos(y, y), getTorque, 0, 0, 1);
    PUSH(addRelForceAtRelPos(1, 0, 0, 0, 1, 0), getTorque, 0, 0, -1);
    PUSH(addRelForceAtRelPos(x, y), getTorque, 0, 0, -1);
}

/* Every joint is made in six ways; the last is kept between two bodies. */
template <class joint_class> static void make(joint_class &joint, dWorld &world, dJointType type)
{
    joint_class at_once(world), by_id(world.id()), in_group;
    CHECK(at_once.getType() == type && by_id.getType() == type && !in_group.id());
    in_group.create(world.id());
    CHECK(in_group.getType() == type);
    joint.create(world);
    dJointID converted = joint;
    CHECK(converted == joint.id() && joint.getType() == type);
}

/* Through the base: setParam and getParam are virtual. */
static bool keeps_stop(dJoint &joint)
{
    joint.setParam(dParamLoStop, dReal(-0.5));
    return joint.getParam(dParamLoStop) == dReal(-0.5);
}

static void test_joint_base(dWorld &world, dBody &a, dBody &b)
{
    dBallJoint joint;
    make(joint, world, dJointTypeBall);
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
    dVector3 anchor;
    joint.getAnchor2(anchor);
    CHECK(is(anchor, 1, 2, 3));
    dJoint &base = joint;
    base.setParam(dParamCFM, dReal(0.5));
    CHECK(base.getParam(dParamCFM) == dReal(0.5));

    dJointGroup group;
    dJointGroupID converted = group;
    CHECK(converted && converted == group.id());
    const int before = a.getNumJoints();
    dJointAttach(dJointCreateBall(world, group), a, b);
    CHECK(a.getNumJoints() == before + 1);
    group.empty();
    CHECK(a.getNumJoints() == before);
    dJointAttach(dJointCreateBall(world, group), a, b);
    group.clear();
    CHECK(a.getNumJoints() == before);
    group.create();
    CHECK(group.id() != 0);
}

static void test_turning_joints(dWorld &world, dBody &a, dBody &b)
{
    dVector3 read;
    dReal angle1 = 9, angle2 = 9;
    a.setAngularVel(0, 0, 2);

    dHingeJoint hinge;
    make(hinge, world, dJointTypeHinge);
    hinge.attach(a, b);
    SET_GET_VECTOR(hinge, Anchor, 1, 2, 3);
    hinge.getAnchor2(read);
    CHECK(is(read, 1, 2, 3));
    SET_GET_VECTOR(hinge, Axis, 0, 0, 1);
    CHECK(near(hinge.getAngle(), 0) && near(hinge.getAngleRate(), 2) && keeps_stop(hinge));
    a.setTorque(0, 0, 0);
    hinge.addTorque(3);
    CHECK(is(a.getTorque(), 0, 0, 3));

    dUniversalJoint universal;
    make(universal, world, dJointTypeUniversal);
    universal.attach(a, b);
    SET_GET_VECTOR(universal, Anchor, 1, 2, 3);
    universal.getAnchor2(read);
    CHECK(is(read, 1, 2, 3));
    SET_GET_VECTOR(universal, Axis2, 1, 0, 0);
    SET_GET_VECTOR(universal, Axis1, 0, 0, 1);
    universal.setAxis2(1, 0, 0);
    universal.getAngles(&angle1, &angle2);
    CHECK(near(angle1, 0) && near(angle2, 0) && keeps_stop(universal));
    CHECK(near(universal.getAngle1(), 0) && near(universal.getAngle2(), 0));
    CHECK(near(universal.getAngle1Rate(), 2) && near(universal.getAngle2Rate(), 0));
    a.setTorque(0, 0, 0);
    universal.addTorques(3, 4);
    CHECK(is(a.getTorque(), 4, 0, 3));

    dHinge2Joint hinge2;
    const dVector3 x = {1, 0, 0, 0}, y = {0, 1, 0, 0}, z = {0, 0, 1, 0};
    make(hinge2, world, dJointTypeHinge2);
    hinge2.attach(a, b);
    SET_GET_VECTOR(hinge2, Anchor, 1, 2, 3);
    hinge2.getAnchor2(read);
    CHECK(is(read, 1, 2, 3));
    hinge2.setAxes(z, y); /* never parallel to each other: libode aborts */
    SET_GET_VECTOR(hinge2, Axis1, 0, 0, 1);
    SET_GET_VECTOR(hinge2, Axis2, 1, 0, 0);
    hinge2.setAxes(z, x);
    hinge2.getAxis1(read);
    CHECK(is(read, 0, 0, 1));
    CHECK(near(hinge2.getAngle1(), 0) && near(hinge2.getAngle1Rate(), 2));
    CHECK(near(hinge2.getAngle2Rate(), 0) && keeps_stop(hinge2));
    a.setTorque(0, 0, 0);
    hinge2.addTorques(3, 4);
    CHECK(is(a.getTorque(), 4, 0, 3));
    a.setAngularVel(0, 0, 0);
}

static void test_sliding_joints(dWorld &world, dBody &a, dBody &b)
{
    dVector3 read;
    a.setLinearVel(2, 0, 0);

    dSliderJoint slider;
    make(slider, world, dJointTypeSlider);
    slider.attach(a, b);
    SET_GET_VECTOR(slider, Axis, 1, 0, 0);
    CHECK(near(slider.getPosition(), 0) && near(slider.getPositionRate(), 2));
    CHECK(keeps_stop(slider));
    a.setForce(0, 0, 0);
    slider.addForce(3);
    CHECK(is(a.getForce(), 3, 0, 0));

    dPistonJoint piston;
    make(piston, world, dJointTypePiston);
    piston.attach(a, b);
    SET_GET_VECTOR(piston, Anchor, 0, 0, 0);
    piston.getAnchor2(read);
    CHECK(is(read, 0, 0, 0));
    SET_GET_VECTOR(piston, Axis, 1, 0, 0);
    CHECK(near(piston.getPosition(), 0) && near(piston.getPositionRate(), 2));
    CHECK(keeps_stop(piston));
    a.setForce(0, 0, 0);
    piston.addForce(3);
    CHECK(is(a.getForce(), 3, 0, 0));

    dPRJoint pr;
    make(pr, world, dJointTypePR);
    pr.attach(a, b);
    SET_GET_VECTOR(pr, Anchor, 1, 2, 3);
    SET_GET_VECTOR(pr, Axis2, 0, 0, 1);
    SET_GET_VECTOR(pr, Axis1, 1, 0, 0);
    CHECK(near(pr.getPosition(), dJointGetPRPosition(pr)) && near(pr.getPositionRate(), 2));
    CHECK(near(pr.getAngle(), 0) && near(pr.getAngleRate(), 0) && keeps_stop(pr));

    dPUJoint pu;
    const dVector3 x = {1, 0, 0, 0};
    make(pu, world, dJointTypePU);
    pu.attach(a, b);
    SET_GET_VECTOR(pu, Anchor, 1, 2, 3);
    SET_GET_VECTOR(pu, Axis1, 0, 0, 1);
    pu.setAxis2(0, 1, 0);
    pu.getAxis2(read);
    CHECK(is(read, 0, 1, 0));
    SET_GET_VECTOR(pu, AxisP, 0, 1, 0);
    SET_GET_VECTOR(pu, Axis3, 0, 0, 1);
    pu.setAxis3(x);
    pu.getAxisP(read);
    CHECK(is(read, 1, 0, 0));
    CHECK(near(pu.getAngle1(), 0) && near(pu.getAngle2(), 0));
    CHECK(near(pu.getAngle1Rate(), 0) && near(pu.getAngle2Rate(), 0));
    CHECK(near(pu.getPosition(), dJointGetPUPosition(pu)));
    CHECK(near(pu.getPositionRate(), dJointGetPUPositionRate(pu)) && keeps_stop(pu));
    a.setLinearVel(0, 0, 0);
}

static void test_other_joints(dWorld &world, dBody &a, dBody &b)
{
    dVector3 read;
    dFixedJoint fixed;
    make(fixed, world, dJointTypeFixed);
    fixed.attach(a, b);
    fixed.set();
    fixed.setParam(dParamERP, dReal(0.5));
    CHECK(fixed.getParam(dParamERP) == dReal(0.5));

    dNullJoint null;
    make(null, world, dJointTypeNull);
    CHECK(!keeps_stop(null) && null.getParam(dParamLoStop) == 0);

    dContact touch;
    memset(&touch, 0, sizeof touch);
    touch.geom.normal[2] = 1;
    dContactJoint contact(world, 0, &touch), contact_by_id(world.id(), 0, &touch), contact_later;
    CHECK(contact.getType() == dJointTypeContact && contact_by_id.getType() == dJointTypeContact);
    contact_later.create(world.id(), 0, &touch);
    CHECK(contact_later.getType() == dJointTypeContact);
    contact_later.create(world, 0, &touch);
    CHECK(contact_later.getType() == dJointTypeContact);

    const dVector3 x = {1, 0, 0, 0};
    dAMotorJoint turner;
    make(turner, world, dJointTypeAMotor);
    turner.attach(a, b);
    SET_GET(turner, Mode, (int)dAMotorUser);
    SET_GET(turner, NumAxes, 3);
    turner.setAxis(1, 0, 0, 1, 0);
    turner.setAxis(2, 0, 0, 0, 1);
    turner.setAxis(0, 1, x);
    turner.getAxis(0, read);
    CHECK(is(read, 1, 0, 0) && turner.getAxisRel(0) == 1);
    turner.getAxis(1, read);
    CHECK(is(read, 0, 1, 0));
    turner.setAngle(0, dReal(0.25));
    CHECK(turner.getAngle(0) == dReal(0.25) && keeps_stop(turner));
    a.setTorque(0, 0, 0);
    turner.addTorques(3, 4, 5);
    CHECK(is(a.getTorque(), 3, 4, 5));
    turner.setMode(dAMotorEuler);
    CHECK(near(turner.getAngleRate(0), 0));

    dLMotorJoint pusher;
    make(pusher, world, dJointTypeLMotor);
    pusher.attach(a, b);
    SET_GET(pusher, NumAxes, 2);
    pusher.setAxis(0, 0, 0, 1, 0);
    pusher.setAxis(1, 0, x);
    pusher.getAxis(0, read);
    CHECK(is(read, 0, 1, 0));
    pusher.getAxis(1, read);
    CHECK(is(read, 1, 0, 0) && keeps_stop(pusher));
}

static void count_pair(void *count, dGeomID, dGeomID)
{
    ++*(int *)count;
}

static void test_geom(dWorld &world)
{
    dSimpleSpace space;
    dBody body(world);
    dSphere sphere(space, 2);
    dGeomID converted = sphere;
    dMatrix3 turn;
    dQuaternion quarter, read_turn;
    dRFromAxisAndAngle(turn, 0, 0, 1, dReal(M_PI / 2));
    dQFromAxisAndAngle(quarter, 0, 0, 1, dReal(M_PI / 2));
    CHECK(converted == sphere.id() && sphere.getClass() == dSphereClass && !sphere.isSpace());
    CHECK(sphere.getSpace() == space.id() && space.isSpace());
    SET_GET(sphere, Data, (void *)&world);
    SET_GET(sphere, Body, body.id());
    sphere.setBody(0);
    sphere.setRotation(turn);
    sphere.getQuaternion(read_turn);
    CHECK(near(read_turn[3], quarter[3]));
    sphere.setQuaternion(quarter);
    CHECK(near(sphere.getRotation()[4], 1));
    sphere.setPosition(1, 0, 0);
    CHECK(is(sphere.getPosition(), 1, 0, 0));
    MAPS(sphere, getRelPointPos, -1, 1, 3);
    MAPS(sphere, getPosRelPoint, 2, 0, 3);
    MAPS(sphere, vectorToWorld, -2, 1, 3);
    MAPS(sphere, vectorFromWorld, 2, -1, 3);
    dReal box[6];
    sphere.getAABB(box);
    CHECK(near(box[0], -1) && near(box[1], 3));
    SET_GET(sphere, CategoryBits, 6ul);
    SET_GET(sphere, CollideBits, 10ul);
    sphere.disable();
    CHECK(!sphere.isEnabled());
    sphere.enable();
    CHECK(sphere.isEnabled() != 0);
    sphere.setCategoryBits(~0ul);
    sphere.setCollideBits(~0ul);

    dSphere other(1);
    int pairs = 0;
    sphere.collide2(other, &pairs, count_pair);
    CHECK(pairs == 1);
    sphere.destroy();
    CHECK(!sphere.id() && space.getNumGeoms() == 0);
}

static void test_spaces()
{
    const dVector3 center = {0, 0, 0, 0}, extents = {10, 10, 10, 0};
    dSimpleSpace outer;
    dSpaceID converted = outer;
    outer.setCleanup(0);
    CHECK(converted == outer.id() && outer.getCleanup() == 0);
    dSpace &as_space = outer;
    dSimpleSpace simple(as_space), simple_by_id(outer.id());
    dHashSpace hash, hash_in(outer), hash_by_id(outer.id());
    dQuadTreeSpace quad(center, extents, 3), quad_in(outer, center, extents, 3);
    dQuadTreeSpace quad_by_id(outer.id(), center, extents, 3);
    CHECK(outer.getNumGeoms() == 6 && outer.query((dGeomID)quad_in.id()));
    CHECK(simple.getClass() == dSimpleSpaceClass && hash.getClass() == dHashSpaceClass);
    CHECK(quad.getClass() == dQuadTreeSpaceClass && quad.getSpace() == 0);
    CHECK(simple_by_id.getSpace() == outer.id() && hash_by_id.getSpace() == outer.id());
    CHECK(quad_by_id.getSpace() == outer.id() && hash_in.getSpace() == outer.id());
    int low = 0, high = 0, pairs = 0;
    hash.setLevels(-2, 5);
    dHashSpaceGetLevels(hash, &low, &high);
    CHECK(low == -2 && high == 5);

    dSphere a(1), b(1);
    hash.add(a);
    hash.add(b);
    CHECK(hash.query(a) && hash.getNumGeoms() == 2);
    CHECK(hash.getGeom(0) == a.id() || hash.getGeom(0) == b.id());
    hash.collide(&pairs, count_pair);
    CHECK(pairs == 1);
    hash.remove(a);
    CHECK(!hash.query(a));
    hash.remove(b);
}

#define SHAPES(Shape, ...) \
    Shape at_once(__VA_ARGS__), in(space, __VA_ARGS__), by_id(space.id(), __VA_ARGS__), later; \
    later.create(space, __VA_ARGS__); \
    CHECK(!at_once.getSpace() && in.getSpace() == space.id()); \
    CHECK(by_id.getSpace() == space.id() && later.getSpace() == space.id()); \
    CHECK(later.getClass() == Shape##Class && at_once.getClass() == Shape##Class)

static void test_round_shapes(dSpace &space)
{
    {
        SHAPES(dSphere, 1);
        SET_GET(later, Radius, dReal(2));
    }
    {
        SHAPES(dCapsule, 1, 2);
        dReal radius = 0, length = 0;
        later.setParams(3, 4);
        later.getParams(&radius, &length);
        CHECK(radius == 3 && length == 4);
    }
    {
        SHAPES(dCylinder, 1, 2);
        dReal radius = 0, length = 0;
        later.setParams(3, 4);
        later.getParams(&radius, &length);
        CHECK(radius == 3 && length == 4);
    }
}

static void test_flat_shapes(dSpace &space)
{
    {
        SHAPES(dBox, 1, 2, 3);
        dVector3 lengths;
        later.setLengths(4, 5, 6);
        later.getLengths(lengths);
        CHECK(is(lengths, 4, 5, 6));
    }
    {
        SHAPES(dPlane, 0, 0, 1, 2);
        dVector4 plane;
        later.setParams(0, 1, 0, 5);
        later.getParams(plane);
        CHECK(is(plane, 0, 1, 0) && plane[3] == 5);
    }
    {
        SHAPES(dRay, 3);
        dVector3 start, direction;
        int first = 0, cull = 0;
        SET_GET(later, Length, dReal(4));
        later.set(1, 2, 3, 0, 0, 1);
        later.get(start, direction);
        CHECK(is(start, 1, 2, 3) && is(direction, 0, 0, 1));
        later.setParams(1, 1);
        later.getParams(&first, &cull);
        CHECK(first == 1 && cull == 1);
        SET_GET(later, BackfaceCull, 0);
        SET_GET(later, FirstContact, 0);
        SET_GET(later, ClosestHit, 1);
    }
}

static void test_transform(dSpace &space)
{
    dGeomTransform in(space), by_id(space.id()), later;
    later.create();
    CHECK(!later.getSpace() && in.getSpace() == space.id() && by_id.getSpace() == space.id());
    later.create(space);
    CHECK(later.getSpace() == space.id() && later.getClass() == dGeomTransformClass);
    dSphere inner(1);
    SET_GET(later, Cleanup, 0);
    SET_GET(later, Info, 1);
    SET_GET(later, Geom, inner.id());
}

int main()
{
    dInitODE2(0);
    test_world();
    {
        dWorld world;
        test_body_state(world);
        test_body_frames(world);
        dBody a(world), b(world);
        test_joint_base(world, a, b);
        test_turning_joints(world, a, b);
        test_sliding_joints(world, a, b);
        test_other_joints(world, a, b);
        test_geom(world);
        dSimpleSpace space;
        test_round_shapes(space);
        test_flat_shapes(space);
        test_transform(space);
        test_spaces();
        CHECK(space.getNumGeoms() == 0 && a.getNumJoints() == 0);
    }
    dCloseODE();
    return failures != 0;
}
