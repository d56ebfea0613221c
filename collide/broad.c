/* broad.c: the broad phases that need no cells: every box against every other, and sort and sweep.
 *
 * The sweep sorts the boxes by their lower ends along one axis. A query takes those that begin
 * before it ends, walked from the first that may reach it: the highest end among all boxes up to an
 * index rises with the index, so that first one is found by bisection (Cohen et al. 1995,
 * "I-COLLIDE", sort and prune on several axes; one axis and a test of the others is enough here,
 * because answers are asked for box by box). */
#include "collide/broad.h"

#include "core/sort.h"

#include <string.h>

const lode__broad_method *lode__broad_method_for(lode_broad_phase kind)
{
    static const lode__broad_method *const methods[LODE_BROAD_PHASE_COUNT] = {
        [LODE_BROAD_TREE] = NULL,
        [LODE_BROAD_SIMPLE] = &lode__broad_simple,
        [LODE_BROAD_SWEEP] = &lode__broad_sweep,
        [LODE_BROAD_GRID] = &lode__broad_grid,
        [LODE_BROAD_QUADTREE] = &lode__broad_quadtree,
    };
    return methods[kind];
}

uint64_t lode__real_key(lode_real x)
{
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * sizeof x - 1);
    x += 0;
    memcpy(&bits, &x, sizeof x);
    return bits & sign ? (sign << 1) - 1 - bits : bits | sign;
}

/* --- every box */

static void *build_simple(const lode__boxes *boxes, lode__arena *arena)
{
    lode__boxes *index = LODE__TAKE(arena, lode__boxes, 1);
    if (index)
        *index = *boxes;
    return index;
}

static void query_simple(const void *index, const lode__node *box, lode__overlap_fn *found,
                         void *context)
{
    const lode__boxes *boxes = index;
    for (uint32_t i = 0; i < boxes->count; ++i)
        if (lode__node_overlaps(boxes->items[i], box))
            found(context, boxes->items[i]);
}

const lode__broad_method lode__broad_simple = {"simple", build_simple, query_simple};

/* --- sort and sweep */

typedef struct sweep {
    const lode__node **items; /* by their lower ends */
    lode_real *reach;         /* the highest end of all up to here */
    uint32_t count;
    int axis;
} sweep;

static void *build_sweep(const lode__boxes *boxes, lode__arena *arena)
{
    uint32_t n = boxes->count;
    sweep *out = LODE__TAKE(arena, sweep, 1);
    const lode__node **items = LODE__TAKE(arena, const lode__node *, n);
    lode_real *reach = LODE__TAKE(arena, lode_real, n);
    uint64_t *keys = LODE__TAKE(arena, uint64_t, 2 * (size_t)n);
    uint32_t *order = LODE__TAKE(arena, uint32_t, 2 * (size_t)n);
    if (!out || !items || !reach || !keys || !order)
        return NULL;
    *out = (sweep){items, reach, n, boxes->axes[0]};
    for (uint32_t i = 0; i < n; ++i) {
        keys[i] = lode__real_key(boxes->items[i]->lo[out->axis]);
        order[i] = i;
    }
    lode__sort(keys, order, keys + n, order + n, n);
    for (uint32_t i = 0; i < n; ++i) {
        items[i] = boxes->items[order[i]];
        lode_real end = items[i]->hi[out->axis];
        reach[i] = r_max(end, i > 0 ? reach[i - 1] : -REAL_MAX); /* passes over no number */
    }
    return out;
}

static void query_sweep(const void *index, const lode__node *box, lode__overlap_fn *found,
                        void *context)
{
    const sweep *s = index;
    uint32_t begin = 0, end = s->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (s->reach[middle] < box->lo[s->axis])
            begin = middle + 1;
        else
            end = middle;
    }
    for (uint32_t i = begin; i < s->count && !(s->items[i]->lo[s->axis] > box->hi[s->axis]); ++i)
        if (lode__node_overlaps(s->items[i], box))
            found(context, s->items[i]);
}

const lode__broad_method lode__broad_sweep = {"sort and sweep", build_sweep, query_sweep};
