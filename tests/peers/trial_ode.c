/* trial_ode.c: libode as tests/fidelity/trials.h sees it, used as its manual shows: a near callback
 * makes contact joints with the friction of dContactApprox1, then one of its two steppers, then the
 * group is emptied; all parameters are its own. */
#include "tests/fidelity/trials.h"

#include <ode/ode.h>

#include <stdlib.h>
#include <string.h>

enum { WORLD_STEP, QUICK_STEP, POINTS = 8 };

typedef struct ode_side {
    trial_scene own;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID bodies[TRIAL_BODIES];
    bool quick;
} ode_side;

static void quiet(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

static dBodyID add_body(const ode_side *side, const trial_body *body)
{
    const double *s = body->size, *x = body->position, *v = body->linear, *w = body->angular;
    dBodyID made = dBodyCreate(side->world);
    dMass mass;
    if (body->box)
        dMassSetBoxTotal(&mass, body->mass, 2 * s[0], 2 * s[1], 2 * s[2]);
    else
        dMassSetSphereTotal(&mass, body->mass, s[0]);
    dBodySetMass(made, &mass);
    dBodySetPosition(made, x[0], x[1], x[2]);
    dBodySetLinearVel(made, v[0], v[1], v[2]);
    dBodySetAngularVel(made, w[0], w[1], w[2]);
    dGeomSetBody(body->box ? dCreateBox(side->space, 2 * s[0], 2 * s[1], 2 * s[2])
                           : dCreateSphere(side->space, s[0]), made);
    return made;
}

static void add_joints(const ode_side *side)
{
    const trial_scene *scene = &side->own;
    if (scene->in_plane)
        dJointAttach(dJointCreatePlane2D(side->world, 0), side->bodies[0], 0);
    for (int i = 1; scene->chain && i < scene->body_count; ++i) {
        const double *a = scene->bodies[i].position, *b = scene->bodies[i - 1].position;
        dJointID ball = dJointCreateBall(side->world, 0);
        dJointAttach(ball, side->bodies[i], side->bodies[i - 1]);
        dJointSetBallAnchor(ball, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    }
}

static void *create(const trial_scene *scene, const trial_way *way)
{
    ode_side *side = calloc(1, sizeof *side);
    if (!side)
        return NULL;
    dInitODE2(0);
    dRandSetSeed(0);
    dSetMessageHandler(quiet);
    side->own = *scene;
    side->quick = way->method == QUICK_STEP;
    side->world = dWorldCreate();
    side->space = dHashSpaceCreate(0);
    side->contacts = dJointGroupCreate(0);
    dWorldSetGravity(side->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    dWorldSetAutoDisableFlag(side->world, 0);
    for (int i = 0; i < scene->plane_count; ++i) {
        const double *p = scene->planes[i];
        dCreatePlane(side->space, p[0], p[1], p[2], p[3]);
    }
    for (int i = 0; i < scene->body_count; ++i)
        side->bodies[i] = add_body(side, &scene->bodies[i]);
    add_joints(side);
    return side;
}

static void destroy(void *world)
{
    ode_side *side = world;
    dJointGroupDestroy(side->contacts);
    dSpaceDestroy(side->space);
    dWorldDestroy(side->world);
    dSetMessageHandler(NULL);
    dCloseODE();
    free(side);
}

/* What planes have besides friction, given to a body by one of `count` points. */
static void set_surface(const trial_scene *scene, int count, dContact *contact)
{
    dSurfaceParameters *surface = &contact->surface;
    if (scene->slip[0] > 0 || scene->slip[1] > 0 || scene->belt[0] != 0 || scene->belt[1] != 0) {
        const dReal *n = contact->geom.normal;
        contact->fdir1[0] = 1, contact->fdir1[1] = contact->fdir1[2] = 0;
        surface->mode |= dContactFDir1 | dContactSlip1 | dContactSlip2 | dContactMotion1 |
                         dContactMotion2;
        surface->slip1 = count * scene->slip[0];
        surface->slip2 = count * scene->slip[1];
        surface->motion1 = scene->belt[0];
        surface->motion2 = n[2] > 0 ? scene->belt[1] : -scene->belt[1]; /* along n x fdir1 */
    }
    if (scene->soft_cfm > 0) {
        surface->mode |= dContactSoftERP | dContactSoftCFM;
        surface->soft_erp = scene->soft_erp;
        surface->soft_cfm = scene->soft_cfm;
    }
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    ode_side *side = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contacts[POINTS];
    if ((!body_a && !body_b) || (body_a && body_b && side->own.chain))
        return;
    int count = dCollide(a, b, POINTS, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
        dSurfaceParameters *surface = &contacts[i].surface;
        memset(surface, 0, sizeof *surface);
        surface->mode = dContactApprox1 | (side->own.restitution > 0 ? dContactBounce : 0);
        surface->mu = body_a && body_b ? side->own.friction : side->own.ground_friction;
        surface->bounce = side->own.restitution;
        if (!body_a || !body_b)
            set_surface(&side->own, count, &contacts[i]);
        dJointAttach(dJointCreateContact(side->world, side->contacts, &contacts[i]), body_a,
                     body_b);
    }
}

static bool step(void *world, const double force[3])
{
    ode_side *side = world;
    if (force)
        dBodyAddForce(side->bodies[0], force[0], force[1], force[2]);
    dSpaceCollide(side->space, side, touch);
    int done = side->quick ? dWorldQuickStep(side->world, side->own.h)
                           : dWorldStep(side->world, side->own.h);
    dJointGroupEmpty(side->contacts);
    return done != 0;
}

static void read(void *world, int body, trial_state *out_state)
{
    const ode_side *side = world;
    dBodyID b = side->bodies[body];
    memcpy(out_state->position, dBodyGetPosition(b), sizeof out_state->position);
    memcpy(out_state->rotation, dBodyGetQuaternion(b), sizeof out_state->rotation);
    memcpy(out_state->linear, dBodyGetLinearVel(b), sizeof out_state->linear);
    memcpy(out_state->angular, dBodyGetAngularVel(b), sizeof out_state->angular);
}

static const trial_way ways[] = {
    {"dWorldStep", WORLD_STEP, false, false, false},
    {"dWorldQuickStep", QUICK_STEP, false, false, false},
};

const trial_engine trial_ode = {create, destroy, step, read, ways, sizeof ways / sizeof ways[0]};
