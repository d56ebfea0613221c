/* joint_group.c: groups of joints, which are emptied at once. Most are of contacts and are filled
 * and emptied in each step: so joints lie in blocks that stay with the group. */
#include "ode/joint.h"

#include "ode/memory.h"
#include "ode/slabs.h"

#include <string.h>

enum { BLOCK_BYTES = 32 * 1024 - 64 };

typedef struct group_block {
    struct group_block *next;
    size_t used;
    _Alignas(16) char bytes[BLOCK_BYTES];
} group_block;

/* Records of members follow one another in a block, each behind its size. */
struct dxJointGroup {
    group_block *first, *now; /* null: none yet */
    uint32_t count;           /* of members */
    dWorldID contacts_of;     /* all members are contacts of that world, and live; or null */
};

#define ROUND_UP(size) (((size) + 15) & ~(size_t)15)

typedef struct member {
    _Alignas(16) size_t bytes; /* of this record and the joint behind it */
} member;

dJointGroupID dJointGroupCreate(int max_size)
{
    (void)max_size; /* groups of any size grow */
    dJointGroupID group = dAlloc(sizeof *group);
    if (CHECK(group != NULL, "memory", "is wanting"))
        *group = (struct dxJointGroup){.first = NULL};
    return group;
}

static group_block *next_block(dJointGroupID group)
{
    group_block *block = group->now ? group->now->next : group->first;
    if (!block) {
        block = lode__ode_slab_take(sizeof *block);
        if (!block)
            return NULL;
        block->next = NULL;
        if (group->now)
            group->now->next = block;
        else
            group->first = block;
    }
    block->used = 0;
    return group->now = block;
}

void *lode__ode_group_take(dJointGroupID group, size_t size)
{
    size_t bytes = ROUND_UP(sizeof(member) + size);
    group_block *block = group->now;
    if (!block || BLOCK_BYTES - block->used < bytes)
        block = next_block(group);
    if (!block)
        return NULL;
    member *taken = (member *)(void *)(block->bytes + block->used);
    taken->bytes = bytes;
    block->used += bytes;
    return taken + 1;
}

void lode__ode_group_joined(dJointGroupID group, dJointID joint)
{
    bool alike = group->count == 0 || group->contacts_of == joint->world;
    group->contacts_of = alike && joint->type == &lode__ode_contact ? joint->world : NULL;
    ++group->count;
}

void lode__ode_group_left(dJointGroupID group)
{
    group->contacts_of = NULL;
}

static dJointID joint_of(group_block *block, size_t at)
{
    return (dJointID)(void *)(block->bytes + at + sizeof(member));
}

static size_t bytes_at(const group_block *block, size_t at)
{
    return ((const member *)(const void *)(block->bytes + at))->bytes;
}

static void end_one_by_one(dJointGroupID group)
{
    for (group_block *block = group->first;; block = block->next) {
        for (size_t at = 0; at < block->used; at += bytes_at(block, at))
            lode__ode_joint_end(joint_of(block, at));
        if (block == group->now)
            break;
    }
}

/* Blocks stay, to be filled again. */
void dJointGroupEmpty(dJointGroupID group)
{
    if (!CHECK_GIVEN(group) || !group->now)
        return;
    dWorldID world = group->contacts_of;
    if (world && group->count == world->contact_count)
        lode__ode_contacts_end(world);
    else
        end_one_by_one(group);
    group->now = NULL;
    group->count = 0;
    group->contacts_of = NULL;
}

void dJointGroupDestroy(dJointGroupID group)
{
    if (!CHECK_GIVEN(group))
        return;
    dJointGroupEmpty(group);
    for (group_block *block = group->first, *next; block; block = next) {
        next = block->next;
        lode__ode_slab_give(block, sizeof *block);
    }
    dFree(group, sizeof *group);
}
