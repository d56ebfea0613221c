/* idle.c: bodies that disable themselves.
 *
 * A body is idle while the mean of its last velocities, as vectors, is below its thresholds: so one
 * that trembles in place counts as idle, and one that has not been looked at often enough does not.
 * It is disabled once it has been idle for its steps and for its time. What hangs on no joint is
 * left alone, as ODE does: nothing would hold it, or wake it. */
#include "ode/idle.h"

#include "ode/body.h"
#include "ode/check.h"
#include "ode/memory.h"

#include <string.h>

static size_t ring_bytes(unsigned samples)
{
    return samples * sizeof(lode__ode_sample);
}

void lode__ode_idle_restart(dBodyID body)
{
    body->steps_left = body->idle.steps;
    body->time_left = body->idle.time;
    body->sample_count = body->sample_at = 0;
}

void lode__ode_idle_free(dBodyID body)
{
    if (body->samples)
        dFree(body->samples, ring_bytes(body->idle.samples));
    body->samples = NULL;
}

/* --- settings */

/* Gives the body these values; what it remembers is forgotten. */
static void give_idle(dBodyID body, const lode__ode_idle *idle)
{
    lode__ode_sample *samples = NULL;
    if (idle->samples > 1 && !(samples = dAlloc(ring_bytes(idle->samples))))
        return;
    lode__ode_idle_free(body);
    body->samples = samples;
    body->idle = *idle;
    lode__ode_idle_restart(body);
}

void dBodySetAutoDisableDefaults(dBodyID body)
{
    if (CHECK_GIVEN(body))
        give_idle(body, &body->world->idle);
}

int dBodyGetAutoDisableFlag(dBodyID body)
{
    return CHECK_GIVEN(body) && body->idle.enabled;
}

/* A body that is told not to is enabled, as if it had never been idle. */
void dBodySetAutoDisableFlag(dBodyID body, int do_auto_disable)
{
    if (!CHECK_GIVEN(body))
        return;
    body->idle.enabled = do_auto_disable != 0;
    if (body->idle.enabled)
        return;
    dBodyEnable(body);
}

int dBodyGetAutoDisableAverageSamplesCount(dBodyID body)
{
    return CHECK_GIVEN(body) ? (int)body->idle.samples : 0;
}

/* 0 stands for 1: the velocity itself. */
void dBodySetAutoDisableAverageSamplesCount(dBodyID body, unsigned int average_samples_count)
{
    if (!CHECK_GIVEN(body))
        return;
    lode__ode_idle idle = body->idle;
    int steps_left = body->steps_left;
    dReal time_left = body->time_left;
    idle.samples = average_samples_count > 1 ? average_samples_count : 1;
    give_idle(body, &idle);
    body->steps_left = steps_left;
    body->time_left = time_left;
}

int dWorldGetAutoDisableFlag(dWorldID world)
{
    return CHECK_GIVEN(world) && world->idle.enabled;
}

void dWorldSetAutoDisableFlag(dWorldID world, int do_auto_disable)
{
    if (CHECK_GIVEN(world))
        world->idle.enabled = do_auto_disable != 0;
}

int dWorldGetAutoDisableAverageSamplesCount(dWorldID world)
{
    return CHECK_GIVEN(world) ? (int)world->idle.samples : 0;
}

void dWorldSetAutoDisableAverageSamplesCount(dWorldID world, unsigned int average_samples_count)
{
    if (CHECK_GIVEN(world))
        world->idle.samples = average_samples_count > 1 ? average_samples_count : 1;
}

/* --- the stage */

static void remember(dBodyID body)
{
    lode__ode_sample *sample = &body->samples[body->sample_at];
    put_vec(sample->linear, body->velocity->linear);
    put_vec(sample->angular, body->velocity->angular);
    body->sample_at = (body->sample_at + 1) % body->idle.samples;
    body->sample_count += body->sample_count < body->idle.samples;
}

/* False while too few are known. */
static bool mean_velocity(dBodyID body, dReal linear[3], dReal angular[3])
{
    put_vec(linear, body->velocity->linear);
    put_vec(angular, body->velocity->angular);
    if (!body->samples)
        return true;
    remember(body);
    if (body->sample_count < body->idle.samples)
        return false;
    for (int k = 0; k < 3; ++k) {
        dReal sum_linear = 0, sum_angular = 0;
        for (unsigned i = 0; i < body->sample_count; ++i) {
            sum_linear += body->samples[i].linear[k];
            sum_angular += body->samples[i].angular[k];
        }
        linear[k] = sum_linear / (dReal)body->sample_count;
        angular[k] = sum_angular / (dReal)body->sample_count;
    }
    return true;
}

static bool is_below(const dReal v[3], dReal threshold)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= threshold * threshold;
}

static void count_idle(dBodyID body, dReal dt)
{
    dReal linear[3], angular[3];
    if (!mean_velocity(body, linear, angular) || !is_below(linear, body->idle.linear_threshold) ||
        !is_below(angular, body->idle.angular_threshold)) {
        body->steps_left = body->idle.steps;
        body->time_left = body->idle.time;
        return;
    }
    body->steps_left -= body->steps_left > 0;
    body->time_left -= dt;
    if (body->steps_left > 0 || body->time_left > 0)
        return;
    body->velocity->linear = body->velocity->angular = v3_zero();
    dBodyDisable(body);
}

void lode__ode_idle_run(dWorldID world, dReal dt)
{
    for (uint32_t i = 0; i < world->row_count; ++i) {
        dBodyID body = world->row[i], ahead = body_ahead(world, i, LODE__ODE_BODIES_AHEAD);
        __builtin_prefetch(&ahead->enabled);
        __builtin_prefetch(&ahead->idle.enabled);
        if (body->enabled && body->idle.enabled && dBodyGetNumJoints(body) > 0)
            count_idle(body, dt);
    }
}
