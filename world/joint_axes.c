/* joint_axes.c: where the free axes of joints stand and point, and forces along them. */
#include "core/math.h"
#include "lode/joint.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"

/* ---- where they stand ---- */

lode_status lode__open_pair_joint(lode__object *out, lode_joint joint, const char *function)
{
    lode_status status = lode__open_joint(out, joint, function);
    return status ? status
                  : lode__check(!joint_is_linkage(JOINT(out->world, joint, out->slot)), function,
                                "joint", "must be one between two bodies");
}

lode_status lode__open_joint_axis(lode__object *out, lode_joint joint, int axis,
                                  const char *function)
{
    lode_status status = lode__open_joint(out, joint, function);
    if (status)
        return status;
    const lode__joint *record = JOINT(out->world, joint, out->slot);
    return lode__check(axis >= 0 && axis < lode__joint_types[record->type].axes, function, "axis",
                       "is not an axis that joints of this type leave free");
}

lode__axis_now lode__joint_axis_now(const lode__world *world, uint32_t slot, int axis)
{
    static const lode__pose origin = {.rotation = {1, 0, 0, 0}};
    const lode__joint *joint = JOINT(world, joint, slot);
    const lode__pose *b = joint->body_b == LODE__NONE ? &origin : BODY(world, pose, joint->body_b);
    return lode__axis_at(joint, JOINT(world, axes, slot), BODY(world, pose, joint->body_a), b,
                         axis);
}

lode_real lode__axis_position_now(const lode__world *world, uint32_t joint, int axis)
{
    lode__axis_now now = lode__joint_axis_now(world, joint, axis);
    return lode__axis_position(&now, JOINT(world, position, joint)->axis[axis]);
}

lode_real lode__axis_rate_now(const lode__world *world, uint32_t joint, int axis)
{
    lode__axis_now now = lode__joint_axis_now(world, joint, axis);
    uint32_t body_b = lode__joint_body(world, joint, 1);
    const lode__velocity none = {0}, *b = &none;
    if (body_b != LODE__NONE)
        b = BODY(world, velocity, body_b);
    const lode__velocity *a = BODY(world, velocity, lode__joint_body(world, joint, 0));
    return v3_dot(now.lin, v3_sub(a->linear, b->linear)) +
           (v3_dot(now.ang_a, a->angular) + v3_dot(now.ang_b, b->angular));
}

lode_real lode_joint_get_position(lode_joint joint, int axis)
{
    lode__object j;
    if (lode__open_joint_axis(&j, joint, axis, __func__) ||
        joint_in_limbo(JOINT(j.world, joint, j.slot)))
        return 0;
    return joint_is_linkage(JOINT(j.world, joint, j.slot))
               ? lode__coupling_position(j.world, j.slot)
               : lode__axis_position_now(j.world, j.slot, axis);
}

static bool turns(const lode__joint *joint, int axis)
{
    return !joint_is_linkage(joint) &&
           !lode__axis_slides(lode__joint_types[joint->type].axis[axis]);
}

lode_status lode_joint_set_position(lode_joint joint, int axis, lode_real position)
{
    lode__object j;
    lode_status status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (!status)
        status = lode__check(turns(JOINT(j.world, joint, j.slot), axis), __func__, "axis",
                             "is not a turn: its position follows from the poses");
    if (!status)
        status = lode__check(r_finite(position), __func__, "position", "must be finite");
    if (status)
        return status;
    JOINT(j.world, position, j.slot)->axis[axis] = position;
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_real lode_joint_get_rate(lode_joint joint, int axis)
{
    lode__object j;
    if (lode__open_joint_axis(&j, joint, axis, __func__) ||
        joint_in_limbo(JOINT(j.world, joint, j.slot)))
        return 0;
    return joint_is_linkage(JOINT(j.world, joint, j.slot))
               ? lode__coupling_rate(j.world, j.slot)
               : lode__axis_rate_now(j.world, j.slot, axis);
}

lode_vec3 lode_joint_get_axis_world(lode_joint joint, int axis)
{
    lode__object j;
    if (lode__open_joint_axis(&j, joint, axis, __func__) ||
        joint_in_limbo(JOINT(j.world, joint, j.slot)) ||
        joint_is_linkage(JOINT(j.world, joint, j.slot)))
        return v3_zero();
    return lode__joint_axis_now(j.world, j.slot, axis).direction;
}

/* ---- forces ---- */

/* What is added to a body, LODE__NONE for the world, and what that makes. */
typedef struct joint_push {
    uint32_t body;
    lode_vec3 force, torque;
    lode__force sum;
} joint_push;

/* False: the sum is not finite. A body that is not dynamic is left out. */
static bool add_up(const lode__world *world, joint_push *push)
{
    if (push->body == LODE__NONE || !body_is_dynamic(world, push->body)) {
        push->body = LODE__NONE;
        return true;
    }
    push->sum = *BODY(world, force, push->body);
    push->sum.force = v3_add(push->sum.force, push->force);
    push->sum.torque = v3_add(push->sum.torque, push->torque);
    return v3_finite(push->sum.force) && v3_finite(push->sum.torque);
}

static void push_body(lode__world *world, const joint_push *push)
{
    if (push->body == LODE__NONE)
        return;
    *BODY(world, force, push->body) = push->sum;
    lode__body_touched(world, push->body);
}

/* A force f along an axis is J^T f, with the Jacobian of the axis as a motor has it: that of b is
 * a's negative where it is linear, and the torques are those of the two forces on one line. */
static lode_status push_along(lode__object j, int axis, lode_real force, const char *function)
{
    lode__axis_now now = lode__joint_axis_now(j.world, j.slot, axis);
    lode_vec3 linear = v3_scale(now.lin, force);
    joint_push a = {.body = lode__joint_body(j.world, j.slot, 0),
                    .force = linear,
                    .torque = v3_scale(now.ang_a, force)};
    joint_push b = {.body = lode__joint_body(j.world, j.slot, 1),
                    .force = v3_neg(linear),
                    .torque = v3_scale(now.ang_b, force)};
    bool finite_a = add_up(j.world, &a), finite_b = add_up(j.world, &b);
    lode_status status = lode__check(finite_a && finite_b, function, "force",
                                     "a body's sum of it would not be finite");
    if (status)
        return status;
    push_body(j.world, &a);
    push_body(j.world, &b);
    return LODE_OK;
}

lode_status lode_joint_add_force(lode_joint joint, int axis, lode_real force)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (!status)
        status = lode__open_joint_axis(&j, joint, axis, __func__);
    if (!status)
        status = lode__check(r_finite(force), __func__, "force", "must be finite");
    if (status)
        return status;
    const lode__joint *record = JOINT(j.world, joint, j.slot);
    bool acts = force != 0 && !joint_in_limbo(record) && !(record->flags & LODE__JOINT_DISABLED);
    return acts ? push_along(j, axis, force, __func__) : LODE_OK;
}
