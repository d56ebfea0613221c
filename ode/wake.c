/* wake.c: what hangs on an enabled body, by joints that are enabled, is enabled before a step, over
 * kinematic bodies too. Such bodies do not begin to count their idleness anew: what was put to rest
 * may be so again in the next step. StepFast1 goes no farther than so many bodies from those that
 * are enabled. */
#include "ode/joint.h"

#include "world/wake.h"

/* Bodies that have been reached and whose neighbours have not, the nearest first. */
typedef struct queue {
    dBodyID first, last;
} queue;

static void reach(dBodyID body, int distance, queue *q)
{
    if (!body || body->reached)
        return;
    body->reached = true;
    body->distance = distance;
    body->reached_next = NULL;
    if (q->last)
        q->last->reached_next = body;
    else
        q->first = body;
    q->last = body;
}

static dBodyID next_of(queue *q)
{
    dBodyID body = q->first;
    q->first = body->reached_next;
    q->last = q->first ? q->last : NULL;
    return body;
}

static void enable(dBodyID body)
{
    if (body->enabled)
        return;
    body->enabled = true;
    lode__body_flag(body->world->lode, body->slot, LODE__BODY_FROZEN, false);
    lode__body_join_awake(body->world->lode, body->slot);
}

static void reach_by(dJointID joint, dBodyID body, queue *q)
{
    while (joint) {
        lode__ode_node *own = &joint->node[joint->node[0].body != body];
        if (!joint->disabled)
            reach(joint->node[own == &joint->node[0]].body, body->distance + 1, q);
        joint = own->next;
    }
}

/* True where they are all enabled; else none is reached yet. */
static bool reach_all(dWorldID world)
{
    bool all = true;
    for (uint32_t i = 0; i < world->row_count && all; ++i) {
        __builtin_prefetch(&body_ahead(world, i, LODE__ODE_BODIES_AHEAD)->enabled, 1);
        all = world->row[i]->reached = world->row[i]->enabled;
    }
    for (uint32_t i = 0; i < world->row_count && !all; ++i)
        world->row[i]->reached = false;
    return all;
}

void lode__ode_wake(dWorldID world, int depth)
{
    queue q = {NULL, NULL};
    if (reach_all(world))
        return;
    for (uint32_t i = 0; i < world->row_count; ++i)
        if (world->row[i]->enabled)
            reach(world->row[i], 0, &q);
    while (q.first) {
        dBodyID body = next_of(&q);
        enable(body);
        if (body->distance < depth)
            for (int i = 0; i < LODE__ODE_LISTS; ++i)
                reach_by(lode__ode_first_joint(body, i), body, &q);
    }
}
