/* broad_grid.c: a hash grid with levels.
 *
 * Each box belongs to the level whose cells are as wide as its longest side or up to twice that,
 * and lies in one cell of it, that of its lower corner; so it reaches at most one cell further
 * along each axis. A query looks, level by level, at the cells of lower corners from which a box
 * may reach it (levels: Mirtich 1997, "Efficient algorithms for two-phase collision detection";
 * hashed cells: Teschner et al. 2003, "Optimized spatial hashing"). Where that would be more cells
 * than the level has boxes, as for a large box among small ones, the level's boxes are walked
 * instead.
 *
 * Boxes are sorted by level and then by the hash of their cell, so that a bucket is a range and is
 * found by bisection. Boxes of different cells may share a bucket; the test of the boxes themselves
 * decides, and each box lies in one bucket only. A query visits no bucket of a level twice, because
 * it remembers those it has seen: there are few cells to look at. */
#include "collide/broad.h"

#include "core/sort.h"

#include <string.h>

/* Cells per axis that fit into the numbers used; a box so far away goes to a coarser level. */
#define MOST_CELLS ((double)((int64_t)1 << 40))

/* A query that would look at more cells of a level walks over the level's boxes. */
enum { MOST_LOOKS = 64 };

/* Exponents of the sizes of cells. Beyond, boxes are so large that all of them are walked. */
enum { LEAST = -1000, MOST = 1000, LEVELS = MOST - LEAST + 1 };

typedef struct level {
    double size;         /* of a cell: a power of two */
    uint32_t begin, end; /* of its boxes */
} level;

typedef struct grid {
    const lode__node **items;
    uint32_t *hashes; /* of each item's cell */
    level *levels;
    uint32_t level_count;
} grid;

typedef struct cell {
    int64_t at[3];
} cell;

static double longest_side(const lode__node *box)
{
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        double side = (double)box->hi[i] - (double)box->lo[i];
        most = side > most ? side : most;
    }
    return most;
}

static double farthest(const lode__node *box)
{
    double most = 0;
    for (int i = 0; i < 3; ++i) {
        double lo = (double)r_abs(box->lo[i]), hi = (double)r_abs(box->hi[i]);
        most = lo > most ? lo : most;
        most = hi > most ? hi : most;
    }
    return most;
}

/* The binary exponent of a positive double. */
static int exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The exponent of the cells of a box's level. */
static int level_of(const lode__node *box)
{
    int by_size = exponent_of(longest_side(box)) + 1;
    int by_place = exponent_of(farthest(box) / MOST_CELLS) + 1;
    int exponent = by_size > by_place ? by_size : by_place;
    return exponent < LEAST ? LEAST : exponent > MOST ? MOST : exponent;
}

static int64_t cell_at(double x, double size)
{
    double scaled = x / size, most = 2 * MOST_CELLS;
    scaled = scaled > -most ? scaled : -most; /* no number, too */
    scaled = scaled < most ? scaled : most;
    return (int64_t)__builtin_floor(scaled);
}

static uint32_t hash_cell(cell c)
{
    uint64_t h = (uint64_t)c.at[0] * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (uint64_t)c.at[1]) * UINT64_C(0xc2b2ae3d27d4eb4f);
    h = (h ^ (h >> 29) ^ (uint64_t)c.at[2]) * UINT64_C(0x165667b19e3779f9);
    return (uint32_t)(h >> 32);
}

static uint32_t hash_of(const lode__node *box, double size)
{
    cell c;
    for (int i = 0; i < 3; ++i)
        c.at[i] = cell_at((double)box->lo[i], size);
    return hash_cell(c);
}

static void list_levels(grid *out, const uint64_t *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        int exponent = (int)(keys[i] >> 32) + LEAST;
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            out->levels[out->level_count++] = (level){power_of_two(exponent), i, i};
        out->levels[out->level_count - 1].end = i + 1;
        out->hashes[i] = (uint32_t)keys[i];
    }
}

