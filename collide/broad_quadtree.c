/* broad_quadtree.c: a quadtree over two axes.
 *
 * The area of all boxes is divided into 256 x 256 cells, and each box lies in the smallest node, of
 * nine levels, whose cells hold it whole (Finkel and Bentley 1974, for extended things by Kedem
 * 1982). Nodes are named by the interleaved numbers of their first cell and their level: sorted by
 * that, a node is followed by all below it, and the tree is an array of those nodes that have
 * boxes, each with the place where what is below it ends. A query compares whole numbers of cells,
 * which rise with the coordinate whatever its rounding, so that no overlap is missed; what lies
 * outside or is no number falls into the cells at the rim. */
#include "collide/broad.h"

#include "core/sort.h"

enum { LEVELS = 8, CELLS = 1 << LEVELS, LEVEL_BITS = 4, MOST_DEPTH = LEVELS + 1 };

/* A range of cells on both axes, both ends included. */
typedef struct cells {
    uint32_t lo[2], hi[2];
} cells;

typedef struct node {
    cells cells;
    uint32_t begin, end; /* of its boxes */
    uint32_t skip;       /* the next node that is not below it */
} node;

typedef struct quadtree {
    const lode__node **items; /* by node */
    node *nodes;              /* each before those below it */
    uint32_t node_count;
    int axes[2];
    lode_real origin[2], scale[2]; /* cells per length */
} quadtree;

static uint32_t cell_at(const quadtree *tree, int i, lode_real x)
{
    lode_real cell = (x - tree->origin[i]) * tree->scale[i];
    return cell > 0 ? (uint32_t)r_min(cell, CELLS - 1) : 0;
}

static cells cells_of(const quadtree *tree, const lode__node *box)
{
    cells c;
    for (int i = 0; i < 2; ++i) {
        c.lo[i] = cell_at(tree, i, box->lo[tree->axes[i]]);
        c.hi[i] = cell_at(tree, i, box->hi[tree->axes[i]]);
    }
    return c;
}

/* Puts the bits of both numbers in turn. */
static uint32_t interleave(uint32_t x, uint32_t y)
{
    uint32_t out = 0;
    for (int bit = 0; bit < LEVELS; ++bit)
        out |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
    return out;
}

/* Widens `c` to the smallest node that holds it; returns the node's name. */
static uint64_t name_node(cells *c)
{
    uint32_t differ = (c->lo[0] ^ c->hi[0]) | (c->lo[1] ^ c->hi[1]), height = 0;
    while (differ >> height)
        ++height;
    for (int i = 0; i < 2; ++i) {
        c->lo[i] = c->lo[i] >> height << height;
        c->hi[i] = c->lo[i] + (1u << height) - 1;
    }
    return (uint64_t)interleave(c->lo[0], c->lo[1]) << LEVEL_BITS | (LEVELS - height);
}

static void measure(quadtree *tree, const lode__boxes *boxes)
{
    for (int i = 0; i < 2; ++i) {
        int axis = tree->axes[i] = boxes->axes[i];
        lode_real lo = boxes->items[0]->lo[axis], hi = boxes->items[0]->hi[axis];
        for (uint32_t k = 1; k < boxes->count; ++k) {
            lo = r_min(lo, boxes->items[k]->lo[axis]);
            hi = r_max(hi, boxes->items[k]->hi[axis]);
        }
        tree->origin[i] = lo;
        tree->scale[i] = CELLS / (hi - lo);
    }
}

static bool holds(const node *outer, const node *inner)
{
    return outer->cells.lo[0] <= inner->cells.lo[0] && inner->cells.hi[0] <= outer->cells.hi[0] &&
           outer->cells.lo[1] <= inner->cells.lo[1] && inner->cells.hi[1] <= outer->cells.hi[1];
}

static void list_nodes(quadtree *tree, const uint64_t *names, uint32_t count)
{
    uint32_t above[MOST_DEPTH], depth = 0; /* nodes whose end is not known yet */
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0 && names[i] == names[i - 1]) {
            tree->nodes[tree->node_count - 1].end = i + 1;
            continue;
        }
        node *fresh = &tree->nodes[tree->node_count];
        *fresh = (node){.cells = cells_of(tree, tree->items[i]), .begin = i, .end = i + 1};
        name_node(&fresh->cells);
        while (depth > 0 && !holds(&tree->nodes[above[depth - 1]], fresh))
            tree->nodes[above[--depth]].skip = tree->node_count;
        above[depth++] = tree->node_count++;
    }
    while (depth > 0)
        tree->nodes[above[--depth]].skip = tree->node_count;
}

static void *build_quadtree(const lode__boxes *boxes, lode__arena *arena)
{
    uint32_t n = boxes->count;
    quadtree *out = LODE__TAKE(arena, quadtree, 1);
    const lode__node **items = LODE__TAKE(arena, const lode__node *, n);
    node *nodes = LODE__TAKE(arena, node, n);
    uint64_t *names = LODE__TAKE(arena, uint64_t, 2 * (size_t)n);
    uint32_t *order = LODE__TAKE(arena, uint32_t, 2 * (size_t)n);
    if (!out || !items || !nodes || !names || !order)
        return NULL;
    *out = (quadtree){.items = items, .nodes = nodes};
    measure(out, boxes);
    for (uint32_t i = 0; i < n; ++i) {
        cells c = cells_of(out, boxes->items[i]);
        names[i] = name_node(&c);
        order[i] = i;
    }
    lode__sort(names, order, names + n, order + n, n);
    for (uint32_t i = 0; i < n; ++i)
        items[i] = boxes->items[order[i]];
    list_nodes(out, names, n);
    return out;
}

static void query_quadtree(const void *index, const lode__node *box, lode__overlap_fn *found,
                           void *context)
{
    const quadtree *tree = index;
    cells c = cells_of(tree, box);
    for (uint32_t k = 0; k < tree->node_count;) {
        const node *n = &tree->nodes[k];
        if (c.lo[0] > n->cells.hi[0] || c.hi[0] < n->cells.lo[0] || c.lo[1] > n->cells.hi[1] ||
            c.hi[1] < n->cells.lo[1]) {
            k = n->skip;
            continue;
        }
        for (uint32_t i = n->begin; i < n->end; ++i)
            if (lode__node_overlaps(tree->items[i], box))
                found(context, tree->items[i]);
        ++k;
    }
}

const lode__broad_method lode__broad_quadtree = {"quadtree", build_quadtree, query_quadtree};
