/* universal.c: dJoint...Universal: holds two anchors together, and axis 1 of the first body across axis
 * 2 of the second; the bodies turn about either. Angles are 0 where the axes were set last, and grow
 * as the first body turns about them against the second. With the world as the first body the axes
 * change places: axis 1 is the world's then, too. */
#include "ode/joint.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_UNIVERSAL;
    out_def->frame_a = (lode_pose){joint->anchor[0],
                                   lode__ode_turn_to(joint->axis[0][0], joint->axis[1][0])};
    out_def->frame_b = (lode_pose){joint->anchor[1],
                                   lode__ode_turn_to(joint->axis[0][1], joint->axis[1][1])};
}

/* The place of an axis as the program counts them: the first is body 0's, the second body 1's. */
static int place_of(dJointID joint, int axis)
{
    return axis ^ joint->reversed;
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
                                                  .attached = capture,
                                                  .describe = describe};

dJointID dJointCreateUniversal(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_universal);
    if (joint)
        framed(joint)->axis[1][0] = framed(joint)->axis[1][1] = v3(0, 1, 0);
    return joint;
}

void dJointSetUniversalAnchor(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_universal) || !CHECK_FINITE(x, y, z))
        return;
    capture(framed(joint));
    lode__ode_put_anchor(framed(joint), v3(x, y, z));
}

static void set_axis(dJointID joint, int axis, lode_vec3 direction)
{
    capture(framed(joint));
    lode__ode_put_axis(framed(joint), place_of(joint, axis), direction);
}

void dJointSetUniversalAxis1(dJointID joint, dReal x, dReal y, dReal z)
{
    if (IS_ATTACHED(joint, lode__ode_universal) && CHECK_FINITE(x, y, z))
        set_axis(joint, 0, v3(x, y, z));
}

void dJointSetUniversalAxis2(dJointID joint, dReal x, dReal y, dReal z)
{
    if (IS_ATTACHED(joint, lode__ode_universal) && CHECK_FINITE(x, y, z))
        set_axis(joint, 1, v3(x, y, z));
}

void dJointGetUniversalAnchor(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_universal) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), joint->reversed));
}

void dJointGetUniversalAnchor2(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_universal) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), !joint->reversed));
}

void dJointGetUniversalAxis1(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_universal) && CHECK_GIVEN(result))
        put_vec(result, axis_of(framed(joint), place_of(joint, 0)));
}

void dJointGetUniversalAxis2(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_universal) && CHECK_GIVEN(result))
        put_vec(result, axis_of(framed(joint), place_of(joint, 1)));
}

/* --- angles */

static dReal angle_of(dJointID joint, int axis)
{
    const lode__ode_framed *j = framed(joint);
    lode_quat a = q_mul(frame_of(joint->node[0].body).rotation,
                        lode__ode_turn_to(j->axis[0][0], j->axis[1][0]));
    lode_quat b = q_mul(frame_of(joint->node[1].body).rotation,
                        lode__ode_turn_to(j->axis[0][1], j->axis[1][1]));
    return lode__ode_cross_angle(a, b, place_of(joint, axis));
}

static dReal rate_of(dJointID joint, int axis)
{
    dBodyID b = joint->node[1].body;
    lode_vec3 w = vec_of(joint->node[0].body->angular);
    if (b)
        w = v3_sub(w, vec_of(b->angular));
    return v3_dot(axis_of(framed(joint), place_of(joint, axis)), w);
}

#define OF_AXIS(NUMBER, axis) \
    dReal dJointGetUniversalAngle##NUMBER(dJointID joint) \
    { \
        return IS_ATTACHED(joint, lode__ode_universal) ? angle_of(joint, axis) : 0; \
    } \
    dReal dJointGetUniversalAngle##NUMBER##Rate(dJointID joint) \
    { \
        return IS_ATTACHED(joint, lode__ode_universal) ? rate_of(joint, axis) : 0; \
    }

OF_AXIS(1, 0)
OF_AXIS(2, 1)

void dJointGetUniversalAngles(dJointID joint, dReal *angle1, dReal *angle2)
{
    if (!IS_ATTACHED(joint, lode__ode_universal) || !CHECK_GIVEN(angle1) || !CHECK_GIVEN(angle2))
        return;
    *angle1 = angle_of(joint, 0);
    *angle2 = angle_of(joint, 1);
}

void dJointSetUniversalParam(dJointID joint, int parameter, dReal value)
{
    if (IS(joint, lode__ode_universal))
        lode__ode_set_param(framed(joint), parameter, value);
}

dReal dJointGetUniversalParam(dJointID joint, int parameter)
{
    return IS(joint, lode__ode_universal) ? lode__ode_get_param(framed(joint), parameter) : 0;
}
