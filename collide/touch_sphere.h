/* touch_sphere.h: a sphere against a sphere, a plane, a box and a capsule; kernel text, see
 * simd/wide.h.
 *
 * Depth is along the normal: how far the shapes must part. Every normal is a unit vector, even where
 * the geometry leaves it open (concentric spheres, a centre inside a box). There is one point, and it
 * is feature 1. */
#ifndef LODE_COLLIDE_TOUCH_SPHERE_H
#define LODE_COLLIDE_TOUCH_SPHERE_H

#include "collide/capsule_line.h"
#include "collide/pair_batch.h"

LODE__INLINE void sphere_sphere(lode__pair_batch *batch, int lane)
{
    wvec3 offset = wp_offset(batch, lane), up = {w_zero(), w_zero(), w_splat(1)};
    wreal r = wp_size_a(batch, 0, lane);
    wreal depth = w_sub(w_add(r, wp_size_b(batch, 0, lane)), wv_length(offset));
    wp_put_only(batch, lane, wp_normalize_or(wv_neg(offset), up), r, depth);
}

LODE__INLINE void sphere_plane(lode__pair_batch *batch, int lane)
{
    wvec3 n = wp_plane(batch, lane);
    wreal r = wp_size_a(batch, 0, lane);
    wp_put_only(batch, lane, n, r, w_sub(r, wp_height(batch, lane, n)));
}

/* Out of the box through the nearest face: the normal in box axes, and by how much. */
LODE__INLINE wvec3 way_out_of_box(wvec3 center, wvec3 half, wreal *out_distance)
{
    wvec3 size = {w_abs(center.x), w_abs(center.y), w_abs(center.z)};
    wvec3 beyond = wv_sub(size, half), left = wv_sub(half, size);
    wmask x = m_and(w_ge(beyond.x, beyond.y), w_ge(beyond.x, beyond.z));
    wmask y = m_andnot(w_ge(beyond.y, beyond.z), x), z = m_not(m_or(x, y));
    wreal zero = w_zero(), one = w_splat(1), minus = w_splat(-1);
    *out_distance = w_select(x, left.x, w_select(y, left.y, left.z));
    return (wvec3){w_masked(x, w_select(w_lt(center.x, zero), minus, one)),
                   w_masked(y, w_select(w_lt(center.y, zero), minus, one)),
                   w_masked(z, w_select(w_lt(center.z, zero), minus, one))};
}

LODE__INLINE void sphere_box(lode__pair_batch *batch, int lane)
{
    wquat turn = wp_rotation(batch->rotation_b, lane);
    wvec3 half = wv_load(&batch->size_b[0].x[lane]);
    wvec3 c = wq_rotate_inv(turn, wv_neg(wp_offset(batch, lane)));
    wvec3 nearest = {w_min(w_max(c.x, w_neg(half.x)), half.x),
                     w_min(w_max(c.y, w_neg(half.y)), half.y),
                     w_min(w_max(c.z, w_neg(half.z)), half.z)};
    wvec3 apart = wv_sub(c, nearest), n = wp_normalize_or(apart, wv_zero());
    wreal r = wp_size_a(batch, 0, lane), depth = w_sub(r, wv_dot(apart, n)), inside;
    wmask within = w_eq(wv_dot(n, n), w_zero());
    if (m_any(within)) {
        wvec3 out = way_out_of_box(c, half, &inside);
        n = wv_select(within, out, n);
        depth = w_select(within, w_add(r, inside), depth);
    }
    wp_put_only(batch, lane, wq_rotate(turn, n), r, depth);
}

/* A centre on the axis is pushed out across it, which is never farther than past an end. */
LODE__INLINE void sphere_capsule(lode__pair_batch *batch, int lane)
{
    wvec3 axis = wp_axis(batch->rotation_b, lane), offset = wp_offset(batch, lane);
    wreal s = wp_within(w_neg(wv_dot(offset, axis)), wp_size_b(batch, 1, lane));
    wvec3 nearest = wv_add_scaled(offset, axis, s); /* from the sphere's centre */
    wreal distance = wv_length(nearest), r = wp_size_a(batch, 0, lane);
    wreal reach = w_add(r, wp_size_b(batch, 0, lane));
    wmask clear = w_gt(distance, w_mul(reach, w_splat(LINE_MEETS)));
    wvec3 n = wp_normalize_or(wv_neg(nearest), axis);
    n = wv_select(clear, n, wp_tangent(axis));
    wp_put_only(batch, lane, n, r, w_sub(reach, distance));
}

#endif
