/* test_joint_momentum.c: what a joint of the ODE face does to one body it does to the other: two
 * bodies alone keep their momentum and their angular momentum, whatever the joint holds, drives or
 * stops; and their energy, where it only holds. Inertias are alike in all directions, so that the
 * way of a turn is no matter.
 *
 * Joints that pin two anchors together push at each where it is, and steps bring them apart by a
 * few micrometres, with which the force makes a couple: to four digits the same in libode. What
 * slides pushes both bodies in one line. */
#include "joint_tests.h"

#include <stdbool.h>
#include <string.h>

enum { STEPS = 200 };

/* Rounding, and the couple of anchors that have come apart. */
#define ROUNDING (sizeof(dReal) == 8 ? 1e-11 : 1e-4)
#define GAP (sizeof(dReal) == 8 ? 1e-5 : 1e-4)

typedef struct subject {
    const char *name;
    dJointID (*make)(dWorldID world, dJointGroupID group);
    void (*prepare)(dJointID joint);
    void (*set_param)(dJointID joint, int parameter, dReal value); /* or null */
    int motors;
    bool pins; /* two anchors together */
} subject;

static const dVector3 up = {0, (dReal)0.6, (dReal)0.8}, along = {1, 0, 0},
                      aside = {0, (dReal)0.8, (dReal)-0.6};

#define GIVE(v) (v)[0], (v)[1], (v)[2]
#define ANCHOR (dReal)0.4, (dReal)0.1, (dReal)-0.2

static void prepare_ball(dJointID j)
{
    dJointSetBallAnchor(j, ANCHOR);
}
static void prepare_hinge(dJointID j)
{
    dJointSetHingeAnchor(j, ANCHOR);
    dJointSetHingeAxis(j, GIVE(up));
}
static void prepare_slider(dJointID j)
{
    dJointSetSliderAxis(j, GIVE(up));
}
static void prepare_universal(dJointID j)
{
    dJointSetUniversalAnchor(j, ANCHOR);
    dJointSetUniversalAxis1(j, GIVE(up));
    dJointSetUniversalAxis2(j, GIVE(along));
}
static void prepare_hinge2(dJointID j)
{
    dJointSetHinge2Anchor(j, ANCHOR);
    dJointSetHinge2Axes(j, up, along);
    dJointSetHinge2Param(j, dParamSuspensionERP, (dReal)0.4);
    dJointSetHinge2Param(j, dParamSuspensionCFM, (dReal)0.01);
}
static void prepare_piston(dJointID j)
{
    dJointSetPistonAnchor(j, ANCHOR);
    dJointSetPistonAxis(j, GIVE(along));
}
static void prepare_pr(dJointID j)
{
    dJointSetPRAnchor(j, ANCHOR);
    dJointSetPRAxis1(j, GIVE(along));
    dJointSetPRAxis2(j, GIVE(up));
}
static void prepare_pu(dJointID j)
{
    dJointSetPUAnchor(j, ANCHOR);
    dJointSetPUAxis1(j, GIVE(up));
    dJointSetPUAxis2(j, GIVE(aside));
    dJointSetPUAxis3(j, GIVE(along));
}
static void prepare_fixed(dJointID j)
{
    dJointSetFixed(j);
}
static void prepare_dball(dJointID j)
{
    dJointSetDBallAnchor1(j, (dReal)0.2, 0, 0);
    dJointSetDBallAnchor2(j, (dReal)0.8, (dReal)0.3, 0);
}
static void prepare_dhinge(dJointID j)
{
    dJointSetDHingeAxis(j, GIVE(up));
    dJointSetDHingeAnchor1(j, (dReal)0.2, 0, 0);
    dJointSetDHingeAnchor2(j, (dReal)0.8, (dReal)0.24, (dReal)-0.18); /* across the axis */
}
static void prepare_amotor(dJointID j)
{
    dJointSetAMotorNumAxes(j, 3);
    dJointSetAMotorAxis(j, 0, 1, GIVE(up));
    dJointSetAMotorAxis(j, 1, 2, GIVE(along));
    dJointSetAMotorAxis(j, 2, 0, GIVE(aside));
}
static void prepare_lmotor(dJointID j)
{
    dJointSetLMotorNumAxes(j, 3);
    dJointSetLMotorAxis(j, 0, 1, GIVE(up));
    dJointSetLMotorAxis(j, 1, 2, GIVE(along));
    dJointSetLMotorAxis(j, 2, 1, GIVE(aside));
}

static void prepare_lmotor_of_world(dJointID j)
{
    dJointSetLMotorNumAxes(j, 3);
    dJointSetLMotorAxis(j, 0, 0, GIVE(up));
    dJointSetLMotorAxis(j, 1, 0, GIVE(along));
    dJointSetLMotorAxis(j, 2, 2, GIVE(aside));
}

