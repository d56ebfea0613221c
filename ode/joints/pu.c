/* pu.c: dJoint...PU: a universal joint on a slide, "prismatic and universal". The first body has
 * the slide, along axis 3, and axis 1 of the universal joint; the second has axis 2 and the anchor.
 * Angles and position are 0 where anchor or axes were set last, and grow as the first body turns
 * and moves against the second. Parameters of the third group are those of the slide, of which the
 * part across axis 1 counts.
 *
 * The handle API has the slide in body b, along z, and axis 1 along y, so frames have all axes the
 * other way, but for slides that would then be turned by more than a quarter. Where the slide is
 * not across axis 2 as well frames begin turned about axis 1. */
#include "ode/joint_api.h"

enum { AXIS_1, AXIS_2, SLIDE };

/* The turn that both frames have as the joint is set, seen from a body; a's is that in body 2. */
static lode_quat turn_of_cross(const lode__ode_framed *joint, int body)
{
    return lode__ode_turn_to(v3_neg(joint->axis[AXIS_2][body]), v3_neg(joint->axis[AXIS_1][body]));
}

/* Whether the slide is z of its frame as it is, so that the frame is turned by a quarter at
 * most. */
static bool is_along(const lode__ode_framed *joint)
{
    int first = lode__ode_first(joint);
    lode_vec3 across = v3_cross(joint->axis[AXIS_1][first], joint->axis[SLIDE][first]);
    return v3_dot(across, joint->axis[AXIS_2][first]) > 0;
}

/* b's, in body 1. */
static lode_quat turn_of_slide(const lode__ode_framed *joint)
{
    int first = lode__ode_first(joint);
    lode_vec3 y = v3_neg(joint->axis[AXIS_1][first]), slide = joint->axis[SLIDE][first];
    lode_vec3 x = v3_cross(y, is_along(joint) ? slide : v3_neg(slide));
    return lode__ode_turn_to(v3_normalize_or(x, v3_neg(joint->axis[AXIS_2][first])), y);
}

/* What the turn about axis 1 begins with. */
static dReal first_angle(const lode__ode_framed *joint)
{
    return lode__ode_cross_angle(turn_of_cross(joint, lode__ode_first(joint)), turn_of_slide(joint),
                                 1);
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    int first = lode__ode_first(joint);
    out_def->type = LODE_JOINT_PRISMATIC_UNIVERSAL;
    out_def->frame_a = (lode_pose){joint->anchor[!first], turn_of_cross(joint, !first)};
    out_def->frame_b = (lode_pose){joint->anchor[first], turn_of_slide(joint)};
}

/* Motors act on body 0, whichever of the two that is. */
static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    const int axis[3] = {2, 1, 0};
    return (lode__ode_place){.axis = axis[limot],
                             .mirrored = joint->joint.reversed ^
                                         (limot == SLIDE && is_along(joint)),
                             .begins = limot == AXIS_1 ? first_angle(joint) : 0};
}

static lode_vec3 axis_of(const lode__ode_framed *joint, int axis)
{
    int body = axis == AXIS_2 ? !lode__ode_first(joint) : lode__ode_first(joint);
    return vector_out(joint->joint.node[body].body, joint->axis[axis][body]);
}

/* --- where it is: all begins anew where the bodies are */

static void capture(lode__ode_framed *joint)
{
    for (int axis = 0; axis < 3; ++axis)
        lode__ode_put_axis(joint, axis, axis_of(joint, axis));
    lode__ode_put_anchor(joint, lode__ode_program_anchor(joint, 1));
}

static void set_anchor(lode__ode_framed *joint, lode_vec3 point)
{
    capture(joint);
    lode__ode_put_anchor(joint, point);
}

static void set_axis(lode__ode_framed *joint, int axis, lode_vec3 direction)
{
    capture(joint);
    lode__ode_put_axis(joint, axis, direction);
}

const lode__ode_joint_type lode__ode_pu = {.type = dJointTypePU,
                                           .name = "prismatic-universal",
                                           .size = sizeof(lode__ode_framed),
                                           .limots = 3,
                                           .turns = 3,
                                           .exchanged = true,
                                           .place = place,
                                           .attached = capture,
                                           .describe = describe};

dJointID dJointCreatePU(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_pu);
    for (int i = 0; joint && i < 2; ++i) {
        framed(joint)->axis[AXIS_1][i] = v3(0, 1, 0);
        framed(joint)->axis[AXIS_2][i] = v3(0, 0, 1);
        framed(joint)->axis[SLIDE][i] = v3(1, 0, 0);
    }
    return joint;
}

