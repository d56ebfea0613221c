/* scenarios_joints.c: little worlds with joints of the types that ODE has beside the common
 * ones. */
#include "scenarios.h"

#include <stddef.h>

/* Bodies 0 and 2 on the world, 1 and 3 each on the one before. */
static void make_pairs(scene *s, make_fn *make)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = make(s->world, 0);
        dJointAttach(s->joint[i], s->body[i], i % 2 ? s->body[i - 1] : 0);
        dJointSetFeedback(s->joint[i], &s->feedback[i]);
    }
}

static void make_on_world(scene *s, make_fn *make)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = make(s->world, 0);
        dJointAttach(s->joint[i], i % 2 ? 0 : s->body[i], i % 2 ? s->body[i] : 0);
        dJointSetFeedback(s->joint[i], &s->feedback[i]);
    }
}

/* --- motors */

static void make_turning(scene *s)
{
    make_pairs(s, dJointCreateAMotor);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetAMotorNumAxes(s->joint[i], 3);
        for (int axis = 0; axis < 3; ++axis) {
            dJointSetAMotorAxis(s->joint[i], axis, (axis + i) % 3, axis == 0, axis == 1, axis == 2);
            dJointSetAMotorParam(s->joint[i], dParamVel + axis * dParamGroup,
                                 (dReal)(0.5 + 0.3 * axis - 0.2 * i));
            dJointSetAMotorParam(s->joint[i], dParamFMax + axis * dParamGroup, 1000);
        }
    }
}

/* Axes 0 and 2 come off their right angle a little, as steps are long. Then what is driven here is
 * the rate of an angle, and in libode what the bodies turn with along the axis, which is that rate
 * no more. With the world as the first body libode's axes turn with the wrong one. */
static void make_euler_at(scene *s, const dReal vel[3])
{
    make_pairs(s, dJointCreateAMotor);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetAMotorMode(s->joint[i], dAMotorEuler);
        dJointSetAMotorAxis(s->joint[i], 0, 1, (dReal)0.6, 0, (dReal)0.8);
        dJointSetAMotorAxis(s->joint[i], 2, 2, 0, 1, 0);
        for (int axis = 0; axis < 3; ++axis) {
            dJointSetAMotorParam(s->joint[i], dParamVel + axis * dParamGroup, vel[axis]);
            dJointSetAMotorParam(s->joint[i], dParamFMax + axis * dParamGroup, 1000);
        }
    }
}

static void make_euler(scene *s)
{
    make_euler_at(s, (const dReal[3]){(dReal)0.8, 0, (dReal)-0.5});
}

/* Both axes keep their angle where one alone turns. */
static void make_euler_about_one(scene *s)
{
    make_euler_at(s, (const dReal[3]){(dReal)0.8, 0, 0});
}

static void twist_motors(scene *s)
{
    for (int i = 0; i < BODIES; ++i)
        dJointAddAMotorTorques(s->joint[i], (dReal)0.1, (dReal)0.2, (dReal)(-0.1 * i));
}

static void pull(scene *s, const int rel[2])
{
    for (int i = 0; i < BODIES; ++i) {
        dJointSetLMotorNumAxes(s->joint[i], 2);
        dJointSetLMotorAxis(s->joint[i], 0, rel[0], 0, (dReal)0.6, (dReal)0.8);
        dJointSetLMotorAxis(s->joint[i], 1, rel[1], 1, 0, 0);
        for (int axis = 0; axis < 2; ++axis) {
            dJointSetLMotorParam(s->joint[i], dParamVel + axis * dParamGroup,
                                 (dReal)(0.4 + 0.1 * axis));
            dJointSetLMotorParam(s->joint[i], dParamFMax + axis * dParamGroup, 1000);
        }
    }
}

/* libode's directions of a world that is the second body turn with the first. */
static void make_pulling(scene *s)
{
    make_on_world(s, dJointCreateLMotor);
    pull(s, (const int[2]){0, 0});
}

static void make_pulling_two(scene *s)
{
    make_chain(s, dJointCreateLMotor, 0);
    pull(s, (const int[2]){0, 1});
    for (int i = 0; i < BODIES; ++i)
        dBodySetAngularVel(s->body[i], (dReal)(0.2 * i), 1, (dReal)-0.5);
}

