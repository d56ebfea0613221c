/* tree.h: the broad phase's dynamic tree of bounding boxes.
 *
 * Every bounded shape is a leaf that holds its fat bounds: this step's bounds and a margin, so
 * that a shape which moves little leaves the tree alone. Inner nodes hold the union of their two
 * children.
 *
 *     nodes[0]             root             the two children of a node lie side by side, 2p and
 *     nodes[2p], [2p+1]    siblings         2p+1: one cache line in single precision; slot 1
 *                                           is never used
 *
 * A walk needs no stack: after a node it goes to the sibling 2p+1, or climbs while it stands on a
 * second child.
 *
 * Shapes may be put into groups. What is in the tree of a group is one entry of it: a branch that
 * is closed, which means that no other leaf enters it, no rotation crosses its top, and it moves as
 * a whole. A walk knows nothing of that: it enters the branch as any other. A group of one leaf is
 * a leaf.
 *
 * Leaves go where they add least surface (Goldsmith and Salmon 1987) and ancestors are rotated
 * where that saves surface (Kopta et al. 2012). When many leaves move at once the tree is built
 * anew along a Morton curve (Lauterbach et al. 2009), which costs less than to move an eighth of
 * them one by one.
 *
 * Promise: neither the tree's form nor its fat bounds decide about a contact; they only limit the
 * pairs that are looked at, and every pair within the speculative margin is among them. */
#ifndef LODE_COLLIDE_TREE_H
#define LODE_COLLIDE_TREE_H

#include "core/arena.h"
#include "core/math.h"
#include "core/shapes.h"
#include "core/tasks.h"

enum { LODE__LEAF = (int)0x80000000, LODE__CLOSED = 0x40000000, LODE__NO_NODE = 0x7fffffff };

typedef struct lode__node {
    lode_real lo[3];
    uint32_t parent; /* of the root: LODE__NO_NODE */
    lode_real hi[3];
    uint32_t child; /* the first of two, with the bit LODE__CLOSED at the top of a group; or a
                       shape's slot with the bit LODE__LEAF */
} lode__node;

typedef struct lode__tree {
    lode__node *nodes;
    uint32_t node_capacity;
    uint32_t node_end;  /* one past the highest node ever used since the last build */
    uint32_t free_pair; /* first node of a free pair, linked by `child`; or LODE__NO_NODE */
    uint32_t *leaf_of;  /* node of each shape, or LODE__NO_NODE */
    uint32_t leaf_capacity;
    uint32_t count;     /* leaves */
    uint32_t *group_of; /* of each shape, or LODE__NONE; null until there is a group */
    uint32_t group_of_capacity;
    uint32_t *group_leaf; /* of each group some shape that is in the tree, or LODE__NONE */
    uint32_t group_capacity;
} lode__tree;

void lode__tree_init(lode__tree *tree);
void lode__tree_free(lode__tree *tree);

/* Removes all leaves and keeps the memory. */
void lode__tree_clear(lode__tree *tree);

/* Makes room for `leaves` leaves of shapes below `shapes`; then updates of as many cannot fail.
 * False: out of memory, nothing changed. */
bool lode__tree_reserve(lode__tree *tree, uint32_t leaves, uint32_t shapes);

/* Makes room for groups below `groups`. False: out of memory, nothing changed. */
bool lode__tree_reserve_groups(lode__tree *tree, uint32_t groups);

/* The shape, in the tree or not, belongs to this group from now on, for which there is room, or to
 * none: LODE__NONE. */
void lode__tree_set_group(lode__tree *tree, uint32_t shape, uint32_t group);

/* Gives shapes new fat bounds; shapes that are not in the tree enter it. Each shape may be listed
 * once. Room must be reserved; `tasks`, which helps where there is much to do, may be null; `arena`
 * serves as scratch and may be exhausted without harm. */
void lode__tree_update(lode__tree *tree, const uint32_t *shapes, const lode__aabb *bounds,
                       uint32_t count, lode__tasks *tasks, lode__arena *arena);

/* Removes the shape if it is there. */
void lode__tree_remove(lode__tree *tree, uint32_t shape);

/* Aborts when links, unions or counts contradict each other. */
void lode__tree_validate(const lode__tree *tree);

