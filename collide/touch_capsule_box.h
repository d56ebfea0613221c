/* touch_capsule_box.h: a capsule against a box, in the box's axes; kernel text, see simd/wide.h.
 *
 * Apart. The squared distance f(s) of the point at s on the capsule's axis from the box is convex
 * and quadratic between the places where the axis crosses the planes of the box's faces. Half its
 * derivative,
 *
 *     g(s) = sum over i of u_i (x_i - clamp(x_i)),        x = c + s u,
 *
 * rises in straight pieces. Each of the six crossings shortens the bracket of its root from one
 * side or the other; what is left holds no crossing, there g is straight, and the root is exact.
 *
 * Through. Where the axis itself meets the box, the least push that frees it is the nearest face of
 * the box's Minkowski sum with the axis. Its faces have six normals: three faces of the box, three
 * products of its edges with the axis. Then the radius is added. A face of the box may be preferred
 * to an edge that is a little better; then the axis runs down beside the box beyond the face's rim,
 * and is free when the ball around each station there has cleared the rim:
 *
 *     depth = most over s of sqrt(r^2 - e(s)^2) - h(s),
 *
 * h being the station's height over the face and e how far it is out of the face's column. It is
 * concave, made of one piece for each side that is passed, and known in closed form.
 *
 * Either gives a normal and the deepest station; lines of contact as in collide/capsule_line.h,
 * ended where the axis leaves the box's faces. Who moves apart by the deepest depth has parted. */
#ifndef LODE_COLLIDE_TOUCH_CAPSULE_BOX_H
#define LODE_COLLIDE_TOUCH_CAPSULE_BOX_H

#include "collide/touch_capsule.h"

/* Of the radius: how far beyond the edge of a face the axis still counts as above it, so that
 * rounding does not decide where it runs along the edge. The depth there errs by half its
 * square. */
#define ROD_BRIM ((lode_real)0.02)

/* An edge decides only if it is better than the faces by a share of their depth and a length, in
 * speculative margins: faces hold a capsule still. */
#define ROD_EDGE_SHARE ((lode_real)0.95)
#define ROD_EDGE_MARGIN ((lode_real)0.05)

/* Sine squared below which the axis and an edge count as parallel: a hundred roundings of the sine.
 * The gap along their product has no error but rounding's, however small the sine. */
#define ROD_PARALLEL ((lode_real)1e-10)

/* The capsule in the box's axes. */
typedef struct wrod {
    wvec3 c, u;    /* centre and unit direction of the axis */
    wvec3 inverse; /* one over u, number by number */
    wvec3 half;    /* of the box */
    wreal length;  /* half the axis */
    wreal radius;
} wrod;

/* What the axis and the box say about each other. */
typedef struct wrod_verdict {
    wvec3 normal;   /* unit, out of the box */
    wvec3 beside;   /* from the middle of the contact to the line through s along the normal */
    wreal s, depth; /* of the deepest station */
    wreal lo, hi;   /* the stretch of the axis above the box */
    wmask by_face;  /* the axis is in the box, and freed through a face */
} wrod_verdict;

LODE__INLINE wvec3 wr_all(wreal x)
{
    return wv_make(x, x, x);
}

LODE__INLINE wvec3 wr_at(const wrod *in, wreal s)
{
    return wv_add_scaled(in->c, in->u, s);
}

/* From the nearest point of the box to x. */
LODE__INLINE wvec3 wr_beyond(const wrod *in, wvec3 x)
{
    return wv_sub(x, wv_min(wv_max(x, wv_neg(in->half)), in->half));
}

LODE__INLINE wreal wr_slope(const wrod *in, wreal s)
{
    return wv_dot(in->u, wr_beyond(in, wr_at(in, s)));
}

/* 1 for the largest number, the first of equals; 0 for the others. */
LODE__INLINE wvec3 wr_largest(wvec3 v)
{
    wreal x = wv_x(v), y = wv_y(v), z = wv_z(v), one = w_splat(1);
    wmask first = m_and(w_ge(x, y), w_ge(x, z)), second = m_andnot(w_ge(y, z), first);
    return wv_make(w_masked(first, one), w_masked(second, one),
                   w_masked(m_not(m_or(first, second)), one));
}