/* --- in a plane: libode corrects no tilt, and none comes about where nothing tilts the body */

static void make_planes(scene *s, int driven)
{
    dMass round;
    make_on_world(s, dJointCreatePlane2D);
    dMassSetParameters(&round, 2, 0, 0, 0, (dReal)0.3, (dReal)0.4, (dReal)0.5, (dReal)0.05, 0, 0);
    for (int i = 0; i < BODIES; ++i) {
        const dReal *p = dBodyGetPosition(s->body[i]);
        dBodySetMass(s->body[i], &round);
        dBodySetPosition(s->body[i], p[0], p[1], (dReal)(0.05 * i));
        dBodySetLinearVel(s->body[i], 1, (dReal)0.5, (dReal)0.2);
        dBodySetAngularVel(s->body[i], 0, 0, (dReal)(1 + i));
        if (!driven)
            continue;
        dJointSetPlane2DXParam(s->joint[i], dParamVel, (dReal)-0.4);
        dJointSetPlane2DXParam(s->joint[i], dParamFMax, 1000);
        dJointSetPlane2DYParam(s->joint[i], dParamVel, (dReal)0.3);
        dJointSetPlane2DYParam(s->joint[i], dParamFMax, (dReal)0.8); /* is not enough */
        dJointSetPlane2DAngleParam(s->joint[i], dParamVel, (dReal)0.3);
        dJointSetPlane2DAngleParam(s->joint[i], dParamFMax, 1000);
    }
}

static void make_free_planes(scene *s)
{
    make_planes(s, 0);
}

static void make_driven_planes(scene *s)
{
    make_planes(s, 1);
}

/* --- wheels, 1 and 3, on bodies that stand still; steered, and driven
 *
 * Steps bring the axes off their right angle by 1e-5 or so; then a motor drives the angle about its
 * own axis here, and in libode what bodies turn with along it. Where a suspension gives, libode
 * pushes the first body where the wheel would stand without, a couple that nothing bears; here in
 * one line. */

static void make_wheels(scene *s, dReal cfm)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; i += 2) {
        s->joint[i] = dJointCreateFixed(s->world, 0);
        dJointAttach(s->joint[i], s->body[i], 0);
        dJointSetFixed(s->joint[i]);
        dJointID joint = s->joint[i + 1] = dJointCreateHinge2(s->world, 0);
        const dVector3 up = {0, (dReal)0.6, (dReal)0.8}, axle = {1, 0, 0};
        dJointAttach(joint, s->body[i], s->body[i + 1]);
        dJointSetFeedback(joint, &s->feedback[i + 1]);
        dJointSetHinge2Anchor(joint, (dReal)(1.3 + i), (dReal)(0.1 * (i + 1)), 2);
        dJointSetHinge2Axes(joint, up, axle);
        dJointSetHinge2Param(joint, dParamSuspensionERP, (dReal)0.4);
        dJointSetHinge2Param(joint, dParamSuspensionCFM, cfm);
        dJointSetHinge2Param(joint, dParamVel, (dReal)0.5);
        dJointSetHinge2Param(joint, dParamFMax, i ? 0 : 100);
        dJointSetHinge2Param(joint, dParamVel2, 3);
        dJointSetHinge2Param(joint, dParamFMax2, (dReal)0.2);
        dJointSetHinge2Param(joint, dParamHiStop2, (dReal)0.1); /* is not heeded */
    }
}

static void make_stiff_wheels(scene *s)
{
    make_wheels(s, 0);
}

/* Wheels that nothing drives. */
static void make_rolling_wheels(scene *s)
{
    make_wheels(s, 0);
    for (int i = 1; i < BODIES; i += 2) {
        dJointSetHinge2Param(s->joint[i], dParamFMax, 0);
        dJointSetHinge2Param(s->joint[i], dParamFMax2, 0);
    }
}

static void make_sprung_wheels(scene *s)
{
    make_wheels(s, (dReal)0.002);
}

/* --- slides with hinges
 *
 * With the world as the first body libode's fly apart. What a slide's motor drives between two
 * bodies is the rate of its position here, and in libode that of the point in the middle between
 * the two. */

