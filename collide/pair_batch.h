/* pair_batch.h: what the kernels of simple pairs share; kernel text, see simd/wide.h.
 *
 * A kernel is a function from eight pairs to what they touch with, values in and values out. Each
 * is used in two ways: on batches, which lie in memory before and after (wp_load, wp_store), and
 * from where shapes lie straight to the caller's points (collide/pair_tell.h).
 *
 * Every kernel is written for one order of its two types. Where the pair has them the other way
 * round the caller exchanges them and says so; what goes out is turned back. The arithmetic is that
 * of core/math.h, operation by operation. */
#ifndef LODE_COLLIDE_PAIR_BATCH_H
#define LODE_COLLIDE_PAIR_BATCH_H

#include "collide/kernels.h"
#include "core/math.h"
#include "simd/wide.h"

/* One point, from the centre of the first shape. */
typedef struct wpoint {
    wvec3 position;
    wreal depth, feature;
} wpoint;

/* Eight pairs as a kernel takes them. */
typedef struct wpair {
    wfour size_a, size_b; /* as in lode__geometry */
    wquat turn_a, turn_b;
    wvec3 offset;      /* from the centre of a to that of b */
    wreal speculative; /* points with a wider gap are left out */
} wpair;

/* What they touch with: `count` points from p0 on, no more than the kernel has at most. */
typedef struct wtouch {
    wvec3 normal; /* into a */
    wreal count;
    wpoint p0, p1, p2, p3;
} wtouch;

/* The normal of plane b. */
LODE__INLINE wvec3 wp_plane(const wpair *in)
{
    return wq_rotate(in->turn_b, wf_vector(in->size_b));
}

/* The unit direction of a capsule's axis. */
LODE__INLINE wvec3 wp_axis(wquat turn)
{
    return wq_axis_z(turn);
}

/* Of the centre of a above plane b, whose normal is n. */
LODE__INLINE wreal wp_height(const wpair *in, wvec3 n)
{
    return w_sub(w_neg(wv_dot(n, in->offset)), wf_fourth(in->size_b));
}

/* As v3_normalize_scaled(). */
LODE__INLINE wvec3 wp_normalize_scaled(wvec3 a, wvec3 fallback)
{
    wvec3 size = wv_abs(a);
    wreal most = w_max(wv_x(size), w_max(wv_y(size), wv_z(size))), one = w_splat(1);
    wmask good = m_and(w_gt(most, w_zero()), w_le(most, w_splat(REAL_MAX)));
    most = w_select(good, most, one);
    wvec3 b = wv_div(a, most);
    wreal length = w_select(good, wv_length(b), one);
    return wv_select(good, wv_div(b, length), fallback);
}

/* A vector and what makes it a unit vector; zero has no direction. The root on the way is that of
 * wv_length(a). Lanes that need scaling are rare. */
typedef struct wway {
    wvec3 along;
    wreal scale;
    wmask plain; /* not scaled */
} wway;

LODE__INLINE wway wp_way(wvec3 a, wvec3 fallback)
{
    wreal square = wv_dot(a, a), least = w_splat(REAL_LEAST_SQUARE), one = w_splat(1);
    wmask plain = m_and(w_ge(square, least), w_le(square, w_splat(REAL_MOST_SQUARE)));
    wway way = {a, w_div(one, wv_length(a)), plain};
    if (!m_all(plain)) {
        way.along = wv_select(plain, a, wp_normalize_scaled(a, fallback));
        way.scale = w_select(plain, way.scale, one);
    }
    return way;
}

/* As v3_normalize_or(). */
LODE__INLINE wvec3 wp_normalize_or(wvec3 a, wvec3 fallback)
{
    wway way = wp_way(a, fallback);
    return wv_scale(way.along, way.scale);
}

LODE__INLINE wreal wp_within(wreal x, wreal most)
{
    return w_max(w_neg(most), w_min(x, most));
}

