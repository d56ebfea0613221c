/* motion.c: where bodies are and how they move, and the way between their coordinates and the
 * world's.
 *
 * The pool keeps the pose of the centre of mass; the API speaks of the body's own frame. With the
 * centre c in body axes, x_com = x_frame + R c. Static and kinematic bodies have c = 0,
 * static ones no velocity. */
#include "lode/body.h"

#include "core/math.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/wake.h"

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
    if (!status)
        status = lode__check_no_link(b.world, b.slot, __func__);
    if (status)
        return status;
    lode_vec3 center = pose_point(pose, BODY(b.world, local, b.slot)->center);
    status = lode__check_vec3(center, __func__, "pose");
    if (status)
        return status;
    *BODY(b.world, pose, b.slot) = (lode__pose){.position = center, .rotation = pose.rotation};
    thaw(b);
    lode__mass_turn(b.world, b.slot);
    lode__bits_set(&b.world->collide.posed, b.slot);
    lode__body_placed(b.world, b.slot);
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
    return status
               ? status
               : lode__check(type_of_body(b.world, b.slot) != LODE_STATIC || v3_is_zero(velocity),
                             function, "velocity", "a static body has no velocity");
}

/* A velocity that the body has wakes nobody. */
static lode_status set_velocity(lode_body body, lode_vec3 velocity, bool angular,
                                const char *function)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, function);
    if (!status)
        status = check_velocity(b, velocity, function);
    if (!status)
        status = lode__check_no_link(b.world, b.slot, function);
    if (status)
        return status;
    lode__velocity *line = BODY(b.world, velocity, b.slot);
    lode_vec3 *now = angular ? &line->angular : &line->linear;
    if (v3_is_zero(v3_sub(*now, velocity)))
        return LODE_OK;
    *now = velocity;
    lode__body_touched(b.world, b.slot);
    return LODE_OK;
}

lode_status lode_body_set_linear_velocity(lode_body body, lode_vec3 velocity)
{
    return set_velocity(body, velocity, false, __func__);
}

lode_status lode_body_set_angular_velocity(lode_body body, lode_vec3 velocity)
{
    return set_velocity(body, velocity, true, __func__);
}

/* ---- coordinates ---- */

lode_vec3 lode_body_point_to_world(lode_body body, lode_vec3 point)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || lode__check_vec3(point, __func__, "point"))
        return v3_zero();
    return pose_point(lode__body_frame(b.world, b.slot), point);
}

lode_vec3 lode_body_point_from_world(lode_body body, lode_vec3 point)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || lode__check_vec3(point, __func__, "point"))
        return v3_zero();
    return pose_point_inv(lode__body_frame(b.world, b.slot), point);
}

lode_vec3 lode_body_vector_to_world(lode_body body, lode_vec3 vector)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || lode__check_vec3(vector, __func__, "vector"))
        return v3_zero();
    return q_rotate(BODY(b.world, pose, b.slot)->rotation, vector);
}

lode_vec3 lode_body_vector_from_world(lode_body body, lode_vec3 vector)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || lode__check_vec3(vector, __func__, "vector"))
        return v3_zero();
    return q_rotate_inv(BODY(b.world, pose, b.slot)->rotation, vector);
}

lode_status lode__check_frame(lode_frame frame, const char *function, const char *argument)
{
    return lode__check(frame == LODE_WORLD_FRAME || frame == LODE_BODY_FRAME, function, argument,
                       "must be LODE_WORLD_FRAME or LODE_BODY_FRAME");
}

lode_vec3 lode__body_arm(const lode__world *world, uint32_t body, lode_vec3 point, lode_frame frame)
{
    const lode__pose *pose = BODY(world, pose, body);
    if (frame == LODE_WORLD_FRAME)
        return v3_sub(point, pose->position);
    return q_rotate(pose->rotation, v3_sub(point, BODY(world, local, body)->center));
}

lode_vec3 lode_body_get_point_velocity(lode_body body, lode_vec3 point, lode_frame frame)
{
    lode__object b;
    if (lode__open_body(&b, body, __func__) || lode__check_vec3(point, __func__, "point") ||
        lode__check_frame(frame, __func__, "frame"))
        return v3_zero();
    const lode__velocity *velocity = BODY(b.world, velocity, b.slot);
    lode_vec3 arm = lode__body_arm(b.world, b.slot, point, frame);
    return v3_add(velocity->linear, v3_cross(velocity->angular, arm));
}