/* The stretch of the axis above a face, which has 1 in `face`: between the other faces, or beyond
 * each of them no farther than `over` allows. */
LODE__INLINE void wr_stretch(const wrod *in, wvec3 face, wvec3 over, wreal *out_lo, wreal *out_hi)
{
    wreal zero = w_zero(), most = w_splat(REAL_MAX);
    wvec3 brim = wr_all(w_mul(in->radius, w_splat(ROD_BRIM)));
    wvec3 width = wv_add(wv_max(in->half, over), brim);
    wvec3 one = wv_mul(wv_sub(width, in->c), in->inverse);
    wvec3 other = wv_mul(wv_sub(wv_neg(width), in->c), in->inverse);
    wvec3 across = wv_select_above(face, zero, wv_zero(), wv_abs(in->u));
    wvec3 lo = wv_select_above(across, zero, wv_min(one, other), wr_all(w_neg(most)));
    wvec3 hi = wv_select_above(across, zero, wv_max(one, other), wr_all(most));
    *out_lo = w_max(w_max(wv_x(lo), wv_y(lo)), w_max(wv_z(lo), w_neg(in->length)));
    *out_hi = w_min(w_min(wv_x(hi), wv_y(hi)), w_min(wv_z(hi), in->length));
}

/* --- apart */

typedef struct wr_bracket {
    wreal lo, hi, g_lo, g_hi;
} wr_bracket;

/* Crossings that are none, of axes along a face, are beyond both ends or no numbers. */
LODE__INLINE void wr_shorten(wr_bracket *b, const wrod *in, wreal s)
{
    wreal g = wr_slope(in, s);
    wmask within = m_and(w_gt(s, b->lo), w_lt(s, b->hi)), falls = w_lt(g, w_zero());
    wmask up = m_and(within, falls), down = m_andnot(within, falls);
    b->lo = w_select(up, s, b->lo);
    b->g_lo = w_select(up, g, b->g_lo);
    b->hi = w_select(down, s, b->hi);
    b->g_hi = w_select(down, g, b->g_hi);
}

LODE__INLINE wreal wr_nearest(const wrod *in)
{
    wreal zero = w_zero(), low_end = w_neg(in->length);
    wvec3 one = wv_mul(wv_sub(in->half, in->c), in->inverse);
    wvec3 other = wv_mul(wv_sub(wv_neg(in->half), in->c), in->inverse);
    wr_bracket b = {low_end, in->length, wr_slope(in, low_end), wr_slope(in, in->length)};
    wmask low = m_not(w_lt(b.g_lo, zero)), high = m_not(w_gt(b.g_hi, zero));
    if (m_all(m_or(low, high)))
        return w_select(low, low_end, in->length);
    wr_shorten(&b, in, wv_x(one));
    wr_shorten(&b, in, wv_x(other));
    wr_shorten(&b, in, wv_y(one));
    wr_shorten(&b, in, wv_y(other));
    wr_shorten(&b, in, wv_z(one));
    wr_shorten(&b, in, wv_z(other));
    wreal share = w_div(b.g_lo, w_sub(b.g_lo, b.g_hi));
    wreal root = w_add(b.lo, w_mul(w_sub(b.hi, b.lo), share));
    return w_select(low, low_end, w_select(high, in->length, root));
}

LODE__INLINE wrod_verdict wr_part(const wrod *in, wreal s, wvec3 x, wvec3 apart, wreal distance)
{
    wrod_verdict v = {.normal = wp_normalize_or(apart, wv_zero()), .beside = wv_zero(), .s = s};
    v.depth = w_sub(in->radius, distance);
    v.by_face = wl_none();
    wr_stretch(in, wr_largest(wv_abs(v.normal)), wv_abs(x), &v.lo, &v.hi);
    return v;
}

/* --- through; vectors are rolled so that the face, or the edge, is along the first axis */

typedef struct wr_roll {
    wmask one, two; /* it is along the second axis, the third */
} wr_roll;

LODE__INLINE wvec3 wr_rolled(wr_roll by, wvec3 v)
{
    return wv_roll(by.one, by.two, v);
}

LODE__INLINE wvec3 wr_unrolled(wr_roll by, wvec3 v)
{
    return wv_roll(by.two, by.one, v);
}

