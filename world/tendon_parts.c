/* tendon_parts.c: what tendons run through: attachments of spatial ones, joints of fixed ones. Both
 * are parts of one pool; their numbers are their places in the tendon's list. */
#include "core/math.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/tendon.h"

lode_tendon_attachment lode_tendon_attachment_default(void)
{
    return (lode_tendon_attachment){
        .parent = -1, .coefficient = 1, .lo = REAL_MAX, .hi = -REAL_MAX};
}

lode_tendon_joint lode_tendon_joint_default(void)
{
    return (lode_tendon_joint){.parent = -1, .coefficient = 1, .reciprocal = 1};
}

/* ---- opening */

static lode_status open_typed(lode__object *out, lode_tendon tendon, lode_tendon_type type,
                              const char *function)
{
    lode_status status = lode__open_tendon(out, tendon, function);
    return status ? status
                  : lode__check(
                        TENDON(out->world, tie, out->slot)->type == type, function, "tendon",
                        type == LODE_TENDON_FIXED ? "is a spatial tendon" : "is a fixed tendon");
}

/* The slot of a part by its number. */
static lode_status find_part(const lode__object *t, int index, uint32_t *out, const char *function,
                             const char *argument)
{
    EACH_PART(t->world, t->slot, part)
    {
        *out = part;
        if ((int)PART(t->world, tie, part)->index == index)
            return LODE_OK;
    }
    return lode__check(false, function, argument, "is no part of the tendon");
}

/* ... of a tendon of this type. */
static lode_status open_part(lode__object *out, uint32_t *out_part, lode_tendon tendon,
                             lode_tendon_type type, int index, const char *function)
{
    lode_status status = open_typed(out, tendon, type, function);
    return status ? status : find_part(out, index, out_part, function, "index");
}

/* The number of the part before it, or -1. */
static int parent_number(const lode__object *t, uint32_t part)
{
    uint32_t parent = PART(t->world, tie, part)->parent;
    return parent == LODE__NONE ? -1 : (int)PART(t->world, tie, parent)->index;
}

/* ---- checks */

static lode_status check_attachment(const lode_tendon_attachment *a, const char *function)
{
    lode_status status = lode__check_vec3(a->point, function, "attachment.point");
    if (!status)
        status = lode__check(r_finite(a->coefficient), function, "attachment.coefficient",
                             "must be finite");
    return status ? status
                  : lode__tendon_check_line(a->rest_length, a->lo, a->hi, function, "attachment");
}

static lode_status check_joint(const lode_tendon_joint *joint, const char *function)
{
    lode_status status = lode__check((unsigned)joint->axis < LODE_LINK_AXES, function, "joint.axis",
                                     "must be one of lode_link_axis_index");
    return status
               ? status
               : lode__check(r_finite(joint->coefficient) && r_finite(joint->reciprocal), function,
                             "joint.coefficient", "coefficient and reciprocal must be finite");
}

/* The part before a new one; LODE__NONE for the first. */
static lode_status find_parent(const lode__object *t, int parent, uint32_t *out,
                               const char *function, const char *argument)
{
    *out = LODE__NONE;
    if (parent == -1)
        return lode__check(TENDON(t->world, tie, t->slot)->part_count == 0, function, argument,
                           "is -1, but the tendon has a root already");
    return find_part(t, parent, out, function, argument);
}

/* ---- adding */

/* Behind the last one; its number, or -1. */
static int append(const lode__object *t, uint32_t parent, uint32_t link, uint32_t axis,
                  const lode__tendon_part_numbers *numbers, const char *function)
{
    lode__world *world = t->world;
    uint32_t part = lode__pool_add(&world->tendon_parts);
    if (part == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
        return -1;
    }
    uint32_t *at = &TENDON(world, tie, t->slot)->first_part;
    while (*at != LODE__NONE)
        at = &PART(world, tie, *at)->next;
    *at = part;
    *PART(world, tie,
          part) = (lode__tendon_part_tie){.tendon = t->slot,
                                          .parent = parent,
                                          .next = LODE__NONE,
                                          .index = TENDON(world, tie, t->slot)->part_count,
                                          .link = link,
                                          .axis = axis};
    *PART(world, numbers, part) = *numbers;
    if (parent != LODE__NONE)
        ++PART(world, tie, parent)->child_count;
    return (int)TENDON(world, tie, t->slot)->part_count++;
}

