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
    const uint32_t *name;                 /* of the pairs, from lane 0 of the wide values on */
    unsigned lanes;                       /* those that are asked about, a bit for each */
    unsigned told[LODE__MANIFOLD_POINTS]; /* of each point, those that have it */
    char *points;                         /* of pair 0, and from pair to pair */
    size_t pitch;
    wvec3 body, normal; /* a's centre of mass, in the world; into a */
    wreal count;        /* points that a pair has */
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

/* Of the first k points, those that pair i has. */
LODE__INLINE int tell_count(const wtelling *t, int k, int i)
{
    unsigned count = 0;
    TELL_UNROLLED
    for (int j = 0; j < k; ++j)
        count += t->told[j] >> i & 1;
    return (int)count;
}

/* The place of point k of pair i. */
LODE__INLINE lode_collide_point *tell_where(const wtelling *t, int k, int i)
{
    lode_collide_point *first = (lode_collide_point *)(void *)(t->points + t->name[i] * t->pitch);
    return first + tell_count(t, k, i);
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
LODE__INLINE void tell_points(const wtelling *t, int k, unsigned bits, wvec3 position, wreal depth,
                              wreal feature)
{
    (void)bits;
    lode_collide_point *out = tell_where(t, k, 0);
    wv_put(&out->position.x, position);
    wv_put(&out->normal.x, t->normal);
    out->depth = depth.a;
    out->feature = (uint32_t)feature.a;
    out->child_a = out->child_b = -1;
}

#else

/* To the places of lanes whose bits are set: the first eight reals of a point, the last being its
 * feature; and no children. */
LODE__INLINE void tell_lines(const wtelling *t, int k, unsigned bits, wline line)
{
    static const int none[2] = {-1, -1};
    lode_real *to[LODE_WIDTH];
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        to[i] = (lode_real *)tell_where(t, k, i);
    w_store_lines_to(to, bits, line);
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (bits >> i & 1)
            memcpy(&((lode_collide_point *)(void *)to[i])->child_a, none, sizeof none);
}

LODE__INLINE void tell_points(const wtelling *t, int k, unsigned bits, wvec3 p, wreal depth,
                              wreal feature)
{
    wvec3 n = t->normal;
    wline line = {p.x, p.y, p.z, n.x, n.y, n.z, depth, w_whole(feature)};
    if (bits == ALL_LANES)
        tell_lines(t, k, ALL_LANES, line);
    else
        tell_lines(t, k, bits, line);
}

#endif

/* Point k of each pair, where it is one and deep enough. `position` is from a's centre of mass. */
LODE__INLINE void tell_point(wtelling *t, int k, wvec3 position, wreal depth, wreal feature)
{
    wmask on = m_and(w_lt(w_splat((lode_real)k), t->count),
                     w_gt(depth, w_neg(w_splat(t->ask->margin))));
    t->told[k] = m_bits(on) & t->lanes;
    if (t->told[k])
        tell_points(t, k, t->told[k], wv_add(t->body, position), depth, feature);
}

/* Of up to `most` points. */
LODE__INLINE void tell_counts(const wtelling *t, int most)
{
    int *counts = t->ask->counts;
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (t->lanes == ALL_LANES || t->lanes >> i & 1)
            counts[t->name[i]] = tell_count(t, most, i);
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
    bool more = most > 1 && m_any(w_gt(t.count, w_splat(1)));
    if (more)
        tell_point(&t, 1, wp_from_body(p1->position, swapped, in->offset, arm), p1->depth,
                   p1->feature);
    if (more && most > 2)
        tell_point(&t, 2, wp_from_body(p2->position, swapped, in->offset, arm), p2->depth,
                   p2->feature);
    if (more && most > 3)
        tell_point(&t, 3, wp_from_body(p3->position, swapped, in->offset, arm), p3->depth,
                   p3->feature);
    tell_counts(&t, most);
}

/* Gathers, computes and tells, from one lane on as many as go at once. */
#define TELL_LANES(text, MOST, from, ask, centered, lane) \
    do { \
        wplace place = gather_place(from, centered, lane); \
        wpair in = gather_pair(from, &place, (ask)->speculative, centered, lane); \
        wtouch touch = text(&in); \
        tell_touch(from, ask, lane, &place, &in, &touch, MOST); \
    } while (0)

#endif
