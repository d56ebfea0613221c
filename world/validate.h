/* validate.h: whether all tables of a world agree with each other. */
#ifndef LODE_WORLD_VALIDATE_H
#define LODE_WORLD_VALIDATE_H

#include "world/world.h"

/* Aborts when pools, lists, pairs, the tree, resting contacts, awake sets or counts contradict each
 * other. To be called between steps or stages. */
void lode__world_validate(const lode__world *world);

#endif
