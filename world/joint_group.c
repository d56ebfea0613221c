/* joint_group.c: groups of joints: making and ending them, what is in them, and emptying them.
 *
 * A joint leaves the lists of its bodies without a walk (edges.c), so emptying a group takes the
 * time of its joints, whatever else hangs on their bodies. */
#include "world/joint_group.h"

#include <string.h>

#include "core/memory.h"
#include "world/check.h"

#define JOINT_GROUP_ROW(...) LODE__POOL_ROW_(lode__joint_group_chunk, __VA_ARGS__)
LODE__POOL_DEFINE(joint_group, LODE__JOINT_GROUP_COMPONENTS, JOINT_GROUP_ROW)

/* ---- who is in ---- */

/* The first that is not below the slot. */
static uint32_t place_of_slot(const lode__joint_group *group, uint32_t slot)
{
    uint32_t begin = 0, end = group->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (id_slot(group->joints[middle].id) < slot)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static bool holds(const lode__joint_group *group, lode_joint joint)
{
    uint32_t at = place_of_slot(group, id_slot(joint.id));
    return at < group->count && group->joints[at].id == joint.id;
}

static bool lives(lode_joint joint)
{
    lode__object j;
    return lode__find_joint(&j, joint);
}

/* ---- life ---- */

lode_joint_group lode_joint_group_create(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return (lode_joint_group){0};
    lode__pool *groups = &w->joint_groups;
    uint32_t slot = lode__pool_reserve(groups, 1) ? lode__pool_add(groups) : LODE__NONE;
    if (slot == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return (lode_joint_group){0};
    }
    return (lode_joint_group){id_of_object(w->entry, groups, slot)};
}

static void empty(lode__world *world, uint32_t slot)
{
    lode__joint_group *group = JOINT_GROUP(world, slot);
    while (group->count > 0) {
        lode_joint last = group->joints[--group->count];
        if (lives(last))
            lode__joint_remove(world, id_slot(last.id));
    }
}

static void free_joints(lode__joint_group *group)
{
    lode__free(group->joints, group->capacity * sizeof *group->joints);
}

lode_status lode_joint_group_destroy(lode_joint_group group, bool joints_too)
{
    lode__object g;
    lode_status status = lode__open_joint_group(&g, group, __func__);
    if (status)
        return status;
    if (joints_too)
        empty(g.world, g.slot);
    free_joints(JOINT_GROUP(g.world, g.slot));
    lode__pool_remove(&g.world->joint_groups, g.slot);
    return LODE_OK;
}

lode_status lode_joint_group_empty(lode_joint_group group)
{
    lode__object g;
    lode_status status = lode__open_joint_group(&g, group, __func__);
    if (!status)
        empty(g.world, g.slot);
    return status;
}

bool lode_joint_group_is_valid(lode_joint_group group)
{
    lode__object g;
    return lode__find_joint_group(&g, group);
}

lode_world lode_joint_group_get_world(lode_joint_group group)
{
    lode__object g;
    return lode__open_joint_group(&g, group, __func__) ? (lode_world){0}
                                                       : (lode_world){g.world->id};
}

void lode__joint_groups_free(lode__world *world)
{
    const lode__bits *alive = &world->joint_groups.alive;
    for (uint32_t g = lode__bits_next(alive, 0); g != UINT32_MAX; g = lode__bits_next(alive, g + 1))
        free_joints(JOINT_GROUP(world, g));
    lode__pool_free(&world->joint_groups);
}

size_t lode__joint_groups_bytes(const lode__world *world)
{
    const lode__bits *alive = &world->joint_groups.alive;
    size_t bytes = lode__pool_bytes(&world->joint_groups);
    for (uint32_t g = lode__bits_next(alive, 0); g != UINT32_MAX; g = lode__bits_next(alive, g + 1))
        bytes += JOINT_GROUP(world, g)->capacity * sizeof(lode_joint);
    return bytes;
}

/* ---- its joints ---- */

/* Opens both, which are of one world. */
static lode_status open_both(lode__object *out, lode_joint_group group, lode_joint joint,
                             const char *function)
{
    lode__object j;
    lode_status status = lode__open_joint_group(out, group, function);
    return status ? status : lode__open_joint_of(&j, out->world, joint, function, "joint");
}

bool lode_joint_group_has(lode_joint_group group, lode_joint joint)
{
    lode__object g;
    return !open_both(&g, group, joint, __func__) && holds(JOINT_GROUP(g.world, g.slot), joint);
}

lode_status lode_joint_group_add(lode_joint_group group, lode_joint joint)
{
    lode__object g;
    lode_status status = open_both(&g, group, joint, __func__);
    if (status)
        return status;
    lode__joint_group *to = JOINT_GROUP(g.world, g.slot);
    uint32_t slot = id_slot(joint.id), at = place_of_slot(to, slot);
    if (at < to->count && id_slot(to->joints[at].id) == slot) {
        to->joints[at] = joint; /* itself, or what had its slot before */
        return LODE_OK;
    }
    if (!lode__grow((void **)&to->joints, &to->capacity, to->count + 1, sizeof *to->joints))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    memmove(to->joints + at + 1, to->joints + at, (to->count - at) * sizeof *to->joints);
    to->joints[at] = joint;
    ++to->count;
    return LODE_OK;
}

lode_status lode_joint_group_remove(lode_joint_group group, lode_joint joint)
{
    lode__object g;
    lode_status status = open_both(&g, group, joint, __func__);
    if (status)
        return status;
    lode__joint_group *from = JOINT_GROUP(g.world, g.slot);
    if (!holds(from, joint))
        return LODE_OK;
    uint32_t at = place_of_slot(from, id_slot(joint.id));
    --from->count;
    memmove(from->joints + at, from->joints + at + 1, (from->count - at) * sizeof *from->joints);
    return LODE_OK;
}

int lode_joint_group_get_joints(lode_joint_group group, lode_joint *out_joints, int capacity)
{
    lode__object g;
    int count = 0;
    if (lode__open_joint_group(&g, group, __func__) ||
        lode__check_capacity(out_joints, capacity, __func__, "out_joints"))
        return 0;
    const lode__joint_group *of = JOINT_GROUP(g.world, g.slot);
    for (uint32_t i = 0; i < of->count; ++i) {
        if (!lives(of->joints[i]))
            continue;
        if (count < capacity)
            out_joints[count] = of->joints[i];
        ++count;
    }
    return count;
}