/* As contact_tangent(). */
LODE__INLINE wvec3 wp_tangent(wvec3 n)
{
    wreal one = w_splat(1);
    wreal x = wv_x(n), y = wv_y(n), z = wv_z(n);
    wreal sign = w_select(w_lt(z, w_zero()), w_neg(one), one);
    wreal a = w_neg(w_div(one, w_add(sign, z))), b = w_mul(w_mul(x, y), a);
    return wv_make(w_add(one, w_mul(w_mul(w_mul(sign, x), x), a)), w_mul(sign, b),
                   w_neg(w_mul(sign, x)));
}

LODE__INLINE wmask wp_near(const wpair *in, wreal depth)
{
    return w_gt(depth, w_neg(in->speculative));
}

LODE__INLINE wpoint wp_select(wmask m, wpoint a, wpoint b)
{
    return (wpoint){wv_select(m, a.position, b.position), w_select(m, a.depth, b.depth),
                    w_select(m, a.feature, b.feature)};
}

/* The one point of a round shape a of radius r, `depth` deep along n. */
LODE__INLINE wtouch wp_only(const wpair *in, wvec3 n, wreal r, wreal depth)
{
    wreal half = w_mul(depth, w_splat((lode_real)0.5)), one = w_splat(1);
    return (wtouch){.normal = n,
                    .count = w_masked(wp_near(in, depth), one),
                    .p0 = {wv_scale(n, w_sub(half, r)), depth, one}};
}

/* Where a point lies from the centre of mass of the pair's a, which is the kernel's b if they are
 * swapped. */
LODE__INLINE wvec3 wp_from_body(wvec3 position, bool swapped, wvec3 offset, wvec3 arm)
{
    return wv_add(swapped ? wv_sub(position, offset) : position, arm);
}

#ifndef LODE_ONE_PAIR

/* --- in and out of a batch */

LODE__INLINE wfour wp_load_four(const lode__lanes x[4], int lane)
{
    return (wfour){w_load(&x[0].x[lane]), w_load(&x[1].x[lane]), w_load(&x[2].x[lane]),
                   w_load(&x[3].x[lane])};
}

LODE__INLINE wpair wp_load(const lode__pair_batch *batch, int lane)
{
    return (wpair){.size_a = wp_load_four(batch->size_a, lane),
                   .size_b = wp_load_four(batch->size_b, lane),
                   .turn_a = wf_quat(wp_load_four(batch->rotation_a, lane)),
                   .turn_b = wf_quat(wp_load_four(batch->rotation_b, lane)),
                   .offset = wv_load(&batch->offset[0].x[lane]),
                   .speculative = w_splat(batch->speculative)};
}

LODE__INLINE void wp_store_point(lode__pair_batch *batch, int k, int lane, const wpair *in,
                                 wpoint point)
{
    wvec3 arm = wv_load(&batch->arm[0].x[lane]);
    wv_store(&batch->position[k][0].x[lane],
             wp_from_body(point.position, batch->swapped, in->offset, arm));
    w_store(&batch->depth[k].x[lane], point.depth);
    w_store(&batch->feature[k].x[lane], point.feature);
}

/* Of a kernel that has up to `most` points. */
LODE__INLINE void wp_store(lode__pair_batch *batch, int lane, const wpair *in, const wtouch *touch,
                           int most)
{
    w_store(&batch->count.x[lane], touch->count);
    if (!m_any(w_gt(touch->count, w_zero())))
        return;
    wv_store(&batch->normal[0].x[lane], batch->swapped ? wv_neg(touch->normal) : touch->normal);
    wp_store_point(batch, 0, lane, in, touch->p0);
    if (most > 1)
        wp_store_point(batch, 1, lane, in, touch->p1);
    if (most > 2)
        wp_store_point(batch, 2, lane, in, touch->p2);
    if (most > 3)
        wp_store_point(batch, 3, lane, in, touch->p3);
}

#endif /* LODE_ONE_PAIR */

#endif
