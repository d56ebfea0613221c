/* touch_triangle.h: spheres and boxes with triangles; kernel text, see simd/wide.h.
 *
 * These find out how a shape and one triangle lie to each other; what the surface around the
 * triangle has to say about that follows one by one (collide/mesh_touch.h).
 *
 *     sphere    `m` leads from the triangle's nearest point to the centre, `depth` is their
 *               distance, `what` says where the point lies: -1 in the face, 0..2 on an edge, 3..5
 *               at a corner
 *     box       `m` is the direction, into the box, along which they overlap least, `depth` by how
 *               much, `what` names it
 *
 * Nearest points: by the signs of barycentric coordinates (Ericson, "Real-Time Collision
 * Detection", 2005, section 5.1.5). Boxes: separating axes, which are the triangle's normal, the
 * box's three, and nine products of edges (Akenine-Moeller 2001, "Fast 3D triangle-box overlap
 * testing"; Gottschalk, Lin, Manocha 1996); the normal wins unless another is better by 5 % and a
 * little. */
#ifndef LODE_COLLIDE_TOUCH_TRIANGLE_H
#define LODE_COLLIDE_TOUCH_TRIANGLE_H

#include "collide/pair_batch.h"

typedef struct wtriangle {
    wvec3 v[3];
} wtriangle;

LODE__INLINE wvec3 wt_load(const lode__lanes lanes[3], int lane)
{
    return (wvec3){w_load(&lanes[0].x[lane]), w_load(&lanes[1].x[lane]), w_load(&lanes[2].x[lane])};
}

LODE__INLINE void wt_store(lode__lanes lanes[3], int lane, wvec3 v)
{
    w_store(&lanes[0].x[lane], v.x);
    w_store(&lanes[1].x[lane], v.y);
    w_store(&lanes[2].x[lane], v.z);
}

LODE__INLINE wtriangle wt_triangle(const lode__triangle_batch *batch, int lane)
{
    return (wtriangle){{wt_load(batch->v[0], lane), wt_load(batch->v[1], lane),
                        wt_load(batch->v[2], lane)}};
}

/* The side that the shape is on: its normal, as triangle_normal() and turned where it is the
 * back. */
LODE__INLINE wvec3 wt_side(lode__triangle_batch *batch, int lane, const wtriangle *t,
                           wreal *out_height)
{
    wreal zero = w_zero(), one = w_splat(1);
    wvec3 x = {one, zero, zero}, y = {zero, one, zero}, z = {zero, zero, one};
    wvec3 u = wp_normalize_or(wv_sub(t->v[1], t->v[0]), x);
    wvec3 v = wp_normalize_or(wv_sub(t->v[2], t->v[0]), y);
    wvec3 n = wp_normalize_or(wv_cross(u, v), z);
    wreal height = w_neg(wv_dot(n, t->v[0])), back = zero;
    if (batch->two_sided) {
        wmask behind = w_lt(height, zero);
        n = wv_select(behind, wv_neg(n), n);
        height = w_select(behind, w_neg(height), height);
        back = w_masked(behind, one);
    }
    wt_store(batch->normal, lane, n);
    w_store(&batch->height.x[lane], height);
    w_store(&batch->back.x[lane], back);
    *out_height = height;
    return n;
}

/* --- spheres */

typedef struct wnearest {
    wvec3 point;
    wreal where;
} wnearest;

LODE__INLINE void wt_choose(wnearest *nearest, wmask m, wvec3 point, lode_real where)
{
    nearest->point = wv_select(m, point, nearest->point);
    nearest->where = w_select(m, w_splat(where), nearest->where);
}