static const subject subjects[] = {
    {"ball", dJointCreateBall, prepare_ball, NULL, 0, true},
    {"hinge", dJointCreateHinge, prepare_hinge, dJointSetHingeParam, 1, true},
    {"slider", dJointCreateSlider, prepare_slider, dJointSetSliderParam, 1, false},
    {"universal", dJointCreateUniversal, prepare_universal, dJointSetUniversalParam, 2, true},
    {"hinge-2", dJointCreateHinge2, prepare_hinge2, dJointSetHinge2Param, 2, false},
    {"piston", dJointCreatePiston, prepare_piston, dJointSetPistonParam, 2, false},
    {"PR", dJointCreatePR, prepare_pr, dJointSetPRParam, 2, false},
    {"PU", dJointCreatePU, prepare_pu, dJointSetPUParam, 3, false},
    {"fixed", dJointCreateFixed, prepare_fixed, NULL, 0, true},
    {"double ball", dJointCreateDBall, prepare_dball, NULL, 0, false},
    {"double hinge", dJointCreateDHinge, prepare_dhinge, NULL, 0, false},
    {"angular motor", dJointCreateAMotor, prepare_amotor, dJointSetAMotorParam, 3, false},
    {"linear motor", dJointCreateLMotor, prepare_lmotor, dJointSetLMotorParam, 3, false},
    {"linear motor of the world", dJointCreateLMotor, prepare_lmotor_of_world, dJointSetLMotorParam,
     3, false},
};

/* Of both bodies, about the origin: momentum, then angular momentum. */
static void measure(const dBodyID b[2], double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i < 2; ++i) {
        const dReal *x = dBodyGetPosition(b[i]), *v = dBodyGetLinearVel(b[i]),
                    *w = dBodyGetAngularVel(b[i]);
        for (int k = 0; k < 3; ++k) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            out[k] += v[k];
            out[3 + k] += w[k] + x[l] * v[m] - x[m] * v[l];
        }
    }
}

static void drive(const subject *s, dJointID joint)
{
    for (int i = 0; i < s->motors; ++i) {
        s->set_param(joint, dParamVel + i * dParamGroup, (dReal)(0.4 - 0.3 * i));
        s->set_param(joint, dParamFMax + i * dParamGroup, (dReal)(0.5 + i));
        s->set_param(joint, dParamLoStop + i * dParamGroup, (dReal)-0.2);
        s->set_param(joint, dParamHiStop + i * dParamGroup, (dReal)0.3);
    }
}

static void keeps(const subject *s, bool driven)
{
    dBodyID b[2];
    dWorldID w = make_pair(b);
    double before[6], after[6];
    dJointID joint = s->make(w, 0);
    dJointAttach(joint, b[0], b[1]);
    s->prepare(joint);
    if (driven)
        drive(s, joint);
    dBodySetLinearVel(b[0], (dReal)0.3, (dReal)-0.2, (dReal)0.5);
    dBodySetAngularVel(b[1], (dReal)0.7, (dReal)0.4, (dReal)-0.9);
    measure(b, before);
    run(w, STEPS);
    measure(b, after);
    for (int k = 0; k < 6; ++k)
        if (!(fabs(after[k] - before[k]) <= (s->pins ? GAP : ROUNDING)))
            fail_msg("%s%s: %d is %.12g, was %.12g", s->name, driven ? ", driven" : "", k, after[k],
                     before[k]);
    dWorldDestroy(w);
}

static void two_bodies_keep_their_momentum(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i)
        for (int driven = 0; driven < 2; ++driven)
            keeps(&subjects[i], driven);
}

/* --- energy: what moves freely keeps it, but for what steps lose by being as long as they are
 *
 * A second in steps an eighth as long loses a 64th; what a joint does wrong stays: libode's PU
 * joint gains a sixth, however short the steps are. */

#define LOST (sizeof(dReal) == 8 ? 2e-6 : 5e-5)

static double energy_of(const dBodyID b[2])
{
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        const dReal *v = dBodyGetLinearVel(b[i]), *w = dBodyGetAngularVel(b[i]);
        for (int k = 0; k < 3; ++k)
            sum += 0.5 * (double)(v[k] * v[k] + w[k] * w[k]);
    }
    return sum;
}

/* The share of its energy that a pair has gained after a second. */
static double gained(const subject *s, int steps)
{
    dBodyID b[2];
    dWorldID w = make_pair(b);
    dWorldSetCFM(w, 0);
    dJointID joint = s->make(w, 0);
    dJointAttach(joint, b[0], b[1]);
    s->prepare(joint);
    dBodySetLinearVel(b[0], (dReal)0.3, (dReal)-0.2, (dReal)0.5);
    dBodySetAngularVel(b[0], (dReal)0.2, (dReal)0.5, (dReal)1.5);
    dBodySetAngularVel(b[1], (dReal)0.7, (dReal)0.4, (dReal)-0.9);
    dWorldStep(w, (dReal)1e-6); /* the joint takes what goes against it */
    double before = energy_of(b);
    for (int i = 0; i < steps; ++i)
        dWorldStep(w, 1 / (dReal)steps);
    double after = energy_of(b);
    dWorldDestroy(w);
    return (after - before) / before;
}

static void free_joints_keep_their_energy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; ++i) {
        double coarse = gained(&subjects[i], 200), fine = gained(&subjects[i], 1600);
        if (!(fabs(coarse) < 1e-4 && fabs(fine) < LOST))
            fail_msg("%s: %g, %g of its energy", subjects[i].name, coarse, fine);
    }
}

int main(void)
{
    dInitODE2(0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bodies_keep_their_momentum),
        cmocka_unit_test(free_joints_keep_their_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
