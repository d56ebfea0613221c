/* hinge.c: dJoint...Hinge: holds two anchors together and an axis of one body on that of the other.
 * The angle is 0 where the bodies stood when anchor or axis were set, and grows as body 1 turns
 * about the axis. */
#include "ode/joint.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_HINGE;
    lode__ode_frames_about_axis(joint, out_def);
}

const lode__ode_joint_type lode__ode_hinge = {.type = dJointTypeHinge,
                                              .name = "hinge",
                                              .size = sizeof(lode__ode_framed),
                                              .limots = 1,
                                              .attached = lode__ode_recapture,
                                              .describe = describe};

dJointID dJointCreateHinge(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_hinge);
}

void dJointSetHingeAnchor(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_hinge) || !CHECK_FINITE(x, y, z))
        return;
    lode__ode_put_anchor(framed(joint), v3(x, y, z));
    lode__ode_put_relative(framed(joint));
}

void dJointSetHingeAxis(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_hinge) || !CHECK_FINITE(x, y, z))
        return;
    lode__ode_put_axis(framed(joint), 0, v3(x, y, z));
    lode__ode_put_relative(framed(joint));
}

void dJointGetHingeAnchor(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_hinge) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), joint->reversed));
}

void dJointGetHingeAnchor2(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_hinge) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), !joint->reversed));
}

void dJointGetHingeAxis(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_hinge) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_axis(framed(joint), 0));
}

dReal dJointGetHingeAngle(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_hinge) ? lode__ode_angle(framed(joint)) : 0;
}

dReal dJointGetHingeAngleRate(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_hinge) ? lode__ode_angle_rate(framed(joint)) : 0;
}

void dJointSetHingeParam(dJointID joint, int parameter, dReal value)
{
    if (IS(joint, lode__ode_hinge))
        lode__ode_set_param(framed(joint), parameter, value);
}

dReal dJointGetHingeParam(dJointID joint, int parameter)
{
    return IS(joint, lode__ode_hinge) ? lode__ode_get_param(framed(joint), parameter) : 0;
}

void dJointAddHingeTorque(dJointID joint, dReal torque)
{
    if (IS_ATTACHED(joint, lode__ode_hinge))
        lode__ode_twist_about(framed(joint), torque);
}
