/* snapshot_joints.c: whether joints that were read can be worked with, those over many bodies
 * record by record. */
#include "core/math.h"
#include "solver/joints/joint_type.h"
#include "world/snapshot.h"

typedef struct joint_columns {
    const lode__pool_image *bodies, *joints;
    const char *joint, *axes, *arm;
} joint_columns;

static bool joins_bodies(const lode__pool_image *bodies, const lode__joint *joint)
{
    if (joint_in_limbo(joint))
        return joint->body_b == LODE__NONE;
    return joint->body_a != joint->body_b && lode__image_has(bodies, joint->body_a) &&
           (joint->body_b == LODE__NONE || lode__image_has(bodies, joint->body_b));
}

static bool frames_are_sound(const lode__joint *joint)
{
    return v3_finite(joint->frame_a.position) && q_is_rotation(joint->frame_a.rotation) &&
           v3_finite(joint->frame_b.position) && q_is_rotation(joint->frame_b.rotation);
}

/* It has what its type and its axes ask for. */
static bool rows_are_sound(const joint_columns *from, uint32_t slot, const lode__joint *joint,
                           const lode__joint_arm *arm)
{
    lode__joint_axes axes;
    LODE__LOAD(from->axes, slot, &axes);
    return joint->rows >= 1 && joint->rows <= LODE__JOINT_ROWS &&
           joint->rows == lode__joint_row_count(joint->type, &axes, arm) &&
           joint->stop_erp == lode__joint_stop_erp(joint->type, &axes);
}

static bool pair_is_sound(const joint_columns *from, uint32_t slot, const lode__joint *joint,
                          const lode__joint_arm *arm)
{
    return joins_bodies(from->bodies, joint) && !(joint->flags & LODE__JOINT_ARM) &&
           arm->head == slot && arm->next == LODE__NONE && arm->term == LODE__NONE &&
           arm->ends == 0 && arm->rows == 0;
}

/* Body `end` of a linkage whose records up to there are sound; LODE__NONE when it has fewer. */
static uint32_t body_of_end(const joint_columns *from, uint32_t head, uint32_t end)
{
    lode__joint_arm arm;
    lode__joint joint;
    uint32_t at = head;
    for (uint32_t k = 0; k < end / 2; ++k) {
        LODE__LOAD(from->arm, at, &arm);
        if (arm.next == LODE__NONE)
            return LODE__NONE;
        at = arm.next;
    }
    LODE__LOAD(from->joint, at, &joint);
    return end & 1 ? joint.body_b : joint.body_a;
}

/* A body is there, and it is none of those before. */
static bool end_is_sound(const joint_columns *from, uint32_t head, uint32_t end, uint32_t body)
{
    uint32_t at = head;
    for (uint32_t k = 0; 2 * k < end; ++k) {
        lode__joint record;
        lode__joint_arm arm;
        LODE__LOAD(from->joint, at, &record);
        LODE__LOAD(from->arm, at, &arm);
        if (record.body_a == body || (2 * k + 1 < end && record.body_b == body))
            return false;
        at = arm.next;
    }
    return lode__image_has(from->bodies, body);
}

static bool joins_end(const joint_columns *from, uint32_t head, uint32_t ends, uint16_t end,
                      uint32_t body)
{
    if (body == LODE__NONE || end == LODE__NO_END)
        return body == LODE__NONE && end == LODE__NO_END;
    return end < ends && body_of_end(from, head, end) == body;
}

static bool term_is_sound(const joint_columns *from, uint32_t head, uint32_t ends,
                          const lode__joint_arm *arm)
{
    lode__joint of;
    if (!lode__image_has(from->joints, arm->term))
        return false;
    LODE__LOAD(from->joint, arm->term, &of);
    return of.type < LODE_JOINT_TYPE_COUNT && arm->axis < lode__joint_types[of.type].axes &&
           r_finite(arm->ratio) && joins_end(from, head, ends, arm->end_a, of.body_a) &&
           joins_end(from, head, ends, arm->end_b, of.body_b);
}

/* The chain of records that begins at `head`; adds how many arms it has. */
static bool linkage_is_sound(const joint_columns *from, uint32_t head, const lode__joint *joint,
                             const lode__joint_arm *first, uint32_t *arms)
{
    uint32_t ends = first->ends, at = head, k = 0;
    uint32_t most = joint->type == LODE_JOINT_ROWS ? LODE_ROWS_BODIES : 2 * LODE_COUPLING_TERMS;
    if (ends < 1 || ends > most)
        return false;
    for (; at != LODE__NONE && k < most; ++k) {
        lode__joint record;
        lode__joint_arm arm;
        if (!lode__image_has(from->joints, at))
            return false;
        LODE__LOAD(from->joint, at, &record);
        LODE__LOAD(from->arm, at, &arm);
        if (arm.head != head || record.type != joint->type || !frames_are_sound(&record) ||
            !(record.flags & LODE__JOINT_ARM) != (at == head))
            return false;
        for (uint32_t side = 0; side < 2; ++side) {
            uint32_t end = 2 * k + side, body = side ? record.body_b : record.body_a;
            if (end < ends ? !end_is_sound(from, head, end, body) : body != LODE__NONE)
                return false;
        }
        at = arm.next;
    }
    *arms += k - 1;
    return at == LODE__NONE && 2 * k >= ends;
}

static bool terms_are_sound(const joint_columns *from, uint32_t head, const lode__joint *joint,
                            uint32_t ends)
{
    lode__joint_arm arm;
    for (uint32_t at = head; at != LODE__NONE; at = arm.next) {
        LODE__LOAD(from->arm, at, &arm);
        if (arm.term == LODE__NONE)
            continue;
        if (joint->type != LODE_JOINT_COUPLING || !term_is_sound(from, head, ends, &arm))
            return false;
    }
    return true;
}

static bool joint_is_sound(const joint_columns *from, uint32_t slot, uint32_t *arms)
{
    lode__joint joint;
    lode__joint_arm arm;
    LODE__LOAD(from->joint, slot, &joint);
    LODE__LOAD(from->arm, slot, &arm);
    if (joint.type >= LODE__ALL_JOINT_TYPES || !frames_are_sound(&joint))
        return false;
    if (!joint_is_linkage(&joint))
        return pair_is_sound(from, slot, &joint, &arm) && rows_are_sound(from, slot, &joint, &arm);
    if (joint.flags & LODE__JOINT_ARM)
        return true;
    return linkage_is_sound(from, slot, &joint, &arm, arms) &&
           terms_are_sound(from, slot, &joint, arm.ends) &&
           rows_are_sound(from, slot, &joint, &arm);
}

bool lode__snapshot_joints_are_sound(const lode__snapshot *from)
{
    joint_columns columns = {
        .bodies = &from->bodies,
        .joints = &from->joints,
        .joint = LODE__COLUMN(joint, &from->joints, joint),
        .axes = LODE__COLUMN(joint, &from->joints, axes),
        .arm = LODE__COLUMN(joint, &from->joints, arm),
    };
    uint32_t arms = 0, claimed = 0;
    for (uint32_t j = lode__image_next(&from->joints, 0); j < from->joints.end;
         j = lode__image_next(&from->joints, j + 1)) {
        lode__joint joint;
        LODE__LOAD(columns.joint, j, &joint);
        arms += (joint.flags & LODE__JOINT_ARM) != 0;
        if (!joint_is_sound(&columns, j, &claimed))
            return false;
    }
    return arms == claimed;
}
