/* scenarios.c: the same little worlds with two libraries of one API: built once with Debian's
 * libode and once with the ODE face, from one source. Prints what bodies and joints are like in the
 * end, with the tolerance that the scenario allows; compare_scenarios.py holds the two against each
 * other. */
#include "scenarios.h"

#include <stdio.h>

#define STEP ((dReal)0.01)

/* --- bodies */

static unsigned seed;

/* -1..1 */
static dReal chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (dReal)(seed / 2147483648.0 - 1);
}

int settle(dWorldID world, dReal h)
{
    dWorldSetQuickStepNumIterations(world, 2000);
    return dWorldQuickStep(world, h);
}

void make_bodies(scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        dMass mass;
        s->body[i] = dBodyCreate(s->world);
        dMassSetParameters(&mass, (dReal)(1 + 0.5 * i), 0, 0, 0, (dReal)0.3, (dReal)0.4, (dReal)0.5,
                           (dReal)0.05, (dReal)0.02, (dReal)-0.02);
        dBodySetMass(s->body[i], &mass);
        dBodySetPosition(s->body[i], (dReal)(0.3 + i), (dReal)(0.1 * i), 2);
    }
}

static void make_flying(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        dQuaternion q = {1, chance(), chance(), chance()};
        dBodySetQuaternion(s->body[i], q);
        dBodySetLinearVel(s->body[i], chance(), chance(), chance());
        dBodySetAngularVel(s->body[i], 3 * chance(), 3 * chance(), 3 * chance());
    }
}

static void make_flying_without_torque(scene *s)
{
    make_flying(s);
    for (int i = 0; i < BODIES; ++i)
        dBodySetGyroscopicMode(s->body[i], i % 2);
}

static void make_finite(scene *s)
{
    make_flying(s);
    for (int i = 0; i < BODIES; ++i)
        dBodySetFiniteRotationMode(s->body[i], 1);
}

static void make_damped(scene *s)
{
    dWorldSetDamping(s->world, (dReal)0.02, (dReal)0.05);
    dWorldSetLinearDampingThreshold(s->world, (dReal)0.5);
    make_flying(s);
}

static void make_limited(scene *s)
{
    dWorldSetMaxAngularSpeed(s->world, 2);
    make_flying(s);
}

static void make_weightless(scene *s)
{
    make_flying(s);
    for (int i = 0; i < BODIES; ++i)
        dBodySetGravityMode(s->body[i], i % 2);
}

static void push(scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        dBodyAddRelForceAtRelPos(s->body[i], 1, 2, 3, (dReal)0.1, (dReal)0.2, (dReal)0.3);
        dBodyAddForceAtPos(s->body[i], 1, 0, 0, 0, 0, 0);
        dBodyAddForceAtRelPos(s->body[i], 0, 1, 0, (dReal)0.2, 0, 0);
        dBodyAddRelForceAtPos(s->body[i], 0, 0, 1, 1, 1, 1);
        dBodyAddRelForce(s->body[i], (dReal)0.5, 0, 0);
        dBodyAddRelTorque(s->body[i], (dReal)0.1, (dReal)0.2, (dReal)0.3);
        dBodyAddTorque(s->body[i], 0, (dReal)0.2, 0);
        dBodyAddForce(s->body[i], 0, 0, 2);
    }
}

/* --- chains of joints, each body on the one before and the first on the world */

void attach(scene *s, int i, int turned)
{
    dBodyID last = i > 0 ? s->body[i - 1] : 0;
    dJointAttach(s->joint[i], turned ? last : s->body[i], turned ? s->body[i] : last);
    dJointSetFeedback(s->joint[i], &s->feedback[i]);
}

static void attach_to_world(scene *s, int i)
{
    dJointAttach(s->joint[i], i % 2 ? 0 : s->body[i], i % 2 ? s->body[i] : 0);
    dJointSetFeedback(s->joint[i], &s->feedback[i]);
}

void make_chain(scene *s, make_fn *make, int turned)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = make(s->world, 0);
        attach(s, i, turned);
    }
}

static void set_balls(scene *s)
{
    for (int i = 0; i < BODIES; ++i)
        dJointSetBallAnchor(s->joint[i], (dReal)(i - 0.2), (dReal)(0.1 * i - 0.05), 2);
}

static void make_balls(scene *s)
{
    make_chain(s, dJointCreateBall, 0);
    set_balls(s);
}

static void make_turned_balls(scene *s)
{
    make_chain(s, dJointCreateBall, 1);
    set_balls(s);
}

