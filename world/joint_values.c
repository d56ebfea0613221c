/* joint_values.c: what a joint is told and what it says.
 *
 * Two joined bodies do not collide unless the joint says so; the broad phase asks for each new
 * pair. So when that changes, the shapes of one of its bodies look for pairs afresh. */
#include "core/math.h"
#include "lode/joint.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"
#include "world/wake.h"


void lode__joint_changed(lode__world *world, uint32_t slot)
{
    lode__joint *joint = JOINT(world, joint, slot);
    joint->rows = (uint16_t)lode__joint_row_count(joint->type, JOINT(world, axes, slot),
                                                  JOINT(world, arm, slot));
    joint->stop_erp = lode__joint_stop_erp(joint->type, JOINT(world, axes, slot));
    lode__joint_touched(world, slot);
}

void lode__joint_refresh_pairs(lode__world *world, uint32_t slot)
{
    const lode__joint *joint = JOINT(world, joint, slot);
    if (joint->body_b == LODE__NONE || (joint->flags & LODE__JOINT_COLLIDE_CONNECTED))
        return; /* to the world, in limbo, or it lets them */
    /* those of a moving body, which are few */
    uint32_t body = body_is_dynamic(world, joint->body_a) ? joint->body_a : joint->body_b;
    uint32_t shape = BODY(world, links, body)->first_shape;
    while (shape != LODE__NONE) {
        lode__collide_refresh(&world->collide, shape);
        shape = SHAPE(world, links, shape)->next_shape;
    }
}

/* ---- checks ---- */

lode_status lode__check_joint_erp(lode_real erp, const char *function, const char *argument)
{
    return lode__check(r_finite(erp) && erp <= 1, function, argument,
                       "must be within 0 and 1, or negative for the default");
}

lode_status lode__check_joint_cfm(lode_real cfm, const char *function, const char *argument)
{
    return lode__check(r_finite(cfm), function, argument,
                       "must be finite; negative for the default");
}

/* Between anchors in one place there is no line. */
lode_status lode__check_joint_distance(const lode__world *world, lode_real distance,
                                       const char *function, const char *argument)
{
    const lode_real least = (lode_real)1e-4 * world->def.length_unit;
    return lode__check(r_finite(distance) && distance >= least, function, argument,
                       "must be finite and at least 1/10,000 of the length unit");
}

/* ---- what it is ---- */

bool lode_joint_is_valid(lode_joint joint)
{
    lode__object j;
    return lode__find_joint(&j, joint);
}

lode_world lode_joint_get_world(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? (lode_world){0} : (lode_world){j.world->id};
}

lode_joint_type lode_joint_get_type(lode_joint joint)
{
    lode__object j;
    if (lode__open_joint(&j, joint, __func__))
        return LODE_JOINT_BALL;
    return (lode_joint_type)JOINT(j.world, joint, j.slot)->type;
}

static lode_body joined_body(lode__object j, uint32_t side)
{
    uint32_t body = lode__joint_body(j.world, j.slot, side);
    return body == LODE__NONE ? (lode_body){0} : body_handle(j.world, body);
}

lode_body lode_joint_get_body_a(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? (lode_body){0} : joined_body(j, 0);
}

lode_body lode_joint_get_body_b(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? (lode_body){0} : joined_body(j, 1);
}

void *lode_joint_get_user_data(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? NULL : *JOINT(j.world, user_data, j.slot);
}

static lode_vec3 world_anchor(lode__object j, uint32_t side)
{
    const lode__joint *joint = JOINT(j.world, joint, j.slot);
    lode_vec3 local = side ? joint->frame_b.position : joint->frame_a.position;
    uint32_t body = lode__joint_body(j.world, j.slot, side);
    if (joint_in_limbo(joint))
        return v3_zero();
    if (body == LODE__NONE)
        return local;
    const lode__pose *pose = BODY(j.world, pose, body);
    return v3_add(pose->position, q_rotate(pose->rotation, local));
}

lode_vec3 lode_joint_get_anchor_a(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero() : world_anchor(j, 0);
}

lode_vec3 lode_joint_get_anchor_b(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero() : world_anchor(j, 1);
}

lode_joint_def lode_joint_get_def(lode_joint joint)
{
    lode__object j;
    lode_joint_def def = {0};
    if (lode__open_joint(&j, joint, __func__))
        return def;
    const lode__joint *record = JOINT(j.world, joint, j.slot);
    const lode__joint_anchors *anchors = JOINT(j.world, anchors, j.slot);
    def.type = (lode_joint_type)record->type;
    def.body_a = joined_body(j, 0);
    def.body_b = joined_body(j, 1);
    def.frame_a = (lode_pose){anchors->a, record->frame_a.rotation};
    def.frame_b = (lode_pose){anchors->b, record->frame_b.rotation};
    def.erp = record->erp;
    def.cfm = record->cfm;
    def.distance = record->distance;
    def.max_force = JOINT(j.world, limits, j.slot)->max_force;
    def.max_torque = JOINT(j.world, limits, j.slot)->max_torque;
    for (int i = 0; i < LODE_JOINT_AXES; ++i)
        def.axis[i] = JOINT(j.world, axes, j.slot)->axis[i];
    def.collide_connected = record->flags & LODE__JOINT_COLLIDE_CONNECTED;
    def.enabled = !(record->flags & LODE__JOINT_DISABLED);
    def.outlives_bodies = record->flags & LODE__JOINT_OUTLIVES;
    def.stiff = joint_stiff(record);
    def.user_data = *JOINT(j.world, user_data, j.slot);
    return def;
}

