/* tree_update.c: new fat bounds for many shapes at once; see tree.h.
 *
 * A leaf that has moved a little stays where it is, another one is taken out and finds itself a new
 * place, and when many move the whole tree is built anew. Where leaves of one group follow each
 * other in the list, the group's entry is looked at in the same way after the last of them. */
#include "collide/tree.h"

/* Rebuild when more than this share of the leaves moves, and more than a few. */
enum { REBUILD_SHARE = 8, REBUILD_LEAST = 32 };

/* Of a parent whose child has moved. */
#define MOST_GROWTH ((lode_real)1.25)

static lode__node make_leaf(uint32_t shape, const lode__aabb *bounds)
{
    lode__node leaf = {.parent = LODE__NO_NODE, .child = shape | LODE__LEAF};
    for (int i = 0; i < 3; ++i) {
        leaf.lo[i] = bounds->lo[i];
        leaf.hi[i] = bounds->hi[i];
    }
    return leaf;
}

/* Gives a leaf that has moved a little its new box, and leaves it where it is: that costs less than
 * to take it out and find it a place. False when its parent would grow by more than MOST_GROWTH. */
static bool stay(lode__tree *tree, const lode__node *leaf)
{
    uint32_t shape = leaf->child & ~(uint32_t)LODE__LEAF;
    uint32_t n = lode__tree_has(tree, shape) ? tree->leaf_of[shape] : 0;
    if (n == 0)
        return false;
    uint32_t parent = tree->nodes[n].parent;
    lode__node grown;
    lode__node_unite(&grown, leaf, &tree->nodes[n ^ 1]);
    if (!(lode__node_area(&grown) <= MOST_GROWTH * lode__node_area(&tree->nodes[parent])))
        return false;
    lode__tree_place(tree, n, *leaf);
    lode__tree_refit(tree, parent);
    return true;
}

static void update_leaf(lode__tree *tree, uint32_t shape, const lode__aabb *bounds)
{
    lode__node leaf = make_leaf(shape, bounds);
    if (stay(tree, &leaf))
        return;
    lode__tree_remove(tree, shape);
    lode__tree_insert(tree, leaf);
}

/* The parent of a group's entry; LODE__NO_NODE: there is none. */
static uint32_t above_entry(const lode__tree *tree, uint32_t group)
{
    uint32_t leaf = tree->group_leaf[group];
    if (leaf == LODE__NONE)
        return LODE__NO_NODE;
    return tree->nodes[lode__tree_entry(tree, tree->leaf_of[leaf])].parent;
}

/* Shapes of one group. */
static void update_group(lode__tree *tree, const uint32_t *shapes, const lode__aabb *bounds,
                         uint32_t count, uint32_t group)
{
    uint32_t above = above_entry(tree, group);
    lode_real room = above == LODE__NO_NODE ? 0 : lode__node_area(&tree->nodes[above]);
    for (uint32_t i = 0; i < count; ++i)
        update_leaf(tree, shapes[i], &bounds[i]);
    above = above_entry(tree, group);
    if (above != LODE__NO_NODE && !(lode__node_area(&tree->nodes[above]) <= MOST_GROWTH * room))
        lode__tree_move_entry(tree, lode__tree_entry(tree, tree->leaf_of[shapes[0]]));
}

/* Builds the tree anew over its leaves and the new ones. */
static bool update_all(lode__tree *tree, const uint32_t *shapes, const lode__aabb *bounds,
                       uint32_t count, lode__tasks *tasks, lode__arena *arena)
{
    lode__node *leaves = LODE__TAKE(arena, lode__node, tree->count + count);
    if (!leaves)
        return false;
    uint32_t fresh = tree->count, n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        lode__node leaf = make_leaf(shapes[i], &bounds[i]);
        if (lode__tree_has(tree, shapes[i]))
            lode__tree_place(tree, tree->leaf_of[shapes[i]], leaf);
        else
            leaves[fresh++] = leaf;
    }
    for (uint32_t shape = 0; shape < tree->leaf_capacity && n < tree->count; ++shape)
        if (tree->leaf_of[shape] != LODE__NO_NODE)
            leaves[n++] = *lode__tree_leaf(tree, shape);
    return lode__tree_build(tree, leaves, fresh, tasks, arena);
}

/* How many shapes from the first on are of its group. */
static uint32_t run_of(const lode__tree *tree, const uint32_t *shapes, uint32_t count)
{
    uint32_t run = 1, group = lode__tree_group(tree, shapes[0]);
    while (run < count && lode__tree_group(tree, shapes[run]) == group)
        ++run;
    return run;
}

void lode__tree_update(lode__tree *tree, const uint32_t *shapes, const lode__aabb *bounds,
                       uint32_t count, lode__tasks *tasks, lode__arena *arena)
{
    if (count > REBUILD_LEAST && count > tree->count / REBUILD_SHARE &&
        update_all(tree, shapes, bounds, count, tasks, arena))
        return;
    for (uint32_t i = 0, run; i < count; i += run) {
        uint32_t group = lode__tree_group(tree, shapes[i]);
        run = group == LODE__NONE ? 1 : run_of(tree, &shapes[i], count - i);
        if (group == LODE__NONE)
            update_leaf(tree, shapes[i], &bounds[i]);
        else
            update_group(tree, &shapes[i], &bounds[i], run, group);
    }
}