static void make_soft_balls(scene *s)
{
    make_chain(s, dJointCreateBall, 0);
    set_balls(s);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetBallParam(s->joint[i], dParamERP, (dReal)0.4);
        dJointSetBallParam(s->joint[i], dParamCFM, (dReal)1e-3);
    }
}

static void set_sliders(scene *s)
{
    for (int i = 0; i < BODIES; ++i)
        dJointSetSliderAxis(s->joint[i], (dReal)0.1, 1, (dReal)(0.2 * i));
}

static void make_sliders(scene *s)
{
    make_chain(s, dJointCreateSlider, 0);
    set_sliders(s);
}

static void make_turned_sliders(scene *s)
{
    make_chain(s, dJointCreateSlider, 1);
    set_sliders(s);
}

static void make_driven_sliders(scene *s)
{
    make_chain(s, dJointCreateSlider, 0);
    set_sliders(s);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetSliderParam(s->joint[i], dParamVel, (dReal)(0.5 + i));
        dJointSetSliderParam(s->joint[i], dParamFMax, 1000);
    }
}

/* In a chain libode's sweeps do not come to an end, however many. */
static void make_single_sliders(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = dJointCreateSlider(s->world, 0);
        attach_to_world(s, i);
    }
    set_sliders(s);
}

static void set_pistons(scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        dJointSetPistonAnchor(s->joint[i], (dReal)(i - 0.2), (dReal)(0.1 * i), 2);
        dJointSetPistonAxis(s->joint[i], 0, 1, 0);
    }
}

/* A piston that does not slide swings just as a hinge does; libode's a little otherwise, which
 * test_joint_momentum.c holds against energy. And with the world as the first body its pistons fly
 * apart there. */
static void make_pistons(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = dJointCreatePiston(s->world, 0);
        dJointAttach(s->joint[i], s->body[i], 0);
        dJointSetFeedback(s->joint[i], &s->feedback[i]);
    }
    set_pistons(s);
}

static void make_piston_chain(scene *s)
{
    make_chain(s, dJointCreatePiston, 0);
    set_pistons(s);
}

/* Where nothing swings both say the same: bodies that turn about an upright axis through their
 * middle, and slide along it. */
static void make_upright_pistons(scene *s)
{
    make_pistons(s);
    for (int i = 0; i < BODIES; ++i) {
        const dReal *p = dBodyGetPosition(s->body[i]);
        dMass round;
        dMassSetParameters(&round, (dReal)(1 + i), 0, 0, 0, (dReal)0.3, (dReal)0.4, (dReal)0.5, 0,
                           0, 0);
        dBodySetMass(s->body[i], &round);
        dJointSetPistonAxis(s->joint[i], 0, 0, 1);
        dJointSetPistonAnchor(s->joint[i], p[0], p[1], p[2]);
        dBodySetAngularVel(s->body[i], 0, 0, (dReal)(0.5 + i));
    }
}

/* Axes of length 1: libode takes the second one as it is where body 2 is the world. */
static void make_universals(scene *s)
{
    make_chain(s, dJointCreateUniversal, 0);
    for (int i = 0; i < BODIES; ++i) {
        dJointSetUniversalAnchor(s->joint[i], (dReal)(i - 0.2), (dReal)(0.1 * i), 2);
        dJointSetUniversalAxis1(s->joint[i], 0, 1, 0);
        dJointSetUniversalAxis2(s->joint[i], (dReal)0.6, 0, (dReal)0.8);
    }
}

static void push_joints(scene *s)
{
    for (int i = 0; i < BODIES; ++i)
        if (dJointGetType(s->joint[i]) == dJointTypeSlider)
            dJointAddSliderForce(s->joint[i], (dReal)(1 + i));
        else if (dJointGetType(s->joint[i]) == dJointTypePiston)
            dJointAddPistonForce(s->joint[i], (dReal)(1 + i));
        else
            dJointAddHingeTorque(s->joint[i], (dReal)(1 + i));
}

static void make_fixed(scene *s)
{
    make_chain(s, dJointCreateFixed, 0);
    for (int i = 0; i < BODIES; ++i)
        dJointSetFixed(s->joint[i]);
}

/* One that swings about the world, and two that turn against each other. */
static void set_hinge(scene *s, int i, dReal z)
{
    dJointSetHingeAnchor(s->joint[i], (dReal)(i - 0.2), (dReal)(0.1 * i - 0.05), 2);
    dJointSetHingeAxis(s->joint[i], (dReal)0.1, 1, z);
}

