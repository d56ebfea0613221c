/* body.c: bodies of the ODE face: making and ending them, and what they are. */
#include "ode/body.h"

#include "ode/check.h"
#include "ode/idle.h"
#include "ode/joint.h"
#include "ode/slabs.h"
#include "core/memory.h"
#include "world/wake.h"

#include <string.h>

/* --- life */

static void set_defaults(dBodyID body, dWorldID world)
{
    body->world = world;
    body->mass.mass = 1;
    dMassSetParameters(&body->mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    body->inverse_inertia[0] = body->inverse_inertia[1] = body->inverse_inertia[2] = 1;
    body->enabled = body->gyroscopic = body->gravity = body->round = true;
    body->damping = world->damping;
    body->fast = (lode__ode_fast){.threshold = (dReal)0.003, .steps = 10, .left = 10};
    body->max_angular_speed = world->max_angular_speed;
    lode__ode_body_turned(body);
}

static void put_in(dBodyID body, dWorldID world)
{
    ++world->body_count;
    world->row_count = 0;
    body->next = world->bodies;
    if (body->next)
        body->next->last = body;
    world->bodies = body;
}

static void take_out(dBodyID body)
{
    --body->world->body_count;
    body->world->row_count = 0;
    if (body->next)
        body->next->last = body->last;
    if (body->last)
        body->last->next = body->next;
    else
        body->world->bodies = body->next;
}

bool lode__ode_bodies_list(dWorldID world)
{
    if (world->row_count == world->body_count)
        return true;
    if (!lode__grow((void **)&world->row, &world->row_capacity, world->body_count,
                    sizeof *world->row))
        return false;
    for (dBodyID body = world->bodies; body; body = body->next)
        world->row[world->row_count++] = body;
    return true;
}

/* In the pools it has no mass limits, damping or torque of its own but what a step brings. */
static bool make_in_pools(dBodyID body, dWorldID world)
{
    lode_body_def def = lode_body_def_default();
    lode__object made;
    def.type = LODE_DYNAMIC;
    def.gyroscopic = LODE_GYROSCOPIC_OFF;
    if (lode__open_body(&made, lode_body_create(world->handle, &def), __func__))
        return false;
    body->slot = made.slot;
    body->pose = BODY(world->lode, pose, made.slot);
    body->velocity = BODY(world->lode, velocity, made.slot);
    return true;
}

dBodyID dBodyCreate(dWorldID world)
{
    if (!CHECK_GIVEN(world))
        return NULL;
    dBodyID body = lode__ode_slab_take(sizeof *body);
    if (!CHECK(body != NULL, "memory", "is wanting"))
        return NULL;
    memset(body, 0, sizeof *body);
    if (!CHECK(make_in_pools(body, world), "memory", "is wanting")) {
        lode__ode_slab_give(body, sizeof *body);
        return NULL;
    }
    set_defaults(body, world);
    put_in(body, world);
    dBodySetAutoDisableDefaults(body);
    return body;
}

void dBodyDestroy(dBodyID body)
{
    if (!CHECK_GIVEN(body))
        return;
    for (int i = 0; i < LODE__ODE_LISTS; ++i)
        while (lode__ode_first_joint(body, i))
            lode__ode_joint_limbo(body->lists[i]);
    lode__ode_body_geoms_leave(body);
    lode_body_destroy(body_handle(body->world->lode, body->slot));
    lode__ode_idle_free(body);
    take_out(body);
    lode__ode_slab_give(body, sizeof *body);
}

dWorldID dBodyGetWorld(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->world : NULL;
}

void dBodySetData(dBodyID body, void *data)
{
    if (CHECK_GIVEN(body))
        body->data = data;
}

void *dBodyGetData(dBodyID body)
{
    return CHECK_GIVEN(body) ? body->data : NULL;
}

void dBodySetMovedCallback(dBodyID body, void (*callback)(dBodyID))
{
    if (CHECK_GIVEN(body))
        body->moved = callback;
}

/* --- disabled and enabled
 *
 * What is disabled is in no step: frozen, as the pools call it. */

static void take_part(dBodyID body, bool enabled)
{
    lode__world *lode = body->world->lode;
    body->enabled = enabled;
    lode__body_flag(lode, body->slot, LODE__BODY_FROZEN, !enabled);
    if (enabled)
        lode__body_join_awake(lode, body->slot);
    else
        lode__body_set_awake(lode, body->slot, false);
}

void dBodyEnable(dBodyID body)
{
    if (!CHECK_GIVEN(body))
        return;
    take_part(body, true);
    lode__ode_idle_restart(body);
}

void dBodyDisable(dBodyID body)
{
    if (CHECK_GIVEN(body))
        take_part(body, false);
}

int dBodyIsEnabled(dBodyID body)
{
    return CHECK_GIVEN(body) && body->enabled;
}

/* --- how it moves */

#define SWITCH(NAME, field) \
    void dBodySet##NAME(dBodyID body, int mode) \
    { \
        if (CHECK_GIVEN(body)) \
            body->field = mode != 0; \
    } \
    int dBodyGet##NAME(dBodyID body) \
    { \
        return CHECK_GIVEN(body) && body->field; \
    }

SWITCH(GravityMode, gravity)
SWITCH(GyroscopicMode, gyroscopic)

/* Turning the mode off forgets that there is an axis, not which. */
void dBodySetFiniteRotationMode(dBodyID body, int mode)
{
    if (!CHECK_GIVEN(body))
        return;
    body->finite = mode != 0;
    body->finite_about_axis = body->finite && !v3_is_zero(vec_of(body->finite_axis));
}

int dBodyGetFiniteRotationMode(dBodyID body)
{
    return CHECK_GIVEN(body) && body->finite;
}

void dBodySetFiniteRotationAxis(dBodyID body, dReal x, dReal y, dReal z)
{
    if (!CHECK_GIVEN(body) || !CHECK_FINITE(x, y, z))
        return;
    put_vec(body->finite_axis, v3_normalize_or((lode_vec3){x, y, z}, v3_zero()));
    body->finite_about_axis = !v3_is_zero(vec_of(body->finite_axis));
}

void dBodyGetFiniteRotationAxis(dBodyID body, dVector3 result)
{
    if (CHECK_GIVEN(body) && CHECK_GIVEN(result))
        memcpy(result, body->finite_axis, sizeof body->finite_axis);
}

void dBodySetDampingDefaults(dBodyID body)
{
    if (CHECK_GIVEN(body))
        body->damping = body->world->damping;
}