static void set_pr(scene *s, int i, int driven)
{
    dJointSetPRAnchor(s->joint[i], (dReal)(i - 0.3), (dReal)(0.1 * i), 2);
    dJointSetPRAxis1(s->joint[i], 1, 0, 0);
    dJointSetPRAxis2(s->joint[i], 0, (dReal)0.6, (dReal)0.8);
    if (!driven)
        return;
    dJointSetPRParam(s->joint[i], dParamVel, (dReal)(0.2 + 0.1 * i));
    dJointSetPRParam(s->joint[i], dParamFMax, 1000);
    dJointSetPRParam(s->joint[i], dParamVel2, (dReal)-0.3);
    dJointSetPRParam(s->joint[i], dParamFMax2, 1000);
}

static void make_prs(scene *s, int driven)
{
    make_pairs(s, dJointCreatePR);
    for (int i = 0; i < BODIES; ++i)
        set_pr(s, i, driven);
}

static void make_free_prs(scene *s)
{
    make_prs(s, 0);
}

static void make_driven_prs(scene *s)
{
    make_prs(s, 1);
}

/* Of hinges alone both drive the same. */
static void make_turning_prs(scene *s)
{
    make_prs(s, 1);
    for (int i = 0; i < BODIES; ++i)
        dJointSetPRParam(s->joint[i], dParamFMax, 0);
}

/* --- slides with universal joints
 *
 * Their angles are held by motors, then driven. Where the slide turns libode's gain energy, 2 J of
 * 20 within a second however short the steps are, and what a driven slide twists the second body
 * with leaves out how far that is, so that angular momentum is lost: those are compared roughly. */

static void make_pus(scene *s, dReal turn)
{
    make_pairs(s, dJointCreatePU);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetPUAnchor(s->joint[i], (dReal)(i - 0.3), (dReal)(0.1 * i), 2);
        dJointSetPUAxis1(s->joint[i], 0, 1, 0);
        dJointSetPUAxis2(s->joint[i], (dReal)0.8, 0, (dReal)0.6);
        dJointSetPUAxis3(s->joint[i], (dReal)0.6, 0, (dReal)-0.8);
        dJointSetPUParam(s->joint[i], dParamVel, turn);
        dJointSetPUParam(s->joint[i], dParamFMax, 1000);
        dJointSetPUParam(s->joint[i], dParamFMax2, 1000);
        dJointSetPUParam(s->joint[i], dParamVel3, (dReal)0.1);
        dJointSetPUParam(s->joint[i], dParamFMax3, turn < 0 ? 1000 : 0);
    }
}

static void make_held_pus(scene *s)
{
    make_pus(s, 0);
}

static void make_turning_pus(scene *s)
{
    make_pus(s, (dReal)-0.1);
}

/* --- links */

static void make_dballs(scene *s)
{
    make_chain(s, dJointCreateDBall, 0);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetDBallAnchor1(s->joint[i], (dReal)(i + 0.2), (dReal)(0.1 * i), 2);
        dJointSetDBallAnchor2(s->joint[i], (dReal)(i - 0.4), (dReal)(0.1 * i), (dReal)2.2);
    }
    dJointSetDBallDistance(s->joint[1], (dReal)0.7);
    dJointSetDBallParam(s->joint[2], dParamERP, (dReal)0.4);
    dJointSetDBallParam(s->joint[2], dParamCFM, (dReal)1e-3);
}

static void make_dhinges(scene *s, int chain)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        dJointID joint = s->joint[i] = dJointCreateDHinge(s->world, 0);
        dJointAttach(joint, s->body[i], chain && i > 0 ? s->body[i - 1] : 0);
        dJointSetFeedback(joint, &s->feedback[i]);
        dJointSetDHingeAxis(joint, 0, 1, 0);
        dJointSetDHingeAnchor1(joint, (dReal)(i + 0.2), (dReal)(0.1 * i), 2);
        dJointSetDHingeAnchor2(joint, (dReal)(i - 0.4), (dReal)(0.1 * i), (dReal)2.2);
    }
    dJointSetDHingeParam(s->joint[2], dParamERP, (dReal)0.4);
}

static void make_single_dhinges(scene *s)
{
    make_dhinges(s, 0);
}

static void make_dhinge_chain(scene *s)
{
    make_dhinges(s, 1);
}

/* --- wheels that drive each other: 1 by 0, 3 by 2, each on a hinge of its own
 *
 * libode mends errors of bevel gears the wrong way, so that they speed up without end; here
 * nothing is mended. And away from the world's origin its chains pull along a wrong line; these
 * are there. */

