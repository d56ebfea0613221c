/* touch_sphere.h: a sphere against a sphere, a plane, a box and a capsule; kernel text, see
 * simd/wide.h.
 *
 * Depth is along the normal: how far the shapes must part. Every normal is a unit vector, even
 * where the geometry leaves it open (concentric spheres, a centre inside a box). There is one
 * point, and it is feature 1. */
#ifndef LODE_COLLIDE_TOUCH_SPHERE_H
#define LODE_COLLIDE_TOUCH_SPHERE_H

#include "collide/capsule_line.h"
#include "collide/pair_batch.h"

LODE__INLINE wtouch sphere_sphere(const wpair *in)
{
    wvec3 down = wv_make(w_zero(), w_zero(), w_splat(-1)), n = wp_normalize_or(in->offset, down);
    wreal r = wf_first(in->size_a);
    wreal depth = w_sub(w_add(r, wf_first(in->size_b)), wv_length(in->offset));
    return wp_only(in, wv_neg(n), r, depth);
}

LODE__INLINE wtouch sphere_plane(const wpair *in)
{
    wvec3 n = wp_plane(in);
    wreal r = wf_first(in->size_a);
    return wp_only(in, n, r, w_sub(r, wp_height(in, n)));
}

/* Out of the box through the nearest face: the normal in box axes, and by how much. */
LODE__INLINE wvec3 way_out_of_box(wvec3 center, wvec3 half, wreal *out_distance)
{
    wvec3 size = wv_abs(center), beyond = wv_sub(size, half), left = wv_sub(half, size);
    wreal bx = wv_x(beyond), by = wv_y(beyond), bz = wv_z(beyond);
    wmask x = m_and(w_ge(bx, by), w_ge(bx, bz));
    wmask y = m_andnot(w_ge(by, bz), x), z = m_not(m_or(x, y));
    wreal zero = w_zero(), one = w_splat(1), minus = w_splat(-1);
    *out_distance = w_select(x, wv_x(left), w_select(y, wv_y(left), wv_z(left)));
    return wv_make(w_masked(x, w_select(w_lt(wv_x(center), zero), minus, one)),
                   w_masked(y, w_select(w_lt(wv_y(center), zero), minus, one)),
                   w_masked(z, w_select(w_lt(wv_z(center), zero), minus, one)));
}

/* Seen from the sphere: the box mirrored in its centre is the same box. What is rotated back is not
 * yet of unit length, so that neither waits for the other. */
LODE__INLINE wtouch sphere_box(const wpair *in)
{
    wvec3 half = wf_vector(in->size_b), c = wq_rotate_inv(in->turn_b, in->offset);
    wvec3 apart = wv_sub(wv_min(wv_max(c, wv_neg(half)), half), c);
    wway way = wp_way(apart, wv_zero());
    wreal r = wf_first(in->size_a), depth = w_sub(r, wv_length(apart)), inside;
    if (!m_all(way.plain)) {
        wmask within = w_eq(wv_dot(apart, apart), w_zero());
        wvec3 out = way_out_of_box(wv_neg(c), half, &inside);
        way.along = wv_select(within, out, way.along);
        depth = w_select(within, w_add(r, inside), depth);
    }
    return wp_only(in, wv_scale(wq_rotate(in->turn_b, way.along), way.scale), r, depth);
}

/* A centre on the axis is pushed out across it, which is never farther than past an end. */
LODE__INLINE wtouch sphere_capsule(const wpair *in)
{
    wvec3 axis = wp_axis(in->turn_b), offset = in->offset;
    wreal s = wp_within(w_neg(wv_dot(offset, axis)), wf_second(in->size_b));
    wvec3 nearest = wv_add_scaled(offset, axis, s); /* from the sphere's centre */
    wreal distance = wv_length(nearest), r = wf_first(in->size_a);
    wreal reach = w_add(r, wf_first(in->size_b));
    wmask clear = w_gt(distance, w_mul(reach, w_splat(LINE_MEETS)));
    wvec3 n = wv_neg(wp_normalize_or(nearest, wv_neg(axis)));
    if (!m_all(clear))
        n = wv_select(clear, n, wp_tangent(axis));
    return wp_only(in, n, r, w_sub(reach, distance));
}

#endif
