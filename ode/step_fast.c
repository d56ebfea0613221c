/* step_fast.c: StepFast1 of ODE's manual: rows of one joint at a time, over a step that is divided
 * again and again, and its own rules of who is disabled and who wakes whom. */
#include "ode/check.h"
#include "ode/idle.h"
#include "ode/joint.h"

static bool is_slow(dBodyID body)
{
    lode_vec3 v = body->velocity->linear, w = body->velocity->angular;
    return v3_dot(v, v) < body->fast.threshold && v3_dot(w, w) < body->fast.threshold;
}

/* Those that have been slow for long enough. Who wakes them does not make them count anew. */
static void disable_slow(dWorldID world)
{
    for (dBodyID body = world->bodies; body; body = body->next) {
        lode__ode_fast *fast = &body->fast;
        if (!body->enabled || !fast->disables)
            continue;
        if (!is_slow(body))
            fast->left = fast->steps;
        else if (fast->left > 0)
            --fast->left;
        if (fast->left == 0)
            dBodyDisable(body);
    }
}

int dWorldStepFast1(dWorldID world, dReal stepsize, int maxiterations)
{
    if (!CHECK_GIVEN(world) ||
        !CHECK(isfinite(stepsize) && stepsize > 0, "stepsize", "must be finite and above 0") ||
        !CHECK(maxiterations > 0, "maxiterations", "must be above 0"))
        return 0;
    if (!CHECK(lode__ode_bodies_list(world), "memory", "is wanting"))
        return 0;
    if (!world->failed) {
        lode__ode_idle_run(world, stepsize);
        disable_slow(world);
    }
    return lode__ode_step(world, LODE_SOLVER_PER_JOINT, maxiterations, world->fast_depth, stepsize);
}

void dWorldSetAutoEnableDepthSF1(dWorldID world, int autoEnableDepth)
{
    if (CHECK_GIVEN(world) && CHECK(autoEnableDepth >= 0, "autoEnableDepth", "must be at least 0"))
        world->fast_depth = autoEnableDepth;
}

int dWorldGetAutoEnableDepthSF1(dWorldID world)
{
    return CHECK_GIVEN(world) ? world->fast_depth : 0;
}

void dBodySetAutoDisableThresholdSF1(dBodyID body, dReal autoDisableThreshold)
{
    if (CHECK_GIVEN(body) && CHECK(isfinite(autoDisableThreshold) && autoDisableThreshold >= 0,
                                   "autoDisableThreshold", "must be finite and at least 0"))
        body->fast.threshold = autoDisableThreshold;
}

dReal dBodyGetAutoDisableThresholdSF1(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->fast.threshold : 0;
}

void dBodySetAutoDisableStepsSF1(dBodyID body, int AutoDisableSteps)
{
    if (CHECK_GIVEN(body) && CHECK(AutoDisableSteps >= 0, "AutoDisableSteps", "must be at least 0"))
        body->fast.steps = body->fast.left = AutoDisableSteps;
}

int dBodyGetAutoDisableStepsSF1(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->fast.steps : 0;
}

void dBodySetAutoDisableSF1(dBodyID body, int doAutoDisable)
{
    if (!CHECK_GIVEN(body))
        return;
    body->fast.disables = doAutoDisable != 0;
    body->fast.left = body->fast.steps;
}

int dBodyGetAutoDisableSF1(dBodyID body)
{
    return CHECK_GIVEN(body) && body->fast.disables;
}
