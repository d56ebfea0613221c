/* wake.c: what hangs on an enabled body, by joints that are enabled, is enabled before a step, over
 * kinematic bodies too. Such bodies do not begin to count their idleness anew: what was put to rest
 * may be so again in the next step. */
#include "ode/joint.h"

#include "world/wake.h"

static void reach(dBodyID body, dBodyID *stack)
{
    if (!body || body->reached)
        return;
    body->reached = true;
    body->reached_next = *stack;
    *stack = body;
}

static void enable(dBodyID body)
{
    if (body->enabled)
        return;
    body->enabled = true;
    lode__body_flag(body->world->lode, body->slot, LODE__BODY_FROZEN, false);
    lode__body_join_awake(body->world->lode, body->slot);
}

static void reach_neighbours(dBodyID body, dBodyID *stack)
{
    for (dJointID joint = body->joints; joint;) {
        lode__ode_node *own = &joint->node[joint->node[0].body != body];
        if (!joint->disabled)
            reach(joint->node[own == &joint->node[0]].body, stack);
        joint = own->next;
    }
}

void lode__ode_wake(dWorldID world)
{
    dBodyID stack = NULL;
    for (dBodyID body = world->bodies; body; body = body->next)
        body->reached = false;
    for (dBodyID body = world->bodies; body; body = body->next)
        if (body->enabled)
            reach(body, &stack);
    while (stack) {
        dBodyID body = stack;
        stack = body->reached_next;
        enable(body);
        reach_neighbours(body, &stack);
    }
}
