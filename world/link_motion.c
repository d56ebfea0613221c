/* link_motion.c: where joints of links stand, how fast they are, the targets of their drives and
 * the forces on them. */
#include "core/math.h"
#include "world/articulation.h"
#include "world/check.h"

static lode_status open_axis(lode__object *out, lode_body link, lode_link_axis_index axis,
                             const char *function)
{
    lode_status status = lode__open_link(out, link, function);
    return status ? status
                  : lode__check((unsigned)axis < LODE_LINK_AXES, function, "axis",
                                "must be one of lode_link_axis_index");
}

/* The same for an axis that is free, and a value that is to be finite. */
static lode_status open_free(lode__object *out, lode_body link, lode_link_axis_index axis,
                             lode_real value, const char *function, const char *argument)
{
    lode_status status = open_axis(out, link, axis, function);
    if (!status)
        status = lode__check(r_finite(value), function, argument, "must be finite");
    if (!status)
        status = lode__check(LINK(out->world, tie, out->slot)->parent != LODE__NONE, function,
                             "link", "is the root, which has no joint");
    return status ? status
                  : lode__check(LINK(out->world, axes, out->slot)->axis[axis].motion !=
                                    LODE_MOTION_LOCKED,
                                function, "axis", "is locked");
}

lode_link_axis lode_link_get_axis(lode_body link, lode_link_axis_index axis)
{
    lode__object l;
    if (open_axis(&l, link, axis, __func__))
        return (lode_link_axis){0};
    const lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    const lode__link_state *state = LINK(l.world, state, l.slot);
    return (lode_link_axis){.motion = (lode_link_motion)a->motion,
                            .lo = a->lo,
                            .hi = a->hi,
                            .drive = {.type = (lode_drive_type)a->drive,
                                      .stiffness = a->stiffness,
                                      .damping = a->damping,
                                      .max_force = a->max_force,
                                      .max_effort = a->max_effort,
                                      .max_speed = a->max_speed,
                                      .velocity_resistance = a->velocity_resistance,
                                      .speed_effort_gradient = a->speed_effort_gradient},
                            .target = a->target,
                            .target_velocity = a->target_velocity,
                            .armature = a->armature,
                            .static_friction = a->static_friction,
                            .dynamic_friction = a->dynamic_friction,
                            .viscous_friction = a->viscous_friction,
                            .max_velocity = a->max_velocity,
                            .position = state->position[axis],
                            .velocity = state->velocity[axis]};
}

lode_status lode_link_set_axis(lode_body link, lode_link_axis_index axis,
                               const lode_link_axis *values)
{
    lode__object l;
    lode_status status = open_axis(&l, link, axis, __func__);
    if (!status)
        status = lode__check_not_null(values, __func__, "values");
    if (status)
        return status;
    const lode__link_tie *tie = LINK(l.world, tie, l.slot);
    lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    status = lode__link_check_axis(values, (lode_link_joint_type)tie->type, (int)axis, __func__,
                                   "values");
    if (!status)
        status = lode__link_check_motion(l.world, l.slot, (int)axis, values->motion, __func__);
    bool inserted = articulation_is_inserted(l.world, tie->articulation);
    if (!status && inserted && values->motion != (lode_link_motion)a->motion)
        status = lode__error(LODE_ERROR_STATE, __func__, "values",
                             "motions change outside the simulation only");
    if (status)
        return status;
    lode__link_state *state = LINK(l.world, state, l.slot);
    bool free = values->motion != LODE_MOTION_LOCKED;
    ARTICULATION(l.world, head, tie->articulation)->structure += (a->motion !=
                                                                  LODE_MOTION_LOCKED) != free;
    lode__link_put_axis(a, values);
    state->position[axis] = free ? values->position : 0;
    state->velocity[axis] = free ? values->velocity : 0;
    lode__link_place(l.world, l.slot);
    lode__link_changed(l.world, l.slot);
    lode__articulation_follow(l.world, tie->articulation, false);
    return LODE_OK;
}

lode_status lode_link_set_position(lode_body link, lode_link_axis_index axis, lode_real position)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, position, __func__, "position");
    if (!status)
        status = lode__link_check_position(position,
                                           (lode_link_joint_type)LINK(l.world, tie, l.slot)->type,
                                           (int)axis, __func__, "position");
    if (status)
        return status;
    LINK(l.world, state, l.slot)->position[axis] = position;
    lode__link_place(l.world, l.slot);
    lode__articulation_follow(l.world, LINK(l.world, tie, l.slot)->articulation, false);
    return LODE_OK;
}

lode_status lode_link_set_velocity(lode_body link, lode_link_axis_index axis, lode_real velocity)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, velocity, __func__, "velocity");
    if (status)
        return status;
    uint32_t articulation = LINK(l.world, tie, l.slot)->articulation;
    LINK(l.world, state, l.slot)->velocity[axis] = velocity;
    lode__articulation_follow(l.world, articulation, true);
    if (velocity != 0)
        lode__articulation_wake(l.world, articulation, false);
    return LODE_OK;
}

static lode_status set_drive(lode_body link, lode_link_axis_index axis, lode_real value, bool wake,
                             bool velocity, const char *function)
{
    lode__object l;
    lode_status status = open_axis(&l, link, axis, function);
    if (!status)
        status = lode__check(r_finite(value), function, velocity ? "velocity" : "target",
                             "must be finite");
    if (status)
        return status;
    lode__link_axis *a = &LINK(l.world, axes, l.slot)->axis[axis];
    *(velocity ? &a->target_velocity : &a->target) = value;
    if (wake)
        lode__articulation_wake(l.world, LINK(l.world, tie, l.slot)->articulation, true);
    return LODE_OK;
}

lode_status lode_link_set_target(lode_body link, lode_link_axis_index axis, lode_real target,
                                 bool wake)
{
    return set_drive(link, axis, target, wake, false, __func__);
}

lode_status lode_link_set_target_velocity(lode_body link, lode_link_axis_index axis,
                                          lode_real velocity, bool wake)
{
    return set_drive(link, axis, velocity, wake, true, __func__);
}

lode_real lode_link_get_joint_force(lode_body link, lode_link_axis_index axis)
{
    lode__object l;
    return open_axis(&l, link, axis, __func__) ? 0 : LINK(l.world, extra, l.slot)->force[axis];
}

lode_status lode_link_set_joint_force(lode_body link, lode_link_axis_index axis, lode_real force)
{
    lode__object l;
    lode_status status = open_free(&l, link, axis, force, __func__, "force");
    if (status)
        return status;
    uint32_t articulation = LINK(l.world, tie, l.slot)->articulation;
    lode__model *model = *ARTICULATION(l.world, model, articulation);
    LINK(l.world, extra, l.slot)->force[axis] = force;
    if (model)
        model->handed = true;
    if (force != 0)
        lode__articulation_wake(l.world, articulation, false);
    return LODE_OK;
}
