/* walk.h: what a query may see, and all shapes along a line.
 *
 * Rays and casts look at shapes in the same way: first those without bounds, which may hide what is
 * in the tree; then, the nearest first, those whose own bounds the line enters, told with where it
 * enters them. Two trees serve: the wide one if it stands, else the broad phase's. */
#ifndef LODE_COLLIDE_WALK_H
#define LODE_COLLIDE_WALK_H

#include "collide/kernels.h"
#include "collide/place.h"
#include "collide/query_type.h"
#include "collide/tree_cast.h"

/* Is the shape looked at? */
typedef bool lode__accept_fn(const void *context, uint32_t shape);

/* Does the hit on a part of the shape count? */
typedef bool lode__accept_part_fn(const void *context, uint32_t shape, const lode__part_hit *hit);

/* What a query may see. */
typedef struct lode__scope {
    const lode__collide *collide;
    const lode__pool *bodies;
    bool unfiltered; /* all is seen */
    uint64_t category, mask;
    lode__accept_fn *accept;           /* or null: all */
    lode__accept_part_fn *accept_part; /* or null: all; of shapes made of parts */
    const void *context;
} lode__scope;

/* True where filters of query and shape agree, and so does who asks. */
bool lode__scope_sees(const lode__scope *scope, uint32_t shape);

/* Looks at one shape, if the line enters its bounds within `most`. */
lode_real lode__walk_shape(const lode__scope *scope, const lode__slabs *slabs, uint32_t shape,
                           lode_real most, lode__placed_fn *look, void *context);

/* Looks at all shapes along the line within `most`. */
void lode__walk_shapes(const lode__scope *scope, const lode__slabs *slabs, lode_real most,
                       lode__placed_fn *look, void *context);

/* The wide tree, if it stands; else null. */
static inline const lode__wide_tree *scope_wide(const lode__scope *scope)
{
    return lode__collide_is_wide(scope->collide) ? &scope->collide->wide : NULL;
}

#endif
