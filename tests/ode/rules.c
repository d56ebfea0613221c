/* rules.c: what the manual does not tell of ODE's worlds, bodies and joints, with two libraries of
 * one API, as scenarios.c: who falls asleep and wakes when, motors at stops, deep contacts. */
#include <ode/ode.h>

#include <stdio.h>

#define STEP ((dReal)0.01)

static dBodyID make_body(dWorldID world, dReal x)
{
    dBodyID body = dBodyCreate(world);
    dBodySetPosition(body, x, 0, 0);
    return body;
}

static dJointID join(dWorldID world, dBodyID a, dBodyID b)
{
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, (dReal)0.5, 0, 0);
    return joint;
}

/* --- sleep: one body alone, a pair, and a pair that shakes about its mean */

static void tell_idle(void)
{
    dWorldID world = dWorldCreate();
    dWorldSetAutoDisableFlag(world, 1);
    dBodyID body[5];
    for (int i = 0; i < 5; ++i)
        body[i] = make_body(world, (dReal)i);
    join(world, body[1], body[2]);
    join(world, body[3], 0);
    dBodySetAutoDisableAverageSamplesCount(body[4], 4);
    dBodySetAutoDisableSteps(body[4], 3);
    dJointAttach(dJointCreateNull(world, 0), body[4], 0);
    printf("falling asleep;0;");
    for (int step = 0; step < 40; ++step) {
        dBodySetLinearVel(body[4], (dReal)(step % 2 ? 0.1 : -0.1), 0, 0);
        if (step == 20)
            dBodyEnable(body[1]);
        if (step == 30)
            dBodyAddForce(body[2], 1, 0, 0); /* wakes nobody */
        dWorldStep(world, STEP);
        for (int i = 0; i < 5; ++i)
            printf(" %d", dBodyIsEnabled(body[i]));
    }
    printf("\n");
    dWorldDestroy(world);
}

/* A chain of three whose middle one may be kinematic, and whose joint may be disabled. */
static void tell_waking(void)
{
    printf("waking;0;");
    for (int k = 0; k < 32; ++k) {
        dWorldID world = dWorldCreate();
        dBodyID body[3];
        for (int i = 0; i < 3; ++i) {
            body[i] = make_body(world, (dReal)i);
            if (k >> i & 1)
                dBodyDisable(body[i]);
        }
        if (k & 8)
            dBodySetKinematic(body[1]);
        dJointID joint = join(world, body[0], body[1]);
        join(world, body[1], body[2]);
        if (k & 16)
            dJointDisable(joint);
        dWorldStep(world, STEP);
        for (int i = 0; i < 3; ++i)
            printf(" %d", dBodyIsEnabled(body[i]));
        dWorldDestroy(world);
    }
    printf("\n");
}

/* --- a hinge that is driven, flung or both, with stops */

typedef struct stop {
    const char *name;
    double vel, fmax, lo, hi, spin, bounce, fudge, cfm;
} stop;

static const stop stops[] = {
    {"motor", 1, 10, -9, 9, 0, 0, 1, 0},
    {"motor, weak", 1, 1, -9, 9, 0, 0, 1, 0},
    {"motor at the high stop", 1, 10, -0.1, 0.05, 0, 0, 1, 0},
    {"motor at the low stop", -1, 10, -0.1, 0.05, 0, 0, 1, 0},
    {"motor that holds", 0, 0.5, -0.05, 0.05, 0.3, 0, 1, 0},
    {"flung at a stop", 0, 0, -0.05, 0.05, 1, 0, 1, 0},
    {"bounced by a stop", 0, 0, -0.05, 0.05, 1, 0.6, 1, 0},
    {"motor away from a stop", -1, 5, -9, 0.02, 1, 0, 0.3, 0},
    {"stops the wrong way round", 1, 10, -0.1, -0.2, 0, 0, 1, 0},
    {"soft stop", -1, 10, -0.1, 0.05, 0, 0, 1, 0.01},
    {"stops in one place", 1, 10, 0.02, 0.02, 0, 0, 1, 0},
};

static void tell_stop(const stop *s)
{
    dWorldID world = dWorldCreate();
    dBodyID body = make_body(world, 0);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, body, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamVel, (dReal)s->vel);
    dJointSetHingeParam(hinge, dParamFMax, (dReal)s->fmax);
    dJointSetHingeParam(hinge, dParamLoStop, (dReal)s->lo);
    dJointSetHingeParam(hinge, dParamHiStop, (dReal)s->hi);
    dJointSetHingeParam(hinge, dParamBounce, (dReal)s->bounce);
    dJointSetHingeParam(hinge, dParamFudgeFactor, (dReal)s->fudge);
    if (s->cfm > 0)
        dJointSetHingeParam(hinge, dParamStopCFM, (dReal)s->cfm);
    dBodySetAngularVel(body, 0, 0, (dReal)s->spin);
    printf("%s;1e-6;", s->name);
    for (int i = 0; i < 40; ++i) {
        dWorldStep(world, STEP);
        printf(" %.12g %.12g", (double)dJointGetHingeAngle(hinge),
               (double)dJointGetHingeAngleRate(hinge));
    }
    printf("\n");
    dWorldDestroy(world);
}

/* --- a body on one deep point */

typedef struct deep {
    const char *name;
    int mode;
    double mu, layer, most, depth;
} deep;

static const deep deeps[] = {
    {"deep", dContactApprox1, 0.5, 0, 1e9, 0.1},
    {"deep, pushed out slowly", dContactApprox1, 0.5, 0, 0.5, 0.1},
    {"deep in a layer", dContactApprox1, 0.5, 0.05, 1e9, 0.1},
    {"deep, force of friction", 0, 2, 0, 1e9, 0.1},
    {"deep, moved along", dContactApprox1 | dContactMotionN | dContactMotion1, 0.5, 0, 1e9, 0.1},
    {"of negative depth", dContactApprox1, 0.5, 0, 1e9, -0.1},
};

static void tell_deep(const deep *d)
{
    dWorldID world = dWorldCreate();
    dJointGroupID contacts = dJointGroupCreate(0);
    dBodyID body = make_body(world, 0);
    dWorldSetGravity(world, 0, 0, (dReal)-9.81);
    dWorldSetContactSurfaceLayer(world, (dReal)d->layer);
    dWorldSetContactMaxCorrectingVel(world, (dReal)d->most);
    dBodySetLinearVel(body, (dReal)0.3, 0, -2);
    printf("%s;1e-6;", d->name);
    for (int i = 0; i < 10; ++i) {
        dContact contact = {.surface = {.mode = d->mode, .mu = (dReal)d->mu}};
        contact.surface.motion1 = (dReal)0.2;
        contact.surface.motionN = (dReal)0.1;
        contact.geom.normal[2] = 1;
        contact.geom.depth = (dReal)d->depth;
        dJointAttach(dJointCreateContact(world, contacts, &contact), body, 0);
        dWorldStep(world, STEP);
        dJointGroupEmpty(contacts);
        for (int k = 0; k < 3; ++k)
            printf(" %.12g", (double)dBodyGetLinearVel(body)[k]);
    }
    printf("\n");
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    tell_idle();
    tell_waking();
    for (size_t i = 0; i < sizeof stops / sizeof *stops; ++i)
        tell_stop(&stops[i]);
    for (size_t i = 0; i < sizeof deeps / sizeof *deeps; ++i)
        tell_deep(&deeps[i]);
    dCloseODE();
    return 0;
}
