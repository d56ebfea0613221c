/* pair_tell.h: eight pairs from where they lie straight to the caller's points; kernel text, see
 * simd/wide.h.
 *
 * Nothing goes through memory between loading poses and storing points but the points themselves:
 * those of eight pairs are transposed into eight lines, and each line is copied to its place, since
 * not every pair has a point and not every point is wanted. With one lane the points go from the
 * scalars they are in to the caller's array. */
#ifndef LODE_COLLIDE_PAIR_TELL_H
#define LODE_COLLIDE_PAIR_TELL_H

#include "collide/pair_gather.h"

#include <string.h>

/* Points of eight pairs on their way out. */
typedef struct wtelling {
    const lode__lane_ask *ask;
    const uint32_t *name; /* of the pairs, from lane 0 of the wide values on */
    unsigned lanes;       /* those that are asked about, a bit for each */
    char *points;         /* of pair 0, and from pair to pair */
    size_t pitch;
    wvec3 body, normal; /* a's centre of mass, in the world; into a */
    wreal count;        /* points that a pair has */
    int told[LODE_WIDTH];
} wtelling;

enum { ALL_LANES = (1 << LODE_WIDTH) - 1 };

/* Loops over lanes that shall not be loops: what they count then stays in registers. */
#if defined(__clang__)
#define TELL_UNROLLED _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define TELL_UNROLLED _Pragma("GCC unroll 8")
#else
#define TELL_UNROLLED
#endif

LODE__INLINE wtelling tell_begin(const lode__pair_sources *from, const lode__lane_ask *ask,
                                 unsigned lanes, int lane)
{
    return (wtelling){.ask = ask,
                      .name = &from->name[lane],
                      .lanes = lanes >> lane & ALL_LANES,
                      .points = (char *)ask->points,
                      .pitch = (size_t)ask->capacity * sizeof(lode_collide_point)};
}

/* The place of the pair's next point. */
LODE__INLINE lode_collide_point *tell_where(wtelling *t, int i)
{
    lode_collide_point *first = (lode_collide_point *)(void *)(t->points + t->name[i] * t->pitch);
    return first + t->told[i]++;
}

#if defined(LODE_ONE_PAIR) || defined(LODE_VARIANT_PLAIN)

#ifndef LODE_ONE_PAIR
LODE__INLINE void wv_put(lode_real *p, wvec3 v)
{
    p[0] = v.x.a;
    p[1] = v.y.a;
    p[2] = v.z.a;
}
#endif

/* A point of the one pair there is. */
LODE__INLINE void tell_alone(lode_collide_point *out, wvec3 position, wvec3 normal, wreal depth,
                             wreal feature)
{
    wv_put(&out->position.x, position);
    wv_put(&out->normal.x, normal);
    out->depth = depth.a;
    out->feature = (uint32_t)feature.a;
    out->child_a = out->child_b = -1;
}

LODE__INLINE void tell_points(wtelling *t, unsigned bits, wvec3 p, wvec3 n, wreal depth,
                              wreal feature)
{
    (void)bits;
    tell_alone(tell_where(t, 0), p, n, depth, feature);
}

#else

/* The first eight reals of a point, the last being its feature, and no children. */
LODE__INLINE void tell_line(lode_collide_point *out, const lode_real line[8])
{
    static const int none[2] = {-1, -1};
    memcpy(out, line, 8 * sizeof *line);
    memcpy(&out->child_a, none, sizeof none);
}

/* Those of lanes whose bits are set. */
LODE__INLINE void tell_points(wtelling *t, unsigned bits, wvec3 p, wvec3 n, wreal depth,
                              wreal feature)
{
    static const int32_t lines[LODE_LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    _Alignas(LODE__LINE_ALIGN) lode_real line[1 + LODE_WIDTH][8];
    w_store_lines(line[0], lines, (wline){p.x, p.y, p.z, n.x, n.y, n.z, depth, w_whole(feature)});
    if (bits == ALL_LANES) {
        TELL_UNROLLED
        for (int i = 0; i < LODE_WIDTH; ++i)
            tell_line(tell_where(t, i), line[1 + i]);
        return;
    }
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (bits >> i & 1)
            tell_line(tell_where(t, i), line[1 + i]);
}

#endif

/* Point k of each pair, where it is one and deep enough. `position` is from a's centre of mass. */
LODE__INLINE void tell_point(wtelling *t, lode_real k, wvec3 position, wreal depth, wreal feature)
{
    wmask on = m_and(w_lt(w_splat(k), t->count), w_gt(depth, w_neg(w_splat(t->ask->margin))));
    unsigned bits = m_bits(on) & t->lanes;
    if (!bits)
        return;
    wvec3 p = wv_add(t->body, position), n = t->normal;
    tell_points(t, bits, p, n, depth, feature);
}

LODE__INLINE void tell_counts(const wtelling *t)
{
    int *counts = t->ask->counts;
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (t->lanes >> i & 1)
            counts[t->name[i]] = t->told[i];
}

/* What a kernel of up to `most` points has found out. */
LODE__INLINE void tell_touch(const lode__pair_sources *from, const lode__lane_ask *ask, int lane,
                             const wplace *place, const wpair *in, const wtouch *touch, int most)
{
    bool swapped = from->swapped;
    wtelling t = tell_begin(from, ask, (1u << from->used) - 1, lane);
    t.body = place->body_a;
    t.normal = swapped ? wv_neg(touch->normal) : touch->normal;
    t.count = touch->count;
    const wpoint *p0 = &touch->p0, *p1 = &touch->p1, *p2 = &touch->p2, *p3 = &touch->p3;
    wvec3 arm = place->arm_a;
    tell_point(&t, 0, wp_from_body(p0->position, swapped, in->offset, arm), p0->depth, p0->feature);
    if (most > 1)
        tell_point(&t, 1, wp_from_body(p1->position, swapped, in->offset, arm), p1->depth,
                   p1->feature);
    if (most > 2)
        tell_point(&t, 2, wp_from_body(p2->position, swapped, in->offset, arm), p2->depth,
                   p2->feature);
    if (most > 3)
        tell_point(&t, 3, wp_from_body(p3->position, swapped, in->offset, arm), p3->depth,
                   p3->feature);
    tell_counts(&t);
}

#ifndef LODE_ONE_PAIR

/* What has come out of a batch, whose pairs lie at `from`. */
LODE__INLINE void tell_batch_points(const lode__pair_sources *from, const lode__pair_batch *batch,
                                    const lode__lane_ask *ask, unsigned lanes, int lane)
{
    wtelling t = tell_begin(from, ask, lanes, lane);
    t.body = load_vectors(&from->body[0][lane]);
    t.normal = wv_load(&batch->normal[0].x[lane]);
    t.count = w_load(&batch->count.x[lane]);
    for (int k = 0; k < LODE__MANIFOLD_POINTS; ++k)
        tell_point(&t, (lode_real)k, wv_load(&batch->position[k][0].x[lane]),
                   w_load(&batch->depth[k].x[lane]), w_load(&batch->feature[k].x[lane]));
    tell_counts(&t);
}

#endif /* LODE_ONE_PAIR */

#endif
