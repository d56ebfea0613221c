/* step.c: a step of the ODE face.
 *
 * ODE's order: bodies that have been idle are disabled by the velocities that the last step left;
 * then all that is enabled is solved and moved; then each body's callback is told that it has
 * moved, and its velocity is damped, so that the callback sees the velocity that moved it.
 *
 *     idle -> wake -> bring -> solve -> take back -> moved, damping
 *
 * What is solved is the world of the handle API, in its second half of a step alone, and bodies'
 * poses, velocities and masses lie in its pools anyway: bring writes forces there, and what is left
 * to take back is what follows from a pose. Gravity and the gyroscopic torque, which a kernel finds
 * for eight bodies at a time, are forces like others. */
#include "ode/body.h"
#include "core/fetch.h"
#include "ode/check.h"
#include "ode/collision/geom.h"
#include "ode/idle.h"
#include "ode/joint.h"
#include "ode/threading/step.h"
#include "solver/kernels.h"
#include "world/wake.h"

#include <limits.h>
#include <string.h>

/* --- forces of the step */

static lode__force forces_of(dBodyID body)
{
    lode__force line = {.force = vec_of(body->force), .torque = vec_of(body->torque)};
    if (body->gravity)
        line.force = v3_madd(line.force, vec_of(body->world->gravity),
                             BODY(body->world->lode, local, body->slot)->mass);
    return line;
}

/* Gyroscopic torques of a step, eight at a time. */
typedef struct gyro_run {
    const lode__solver_kernels *kernels;
    dReal h;
    lode__gyros gyros;
    lode__force *force[LODE_LANES];
} gyro_run;

static void run_gyros(gyro_run *run)
{
    lode__gyros *g = &run->gyros;
    for (int lane = g->used; lane < LODE_LANES; ++lane) {
        g->pose[lane] = g->pose[0];
        g->velocity[lane] = g->velocity[0];
        g->inertia[lane] = g->inertia[0];
    }
    run->kernels->gyroscopic_torque(g, run->h);
    for (int lane = 0; lane < g->used; ++lane) {
        lode_vec3 *torque = &run->force[lane]->torque;
        *torque = v3_add(*torque, get_lane3(&g->torque, lane));
    }
    g->used = 0;
}

/* Where the inertia is round, momentum and spin have one direction, and there is no such torque. */
static void add_gyro(gyro_run *run, dBodyID body)
{
    lode__world *lode = body->world->lode;
    lode__gyros *g = &run->gyros;
    if (!body->gyroscopic || body->round)
        return;
    g->pose[g->used] = (const lode_real *)body->pose;
    g->velocity[g->used] = (const lode_real *)body->velocity;
    g->inertia[g->used] = BODY(lode, local, body->slot)->inertia;
    run->force[g->used] = BODY(lode, force, body->slot);
    if (++g->used == LODE_LANES)
        run_gyros(run);
}

/* --- bring */

/* Most have neither a limit nor an axis, and the pools know. */
static void bring_turning(dBodyID body)
{
    lode__world *lode = body->world->lode;
    lode_real limit = body->max_angular_speed;
    bool apart = body->finite || limit < (lode_real)INFINITY;
    if (!apart && !body->turns_apart)
        return;
    body->turns_apart = apart;
    BODY(lode, traits, body->slot)->max_angular_speed = limit;
    lode__body_flag(lode, body->slot, LODE__BODY_LIMITED, limit < (lode_real)INFINITY);
    lode__body_flag(lode, body->slot, LODE__BODY_FINITE, body->finite);
    lode_vec3 axis = body->finite_about_axis ? vec_of(body->finite_axis) : v3_zero();
    *BODY(lode, turn_axis, body->slot) = q_rotate_inv(body->pose->rotation, axis);
}