/* Of the triangle, to the centre; the cases from the last to the first. */
LODE__INLINE wnearest wt_nearest(const wtriangle *t)
{
    wreal zero = w_zero(), one = w_splat(1);
    wvec3 ab = wv_sub(t->v[1], t->v[0]), ac = wv_sub(t->v[2], t->v[0]);
    wvec3 ax = wv_sub(wv_zero(), t->v[0]), bx = wv_sub(wv_zero(), t->v[1]);
    wvec3 cx = wv_sub(wv_zero(), t->v[2]);
    wreal d1 = wv_dot(ab, ax), d2 = wv_dot(ac, ax), d3 = wv_dot(ab, bx), d4 = wv_dot(ac, bx);
    wreal d5 = wv_dot(ab, cx), d6 = wv_dot(ac, cx);
    wreal vc = w_sub(w_mul(d1, d4), w_mul(d3, d2)), vb = w_sub(w_mul(d5, d2), w_mul(d1, d6));
    wreal va = w_sub(w_mul(d3, d6), w_mul(d5, d4)), sum = w_add(w_add(va, vb), vc);
    wmask real = m_not(w_eq(sum, zero));
    sum = w_select(real, sum, one);
    wvec3 inner = wv_add_scaled(wv_add_scaled(t->v[0], ab, w_div(vb, sum)), ac, w_div(vc, sum));
    wnearest n = {inner, w_splat(-1)};

    wreal p = w_sub(d4, d3), q = w_sub(d5, d6), pq = w_add(p, q);
    wmask on1 = m_and(w_le(va, zero), m_and(w_ge(p, zero), w_ge(q, zero)));
    wreal share = w_div(p, w_select(w_eq(pq, zero), one, pq));
    wt_choose(&n, on1, wv_add_scaled(t->v[1], wv_sub(t->v[2], t->v[1]), share), 1);

    wreal d26 = w_sub(d2, d6), d13 = w_sub(d1, d3);
    wmask on2 = m_and(w_le(vb, zero), m_and(w_ge(d2, zero), w_le(d6, zero)));
    share = w_sub(one, w_div(d2, w_select(w_eq(d26, zero), one, d26)));
    wt_choose(&n, on2, wv_add_scaled(t->v[2], wv_sub(t->v[0], t->v[2]), share), 2);

    wmask on0 = m_and(w_le(vc, zero), m_and(w_ge(d1, zero), w_le(d3, zero)));
    share = w_div(d1, w_select(w_eq(d13, zero), one, d13));
    wt_choose(&n, on0, wv_add_scaled(t->v[0], ab, share), 0);

    wt_choose(&n, m_and(w_ge(d6, zero), w_le(d5, d6)), t->v[2], 5);
    wt_choose(&n, m_and(w_ge(d3, zero), w_le(d4, d3)), t->v[1], 4);
    wt_choose(&n, m_and(w_le(d1, zero), w_le(d2, zero)), t->v[0], 3);
    return n;
}

LODE__INLINE void sphere_triangle(lode__triangle_batch *batch, int lane)
{
    wtriangle t = wt_triangle(batch, lane);
    wreal height, most = w_add(w_load(&batch->size[0].x[lane]), w_splat(batch->speculative));
    wvec3 n = wt_side(batch, lane, &t, &height);
    wnearest nearest = wt_nearest(&t);
    wreal distance = wv_length(nearest.point);
    wt_store(batch->m, lane, wp_normalize_or(wv_neg(nearest.point), n));
    w_store(&batch->depth.x[lane], distance);
    w_store(&batch->what.x[lane], nearest.where);
    w_store(&batch->touches.x[lane], w_masked(w_le(distance, most), w_splat(1)));
}

/* --- boxes */

/* A product of nearly parallel edges is no axis: their sine squared. */
#define TRIANGLE_PARALLEL ((lode_real)1e-4)

/* What another axis must be better than the triangle's normal by, beside LODE__AXIS_MARGIN. */
#define TRIANGLE_FACE_WORSE ((lode_real)(1 / 0.95))

/* In the box's axes most products with them are picked components: the axes are 1 0 0, 0 1 0, 0 0
 * 1. */
typedef struct wtriangle_box {
    wreal half[3], v[3][3]; /* corners of the triangle: corner, component */
    wreal speculative;
} wtriangle_box;

typedef struct wtriangle_verdict {
    wreal m[3], depth, axis;
    wmask touches;
} wtriangle_verdict;

LODE__INLINE void wt_components(const lode__triangle_batch *batch, int lane, wvec3 v, wreal out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = wv_dot(wt_load(batch->axis[i], lane), v);
}

/* What a direction comes to along which the box reaches `reach` and the triangle from `down` to
 * `up`, where `real`. Returns the lanes where it is the best so far, and in *sign which way it
 * leads into the box. */
LODE__INLINE wmask wt_judge(const wtriangle_box *b, wreal reach, wreal up, wreal down, wmask real,
                            lode_real axis, wtriangle_verdict *best, wreal *sign)
{
    wreal forward = w_add(reach, up), backward = w_sub(reach, down);
    wreal depth = w_min(forward, backward), one = w_splat(1);
    wmask apart = m_not(w_gt(depth, w_neg(b->speculative)));
    best->touches = m_andnot(best->touches, m_and(real, apart));
    wreal much = w_max(depth, w_mul(depth, w_splat(TRIANGLE_FACE_WORSE)));
    much = w_add(much, w_mul(b->speculative, w_splat(LODE__AXIS_MARGIN)));
    wmask better = m_and(real, w_lt(much, best->depth));
    best->depth = w_select(better, depth, best->depth);
    best->axis = w_select(better, w_splat(axis), best->axis);
    *sign = w_select(w_le(forward, backward), one, w_neg(one));
    return better;
}