LODE__INLINE wreal wr_sign(wmask minus)
{
    return w_select(minus, w_splat(-1), w_splat(1));
}

/* How far the axis goes on, downwards, before it passes a side, of which it is `left` away and
 * which it nears at `rate`. */
LODE__INLINE wreal wr_way_to_side(wreal left, wreal rate, wreal far)
{
    wreal zero = w_zero();
    wmask passes = w_lt(left, w_mul(rate, far));
    wreal way = w_div(w_max(left, zero), w_select(w_gt(rate, zero), rate, w_splat(1)));
    return w_select(passes, way, far);
}

/* From s on the axis goes down and out of the face's column: around which station is the ball the
 * last to clear the face? What it has left after a way w beyond the first side rises as
 * sqrt(r^2 - a^2 w^2) + b w does, beyond both as sqrt(r^2 - A (w - m)^2 - q) + b w, with
 * A + b^2 = 1. */
LODE__INLINE wreal wr_lowest(const wrod *in, wreal s, wreal down)
{
    wreal zero = w_zero(), far = w_mul(w_splat(4), in->length);
    wvec3 x = wr_at(in, s), rate = wv_abs(in->u), along = wv_scale(in->u, down);
    wvec3 ahead = wv_select_above(wv_neg(along), zero, wv_neg(x), x);
    wvec3 left = wv_sub(in->half, ahead);
    wreal to_j = wr_way_to_side(wv_y(left), wv_y(rate), far);
    wreal to_k = wr_way_to_side(wv_z(left), wv_z(rate), far);
    wmask j_first = w_le(to_j, to_k);
    wreal begin = w_min(to_j, to_k), then = w_sub(w_max(to_j, to_k), begin);
    wreal end = w_sub(w_sub(in->length, w_mul(down, s)), begin);
    wreal a = w_select(j_first, wv_y(rate), wv_z(rate));
    wreal c = w_select(j_first, wv_z(rate), wv_y(rate)), b = wv_x(rate);
    wreal aa = w_mul(a, a), bb = w_mul(b, b), cc = w_mul(c, c), rb = w_mul(in->radius, b);
    wreal slant = w_mul(a, w_sqrt(w_add(aa, bb)));
    wmask first = w_lt(rb, w_mul(slant, then)), second = m_andnot(w_lt(then, end), first);
    wreal out = w_add(aa, cc), m = w_div(w_mul(cc, then), out);
    wreal rest = w_sub(w_mul(in->radius, in->radius), w_mul(w_mul(aa, m), then));
    wreal slope = w_sqrt(w_div(w_max(rest, zero), w_mul(out, w_add(out, bb))));
    wreal way = w_select(first, w_div(rb, slant),
                         w_select(second, w_add(m, w_mul(slope, b)), then));
    wreal lowest = w_add(s, w_mul(down, w_add(begin, w_min(w_max(way, zero), end))));
    return w_select(w_gt(end, zero), lowest, w_mul(down, in->length));
}

LODE__INLINE wrod_verdict wr_leave_by_face(const wrod *in, wreal s)
{
    wreal zero = w_zero(), side = wr_sign(w_lt(wv_x(in->c), zero));
    wreal down = wr_sign(w_gt(w_mul(side, wv_x(in->u)), zero));
    wrod_verdict v = {.normal = wv_make(side, zero, zero), .by_face = m_not(wl_none())};
    wvec3 face = wv_make(w_splat(1), zero, zero);
    wr_stretch(in, face, in->half, &v.lo, &v.hi);
    wreal within = w_max(v.lo, w_min(s, v.hi));
    v.s = wr_lowest(in, w_select(w_le(v.lo, v.hi), within, s), down);
    wvec3 x = wr_at(in, v.s);
    v.beside = wv_select_above(face, zero, wv_zero(), wr_beyond(in, x));
    wreal left = w_sub(w_mul(in->radius, in->radius), wv_dot(v.beside, v.beside));
    wreal under = w_sub(wv_x(in->half), w_mul(side, wv_x(x)));
    v.depth = w_add(w_sqrt(w_max(left, zero)), under);
    return v;
}

/* The station is where the axis passes the edge. `cross` is the product of c and u along it, `gap`
 * the negative of what is left beyond the edge. */