static void bring(dBodyID body, gyro_run *run)
{
    lode__world *lode = body->world->lode;
    if (body->kinematic) {
        lode__body_join_awake(lode, body->slot); /* if it moves */
        return;
    }
    *BODY(lode, force, body->slot) = forces_of(body);
    add_gyro(run, body);
    bring_turning(body);
}

/* What bring() asks for, of a body that comes soon and of one that comes after it. */
LODE__FETCHER void fetch_bring(dBodyID soon, dBodyID later)
{
    const lode__world *lode = soon->world->lode;
    __builtin_prefetch(soon->pose);
    __builtin_prefetch(soon->velocity);
    __builtin_prefetch(BODY(lode, force, soon->slot), 1);
    __builtin_prefetch(BODY(lode, local, soon->slot));
    __builtin_prefetch(BODY(lode, local, soon->slot) + 1);
    __builtin_prefetch(&later->pose);
    __builtin_prefetch(later->force);
    __builtin_prefetch(later->torque);
}

/* True where one of the bodies has a callback. */
static bool bring_all(dWorldID world, dReal h)
{
    bool tells = false;
    gyro_run run;
    run.kernels = world->lode->solver.kernels;
    run.h = h;
    run.gyros.used = 0;
    for (uint32_t i = 0; i < world->row_count; ++i) {
        dBodyID body = world->row[i];
        fetch_bring(body_ahead(world, i, LODE__ODE_BODIES_AHEAD),
                    body_ahead(world, i, 2 * LODE__ODE_BODIES_AHEAD));
        if (body->enabled)
            bring(body, &run);
        tells |= body->moved != NULL;
    }
    if (run.gyros.used > 0)
        run_gyros(&run);
    return tells;
}

/* --- take back */

static void take_back(dBodyID body)
{
    lode__ode_body_turned(body);
    lode__ode_body_geoms_moved(body);
}

static void damp(lode_vec3 *v, dReal scale, dReal threshold)
{
    if (scale > 0 && v3_dot(*v, *v) > threshold * threshold)
        *v = v3_scale(*v, 1 - scale);
}

static void damp_both(dBodyID body)
{
    damp(&body->velocity->linear, body->damping.linear_scale, body->damping.linear_threshold);
    damp(&body->velocity->angular, body->damping.angular_scale, body->damping.angular_threshold);
}

static bool has_overflowed(dBodyID body)
{
    return *BODY(body->world->lode, flags, body->slot) & LODE__BODY_FROZEN;
}

/* A body that overflowed is stopped where it was and takes no part any more. */
static void stop_overflowed(dBodyID body)
{
    dMessage(d_ERR_UNKNOWN, "dWorldStep: a body moved too far or too fast and is disabled");
    dBodyDisable(body);
}

static void tell_moved(dBodyID body)
{
    if (has_overflowed(body))
        stop_overflowed(body);
    if (body->moved)
        body->moved(body);
    damp_both(body);
}

static void forget_forces(dBodyID body)
{
    memset(body->force, 0, sizeof body->force);
    memset(body->torque, 0, sizeof body->torque);
}

/* All are where they are before the first is told, and all have been told before forces are
 * forgotten: callbacks see other bodies too, and may end them. */
static void end_telling(dWorldID world)
{
    for (uint32_t i = 0; i < world->row_count; ++i)
        if (world->row[i]->enabled)
            take_back(world->row[i]);
    for (dBodyID body = world->bodies; body; body = body->next)
        if (body->enabled)
            tell_moved(body);
    for (dBodyID body = world->bodies; body; body = body->next)
        if (body->reached)
            forget_forces(body);
}

/* What take_back() asks for, of a body that comes soon and of one that comes after it. */
LODE__FETCHER void fetch_end(dBodyID soon, dBodyID later)
{
    __builtin_prefetch(soon->pose);
    __builtin_prefetch(soon->velocity, 1);
    fetch_moved(soon->geoms);
    for (size_t at = offsetof(struct dxBody, pose); at < offsetof(struct dxBody, idle); at += 64)
        __builtin_prefetch((const char *)later + at, 1);
}

