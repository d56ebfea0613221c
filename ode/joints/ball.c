/* ball.c: dJoint...Ball: holds two anchors together. */
#include "ode/joint_api.h"

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = LODE_JOINT_BALL;
    out_def->frame_a.position = joint->anchor[0];
    out_def->frame_b.position = joint->anchor[1];
}

const lode__ode_joint_type lode__ode_ball = {.type = dJointTypeBall,
                                             .name = "ball",
                                             .size = sizeof(lode__ode_framed),
                                             .attached = lode__ode_recapture,
                                             .describe = describe};

/* Its softness is its own, from the world as it is now. */
dJointID dJointCreateBall(dWorldID world, dJointGroupID group)
{
    dJointID joint = lode__ode_joint_create(world, group, &lode__ode_ball);
    if (!joint)
        return NULL;
    framed(joint)->erp = world->erp;
    framed(joint)->cfm = world->cfm;
    return joint;
}

/* The anchor of body 2 alone. */
static void set_second_anchor(lode__ode_framed *joint, lode_vec3 point)
{
    int i = !lode__ode_first(joint);
    joint->anchor[i] = point_in(joint->joint.node[i].body, point);
    joint->joint.moved_frames = true;
}

SETS_VECTOR(dJointSetBallAnchor, lode__ode_ball, lode__ode_put_anchor(j, v))
SETS_VECTOR(dJointSetBallAnchor2, lode__ode_ball, set_second_anchor(j, v))
TELLS_VECTOR(dJointGetBallAnchor, lode__ode_ball, lode__ode_program_anchor(j, 0))
TELLS_VECTOR(dJointGetBallAnchor2, lode__ode_ball, lode__ode_program_anchor(j, 1))
SETS_PARAM(dJointSetBallParam, lode__ode_ball, lode__ode_set_softness)
TELLS_PARAM(dJointGetBallParam, lode__ode_ball, lode__ode_get_softness)