/* Axis i of the box. */
LODE__INLINE void wt_try_axis(const wtriangle_box *b, int i, wtriangle_verdict *best)
{
    wreal p = b->v[0][i], q = b->v[1][i], r = b->v[2][i], sign, zero = w_zero();
    wmask better = wt_judge(b, b->half[i], w_max(p, w_max(q, r)), w_min(p, w_min(q, r)),
                            w_eq(zero, zero), (lode_real)(LODE__BOX_BY_BOX + i), best, &sign);
    for (int k = 0; k < 3; ++k)
        best->m[k] = w_select(better, k == i ? sign : zero, best->m[k]);
}

/* Products of the axes with an edge of the triangle, both of whose ends reach equally far along
 * them. */
LODE__INLINE void wt_try_edge(const wtriangle_box *b, int edge, wtriangle_verdict *best)
{
    const wreal *from = b->v[edge], *far = b->v[(edge + 2) % 3];
    wvec3 along = {w_sub(b->v[(edge + 1) % 3][0], from[0]), w_sub(b->v[(edge + 1) % 3][1], from[1]),
                   w_sub(b->v[(edge + 1) % 3][2], from[2])};
    along = wp_normalize_or(along, wv_zero());
    const wreal a[3] = {along.x, along.y, along.z};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3; /* the product is -a[k] along j, a[j] along k */
        wreal square = w_add(w_mul(a[j], a[j]), w_mul(a[k], a[k])), one = w_splat(1), sign;
        wmask real = w_gt(square, w_splat(TRIANGLE_PARALLEL));
        wreal scale = w_div(one, w_sqrt(w_select(real, square, one)));
        wreal mj = w_neg(w_mul(a[k], scale)), mk = w_mul(a[j], scale);
        wreal p = w_add(w_mul(mj, from[j]), w_mul(mk, from[k]));
        wreal q = w_add(w_mul(mj, far[j]), w_mul(mk, far[k]));
        wreal reach = w_add(w_mul(b->half[j], w_abs(mj)), w_mul(b->half[k], w_abs(mk)));
        wmask better = wt_judge(b, reach, w_max(p, q), w_min(p, q), real,
                                (lode_real)(LODE__BOX_BY_EDGES + 3 * i + edge), best, &sign);
        best->m[i] = w_select(better, w_zero(), best->m[i]);
        best->m[j] = w_select(better, w_mul(sign, mj), best->m[j]);
        best->m[k] = w_select(better, w_mul(sign, mk), best->m[k]);
    }
}

LODE__INLINE void box_triangle(lode__triangle_batch *batch, int lane)
{
    wtriangle t = wt_triangle(batch, lane);
    wtriangle_box b;
    wtriangle_verdict best;
    wreal height;
    wvec3 n = wt_side(batch, lane, &t, &height);
    b.speculative = w_splat(batch->speculative);
    wt_components(batch, lane, n, best.m);
    for (int i = 0; i < 3; ++i)
        b.half[i] = w_load(&batch->size[i].x[lane]);
    wreal reach = w_add(
        w_add(w_mul(b.half[0], w_abs(best.m[0])), w_mul(b.half[1], w_abs(best.m[1]))),
        w_mul(b.half[2], w_abs(best.m[2])));
    best.depth = w_sub(reach, height);
    best.axis = w_splat(LODE__BOX_BY_FACE);
    best.touches = m_andnot(w_gt(best.depth, w_neg(b.speculative)), w_lt(height, w_neg(reach)));
    w_store(&batch->touches.x[lane], w_zero());
    if (!m_any(best.touches))
        return;
    for (int k = 0; k < 3; ++k)
        wt_components(batch, lane, t.v[k], b.v[k]);
    for (int i = 0; i < 3; ++i)
        wt_try_axis(&b, i, &best);
    for (int edge = 0; edge < 3 && m_any(best.touches); ++edge)
        wt_try_edge(&b, edge, &best);
    if (!m_any(best.touches))
        return;
    wvec3 m = wv_scale(wt_load(batch->axis[0], lane), best.m[0]);
    m = wv_add_scaled(m, wt_load(batch->axis[1], lane), best.m[1]);
    m = wv_add_scaled(m, wt_load(batch->axis[2], lane), best.m[2]);
    wmask face = w_lt(best.axis, w_zero());
    wt_store(batch->m, lane, wv_select(face, n, m));
    w_store(&batch->depth.x[lane], best.depth);
    w_store(&batch->what.x[lane], best.axis);
    w_store(&batch->touches.x[lane], w_masked(best.touches, w_splat(1)));
}

#endif
