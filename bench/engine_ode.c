/* engine_ode.c: the Open Dynamics Engine as a peer, used the way its manual shows: a near callback
 * makes up to four contact joints per pair with the pyramid friction of dContactApprox1, then
 * dWorldQuickStep, then the contact group is emptied. ERP and CFM are the library's defaults.
 *
 * Compiled twice: with libode's headers, for libode, and with Lode's, for its ODE face. Which it is
 * only its name tells.
 *
 * The sweep-and-prune space is the fastest of the library's spaces on these scenes.
 *
 * For the solver's throughput, contacts are made once; each timing starts from the same poses and
 * velocities, so two iteration counts are compared on the same problem. */
#include "bench/engine.h"
#include "bench/missed_ode.h"
#include "bench/tool.h"

#include <ode/ode.h>

#include <stdlib.h>
#include <string.h>

enum { POINTS = 4 };

typedef struct ode_world {
    const bench_scene *scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contact_group, joint_group;
    dBodyID *bodies; /* per body of the scene; null for static ones */
    dJointID *joints;
    bench_state *saved;
    bool solved;   /* the last step */
    bool prepared; /* contacts exist and `saved` is the state they belong to */
    int contacts, points;
    double collide_seconds, solve_seconds;
    bool listens; /* contacts that are made belong to `missed` */
    bench_missed missed;
    const bench_probe *probe;
} ode_world;

/* The data lives until the program ends: a benchmark makes few. */
static dGeomID create_mesh(dSpaceID space, const bench_mesh *mesh)
{
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dTriIndex *indices = bench_alloc(3 * (size_t)mesh->triangle_count, sizeof *indices);
    for (int i = 0; i < 3 * mesh->triangle_count; ++i)
        indices[i] = (dTriIndex)mesh->triangles[i / 3][i % 3];
    dGeomTriMeshDataBuildSingle(data, mesh->vertices, sizeof mesh->vertices[0], mesh->vertex_count,
                                indices, 3 * mesh->triangle_count, 3 * sizeof *indices);
    return dCreateTriMesh(space, data, NULL, NULL, NULL);
}

static dGeomID create_geom(dSpaceID space, const bench_body *body)
{
    if (body->shape == BENCH_MESH)
        return create_mesh(space, body->mesh);
    if (body->shape == BENCH_SPHERE)
        return dCreateSphere(space, body->size[0]);
    if (body->shape == BENCH_BOX)
        return dCreateBox(space, 2 * body->size[0], 2 * body->size[1], 2 * body->size[2]);
    if (body->shape == BENCH_CAPSULE)
        return dCreateCapsule(space, body->size[0], 2 * body->size[1]);
    dMatrix3 r;
    dQtoR(body->rotation, r);
    const double *p = body->position;
    return dCreatePlane(space, r[2], r[6], r[10], r[2] * p[0] + r[6] * p[1] + r[10] * p[2]);
}

static dBodyID create_body(dWorldID world, const bench_body *body)
{
    dBodyID result = dBodyCreate(world);
    double inertia[3], mass = bench_body_mass(body, inertia);
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, inertia[0], inertia[1], inertia[2], 0, 0, 0);
    dBodySetMass(result, &m);
    dBodySetPosition(result, body->position[0], body->position[1], body->position[2]);
    dBodySetQuaternion(result, body->rotation);
    return result;
}

static void add_body(ode_world *w, int index)
{
    const bench_body *body = &w->scene->bodies[index];
    if (body->dynamic)
        w->bodies[index] = create_body(w->world, body);
    if (!body->collides)
        return;
    dGeomID geom = create_geom(w->space, body);
    if (body->dynamic) {
        dGeomSetBody(geom, w->bodies[index]);
    } else if (body->shape != BENCH_PLANE) {
        dGeomSetPosition(geom, body->position[0], body->position[1], body->position[2]);
        dGeomSetQuaternion(geom, body->rotation);
    }
}

static dJointID make_joint(ode_world *w, const bench_joint *joint)
{
    dBodyID a = w->bodies[joint->body_a], b = w->bodies[joint->body_b];
    const double *at = joint->anchor, *axis = joint->axis;
    if (joint->type == BENCH_BALL) {
        dJointID ball = dJointCreateBall(w->world, w->joint_group);
        dJointAttach(ball, a, b);
        dJointSetBallAnchor(ball, at[0], at[1], at[2]);
        return ball;
    }
    dJointID hinge = dJointCreateHinge(w->world, w->joint_group);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, at[0], at[1], at[2]);
    dJointSetHingeAxis(hinge, axis[0], axis[1], axis[2]);
    dJointSetHingeParam(hinge, dParamLoStop, joint->lo);
    dJointSetHingeParam(hinge, dParamHiStop, joint->hi);
    dJointSetHingeParam(hinge, dParamVel, joint->speed);
    dJointSetHingeParam(hinge, dParamFMax, joint->torque);
    return hinge;
}

