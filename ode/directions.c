/* directions.c: directions of motors, each in the world or with one of the bodies. */
#include "ode/directions.h"

lode__ode_motor *lode__ode_motor_of(dJointID joint, const lode__ode_joint_type *type, int axis,
                                    const char *function)
{
    bool good = lode__ode_joint_is(joint, type, function) &&
                lode__ode_check(axis >= 0 && axis < 3, function, "anum", "must be 0, 1 or 2");
    return good ? (lode__ode_motor *)(void *)joint : NULL;
}

static const lode__ode_motor *motor_of(const lode__ode_framed *joint)
{
    return (const lode__ode_motor *)(const void *)joint;
}

/* The place of the body that a direction turns with; -1 for the world. */
static int carrier_of(const lode__ode_motor *motor, int rel)
{
    const struct dxJoint *joint = &motor->framed.joint;
    int i = rel == 0 ? -1 : (rel == 2) ^ joint->reversed;
    return i >= 0 && joint->node[i].body ? i : -1;
}

static dBodyID body_of(const lode__ode_motor *motor, int rel)
{
    int i = carrier_of(motor, rel);
    return i < 0 ? NULL : motor->framed.joint.node[i].body;
}

void lode__ode_set_count(lode__ode_motor *motor, int count, const char *function)
{
    if (!lode__ode_check(count >= 0 && count <= 3, function, "num", "must be 0 to 3"))
        return;
    motor->of.count = count;
    motor->framed.joint.changed = true;
}

/* A direction of a body that is not there yet cannot be set, one of the world can. */
void lode__ode_set_direction(lode__ode_motor *motor, int axis, int rel, lode_vec3 v,
                             const char *function)
{
    if (!lode__ode_check(rel >= 0 && rel <= 2, function, "rel", "must be 0, 1 or 2") ||
        !lode__ode_check(v3_finite(v), function, "x, y, z", "must be finite") ||
        (rel != 0 && !motor->framed.joint.node[0].body))
        return;
    motor->of.rel[axis] = rel;
    motor->of.way[axis] = vector_in(body_of(motor, rel), v3_normalize_or(v, v3(1, 0, 0)));
    motor->framed.joint.changed = true;
}

lode_vec3 lode__ode_direction(const lode__ode_motor *motor, int axis)
{
    return vector_out(body_of(motor, motor->of.rel[axis]), motor->of.way[axis]);
}

lode__ode_place lode__ode_place_of_direction(const lode__ode_framed *joint, int limot)
{
    const lode__ode_directions *of = &motor_of(joint)->of;
    bool counts = limot < of->count && !v3_is_zero(of->way[limot]);
    return (lode__ode_place){.axis = counts ? limot : -1};
}

void lode__ode_describe_directions(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    const lode_axis_frame frames[3] = {LODE_AXIS_IN_WORLD, LODE_AXIS_IN_FRAME_A,
                                       LODE_AXIS_IN_FRAME_B};
    const lode__ode_motor *motor = motor_of(joint);
    for (int i = 0; i < 3; ++i) {
        if (lode__ode_place_of_direction(joint, i).axis < 0)
            continue;
        out_def->axis[i].direction = motor->of.way[i];
        out_def->axis[i].frame = frames[1 + carrier_of(motor, motor->of.rel[i])];
    }
}
