/* touch_plane.h: a box against a plane; kernel text, see simd/wide.h.
 *
 * The corners of the face that looks most straight at the plane. The deepest corner is always among
 * them. A corner is named by its signs: bit i is set where coordinate i is positive; features are
 * these names plus 1. */
#ifndef LODE_COLLIDE_TOUCH_PLANE_H
#define LODE_COLLIDE_TOUCH_PLANE_H

#include "collide/pair_batch.h"

/* The face: across the first axis that looks most along the normal, on the side away from it. */
typedef struct wlow_face {
    wmask x, y, z; /* its axis */
    wmask upper;   /* it is on the positive side */
} wlow_face;

LODE__INLINE wlow_face find_low_face(wvec3 n)
{
    wvec3 size = wv_abs(n);
    wreal x = wv_x(size), y = wv_y(size), z = wv_z(size);
    wlow_face face;
    face.x = m_and(w_ge(x, y), w_ge(x, z));
    face.y = m_andnot(w_ge(y, z), face.x);
    face.z = m_not(m_or(face.x, face.y));
    wreal along = w_select(face.x, wv_x(n), w_select(face.y, wv_y(n), wv_z(n)));
    face.upper = m_not(w_gt(along, w_zero()));
    return face;
}

/* One coordinate of a corner. */
LODE__INLINE wreal corner_at(wmask positive, wreal half)
{
    return w_select(positive, half, w_neg(half));
}

/* Moves the point up to the place behind those there are. */
LODE__INLINE void add_corner_point(wpoint p, wmask on, wreal rank, wpoint *p0, wpoint *p1,
                                   wpoint *p2, wpoint *p3)
{
    *p0 = wp_select(m_and(on, w_eq(rank, w_zero())), p, *p0);
    *p1 = wp_select(m_and(on, w_eq(rank, w_splat(1))), p, *p1);
    *p2 = wp_select(m_and(on, w_eq(rank, w_splat(2))), p, *p2);
    *p3 = wp_select(m_and(on, w_eq(rank, w_splat(3))), p, *p3);
}

LODE__INLINE wtouch box_plane(const wpair *in)
{
    wvec3 n = wp_plane(in), half = wf_vector(in->size_a), local = wq_rotate_inv(in->turn_a, n);
    wreal height = wp_height(in, n), rank = w_zero(), one = w_splat(1);
    wlow_face face = find_low_face(local);
    wmask none = w_lt(w_zero(), w_zero()), all = m_not(none);
    wpoint p0 = {wv_zero(), w_zero(), w_zero()}, p1 = p0, p2 = p0, p3 = p0;

    /* of the other two axes, first along the lower */
    for (int k = 0; k < 4; ++k) {
        wmask lo = k & 1 ? all : none, hi = k & 2 ? all : none;
        wmask x = m_or(m_and(face.x, face.upper), m_andnot(lo, face.x));
        wmask y = m_or(m_and(face.y, face.upper), m_or(m_and(face.x, lo), m_and(face.z, hi)));
        wmask z = m_or(m_and(face.z, face.upper), m_andnot(hi, face.z));
        wvec3 at = wv_make(corner_at(x, wv_x(half)), corner_at(y, wv_y(half)),
                           corner_at(z, wv_z(half)));
        wreal depth = w_neg(w_add(height, wv_dot(local, at)));
        wmask near = wp_near(in, depth);
        if (!m_any(near))
            continue;
        wreal name = w_add(w_masked(x, one), w_masked(y, w_splat(2)));
        name = w_add(w_add(name, w_masked(z, w_splat(4))), one);
        wvec3 middle = wv_add_scaled(wq_rotate(in->turn_a, at), n,
                                     w_mul(depth, w_splat((lode_real)0.5)));
        add_corner_point((wpoint){middle, depth, name}, near, rank, &p0, &p1, &p2, &p3);
        rank = w_add(rank, w_masked(near, one));
    }
    return (wtouch){n, rank, p0, p1, p2, p3};
}

#endif
