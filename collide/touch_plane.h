/* touch_plane.h: a box and a cylinder against a plane; kernel text, see simd/wide.h.
 *
 * Of a box the corners of the face that looks most straight at the plane. The deepest corner is
 * always among them. A corner is named by its signs: bit i is set where coordinate i is positive;
 * features are these names plus 1.
 *
 * A cylinder stands on four points of its rim that turn with it, or lies on the two ends of a line.
 * Features: 1 and 2 the lower and upper end of that line, as the axis points; 3..6 points of the
 * lower rim, 7..10 of the upper; 11 and 12 the deepest point of either rim. */
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

/* Moves point k up to the place behind those there are; `rank` counts them. */
LODE__INLINE void add_corner_point(wpoint p, int k, wmask on, wreal rank, wpoint *p0, wpoint *p1,
                                   wpoint *p2, wpoint *p3)
{
    *p0 = wp_select(m_and(on, w_eq(rank, w_zero())), p, *p0);
    if (k > 0)
        *p1 = wp_select(m_and(on, w_eq(rank, w_splat(1))), p, *p1);
    if (k > 1)
        *p2 = wp_select(m_and(on, w_eq(rank, w_splat(2))), p, *p2);
    if (k > 2)
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
        add_corner_point((wpoint){middle, depth, name}, k, near, rank, &p0, &p1, &p2, &p3);
        rank = w_add(rank, w_masked(near, one));
    }
    return (wtouch){n, rank, p0, p1, p2, p3};
}

/* --- a cylinder */

enum { SIDE_LOWER = 1, SIDE_UPPER, RIM_FIRST, RIM_POINTS = 4, RIM_DEEPEST = RIM_FIRST + 8 };

/* Of the margin and of the smaller half size: depths that differ by less are equal. */
#define EQUAL_MARGIN ((lode_real)0.05)
#define EQUAL_SIZE ((lode_real)0.01)

/* The plane, and the cylinder's half axes in the world: x and y as long as the radius, z as half of
 * it is high. */
typedef struct wground {
    wvec3 normal;
    wvec3 x, y, z;
    wreal up_x, up_y, up_z; /* along the normal */
    wreal height;           /* of the cylinder's centre */
    wreal equal;
    wreal lowest_x, lowest_y; /* the lowest point of a rim, along x and y */
} wground;

/* Of the first (0) to fourth point: where it is, how deep, and what it is called. Whether it is one
 * is asked of `depth`; `told` is what is told then. */
typedef struct wrim_point {
    wvec3 at;
    wreal depth, told, feature;
} wrim_point;

LODE__INLINE wvec3 lowest_across(const wground *g, wvec3 from)
{
    return wv_add_scaled(wv_add_scaled(from, g->x, g->lowest_x), g->y, g->lowest_y);
}

/* Four points of the rim that turn with the cylinder, and the deepest one: it takes the place of
 * the nearest of them where they miss it by more than rounding, else the deepest of them its depth.
 */
LODE__INLINE void stand(const wground *g, wrim_point out[RIM_POINTS])
{
    wreal zero = w_zero();
    wmask top = w_lt(g->up_z, zero);
    wvec3 end = wv_select(top, g->z, wv_neg(g->z));
    wreal first = w_add(w_splat(RIM_FIRST), w_masked(top, w_splat(RIM_POINTS)));
    wreal low = w_neg(w_sub(g->height, w_abs(g->up_z)));
    wreal x = g->lowest_x, y = g->lowest_y;
    wreal deepest = w_sub(low, w_add(w_mul(x, g->up_x), w_mul(y, g->up_y)));
    wmask on_x = w_ge(w_abs(x), w_abs(y)), under_x = w_lt(x, zero), under_y = w_lt(y, zero);
    const wmask nearest[RIM_POINTS] = {m_andnot(on_x, under_x), m_not(m_or(on_x, under_y)),
                                       m_and(on_x, under_x), m_andnot(under_y, on_x)};
    out[0].at = wv_add(end, g->x), out[0].depth = w_sub(low, g->up_x);
    out[1].at = wv_add(end, g->y), out[1].depth = w_sub(low, g->up_y);
    out[2].at = wv_sub(end, g->x), out[2].depth = w_add(low, g->up_x);
    out[3].at = wv_sub(end, g->y), out[3].depth = w_add(low, g->up_y);
    wreal most = w_max(w_max(out[0].depth, out[1].depth), w_max(out[2].depth, out[3].depth));
    wmask missed = w_gt(deepest, w_add(most, g->equal));
    wvec3 lowest = lowest_across(g, end);
    wreal name = w_add(w_splat(RIM_DEEPEST), w_masked(top, w_splat(1)));
    for (int k = 0; k < RIM_POINTS; ++k) {
        wmask takes = m_and(missed, nearest[k]);
        wmask lends = m_andnot(w_eq(out[k].depth, most), missed);
        out[k].told = w_select(m_or(takes, lends), deepest, out[k].depth);
        out[k].depth = w_select(takes, deepest, out[k].depth);
        out[k].at = wv_select(takes, lowest, out[k].at);
        out[k].feature = w_select(takes, name, w_add(first, w_splat((lode_real)k)));
    }
}

