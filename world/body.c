/* body.c: bodies: making and ending them, and what they are.
 *
 * A body's shapes, joints and name end with it. How it moves is in motion.c, what it weighs in
 * mass.c, what pushes it in forces.c. */
#include "lode/body.h"

#include <math.h>
#include <string.h>

#include "core/math.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/mass.h"
#include "world/sleep.h"
#include "world/wake.h"

lode_body_def lode_body_def_default(void)
{
    return (lode_body_def){.rotation = q_identity(),
                           .gyroscopic = LODE_GYROSCOPIC_IMPLICIT,
                           .gravity_scale = 1,
                           .max_linear_speed = (lode_real)INFINITY,
                           .max_angular_speed = (lode_real)INFINITY};
}

static lode_status check_def(lode_body_def *def, const char *function)
{
    lode_status status = lode__check((unsigned)def->type <= LODE_DYNAMIC, function, "def.type",
                                     "must be LODE_STATIC, LODE_KINEMATIC or LODE_DYNAMIC");
    if (!status)
        status = lode__check_vec3(def->position, function, "def.position");
    if (!status)
        status = lode__check_quat(&def->rotation, function, "def.rotation");
    if (!status)
        status = lode__check_vec3(def->linear_velocity, function, "def.linear_velocity");
    if (!status)
        status = lode__check_vec3(def->angular_velocity, function, "def.angular_velocity");
    if (!status && def->sleep)
        status = lode__check_sleep(def->sleep, function, "def.sleep");
    if (!status)
        status = lode__traits_check(def, function);
    return status ? status : lode__turning_check(def, function);
}

static lode_status check_rest(const lode_body_def *def, const char *function)
{
    static const char message[] = "a static body has no velocity";
    if (def->type != LODE_STATIC)
        return LODE_OK;
    lode_status status = lode__check(v3_is_zero(def->linear_velocity), function,
                                     "def.linear_velocity", message);
    return status ? status
                  : lode__check(v3_is_zero(def->angular_velocity), function, "def.angular_velocity",
                                message);
}

static void fill(lode__world *world, uint32_t body, const lode_body_def *def)
{
    *BODY(world, flags, body) = lode__type_flags(def->type) |
                                (def->continuous ? LODE__BODY_CONTINUOUS : 0);
    *BODY(world, links, body) = (lode__body_links){LODE__NONE, LODE__NO_EDGE};
    *BODY(world, user_data, body) = def->user_data;
    *BODY(world, pose, body) = (lode__pose){.position = def->position, .rotation = def->rotation};
    *BODY(world, velocity, body) = (lode__velocity){.linear = def->linear_velocity,
                                                    .angular = def->angular_velocity};
    lode__traits_fill(world, body, def);
    lode__turning_fill(world, body, def);
    lode__mass_refresh(world, body);
}

/* Room for all that a new body needs. */
static bool reserve(lode__world *world, const lode_sleep *sleep)
{
    return lode__pool_reserve(&world->bodies, 1) && lode__awake_reserve(world) &&
           (sleep->samples <= 1 || lode__pool_reserve(&world->samples, 1));
}

static lode_body fail(char *name)
{
    if (name)
        lode__free(name, strlen(name) + 1);
    lode__error(LODE_ERROR_MEMORY, "lode_body_create", "", "out of memory");
    return (lode_body){0};
}

lode_body lode_body_create(lode_world world, const lode_body_def *def)
{
    lode__world *w;
    lode_body_def checked;
    if (lode__open_world(&w, world, __func__) || lode__check_not_null(def, __func__, "def"))
        return (lode_body){0};
    checked = *def;
    if (check_def(&checked, __func__) || check_rest(&checked, __func__))
        return (lode_body){0};
    char *name;
    bool named = lode__name_copy(checked.name, &name);
    const lode_sleep *sleep = def->sleep ? def->sleep : &w->def.sleep;
    uint32_t body = named && reserve(w, sleep) ? lode__pool_add(&w->bodies) : LODE__NONE;
    if (body == LODE__NONE)
        return fail(named ? name : NULL);
    fill(w, body, &checked);
    lode__sleep_give(w, body, sleep);
    lode__name_give(w, body, name);
    w->dynamic_count += checked.type == LODE_DYNAMIC;
    w->kinematic_count += checked.type == LODE_KINEMATIC;
    lode__body_join_awake(w, body);
    return body_handle(w, body);
}

void lode__body_end(lode__world *world, uint32_t body)
{
    lode__wake_body(world, body);
    const lode__body_links *links = BODY(world, links, body);
    while (links->first_edge != LODE__NO_EDGE)
        lode__joint_lose_body(world, lode__joint_of_edge(world, links->first_edge));
    while (links->first_shape != LODE__NONE)
        lode__shape_remove(world, links->first_shape);
    lode__name_free(world, body);
    lode__sleep_drop(world, body);
    lode__body_set_awake(world, body, false);
    world->dynamic_count -= body_is_dynamic(world, body);
    world->kinematic_count -= type_of_body(world, body) == LODE_KINEMATIC;
    lode__pool_remove(&world->bodies, body);
}

lode_status lode_body_destroy(lode_body body)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (!status)
        lode__body_end(b.world, b.slot);
    return status;
}

bool lode_body_is_valid(lode_body body)
{
    lode__object b;
    return lode__find_body(&b, body);
}

lode_world lode_body_get_world(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return (lode_world){0};
    return (lode_world){b.world->id};
}

lode_body_type lode_body_get_type(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return LODE_STATIC;
    return type_of_body(b.world, b.slot);
}

void *lode_body_get_user_data(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? NULL : *BODY(b.world, user_data, b.slot);
}

lode_status lode_body_set_user_data(lode_body body, void *user_data)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        *BODY(b.world, user_data, b.slot) = user_data;
    return status;
}

bool lode_body_get_continuous(lode_body body)
{
    lode__object b;
    return !lode__open_body(&b, body, __func__) &&
           (*BODY(b.world, flags, b.slot) & LODE__BODY_CONTINUOUS);
}

lode_status lode_body_set_continuous(lode_body body, bool continuous)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status && continuous)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    lode__body_flag(b.world, b.slot, LODE__BODY_CONTINUOUS, continuous);
    lode__wake_body(b.world, b.slot);
    return LODE_OK;
}