SETS_VECTOR(dJointSetPUAnchor, lode__ode_pu, set_anchor(j, v))
SETS_VECTOR(dJointSetPUAxis1, lode__ode_pu, set_axis(j, AXIS_1, v))
SETS_VECTOR(dJointSetPUAxis2, lode__ode_pu, set_axis(j, AXIS_2, v))
SETS_VECTOR(dJointSetPUAxis3, lode__ode_pu, set_axis(j, SLIDE, v))
SETS_VECTOR(dJointSetPUAxisP, lode__ode_pu, set_axis(j, SLIDE, v))
TELLS_VECTOR(dJointGetPUAnchor, lode__ode_pu, lode__ode_program_anchor(j, 1))
TELLS_VECTOR(dJointGetPUAxis1, lode__ode_pu, axis_of(j, AXIS_1))
TELLS_VECTOR(dJointGetPUAxis2, lode__ode_pu, axis_of(j, AXIS_2))
TELLS_VECTOR(dJointGetPUAxis3, lode__ode_pu, axis_of(j, SLIDE))
TELLS_VECTOR(dJointGetPUAxisP, lode__ode_pu, axis_of(j, SLIDE))

/* As if the first body had come by `way` since the position was 0. */
static void set_anchor_offset(lode__ode_framed *joint, lode_vec3 point, lode_vec3 way)
{
    set_anchor(joint, point);
    lode__ode_offset_slide(joint, axis_of(joint, SLIDE), way);
}

/* As if body 0 were to go by `way` yet until the position is 0. */
static void set_anchor_delta(lode__ode_framed *joint, lode_vec3 point, lode_vec3 way)
{
    set_anchor(joint, point);
    lode__ode_delta_slide(joint, axis_of(joint, SLIDE), way);
}

SETS_TWO_VECTORS(dJointSetPUAnchorOffset, lode__ode_pu, set_anchor_offset(j, v, u))
SETS_TWO_VECTORS(dJointSetPUAnchorDelta, lode__ode_pu, set_anchor_delta(j, v, u))

/* --- how far and how fast */

static dReal angle_of(const lode__ode_framed *joint, int axis)
{
    const lode__ode_node *node = joint->joint.node;
    int first = lode__ode_first(joint);
    lode_quat a = q_mul(frame_of(node[!first].body).rotation, turn_of_cross(joint, !first));
    lode_quat b = q_mul(frame_of(node[first].body).rotation, turn_of_slide(joint));
    dReal angle = lode__ode_cross_angle(a, b, axis == AXIS_1);
    return axis == AXIS_1 ? lode__ode_within_pi(angle - first_angle(joint)) : angle;
}

static dReal position_of(const lode__ode_framed *joint)
{
    lode_vec3 on_slide = lode__ode_program_anchor(joint, 0);
    return v3_dot(axis_of(joint, SLIDE), v3_sub(on_slide, lode__ode_program_anchor(joint, 1)));
}

static dReal rate_of(const lode__ode_framed *joint, int axis)
{
    return axis == SLIDE ? lode__ode_rate_along(joint, axis_of(joint, SLIDE),
                                                lode__ode_program_anchor(joint, 1))
                         : lode__ode_rate_about(joint, axis_of(joint, axis));
}

TELLS_NUMBER(dJointGetPUPosition, lode__ode_pu, position_of(j))
TELLS_NUMBER(dJointGetPUPositionRate, lode__ode_pu, rate_of(j, SLIDE))
TELLS_NUMBER(dJointGetPUAngle1, lode__ode_pu, angle_of(j, AXIS_1))
TELLS_NUMBER(dJointGetPUAngle1Rate, lode__ode_pu, rate_of(j, AXIS_1))
TELLS_NUMBER(dJointGetPUAngle2, lode__ode_pu, angle_of(j, AXIS_2))
TELLS_NUMBER(dJointGetPUAngle2Rate, lode__ode_pu, rate_of(j, AXIS_2))

void dJointGetPUAngles(dJointID joint, dReal *angle1, dReal *angle2)
{
    if (!IS_ATTACHED(joint, lode__ode_pu) || !CHECK_GIVEN(angle1) || !CHECK_GIVEN(angle2))
        return;
    *angle1 = angle_of(framed(joint), AXIS_1);
    *angle2 = angle_of(framed(joint), AXIS_2);
}

SETS_PARAM(dJointSetPUParam, lode__ode_pu, lode__ode_set_param)
TELLS_PARAM(dJointGetPUParam, lode__ode_pu, lode__ode_get_param)

/* About axis 1. */
void dJointAddPUTorque(dJointID joint, dReal torque)
{
    if (IS_ATTACHED(joint, lode__ode_pu))
        lode__ode_twist(framed(joint), v3_scale(axis_of(framed(joint), AXIS_1), torque));
}
