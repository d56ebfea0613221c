/* joints_ode.c: libode's joints, solved by dWorldQuickStep, with its default ERP and CFM. */
#include "bench/engine.h"
#include "bench/joints.h"
#include "bench/tool.h"

#include <ode/ode.h>

#include <stdlib.h>

typedef struct ode_side {
    dWorldID world;
    dJointGroupID group;
    int rows;
} ode_side;

/* A type of libode: how to make one between bodies whose centres are `a` and, half a metre to its
 * left, the anchor; how to set a parameter, if it has axes; and its rows, motors included. */
typedef struct ode_type {
    dJointID (*create)(dWorldID world, dJointGroupID group);
    void (*place)(dJointID joint, const dReal *a);
    void (*set)(dJointID joint, int parameter, dReal value);
    int axes, rows;
} ode_type;

static void place_ball(dJointID j, const dReal *a)
{
    dJointSetBallAnchor(j, a[0] - 0.5, a[1], a[2]);
}

static void place_hinge(dJointID j, const dReal *a)
{
    dJointSetHingeAnchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetHingeAxis(j, 0, 0, 1);
}

static void place_slider(dJointID j, const dReal *a)
{
    (void)a;
    dJointSetSliderAxis(j, 0, 0, 1);
}

static void place_universal(dJointID j, const dReal *a)
{
    dJointSetUniversalAnchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
}

static void place_fixed(dJointID j, const dReal *a)
{
    (void)a;
    dJointSetFixed(j);
}

static void place_piston(dJointID j, const dReal *a)
{
    dJointSetPistonAnchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetPistonAxis(j, 0, 0, 1);
}

static void place_pr(dJointID j, const dReal *a)
{
    dJointSetPRAnchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetPRAxis1(j, 0, 1, 0);
    dJointSetPRAxis2(j, 0, 0, 1);
}

static void place_pu(dJointID j, const dReal *a)
{
    dJointSetPUAnchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetPUAxis1(j, 0, 1, 0);
    dJointSetPUAxis2(j, 0, 0, 1);
    dJointSetPUAxis3(j, 1, 0, 0);
}

static void place_hinge2(dJointID j, const dReal *a)
{
    const dVector3 axis1 = {0, 1, 0}, axis2 = {0, 0, 1};
    dJointSetHinge2Anchor(j, a[0] - 0.5, a[1], a[2]);
    dJointSetHinge2Axes(j, axis1, axis2);
}

static void place_double_ball(dJointID j, const dReal *a)
{
    dJointSetDBallAnchor1(j, a[0], a[1], a[2]);
    dJointSetDBallAnchor2(j, a[0] - 1, a[1], a[2]);
}

static void place_double_hinge(dJointID j, const dReal *a)
{
    dJointSetDHingeAxis(j, 0, 0, 1);
    dJointSetDHingeAnchor1(j, a[0], a[1], a[2]);
    dJointSetDHingeAnchor2(j, a[0] - 1, a[1], a[2]);
}

static void place_angular_motor(dJointID j, const dReal *a)
{
    (void)a;
    dJointSetAMotorMode(j, dAMotorUser);
    dJointSetAMotorNumAxes(j, 3);
    for (int i = 0; i < 3; ++i)
        dJointSetAMotorAxis(j, i, 2, i == 0, i == 1, i == 2);
}

static void place_euler_motor(dJointID j, const dReal *a)
{
    (void)a;
    dJointSetAMotorMode(j, dAMotorEuler);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
}

static void place_linear_motor(dJointID j, const dReal *a)
{
    (void)a;
    dJointSetLMotorNumAxes(j, 3);
    for (int i = 0; i < 3; ++i)
        dJointSetLMotorAxis(j, i, 2, i == 0, i == 1, i == 2);
}

static void place_nothing(dJointID j, const dReal *a)
{
    (void)j, (void)a;
}

