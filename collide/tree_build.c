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
 * range makes its unions.
 *
 * Where shapes are in groups the tree of the entries comes first. A group is one item of it, with
 * the union of its leaves and the number of the first of them, whose place is then the top of the
 * group's own branch; these branches lie behind the entries' nodes, one after another. */
#include "collide/tree.h"

#include "core/sort.h"

enum { AXIS_BITS = 10, AXIS_END = 1 << AXIS_BITS, MAX_DEPTH = 3 * AXIS_BITS + 32 };

/* With several threads, ranges of so many leaves are left whole by the first splits, and codes of
 * so many are made at once. */
enum { PART = 128, MOST_PARTS = 64 };

enum { GROUP_GRAIN = 16 };

typedef struct range {
    uint32_t begin, end, node;
    uint32_t pair; /* the first below its node */
} range;

typedef struct build {
    lode__tree *tree;
    const lode__node *leaves;
    lode__node centres; /* bounds of twice the centres */
    uint64_t *codes, *scratch_codes;
    uint32_t *order, *scratch_order;
    range parts[MOST_PARTS];
} build;

/* The leaves that are in groups, group by group. */
typedef struct grove {
    const build *b;
    lode__node *leaves;
    uint32_t *begin; /* of each group's leaves, and behind the last one the end */
    uint32_t *pair;  /* the first of each group's branch */
} grove;

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

static bool take_scratch(build *b, uint32_t count, lode__arena *arena)
{
    b->codes = LODE__TAKE(arena, uint64_t, count);
    b->order = LODE__TAKE(arena, uint32_t, count);
    b->scratch_codes = LODE__TAKE(arena, uint64_t, count);
    b->scratch_order = LODE__TAKE(arena, uint32_t, count);
    return b->codes && b->order && b->scratch_codes && b->scratch_order;
}

static void sort_leaves(const build *b, uint32_t count)
{
    lode__sort(b->codes, b->order, b->scratch_codes, b->scratch_order, count);
}

/* The tree over `count` items. */
static void build_entries(build *b, uint32_t count, lode__tasks *tasks)
{
    bool shared = tasks && lode__tasks_workers(tasks) > 1 && count > 2 * PART;
    b->centres = bound_centres(b->leaves, count);
    if (shared)
        lode__tasks_run(tasks, count, PART, make_codes, b);
    else
        make_codes(b, 0, count);
    sort_leaves(b, count);
    b->tree->free_pair = LODE__NO_NODE;
    b->tree->nodes[0].parent = LODE__NO_NODE;
    if (shared)
        build_by_parts(b, count, tasks);
    else
        build_range(b, &(range){0, count, 0, 2});
}

/* --- groups */

static uint32_t group_of_leaf(const lode__tree *tree, const lode__node *leaf)
{
    return lode__tree_group(tree, leaf->child & ~(uint32_t)LODE__LEAF);
}

/* Sorts the leaves of groups by group, and moves the others to the front; returns how many these
 * are. */
static uint32_t gather(const grove *g, lode__node *leaves, uint32_t count)
{
    const lode__tree *tree = g->b->tree;
    uint32_t groups = tree->group_capacity, single = 0, group, *next = g->pair;
    for (uint32_t i = 0; i < count; ++i)
        if ((group = group_of_leaf(tree, &leaves[i])) != LODE__NONE)
            ++g->begin[group + 1];
    for (group = 0; group < groups; ++group) {
        g->begin[group + 1] += g->begin[group];
        next[group] = g->begin[group];
    }
    for (uint32_t i = 0; i < count; ++i) {
        if ((group = group_of_leaf(tree, &leaves[i])) == LODE__NONE)
            leaves[single++] = leaves[i];
        else
            g->leaves[next[group]++] = leaves[i];
    }
    return single;
}

/* An item for each group, behind the others; returns how many items there are. */
static uint32_t add_items(const grove *g, lode__node *items, uint32_t count)
{
    lode__tree *tree = g->b->tree;
    for (uint32_t group = 0; group < tree->group_capacity; ++group) {
        uint32_t begin = g->begin[group], end = g->begin[group + 1];
        tree->group_leaf[group] = LODE__NONE;
        if (begin == end)
            continue;
        lode__node item = g->leaves[begin];
        for (uint32_t i = begin + 1; i < end; ++i)
            lode__node_unite(&item, &item, &g->leaves[i]);
        tree->group_leaf[group] = item.child & ~(uint32_t)LODE__LEAF;
        items[count++] = item;
    }
    return count;
}

static void build_branches(void *context, uint32_t begin, uint32_t end)
{
    const grove *g = context;
    const build *all = g->b;
    lode__tree *tree = all->tree;
    for (uint32_t group = begin; group < end; ++group) {
        uint32_t first = g->begin[group], count = g->begin[group + 1] - first;
        if (count < 2)
            continue;
        build b = {.tree = tree,
                   .leaves = &g->leaves[first],
                   .centres = bound_centres(&g->leaves[first], count),
                   .codes = &all->codes[first],
                   .order = &all->order[first],
                   .scratch_codes = &all->scratch_codes[first],
                   .scratch_order = &all->scratch_order[first]};
        uint32_t top = tree->leaf_of[tree->group_leaf[group]];
        make_codes(&b, 0, count);
        sort_leaves(&b, count);
        build_range(&b, &(range){0, count, top, g->pair[group]});
        tree->nodes[top].child |= LODE__CLOSED;
    }
}

static bool build_groups(build *b, lode__node *leaves, uint32_t count, lode__tasks *tasks,
                         lode__arena *arena)
{
    lode__tree *tree = b->tree;
    uint32_t groups = tree->group_capacity;
    grove g = {.b = b,
               .leaves = LODE__TAKE(arena, lode__node, count),
               .begin = LODE__TAKE_ZEROED(arena, uint32_t, groups + 1),
               .pair = LODE__TAKE(arena, uint32_t, groups)};
    if (!g.leaves || !g.begin || !g.pair)
        return false;
    uint32_t single = gather(&g, leaves, count), items = add_items(&g, leaves, single);
    uint32_t pair = 2 * items;
    for (uint32_t group = 0; group < groups; ++group) {
        uint32_t size = g.begin[group + 1] - g.begin[group];
        g.pair[group] = pair;
        pair += size > 1 ? 2 * (size - 1) : 0;
    }
    build_entries(b, items, tasks);
    if (tasks)
        lode__tasks_run(tasks, groups, GROUP_GRAIN, build_branches, &g);
    else
        build_branches(&g, 0, groups);
    return true;
}

bool lode__tree_build(lode__tree *tree, lode__node *leaves, uint32_t count, lode__tasks *tasks,
                      lode__arena *arena)
{
    build b = {.tree = tree, .leaves = leaves};
    if (!take_scratch(&b, count, arena))
        return false;
    if (!tree->group_of)
        build_entries(&b, count, tasks);
    else if (!build_groups(&b, leaves, count, tasks, arena))
        return false;
    tree->count = count;
    tree->node_end = 2 * count;
    return true;
}
