/* mesh_cut.h: cutting ranges of a mesh's triangles in two, for its tree.
 *
 * Boxes of triangles lie beside their numbers and change places with them, so a range is read from
 * end to end. */
#ifndef LODE_COLLIDE_MESH_CUT_H
#define LODE_COLLIDE_MESH_CUT_H

#include "collide/mesh.h"

/* Places in the order, and the box of what is there. */
typedef struct lode__mesh_range {
    uint32_t begin, end;
    lode__mesh_box box;
} lode__mesh_range;

typedef struct lode__mesh_heap {
    uint32_t *order; /* triangles by place */
    lode__mesh_box *boxes;
} lode__mesh_heap;

/* Half its surface. */
static inline float mesh_box_area(const lode__mesh_box *b)
{
    float x = b->hi[0] - b->lo[0], y = b->hi[1] - b->lo[1], z = b->hi[2] - b->lo[2];
    return x * y + y * z + z * x;
}

static inline uint32_t mesh_range_size(const lode__mesh_range *range)
{
    return range->end - range->begin;
}

/* All that is in the heap. */
lode__mesh_range lode__mesh_range_of(const lode__mesh_heap *heap, uint32_t begin, uint32_t end);

/* Cuts `left`, of at least two, in two, where the surface area heuristic is least; or in halves, as
 * it does too where no cut leaves something on both sides. */
void lode__mesh_cut(const lode__mesh_heap *heap, bool halve, lode__mesh_range *left,
                    lode__mesh_range *right);

#endif
