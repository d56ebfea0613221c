/* loop_joints.h: joints that an articulation knows as its loops: their list. */
#ifndef LODE_WORLD_LOOP_JOINTS_H
#define LODE_WORLD_LOOP_JOINTS_H

#include "world/articulation.h"

#define EACH_LOOP(world, articulation, joint) \
    for (uint32_t joint = ARTICULATION(world, head, articulation)->first_loop; \
         joint != LODE__NONE; joint = JOINT(world, loop, joint)->next)

/* How many rows a loop joint has: what its type holds, then its stops. */
uint32_t lode__loop_rows(const lode__world *world, uint32_t joint);
uint32_t lode__loops_rows(const lode__world *world, uint32_t articulation);

/* The joint leaves the list that it is in, if any. */
void lode__loop_leave(lode__world *world, uint32_t joint);

/* All of an articulation leave. */
void lode__loops_end(lode__world *world, uint32_t articulation);

#endif
