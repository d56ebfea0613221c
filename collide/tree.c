/* tree.c: insertion, removal and rotation in the broad phase's tree; see tree.h.
 *
 * Nodes move in memory: a leaf that gets a sibling moves down into the new pair, and a leaf that
 * loses its sibling moves up into its parent's place. lode__tree_place() is the one function that
 * writes a node to a place and tells its children, or leaf_of, where it went. */
#include "collide/tree.h"

#include "core/error.h"
#include "core/memory.h"

/* Rebuild when more than this share of the leaves moves, and more than a few. */
enum { REBUILD_SHARE = 8, REBUILD_LEAST = 32 };

/* Of a parent whose leaf has moved. */
#define MOST_GROWTH ((lode_real)1.25)

void lode__tree_init(lode__tree *tree)
{
    *tree = (lode__tree){.free_pair = LODE__NO_NODE, .node_end = 2};
}

void lode__tree_free(lode__tree *tree)
{
    lode__free(tree->nodes, tree->node_capacity * sizeof *tree->nodes);
    lode__free(tree->leaf_of, tree->leaf_capacity * sizeof *tree->leaf_of);
    lode__tree_init(tree);
}

void lode__tree_clear(lode__tree *tree)
{
    for (uint32_t i = 0; i < tree->leaf_capacity; ++i)
        tree->leaf_of[i] = LODE__NO_NODE;
    tree->free_pair = LODE__NO_NODE;
    tree->node_end = 2;
    tree->count = 0;
}

size_t lode__tree_bytes(const lode__tree *tree)
{
    return tree->node_capacity * sizeof *tree->nodes + tree->leaf_capacity * sizeof *tree->leaf_of;
}

bool lode__tree_reserve(lode__tree *tree, uint32_t leaves, uint32_t shapes)
{
    uint32_t old = tree->leaf_capacity;
    if (!lode__grow((void **)&tree->leaf_of, &tree->leaf_capacity, shapes, sizeof(uint32_t)))
        return false;
    for (uint32_t i = old; i < tree->leaf_capacity; ++i)
        tree->leaf_of[i] = LODE__NO_NODE;
    return lode__grow((void **)&tree->nodes, &tree->node_capacity, 2 * leaves + 2,
                      sizeof(lode__node));
}

/* --- boxes */

/* Half the surface. */
static inline lode_real area(const lode_real lo[3], const lode_real hi[3])
{
    lode_real x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return x * y + y * z + z * x;
}

static inline lode_real union_area(const lode__node *a, const lode__node *b)
{
    lode_real lo[3], hi[3];
    for (int i = 0; i < 3; ++i) {
        lo[i] = r_min(a->lo[i], b->lo[i]);
        hi[i] = r_max(a->hi[i], b->hi[i]);
    }
    return area(lo, hi);
}

/* --- links */

void lode__tree_place(lode__tree *tree, uint32_t node, lode__node content)
{
    content.parent = node == 0 ? LODE__NO_NODE : tree->nodes[node].parent;
    tree->nodes[node] = content;
    if (content.child & LODE__LEAF) {
        tree->leaf_of[content.child & ~(uint32_t)LODE__LEAF] = node;
    } else {
        tree->nodes[content.child].parent = node;
        tree->nodes[content.child + 1].parent = node;
    }
}

static uint32_t take_pair(lode__tree *tree, uint32_t parent)
{
    uint32_t pair = tree->free_pair;
    if (pair != LODE__NO_NODE) {
        tree->free_pair = tree->nodes[pair].child;
    } else {
        pair = tree->node_end;
        tree->node_end += 2;
        LODE__DEBUG_ASSERT(tree->node_end <= tree->node_capacity);
    }
    tree->nodes[pair].parent = parent;
    tree->nodes[pair + 1].parent = parent;
    return pair;
}

static void give_pair(lode__tree *tree, uint32_t pair)
{
    tree->nodes[pair].child = tree->free_pair;
    tree->free_pair = pair;
}

/* --- rotation: exchange a child with a grandchild of the other side */

static void rotate(lode__tree *tree, uint32_t n)
{
    uint32_t first = tree->nodes[n].child, best_child = 0, best_grand = 0;
    lode_real best_gain = 0;
    for (uint32_t c = first; c <= first + 1; ++c) {
        const lode__node *child = &tree->nodes[c], *other = &tree->nodes[c ^ 1];
        if (other->child & LODE__LEAF)
            continue;
        lode_real before = area(other->lo, other->hi);
        for (uint32_t g = other->child; g <= other->child + 1; ++g) {
            /* `child` goes where g is; what stays with it is g's sibling */
            lode_real gain = before - union_area(child, &tree->nodes[g ^ 1]);
            if (gain > best_gain) {
                best_gain = gain;
                best_child = c;
                best_grand = g;
            }
        }
    }
    if (best_child == 0)
        return;
    lode__node child = tree->nodes[best_child], grand = tree->nodes[best_grand];
    lode__tree_place(tree, best_child, grand);
    lode__tree_place(tree, best_grand, child);
    lode__node *other = &tree->nodes[best_child ^ 1];
    lode__node_unite(other, &tree->nodes[best_grand], &tree->nodes[best_grand ^ 1]);
}

static bool same_bounds(const lode__node *a, const lode__node *b)
{
    return a->lo[0] == b->lo[0] && a->lo[1] == b->lo[1] && a->lo[2] == b->lo[2] &&
           a->hi[0] == b->hi[0] && a->hi[1] == b->hi[1] && a->hi[2] == b->hi[2];
}