/* The same where nobody is told of anything: in one go. */
static void end_quietly(dWorldID world)
{
    bool any_overflowed = false;
    for (uint32_t i = 0; i < world->row_count; ++i) {
        dBodyID body = world->row[i];
        fetch_end(body_ahead(world, i, LODE__ODE_BODIES_AHEAD),
                  body_ahead(world, i, 2 * LODE__ODE_BODIES_AHEAD));
        if (body->enabled) {
            take_back(body);
            any_overflowed |= has_overflowed(body);
            damp_both(body);
        }
        if (body->reached)
            forget_forces(body);
    }
    for (dBodyID body = any_overflowed ? world->bodies : NULL; body; body = body->next)
        if (body->enabled && has_overflowed(body))
            stop_overflowed(body);
}

/* --- steps */

static void set_solver(dWorldID world, lode_solver solver, int iterations)
{
    lode_world_def *def = &world->lode->def;
    def->solver = solver;
    def->iterations = iterations;
    def->over_relaxation = world->quick_w;
    def->erp = world->erp;
    def->cfm = r_max(world->cfm, LODE__ODE_LEAST_CFM);
    def->max_correcting_velocity = world->max_correcting_velocity;
}

/* Solvers that sweep swing about their solution, and a point of contact that opens for it, by a
 * hair, is told no more: the others let the body tilt. So with them what rests stands as deep as
 * this share of what falls in a step, a tenth of a millimetre in steps of a hundredth of a
 * second. */
#define LEFT_DEEP ((dReal)0.1)

static dReal rest_depth(dWorldID world, lode_solver solver, dReal h)
{
    bool swept = solver != LODE_SOLVER_DIRECT;
    return swept ? LEFT_DEEP * h * h * v3_length(vec_of(world->gravity)) : 0;
}

static bool make_step(dWorldID world, lode_solver solver, int iterations, int depth, dReal h)
{
    lode__ode_wake(world, depth);
    set_solver(world, solver, iterations);
    bool tells = bring_all(world, h);
    if (!lode__ode_joints_bring(world))
        return false;
    world->lode->joints_untold = !world->tells_joints;
    lode__ode_contacts_fade(world, solver != LODE_SOLVER_DIRECT, h);
    if (!lode__ode_threads_bring(world) ||
        !lode__ode_check(lode__ode_contacts_bring(world, rest_depth(world, solver, h)),
                         "dWorldStep", "memory", "is wanting") ||
        lode_world_solve(world->handle, h) != LODE_OK) {
        world->lode->made.count = 0;
        return false;
    }
    lode__ode_joints_tell(world);
    lode__ode_contacts_tell(world, h);
    if (tells)
        end_telling(world);
    else
        end_quietly(world);
    return true;
}

int lode__ode_step(dWorldID world, lode_solver solver, int iterations, int depth, dReal h)
{
    world->failed = !make_step(world, solver, iterations, depth, h);
    return !world->failed;
}

static int step(dWorldID world, lode_solver solver, dReal h, const char *function)
{
    if (!lode__ode_check(world != NULL, function, "world", "must not be null") ||
        !lode__ode_check(isfinite(h) && h > 0, function, "stepsize", "must be finite and above 0"))
        return 0;
    if (!lode__ode_check(lode__ode_bodies_list(world), function, "memory", "is wanting"))
        return 0;
    if (!world->failed)
        lode__ode_idle_run(world, h);
    return lode__ode_step(world, solver, world->quick_iterations, INT_MAX, h);
}

int dWorldStep(dWorldID world, dReal stepsize)
{
    return step(world, LODE_SOLVER_DIRECT, stepsize, __func__);
}

int dWorldQuickStep(dWorldID world, dReal stepsize)
{
    return step(world, LODE_SOLVER_PGS, stepsize, __func__);
}