int lode_tendon_add_attachment(lode_tendon tendon, const lode_tendon_attachment *attachment)
{
    lode__object t;
    uint32_t parent, link;
    if (open_typed(&t, tendon, LODE_TENDON_SPATIAL, __func__) ||
        lode__check_not_null(attachment, __func__, "attachment"))
        return -1;
    uint32_t articulation = TENDON(t.world, tie, t.slot)->articulation;
    if (lode__check_inserted(t.world, articulation, false, __func__) ||
        check_attachment(attachment, __func__) ||
        find_parent(&t, attachment->parent, &parent, __func__, "attachment.parent") ||
        lode__tendon_find_link(t.world, articulation, attachment->link, &link, __func__,
                               "attachment.link"))
        return -1;
    lode__tendon_part_numbers numbers = {
        .point = attachment->point,
        .coefficient = attachment->coefficient,
        .line = {attachment->rest_length, attachment->lo, attachment->hi, 0}};
    return append(&t, parent, link, 0, &numbers, __func__);
}

/* The link of a new tendon joint: of the first any, of others one whose joint can move and joins it
 * to the link of the one before. */
static lode_status find_joint_link(const lode__object *t, const lode_tendon_joint *joint,
                                   uint32_t parent, uint32_t *out, const char *function)
{
    const lode__world *world = t->world;
    uint32_t articulation = TENDON(world, tie, t->slot)->articulation;
    if (parent == LODE__NONE)
        return lode__tendon_find_link(world, articulation, joint->link, out, function,
                                      "joint.link");
    lode_status status = lode__tendon_find_axis(world, articulation, joint->link, joint->axis, out,
                                                function, "joint.link", "joint.axis");
    return status ? status
                  : lode__check(LINK(world, tie, *out)->parent == PART(world, tie, parent)->link,
                                function, "joint.link",
                                "is no child of the link of the joint before it");
}

int lode_tendon_add_joint(lode_tendon tendon, const lode_tendon_joint *joint)
{
    lode__object t;
    uint32_t parent, link;
    if (open_typed(&t, tendon, LODE_TENDON_FIXED, __func__) ||
        lode__check_not_null(joint, __func__, "joint") ||
        lode__check_inserted(t.world, TENDON(t.world, tie, t.slot)->articulation, false,
                             __func__) ||
        check_joint(joint, __func__) ||
        find_parent(&t, joint->parent, &parent, __func__, "joint.parent") ||
        find_joint_link(&t, joint, parent, &link, __func__))
        return -1;
    lode__tendon_part_numbers numbers = {.coefficient = joint->coefficient,
                                         .reciprocal = joint->reciprocal};
    return append(&t, parent, link, (uint32_t)joint->axis, &numbers, __func__);
}

int lode_tendon_count_parts(lode_tendon tendon)
{
    lode__object t;
    return lode__open_tendon(&t, tendon, __func__) ? 0
                                                   : (int)TENDON(t.world, tie, t.slot)->part_count;
}

/* ---- getting and setting */

static lode_body link_of(const lode__object *t, uint32_t part)
{
    return body_handle(t->world, LINK(t->world, tie, PART(t->world, tie, part)->link)->body);
}

lode_tendon_attachment lode_tendon_get_attachment(lode_tendon tendon, int index)
{
    lode__object t;
    uint32_t part = LODE__NONE;
    if (open_part(&t, &part, tendon, LODE_TENDON_SPATIAL, index, __func__))
        return lode_tendon_attachment_default();
    const lode__tendon_part_numbers *numbers = PART(t.world, numbers, part);
    return (lode_tendon_attachment){.parent = parent_number(&t, part),
                                    .link = link_of(&t, part),
                                    .point = numbers->point,
                                    .coefficient = numbers->coefficient,
                                    .rest_length = numbers->line.rest,
                                    .lo = numbers->line.lo,
                                    .hi = numbers->line.hi};
}

lode_tendon_joint lode_tendon_get_joint(lode_tendon tendon, int index)
{
    lode__object t;
    uint32_t part = LODE__NONE;
    if (open_part(&t, &part, tendon, LODE_TENDON_FIXED, index, __func__))
        return lode_tendon_joint_default();
    const lode__tendon_part_tie *tie = PART(t.world, tie, part);
    const lode__tendon_part_numbers *numbers = PART(t.world, numbers, part);
    return (lode_tendon_joint){.parent = parent_number(&t, part),
                               .link = link_of(&t, part),
                               .axis = (lode_link_axis_index)tie->axis,
                               .coefficient = numbers->coefficient,
                               .reciprocal = numbers->reciprocal};
}

