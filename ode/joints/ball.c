/* ball.c: dJoint...Ball: holds two anchors together. */
#include "ode/joint.h"

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

void dJointSetBallAnchor(dJointID joint, dReal x, dReal y, dReal z)
{
    if (IS_ATTACHED(joint, lode__ode_ball) && CHECK_FINITE(x, y, z))
        lode__ode_put_anchor(framed(joint), v3(x, y, z));
}

/* The anchor of body 2 alone. */
void dJointSetBallAnchor2(dJointID joint, dReal x, dReal y, dReal z)
{
    if (!IS(joint, lode__ode_ball) || !CHECK_FINITE(x, y, z))
        return;
    int i = !joint->reversed;
    framed(joint)->anchor[i] = point_in(joint->node[i].body, v3(x, y, z));
    joint->moved_frames = true;
}

void dJointGetBallAnchor(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_ball) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), joint->reversed));
}

void dJointGetBallAnchor2(dJointID joint, dVector3 result)
{
    if (IS(joint, lode__ode_ball) && CHECK_GIVEN(result))
        put_vec(result, lode__ode_anchor(framed(joint), !joint->reversed));
}

void dJointSetBallParam(dJointID joint, int parameter, dReal value)
{
    if (IS(joint, lode__ode_ball))
        lode__ode_set_softness(framed(joint), parameter, value);
}

dReal dJointGetBallParam(dJointID joint, int parameter)
{
    return IS(joint, lode__ode_ball) ? lode__ode_get_softness(framed(joint), parameter) : 0;
}
