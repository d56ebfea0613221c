/* joint_bring.c: from joints of the ODE face to joints of the handle API, and back what they
 * exerted. One whose bodies have no mass is in no step. */
#include "ode/joint.h"

static lode_body handle_of(dJointID joint, int i)
{
    dBodyID body = joint->node[i].body;
    return body ? body_handle(joint->world->lode, body->slot) : (lode_body){0};
}

static bool has_mass(dBodyID body)
{
    return body && !body->kinematic;
}

static lode_joint_def describe(const lode__ode_framed *joint)
{
    const lode__ode_joint_type *type = joint->joint.type;
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    type->describe(joint, &def);
    for (int i = 0; i < type->limots; ++i) {
        lode_joint_axis given = def.axis[i];
        def.axis[i] = lode__ode_axis_of(&joint->limot[i]);
        def.axis[i].direction = given.direction;
        def.axis[i].frame = given.frame;
    }
    def.erp = joint->erp;
    def.cfm = joint->cfm;
    def.enabled = !joint->joint.disabled;
    def.collide_connected = true;
    return def;
}

static void set_values(dJointID joint, const lode_joint_def *def)
{
    for (int i = 0; i < joint->type->limots; ++i)
        lode_joint_set_axis(joint->handle, i, &def->axis[i]);
    lode_joint_set_erp(joint->handle, def->erp);
    lode_joint_set_cfm(joint->handle, def->cfm);
    lode_joint_set_enabled(joint->handle, def->enabled);
}

static void bring(dJointID joint)
{
    bool stands = joint->handle.id && lode_joint_is_valid(joint->handle);
    if (stands && !joint->moved_frames && !joint->changed)
        return;
    lode_joint_def def = describe(framed(joint));
    def.body_a = handle_of(joint, 0);
    def.body_b = handle_of(joint, 1);
    if (!stands)
        joint->handle = lode_joint_create(joint->world->handle, &def);
    else if (joint->moved_frames)
        lode_joint_attach(joint->handle, def.body_a, def.body_b, def.frame_a, def.frame_b);
    if (stands && joint->changed)
        set_values(joint, &def);
    joint->moved_frames = joint->changed = false;
}

void lode__ode_joints_bring(dWorldID world)
{
    for (dJointID joint = world->joints; joint; joint = joint->next)
        if (joint->type->describe &&
            (has_mass(joint->node[0].body) || has_mass(joint->node[1].body)))
            bring(joint);
}

/* --- what joints exerted, the first on body 0 of a reversed joint too */

static void tell(dJointID joint)
{
    dJointFeedback *out = joint->feedback;
    bool joins_two = joint->node[1].body != NULL;
    lode_vec3 force = lode_joint_get_force(joint->handle);
    put_vec(out->f1, force);
    put_vec(out->t1, lode_joint_get_torque_a(joint->handle));
    put_vec(out->f2, joins_two ? v3_neg(force) : v3_zero());
    put_vec(out->t2, joins_two ? lode_joint_get_torque_b(joint->handle) : v3_zero());
}

void lode__ode_joints_tell(dWorldID world)
{
    for (dJointID joint = world->joints; joint; joint = joint->next)
        if (joint->feedback && joint->handle.id && joint->node[0].body && !joint->disabled)
            tell(joint);
}
