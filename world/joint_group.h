/* joint_group.h: groups of joints as a pool of the world; see lode/joint_group.h. A group has the
 * handles of its joints, sorted by slot, as a space has those of its shapes (space.h). */
#ifndef LODE_WORLD_JOINT_GROUP_H
#define LODE_WORLD_JOINT_GROUP_H

#include "lode/joint_group.h"
#include "world/world.h"

typedef struct lode__joint_group {
    lode_joint *joints; /* by slot, no two of one slot; some may be gone */
    uint32_t count, capacity;
} lode__joint_group;

#define LODE__JOINT_GROUP_COMPONENTS(X) X(group, lode__joint_group, LODE__TRANSIENT, LODE__COLD)
LODE__POOL_DECLARE(joint_group, LODE__JOINT_GROUP_COMPONENTS)

#define JOINT_GROUP(world, slot) LODE__AT(joint_group, &(world)->joint_groups, group, slot)

void lode__joint_groups_free(lode__world *world);
size_t lode__joint_groups_bytes(const lode__world *world);

#endif