/* ---- what it did in the last step ---- */

static lode__joint_feedback feedback_of(lode_joint joint, const char *function)
{
    lode__object j;
    return lode__open_joint(&j, joint, function) ? (lode__joint_feedback){0}
                                                 : *JOINT(j.world, feedback, j.slot);
}

lode_vec3 lode_joint_get_force(lode_joint joint)
{
    return feedback_of(joint, __func__).force;
}

lode_vec3 lode_joint_get_torque_a(lode_joint joint)
{
    return feedback_of(joint, __func__).torque_a;
}

lode_vec3 lode_joint_get_torque_b(lode_joint joint)
{
    return feedback_of(joint, __func__).torque_b;
}

/* ---- changing it ---- */

lode_status lode_joint_set_erp(lode_joint joint, lode_real erp)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        status = lode__check_joint_erp(erp, __func__, "erp");
    if (status)
        return status;
    JOINT(j.world, joint, j.slot)->erp = erp;
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_status lode_joint_set_cfm(lode_joint joint, lode_real cfm)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        status = lode__check_joint_cfm(cfm, __func__, "cfm");
    if (status)
        return status;
    JOINT(j.world, joint, j.slot)->cfm = cfm;
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_status lode_joint_set_distance(lode_joint joint, lode_real distance)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        status = lode__check(lode__keeps_distance(JOINT(j.world, joint, j.slot)->type), __func__,
                             "joint", "is of a type that keeps no distance");
    if (!status)
        status = lode__check_joint_distance(j.world, distance, __func__, "distance");
    if (status)
        return status;
    JOINT(j.world, joint, j.slot)->distance = distance;
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_status lode_joint_set_frames(lode_joint joint, lode_pose frame_a, lode_pose frame_b)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (!status)
        status = lode__check_pose(&frame_a, __func__, "frame_a");
    if (!status)
        status = lode__check_pose(&frame_b, __func__, "frame_b");
    if (status)
        return status;
    JOINT(j.world, joint, j.slot)->frame_a = frame_a;
    JOINT(j.world, joint, j.slot)->frame_b = frame_b;
    *JOINT(j.world, anchors, j.slot) = (lode__joint_anchors){frame_a.position, frame_b.position};
    lode__joint_derive_frames(j.world, j.slot);
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_status lode_joint_set_collide_connected(lode_joint joint, bool collide_connected)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (status)
        return status;
    lode__joint_forbid(j.world, j.slot, true);
    lode__joint_refresh_pairs(j.world, j.slot);
    lode__joint_forbid(j.world, j.slot, !collide_connected);
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

void lode__joint_set_enabled(lode__world *world, uint32_t slot, bool enabled)
{
    uint32_t *flags = &JOINT(world, joint, slot)->flags;
    *flags &= ~(uint32_t)LODE__JOINT_DISABLED;
    if (!enabled) {
        *flags |= LODE__JOINT_DISABLED;
        *JOINT(world, impulse, slot) = (lode__joint_impulse){.row = {0}};
        *JOINT(world, feedback, slot) = (lode__joint_feedback){.row = {0}};
        lode__couplings_forget(world, slot);
    }
    lode__joint_changed(world, slot);
}

lode_status lode_joint_set_enabled(lode_joint joint, bool enabled)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        lode__joint_set_enabled(j.world, j.slot, enabled);
    return status;
}

bool lode_joint_get_enabled(lode_joint joint)
{
    lode__object j;
    return !lode__open_joint(&j, joint, __func__) &&
           !(JOINT(j.world, joint, j.slot)->flags & LODE__JOINT_DISABLED);
}

lode_status lode__check_joint_stiff(lode_stiff stiff, const char *function, const char *argument)
{
    return lode__check((int)stiff >= LODE_STIFF_AS_WORLD && (int)stiff < LODE_STIFF_COUNT, function,
                       argument, "is not a choice");
}

lode_status lode_joint_set_stiff(lode_joint joint, lode_stiff stiff)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (!status)
        status = lode__check_joint_stiff(stiff, __func__, "stiff");
    if (status)
        return status;
    uint32_t *flags = &JOINT(j.world, joint, j.slot)->flags;
    *flags &= ~(uint32_t)(3 * LODE__JOINT_STIFF);
    *flags |= joint_flags_of_stiff(stiff);
    return LODE_OK;
}

lode_status lode_joint_set_user_data(lode_joint joint, void *user_data)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, __func__);
    if (!status)
        *JOINT(j.world, user_data, j.slot) = user_data;
    return status;
}
