/* broad.h: other ways than the tree to find which fat bounds overlap.
 *
 * The tree is always there: queries walk it, and its leaves hold the fat bounds. A world may let
 * another method find the pairs. Once in a step in which shapes have moved, `build` makes an index
 * over the boxes of the tree's entries: shapes that have bounds, and groups of such, each one box.
 * Then each moved shape asks it, on any thread; of a group that it meets, it looks at the branch.
 * Whichever method answers, the boxes are the same, and so are the answers once they are sorted:
 * nothing in a result depends on the choice.
 *
 * Methods differ in what a scene costs them. All of them make their index anew, so where few shapes
 * move, the tree, which keeps its form, is the better choice. */
#ifndef LODE_COLLIDE_BROAD_H
#define LODE_COLLIDE_BROAD_H

#include "collide/tree.h"
#include "lode/world.h"

/* The boxes that an index is made of. */
typedef struct lode__boxes {
    const lode__node *const *items;
    uint32_t count;
    int axes[3]; /* the order in which axes matter */
} lode__boxes;

/* Told each overlapping item once, in any order; the asking one too. */
typedef void lode__overlap_fn(void *context, const lode__node *item);

typedef struct lode__broad_method {
    const char *name;
    /* An index in the arena; null: out of memory. There is at least one box. */
    void *(*build)(const lode__boxes *boxes, lode__arena *arena);
    void (*query)(const void *index, const lode__node *box, lode__overlap_fn *found,
                  void *context);
} lode__broad_method;

/* By lode_broad_phase; null for the tree. */
const lode__broad_method *lode__broad_method_for(lode_broad_phase kind);

extern const lode__broad_method lode__broad_simple;
extern const lode__broad_method lode__broad_sweep;
extern const lode__broad_method lode__broad_grid;
extern const lode__broad_method lode__broad_quadtree;

/* broad.c: a key that sorts as the number does; both zeros are one. */
uint64_t lode__real_key(lode_real x);

#endif
