/* joint_bring.c: from joints of the ODE face to joints of the handle API, and back what they
 * exerted. One whose bodies have no mass is in no step. */
#include "ode/joint.h"

static lode_body handle_of(dJointID joint, int i)
{
    dBodyID body = joint->node[i].body;
    return body ? body_handle(joint->world->lode, body->slot) : (lode_body){0};
}

/* What stands for the world where that is body_a: the handle API has none there. */
static lode_body ground_of(dWorldID world)
{
    if (!world->ground.id) {
        lode_body_def def = lode_body_def_default();
        world->ground = lode_body_create(world->handle, &def);
    }
    return world->ground;
}

/* Body 0 is body_b of the handle API. */
static bool is_exchanged(dJointID joint)
{
    return joint->type->exchanged && !joint->reversed;
}

static void set_bodies(dJointID joint, lode_joint_def *def)
{
    bool exchanged = is_exchanged(joint);
    def->body_a = handle_of(joint, exchanged);
    def->body_b = handle_of(joint, !exchanged);
    if (!def->body_a.id)
        def->body_a = ground_of(joint->world);
    if (joint->type->holds_one)
        def->body_b = (lode_body){0};
}

static bool has_mass(dBodyID body)
{
    return body && !body->kinematic;
}

static lode__ode_place place_of(const lode__ode_framed *joint, int limot)
{
    const lode__ode_joint_type *type = joint->joint.type;
    lode__ode_place place = type->place ? type->place(joint, limot)
                                        : (lode__ode_place){.axis = limot};
    place.turns |= type->turns >> limot & 1;
    return place;
}

/* Motors and stops as set; directions as the type has described them. */
static void set_axes(const lode__ode_framed *joint, lode_joint_def *def)
{
    const lode__ode_joint_type *type = joint->joint.type;
    for (int i = 0; i < type->limots; ++i) {
        lode__ode_place place = place_of(joint, i);
        if (place.axis < 0)
            continue;
        lode_joint_axis *axis = &def->axis[place.axis], given = *axis;
        *axis = lode__ode_axis_of(&joint->limot[i], place);
        axis->direction = given.direction;
        axis->frame = given.frame;
    }
}

static lode_joint_def describe(const lode__ode_framed *joint)
{
    lode_joint_def def = lode_joint_def_default(LODE_JOINT_BALL);
    def.erp = joint->erp;
    def.cfm = joint->cfm < 0 ? joint->cfm : r_max(joint->cfm, LODE__ODE_LEAST_CFM);
    def.enabled = !joint->joint.disabled;
    def.collide_connected = true;
    joint->joint.type->describe(joint, &def);
    set_axes(joint, &def);
    return def;
}

/* Angles are within half a turn of 0 when parameters are set, however often the bodies have turned
 * before. */
static bool count_anew(dJointID joint)
{
    bool good = true;
    for (int i = 0; i < joint->type->limots; ++i) {
        lode__ode_place place = place_of(framed(joint), i);
        if (place.turns && place.axis >= 0)
            good &= lode_joint_set_position(joint->handle, place.axis, place.begins) == LODE_OK;
    }
    return good;
}

static int axes_of(dJointID joint, const lode_joint_def *def)
{
    if (def->type == LODE_JOINT_SIX_AXES)
        return LODE_JOINT_AXES;
    return joint->type->axes ? joint->type->axes : joint->type->limots;
}

/* True when all is accepted. */
static bool set_values(dJointID joint, const lode_joint_def *def)
{
    int axes = axes_of(joint, def);
    bool good = true;
    for (int i = 0; i < axes; ++i)
        good &= lode_joint_set_axis(joint->handle, i, &def->axis[i]) == LODE_OK;
    if (def->distance >= 0)
        good &= lode_joint_set_distance(joint->handle, def->distance) == LODE_OK;
    good &= lode_joint_set_erp(joint->handle, def->erp) == LODE_OK;
    good &= lode_joint_set_cfm(joint->handle, def->cfm) == LODE_OK;
    return good & (lode_joint_set_enabled(joint->handle, def->enabled) == LODE_OK);
}

