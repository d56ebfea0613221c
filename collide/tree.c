/* tree.c: insertion, removal, rotation and groups in the broad phase's tree; see tree.h.
 *
 * Nodes move in memory: a leaf that gets a sibling moves down into the new pair, and a leaf that
 * loses its sibling moves up into its parent's place. lode__tree_place() is the one function that
 * writes a node to a place and tells its children, or leaf_of, where it went. */
#include "collide/tree.h"

#include "core/error.h"
#include "core/memory.h"

/* What insertion and rotation do not look into. */
enum { WHOLE = LODE__LEAF | LODE__CLOSED };

void lode__tree_init(lode__tree *tree)
{
    *tree = (lode__tree){.free_pair = LODE__NO_NODE, .node_end = 2};
}

void lode__tree_free(lode__tree *tree)
{
    lode__free(tree->nodes, tree->node_capacity * sizeof *tree->nodes);
    lode__free(tree->leaf_of, tree->leaf_capacity * sizeof *tree->leaf_of);
    lode__free(tree->group_of, tree->group_of_capacity * sizeof *tree->group_of);
    lode__free(tree->group_leaf, tree->group_capacity * sizeof *tree->group_leaf);
    lode__tree_init(tree);
}

void lode__tree_clear(lode__tree *tree)
{
    for (uint32_t i = 0; i < tree->leaf_capacity; ++i)
        tree->leaf_of[i] = LODE__NO_NODE;
    for (uint32_t i = 0; i < tree->group_capacity; ++i)
        tree->group_leaf[i] = LODE__NONE;
    tree->free_pair = LODE__NO_NODE;
    tree->node_end = 2;
    tree->count = 0;
}

size_t lode__tree_bytes(const lode__tree *tree)
{
    return tree->node_capacity * sizeof *tree->nodes +
           ((size_t)tree->leaf_capacity + tree->group_of_capacity + tree->group_capacity) *
               sizeof(uint32_t);
}

/* Numbers, new ones with this value. */
static bool grow(uint32_t **numbers, uint32_t *capacity, uint32_t wanted, uint32_t value)
{
    uint32_t old = *capacity;
    if (!lode__grow((void **)numbers, capacity, wanted, sizeof **numbers))
        return false;
    for (uint32_t i = old; i < *capacity; ++i)
        (*numbers)[i] = value;
    return true;
}

bool lode__tree_reserve(lode__tree *tree, uint32_t leaves, uint32_t shapes)
{
    return grow(&tree->leaf_of, &tree->leaf_capacity, shapes, LODE__NO_NODE) &&
           (!tree->group_of ||
            grow(&tree->group_of, &tree->group_of_capacity, tree->leaf_capacity, LODE__NONE)) &&
           lode__grow((void **)&tree->nodes, &tree->node_capacity, 2 * leaves + 2,
                      sizeof(lode__node));
}

bool lode__tree_reserve_groups(lode__tree *tree, uint32_t groups)
{
    uint32_t shapes = tree->leaf_capacity > 0 ? tree->leaf_capacity : 1;
    return grow(&tree->group_leaf, &tree->group_capacity, groups, LODE__NONE) &&
           grow(&tree->group_of, &tree->group_of_capacity, shapes, LODE__NONE);
}

/* --- boxes */

static inline lode_real union_area(const lode__node *a, const lode__node *b)
{
    lode__node both;
    lode__node_unite(&both, a, b);
    return lode__node_area(&both);
}

/* --- links */