/* On the two ends of the line that is lowest. */
LODE__INLINE void lie(const wground *g, wmask lying, wrim_point out[RIM_POINTS])
{
    wreal x = g->lowest_x, y = g->lowest_y, one = w_splat(1);
    wvec3 middle = wv_add_scaled(wv_scale(g->x, x), g->y, y);
    wreal depth = w_neg(w_add(w_add(g->height, w_mul(x, g->up_x)), w_mul(y, g->up_y)));
    const wvec3 at[2] = {wv_sub(middle, g->z), wv_add(middle, g->z)};
    const wreal depths[2] = {w_add(depth, g->up_z), w_sub(depth, g->up_z)};
    for (int k = 0; k < 2; ++k) {
        out[k].at = wv_select(lying, at[k], out[k].at);
        out[k].depth = w_select(lying, depths[k], out[k].depth);
        out[k].told = w_select(lying, depths[k], out[k].told);
        out[k].feature = w_select(lying, k ? w_add(one, one) : one, out[k].feature);
    }
}

LODE__INLINE wground find_ground(const wpair *in, waxes3 axes)
{
    wreal radius = wf_first(in->size_a), half = wf_second(in->size_a), zero = w_zero();
    wground g = {.normal = wp_plane(in),
                 .x = wv_scale(axes.x, radius),
                 .y = wv_scale(axes.y, radius),
                 .z = wv_scale(axes.z, half)};
    wvec3 n = g.normal;
    g.height = wp_height(in, n);
    g.equal = w_min(w_mul(in->speculative, w_splat(EQUAL_MARGIN)),
                    w_mul(w_min(radius, half), w_splat(EQUAL_SIZE)));
    g.up_x = wv_dot(n, g.x);
    g.up_y = wv_dot(n, g.y);
    g.up_z = wv_dot(n, g.z);
    wreal square = w_add(w_mul(g.up_x, g.up_x), w_mul(g.up_y, g.up_y)), one = w_splat(1);
    wmask leans = w_gt(square, zero);
    wreal over = w_div(w_neg(one), w_sqrt(w_select(leans, square, one)));
    g.lowest_x = w_select(leans, w_mul(g.up_x, over), one);
    g.lowest_y = w_masked(leans, w_mul(g.up_y, over));
    return g;
}

LODE__INLINE wtouch cylinder_plane(const wpair *in)
{
    waxes3 axes = wq_axes(in->turn_a);
    wground g = find_ground(in, axes);
    wreal along = wv_dot(axes.z, g.normal), one = w_splat(1), rank = w_zero();
    wmask stands = w_gt(w_mul(w_mul(w_splat(2), along), along), one), lies = m_not(stands);
    wpoint p0 = {wv_zero(), w_zero(), w_zero()}, p1 = p0, p2 = p0, p3 = p0;
    wrim_point points[RIM_POINTS];
    stand(&g, points);
    if (m_any(lies))
        lie(&g, lies, points);
    for (int k = 0; k < RIM_POINTS; ++k) {
        wmask near = wp_near(in, points[k].depth);
        if (k > 1)
            near = m_and(near, stands);
        wreal half = w_mul(points[k].depth, w_splat((lode_real)0.5));
        wpoint p = {wv_add_scaled(points[k].at, g.normal, half), points[k].told, points[k].feature};
        add_corner_point(p, k, near, rank, &p0, &p1, &p2, &p3);
        rank = w_add(rank, w_masked(near, one));
    }
    return (wtouch){g.normal, rank, p0, p1, p2, p3};
}

#endif
