/* joint_group.c: groups of joints, which are emptied at once. Most are of contacts and are filled
 * and emptied in each step: so joints lie in blocks that stay with the group. */
#include "ode/joint.h"

#include "ode/memory.h"

#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

typedef struct group_block {
    struct group_block *next;
    size_t used;
    _Alignas(16) char bytes[BLOCK_BYTES];
} group_block;

/* Records of members follow one another in a block, each behind its size. */
struct dxJointGroup {
    group_block *first, *now; /* null: none yet */
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
        *group = (struct dxJointGroup){NULL, NULL};
    return group;
}

static group_block *next_block(dJointGroupID group)
{
    group_block *block = group->now ? group->now->next : group->first;
    if (!block) {
        block = dAlloc(sizeof *block);
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

enum { AHEAD = 4 }; /* members */

/* What the end of a joint asks for, of the one that is at this place of the block; returns the next one's. */
static size_t fetch_bodies(const group_block *block, size_t at)
{
    if (at >= block->used)
        return at;
    const member *m = (const member *)(const void *)(block->bytes + at);
    const struct dxJoint *joint = (const void *)(m + 1);
    for (int i = 0; i < 2; ++i) {
        if (joint->node[i].body)
            __builtin_prefetch(&joint->node[i].body->joints, 1);
        if (joint->node[i].next)
            __builtin_prefetch(joint->node[i].next->node, 1);
    }
    return at + m->bytes;
}

/* Blocks stay, to be filled again. */
void dJointGroupEmpty(dJointGroupID group)
{
    if (!CHECK_GIVEN(group) || !group->now)
        return;
    for (group_block *block = group->first;; block = block->next) {
        size_t ahead = 0;
        for (int i = 0; i < AHEAD; ++i)
            ahead = fetch_bodies(block, ahead);
        for (size_t at = 0; at < block->used;) {
            member *m = (member *)(void *)(block->bytes + at);
            ahead = fetch_bodies(block, ahead);
            lode__ode_joint_end((dJointID)(void *)(m + 1));
            at += m->bytes;
        }
        if (block == group->now)
            break;
    }
    group->now = NULL;
}

void dJointGroupDestroy(dJointGroupID group)
{
    if (!CHECK_GIVEN(group))
        return;
    dJointGroupEmpty(group);
    for (group_block *block = group->first, *next; block; block = next) {
        next = block->next;
        dFree(block, sizeof *block);
    }
    dFree(group, sizeof *group);
}
