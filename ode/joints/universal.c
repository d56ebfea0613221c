/* universal.c: dJoint...Universal: holds two anchors together, and axis 1 of the first body across
 * axis 2 of the second; the bodies turn about either. Angles are 0 where the axes were set last,
 * and grow as the first body turns about them against the second. With the world as the first body
 * the axes change places: axis 1 is the world's then, too. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_UNIVERSAL;
    out_def->frame_a = (lode_pose){joint->anchor[0],
                                   lode__ode_turn_to(joint->axis[0][0], joint->axis[1][0])};
    out_def->frame_b = (lode_pose){joint->anchor[1],
                                   lode__ode_turn_to(joint->axis[0][1], joint->axis[1][1])};
}

/* The place of an axis as the program counts them: the first is body 0's, the second body 1's. */
static int place_of(const lode__ode_framed *joint, int axis)
{
    return axis ^ lode__ode_first(joint);
}

static lode__ode_place place(const lode__ode_framed *joint, int limot)
{
    return (lode__ode_place){.axis = place_of(joint, limot)};
}

static lode_vec3 axis_of(const lode__ode_framed *joint, int place)
{
    return vector_out(joint->joint.node[place].body, joint->axis[place][place]);
}

/* Angles begin anew where the bodies are. */
static void capture(lode__ode_framed *joint)
{
    for (int place = 0; place < 2; ++place)
        lode__ode_put_axis(joint, place, axis_of(joint, place));
    lode__ode_put_anchor(joint, lode__ode_anchor(joint, 0));
}

const lode__ode_joint_type lode__ode_universal = {.type = dJointTypeUniversal,
                                                  .name = "universal",
                                                  .size = sizeof(lode__ode_framed),
                                                  .limots = 2,
                                                  .turns = 3,
                                                  .place = place,
                                                  .attached = capture,
                                                  .describe = describe};

dJointID dJointCreateUniversal(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_universal);
    if (joint)
        framed(joint)->axis[1][0] = framed(joint)->axis[1][1] = v3(0, 1, 0);
    return joint;
}

/* --- where it is */

static void set_anchor(lode__ode_framed *joint, lode_vec3 point)
{
    capture(joint);
    lode__ode_put_anchor(joint, point);
}

static void set_axis(lode__ode_framed *joint, int axis, lode_vec3 direction)
{
    capture(joint);
    lode__ode_put_axis(joint, place_of(joint, axis), direction);
}

static lode_vec3 program_axis(const lode__ode_framed *joint, int axis)
{
    return axis_of(joint, place_of(joint, axis));
}

SETS_VECTOR(dJointSetUniversalAnchor, lode__ode_universal, set_anchor(j, v))
SETS_VECTOR(dJointSetUniversalAxis1, lode__ode_universal, set_axis(j, 0, v))
SETS_VECTOR(dJointSetUniversalAxis2, lode__ode_universal, set_axis(j, 1, v))
TELLS_VECTOR(dJointGetUniversalAnchor, lode__ode_universal, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetUniversalAnchor2, lode__ode_universal, lode__ode_program_anchor(j, 1))
TELLS_VECTOR(dJointGetUniversalAxis1, lode__ode_universal, program_axis(j, 0))
TELLS_VECTOR(dJointGetUniversalAxis2, lode__ode_universal, program_axis(j, 1))

/* --- angles, of the first body against the second */

static dReal angle_of(const lode__ode_framed *joint, int axis)
{
    lode_quat turn[2];
    for (int i = 0; i < 2; ++i)
        turn[i] = q_mul(frame_of(joint->joint.node[i].body).rotation,
                        lode__ode_turn_to(joint->axis[0][i], joint->axis[1][i]));
    dReal angle = lode__ode_cross_angle(turn[0], turn[1], place_of(joint, axis));
    return joint->joint.reversed ? -angle : angle;
}

static dReal rate_of(const lode__ode_framed *joint, int axis)
{
    return lode__ode_rate_about(joint, program_axis(joint, axis));
}

TELLS_NUMBER(dJointGetUniversalAngle1, lode__ode_universal, angle_of(j, 0))
TELLS_NUMBER(dJointGetUniversalAngle1Rate, lode__ode_universal, rate_of(j, 0))
TELLS_NUMBER(dJointGetUniversalAngle2, lode__ode_universal, angle_of(j, 1))
TELLS_NUMBER(dJointGetUniversalAngle2Rate, lode__ode_universal, rate_of(j, 1))

void dJointGetUniversalAngles(dJointID joint, dReal *angle1, dReal *angle2)
{
    if (!IS_ATTACHED(joint, lode__ode_universal) || !CHECK_GIVEN(angle1) || !CHECK_GIVEN(angle2))
        return;
    *angle1 = angle_of(framed(joint), 0);
    *angle2 = angle_of(framed(joint), 1);
}

/* Bodies that stand as if they were turned so far: body 0 has body 1's axis, and body 1 body 0's,
 * where these are when angles are 0. */
static void set_angles(lode__ode_framed *joint, dReal offset1, dReal offset2)
{
    int first = lode__ode_first(joint);
    const dReal angle[2] = {first ? -offset2 : offset1, first ? -offset1 : offset2};
    lode_vec3 axis[2] = {axis_of(joint, 0), axis_of(joint, 1)};
    lode_vec3 in_0 = q_rotate(lode__ode_turn_about(axis[0], angle[0]), axis[1]);
    lode_vec3 in_1 = q_rotate(lode__ode_turn_about(axis[1], -angle[1]), axis[0]);
    joint->axis[1][0] = vector_in(joint->joint.node[0].body, in_0);
    joint->axis[0][1] = vector_in(joint->joint.node[1].body, in_1);
}

static void set_axis_and_angles(dJointID joint, int axis, lode_vec3 direction, dReal offset1,
                                dReal offset2)
{
    set_axis(framed(joint), axis, direction);
    set_angles(framed(joint), offset1, offset2);
}

#define ARE_ANGLES(a, b) CHECK(isfinite(a) && isfinite(b), #a ", " #b, "must be finite")

void dJointSetUniversalAxis1Offset(dJointID joint, dReal x, dReal y, dReal z, dReal offset1,
                                   dReal offset2)
{
    if (IS_ATTACHED(joint, lode__ode_universal) && CHECK_FINITE(x, y, z) &&
        ARE_ANGLES(offset1, offset2))
        set_axis_and_angles(joint, 0, v3(x, y, z), offset1, offset2);
}

void dJointSetUniversalAxis2Offset(dJointID joint, dReal x, dReal y, dReal z, dReal offset1,
                                   dReal offset2)
{
    if (IS_ATTACHED(joint, lode__ode_universal) && CHECK_FINITE(x, y, z) &&
        ARE_ANGLES(offset1, offset2))
        set_axis_and_angles(joint, 1, v3(x, y, z), offset1, offset2);
}

/* --- motors */

SETS_PARAM(dJointSetUniversalParam, lode__ode_universal, lode__ode_set_param)
TELLS_PARAM(dJointGetUniversalParam, lode__ode_universal, lode__ode_get_param)

void dJointAddUniversalTorques(dJointID joint, dReal torque1, dReal torque2)
{
    if (!IS_ATTACHED(joint, lode__ode_universal))
        return;
    const lode__ode_framed *j = framed(joint);
    lode_vec3 first = v3_scale(program_axis(j, 0), torque1);
    lode__ode_twist(j, v3_madd(first, program_axis(j, 1), torque2));
}
