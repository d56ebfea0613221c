/* link.c: joints that keep two anchors at a distance. */
#include "ode/link.h"

dJointID lode__ode_link_create(dWorldID world, dJointGroupID group,
                               const lode__ode_joint_type *type)
{
    dJointID joint = lode__ode_joint_create(world, group, type);
    if (!joint)
        return NULL;
    framed(joint)->erp = world->erp;
    framed(joint)->cfm = world->cfm;
    return joint;
}

static lode__ode_link *link_of(const lode__ode_framed *joint)
{
    return (lode__ode_link *)(uintptr_t)joint;
}

void lode__ode_link_measure(lode__ode_framed *joint)
{
    lode_vec3 way = v3_sub(lode__ode_anchor(joint, 0), lode__ode_anchor(joint, 1));
    link_of(joint)->distance = v3_length(way);
    joint->joint.moved_frames = joint->joint.changed = true;
}

void lode__ode_link_put_anchor(lode__ode_framed *joint, int which, lode_vec3 point)
{
    int i = which ^ lode__ode_first(joint);
    joint->anchor[i] = point_in(joint->joint.node[i].body, point);
    lode__ode_link_measure(joint);
}

dReal lode__ode_link_distance(const lode__ode_framed *joint)
{
    return link_of(joint)->distance;
}

void lode__ode_link_describe(const lode__ode_framed *joint, lode_joint_def *out_def)
{
    out_def->frame_a.position = joint->anchor[0];
    out_def->frame_b.position = joint->anchor[1];
    out_def->distance = r_max(link_of(joint)->distance, (dReal)1e-4);
}