size_t lode__tree_bytes(const lode__tree *tree);

/* --- shared by tree.c, tree_update.c and tree_build.c */

/* Writes `content` to a node and tells its children, or leaf_of, where it is now. */
void lode__tree_place(lode__tree *tree, uint32_t node, lode__node content);

/* Makes unions right from `n` upwards; LODE__NO_NODE: there is nothing to do. */
void lode__tree_refit(lode__tree *tree, uint32_t n);

/* Puts a leaf into its group, or among the entries. */
void lode__tree_insert(lode__tree *tree, lode__node leaf);

/* Takes the entry at `n`, not the root, with its branch from where it is to where it fits best. */
void lode__tree_move_entry(lode__tree *tree, uint32_t n);

/* Builds the tree anew over `count` leaves, one at least, which need be in no order; `tasks` may be
 * null. False: no scratch memory, nothing changed. */
bool lode__tree_build(lode__tree *tree, lode__node *leaves, uint32_t count, lode__tasks *tasks,
                      lode__arena *arena);

/* Half the surface. */
static inline lode_real lode__node_area(const lode__node *node)
{
    lode_real x = node->hi[0] - node->lo[0], y = node->hi[1] - node->lo[1],
              z = node->hi[2] - node->lo[2];
    return x * y + y * z + z * x;
}

static inline void lode__node_unite(lode__node *out, const lode__node *a, const lode__node *b)
{
    for (int i = 0; i < 3; ++i) {
        out->lo[i] = r_min(a->lo[i], b->lo[i]);
        out->hi[i] = r_max(a->hi[i], b->hi[i]);
    }
}

/* --- reading */

/* The first child of an inner node. */
static inline uint32_t lode__node_first(const lode__node *node)
{
    return node->child & ~(uint32_t)LODE__CLOSED;
}

static inline const lode__node *lode__tree_leaf(const lode__tree *tree, uint32_t shape)
{
    return &tree->nodes[tree->leaf_of[shape]];
}

static inline bool lode__tree_has(const lode__tree *tree, uint32_t shape)
{
    return shape < tree->leaf_capacity && tree->leaf_of[shape] != LODE__NO_NODE;
}

static inline uint32_t lode__tree_group(const lode__tree *tree, uint32_t shape)
{
    return tree->group_of ? tree->group_of[shape] : LODE__NONE;
}

/* The node of the entry that a leaf, at node `n`, is in or is. */
static inline uint32_t lode__tree_entry(const lode__tree *tree, uint32_t n)
{
    for (uint32_t up = n; up != LODE__NO_NODE; up = tree->nodes[up].parent)
        if ((tree->nodes[up].child & (LODE__LEAF | LODE__CLOSED)) == LODE__CLOSED)
            return up;
    return n;
}

static inline bool lode__node_overlaps(const lode__node *a, const lode__node *b)
{
    /* without short cuts: the six comparisons are cheaper than a branch that is missed */
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
           (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

/* Walks over the leaves under the node `top` that overlap `box`: start with *cursor = top and call
 * until the answer is LODE__NONE. */
static inline uint32_t lode__tree_next_under(const lode__tree *tree, uint32_t top,
                                             const lode__node *box, uint32_t *cursor)
{
    uint32_t n = *cursor;
    while (n != LODE__NO_NODE) {
        const lode__node *node = &tree->nodes[n];
        bool hit = lode__node_overlaps(node, box);
        if (hit && !(node->child & LODE__LEAF)) {
            n = lode__node_first(node);
            continue;
        }
        uint32_t shape = node->child;
        while (n != top && (n & 1))
            n = tree->nodes[n].parent;
        n = n == top ? (uint32_t)LODE__NO_NODE : n + 1;
        if (hit) {
            *cursor = n;
            return shape & ~(uint32_t)LODE__LEAF;
        }
    }
    return LODE__NONE;
}

/* The same of the whole tree: start with *cursor = 0. */
static inline uint32_t lode__tree_next(const lode__tree *tree, const lode__node *box,
                                       uint32_t *cursor)
{
    return tree->count > 0 ? lode__tree_next_under(tree, 0, box, cursor) : LODE__NONE;
}

#endif