static void make_hinges(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = dJointCreateHinge(s->world, 0);
        attach_to_world(s, i);
        set_hinge(s, i, (dReal)0.2);
    }
}

static void make_spinning_hinges(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; i += 2) {
        s->joint[i] = dJointCreateHinge(s->world, 0);
        dJointAttach(s->joint[i], s->body[i], s->body[i + 1]);
        dJointSetFeedback(s->joint[i], &s->feedback[i]);
        dJointSetHingeAnchor(s->joint[i], (dReal)(0.8 + i), (dReal)0.05, 2);
        dJointSetHingeAxis(s->joint[i], 0, 0, 1);
        dBodySetAngularVel(s->body[i], 0, 0, 1);
    }
}

/* In a plane, where no load bends a hinge. */
static void make_flat_hinge_chain(scene *s)
{
    make_chain(s, dJointCreateHinge, 0);
    dWorldSetGravity(s->world, (dReal)0.5, -5, 0);
    for (int i = 0; i < BODIES; ++i) {
        dMass flat;
        dMassSetParameters(&flat, (dReal)(1 + i), 0, 0, 0, (dReal)0.3, (dReal)0.4, (dReal)0.5,
                           (dReal)0.05, 0, 0);
        dBodySetMass(s->body[i], &flat);
        dJointSetHingeAnchor(s->joint[i], (dReal)(i - 0.2), (dReal)(0.1 * i - 0.05), 2);
        dJointSetHingeAxis(s->joint[i], 0, 0, 1);
    }
}

/* Loads bend a hinge, and which of two axes a body then turns about is a matter of choice: the one
 * that spins, here, the first body's in libode. */
static void make_hinge_chain(scene *s)
{
    make_chain(s, dJointCreateHinge, 0);
    for (int i = 0; i < BODIES; ++i)
        set_hinge(s, i, (dReal)(0.2 * i));
}

/* --- contacts made by hand: four corners of each body's foot on the floor at 1.9 m */

static void touch(scene *s, const dSurfaceParameters *surface)
{
    for (int i = 0; i < BODIES; ++i)
        for (int k = 0; k < 4; ++k) {
            const dReal *p = dBodyGetPosition(s->body[i]);
            dContact contact = {.surface = *surface};
            contact.geom.pos[0] = p[0] + (dReal)(k & 1 ? 0.3 : -0.3);
            contact.geom.pos[1] = p[1] + (dReal)(k & 2 ? 0.3 : -0.3);
            contact.geom.pos[2] = (dReal)1.9;
            contact.geom.normal[2] = 1;
            contact.geom.depth = 2 - p[2] + (dReal)1e-3;
            dJointID joint = dJointCreateContact(s->world, s->contacts, &contact);
            dJointAttach(joint, s->body[i], 0);
            dJointSetFeedback(joint, &s->corner[i][k]);
        }
}

static void make_sliding(scene *s)
{
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i)
        dBodySetLinearVel(s->body[i], chance(), chance(), 0);
}

static void touch_smoothly(scene *s)
{
    touch(s, &(dSurfaceParameters){.mu = 0});
}

static void touch_roughly(scene *s)
{
    touch(s, &(dSurfaceParameters){.mode = dContactApprox1, .mu = (dReal)0.4});
}

static const dSurfaceParameters belt = {.mode = dContactApprox1 | dContactSlip1 | dContactMotion2,
                                        .mu = (dReal)0.4,
                                        .slip1 = (dReal)0.1,
                                        .motion2 = (dReal)0.3};

/* Which corner bears how much is not determined, and where one yields bodies turn by it. */
static void touch_a_belt(scene *s)
{
    touch(s, &belt);
}

/* In the middle, where it is. */
static void touch_one_belt(scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        const dReal *p = dBodyGetPosition(s->body[i]);
        dContact contact = {.surface = belt,
                            .geom = {.pos = {p[0], p[1], p[2]}, .normal = {0, 0, 1}}};
        contact.geom.depth = 2 - p[2] + (dReal)1e-3;
        dJointID joint = dJointCreateContact(s->world, s->contacts, &contact);
        dJointAttach(joint, s->body[i], 0);
        dJointSetFeedback(joint, &s->corner[i][0]);
    }
}

static void touch_softly(scene *s)
{
    touch(s, &(dSurfaceParameters){.mode = dContactSoftERP | dContactSoftCFM,
                                   .soft_erp = (dReal)0.5,
                                   .soft_cfm = (dReal)1e-3});
}

static void touch_rigidly(scene *s)
{
    touch(s,
          &(dSurfaceParameters){.mode = dContactSoftERP | dContactSoftCFM, .soft_erp = (dReal)0.5});
}