static void *ode_create(const bench_scene *scene, const bench_options *options)
{
    ode_world *w = bench_alloc(1, sizeof *w);
    dInitODE2(0);
    dRandSetSeed(0);
    w->scene = scene;
    w->world = dWorldCreate();
    w->space = dSweepAndPruneSpaceCreate(0, dSAP_AXES_XYZ);
    w->contact_group = dJointGroupCreate(0);
    w->joint_group = dJointGroupCreate(0);
    w->bodies = bench_alloc((size_t)scene->body_count, sizeof *w->bodies);
    w->joints = bench_alloc((size_t)scene->joint_count, sizeof(dJointID));
    w->saved = bench_alloc((size_t)scene->body_count, sizeof *w->saved);
    dWorldSetGravity(w->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    dWorldSetAutoDisableFlag(w->world, 0);
    dWorldSetQuickStepNumIterations(w->world, options->iterations);
    for (int i = 0; i < scene->body_count; ++i)
        add_body(w, i);
    for (int i = 0; i < scene->joint_count; ++i)
        w->joints[i] = make_joint(w, &scene->joints[i]);
    return w;
}

static void ode_destroy(void *world)
{
    ode_world *w = world;
    dJointGroupDestroy(w->contact_group);
    dJointGroupDestroy(w->joint_group);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    dCloseODE();
    bench_missed_free(&w->missed);
    free(w->bodies);
    free(w->joints);
    free(w->saved);
    free(w);
}

static void near_callback(void *data, dGeomID a, dGeomID b)
{
    ode_world *w = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b)
        return;
    if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact))
        return;
    dContact contacts[POINTS];
    int count = dCollide(a, b, POINTS, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
        contacts[i].surface.mode = dContactApprox1;
        contacts[i].surface.mu = w->scene->friction;
        if (w->scene->restitution > 0) {
            contacts[i].surface.mode |= dContactBounce;
            contacts[i].surface.bounce = w->scene->restitution;
            contacts[i].surface.bounce_vel = 1;
        }
        dJointID joint = dJointCreateContact(w->world, w->contact_group, &contacts[i]);
        dJointAttach(joint, body_a, body_b);
        if (w->listens)
            bench_missed_touch(&w->missed, joint, &contacts[i], body_a, body_b);
    }
    w->contacts += count > 0;
    w->points += count;
}

static void collide(ode_world *w)
{
    w->contacts = w->points = 0;
    dSpaceCollide(w->space, w, near_callback);
}

static void solve(ode_world *w)
{
    w->solved = dWorldQuickStep(w->world, BENCH_DT) != 0;
    dJointGroupEmpty(w->contact_group);
}

/* Runs one half of a step; returns the seconds it took. */
static double run_half(ode_world *w, const char *name, void (*half)(ode_world *w))
{
    if (w->probe)
        w->probe->begin(w->probe->user, name);
    double start = bench_now();
    half(w);
    double seconds = bench_now() - start;
    if (w->probe)
        w->probe->end(w->probe->user, name);
    return seconds;
}

static bool ode_step(void *world)
{
    ode_world *w = world;
    if (w->prepared)
        dJointGroupEmpty(w->contact_group);
    w->prepared = w->listens = false;
    w->collide_seconds = run_half(w, "collide", collide);
    w->solve_seconds = run_half(w, "solve", solve);
    return w->solved;
}

static void ode_probe(void *world, const bench_probe *probe)
{
    ode_world *w = world;
    w->probe = probe;
}

static int ode_stages(void *world, bench_stage *out_stages)
{
    const ode_world *w = world;
    out_stages[0] = (bench_stage){"collide", "", w->collide_seconds};
    out_stages[1] = (bench_stage){"solve", "", w->solve_seconds};
    return 2;
}

static void ode_counts(void *world, bench_counts *out_counts)
{
    const ode_world *w = world;
    int rows_per_point = w->scene->friction > 0 ? 3 : 1;
    *out_counts = (bench_counts){.contacts = w->contacts,
                                 .points = w->points,
                                 .joint_rows = bench_joint_rows(w->scene),
                                 .contact_rows = rows_per_point * w->points,
                                 .lane_occupancy = -1,
                                 .overflow = -1,
                                 .bytes_per_body = -1,
                                 .bytes_per_contact = -1};
}

