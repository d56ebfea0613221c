/* pair_batch.h: what the kernels of simple pairs share; kernel text, see simd/wide.h.
 *
 * Every kernel is written for one order of its two types. Where the pair has them the other way round
 * the caller exchanges them and says so; what goes out is turned back here. The arithmetic is that of
 * core/math.h, operation by operation. */
#ifndef LODE_COLLIDE_PAIR_BATCH_H
#define LODE_COLLIDE_PAIR_BATCH_H

#include "collide/kernels.h"
#include "core/math.h"
#include "simd/wide.h"

/* One point, from the centre of the batch's first shape. */
typedef struct wpoint {
    wvec3 position;
    wreal depth, feature;
} wpoint;

LODE__INLINE wreal wp_size_a(const lode__pair_batch *batch, int i, int lane)
{
    return w_load(&batch->size_a[i].x[lane]);
}
LODE__INLINE wreal wp_size_b(const lode__pair_batch *batch, int i, int lane)
{
    return w_load(&batch->size_b[i].x[lane]);
}
LODE__INLINE wvec3 wp_offset(const lode__pair_batch *batch, int lane)
{
    return wv_load(&batch->offset[0].x[lane]);
}

LODE__INLINE wquat wp_rotation(const lode__lanes rotation[4], int lane)
{
    return (wquat){w_load(&rotation[0].x[lane]), w_load(&rotation[1].x[lane]),
                   w_load(&rotation[2].x[lane]), w_load(&rotation[3].x[lane])};
}

/* The normal of plane b. */
LODE__INLINE wvec3 wp_plane(const lode__pair_batch *batch, int lane)
{
    return wq_rotate(wp_rotation(batch->rotation_b, lane), wv_load(&batch->size_b[0].x[lane]));
}

/* The unit direction of a capsule's axis. */
LODE__INLINE wvec3 wp_axis(const lode__lanes rotation[4], int lane)
{
    wvec3 up = {w_zero(), w_zero(), w_splat(1)};
    return wq_rotate(wp_rotation(rotation, lane), up);
}

/* Of the centre of a above plane b, whose normal is n. */
LODE__INLINE wreal wp_height(const lode__pair_batch *batch, int lane, wvec3 n)
{
    return w_sub(w_neg(wv_dot(n, wp_offset(batch, lane))), wp_size_b(batch, 3, lane));
}

/* Unit vectors, and `fallback` where there is no usable length. */
LODE__INLINE wvec3 wp_normalize_or(wvec3 a, wvec3 fallback)
{
    wreal most = w_max(w_abs(a.x), w_max(w_abs(a.y), w_abs(a.z))), one = w_splat(1);
    wmask good = m_and(w_gt(most, w_zero()), w_le(most, w_splat(REAL_MAX)));
    most = w_select(good, most, one);
    wvec3 b = {w_div(a.x, most), w_div(a.y, most), w_div(a.z, most)};
    wreal length = w_select(good, wv_length(b), one);
    b = (wvec3){w_div(b.x, length), w_div(b.y, length), w_div(b.z, length)};
    return wv_select(good, b, fallback);
}

LODE__INLINE wreal wp_within(wreal x, wreal most)
{
    return w_max(w_neg(most), w_min(x, most));
}

/* As contact_tangent(). */
LODE__INLINE wvec3 wp_tangent(wvec3 n)
{
    wreal one = w_splat(1);
    wreal sign = w_select(w_lt(n.z, w_zero()), w_neg(one), one);
    wreal a = w_neg(w_div(one, w_add(sign, n.z))), b = w_mul(w_mul(n.x, n.y), a);
    return (wvec3){w_add(one, w_mul(w_mul(w_mul(sign, n.x), n.x), a)), w_mul(sign, b),
                   w_neg(w_mul(sign, n.x))};
}

LODE__INLINE wmask wp_near(const lode__pair_batch *batch, wreal depth)
{
    return w_gt(depth, w_neg(w_splat(batch->speculative)));
}

/* --- out */

LODE__INLINE wpoint wp_select(wmask m, wpoint a, wpoint b)
{
    return (wpoint){wv_select(m, a.position, b.position), w_select(m, a.depth, b.depth),
                    w_select(m, a.feature, b.feature)};
}

LODE__INLINE void wp_put_normal(lode__pair_batch *batch, int lane, wvec3 n)
{
    wv_store(&batch->normal[0].x[lane], batch->swapped ? wv_neg(n) : n);
}

LODE__INLINE void wp_put(lode__pair_batch *batch, int k, int lane, wpoint point)
{
    wvec3 at = point.position;
    if (batch->swapped)
        at = wv_sub(at, wp_offset(batch, lane));
    wv_store(&batch->position[k][0].x[lane], wv_add(at, wv_load(&batch->arm[0].x[lane])));
    w_store(&batch->depth[k].x[lane], point.depth);
    w_store(&batch->feature[k].x[lane], point.feature);
}

LODE__INLINE void wp_put_count(lode__pair_batch *batch, int lane, wreal count)
{
    w_store(&batch->count.x[lane], count);
}

/* The one point of a round shape a of radius r, `depth` deep along n. */
LODE__INLINE void wp_put_only(lode__pair_batch *batch, int lane, wvec3 n, wreal r, wreal depth)
{
    wreal half = w_mul(depth, w_splat((lode_real)0.5)), one = w_splat(1);
    wp_put_normal(batch, lane, n);
    wp_put(batch, 0, lane, (wpoint){wv_scale(n, w_sub(half, r)), depth, one});
    wp_put_count(batch, lane, w_masked(wp_near(batch, depth), one));
}

#endif
