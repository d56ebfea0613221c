/* dball.c: dJoint...DBall: keeps two anchors at the distance that they had when the joint was
 * attached or an anchor set last, or that the program says. */
#include "ode/link.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_DOUBLE_BALL;
    lode__ode_link_describe(joint, out_def);
}

const lode__ode_joint_type lode__ode_dball = {.type = dJointTypeDBall,
                                              .name = "double ball",
                                              .size = sizeof(lode__ode_link),
                                              .attached = lode__ode_link_measure,
                                              .describe = describe};

dJointID dJointCreateDBall(dWorldID world, dJointGroupID group)
{
    return lode__ode_link_create(world, group, &lode__ode_dball);
}

void dJointSetDBallDistance(dJointID joint, dReal dist)
{
    if (!IS(joint, lode__ode_dball) ||
        !CHECK(isfinite(dist) && dist >= 0, "dist", "must be finite and at least 0"))
        return;
    ((lode__ode_link *)(void *)joint)->distance = dist;
    joint->changed = true;
}

SETS_VECTOR(dJointSetDBallAnchor1, lode__ode_dball, lode__ode_link_put_anchor(j, 0, v))
SETS_VECTOR(dJointSetDBallAnchor2, lode__ode_dball, lode__ode_link_put_anchor(j, 1, v))
TELLS_VECTOR(dJointGetDBallAnchor1, lode__ode_dball, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetDBallAnchor2, lode__ode_dball, lode__ode_program_anchor(j, 1))
TELLS_NUMBER(dJointGetDBallDistance, lode__ode_dball, lode__ode_link_distance(j))
SETS_PARAM(dJointSetDBallParam, lode__ode_dball, lode__ode_set_softness)
TELLS_PARAM(dJointGetDBallParam, lode__ode_dball, lode__ode_get_softness)
