/* fixed.c: dJoint...Fixed: holds two bodies as they stand when dJointSetFixed() is called. Its
 * softness is its own, from the world as it is at its making. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_FIXED;
    out_def->frame_a = (lode_pose){joint->anchor[0], q_conj(joint->relative)};
    out_def->frame_b = (lode_pose){joint->anchor[1], q_identity()};
}

/* Held where body 0 is. */
static void capture(lode__ode_framed *joint)
{
    lode__ode_put_anchor(joint, vec_of(joint->joint.node[0].body->position));
    lode__ode_put_relative(joint);
}

const lode__ode_joint_type lode__ode_fixed = {.type = dJointTypeFixed,
                                              .name = "fixed",
                                              .size = sizeof(lode__ode_framed),
                                              .attached = capture,
                                              .describe = describe};

dJointID dJointCreateFixed(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_fixed);
    if (!joint)
        return NULL;
    framed(joint)->erp = world->erp;
    framed(joint)->cfm = world->cfm;
    return joint;
}

void dJointSetFixed(dJointID joint)
{
    if (IS_ATTACHED(joint, lode__ode_fixed))
        capture(framed(joint));
}

SETS_PARAM(dJointSetFixedParam, lode__ode_fixed, lode__ode_set_softness)
TELLS_PARAM(dJointGetFixedParam, lode__ode_fixed, lode__ode_get_softness)
