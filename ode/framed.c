/* framed.c: anchors and axes of joints, in the frames of their bodies. */
#include "ode/joint.h"

#include <math.h>

static dBodyID body_of(const lode__ode_framed *joint, int i)
{
    return joint->joint.node[i].body;
}

void lode__ode_put_anchor(lode__ode_framed *joint, lode_vec3 point)
{
    for (int i = 0; i < 2; ++i)
        joint->anchor[i] = point_in(body_of(joint, i), point);
    joint->joint.moved_frames = true;
}

void lode__ode_put_axis(lode__ode_framed *joint, int axis, lode_vec3 direction)
{
    lode_vec3 unit = v3_normalize_or(direction, v3(1, 0, 0));
    for (int i = 0; i < 2; ++i)
        joint->axis[axis][i] = vector_in(body_of(joint, i), unit);
    joint->joint.moved_frames = true;
}

void lode__ode_put_relative(lode__ode_framed *joint)
{
    lode_quat a = frame_of(body_of(joint, 0)).rotation, b = frame_of(body_of(joint, 1)).rotation;
    joint->relative = q_mul(q_conj(b), a);
    joint->joint.moved_frames = true;
}

void lode__ode_recapture(lode__ode_framed *joint)
{
    lode__ode_put_anchor(joint, lode__ode_anchor(joint, 0));
    lode__ode_put_axis(joint, 0, lode__ode_axis(joint, 0));
    lode__ode_put_relative(joint);
}

lode_vec3 lode__ode_anchor(const lode__ode_framed *joint, int body)
{
    return point_out(body_of(joint, body), joint->anchor[body]);
}

lode_vec3 lode__ode_axis(const lode__ode_framed *joint, int axis)
{
    return vector_out(body_of(joint, 0), joint->axis[axis][0]);
}

/* The shortest turn from x to a unit vector. */
static lode_quat from_x(lode_vec3 to)
{
    if (to.x < -(lode_real)0.999999)
        return (lode_quat){0, 0, 0, 1};
    return q_normalize((lode_quat){1 + to.x, 0, -to.z, to.y});
}

void lode__ode_frames_about_axis(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    lode_quat in_b = from_x(joint->axis[0][1]);
    out_def->frame_b = (lode_pose){joint->anchor[1], in_b};
    out_def->frame_a = (lode_pose){joint->anchor[0],
                                   q_normalize(q_mul(q_conj(joint->relative), in_b))};
}

dReal lode__ode_turn(const lode__ode_framed *joint)
{
    lode_quat a = frame_of(body_of(joint, 0)).rotation, b = frame_of(body_of(joint, 1)).rotation;
    lode_quat turned = q_mul(q_mul(q_conj(b), a), q_conj(joint->relative)); /* in body 1's axes */
    lode_vec3 axis = joint->axis[0][1];
    lode_real s = turned.x * axis.x + turned.y * axis.y + turned.z * axis.z;
    return turned.w < 0 ? 2 * (dReal)atan2(-s, -turned.w) : 2 * (dReal)atan2(s, turned.w);
}