static void make_wheel_pair(scene *s, int i, int mode)
{
    const dVector3 axes[2] = {
        {0, 0, 1},
        {mode == dTransmissionIntersectingAxes, 0, mode != dTransmissionIntersectingAxes}};
    const dReal *p[2] = {dBodyGetPosition(s->body[i]), dBodyGetPosition(s->body[i + 1])};
    if (mode != dTransmissionParallelAxes)
        dBodySetPosition(s->body[i], 0, 0, 0);
    if (mode == dTransmissionChainDrive)
        dBodySetPosition(s->body[i + 1], 1, 0, 0);
    if (mode == dTransmissionIntersectingAxes)
        dBodySetPosition(s->body[i + 1], 2, 0, -1);
    for (int k = 0; k < 2; ++k) {
        dJointID hinge = dJointCreateHinge(s->world, 0);
        dJointAttach(hinge, s->body[i + k], 0);
        dJointSetHingeAnchor(hinge, p[k][0], p[k][1], p[k][2]);
        dJointSetHingeAxis(hinge, axes[k][0], axes[k][1], axes[k][2]);
    }
    dJointID joint = s->joint[i] = dJointCreateTransmission(s->world, 0);
    dJointAttach(joint, s->body[i], s->body[i + 1]);
    dJointSetFeedback(joint, &s->feedback[i]);
    dJointSetTransmissionMode(joint, mode);
    dJointSetTransmissionAnchor1(joint, p[0][0], p[0][1], p[0][2]);
    dJointSetTransmissionAnchor2(joint, p[1][0], p[1][1], p[1][2]);
    if (mode == dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis1(joint, axes[0][0], axes[0][1], axes[0][2]);
        dJointSetTransmissionAxis2(joint, axes[1][0], axes[1][1], axes[1][2]);
        dJointSetTransmissionParam(joint, dParamERP, 0);
    } else {
        dJointSetTransmissionAxis(joint, axes[0][0], axes[0][1], axes[0][2]);
    }
    if (mode == dTransmissionParallelAxes)
        dJointSetTransmissionRatio(joint, (dReal)(1.5 + i));
    if (mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(joint, (dReal)0.2);
        dJointSetTransmissionRadius2(joint, (dReal)(0.3 + 0.1 * i));
    }
    dBodySetAngularVel(s->body[i], 0, 0, 1);
}

static void make_transmissions(scene *s, int mode)
{
    make_bodies(s);
    dWorldSetGravity(s->world, 0, 0, 0);
    for (int i = 0; i < BODIES; ++i) {
        dMass mass;
        dMassSetParameters(&mass, (dReal)(1 + i), 0, 0, 0, (dReal)0.3, (dReal)0.4, (dReal)0.5, 0, 0,
                           0);
        dBodySetMass(s->body[i], &mass);
    }
    for (int i = 0; i < BODIES; i += 2)
        make_wheel_pair(s, i, mode);
}

static void make_gears(scene *s)
{
    make_transmissions(s, dTransmissionParallelAxes);
}

static void make_bevel_gears(scene *s)
{
    make_transmissions(s, dTransmissionIntersectingAxes);
}

static void make_chain_drives(scene *s)
{
    make_transmissions(s, dTransmissionChainDrive);
}

static void turn_wheels(scene *s)
{
    for (int i = 0; i < BODIES; i += 2)
        dBodyAddTorque(s->body[i], 0, 0, (dReal)(0.5 - 0.4 * i));
}