LODE__INLINE wrod_verdict wr_leave_by_edge(const wrod *in, wreal cross, wreal gap)
{
    wreal zero = w_zero(), j = wv_y(in->u), k = wv_z(in->u);
    wreal square = w_add(w_mul(j, j), w_mul(k, k));
    wreal scale = w_div(wr_sign(w_lt(cross, zero)), w_sqrt(square));
    wrod_verdict v = {.beside = wv_zero(), .by_face = wl_none()};
    v.normal = wv_make(zero, w_mul(k, scale), w_mul(w_neg(j), scale));
    wvec3 minus = wv_neg(v.normal);
    wvec3 edge = wv_select_above(minus, zero, wv_neg(in->half), in->half);
    wvec3 to = wv_sub(edge, in->c);
    wreal along = w_add(w_mul(wv_y(to), j), w_mul(wv_z(to), k));
    v.s = v.lo = v.hi = wp_within(w_div(along, square), in->length);
    v.depth = w_sub(in->radius, gap);
    return v;
}

LODE__INLINE wrod_verdict wr_select(wmask m, const wrod_verdict *a, const wrod_verdict *b)
{
    return (wrod_verdict){.normal = wv_select(m, a->normal, b->normal),
                          .beside = wv_select(m, a->beside, b->beside),
                          .s = w_select(m, a->s, b->s),
                          .depth = w_select(m, a->depth, b->depth),
                          .lo = w_select(m, a->lo, b->lo),
                          .hi = w_select(m, a->hi, b->hi),
                          .by_face = m_or(m_and(m, a->by_face), m_andnot(b->by_face, m))};
}

/* Gaps along the products of the axis and the edges: that along i has no number i, and two of the
 * axis's, turned. */
LODE__INLINE wvec3 wr_edge_gaps(const wrod *in, wvec3 cross)
{
    wvec3 rate = wv_abs(in->u), j = wv_yzx(in->u), k = wv_zxy(in->u);
    wvec3 square = wv_add(wv_mul(j, j), wv_mul(k, k));
    wvec3 reach = wv_add(wv_mul(wv_yzx(in->half), wv_zxy(rate)),
                         wv_mul(wv_zxy(in->half), wv_yzx(rate)));
    wvec3 gaps = wv_over(wv_sub(wv_abs(cross), reach), wv_sqrt(square));
    return wv_select_above(square, w_splat(ROD_PARALLEL), gaps, wr_all(w_splat(-REAL_MAX)));
}

LODE__INLINE wrod_verdict wr_leave(const wrod *in, wreal speculative, wreal s)
{
    wvec3 gaps = wv_sub(wv_sub(wv_abs(in->c), in->half), wv_scale(wv_abs(in->u), in->length));
    wvec3 largest = wr_largest(gaps), cross = wv_cross(in->c, in->u);
    wvec3 edges = wr_edge_gaps(in, cross);
    wreal gap = w_max(wv_x(gaps), w_max(wv_y(gaps), wv_z(gaps))), zero = w_zero();
    wreal best = w_add(w_max(gap, w_mul(gap, w_splat(ROD_EDGE_SHARE))),
                       w_mul(speculative, w_splat(ROD_EDGE_MARGIN)));
    wmask edge0 = w_gt(wv_x(edges), best);
    best = w_max(wv_x(edges), best);
    wmask edge1 = w_gt(wv_y(edges), best);
    best = w_max(wv_y(edges), best);
    wmask edge2 = w_gt(wv_z(edges), best);
    best = w_max(wv_z(edges), best);
    edge1 = m_andnot(edge1, edge2);
    wmask by_edge = m_or(edge0, m_or(edge1, edge2));
    wr_roll roll = {m_or(edge1, m_andnot(w_gt(wv_y(largest), zero), by_edge)),
                    m_or(edge2, m_andnot(w_gt(wv_z(largest), zero), by_edge))};
    wrod rolled = {wr_rolled(roll, in->c),
                   wr_rolled(roll, in->u),
                   wr_rolled(roll, in->inverse),
                   wr_rolled(roll, in->half),
                   in->length,
                   in->radius};
    wrod_verdict v = wr_leave_by_face(&rolled, s);
    if (m_any(by_edge)) {
        wrod_verdict other = wr_leave_by_edge(&rolled, wv_x(wr_rolled(roll, cross)), best);
        v = wr_select(by_edge, &other, &v);
    }
    v.normal = wr_unrolled(roll, v.normal);
    v.beside = wr_unrolled(roll, v.beside);
    return v;
}

