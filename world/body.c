/* body.c: bodies: making and ending them, their poses, velocities and masses.
 *
 * The pool keeps the pose of the centre of mass; the API speaks of the body's own frame. With the
 * centre c in body axes, x_com = x_frame + R c. Static bodies have c = 0 and no velocity. */
#include "lode/body.h"

#include "collide/mass.h"
#include "core/math.h"
#include "world/check.h"
#include "world/mass.h"

static const char static_velocity[] = "a static body has no velocity";

lode_body_def lode_body_def_default(void)
{
    return (lode_body_def){.rotation = q_identity(), .gyroscopic = true};
}

static lode_status check_def(lode_body_def *def, const char *function)
{
    lode_status status = lode__check(def->type == LODE_STATIC || def->type == LODE_DYNAMIC,
                                     function, "def.type", "must be LODE_STATIC or LODE_DYNAMIC");
    if (!status)
        status = lode__check_vec3(def->position, function, "def.position");
    if (!status)
        status = lode__check_quat(&def->rotation, function, "def.rotation");
    if (!status)
        status = lode__check_vec3(def->linear_velocity, function, "def.linear_velocity");
    if (!status)
        status = lode__check_vec3(def->angular_velocity, function, "def.angular_velocity");
    return status;
}

static bool is_zero(lode_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static lode_status check_rest(const lode_body_def *def, const char *function)
{
    if (def->type != LODE_STATIC)
        return LODE_OK;
    lode_status status = lode__check(is_zero(def->linear_velocity), function, "def.linear_velocity",
                                     static_velocity);
    return status ? status
                  : lode__check(is_zero(def->angular_velocity), function, "def.angular_velocity",
                                static_velocity);
}

static void fill(lode__world *world, uint32_t body, const lode_body_def *def)
{
    uint32_t flags = LODE__BODY_MOVED;
    if (def->type == LODE_DYNAMIC)
        flags |= LODE__BODY_DYNAMIC | (def->gyroscopic ? LODE__BODY_GYROSCOPIC : 0);
    *BODY(world, flags, body) = flags;
    *BODY(world, links, body) = (lode__body_links){LODE__NONE, LODE__NO_EDGE};
    *BODY(world, user_data, body) = def->user_data;
    *BODY(world, pose, body) = (lode__pose){.position = def->position, .rotation = def->rotation};
    *BODY(world, velocity, body) = (lode__velocity){.linear = def->linear_velocity,
                                                    .angular = def->angular_velocity};
    lode__mass_refresh(world, body);
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
    uint32_t body = lode__pool_add(&w->bodies);
    if (body == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_body){0};
    }
    fill(w, body, &checked);
    w->dynamic_count += checked.type == LODE_DYNAMIC;
    return body_handle(w, body);
}

lode_status lode_body_destroy(lode_body body)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (status)
        return status;
    const lode__body_links *links = BODY(b.world, links, b.slot);
    while (links->first_edge != LODE__NO_EDGE)
        lode__joint_remove(b.world, links->first_edge >> 1);
    while (links->first_shape != LODE__NONE)
        lode__shape_remove(b.world, links->first_shape);
    b.world->dynamic_count -= body_is_dynamic(b.world, b.slot);
    lode__pool_remove(&b.world->bodies, b.slot);
    return LODE_OK;
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
    return body_is_dynamic(b.world, b.slot) ? LODE_DYNAMIC : LODE_STATIC;
}

void *lode_body_get_user_data(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? NULL : *BODY(b.world, user_data, b.slot);
}

/* ---- pose ---- */

lode_pose lode__body_frame(const lode__world *world, uint32_t body)
{
    const lode__pose *pose = BODY(world, pose, body);
    lode_vec3 arm = q_rotate(pose->rotation, BODY(world, local, body)->center);
    return (lode_pose){v3_sub(pose->position, arm), pose->rotation};
}

lode_pose lode_body_get_pose(lode_body body)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__))
        return (lode_pose){.rotation = q_identity()};
    return lode__body_frame(b.world, b.slot);
}

/* A body that was frozen because its state was not finite takes part again, without the forces
 * that gathered meanwhile. */