/* Makes unions right from `n` upwards until they are, and one node further, which may gain by a
 * rotation that was none before: it has new grandchildren. */
static void refit(lode__tree *tree, uint32_t n)
{
    for (int same = 0; n != LODE__NO_NODE && same < 2;) {
        lode__node *node = &tree->nodes[n], before = *node;
        rotate(tree, n);
        lode__node_unite(node, &tree->nodes[node->child], &tree->nodes[node->child + 1]);
        same = same_bounds(node, &before) ? same + 1 : 0;
        n = node->parent;
    }
}

/* --- insertion and removal */

/* The node that becomes the new leaf's sibling. Wherever it lands, the leaf costs the new parent's
 * surface and the growth of all above; going further down costs at least the leaf's own surface.
 * Where costs are equal the way leads down, left or right by the shape's bits, so that equal
 * boxes do not form a chain. */
static uint32_t find_sibling(const lode__tree *tree, const lode__node *leaf)
{
    lode_real own = area(leaf->lo, leaf->hi);
    uint32_t n = 0, coin = leaf->child * 0x9e3779b1u;
    while (!(tree->nodes[n].child & LODE__LEAF)) {
        const lode__node *node = &tree->nodes[n];
        lode_real here = union_area(node, leaf);
        lode_real grown = here - area(node->lo, node->hi), cost[2];
        for (uint32_t i = 0; i < 2; ++i) {
            const lode__node *child = &tree->nodes[node->child + i];
            cost[i] = grown + union_area(child, leaf);
            if (!(child->child & LODE__LEAF))
                cost[i] += own - area(child->lo, child->hi);
        }
        uint32_t side = cost[0] == cost[1] ? coin >> 31 : cost[1] < cost[0];
        coin = coin << 1 | coin >> 31;
        if (here < cost[side])
            break;
        n = node->child + side;
    }
    return n;
}

static void insert(lode__tree *tree, lode__node leaf)
{
    ++tree->count;
    if (tree->count == 1) {
        lode__tree_place(tree, 0, leaf);
        return;
    }
    uint32_t n = find_sibling(tree, &leaf);
    uint32_t pair = take_pair(tree, n);
    lode__tree_place(tree, pair, tree->nodes[n]);
    lode__tree_place(tree, pair + 1, leaf);
    tree->nodes[n].child = pair;
    refit(tree, n);
}

void lode__tree_remove(lode__tree *tree, uint32_t shape)
{
    if (!lode__tree_has(tree, shape))
        return;
    uint32_t n = tree->leaf_of[shape];
    tree->leaf_of[shape] = LODE__NO_NODE;
    --tree->count;
    if (n == 0)
        return;
    uint32_t parent = tree->nodes[n].parent;
    lode__tree_place(tree, parent, tree->nodes[n ^ 1]);
    give_pair(tree, n & ~(uint32_t)1);
    refit(tree, tree->nodes[parent].parent);
}

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
static bool stay(lode__tree *tree, uint32_t shape, const lode__aabb *bounds)
{
    uint32_t n = lode__tree_has(tree, shape) ? tree->leaf_of[shape] : 0;
    if (n == 0)
        return false;
    lode__node leaf = make_leaf(shape, bounds);
    uint32_t parent = tree->nodes[n].parent;
    const lode__node *around = &tree->nodes[parent];
    if (!(union_area(&leaf, &tree->nodes[n ^ 1]) <= MOST_GROWTH * area(around->lo, around->hi)))
        return false;
    lode__tree_place(tree, n, leaf);
    refit(tree, parent);
    return true;
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

void lode__tree_update(lode__tree *tree, const uint32_t *shapes, const lode__aabb *bounds,
                       uint32_t count, lode__tasks *tasks, lode__arena *arena)
{
    if (count > REBUILD_LEAST && count > tree->count / REBUILD_SHARE &&
        update_all(tree, shapes, bounds, count, tasks, arena))
        return;
    for (uint32_t i = 0; i < count; ++i) {
        if (stay(tree, shapes[i], &bounds[i]))
            continue;
        lode__tree_remove(tree, shapes[i]);
        insert(tree, make_leaf(shapes[i], &bounds[i]));
    }
}

/* --- checks */

static void validate_node(const lode__tree *tree, uint32_t n)
{
    const lode__node *node = &tree->nodes[n];
    if (node->child & LODE__LEAF) {
        LODE__ASSERT(tree->leaf_of[node->child & ~(uint32_t)LODE__LEAF] == n);
        return;
    }
    const lode__node *first = &tree->nodes[node->child], *second = first + 1;
    LODE__ASSERT(first->parent == n && second->parent == n);
    for (int i = 0; i < 3; ++i) {
        LODE__ASSERT(node->lo[i] == r_min(first->lo[i], second->lo[i]));
        LODE__ASSERT(node->hi[i] == r_max(first->hi[i], second->hi[i]));
    }
}

void lode__tree_validate(const lode__tree *tree)
{
    uint32_t leaves = 0, n = tree->count > 0 ? 0 : LODE__NO_NODE;
    while (n != LODE__NO_NODE) {
        validate_node(tree, n);
        if (!(tree->nodes[n].child & LODE__LEAF)) {
            n = tree->nodes[n].child;
            continue;
        }
        ++leaves;
        while (n & 1)
            n = tree->nodes[n].parent;
        n = n == 0 ? (uint32_t)LODE__NO_NODE : n + 1;
    }
    LODE__ASSERT(leaves == tree->count);
}