/* The motors of a plane-2D have functions of their own, one for each parameter. */
static void set_plane_2d(dJointID j, int parameter, dReal value)
{
    void (*const set[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                  dJointSetPlane2DAngleParam};
    set[parameter / dParamGroup](j, parameter % dParamGroup, value);
}

static const ode_type types[BENCH_LINK_TYPE_COUNT] = {
    [BENCH_LINK_BALL] = {dJointCreateBall, place_ball, NULL, 0, 3},
    [BENCH_LINK_HINGE] = {dJointCreateHinge, place_hinge, dJointSetHingeParam, 1, 6},
    [BENCH_LINK_SLIDER] = {dJointCreateSlider, place_slider, dJointSetSliderParam, 1, 6},
    [BENCH_LINK_UNIVERSAL] = {dJointCreateUniversal, place_universal, dJointSetUniversalParam, 2,
                              6},
    [BENCH_LINK_FIXED] = {dJointCreateFixed, place_fixed, NULL, 0, 6},
    [BENCH_LINK_PISTON] = {dJointCreatePiston, place_piston, dJointSetPistonParam, 2, 6},
    [BENCH_LINK_PRISMATIC_ROTOIDE] = {dJointCreatePR, place_pr, dJointSetPRParam, 2, 6},
    [BENCH_LINK_PRISMATIC_UNIVERSAL] = {dJointCreatePU, place_pu, dJointSetPUParam, 3, 6},
    [BENCH_LINK_PLANE_2D] = {dJointCreatePlane2D, place_nothing, set_plane_2d, 3, 6},
    [BENCH_LINK_WHEEL] = {dJointCreateHinge2, place_hinge2, dJointSetHinge2Param, 2, 6},
    [BENCH_LINK_DOUBLE_BALL] = {dJointCreateDBall, place_double_ball, NULL, 0, 1},
    [BENCH_LINK_DOUBLE_HINGE] = {dJointCreateDHinge, place_double_hinge, NULL, 0, 4},
    [BENCH_LINK_ANGULAR_MOTOR] = {dJointCreateAMotor, place_angular_motor, dJointSetAMotorParam, 3,
                                  3},
    [BENCH_LINK_EULER_MOTOR] = {dJointCreateAMotor, place_euler_motor, dJointSetAMotorParam, 3, 3},
    [BENCH_LINK_LINEAR_MOTOR] = {dJointCreateLMotor, place_linear_motor, dJointSetLMotorParam, 3,
                                 3},
};

static dBodyID add_link(dWorldID world, int i)
{
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, BENCH_LINK_MASS, 0, 0, 0, BENCH_LINK_INERTIA, BENCH_LINK_INERTIA,
                       BENCH_LINK_INERTIA, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, i % BENCH_LINKS, 2 * (i / BENCH_LINKS), 0);
    dBodySetAngularVel(body, bench_link_spin(i, 0), bench_link_spin(i, 1), bench_link_spin(i, 2));
    return body;
}

static void add_joint(ode_side *side, const ode_type *type, dBodyID a, dBodyID b)
{
    dJointID joint = type->create(side->world, side->group);
    dJointAttach(joint, a, b);
    type->place(joint, dBodyGetPosition(a));
    for (int i = 0; i < type->axes; ++i) {
        type->set(joint, dParamVel + i * dParamGroup, BENCH_MOTOR_SPEED);
        type->set(joint, dParamFMax + i * dParamGroup, BENCH_MOTOR_FORCE);
    }
    side->rows += type->rows;
}

static void *create(bench_link_type type)
{
    if (!types[type].create)
        return NULL;
    dInitODE2(0);
    ode_side *side = bench_alloc(1, sizeof *side);
    side->world = dWorldCreate();
    side->group = dJointGroupCreate(0);
    dWorldSetQuickStepNumIterations(side->world, BENCH_JOINT_ITERATIONS);
    dBodyID last = NULL;
    for (int i = 0; i < BENCH_CHAINS * BENCH_LINKS; ++i) {
        dBodyID link = add_link(side->world, i);
        if (type == BENCH_LINK_PLANE_2D)
            add_joint(side, &types[type], link, NULL);
        else if (i % BENCH_LINKS > 0)
            add_joint(side, &types[type], link, last);
        last = link;
    }
    return side;
}

static void destroy(void *jointer)
{
    ode_side *side = jointer;
    dJointGroupDestroy(side->group);
    dWorldDestroy(side->world);
    dCloseODE();
    free(side);
}

static double step(void *jointer)
{
    double before = bench_now();
    if (!dWorldQuickStep(((ode_side *)jointer)->world, BENCH_DT))
        bench_fail("a step of libode failed");
    return bench_now() - before;
}

static int rows(void *jointer)
{
    return ((ode_side *)jointer)->rows;
}

const bench_jointer bench_jointer_ode = {create, destroy, step, rows};