void lode__tree_place(lode__tree *tree, uint32_t node, lode__node content)
{
    content.parent = node == 0 ? LODE__NO_NODE : tree->nodes[node].parent;
    tree->nodes[node] = content;
    if (content.child & LODE__LEAF) {
        tree->leaf_of[content.child & ~(uint32_t)LODE__LEAF] = node;
    } else {
        uint32_t first = lode__node_first(&content);
        tree->nodes[first].parent = node;
        tree->nodes[first + 1].parent = node;
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
    uint32_t first = lode__node_first(&tree->nodes[n]), best_child = 0, best_grand = 0;
    lode_real best_gain = 0;
    for (uint32_t c = first; c <= first + 1; ++c) {
        const lode__node *child = &tree->nodes[c], *other = &tree->nodes[c ^ 1];
        if (other->child & WHOLE)
            continue;
        lode_real before = lode__node_area(other);
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

/* Until unions are right, and one node further, which may gain by a rotation that was none before:
 * it has new grandchildren. */
void lode__tree_refit(lode__tree *tree, uint32_t n)
{
    for (int same = 0; n != LODE__NO_NODE && same < 2;) {
        lode__node *node = &tree->nodes[n], before = *node;
        rotate(tree, n);
        uint32_t first = lode__node_first(node);
        lode__node_unite(node, &tree->nodes[first], &tree->nodes[first + 1]);
        same = same_bounds(node, &before) ? same + 1 : 0;
        n = node->parent;
    }
}

/* --- insertion and removal */

/* The node, under `top`, that becomes the new one's sibling. Wherever it lands, it costs the new
 * parent's surface and the growth of all above; going further down costs at least its own surface.
 * Where costs are equal the way leads down, left or right by the bits of its number, so that equal
 * boxes do not form a chain. */
static uint32_t find_sibling(const lode__tree *tree, uint32_t top, const lode__node *content)
{
    lode_real own = lode__node_area(content);
    uint32_t n = top, coin = content->child * 0x9e3779b1u;
    while (!(tree->nodes[n].child & LODE__LEAF)) {
        const lode__node *node = &tree->nodes[n];
        lode_real here = union_area(node, content);
        lode_real grown = here - lode__node_area(node), cost[2];
        for (uint32_t i = 0; i < 2; ++i) {
            const lode__node *child = &tree->nodes[lode__node_first(node) + i];
            cost[i] = grown + union_area(child, content);
            if (!(child->child & WHOLE))
                cost[i] += own - lode__node_area(child);
        }
        uint32_t side = cost[0] == cost[1] ? coin >> 31 : cost[1] < cost[0];
        coin = coin << 1 | coin >> 31;
        if (here < cost[side])
            break;
        n = lode__node_first(node) + side;
        if (tree->nodes[n].child & LODE__CLOSED)
            break;
    }
    return n;
}

/* Gives the node `n` a sibling, and both a parent where it was. A group's top that gets one from
 * its group opens, and the parent is the top. */
static void join(lode__tree *tree, uint32_t n, lode__node content, bool opens)
{
    uint32_t pair = take_pair(tree, n);
    lode__node sibling = tree->nodes[n];
    if (opens && !(sibling.child & LODE__LEAF))
        sibling.child &= ~(uint32_t)LODE__CLOSED;
    lode__tree_place(tree, pair, sibling);
    lode__tree_place(tree, pair + 1, content);
    tree->nodes[n].child = pair | (opens ? LODE__CLOSED : 0);
    lode__tree_refit(tree, n);
}

static void join_entries(lode__tree *tree, lode__node content)
{
    bool single = tree->nodes[0].child & LODE__CLOSED;
    join(tree, single ? 0 : find_sibling(tree, 0, &content), content, false);
}

void lode__tree_insert(lode__tree *tree, lode__node leaf)
{
    uint32_t shape = leaf.child & ~(uint32_t)LODE__LEAF, group = lode__tree_group(tree, shape);
    uint32_t fellow = group == LODE__NONE ? LODE__NONE : tree->group_leaf[group];
    ++tree->count;
    if (tree->count == 1) {
        lode__tree_place(tree, 0, leaf);
    } else if (fellow == LODE__NONE) {
        join_entries(tree, leaf);
    } else {
        uint32_t top = lode__tree_entry(tree, tree->leaf_of[fellow]);
        uint32_t n = find_sibling(tree, top, &leaf);
        join(tree, n, leaf, n == top);
    }
    if (group != LODE__NONE && fellow == LODE__NONE)
        tree->group_leaf[group] = shape;
}

/* Takes the node `n`, not the root, out of the tree with what is under it: its sibling takes the
 * place of their parent, and closes its group if that did. */
static void part(lode__tree *tree, uint32_t n)
{
    uint32_t parent = tree->nodes[n].parent;
    lode__node sibling = tree->nodes[n ^ 1];
    if (!(sibling.child & LODE__LEAF))
        sibling.child |= tree->nodes[parent].child & LODE__CLOSED;
    lode__tree_place(tree, parent, sibling);
    give_pair(tree, n & ~(uint32_t)1);
    lode__tree_refit(tree, tree->nodes[parent].parent);
}

void lode__tree_move_entry(lode__tree *tree, uint32_t n)
{
    lode__node content = tree->nodes[n];
    part(tree, n);
    join_entries(tree, content);
}

/* A group's leaf goes: another one stands for the group, if there is one. */
static void leave_group(lode__tree *tree, uint32_t shape)
{
    uint32_t group = lode__tree_group(tree, shape), n = tree->leaf_of[shape];
    if (group == LODE__NONE || tree->group_leaf[group] != shape)
        return;
    bool alone = lode__tree_entry(tree, n) == n;
    for (n ^= 1; !alone && !(tree->nodes[n].child & LODE__LEAF);)
        n = lode__node_first(&tree->nodes[n]);
    tree->group_leaf[group] = alone ? LODE__NONE : tree->nodes[n].child & ~(uint32_t)LODE__LEAF;
}

void lode__tree_remove(lode__tree *tree, uint32_t shape)
{
    if (!lode__tree_has(tree, shape))
        return;
    uint32_t n = tree->leaf_of[shape];
    leave_group(tree, shape);
    tree->leaf_of[shape] = LODE__NO_NODE;
    --tree->count;
    if (n != 0)
        part(tree, n);
}

void lode__tree_set_group(lode__tree *tree, uint32_t shape, uint32_t group)
{
    if (lode__tree_group(tree, shape) == group)
        return;
    bool there = lode__tree_has(tree, shape);
    lode__node leaf = {.child = 0};
    if (there)
        leaf = *lode__tree_leaf(tree, shape);
    lode__tree_remove(tree, shape);
    tree->group_of[shape] = group;
    if (!there)
        return;
    lode__tree_insert(tree, leaf);
}

/* --- checks */

static void validate_node(const lode__tree *tree, uint32_t n)
{
    const lode__node *node = &tree->nodes[n];
    if (node->child & LODE__LEAF) {
        LODE__ASSERT(tree->leaf_of[node->child & ~(uint32_t)LODE__LEAF] == n);
        return;
    }
    const lode__node *first = &tree->nodes[lode__node_first(node)], *second = first + 1;
    LODE__ASSERT(first->parent == n && second->parent == n);
    for (int i = 0; i < 3; ++i) {
        LODE__ASSERT(node->lo[i] == r_min(first->lo[i], second->lo[i]));
        LODE__ASSERT(node->hi[i] == r_max(first->hi[i], second->hi[i]));
    }
}

/* A leaf of a group has the leaf that stands for it in its entry. */
static void validate_group(const lode__tree *tree, uint32_t shape)
{
    uint32_t group = lode__tree_group(tree, shape), n = tree->leaf_of[shape];
    uint32_t entry = lode__tree_entry(tree, n);
    LODE__ASSERT(group != LODE__NONE || entry == n);
    if (group == LODE__NONE)
        return;
    uint32_t fellow = tree->group_leaf[group];
    LODE__ASSERT(lode__tree_has(tree, fellow) && tree->group_of[fellow] == group);
    LODE__ASSERT(lode__tree_entry(tree, tree->leaf_of[fellow]) == entry);
    LODE__ASSERT(entry != n || fellow == shape);
    LODE__ASSERT(entry == 0 ||
                 lode__tree_entry(tree, tree->nodes[entry].parent) == tree->nodes[entry].parent);
}

void lode__tree_validate(const lode__tree *tree)
{
    uint32_t leaves = 0, n = tree->count > 0 ? 0 : LODE__NO_NODE;
    while (n != LODE__NO_NODE) {
        validate_node(tree, n);
        if (!(tree->nodes[n].child & LODE__LEAF)) {
            n = lode__node_first(&tree->nodes[n]);
            continue;
        }
        validate_group(tree, tree->nodes[n].child & ~(uint32_t)LODE__LEAF);
        ++leaves;
        while (n & 1)
            n = tree->nodes[n].parent;
        n = n == 0 ? (uint32_t)LODE__NO_NODE : n + 1;
    }
    LODE__ASSERT(leaves == tree->count);
    for (uint32_t g = 0; g < tree->group_capacity; ++g)
        LODE__ASSERT(tree->group_leaf[g] == LODE__NONE ||
                     (lode__tree_has(tree, tree->group_leaf[g]) &&
                      tree->group_of[tree->group_leaf[g]] == g));
}