static void ode_read(void *world, bench_state *out_states)
{
    const ode_world *w = world;
    for (int i = 0; i < w->scene->body_count; ++i) {
        bench_state *state = &out_states[i];
        memset(state, 0, sizeof *state);
        if (!w->bodies[i]) {
            memcpy(state->position, w->scene->bodies[i].position, sizeof state->position);
            memcpy(state->rotation, w->scene->bodies[i].rotation, sizeof state->rotation);
            continue;
        }
        memcpy(state->position, dBodyGetPosition(w->bodies[i]), sizeof state->position);
        memcpy(state->rotation, dBodyGetQuaternion(w->bodies[i]), sizeof state->rotation);
        memcpy(state->linear, dBodyGetLinearVel(w->bodies[i]), sizeof state->linear);
        memcpy(state->angular, dBodyGetAngularVel(w->bodies[i]), sizeof state->angular);
    }
}

static void restore(ode_world *w)
{
    for (int i = 0; i < w->scene->body_count; ++i) {
        const bench_state *s = &w->saved[i];
        if (!w->bodies[i])
            continue;
        dBodySetPosition(w->bodies[i], s->position[0], s->position[1], s->position[2]);
        dBodySetQuaternion(w->bodies[i], s->rotation);
        dBodySetLinearVel(w->bodies[i], s->linear[0], s->linear[1], s->linear[2]);
        dBodySetAngularVel(w->bodies[i], s->angular[0], s->angular[1], s->angular[2]);
    }
}

static void prepare(ode_world *w)
{
    if (w->prepared)
        return;
    collide(w);
    ode_read(w, w->saved);
    w->prepared = true;
}

/* From the state that was saved. */
static double solve_again(ode_world *w, int iterations)
{
    restore(w);
    int usual = dWorldGetQuickStepNumIterations(w->world);
    dWorldSetQuickStepNumIterations(w->world, iterations);
    double start = bench_now();
    bool ok = dWorldQuickStep(w->world, BENCH_DT) != 0;
    double seconds = bench_now() - start;
    dWorldSetQuickStepNumIterations(w->world, usual);
    return ok ? seconds : -1;
}

static double ode_time_solve(void *world, int iterations)
{
    prepare(world);
    return solve_again(world, iterations);
}

/* Contacts are made anew, to be listened to: those that are there may not be so. */
static double ode_missed(void *world, int iterations, double *out_seconds)
{
    ode_world *w = world;
    if (!w->prepared || !w->listens) {
        if (w->prepared)
            dJointGroupEmpty(w->contact_group);
        w->prepared = false;
        w->listens = true;
        bench_missed_begin(&w->missed, BENCH_DT);
        for (int i = 0; i < w->scene->joint_count; ++i)
            bench_missed_joint(&w->missed, w->world, w->joints[i]);
        prepare(w);
        bench_missed_listen(&w->missed);
    }
    *out_seconds = solve_again(w, iterations);
    return bench_missed_mean(&w->missed);
}

static void keep_nearest(void *data, dGeomID a, dGeomID b)
{
    double *distance = data;
    dContactGeom contact;
    if (dCollide(a, b, 1, &contact, sizeof contact) > 0 && contact.depth < *distance)
        *distance = contact.depth;
}

static int ode_cast(void *world, const bench_ray *rays, int count, double *out_distances)
{
    ode_world *w = world;
    dGeomID ray = dCreateRay(0, 1);
    int hits = 0;
    for (int i = 0; i < count; ++i) {
        const double *o = rays[i].origin, *d = rays[i].direction;
        dGeomRaySetLength(ray, rays[i].length);
        dGeomRaySet(ray, o[0], o[1], o[2], d[0], d[1], d[2]);
        dGeomRaySetBackfaceCull(ray, 1);
        dGeomRaySetClosestHit(ray, 1);
        out_distances[i] = rays[i].length;
        dSpaceCollide2(ray, (dGeomID)w->space, &out_distances[i], keep_nearest);
        hits += out_distances[i] < rays[i].length;
    }
    dGeomDestroy(ray);
    return hits;
}

#ifdef BENCH_FACE
#define NAME "face"
const bench_engine bench_engine_face = {
#else
#define NAME "ode"
const bench_engine bench_engine_ode = {
#endif
    .name = NAME,
    .precision = sizeof(dReal) == sizeof(double) ? "double" : "single",
    .version = BENCH_ODE_VERSION,
    .method = "QuickStep",
    .create = ode_create,
    .destroy = ode_destroy,
    .step = ode_step,
    .stages = ode_stages,
    .probe = ode_probe,
    .counts = ode_counts,
    .read = ode_read,
    .time_solve = ode_time_solve,
    .missed = ode_missed,
    .cast = ode_cast,
};