/* What a part hangs on stays. */
static lode_status check_place(const lode__object *t, uint32_t part, int parent, lode_body link,
                               const char *function, const char *argument)
{
    return lode__check(parent == parent_number(t, part) && link.id == link_of(t, part).id, function,
                       argument, "parent and link are as they were made");
}

lode_status lode_tendon_set_attachment(lode_tendon tendon, int index,
                                       const lode_tendon_attachment *attachment, bool wake)
{
    lode__object t;
    uint32_t part = LODE__NONE;
    lode_status status = open_part(&t, &part, tendon, LODE_TENDON_SPATIAL, index, __func__);
    if (!status)
        status = lode__check_not_null(attachment, __func__, "attachment");
    if (!status)
        status = check_attachment(attachment, __func__);
    if (!status)
        status = check_place(&t, part, attachment->parent, attachment->link, __func__,
                             "attachment");
    if (status)
        return status;
    lode__tendon_part_numbers *numbers = PART(t.world, numbers, part);
    lode__tendon_line *line = &numbers->line;
    bool same = attachment->rest_length == line->rest && attachment->lo == line->lo &&
                attachment->hi == line->hi;
    status = lode__check(same || PART(t.world, tie, part)->child_count == 0, __func__, "attachment",
                         "rest_length, lo and hi are of leaves");
    if (status)
        return status;
    numbers->point = attachment->point;
    numbers->coefficient = attachment->coefficient;
    *line = (lode__tendon_line){attachment->rest_length, attachment->lo, attachment->hi,
                                line->impulse};
    if (wake)
        lode__articulation_wake(t.world, TENDON(t.world, tie, t.slot)->articulation, true);
    return LODE_OK;
}

lode_status lode_tendon_set_joint(lode_tendon tendon, int index, const lode_tendon_joint *joint,
                                  bool wake)
{
    lode__object t;
    uint32_t part = LODE__NONE;
    lode_status status = open_part(&t, &part, tendon, LODE_TENDON_FIXED, index, __func__);
    if (!status)
        status = lode__check_not_null(joint, __func__, "joint");
    if (!status)
        status = check_joint(joint, __func__);
    if (!status)
        status = check_place(&t, part, joint->parent, joint->link, __func__, "joint");
    if (!status)
        status = lode__check((uint32_t)joint->axis == PART(t.world, tie, part)->axis, __func__,
                             "joint.axis", "is as it was made");
    if (status)
        return status;
    PART(t.world, numbers, part)->coefficient = joint->coefficient;
    PART(t.world, numbers, part)->reciprocal = joint->reciprocal;
    if (wake)
        lode__articulation_wake(t.world, TENDON(t.world, tie, t.slot)->articulation, true);
    return LODE_OK;
}

/* ---- lengths */

static lode_vec3 point_of(const lode__object *t, uint32_t part)
{
    uint32_t link = PART(t->world, tie, part)->link;
    return pose_point(lode__body_frame(t->world, LINK(t->world, tie, link)->body),
                      PART(t->world, numbers, part)->point);
}

static lode_real length_to(const lode__object *t, uint32_t part)
{
    lode_real length = 0;
    for (;;) {
        uint32_t parent = PART(t->world, tie, part)->parent;
        lode_real coefficient = PART(t->world, numbers, part)->coefficient;
        if (parent == LODE__NONE)
            return length + coefficient * TENDON(t->world, numbers, t->slot)->offset;
        length += coefficient * v3_length(v3_sub(point_of(t, part), point_of(t, parent)));
        part = parent;
    }
}

static lode_real length_along(const lode__object *t)
{
    lode_real length = TENDON(t->world, numbers, t->slot)->offset;
    EACH_PART(t->world, t->slot, part)
    {
        const lode__tendon_part_tie *tie = PART(t->world, tie, part);
        if (tie->parent != LODE__NONE)
            length += PART(t->world, numbers, part)->coefficient *
                      LINK(t->world, state, tie->link)->position[tie->axis];
    }
    return length;
}

lode_real lode_tendon_get_length(lode_tendon tendon, int index)
{
    lode__object t;
    uint32_t part = LODE__NONE;
    if (lode__open_tendon(&t, tendon, __func__))
        return 0;
    if (TENDON(t.world, tie, t.slot)->type == LODE_TENDON_FIXED)
        return length_along(&t);
    return find_part(&t, index, &part, __func__, "index") ? 0 : length_to(&t, part);
}
