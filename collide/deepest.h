/* deepest.h: the deepest of many points of contact.
 *
 * Kept are those that are deeper than all others. Of points that are as deep as the last of them,
 * but for little, those that lie farthest from what is kept, so that what rests on a face that has
 * more corners than may count does not stand on neighbours. Points in one place count once, and so
 * does a feature of a surface that several of its triangles have named. */
#ifndef LODE_COLLIDE_DEEPEST_H
#define LODE_COLLIDE_DEEPEST_H

#include "core/contact.h"

/* Positions in it are from the centre of mass of a's body, and impulses mean nothing. */
typedef struct lode__two_point {
    lode__point point;
    lode_vec3 normal; /* unit, into a */
    uint32_t index;   /* for whoever lists points of his own */
} lode__two_point;

typedef struct lode__two_list {
    lode__two_point *items;
    uint32_t count, capacity;
} lode__two_list;

/* False: out of memory. */
bool lode__two_list_add(lode__two_list *list, const lode__two_point *point);

/* The square of point i's distance from the nearest of the first `kept`. */
lode_real lode__two_list_distance(const lode__two_list *list, uint32_t kept, uint32_t i);

/* Leaves at most `most` points, in the order that they had. What is less deep by 5 % of the
 * speculative margin at most is as deep, and within 1 % of it in one place if normals are alike,
 * too. */
void lode__keep_deepest(lode__two_list *list, uint32_t most, lode_real speculative);

#endif
