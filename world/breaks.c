/* breaks.c: joints that break when they bear too much, and how much that is.
 *
 * Whether a joint breaks is decided when the step has told what it exerted. It is switched off then
 * and there, which the next step is the first to see; all of one step break together, whichever
 * would have saved the other. Who may break at all is a bit set of its own (`strained_joints`), so
 * that a world without such joints pays nothing. */
#include "core/hash.h"
#include "core/math.h"
#include "core/memory.h"
#include "lode/joint.h"
#include "world/check.h"
#include "world/joint.h"

/* ---- the limits ---- */

lode_status lode__check_joint_limit(lode_real limit, const char *function, const char *argument)
{
    return lode__check(limit >= 0, function, argument, "must be at least 0; infinite for no limit");
}

void lode__joint_limit(lode__world *world, uint32_t slot, lode__joint_limits limits)
{
    uint32_t *flags = &JOINT(world, joint, slot)->flags;
    *JOINT(world, limits, slot) = limits;
    *flags &= ~(uint32_t)LODE__JOINT_BREAKABLE;
    if (r_finite(limits.max_force) || r_finite(limits.max_torque))
        *flags |= LODE__JOINT_BREAKABLE;
    lode__joint_changed(world, slot);
}

/* Sets one of the two. */
static lode_status set_limit(lode_joint joint, bool torque, lode_real limit, const char *function,
                             const char *argument)
{
    lode__object j;
    lode_status status = lode__open_joint(&j, joint, function);
    if (!status)
        status = lode__check_joint_limit(limit, function, argument);
    if (status)
        return status;
    lode__joint_limits limits = *JOINT(j.world, limits, j.slot);
    *(torque ? &limits.max_torque : &limits.max_force) = limit;
    lode__joint_limit(j.world, j.slot, limits);
    return LODE_OK;
}

lode_status lode_joint_set_max_force(lode_joint joint, lode_real max_force)
{
    return set_limit(joint, false, max_force, __func__, "max_force");
}

lode_status lode_joint_set_max_torque(lode_joint joint, lode_real max_torque)
{
    return set_limit(joint, true, max_torque, __func__, "max_torque");
}

/* They are no saved component, which would be hashed for all joints, most of which have none. */
uint64_t lode__breaks_hash(const lode__world *world, uint64_t seed)
{
    const lode__bits *alive = &world->joints.alive;
    for (uint32_t j = lode__bits_next(alive, 0); j != UINT32_MAX; j = lode__bits_next(alive, j + 1))
        if (JOINT(world, joint, j)->flags & LODE__JOINT_BREAKABLE)
            seed = lode__hash_bytes(seed, JOINT(world, limits, j), sizeof(lode__joint_limits));
    return seed;
}

/* ---- breaking ---- */

bool lode__breaks_reserve(lode__world *world)
{
    lode__events *events = &world->events;
    return lode__grow((void **)&events->breaks, &events->break_capacity,
                      lode__bits_count(&world->strained_joints), sizeof *events->breaks);
}

static bool bears_too_much(const lode__world *world, uint32_t slot)
{
    const lode__joint_limits *limits = JOINT(world, limits, slot);
    const lode__joint_feedback *feedback = JOINT(world, feedback, slot);
    return v3_length(feedback->force) > limits->max_force ||
           v3_length(feedback->twist) > limits->max_torque;
}

static void tell(lode__world *world, uint32_t slot)
{
    const lode__joint *joint = JOINT(world, joint, slot);
    const lode__joint_feedback *feedback = JOINT(world, feedback, slot);
    lode__events *events = &world->events;
    lode_body none = {0};
    events->breaks[events->break_count++] = (lode_break_event){
        .joint = joint_handle(world, slot),
        .body_a = body_handle(world, joint->body_a),
        .body_b = joint->body_b == LODE__NONE ? none : body_handle(world, joint->body_b),
        .user_data = *JOINT(world, user_data, slot),
        .force = feedback->force,
        .torque = feedback->twist,
    };
}

void lode__breaks_run(lode__world *world)
{
    const lode__bits *strained = &world->strained_joints;
    for (uint32_t j = lode__bits_next(strained, 0); j != UINT32_MAX;
         j = lode__bits_next(strained, j + 1)) {
        if (!bears_too_much(world, j))
            continue;
        tell(world, j);
        lode__joint_set_enabled(world, j, false);
    }
}

lode_vec3 lode_joint_get_anchor_torque(lode_joint joint)
{
    lode__object j;
    return lode__open_joint(&j, joint, __func__) ? v3_zero()
                                                 : JOINT(j.world, feedback, j.slot)->twist;
}
