/* part_hit.h: where a line meets one of a shape's parts, such as a mesh's triangles. It goes from
 * the leaf that finds it to who asked as it is: copies of what was just written have to wait. */
#ifndef LODE_COLLIDE_PART_HIT_H
#define LODE_COLLIDE_PART_HIT_H

#include "core/math.h"

typedef struct lode__part_hit {
    lode_real t;    /* along the line, in lengths of its direction, at least 0 */
    lode_real u, v; /* of triangles: barycentric, of corners 1 and 2 */
    int32_t part;
    uint32_t place; /* of a mesh's triangle: in `order` */
    bool back;      /* from behind */
} lode__part_hit;

/* Hears of a hit, in no order, and says how far the line is to be followed from now on; below 0
 * ends the walk. */
typedef lode_real lode__part_hit_fn(void *context, const lode__part_hit *hit, lode_real most);

/* The same of one of up to eight lines. */
typedef lode_real lode__part_hits_fn(void *context, int lane, const lode__part_hit *hit,
                                     lode_real most);

#endif