static void make_falling(scene *s)
{
    make_sliding(s);
    for (int i = 0; i < BODIES; ++i)
        dBodySetPosition(s->body[i], i, 0, 2 - (dReal)0.05 * i);
}

static void make_rigid(scene *s)
{
    dWorldSetCFM(s->world, 0);
    dWorldSetQuickStepNumIterations(s->world, 500);
}

static void make_rigid_balls(scene *s)
{
    make_rigid(s);
    make_balls(s);
}

static void make_rigid_stops(scene *s)
{
    make_rigid(s);
    make_bodies(s);
    for (int i = 0; i < BODIES; ++i) {
        s->joint[i] = dJointCreateSlider(s->world, 0);
        attach_to_world(s, i);
        dJointSetSliderParam(s->joint[i], dParamLoStop, (dReal)-0.1);
        dJointSetSliderParam(s->joint[i], dParamHiStop, (dReal)0.1);
        dBodySetLinearVel(s->body[i], 5 - i, 0, 0);
    }
    set_sliders(s);
}

static void make_rigid_falling(scene *s)
{
    make_rigid(s);
    make_falling(s);
}

/* clang-format off */
static const scenario scenarios[] = {
    /* name                     build                       before          step             tolerance */
    {"flying",                  make_flying,                NULL,           dWorldStep,      1e-10},
    {"flying, quick",           make_flying,                NULL,           dWorldQuickStep, 1e-10},
    {"without torque",          make_flying_without_torque, NULL,           dWorldStep,      1e-10},
    {"finite rotations",        make_finite,                NULL,           dWorldStep,      1e-10},
    {"damped",                  make_damped,                NULL,           dWorldStep,      1e-10},
    {"limited",                 make_limited,               NULL,           dWorldStep,      1e-10},
    {"weightless",              make_weightless,            NULL,           dWorldStep,      1e-10},
    {"pushed",                  make_flying,                push,           dWorldStep,      1e-10},
    {"balls",                   make_balls,                 NULL,           dWorldStep,      1e-6},
    {"balls, exchanged",        make_turned_balls,          NULL,           dWorldStep,      1e-6},
    {"balls, soft",             make_soft_balls,            NULL,           dWorldStep,      1e-6},
    {"sliders",                 make_sliders,               NULL,           dWorldStep,      1e-6},
    {"sliders, exchanged",      make_turned_sliders,        NULL,           dWorldStep,      1e-6},
    {"sliders, driven",         make_driven_sliders,        NULL,           dWorldStep,      1e-6},
    {"sliders, pushed",         make_sliders,               push_joints,    dWorldStep,      1e-6},
    {"sliders, exch. pushed",   make_turned_sliders,        push_joints,    dWorldStep,      1e-6},
    {"pistons on the world",    make_pistons,               NULL,           dWorldStep,      0.05},
    {"pistons, pushed",         make_pistons,               push_joints,    dWorldStep,      0.05},
    {"pistons in a chain",      make_piston_chain,          NULL,           dWorldStep,      0.2},
    {"pistons, upright",        make_upright_pistons,       NULL,           dWorldStep,      1e-6},
    {"pistons, upright pushed", make_upright_pistons,       push_joints,    dWorldStep,      1e-6},
    {"universals",              make_universals,            NULL,           dWorldStep,      1e-6},
    {"hinges, pushed",          make_hinges,                push_joints,    dWorldStep,      1e-6},
    {"fixed",                   make_fixed,                 NULL,           dWorldStep,      1e-6},
    {"hinges on the world",     make_hinges,                NULL,           dWorldStep,      1e-6},
    {"hinges of two",           make_spinning_hinges,       NULL,           dWorldStep,      1e-6},
    {"hinges in a chain",       make_hinge_chain,           NULL,           dWorldStep,      0.1},
    {"hinges in a plane",       make_flat_hinge_chain,      NULL,           dWorldStep,      1e-6},
    {"balls, quick",            make_balls,                 NULL,           settle,          1e-6},
    {"sliders, quick",          make_single_sliders,        push_joints,    settle,          1e-6},
    {"pistons, quick",          make_upright_pistons,       push_joints,    settle,          1e-6},
    {"universals, quick",       make_universals,            NULL,           settle,          1e-6},
    {"hinges, quick",           make_hinges,                push_joints,    settle,          1e-6},
    {"fixed, quick",            make_fixed,                 NULL,           settle,          1e-6},
    {"contacts, smooth",        make_sliding,               touch_smoothly, dWorldStep,      1e-6},
    {"contacts, smooth, quick", make_sliding,               touch_smoothly, dWorldQuickStep, 1e-6},
    {"contacts, rough",         make_sliding,               touch_roughly,  dWorldQuickStep, 1e-6},
    {"contacts, belt",          make_sliding,               touch_a_belt,   dWorldQuickStep, 0.005},
    {"contacts, belt, quick",   make_sliding,               touch_one_belt, dWorldQuickStep, 1e-6},
    {"contacts, belt, one",     make_sliding,               touch_one_belt, dWorldStep,      1e-6},
    {"contacts, soft",          make_sliding,               touch_softly,   dWorldStep,      1e-6},
    {"contacts, rigid, quick",  make_falling,               touch_rigidly,  dWorldQuickStep, 1e-6},
    {"rigid contacts, quick",   make_rigid_falling,         touch_smoothly, dWorldQuickStep, 1e-6},
    {"stops, rigid, quick",     make_rigid_stops,           NULL,           dWorldQuickStep, 1e-6},
    {"balls, rigid, quick",     make_rigid_balls,           NULL,           dWorldQuickStep, 1e-6},
};
/* clang-format on */

