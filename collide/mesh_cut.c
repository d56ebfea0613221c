/* mesh_cut.c: cutting ranges of triangles; see mesh_cut.h.
 *
 * Centres are counted in 16 bins along each axis, and cuts tried between the bins (Wald 2007, "On
 * fast construction of SAH-based bounding volume hierarchies"). */
#include "collide/mesh_cut.h"

#include "collide/float_bounds.h"

enum { BINS = 16 };

typedef lode__mesh_box box;
typedef lode__mesh_heap heap;
typedef lode__mesh_range range;

/* --- boxes */

static const box no_box = {{FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX},
                           {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX}};

static void take_in(box *sum, const box *b)
{
    box out;
    for (int i = 0; i < 4; ++i)
        out.lo[i] = b->lo[i] < sum->lo[i] ? b->lo[i] : sum->lo[i];
    for (int i = 0; i < 4; ++i)
        out.hi[i] = b->hi[i] > sum->hi[i] ? b->hi[i] : sum->hi[i];
    *sum = out;
}

static box box_of_range(const heap *h, uint32_t begin, uint32_t end)
{
    box sum = no_box;
    for (uint32_t i = begin; i < end; ++i)
        take_in(&sum, &h->boxes[i]);
    return sum;
}

/* --- cuts */

/* Along each axis. */
typedef struct bins {
    box boxes[3][BINS];
    uint32_t counts[3][BINS];
    uint32_t used[3];      /* a bit for each bin that is not empty */
    float lo[3], scale[3]; /* of twice the centres */
} bins;

typedef struct cut {
    int axis, bin; /* bins below `bin` go to the left */
    float cost;
} cut;

static float twice_middle(const box *b, int axis)
{
    return b->lo[axis] + b->hi[axis];
}

static int bin_of(const bins *in, const box *b, int axis)
{
    return (int)((twice_middle(b, axis) - in->lo[axis]) * in->scale[axis]);
}

/* The bins lie between the least and the greatest centre, with which bin_of() keeps below BINS. */
static void lay_bins(const heap *h, const range *r, bins *out)
{
    float lo[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, hi[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (uint32_t i = r->begin; i < r->end; ++i)
        for (int k = 0; k < 3; ++k) {
            float x = twice_middle(&h->boxes[i], k);
            lo[k] = x < lo[k] ? x : lo[k];
            hi[k] = x > hi[k] ? x : hi[k];
        }
    for (int k = 0; k < 3; ++k) {
        float width = hi[k] - lo[k];
        out->lo[k] = lo[k];
        out->scale[k] = width > 2 * FLT_MIN * BINS ? BINS * 0.9999f / width : 0;
        out->used[k] = 0;
        for (int bin = 0; bin < BINS; ++bin) {
            out->counts[k][bin] = 0;
            out->boxes[k][bin] = no_box;
        }
    }
}

static void fill_bins(const heap *h, const range *r, bins *out)
{
    lay_bins(h, r, out);
    for (uint32_t i = r->begin; i < r->end; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            int bin = bin_of(out, &h->boxes[i], axis);
            take_in(&out->boxes[axis][bin], &h->boxes[i]);
            ++out->counts[axis][bin];
            out->used[axis] |= 1u << bin;
        }
}

/* Cuts are tried behind each bin that is not empty: those behind empty ones part nothing else. */
static void try_axis(const bins *in, int axis, cut *best)
{
    float right_cost[BINS]; /* of what lies behind a bin */
    box sum = no_box;
    uint32_t count = 0, last = 31 - (uint32_t)__builtin_clz(in->used[axis]);
    for (uint32_t rest = in->used[axis]; rest;) {
        uint32_t bin = 31 - (uint32_t)__builtin_clz(rest);
        rest &= ~(1u << bin);
        right_cost[bin] = count > 0 ? mesh_box_area(&sum) * (float)count : 0;
        take_in(&sum, &in->boxes[axis][bin]);
        count += in->counts[axis][bin];
    }
    sum = no_box;
    count = 0;
    for (uint32_t rest = in->used[axis] & ~(1u << last); rest; rest &= rest - 1) {
        int bin = __builtin_ctz(rest);
        take_in(&sum, &in->boxes[axis][bin]);
        count += in->counts[axis][bin];
        float cost = mesh_box_area(&sum) * (float)count + right_cost[bin];
        if (best->axis < 0 || cost < best->cost)
            *best = (cut){axis, bin + 1, cost};
    }
}

static cut best_cut(const bins *in)
{
    cut best = {.axis = -1};
    for (int axis = 0; axis < 3; ++axis)
        if (in->scale[axis] > 0)
            try_axis(in, axis, &best);
    return best;
}

/* The left ones to the front; where the right ones begin. */
static uint32_t part(const heap *h, const range *r, const bins *in, const cut *c)
{
    uint32_t *order = h->order, i = r->begin, end = r->end;
    while (i < end) {
        if (bin_of(in, &h->boxes[i], c->axis) < c->bin) {
            ++i;
            continue;
        }
        --end;
        uint32_t triangle = order[i];
        box here = h->boxes[i];
        order[i] = order[end];
        order[end] = triangle;
        h->boxes[i] = h->boxes[end];
        h->boxes[end] = here;
    }
    return i;
}

static box box_of_bins(const bins *in, int axis, int begin, int end)
{
    box sum = no_box;
    for (int k = begin; k < end; ++k)
        take_in(&sum, &in->boxes[axis][k]);
    return sum;
}

static bool cut_at_bins(const heap *h, range *left, range *right)
{
    bins all;
    fill_bins(h, left, &all);
    cut c = best_cut(&all);
    if (c.axis < 0)
        return false;
    uint32_t at = part(h, left, &all, &c);
    *right = (range){at, left->end, box_of_bins(&all, c.axis, c.bin, BINS)};
    *left = (range){left->begin, at, box_of_bins(&all, c.axis, 0, c.bin)};
    return true;
}

lode__mesh_range lode__mesh_range_of(const lode__mesh_heap *heap, uint32_t begin, uint32_t end)
{
    return (range){begin, end, box_of_range(heap, begin, end)};
}

void lode__mesh_cut(const lode__mesh_heap *heap, bool halve, lode__mesh_range *left,
                    lode__mesh_range *right)
{
    if (!halve && cut_at_bins(heap, left, right))
        return;
    uint32_t at = left->begin + mesh_range_size(left) / 2;
    *right = lode__mesh_range_of(heap, at, left->end);
    *left = lode__mesh_range_of(heap, left->begin, at);
}
