/* wide_tree.c: how a wide tree is made; see wide_tree.h.
 *
 * Nodes are made from the root down, depth first, so that what a ray meets lies near in memory;
 * then, from the last to the first, each tells its parent the union of its children's boxes. */
#include "collide/wide_tree.h"

#include "collide/place.h"
#include "core/memory.h"

/* A part of the binary tree that becomes a node. */
typedef struct part {
    uint32_t top;    /* its root */
    uint32_t parent; /* wide node */
    uint32_t lane, depth;
} part;

typedef struct build {
    lode__wide_tree *wide;
    const lode__collide *collide;
    const lode__pool *bodies;
    part stack[LODE__WIDE_STACK];
    uint32_t depth;
} build;

void lode__wide_free(lode__wide_tree *wide)
{
    lode__free(wide->nodes, wide->node_capacity * sizeof *wide->nodes);
    lode__free(wide->leaves, wide->leaf_capacity * sizeof *wide->leaves);
    *wide = (lode__wide_tree){.nodes = NULL};
}

size_t lode__wide_bytes(const lode__wide_tree *wide)
{
    return wide->node_capacity * sizeof *wide->nodes + wide->leaf_capacity * sizeof *wide->leaves;
}

/* The binary nodes that become children of one. */
static int open_part(const lode__tree *tree, uint32_t top, uint32_t out[LODE_LANES])
{
    int count = 1;
    out[0] = top;
    while (count < LODE_LANES) {
        int largest = -1;
        lode_real most = -1;
        for (int i = 0; i < count; ++i) {
            const lode__node *node = &tree->nodes[out[i]];
            if (!(node->child & LODE__LEAF) && lode__node_area(node) > most) {
                most = lode__node_area(node);
                largest = i;
            }
        }
        if (largest < 0)
            break;
        out[largest] = lode__node_first(&tree->nodes[out[largest]]);
        out[count++] = out[largest] + 1;
    }
    return count;
}

/* An empty node: nothing enters boxes that are turned inside out. */
static uint32_t add_node(lode__wide_tree *wide)
{
    const lode_real infinite = (lode_real)__builtin_inf();
    if (!lode__grow((void **)&wide->nodes, &wide->node_capacity, wide->node_count + 1,
                    sizeof *wide->nodes))
        return LODE__NONE;
    lode__wide_node *node = &wide->nodes[wide->node_count];
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        for (int i = 0; i < 6; ++i)
            node->box[i].x[lane] = i < 3 ? infinite : -infinite;
        node->child[lane] = LODE__WIDE_NONE;
    }
    return wide->node_count++;
}

/* One without bounds, of a body gone NaN, is met by no ray and left out. */
static bool add_leaf(build *b, uint32_t node, uint32_t lane, uint32_t shape)
{
    lode__wide_tree *wide = b->wide;
    lode__placed placed = lode__placed_of(b->collide, b->bodies, shape);
    const lode__aabb *box = &placed.bounds;
    if (!(box->lo[0] <= box->hi[0] && box->lo[1] <= box->hi[1] && box->lo[2] <= box->hi[2]))
        return true;
    if (!lode__grow((void **)&wide->leaves, &wide->leaf_capacity, wide->leaf_count + 1,
                    sizeof *wide->leaves))
        return false;
    for (int i = 0; i < 3; ++i) {
        wide->nodes[node].box[i].x[lane] = box->lo[i];
        wide->nodes[node].box[3 + i].x[lane] = box->hi[i];
    }
    placed.lasts = true;
    wide->nodes[node].child[lane] = wide->leaf_count | LODE__LEAF;
    wide->leaves[wide->leaf_count++] = placed;
    return true;
}

static bool add_part(build *b, const part *p)
{
    const lode__tree *tree = &b->collide->tree;
    uint32_t children[LODE_LANES], node = add_node(b->wide);
    if (node == LODE__NONE || p->depth == LODE__WIDE_DEEP)
        return false;
    if (node > 0)
        b->wide->nodes[p->parent].child[p->lane] = node;
    int count = open_part(tree, p->top, children);
    for (int lane = 0; lane < count; ++lane) {
        uint32_t child = tree->nodes[children[lane]].child;
        if (!(child & LODE__LEAF))
            b->stack[b->depth++] = (part){children[lane], node, (uint32_t)lane, p->depth + 1};
        else if (!add_leaf(b, node, (uint32_t)lane, child & ~(uint32_t)LODE__LEAF))
            return false;
    }
    return true;
}

/* The union of a node's children, in its parent. */
static void tell_parent(const lode__wide_node *node, lode__wide_node *parent, int lane)
{
    for (int i = 0; i < 3; ++i) {
        lode_real lo = node->box[i].x[0], hi = node->box[3 + i].x[0];
        for (int k = 1; k < LODE_LANES; ++k) {
            lo = r_min(node->box[i].x[k], lo);
            hi = r_max(node->box[3 + i].x[k], hi);
        }
        parent->box[i].x[lane] = lo;
        parent->box[3 + i].x[lane] = hi;
    }
}

/* Children come after their parents, so all of a node's boxes are right when its turn comes. */
static void unite(lode__wide_tree *wide)
{
    for (uint32_t n = wide->node_count; n-- > 0;)
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t child = wide->nodes[n].child[lane];
            if (!(child & LODE__LEAF))
                tell_parent(&wide->nodes[child], &wide->nodes[n], lane);
        }
}

bool lode__wide_build(lode__wide_tree *wide, const lode__collide *collide, const lode__pool *bodies)
{
    build b = {.wide = wide, .collide = collide, .bodies = bodies};
    wide->node_count = wide->leaf_count = 0;
    if (collide->tree.count == 0)
        return add_node(wide) != LODE__NONE;
    b.stack[b.depth++] = (part){.top = 0};
    while (b.depth > 0) {
        part next = b.stack[--b.depth];
        if (!add_part(&b, &next))
            return false;
    }
    unite(wide);
    return true;
}
