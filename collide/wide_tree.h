/* wide_tree.h: the shapes of a world as rays like them: a tree whose nodes have eight children,
 * asked all at once.
 *
 * It is made from the broad phase's tree (collide/tree.h) and lives until something moves. A node
 * takes its binary node's children and opens the largest of them in turn until it has eight (Wald,
 * Benthin and Boulos 2008, "Getting rid of packets"). Leaves are shapes, placed once for all rays,
 * and boxes are the bounds that shapes have now, not the fat ones of the tree: where a ray enters a
 * leaf is where it enters the shape's bounds.
 *
 * To make it costs as much as it saves a ray per few shapes, so it is made when as many rays have
 * been cast since the last change (fresh.c). Whichever tree is walked, results are the same: see
 * ray.h. */
#ifndef LODE_COLLIDE_WIDE_TREE_H
#define LODE_COLLIDE_WIDE_TREE_H

#include "collide/kernels.h"
#include "core/pool.h"

#include <stdatomic.h>

struct lode__collide;
struct lode__placed; /* collide/place.h */

/* No tree that is deeper is made. A walk leaves at most seven children of each level behind. */
enum { LODE__WIDE_DEEP = 60, LODE__WIDE_STACK = LODE_LANES * LODE__WIDE_DEEP };

/* In place of a child whose box cannot be entered: there is none. */
#define LODE__WIDE_NONE UINT32_MAX

typedef struct lode__wide_node {
    lode__lanes box[6];         /* of the children: lower corners x, y, z, then upper ones */
    uint32_t child[LODE_LANES]; /* a node, or the number of a leaf with the bit LODE__LEAF */
} lode__wide_node;

typedef struct lode__wide_tree {
    lode__wide_node *nodes; /* the first is the root; parents come before children */
    struct lode__placed *leaves;
    uint32_t node_count, node_capacity, leaf_count, leaf_capacity;
    atomic_bool ready;
    atomic_uint asked; /* rays since the last change */
} lode__wide_tree;

/* Makes the tree of all shapes in the broad phase's tree. False: there is no memory, or it would be
 * too deep. */
bool lode__wide_build(lode__wide_tree *wide, const struct lode__collide *collide,
                      const lode__pool *bodies);

void lode__wide_free(lode__wide_tree *wide);
size_t lode__wide_bytes(const lode__wide_tree *wide);

/* A shape has moved, has changed or is gone. */
static inline void lode__wide_drop(lode__wide_tree *wide)
{
    atomic_store_explicit(&wide->ready, false, memory_order_relaxed);
    atomic_store_explicit(&wide->asked, 0, memory_order_relaxed);
}

#endif
