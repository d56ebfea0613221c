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
    const uint32_t *name;                 /* of the pairs, from lane 0 of the wide values on */
    unsigned lanes;                       /* those that are asked about, a bit for each */
    unsigned told[LODE__MANIFOLD_POINTS]; /* of each point, those that have it */
    int *counts;                          /* of pair 0 */
    char *points;                         /* of pair 0, and from pair to pair */
    size_t pitch;
    wvec3 body, normal; /* a's centre of mass, in the world; into a */
    wreal least;        /* what is not as deep is not told */
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
                                 int lane)
{
    return (wtelling){.name = &from->name[lane],
                      .lanes = ((1u << from->used) - 1) >> lane & ALL_LANES,
                      .counts = ask->counts,
                      .points = (char *)ask->points,
                      .pitch = (size_t)ask->capacity * sizeof(lode_collide_point),
                      .least = w_neg(w_splat(ask->margin))};
}

/* The first point of pair i. */
LODE__INLINE lode_collide_point *tell_first(const wtelling *t, int i)
{
    return (lode_collide_point *)(void *)(t->points + t->name[i] * t->pitch);
}

/* Of the first k points, those that pair i has been told of. */
LODE__INLINE int tell_count(const wtelling *t, int k, int i)
{
    unsigned count = 0;
    TELL_UNROLLED
    for (int j = 0; j < k; ++j)
        count += t->told[j] >> i & 1;
    return (int)count;
}