/* True for a joint of the handle API that can be brought up to date. */
static bool stands(dJointID joint, lode_joint_type type)
{
    if (!joint->handle.id || !lode_joint_is_valid(joint->handle))
        return false;
    if (lode_joint_get_type(joint->handle) == type)
        return true;
    lode_joint_destroy(joint->handle);
    joint->handle = (lode_joint){0};
    return false;
}

/* What is refused is tried again in the next step. */
static void bring(dJointID joint)
{
    if (joint->type->before_bring)
        joint->type->before_bring(framed(joint));
    bool is_new = !joint->handle.id || !lode_joint_is_valid(joint->handle);
    if (!is_new && !joint->moved_frames && !joint->changed)
        return;
    lode_joint_def def = describe(framed(joint));
    set_bodies(joint, &def);
    bool good = true;
    if (!stands(joint, def.type)) {
        joint->handle = joint->type->make ? joint->type->make(joint, &def)
                                          : lode_joint_create(joint->world->handle, &def);
        good = joint->handle.id != 0;
    } else {
        if (joint->moved_frames && !joint->type->make)
            good = lode_joint_attach(joint->handle, def.body_a, def.body_b, def.frame_a,
                                     def.frame_b) == LODE_OK;
        if (joint->changed)
            good &= set_values(joint, &def) && count_anew(joint);
    }
    joint->moved_frames &= !good;
    joint->changed &= !good;
}

static bool is_in_step(dJointID joint)
{
    return has_mass(joint->node[0].body) ||
           (!joint->type->holds_one && has_mass(joint->node[1].body));
}

/* There is nothing to bring, whatever its bodies are. */
static bool is_settled(dJointID joint)
{
    return joint->handle.id && !joint->moved_frames && !joint->changed &&
           !joint->type->before_bring && !joint->type->before_step;
}

bool lode__ode_joints_bring(dWorldID world)
{
    world->tells_joints = false;
    lode__ode_was_short();
    for (dJointID joint = world->joints; joint; joint = joint->next) {
        world->tells_joints |= joint->feedback != NULL;
        if (!is_settled(joint) && joint->type->describe && is_in_step(joint)) {
            bring(joint);
            if (joint->type->before_step && joint->handle.id)
                joint->type->before_step(framed(joint));
        }
    }
    return !lode__ode_was_short();
}

/* --- what joints exerted, the first on body 0 of a reversed joint too */

static void tell(dJointID joint)
{
    dJointFeedback *out = joint->feedback;
    if (joint->type->tell) {
        joint->type->tell(framed(joint), out);
        return;
    }
    bool joins_two = joint->node[1].body && !joint->type->holds_one;
    bool exchanged = is_exchanged(joint);
    lode_vec3 on_a = lode_joint_get_force(joint->handle);
    lode_vec3 about_a = lode_joint_get_torque_a(joint->handle);
    lode_vec3 about_b = lode_joint_get_torque_b(joint->handle);
    lode_vec3 force = exchanged ? v3_neg(on_a) : on_a;
    put_vec(out->f1, force);
    put_vec(out->t1, exchanged ? about_b : about_a);
    put_vec(out->f2, joins_two ? v3_neg(force) : v3_zero());
    put_vec(out->t2, !joins_two ? v3_zero() : exchanged ? about_a : about_b);
}

/* Has it been in the step? */
static bool is_stepped(dJointID joint)
{
    dBodyID first = joint->node[0].body, second = joint->node[1].body;
    return joint->handle.id && !joint->disabled && first &&
           (first->enabled || (second && second->enabled));
}

void lode__ode_joints_tell(dWorldID world)
{
    for (dJointID joint = world->tells_joints ? world->joints : NULL; joint; joint = joint->next)
        if (joint->feedback && is_stepped(joint))
            tell(joint);
}
