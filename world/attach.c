/* attach.c: the bodies of a joint: which it may have, getting them, losing them, limbo, and what is
 * asked of two bodies. */
#include "core/math.h"
#include "lode/joint.h"
#include "solver/joints/joint_type.h"
#include "world/check.h"
#include "world/edges.h"
#include "world/joint.h"

/* ---- which bodies ---- */

lode_status lode__open_joint_bodies(const lode__joint_bodies *bodies, const lode__world *world,
                                    const char *function, lode__object *out_a, lode__object *out_b)
{
    *out_b = (lode__object){NULL, LODE__NONE};
    lode_status status = lode__open_member(out_a, world, bodies->a, function, bodies->argument_a);
    if (!status && bodies->b.id)
        status = lode__open_member(out_b, out_a->world, bodies->b, function, bodies->argument_b);
    return status;
}

lode_status lode__check_joint_bodies(const lode__joint_bodies *bodies, lode__object a,
                                     lode__object b, const char *function)
{
    bool to_world = b.slot == LODE__NONE;
    lode_status status = lode__check(to_world || a.slot != b.slot, function, bodies->argument_b,
                                     "must be another body than body_a");
    if (status)
        return status;
    bool moves = body_is_dynamic(a.world, a.slot) ||
                 (!to_world && body_is_dynamic(b.world, b.slot));
    return lode__check(moves, function, bodies->argument_a, "at least one body must be dynamic");
}

lode_real lode__anchor_distance(lode__object a, lode__object b, lode_vec3 anchor_a,
                                lode_vec3 anchor_b)
{
    lode_vec3 at_a = pose_point(lode__body_frame(a.world, a.slot), anchor_a);
    if (b.slot != LODE__NONE)
        anchor_b = pose_point(lode__body_frame(b.world, b.slot), anchor_b);
    return v3_length(v3_sub(at_a, anchor_b));
}

/* ---- coming and going ---- */

/* An angle starts as the one that is nearest to its stops; what adds up, at 0. */
static lode_real start_position(int type, const lode_joint_axis *axis)
{
    if (lode__axes_are_given(type))
        return 0;
    return r_max(r_min(0, axis->hi_stop), axis->lo_stop);
}

void lode__joint_enter(lode__world *world, uint32_t slot, lode_pose frame_a, lode_pose frame_b)
{
    lode__joint *joint = JOINT(world, joint, slot);
    joint->frame_a = frame_a;
    joint->frame_b = frame_b;
    *JOINT(world, anchors, slot) = (lode__joint_anchors){frame_a.position, frame_b.position};
    for (int i = 0; i < LODE_JOINT_AXES; ++i)
        JOINT(world, position, slot)->axis[i] = start_position(joint->type,
                                                               &JOINT(world, axes, slot)->axis[i]);
    lode__joint_derive_frames(world, slot);
    lode__joint_link(world, slot);
    lode__joint_refresh_pairs(world, slot);
}

void lode__joint_leave(lode__world *world, uint32_t slot)
{
    lode__joint *joint = JOINT(world, joint, slot);
    uint32_t coupling;
    while ((coupling = lode__coupling_of(world, slot)) != LODE__NONE)
        lode__joint_remove(world, coupling);
    lode__joint_changed(world, slot);
    lode__joint_unlink(world, slot);
    lode__joint_refresh_pairs(world, slot);
    joint->body_a = joint->body_b = LODE__NONE;
    lode__joint_derive_frames(world, slot);
    *JOINT(world, impulse, slot) = (lode__joint_impulse){.row = {0}};
    *JOINT(world, feedback, slot) = (lode__joint_feedback){.row = {0}};
    lode__joint_changed(world, slot);
}

void lode__joint_lose_body(lode__world *world, uint32_t slot)
{
    if (JOINT(world, joint, slot)->flags & LODE__JOINT_OUTLIVES)
        lode__joint_leave(world, slot);
    else
        lode__joint_remove(world, slot);
}

static lode_status attach(lode__object j, const lode__joint_bodies *bodies,
                          const lode_pose *frame_a, const lode_pose *frame_b, const char *function)
{
    lode__object a, b;
    lode_status status = lode__open_joint_bodies(bodies, j.world, function, &a, &b);
    if (!status)
        status = lode__check_joint_bodies(bodies, a, b, function);
    lode__joint *joint = JOINT(j.world, joint, j.slot);
    lode_real distance = joint->distance;
    if (!status && lode__keeps_distance(joint->type) && distance < 0) {
        distance = lode__anchor_distance(a, b, frame_a->position, frame_b->position);
        status = lode__check_joint_distance(j.world, distance, function, "frame_a");
    }
    if (status)
        return status;
    if (!lode__joined_reserve(&j.world->joined, 1))
        return lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
    lode__joint_leave(j.world, j.slot);
    joint->body_a = a.slot;
    joint->body_b = b.slot;
    joint->distance = distance;
    lode__joint_enter(j.world, j.slot, *frame_a, *frame_b);
    lode__joint_changed(j.world, j.slot);
    return LODE_OK;
}

