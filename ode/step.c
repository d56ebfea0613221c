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
 * to take back is what follows from a pose. Gravity and the gyroscopic torque are forces like
 * others. That torque is backward Euler in axes that stand still (Lacoursiere 2006): with the
 * angular momentum L of the step's begin the new angular velocity meets (I - h [L]x) w = L. */
#include "ode/body.h"
#include "core/fetch.h"
#include "ode/check.h"
#include "ode/collision/geom.h"
#include "ode/idle.h"
#include "ode/joint.h"
#include "ode/threading/step.h"
#include "world/wake.h"

#include <limits.h>
#include <string.h>

/* --- forces of the step */

/* x of (A + [a]x) x = b for a symmetric A. */
static lode_vec3 solve_skewed(const lode_real A[6], lode_vec3 a, lode_vec3 b)
{
    lode_vec3 r0 = {A[0], A[3] - a.z, A[4] + a.y}, r1 = {A[3] + a.z, A[1], A[5] - a.x},
              r2 = {A[4] - a.y, A[5] + a.x, A[2]};
    lode_vec3 c0 = v3_cross(r1, r2), c1 = v3_cross(r2, r0), c2 = v3_cross(r0, r1);
    lode_real det = v3_dot(r0, c0);
    return v3_scale(v3_add(v3_add(v3_scale(c0, b.x), v3_scale(c1, b.y)), v3_scale(c2, b.z)),
                    1 / det);
}

/* In the body's axes, where its inertia is what it always is. */
static lode_vec3 gyroscopic_torque(dBodyID body, const lode__local_mass *local, lode_real h)
{
    const lode_quat turn = body->pose->rotation;
    lode_vec3 momentum = s3_mul(local->inertia, q_rotate_inv(turn, body->velocity->angular));
    lode_vec3 w = solve_skewed(local->inertia, v3_scale(momentum, -h), momentum);
    return q_rotate(turn, v3_cross(momentum, w));
}

/* Where the inertia is round, momentum and spin have one direction, and there is no such torque. */
static lode__force forces_of(dBodyID body, lode_real h)
{
    const lode__local_mass *local = BODY(body->world->lode, local, body->slot);
    lode__force line = {.force = vec_of(body->force), .torque = vec_of(body->torque)};
    if (body->gravity)
        line.force = v3_madd(line.force, vec_of(body->world->gravity), local->mass);
    if (body->gyroscopic && !body->round)
        line.torque = v3_add(line.torque, gyroscopic_torque(body, local, h));
    return line;
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

static void bring(dBodyID body, lode_real h)
{
    lode__world *lode = body->world->lode;
    if (body->kinematic) {
        lode__body_join_awake(lode, body->slot); /* if it moves */
        return;
    }
    *BODY(lode, force, body->slot) = forces_of(body, h);
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
    for (uint32_t i = 0; i < world->row_count; ++i) {
        dBodyID body = world->row[i];
        fetch_bring(body_ahead(world, i, LODE__ODE_BODIES_AHEAD),
                    body_ahead(world, i, 2 * LODE__ODE_BODIES_AHEAD));
        if (body->enabled)
            bring(body, h);
        tells |= body->moved != NULL;
    }
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

/* Solvers that sweep swing about their solution, and a point of contact that opens for it, by a hair,
 * is told no more: the others let the body tilt. So with them what rests stands as deep as this
 * share of what falls in a step, a tenth of a millimetre in steps of a hundredth of a second. */
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