/* --- telling */

static void print_numbers(const dReal *v, int count)
{
    for (int i = 0; i < count; ++i)
        printf(" %.15g", (double)v[i]);
}

/* Which corner bears how much is not determined, all of them together are. */
static void print_feedback(const scene *s, int i)
{
    dReal sum[12] = {0};
    for (int k = -1; k < 4; ++k) {
        const dJointFeedback *one = k < 0 ? &s->feedback[i] : &s->corner[i][k];
        const dReal *part[4] = {one->f1, one->t1, one->f2, one->t2};
        for (int n = 0; n < 12; ++n)
            sum[n] += part[n / 3][n % 3];
    }
    print_numbers(sum, 12);
}

static void print_end(const scene *s)
{
    for (int i = 0; i < BODIES; ++i) {
        print_numbers(dBodyGetPosition(s->body[i]), 3);
        print_numbers(dBodyGetRotation(s->body[i]), 3);
        print_numbers(dBodyGetRotation(s->body[i]) + 4, 3);
        print_numbers(dBodyGetLinearVel(s->body[i]), 3);
        print_numbers(dBodyGetAngularVel(s->body[i]), 3);
        print_feedback(s, i);
        if (!s->joint[i])
            continue;
        dReal angle = 0;
        if (dJointGetType(s->joint[i]) == dJointTypeHinge)
            angle = dJointGetHingeAngle(s->joint[i]) + dJointGetHingeAngleRate(s->joint[i]);
        if (dJointGetType(s->joint[i]) == dJointTypeSlider)
            angle = dJointGetSliderPosition(s->joint[i]) + dJointGetSliderPositionRate(s->joint[i]);
        if (dJointGetType(s->joint[i]) == dJointTypePiston)
            angle = dJointGetPistonPosition(s->joint[i]) +
                    dJointGetPistonPositionRate(s->joint[i]) + dJointGetPistonAngle(s->joint[i]) +
                    dJointGetPistonAngleRate(s->joint[i]);
        if (dJointGetType(s->joint[i]) == dJointTypeUniversal)
            angle = dJointGetUniversalAngle1(s->joint[i]) + dJointGetUniversalAngle2(s->joint[i]) +
                    dJointGetUniversalAngle1Rate(s->joint[i]) +
                    dJointGetUniversalAngle2Rate(s->joint[i]);
        angle += told_by(s->joint[i]);
        print_numbers(&angle, 1);
    }
}

static void run(const scenario *what)
{
    scene s = {.world = dWorldCreate(), .contacts = dJointGroupCreate(0)};
    seed = 7;
    dWorldSetGravity(s.world, (dReal)0.1, (dReal)0.2, (dReal)-9.81);
    what->build(&s);
    for (int i = 0; i < STEPS; ++i) {
        if (what->before)
            what->before(&s);
        what->step(s.world, STEP);
        dJointGroupEmpty(s.contacts);
    }
    printf("%s;%g;", what->name, what->tolerance);
    print_end(&s);
    printf("\n");
    dJointGroupDestroy(s.contacts);
    dWorldDestroy(s.world);
}

int main(void)
{
    dInitODE2(0);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; ++i)
        run(&scenarios[i]);
    for (const scenario *what = joint_scenarios; what->name; ++what)
        run(what);
    for (const scenario *what = contact_scenarios; what->name; ++what)
        run(what);
    dCloseODE();
    return 0;
}
