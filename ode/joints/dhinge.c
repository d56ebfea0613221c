/* dhinge.c: dJoint...DHinge: two hinges on a link. Keeps two anchors at a distance, as a double
 * ball does, and in one plane across an axis that the bodies have in common. */
#include "ode/link.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_DOUBLE_HINGE;
    lode__ode_frames_about_axis(joint, out_def);
    lode__ode_link_describe(joint, out_def);
}

static void attached(lode__ode_framed *joint)
{
    lode__ode_begin_about(joint, lode__ode_axis(joint, 0));
    lode__ode_link_measure(joint);
}

const lode__ode_joint_type lode__ode_dhinge = {.type = dJointTypeDHinge,
                                               .name = "double hinge",
                                               .size = sizeof(lode__ode_link),
                                               .attached = attached,
                                               .describe = describe};

dJointID dJointCreateDHinge(dWorldID world, dJointGroupID group)
{
    return lode__ode_link_create(world, group, &lode__ode_dhinge);
}

SETS_VECTOR(dJointSetDHingeAxis, lode__ode_dhinge, lode__ode_begin_about(j, v))
SETS_VECTOR(dJointSetDHingeAnchor1, lode__ode_dhinge, lode__ode_link_put_anchor(j, 0, v))
SETS_VECTOR(dJointSetDHingeAnchor2, lode__ode_dhinge, lode__ode_link_put_anchor(j, 1, v))
TELLS_VECTOR(dJointGetDHingeAxis, lode__ode_dhinge, lode__ode_axis(j, 0))
TELLS_VECTOR(dJointGetDHingeAnchor1, lode__ode_dhinge, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetDHingeAnchor2, lode__ode_dhinge, lode__ode_program_anchor(j, 1))
TELLS_NUMBER(dJointGetDHingeDistance, lode__ode_dhinge, lode__ode_link_distance(j))
SETS_PARAM(dJointSetDHingeParam, lode__ode_dhinge, lode__ode_set_softness)
TELLS_PARAM(dJointGetDHingeParam, lode__ode_dhinge, lode__ode_get_softness)