static void thaw(lode__object b)
{
    uint32_t *flags = BODY(b.world, flags, b.slot);
    if (*flags & LODE__BODY_FROZEN)
        *BODY(b.world, force, b.slot) = (lode__force){0};
    *flags &= ~(uint32_t)LODE__BODY_FROZEN;
}

lode_status lode_body_set_pose(lode_body body, lode_pose pose)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = lode__check_pose(&pose, __func__, "pose");
    if (status)
        return status;
    lode_vec3 center = pose_point(pose, BODY(b.world, local, b.slot)->center);
    status = lode__check_vec3(center, __func__, "pose");
    if (status)
        return status;
    *BODY(b.world, pose, b.slot) = (lode__pose){.position = center, .rotation = pose.rotation};
    *BODY(b.world, flags, b.slot) |= LODE__BODY_MOVED;
    thaw(b);
    lode__mass_turn(b.world, b.slot);
    return LODE_OK;
}

lode_vec3 lode_body_get_center(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero() : BODY(b.world, pose, b.slot)->position;
}

/* ---- velocity ---- */

lode_vec3 lode_body_get_linear_velocity(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero()
                                               : BODY(b.world, velocity, b.slot)->linear;
}

lode_vec3 lode_body_get_angular_velocity(lode_body body)
{
    lode__object b;
    return lode__open_body(&b, body, __func__) ? v3_zero()
                                               : BODY(b.world, velocity, b.slot)->angular;
}

static lode_status check_velocity(lode__object b, lode_vec3 velocity, const char *function)
{
    lode_status status = lode__check_vec3(velocity, function, "velocity");
    return status ? status
                  : lode__check(body_is_dynamic(b.world, b.slot) || is_zero(velocity), function,
                                "velocity", static_velocity);
}

lode_status lode_body_set_linear_velocity(lode_body body, lode_vec3 velocity)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = check_velocity(b, velocity, __func__);
    if (!status)
        BODY(b.world, velocity, b.slot)->linear = velocity;
    return status;
}

lode_status lode_body_set_angular_velocity(lode_body body, lode_vec3 velocity)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = check_velocity(b, velocity, __func__);
    if (!status)
        BODY(b.world, velocity, b.slot)->angular = velocity;
    return status;
}

/* ---- mass ---- */

lode_mass lode_body_get_mass(lode_body body)
{
    lode__object b;
    lode_mass mass = {0};
    if (lode__open_body(&b, body, __func__))
        return mass;
    const lode__local_mass *local = BODY(b.world, local, b.slot);
    mass.mass = local->mass;
    mass.center = local->center;
    for (int i = 0; i < 6; ++i)
        mass.inertia[i] = local->inertia[i];
    return mass;
}

static lode_status open_dynamic(lode__object *b, lode_body body, const char *function)
{
    lode_status status = lode__open_body(b, body, function);
    return status ? status
                  : lode__check(body_is_dynamic(b->world, b->slot), function, "body",
                                "a static body has no mass");
}

lode_status lode_body_set_mass(lode_body body, const lode_mass *mass)
{
    lode__object b;
    lode__local_mass local;
    lode_status status = open_dynamic(&b, body, __func__);
    if (!status)
        status = lode__check_not_null(mass, __func__, "mass");
    if (!status)
        status = lode__check(lode__mass_is_possible(mass) && lode__mass_local(mass, &local),
                             __func__, "mass",
                             "must be finite and above 0, like its principal moments, of which "
                             "none may exceed the sum of the others");
    if (status)
        return status;
    *BODY(b.world, flags, b.slot) |= LODE__BODY_MASS_GIVEN;
    lode__mass_apply(b.world, b.slot, &local);
    return LODE_OK;
}

lode_status lode_body_set_mass_from_shapes(lode_body body)
{
    lode__object b;
    lode_status status = open_dynamic(&b, body, __func__);
    if (status)
        return status;
    *BODY(b.world, flags, b.slot) &= ~(uint32_t)LODE__BODY_MASS_GIVEN;
    lode__mass_refresh(b.world, b.slot);
    return LODE_OK;
}