/* Who has point k has all before it, nearly always: where a margin leaves none out. */
LODE__INLINE bool tell_in_order(const wtelling *t, int k)
{
    unsigned before = ALL_LANES;
    TELL_UNROLLED
    for (int j = 0; j < k; ++j)
        before &= t->told[j];
    return !(t->told[k] & ~before);
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

/* Point k of the one pair there is. */
LODE__INLINE void tell_points(const wtelling *t, int k, const wpoint *p)
{
    lode_collide_point *out = tell_first(t, 0) + tell_count(t, k, 0);
    wv_put(&out->position.x, wv_add(t->body, p->position));
    wv_put(&out->normal.x, t->normal);
    out->depth = p->depth.a;
    out->feature = (uint32_t)p->feature.a;
    out->child_a = out->child_b = -1;
}

LODE__INLINE void tell_counts(const wtelling *t, wreal count)
{
    t->counts[t->name[0]] = (int)count.a;
}

#else

/* To the places of lanes whose bits are set: the first eight reals of a point, the last being its
 * feature; and no children. */
LODE__INLINE void tell_lines(const wtelling *t, int k, bool in_order, unsigned bits, wline line)
{
    static const int none[2] = {-1, -1};
    lode_real *to[LODE_WIDTH];
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        to[i] = (lode_real *)(tell_first(t, i) + (in_order ? k : tell_count(t, k, i)));
    w_store_lines_at(to, 0, bits, line);
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (bits >> i & 1)
            memcpy(&((lode_collide_point *)(void *)to[i])->child_a, none, sizeof none);
}

/* Point k of those that have it. */
LODE__INLINE void tell_points(const wtelling *t, int k, const wpoint *p)
{
    wvec3 at = wv_add(t->body, p->position), n = t->normal;
    wline line = {at.x, at.y, at.z, n.x, n.y, n.z, p->depth, w_whole(p->feature)};
    if (t->told[k] == ALL_LANES && tell_in_order(t, k))
        tell_lines(t, k, true, ALL_LANES, line);
    else
        tell_lines(t, k, false, t->told[k], line);
}

LODE__INLINE void tell_counts(const wtelling *t, wreal count)
{
    lode_real whole[LODE_WIDTH];
    w_store(whole, w_whole(count));
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        if (t->lanes == ALL_LANES || t->lanes >> i & 1)
            memcpy(&t->counts[t->name[i]], &whole[i], sizeof(int));
}

#endif

/* Notes who has point k, of those that `have` it, and tells them; 1 there. */
LODE__INLINE wreal tell_point(wtelling *t, int k, wmask have, const wpoint *p)
{
    wmask on = m_and(have, w_gt(p->depth, t->least));
    t->told[k] = m_bits(on) & t->lanes;
    if (t->told[k])
        tell_points(t, k, p);
    return w_masked(on, w_splat(1));
}

/* One point each: the numbers are known. */
LODE__INLINE void tell_ones(const wtelling *t)
{
    TELL_UNROLLED
    for (int i = 0; i < LODE_WIDTH; ++i)
        t->counts[t->name[i]] = 1;
}

/* What a kernel of up to `most` points has found out, from a's centre of mass. The only point of
 * those that have one at most is there where it is deep enough. */
LODE__INLINE void tell_touch(wtelling *t, const wtouch *touch, int most)
{
    wreal zero = w_zero(), count = touch->count;
    wmask all = w_eq(zero, zero);
    bool more = most > 1 && m_any(w_gt(count, w_splat(1)));
    wreal told = tell_point(t, 0, most > 1 ? w_gt(count, zero) : all, &touch->p0);
    if (!more && t->told[0] == ALL_LANES) {
        tell_ones(t);
        return;
    }
    if (more)
        told = w_add(told, tell_point(t, 1, w_gt(count, w_splat(1)), &touch->p1));
    if (more && most > 2)
        told = w_add(told, tell_point(t, 2, w_gt(count, w_splat(2)), &touch->p2));
    if (more && most > 3)
        told = w_add(told, tell_point(t, 3, w_gt(count, w_splat(3)), &touch->p3));
    tell_counts(t, told);
}

/* Where the kernel's points lie from a's centre of mass, and the normal into a. */
LODE__INLINE void turn_touch(const wplace *place, bool centered, bool swapped, const wpair *in,
                             int most, wtouch *touch)
{
    wpoint *points[] = {&touch->p0, &touch->p1, &touch->p2, &touch->p3};
    TELL_UNROLLED
    for (int k = 0; k < most; ++k) {
        if (swapped)
            points[k]->position = wv_sub(points[k]->position, in->offset);
        if (!centered)
            points[k]->position = wv_add(points[k]->position, place->arm_a);
    }
    if (swapped)
        touch->normal = wv_neg(touch->normal);
}

#ifdef LODE_ONE_PAIR

typedef int wsizes; /* nothing */

LODE__INLINE wfour tell_size(const lode__pair_sources *from, wsizes *sizes, int x, int lane)
{
    (void)sizes;
    return load_size(from, x, lane);
}

#else

/* Sizes of a set of pairs lie ready, to be read where a kernel needs them; others are put so. */
typedef struct wsizes {
    lode__lanes room[8];
} wsizes;

LODE__INLINE wfour tell_size(const lode__pair_sources *from, wsizes *sizes, int x, int lane)
{
    const lode__lanes *at = from->sizes;
    if (!at) {
        put_fours(&sizes->room[4 * x], lane, load_size(from, x, lane));
        at = sizes->room;
    }
    return wp_load_four(&at[4 * x], lane);
}

#endif

/* Gathers, computes and tells, from one lane on as many as go at once. */
#define TELL_LANES(text, MOST, from, ask, centered, swapped, lane) \
    do { \
        wplace place = gather_place(from, centered, lane); \
        wpair in = gather_pair(from, &place, w_splat((ask)->speculative), centered, swapped, \
                               lane); \
        wsizes sizes; \
        in.size_a = tell_size(from, &sizes, swapped, lane); \
        in.size_b = tell_size(from, &sizes, !(swapped), lane); \
        wtouch touch = text(&in); \
        wtelling telling = tell_begin(from, ask, lane); \
        telling.body = place.body_a; \
        turn_touch(&place, centered, swapped, &in, MOST, &touch); \
        telling.normal = touch.normal; \
        tell_touch(&telling, &touch, MOST); \
    } while (0)

#endif
