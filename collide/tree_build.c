/* tree_build.c: the whole tree at once.
 *
 * Leaves are sorted along a Morton curve through their centres, and a range of leaves is split
 * where the highest bit in which its codes differ changes (Lauterbach et al. 2009); ranges of
 * equal codes are halved. So the depth is at most the bits of a code and the bits of a count.
 * Parents get lower numbers than their children, and one pass downwards over the nodes makes all
 * unions. */
#include "collide/tree.h"

#include "core/sort.h"

enum { AXIS_BITS = 10, AXIS_END = 1 << AXIS_BITS, MAX_DEPTH = 3 * AXIS_BITS + 32 };

typedef struct range {
    uint32_t begin, end, node;
} range;

/* Spreads ten bits to every third place. */
static uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

/* Cell of a centre on one axis; anything that is not a number lands in cell 0. */
static uint32_t axis_cell(const lode__node *leaf, const lode__node *all, int i)
{
    lode_real span = all->hi[i] - all->lo[i];
    lode_real x = (leaf->lo[i] + leaf->hi[i] - all->lo[i]) / span * AXIS_END;
    return x > 0 ? (uint32_t)r_min(x, AXIS_END - 1) : 0;
}

/* Bounds of twice the centres. */
static lode__node bound_centres(const lode__node *leaves, uint32_t count)
{
    lode__node all = {.child = 0};
    for (int i = 0; i < 3; ++i) {
        all.lo[i] = all.hi[i] = leaves[0].lo[i] + leaves[0].hi[i];
        for (uint32_t k = 1; k < count; ++k) {
            lode_real twice = leaves[k].lo[i] + leaves[k].hi[i];
            all.lo[i] = r_min(all.lo[i], twice);
            all.hi[i] = r_max(all.hi[i], twice);
        }
    }
    return all;
}

static void make_codes(const lode__node *leaves, uint32_t count, uint64_t *codes, uint32_t *order)
{
    lode__node all = bound_centres(leaves, count);
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t x = axis_cell(&leaves[k], &all, 0), y = axis_cell(&leaves[k], &all, 1);
        uint32_t z = axis_cell(&leaves[k], &all, 2);
        codes[k] = spread(x) | spread(y) << 1 | spread(z) << 2;
        order[k] = k;
    }
}

/* The first code of the range's second half. */
static uint32_t find_split(const uint64_t *codes, uint32_t begin, uint32_t end)
{
    uint64_t differ = codes[begin] ^ codes[end - 1];
    if (differ == 0)
        return begin + (end - begin) / 2;
    while (differ & (differ - 1))
        differ &= differ - 1;
    uint32_t lo = begin, hi = end - 1; /* bit clear at lo, set at hi */
    while (hi - lo > 1) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (codes[middle] & differ)
            hi = middle;
        else
            lo = middle;
    }
    return hi;
}

static void link_ranges(lode__tree *tree, const lode__node *leaves, const uint64_t *codes,
                        const uint32_t *order, uint32_t count)
{
    range stack[MAX_DEPTH];
    int depth = 0;
    stack[depth++] = (range){0, count, 0};
    while (depth > 0) {
        range r = stack[--depth];
        if (r.end - r.begin == 1) {
            lode__tree_place(tree, r.node, leaves[order[r.begin]]);
            continue;
        }
        uint32_t split = find_split(codes, r.begin, r.end), pair = tree->node_end;
        tree->node_end += 2;
        tree->nodes[r.node].child = pair;
        tree->nodes[pair].parent = tree->nodes[pair + 1].parent = r.node;
        stack[depth++] = (range){split, r.end, pair + 1};
        stack[depth++] = (range){r.begin, split, pair};
    }
}

bool lode__tree_build(lode__tree *tree, lode__node *leaves, uint32_t count, lode__arena *arena)
{
    uint64_t *codes = LODE__TAKE(arena, uint64_t, count);
    uint64_t *scratch_codes = LODE__TAKE(arena, uint64_t, count);
    uint32_t *order = LODE__TAKE(arena, uint32_t, count);
    uint32_t *scratch_order = LODE__TAKE(arena, uint32_t, count);
    if (!codes || !scratch_codes || !order || !scratch_order)
        return false;
    make_codes(leaves, count, codes, order);
    lode__sort(codes, order, scratch_codes, scratch_order, count);

    tree->count = count;
    tree->node_end = 2;
    tree->free_pair = LODE__NO_NODE;
    tree->nodes[0].parent = LODE__NO_NODE;
    link_ranges(tree, leaves, codes, order, count);
    for (uint32_t pair = tree->node_end - 2; pair >= 2; pair -= 2)
        lode__node_unite(&tree->nodes[tree->nodes[pair].parent], &tree->nodes[pair],
                         &tree->nodes[pair + 1]);
    return true;
}
