/* fixed.c: dJoint...Fixed: holds two bodies as they stand when dJointSetFixed() is called. Its
 * softness, from the world as it is at its making, is that of the slides; turns are as soft as the
 * world. Where the two differ it is a joint of six held axes. */
#include "ode/joint_api.h"

typedef struct fixed {
    lode__ode_framed of;
    dReal world_erp, world_cfm; /* as it was brought */
} fixed;

static bool is_as_the_world(const lode__ode_framed *joint)
{
    dWorldID world = joint->joint.world;
    return joint->erp == world->erp && joint->cfm == world->cfm;
}

static void hold_axes(const lode__ode_framed *joint, lode_joint_def *def)
{
    lode__ode_limot held = {.fudge = 1, .stop_erp = joint->erp, .stop_cfm = joint->cfm};
    for (int i = 0; i < LODE_JOINT_AXES; ++i) {
        if (i == 3) {
            held.stop_erp = joint->joint.world->erp;
            held.stop_cfm = joint->joint.world->cfm;
        }
        def->axis[i] = lode__ode_axis_of(&held, (lode__ode_place){.axis = i});
    }
}

static void describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->type = is_as_the_world(joint) ? LODE_JOINT_FIXED : LODE_JOINT_SIX_AXES;
    if (out_def->type == LODE_JOINT_SIX_AXES)
        hold_axes(joint, out_def);
    out_def->frame_a = (lode_pose){joint->anchor[0], q_conj(joint->relative)};
    out_def->frame_b = (lode_pose){joint->anchor[1], q_identity()};
}

/* Held where body 0 is. */
static void capture(lode__ode_framed *joint)
{
    lode__ode_put_anchor(joint, joint->joint.node[0].body->pose->position);
    lode__ode_put_relative(joint);
}

/* The world's softness may be another in each step. */
static void follow_world(lode__ode_framed *joint)
{
    fixed *f = (fixed *)(void *)joint;
    dWorldID world = joint->joint.world;
    if (f->world_erp == world->erp && f->world_cfm == world->cfm)
        return;
    f->world_erp = world->erp;
    f->world_cfm = world->cfm;
    joint->joint.changed = true;
}

const lode__ode_joint_type lode__ode_fixed = {.type = dJointTypeFixed,
                                              .name = "fixed",
                                              .size = sizeof(fixed),
                                              .attached = capture,
                                              .before_bring = follow_world,
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