lode_status lode_joint_attach(lode_joint joint, lode_body body_a, lode_body body_b,
                              lode_pose frame_a, lode_pose frame_b)
{
    lode__object j;
    lode__joint_bodies bodies = {body_a, body_b, "body_a", "body_b"};
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (!status)
        status = lode__check_pose(&frame_a, __func__, "frame_a");
    if (!status)
        status = lode__check_pose(&frame_b, __func__, "frame_b");
    return status ? status : attach(j, &bodies, &frame_a, &frame_b, __func__);
}

lode_status lode_joint_detach(lode_joint joint)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (!status)
        lode__joint_leave(j.world, j.slot);
    return status;
}

lode_status lode_joint_set_outlives_bodies(lode_joint joint, bool outlives_bodies)
{
    lode__object j;
    lode_status status = lode__open_pair_joint(&j, joint, __func__);
    if (status)
        return status;
    uint32_t *flags = &JOINT(j.world, joint, j.slot)->flags;
    *flags &= ~(uint32_t)LODE__JOINT_OUTLIVES;
    *flags |= outlives_bodies ? LODE__JOINT_OUTLIVES : 0;
    return LODE_OK;
}

/* ---- what is between two bodies ---- */

/* Opens both of one world; null for `b` is the world. */
static lode_status open_both(lode_body a, lode_body b, const char *function, lode__object *out_a,
                             uint32_t *out_b)
{
    lode__object second;
    lode__joint_bodies bodies = {a, b, "a", "b"};
    lode_status status = lode__open_joint_bodies(&bodies, NULL, function, out_a, &second);
    *out_b = second.slot;
    return status;
}

bool lode_bodies_are_connected(lode_body a, lode_body b)
{
    lode__object first;
    uint32_t second;
    return !open_both(a, b, __func__, &first, &second) && first.slot != second &&
           lode__joined_count(&first.world->joined, first.slot, second) > 0;
}

bool lode_bodies_are_connected_excluding(lode_body a, lode_body b, lode_joint_type type)
{
    lode__object first;
    uint32_t second;
    if (open_both(a, b, __func__, &first, &second) ||
        lode__check((unsigned)type < LODE_JOINT_TYPE_COUNT, __func__, "type",
                    "is not a joint type") ||
        first.slot == second)
        return false;
    const lode__joined *joined = &first.world->joined;
    return lode__joined_count(joined, first.slot, second) >
           lode__joined_count_of(joined, first.slot, second, (uint32_t)type);
}

/* The body of the two that has fewer joints; the world has no list. */
static uint32_t body_of_fewer(const lode__world *world, uint32_t a, uint32_t b)
{
    if (b == LODE__NONE)
        return a;
    uint32_t of_a = BODY(world, links, a)->first_edge, of_b = BODY(world, links, b)->first_edge;
    while (of_a != LODE__NO_EDGE && of_b != LODE__NO_EDGE) {
        of_a = lode__next_edge(world, of_a);
        of_b = lode__next_edge(world, of_b);
    }
    return of_a == LODE__NO_EDGE ? a : b;
}

/* Is the edge one of a joint between its body and another? */
static bool joins_to(const lode__world *world, uint32_t edge, uint32_t to)
{
    return lode__joint_body(world, edge >> 1, (edge & 1) ^ 1) == to &&
           !joint_is_linkage(JOINT(world, joint, edge >> 1));
}

int lode_bodies_get_joints(lode_body a, lode_body b, lode_joint *out_joints, int capacity)
{
    lode__object first;
    uint32_t second;
    if (open_both(a, b, __func__, &first, &second) ||
        lode__check_capacity(out_joints, capacity, __func__, "out_joints") || first.slot == second)
        return 0;
    const lode__world *world = first.world;
    int count = (int)lode__joined_count(&world->joined, first.slot, second);
    uint32_t from = body_of_fewer(world, first.slot, second);
    uint32_t to = from == second ? first.slot : second;
    uint32_t edge = BODY(world, links, from)->first_edge;
    for (int found = 0; found < count && found < capacity; edge = lode__next_edge(world, edge))
        if (joins_to(world, edge, to))
            out_joints[found++] = joint_handle(world, edge >> 1);
    return count;
}
