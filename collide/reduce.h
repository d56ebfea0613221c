/* reduce.h: four of many contact points.
 *
 * Kept are the deepest point, the one farthest from it, the one farthest from the line through
 * both, and the one farthest outside that triangle; as in collide/box_reduce.h, one pair at a time.
 * Among points that are all but equal the first wins, so that rounding does not exchange them from
 * step to step. */
#ifndef LODE_COLLIDE_REDUCE_H
#define LODE_COLLIDE_REDUCE_H

#include "core/contact.h"
#include "core/double3.h"

/* Equal distances and areas, as a share. */
#define REDUCE_EQUAL_SHARE 0.98

typedef struct lode__candidate {
    lode__double3 position; /* midway between the surfaces */
    double depth;
    uint32_t feature;
} lode__candidate;

/* Moves the chosen points to the front of the list and returns how many they are, at most
 * LODE__MANIFOLD_POINTS. `normal` is that of the contact; depths within `equal` count as equal. */
int lode__reduce(lode__candidate *list, int count, lode__double3 normal, double equal);

#endif