/* --- both */

LODE__INLINE wstation wr_end(const wrod *in, const wrod_verdict *v, wreal s, wmask along)
{
    wvec3 x = wr_at(in, s);
    wstation end = wl_end(s, wr_beyond(in, x), v->normal, in->radius);
    if (m_any(v->by_face)) {
        wreal face = wv_dot(wv_abs(v->normal), in->half);
        wreal depth = w_add(in->radius, w_sub(face, wv_dot(v->normal, x)));
        end.depth = w_select(v->by_face, depth, end.depth);
        end.counts = m_or(end.counts, v->by_face);
    }
    end.counts = m_and(end.counts, along);
    return end;
}

/* The deeper end, of those that count, is as deep as the middle where that is no point. */
LODE__INLINE void wr_deepen(wline_touch *line, wmask lower, wmask upper, wmask own)
{
    wmask first = m_and(lower, w_ge(line->lower.depth, line->upper.depth));
    wmask to_upper = m_andnot(upper, first), to_lower = m_not(m_or(own, to_upper));
    wreal depth = line->middle.depth;
    to_upper = m_andnot(to_upper, own);
    line->lower.depth = w_select(to_lower, w_max(line->lower.depth, depth), line->lower.depth);
    line->upper.depth = w_select(to_upper, w_max(line->upper.depth, depth), line->upper.depth);
}

/* The middle lies beside its contact where the axis runs down beside the box. */
LODE__INLINE wpoint wr_middle(const wpair *in, const wline_touch *line, const wrod_verdict *v)
{
    wpoint point = wl_point(line, line->middle, LINE_MIDDLE);
    if (m_any(v->by_face)) {
        wreal r = line->radius, far = wv_dot(v->beside, v->beside);
        wreal less = w_sub(r, w_sqrt(w_max(w_sub(w_mul(r, r), far), w_zero())));
        wvec3 beside = wq_rotate(in->turn_b, v->beside);
        wvec3 nearer = wv_add_scaled(wv_sub(point.position, beside), line->normal, less);
        point.position = wv_select(v->by_face, nearer, point.position);
    }
    return point;
}

LODE__INLINE wtouch capsule_box(const wpair *in)
{
    wline_touch line = {.axis = wp_axis(in->turn_a), .radius = wf_first(in->size_a)};
    wrod rod = {.c = wv_neg(wq_rotate_inv(in->turn_b, in->offset)),
                .u = wq_rotate_inv(in->turn_b, line.axis),
                .half = wf_vector(in->size_b),
                .length = wf_second(in->size_a),
                .radius = line.radius};
    rod.inverse = wv_over(wr_all(w_splat(1)), rod.u);
    wreal s = wr_nearest(&rod);
    wvec3 x = wr_at(&rod, s), apart = wr_beyond(&rod, x);
    wreal distance = wv_length(apart);
    if (!m_any(wp_near(in, w_sub(rod.radius, distance))))
        return (wtouch){.count = w_zero()};

    wrod_verdict v = wr_part(&rod, s, x, apart, distance);
    wmask clear = w_gt(distance, w_mul(rod.radius, w_splat(LINE_MEETS)));
    if (!m_all(clear)) {
        wrod_verdict through = wr_leave(&rod, in->speculative, s);
        v = wr_select(clear, &v, &through);
    }
    wmask touch = wp_near(in, v.depth);
    line.normal = wq_rotate(in->turn_b, v.normal);
    line.middle = (wstation){v.s, v.depth, m_not(wl_none())};
    wmask along = w_gt(w_sub(v.hi, v.lo), w_mul(rod.radius, w_splat(LINE_SHORT)));
    line.lower = wr_end(&rod, &v, v.lo, along);
    line.upper = wr_end(&rod, &v, v.hi, along);
    wline_choice chosen = wl_choose(in, &line);
    wr_deepen(&line, chosen.lower, chosen.upper, chosen.middle);
    return wl_touch_at(&line, &chosen, wr_middle(in, &line, &v), touch);
}

#endif
