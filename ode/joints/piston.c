/* piston.c: dJoint...Piston: lets a body slide along an axis of the other and turn about it. Position
 * and angle are 0 where anchor and axis were set, and grow as body 1 moves along the axis and turns
 * about it. Parameters of the first axis are those of the slide, of the second those of the turn. */
#include "ode/joint.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_PISTON;
    lode__ode_frames_about_axis(joint, out_def);
}

const lode__ode_joint_type lode__ode_piston = {.type = dJointTypePiston,
                                               .name = "piston",
                                               .size = sizeof(lode__ode_framed),
                                               .limots = 2,
                                               .attached = lode__ode_recapture,
                                               .describe = describe};

dJointID dJointCreatePiston(dWorldID world, dJointGroupID group)
{
    return lode__ode_joint_create(world, group, &lode__ode_piston);
}

void dJointSetPistonAnchor(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_piston) || !CHECK_FINITE(x, y, z))
        return;
    lode__ode_put_anchor(framed(joint), v3(x, y, z));
    lode__ode_put_relative(framed(joint));
}

void dJointSetPistonAxis(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS_ATTACHED(joint, lode__ode_piston) || !CHECK_FINITE(x, y, z))
        return;
    lode__ode_put_axis(framed(joint), 0, v3(x, y, z));
    lode__ode_put_relative(framed(joint));
}

void dJointGetPistonAnchor(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_piston) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), joint->reversed));
}

void dJointGetPistonAnchor2(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_piston) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), !joint->reversed));
}

void dJointGetPistonAxis(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_piston) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_axis(framed(joint), 0));
}

dReal dJointGetPistonPosition(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_piston) ? lode__ode_slide(framed(joint)) : 0;
}

dReal dJointGetPistonPositionRate(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_piston) ? lode__ode_slide_rate(framed(joint)) : 0;
}

dReal dJointGetPistonAngle(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_piston) ? lode__ode_angle(framed(joint)) : 0;
}

dReal dJointGetPistonAngleRate(dJointID joint)
{
    return IS_ATTACHED(joint, lode__ode_piston) ? lode__ode_angle_rate(framed(joint)) : 0;
}

void dJointSetPistonParam(dJointID joint, int parameter, dReal value)
{
    if (IS(joint, lode__ode_piston))
        lode__ode_set_param(framed(joint), parameter, value);
}

dReal dJointGetPistonParam(dJointID joint, int parameter)
{
    return IS(joint, lode__ode_piston) ? lode__ode_get_param(framed(joint), parameter) : 0;
}

void dJointAddPistonForce(dJointID joint, dReal force)
{
    if (IS_ATTACHED(joint, lode__ode_piston))
        lode__ode_push_along(framed(joint), force);
}
