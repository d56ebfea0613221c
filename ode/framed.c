/* framed.c: anchors and axes of joints, in the frames of their bodies. */
#include "ode/joint.h"
#include "ode/rotation.h"

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

void lode__ode_begin_at(lode__ode_framed *joint, lode_vec3 point)
{
    lode__ode_put_anchor(joint, point);
    lode__ode_put_relative(joint);
}

void lode__ode_begin_about(lode__ode_framed *joint, lode_vec3 axis)
{
    lode__ode_put_axis(joint, 0, axis);
    lode__ode_put_relative(joint);
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

lode_vec3 lode__ode_program_anchor(const lode__ode_framed *joint, int which)
{
    return lode__ode_anchor(joint, which ^ lode__ode_first(joint));
}

lode_vec3 lode__ode_axis(const lode__ode_framed *joint, int axis)
{
    return vector_out(body_of(joint, 0), joint->axis[axis][0]);
}

lode_quat lode__ode_turn_to(lode_vec3 x, lode_vec3 y)
{
    lode_vec3 z = v3_normalize_or(v3_cross(x, y), v3(0, 0, 1));
    y = v3_cross(z, x);
    const dMatrix3 R = {x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0};
    dQuaternion q;
    dQfromR(q, R);
    return q_normalize(quat_of(q));
}

void lode__ode_offset_slide(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way)
{
    int first = lode__ode_first(joint);
    lode_vec3 from = lode__ode_anchor(joint, first);
    lode_vec3 to = v3_madd(from, axis, v3_dot(axis, way));
    joint->anchor[first] = point_in(body_of(joint, first), to);
    joint->joint.moved_frames = true;
}

void lode__ode_delta_slide(lode__ode_framed *joint, lode_vec3 axis, lode_vec3 way)
{
    lode__ode_offset_slide(joint, axis, joint->joint.reversed ? way : v3_neg(way));
}

lode_quat lode__ode_turn_about(lode_vec3 axis, dReal angle)
{
    lode_vec3 v = v3_scale(axis, (dReal)sin(angle / 2));
    return (lode_quat){(dReal)cos(angle / 2), v.x, v.y, v.z};
}

dReal lode__ode_within_pi(dReal angle)
{
    return (dReal)remainder(angle, 2 * M_PI);
}

dReal lode__ode_cross_angle(lode_quat a, lode_quat b, int axis)
{
    lode__mat3 m = m3_from_quat(q_mul(q_conj(b), a));
    return axis == 0 ? (dReal)atan2(-m.r1.z, m.r1.y) : (dReal)atan2(-m.r2.x, m.r0.x);
}

/* The shortest turn from x to a unit vector; 1 + x without cancellation. */
static lode_quat from_x(lode_vec3 to)
{
    lode_real across = to.y * to.y + to.z * to.z;
    if (to.x < 0 && across == 0)
        return (lode_quat){0, 0, 0, 1};
    lode_real w = to.x < 0 ? across / (1 - to.x) : 1 + to.x;
    return q_normalize((lode_quat){w, 0, -to.z, to.y});
}

void lode__ode_frames_about_axis(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    lode_quat in_b = from_x(joint->axis[0][1]);
    out_def->frame_b = (lode_pose){joint->anchor[1], in_b};
    out_def->frame_a = (lode_pose){joint->anchor[0],
                                   q_normalize(q_mul(q_conj(joint->relative), in_b))};
}

static dReal turn_of(const lode__ode_framed *joint)
{
    lode_quat a = frame_of(body_of(joint, 0)).rotation, b = frame_of(body_of(joint, 1)).rotation;
    lode_quat turned = q_mul(q_mul(q_conj(b), a), q_conj(joint->relative)); /* in body 1's axes */
    lode_vec3 axis = joint->axis[0][1];
    lode_real s = turned.x * axis.x + turned.y * axis.y + turned.z * axis.z;
    return turned.w < 0 ? 2 * (dReal)atan2(-s, -turned.w) : 2 * (dReal)atan2(s, turned.w);
}

/* --- positions and rates, as from body 1 to body 2 */

static dReal turned_over(const lode__ode_framed *joint, dReal x)
{
    return joint->joint.reversed ? -x : x;
}

/* Of body 0 against body 1; the world is at rest. */
static lode_vec3 apart(const lode__ode_framed *joint, lode_vec3 of_0, lode_vec3 of_1)
{
    return body_of(joint, 1) ? v3_sub(of_0, of_1) : of_0;
}

dReal lode__ode_angle(const lode__ode_framed *joint)
{
    return turned_over(joint, turn_of(joint));
}

dReal lode__ode_rate_about(const lode__ode_framed *joint, lode_vec3 axis)
{
    dBodyID a = body_of(joint, 0), b = body_of(joint, 1);
    lode_vec3 w = apart(joint, a->velocity->angular, b ? b->velocity->angular : v3_zero());
    return turned_over(joint, v3_dot(axis, w));
}

dReal lode__ode_angle_rate(const lode__ode_framed *joint)
{
    return lode__ode_rate_about(joint, lode__ode_axis(joint, 0));
}

/* Of the first body's point there against the second's. */
dReal lode__ode_rate_along(const lode__ode_framed *joint, lode_vec3 axis, lode_vec3 point)
{
    dReal rate = 0;
    for (int i = 0; i < 2; ++i) {
        dBodyID body = body_of(joint, i);
        dVector3 v;
        if (!body)
            continue;
        dBodyGetPointVel(body, point.x, point.y, point.z, v);
        rate += (i ? -1 : 1) * v3_dot(axis, vec_of(v));
    }
    return turned_over(joint, rate);
}

dReal lode__ode_slide(const lode__ode_framed *joint)
{
    lode_vec3 way = v3_sub(lode__ode_anchor(joint, 0), lode__ode_anchor(joint, 1));
    return turned_over(joint, v3_dot(lode__ode_axis(joint, 0), way));
}

dReal lode__ode_slide_rate(const lode__ode_framed *joint)
{
    dBodyID a = body_of(joint, 0), b = body_of(joint, 1);
    lode_vec3 v = apart(joint, a->velocity->linear, b ? b->velocity->linear : v3_zero());
    return turned_over(joint, v3_dot(lode__ode_axis(joint, 0), v));
}

void lode__ode_push(const lode__ode_framed *joint, lode_vec3 force)
{
    dBodyID a = body_of(joint, 0), b = body_of(joint, 1);
    lode_vec3 f = v3_scale(force, turned_over(joint, 1));
    dBodyAddForce(a, f.x, f.y, f.z);
    if (!b)
        return;
    lode_vec3 arm = v3_scale(v3_sub(b->pose->position, a->pose->position), (dReal)0.5);
    lode_vec3 t = v3_cross(arm, f);
    dBodyAddForce(b, -f.x, -f.y, -f.z);
    dBodyAddTorque(a, t.x, t.y, t.z);
    dBodyAddTorque(b, t.x, t.y, t.z);
}

void lode__ode_twist(const lode__ode_framed *joint, lode_vec3 torque)
{
    dBodyID a = body_of(joint, 0), b = body_of(joint, 1);
    lode_vec3 t = v3_scale(torque, turned_over(joint, 1));
    dBodyAddTorque(a, t.x, t.y, t.z);
    if (b)
        dBodyAddTorque(b, -t.x, -t.y, -t.z);
}

void lode__ode_push_along(const lode__ode_framed *joint, dReal force)
{
    lode__ode_push(joint, v3_scale(lode__ode_axis(joint, 0), force));
}

void lode__ode_twist_about(const lode__ode_framed *joint, dReal torque)
{
    lode__ode_twist(joint, v3_scale(lode__ode_axis(joint, 0), torque));
}