static void *build_grid(const lode__boxes *boxes, lode__arena *arena)
{
    uint32_t n = boxes->count;
    grid *out = LODE__TAKE(arena, grid, 1);
    const lode__node **items = LODE__TAKE(arena, const lode__node *, n);
    uint32_t *hashes = LODE__TAKE(arena, uint32_t, n);
    level *levels = LODE__TAKE(arena, level, n < LEVELS ? n : LEVELS);
    uint64_t *keys = LODE__TAKE(arena, uint64_t, 2 * (size_t)n);
    uint32_t *order = LODE__TAKE(arena, uint32_t, 2 * (size_t)n);
    if (!out || !items || !hashes || !levels || !keys || !order)
        return NULL;
    *out = (grid){items, hashes, levels, 0};
    for (uint32_t i = 0; i < n; ++i) {
        int exponent = level_of(boxes->items[i]);
        keys[i] = (uint64_t)(exponent - LEAST) << 32 |
                  hash_of(boxes->items[i], power_of_two(exponent));
        order[i] = i;
    }
    lode__sort(keys, order, keys + n, order + n, n);
    for (uint32_t i = 0; i < n; ++i)
        items[i] = boxes->items[order[i]];
    list_levels(out, keys, n);
    return out;
}

/* --- queries */

static void look_at(const grid *g, const lode__node *box, uint32_t begin, uint32_t end,
                    lode__overlap_fn *found, void *context)
{
    for (uint32_t i = begin; i < end; ++i)
        if (lode__node_overlaps(g->items[i], box))
            found(context, g->items[i]);
}

static uint32_t first_of(const grid *g, const level *l, uint32_t hash)
{
    uint32_t begin = l->begin, end = l->end;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (g->hashes[middle] < hash)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void look_up(const grid *g, const level *l, const lode__node *box, uint32_t hash,
                    lode__overlap_fn *found, void *context)
{
    uint32_t begin = first_of(g, l, hash), end = begin;
    while (end < l->end && g->hashes[end] == hash)
        ++end;
    look_at(g, box, begin, end, found, context);
}

/* Adds the hash unless it is there. */
static uint32_t add_hash(uint32_t *hashes, uint32_t count, uint32_t hash)
{
    for (uint32_t i = 0; i < count; ++i)
        if (hashes[i] == hash)
            return count;
    hashes[count] = hash;
    return count + 1;
}

static void query_level(const grid *g, const level *l, const lode__node *box,
                        lode__overlap_fn *found, void *context)
{
    cell lo, hi, c;
    double cells = 1;
    for (int i = 0; i < 3; ++i) {
        lo.at[i] = cell_at((double)box->lo[i], l->size) - 1;
        hi.at[i] = cell_at((double)box->hi[i], l->size);
        double width = (double)(hi.at[i] - lo.at[i] + 1);
        cells *= width > 0 ? width : MOST_CELLS; /* of what is no box, all are walked */
    }
    if (cells > MOST_LOOKS || cells > l->end - l->begin || l->size >= power_of_two(MOST)) {
        look_at(g, box, l->begin, l->end, found, context);
        return;
    }
    uint32_t hashes[MOST_LOOKS], count = 0;
    for (c.at[2] = lo.at[2]; c.at[2] <= hi.at[2]; ++c.at[2])
        for (c.at[1] = lo.at[1]; c.at[1] <= hi.at[1]; ++c.at[1])
            for (c.at[0] = lo.at[0]; c.at[0] <= hi.at[0]; ++c.at[0])
                count = add_hash(hashes, count, hash_cell(c));
    for (uint32_t i = 0; i < count; ++i)
        look_up(g, l, box, hashes[i], found, context);
}

static void query_grid(const void *index, const lode__node *box, lode__overlap_fn *found,
                       void *context)
{
    const grid *g = index;
    for (uint32_t i = 0; i < g->level_count; ++i)
        query_level(g, &g->levels[i], box, found, context);
}

const lode__broad_method lode__broad_grid = {"hash grid", build_grid, query_grid};