/* clang-format off */
const scenario joint_scenarios[] = {
    /* name                             build                before        step        tolerance */
    {"angular motors",                  make_turning,        NULL,         dWorldStep, 1e-6},
    {"angular motors, twisted",         make_turning,        twist_motors, dWorldStep, 1e-6},
    {"Euler motors",                    make_euler,          NULL,         dWorldStep, 5e-3},
    {"Euler motors about one",          make_euler_about_one, NULL,        dWorldStep, 1e-6},
    {"linear motors",                   make_pulling,        NULL,         dWorldStep, 1e-6},
    {"linear motors of two",            make_pulling_two,    NULL,         dWorldStep, 1e-6},
    {"planes",                          make_free_planes,    NULL,         dWorldStep, 1e-6},
    {"planes, driven",                  make_driven_planes,  NULL,         dWorldStep, 1e-6},
    {"wheels",                          make_stiff_wheels,   NULL,         dWorldStep, 1e-4},
    {"wheels, not driven",              make_rolling_wheels, NULL,         dWorldStep, 1e-6},
    {"wheels, sprung",                  make_sprung_wheels,  NULL,         dWorldStep, 0.01},
    {"slides with hinges",              make_free_prs,       NULL,         dWorldStep, 1e-6},
    {"slides with hinges, driven",      make_driven_prs,     NULL,         dWorldStep, 0.1},
    {"slides with hinges, turning",     make_turning_prs,    NULL,         dWorldStep, 1e-6},
    {"slides with universals",          make_held_pus,       NULL,         dWorldStep, 1e-6},
    {"slides with universals, turning", make_turning_pus,    NULL,         dWorldStep, 0.1},
    {"double balls",                    make_dballs,         NULL,         dWorldStep, 1e-6},
    {"double hinges",                   make_single_dhinges, NULL,         dWorldStep, 1e-6},
    {"double hinges in a chain",        make_dhinge_chain,   NULL,         dWorldStep, 1e-6},
    {"gears",                           make_gears,          turn_wheels,  dWorldStep, 1e-6},
    {"bevel gears",                     make_bevel_gears,    turn_wheels,  dWorldStep, 1e-6},
    {"chain drives",                    make_chain_drives,   turn_wheels,  dWorldStep, 1e-6},
    {"angular motors, quick",           make_turning,        twist_motors, settle,     1e-6},
    {"Euler motors, quick",             make_euler_about_one, NULL,        settle,     1e-6},
    {"linear motors, quick",            make_pulling_two,    NULL,         settle,     1e-6},
    {"planes, quick",                   make_driven_planes,  NULL,         settle,     1e-6},
    {"wheels, quick",                   make_rolling_wheels, NULL,         settle,     1e-6},
    {"slides with hinges, quick",       make_turning_prs,    NULL,         settle,     1e-6},
    {"slides with universals, quick",   make_held_pus,       NULL,         settle,     1e-6},
    {"double balls, quick",             make_dballs,         NULL,         settle,     1e-6},
    {"double hinges, quick",            make_single_dhinges, NULL,         settle,     1e-6},
    {"gears, quick",                    make_gears,          turn_wheels,  settle,     1e-6},
    {"bevel gears, quick",              make_bevel_gears,    turn_wheels,  settle,     1e-6},
    {"chain drives, quick",             make_chain_drives,   turn_wheels,  settle,     1e-6},
    {NULL,                              NULL,                NULL,         NULL,       0},
};
/* clang-format on */

/* --- telling */

static dReal told_by_amotor(dJointID joint)
{
    dReal sum = 0;
    for (int axis = 0; axis < 3; ++axis)
        sum += (dReal)(1 + axis) * dJointGetAMotorAngleRate(joint, axis);
    return sum;
}

dReal told_by(dJointID joint)
{
    switch (dJointGetType(joint)) {
    case dJointTypeAMotor:
        return told_by_amotor(joint);
    case dJointTypeHinge2: /* libode's second angle goes against its rate */
        return dJointGetHinge2Angle1(joint) + dJointGetHinge2Angle1Rate(joint) +
               dJointGetHinge2Angle2Rate(joint);
    case dJointTypePR: /* libode's rate of the position leaves out that the slide turns */
        return dJointGetPRPosition(joint) + dJointGetPRAngle(joint) + dJointGetPRAngleRate(joint);
    case dJointTypePU:
        return dJointGetPUPosition(joint) + dJointGetPUAngle1(joint) + dJointGetPUAngle2(joint) +
               dJointGetPUAngle1Rate(joint) + dJointGetPUAngle2Rate(joint);
    case dJointTypeDBall:
        return dJointGetDBallDistance(joint);
    case dJointTypeDHinge:
        return dJointGetDHingeDistance(joint);
    case dJointTypeTransmission: /* libode's angles go against the wheels */
        return dJointGetTransmissionRatio(joint) + dJointGetTransmissionRadius1(joint) +
               dJointGetTransmissionRadius2(joint);
    default:
        return 0;
    }
}
