/* tree_build.c: the whole tree at once.
 *
 * Leaves are sorted along a Morton curve through their centres, and a range of leaves is split
 * where the highest bit in which its codes differ changes (Lauterbach et al. 2009); ranges of
 * equal codes are halved. So the depth is at most the bits of a code and the bits of a count.
 *
 * A range of n leaves has n - 1 pairs of nodes below its own, and they lie in one piece: that of
 * its two halves, all of the first half, all of the second. So where everything lies is known
 * before, and ranges that the first splits leave are worked on by several threads at once, to the
 * same bits. Parents get lower numbers than their children, so a pass downwards over the pairs of a
 * range makes its unions. */
#include "collide/tree.h"

#include "core/sort.h"

enum { AXIS_BITS = 10, AXIS_END = 1 << AXIS_BITS, MAX_DEPTH = 3 * AXIS_BITS + 32 };

/* With several threads, ranges of so many leaves are left whole by the first splits, and codes of
 * so many are made at once. */
enum { PART = 128, MOST_PARTS = 64 };

typedef struct range {
    uint32_t begin, end, node;
    uint32_t pair; /* the first below its node */
} range;

typedef struct build {
    lode__tree *tree;
    const lode__node *leaves;
    lode__node centres; /* bounds of twice the centres */
    uint64_t *codes;
    uint32_t *order;
    range parts[MOST_PARTS];
} build;

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

static void make_codes(void *context, uint32_t begin, uint32_t end)
{
    const build *b = context;
    for (uint32_t k = begin; k < end; ++k) {
        const lode__node *leaf = &b->leaves[k];
        uint32_t x = axis_cell(leaf, &b->centres, 0), y = axis_cell(leaf, &b->centres, 1);
        uint32_t z = axis_cell(leaf, &b->centres, 2);
        b->codes[k] = spread(x) | spread(y) << 1 | spread(z) << 2;
        b->order[k] = k;
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

/* Makes the pair of the range's halves, or, of a single leaf, the leaf. */
static inline bool split_range(const build *b, range r, range out_halves[2])
{
    lode__tree *tree = b->tree;
    if (r.end - r.begin == 1) {
        lode__tree_place(tree, r.node, b->leaves[b->order[r.begin]]);
        return false;
    }
    uint32_t split = find_split(b->codes, r.begin, r.end), pair = r.pair;
    tree->nodes[r.node].child = pair;
    tree->nodes[pair].parent = tree->nodes[pair + 1].parent = r.node;
    out_halves[0] = (range){r.begin, split, pair, pair + 2};
    out_halves[1] = (range){split, r.end, pair + 1, pair + 2 * (split - r.begin)};
    return true;
}

static void unite_pair(lode__tree *tree, uint32_t pair)
{
    lode__node_unite(&tree->nodes[tree->nodes[pair].parent], &tree->nodes[pair],
                     &tree->nodes[pair + 1]);
}

static void build_range(const build *b, const range *whole)
{
    range later[MAX_DEPTH], halves[2];
    int depth = 0;
    later[depth++] = *whole;
    while (depth > 0) {
        halves[0] = later[--depth];
        while (split_range(b, halves[0], halves))
            later[depth++] = halves[1];
    }
    uint32_t pairs = whole->end - whole->begin - 1;
    for (uint32_t i = pairs; i-- > 0;)
        unite_pair(b->tree, whole->pair + 2 * i);
}

static void build_parts(void *context, uint32_t begin, uint32_t end)
{
    const build *b = context;
    for (uint32_t i = begin; i < end; ++i)
        build_range(b, &b->parts[i]);
}

/* Splits the largest range again and again; the pairs made so get their unions at last, in the
 * opposite order. */
static void build_by_parts(build *b, uint32_t count, lode__tasks *tasks)
{
    uint32_t pairs[MOST_PARTS], parts = 1;
    b->parts[0] = (range){0, count, 0, 2};
    while (parts < MOST_PARTS) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < parts; ++i)
            if (b->parts[i].end - b->parts[i].begin >
                b->parts[largest].end - b->parts[largest].begin)
                largest = i;
        range r = b->parts[largest], halves[2];
        if (r.end - r.begin <= PART)
            break;
        split_range(b, r, halves);
        b->parts[largest] = halves[0];
        b->parts[parts] = halves[1];
        pairs[parts++] = r.pair;
    }
    lode__tasks_run(tasks, parts, 1, build_parts, b);
    while (--parts > 0)
        unite_pair(b->tree, pairs[parts]);
}

bool lode__tree_build(lode__tree *tree, lode__node *leaves, uint32_t count, lode__tasks *tasks,
                      lode__arena *arena)
{
    build b = {.tree = tree,
               .leaves = leaves,
               .centres = bound_centres(leaves, count),
               .codes = LODE__TAKE(arena, uint64_t, count),
               .order = LODE__TAKE(arena, uint32_t, count)};
    uint64_t *scratch_codes = LODE__TAKE(arena, uint64_t, count);
    uint32_t *scratch_order = LODE__TAKE(arena, uint32_t, count);
    bool shared = tasks && lode__tasks_workers(tasks) > 1 && count > 2 * PART;
    if (!b.codes || !b.order || !scratch_codes || !scratch_order)
        return false;
    if (shared)
        lode__tasks_run(tasks, count, PART, make_codes, &b);
    else
        make_codes(&b, 0, count);
    lode__sort(b.codes, b.order, scratch_codes, scratch_order, count);

    tree->count = count;
    tree->node_end = 2 * count;
    tree->free_pair = LODE__NO_NODE;
    tree->nodes[0].parent = LODE__NO_NODE;
    if (shared)
        build_by_parts(&b, count, tasks);
    else
        build_range(&b, &(range){0, count, 0, 2});
    return true;
}
