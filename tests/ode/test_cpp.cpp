/* ODE's C++ classes: each method by what it does. tests/ode/idle_methods.py shows that each is
   missed. Here are worlds, bodies and groups of joints. */
#include "cpp_check.h"

static int failures = 0;

void check(bool holds, const char *what, const char *file, int line)
{
    if (!holds) {
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
        ++failures;
    }
}

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

/* Worlds end their bodies, bodies leave their joints, groups end theirs. */
static void test_ends(dWorld &world, dBody &a)
{
    dSphere sphere(1);
    dBallJoint joint(world);
    {
        dWorld ended;
        dBody *lost = new dBody(ended);
        sphere.setBody(*lost);
        CHECK(sphere.getBody() == lost->id());
        operator delete(lost); /* the world ends what it names */
    }
    CHECK(!sphere.getBody());
    {
        dBody ended(world);
        joint.attach(a, ended);
        CHECK(joint.getBody(1) == ended.id());
    }
    CHECK(!joint.getBody(1));
    const int before = a.getNumJoints();
    {
        dJointGroup ended;
        dJointAttach(dJointCreateBall(world, ended), a, 0);
        CHECK(a.getNumJoints() == before + 1);
    }
    CHECK(a.getNumJoints() == before);
}

static void test_body_state(dWorld &world)
{
    dBody body(world), by_id(world.id()), later, later_by_id;
    CHECK(begins_empty<dBody>());
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
    CHECK(body.getGravityMode() && body.getGyroscopicMode());
    SET_GET(body, GravityMode, false);
    SET_GET(body, GyroscopicMode, false);
}

static void test_body_settings(dWorld &world)
{
    dBody body(world);
    SET_GET(body, AutoDisableLinearThreshold, dReal(0.5));
    SET_GET(body, AutoDisableAngularThreshold, dReal(0.25));
    SET_GET(body, AutoDisableSteps, 7);
    SET_GET(body, AutoDisableTime, dReal(2));
    SET_GET(body, AutoDisableFlag, true);
    SET_GET(body, LinearDamping, dReal(0.125));
    SET_GET(body, AngularDamping, dReal(0.0625));
    const dBody &constant = body;
    constant.setLinearDampingThreshold(dReal(0.5));
    CHECK(body.getLinearDampingThreshold() == dReal(0.5));
    SET_GET(body, AngularDampingThreshold, dReal(0.25));
    body.setDamping(dReal(0.25), dReal(0.5));
    CHECK(body.getLinearDamping() == dReal(0.25) && body.getAngularDamping() == dReal(0.5));
    body.setDampingDefaults();
    CHECK(body.getLinearDamping() == world.getLinearDamping());
    SET_GET(body, MaxAngularSpeed, dReal(9));
}

/* The body stands at (1, 0, 0), turned a quarter about z: its x is the world's y. */
static void test_body_frames(dWorld &world)
{
    dBody body(world);
    dMatrix3 turn;
    dQuaternion quarter;
    const dQuaternion none = {1, 0, 0, 0};
    dRFromAxisAndAngle(turn, 0, 0, 1, dReal(M_PI / 2));
    dQFromAxisAndAngle(quarter, 0, 0, 1, dReal(M_PI / 2));
    body.setRotation(turn);
    CHECK(near(body.getQuaternion()[3], dReal(sqrt(0.5))));
    body.setQuaternion(none);
    CHECK(near(body.getRotation()[0], 1));
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

static void test_groups(dWorld &world, dBody &a)
{
    dJointGroup group;
    dJointGroupID converted = group;
    CHECK(converted && converted == group.id());
    const int before = a.getNumJoints();
    const auto fill = [&] {
        dJointAttach(dJointCreateBall(world, group), a, 0);
        CHECK(a.getNumJoints() == before + 1);
    };
    fill();
    group.empty();
    CHECK(a.getNumJoints() == before);
    fill();
    group.clear();
    CHECK(a.getNumJoints() == before);
    fill();
    group.create();
    CHECK(a.getNumJoints() == before && group.id());
}

int main()
{
    dInitODE2(0);
    test_world();
    {
        dWorld world;
        dBody body(world);
        test_ends(world, body);
        test_body_state(world);
        test_body_settings(world);
        test_body_frames(world);
        test_groups(world, body);
        test_masses();
        test_joints(world);
        test_geoms(world);
        test_spaces();
    }
    dCloseODE();
    return failures != 0;
}
