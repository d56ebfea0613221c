/* touch_triangle_capsule.h: capsules with triangles; kernel text, see simd/wide.h.
 *
 * Of the axis, stations from -1 to 1:
 *
 *     on      what of it lies within the planes through the triangle's edges, along the normal,
 *             from on[0] to on[1], and which edges end that; -1: the axis does
 *     wide    the same for planes that are a little farther out
 *     edges   the station nearest to each edge, and where on the edge that is, 0 to 1 (Ericson,
 *             "Real-Time Collision Detection", 2005, section 5.1.9)
 *
 * `touches` says which of them there are, or are near enough (LODE__CAPSULE_...). */
#ifndef LODE_COLLIDE_TOUCH_TRIANGLE_CAPSULE_H
#define LODE_COLLIDE_TOUCH_TRIANGLE_CAPSULE_H

#include "collide/touch_triangle.h"

/* As MESH_ALIKE. */
#define TRIANGLE_ALIKE ((lode_real)0.01)

/* As side_out(). */
LODE__INLINE wvec3 wt_out(const wtriangle *t, int edge, wvec3 n)
{
    wvec3 a = t->v[edge], out = wv_cross(wv_sub(t->v[(edge + 1) % 3], a), n);
    wmask inwards = w_gt(wv_dot(out, wv_sub(t->v[(edge + 2) % 3], a)), w_zero());
    return wp_normalize_or(wv_select(inwards, wv_neg(out), out), wv_zero());
}

typedef struct wstretch {
    wreal s[2], cut[2];
    wmask there;
} wstretch;

LODE__INLINE wstretch wt_stretch(const wtriangle *t, const wvec3 out[3], wvec3 u, wreal length,
                                 wreal reach)
{
    wreal zero = w_zero(), one = w_splat(1), none = w_splat(-1);
    wstretch w = {{none, one}, {none, none}, w_eq(zero, zero)};
    for (int e = 0; e < 3; ++e) {
        wreal limit = w_add(wv_dot(out[e], t->v[e]), reach), rate = wv_dot(out[e], u);
        wreal least = w_mul(w_splat(REAL_EPSILON), w_add(w_abs(limit), length));
        wmask along = w_le(w_abs(rate), least), up = w_gt(rate, zero);
        wreal s = w_div(limit, w_select(along, one, rate));
        wmask upper = m_andnot(m_and(up, w_lt(s, w.s[1])), along);
        wmask lower = m_andnot(m_andnot(w_gt(s, w.s[0]), up), along);
        w.there = m_andnot(w.there, m_and(along, w_lt(limit, zero)));
        w.s[1] = w_select(upper, s, w.s[1]);
        w.cut[1] = w_select(upper, w_splat((lode_real)e), w.cut[1]);
        w.s[0] = w_select(lower, s, w.s[0]);
        w.cut[0] = w_select(lower, w_splat((lode_real)e), w.cut[0]);
    }
    w.there = m_and(w.there, w_le(w.s[0], w.s[1]));
    return w;
}

LODE__INLINE wreal wt_clamp(wreal x, wreal lo, wreal hi)
{
    return w_max(lo, w_min(x, hi));
}

/* The nearest stations of the axis and an edge; returns from the edge's to the axis's. */
LODE__INLINE wvec3 wt_stations(const wtriangle *t, int edge, wvec3 u, wreal *out_s, wreal *out_t)
{
    wvec3 p = t->v[edge], e = wv_sub(t->v[(edge + 1) % 3], p);
    wreal zero = w_zero(), one = w_splat(1), minus = w_splat(-1);
    wreal uu = wv_dot(u, u), ee = wv_dot(e, e), ue = wv_dot(u, e), up = wv_dot(u, p);
    wreal ep = wv_dot(e, p), square = w_sub(w_mul(uu, ee), w_mul(ue, ue));
    wmask skew = w_gt(square, w_mul(w_mul(uu, ee), w_splat((lode_real)1e-6)));
    wreal meet = w_div(w_sub(w_mul(up, ee), w_mul(ue, ep)), w_select(skew, square, one));
    wreal s = w_select(skew, wt_clamp(meet, minus, one), zero);
    wmask long_edge = w_gt(ee, zero), long_axis = w_gt(uu, zero);
    ee = w_select(long_edge, ee, one);
    wreal at = wt_clamp(w_div(w_sub(w_mul(s, ue), ep), ee), zero, one);
    s = w_div(w_add(up, w_mul(at, ue)), w_select(long_axis, uu, one));
    s = w_select(long_axis, wt_clamp(s, minus, one), zero);
    at = wt_clamp(w_div(w_sub(w_mul(s, ue), ep), ee), zero, one);
    *out_s = s;
    *out_t = at;
    return wv_sub(wv_scale(u, s), wv_add_scaled(p, e, at));
}

LODE__INLINE void wt_put_stretch(lode__lanes s[2], lode__lanes cut[2], int lane, const wstretch *w)
{
    for (int end = 0; end < 2; ++end) {
        w_store(&s[end].x[lane], w->s[end]);
        w_store(&cut[end].x[lane], w->cut[end]);
    }
}

LODE__INLINE void capsule_triangle(lode__triangle_batch *batch, int lane)
{
    wtriangle t = wt_triangle(batch, lane);
    wreal height, radius = w_load(&batch->size[0].x[lane]), zero = w_zero();
    wreal most = w_add(radius, w_splat(batch->speculative));
    wvec3 u = wv_scale(wt_load(batch->axis[2], lane), w_load(&batch->size[1].x[lane])), out[3];
    wvec3 n = wt_side(batch, lane, &t, &height);
    wreal rise = w_abs(wv_dot(n, u)), touches = zero, length = wv_length(u);
    /* the plane is farther away than the radius, above or below */
    wmask apart = w_ge(w_sub(w_abs(height), rise), most);
    w_store(&batch->touches.x[lane], zero);
    if (m_all(apart))
        return;
    for (int e = 0; e < 3; ++e)
        out[e] = wt_out(&t, e, n);
    wreal beside = w_mul(most, w_splat(TRIANGLE_ALIKE));
    wstretch wide = wt_stretch(&t, out, u, length, beside);
    wstretch on = wt_stretch(&t, out, u, length, zero);
    wt_put_stretch(batch->wide, batch->wide_cut, lane, &wide);
    wt_put_stretch(batch->on, batch->on_cut, lane, &on);
    touches = w_add(w_masked(wide.there, w_splat(LODE__CAPSULE_BESIDE)),
                    w_masked(on.there, w_splat(LODE__CAPSULE_ON)));
    for (int e = 0; e < 3; ++e) {
        wreal s, at;
        wreal distance = wv_length(wt_stations(&t, e, u, &s, &at));
        w_store(&batch->edge_s[e].x[lane], s);
        w_store(&batch->edge_t[e].x[lane], at);
        wmask near = w_lt(distance, most);
        touches = w_add(touches, w_masked(near, w_splat((lode_real)(LODE__CAPSULE_EDGE << e))));
    }
    w_store(&batch->touches.x[lane], w_masked(m_not(apart), touches));
}

#endif
