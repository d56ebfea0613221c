/* box_face.h: where two boxes touch when a face of one decides; kernel text, see simd/wide.h.
 *
 * The reference face is a rectangle; in its frame n points out of it, u and v along its sides.
 * The incident face, of the other box, is the one that looks most against n; seen along n it is a
 * parallelogram. The corners of the overlap of the two are
 *
 *     v |  .-----+----.        4  corners of the incident face within the rectangle,
 *       | /######|     .          or where its edges enter it             (candidates 0..3)
 *       +#######.|    /        4  where its edges leave the rectangle     (candidates 4..7)
 *       '-----'--+---'         4  corners of the rectangle within the incident face  (8..11)
 *               u
 *
 * so twelve candidates with a mask each replace the usual lists of clipped polygons, and eight
 * pairs walk through the same instructions. Edges are clipped as Liang and Barsky (1984) do.
 *
 * A feature is named by what touches: a corner of a, a corner of b, or an edge of a and one of b,
 * whichever box has the reference face. Where edges of the boxes coincide, as in every stack,
 * rounding must not decide between those names: corners of the incident face are taken a little
 * generously, corners of the rectangle a little strictly. */
#ifndef LODE_COLLIDE_BOX_FACE_H
#define LODE_COLLIDE_BOX_FACE_H

#include "collide/box_axes.h"

enum { BOX_CANDIDATES = LODE__BOX_POINTS };

/* How generous: a share of the box's extent, but no more than a share of the margin. */
#define BOX_GENEROUS_SHARE ((lode_real)0.015625)
#define BOX_GENEROUS_MARGIN ((lode_real)0.1)

/* The kernel is long, and what does not fit the instruction cache is fetched again for every
 * batch: loops over candidates stay loops. */
#if defined(__clang__)
#define BOX_ROLLED _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#define BOX_ROLLED _Pragma("GCC unroll 1")
#else
#define BOX_ROLLED
#endif

/* Feature names: 1..8 corners of a, 9..16 corners of b, from 17 pairs of edges. A corner is
 * numbered by its signs, x + 2 y + 4 z; an edge by its direction d and the signs of the other two
 * axes, 4 d + s(d + 1) + 2 s(d + 2). */
enum { BOX_CORNER_A = 1, BOX_CORNER_B = 9, BOX_EDGES = 17, BOX_EDGES_EACH = 12 };

typedef struct wface {
    wmask by_b;      /* the reference face is b's */
    wvec3 n, u, v;   /* its axes, world */
    wvec3 half;      /* along them */
    wreal limit;     /* along n, behind which nothing touches */
    wvec3 bit;       /* corner numbers: weights of the signs along n, u, v */
    wreal top;       /* 1 when the face is the positive one, else 0 */
    wvec3 edge;      /* edge numbers: of direction n, u, v without signs */
    wvec3 center;    /* of the incident face, as n, u, v */
    wvec3 e1, e2;    /* its unit directions */
    wreal h1, h2;    /* its half sizes along them */
    wvec3 other_bit; /* as `bit`, along its normal, e1, e2 */
    wvec3 other_edge;
    wreal other_top;
    wreal slack_u, slack_v, slack_1, slack_2;
} wface;

/* Corners of the overlap. Buffers and not registers: there are too many. */
typedef struct wcandidates {
    _Alignas(LODE__LINE_ALIGN) lode_real n[BOX_CANDIDATES][LODE_LANES];
    lode_real u[BOX_CANDIDATES][LODE_LANES], v[BOX_CANDIDATES][LODE_LANES];
    lode_real feature[BOX_CANDIDATES][LODE_LANES];
    lode_real valid[BOX_CANDIDATES][LODE_LANES]; /* 1 or 0 */
} wcandidates;

LODE__INLINE wreal slack_of(wreal half, wreal speculative)
{
    return w_min(w_mul(half, w_splat(BOX_GENEROUS_SHARE)),
                 w_mul(speculative, w_splat(BOX_GENEROUS_MARGIN)));
}

/* Corner weights 1, 2, 4 and edge numbers 0, 4, 8, from axis n on. */
LODE__INLINE wvec3 bits_from(waxis n)
{
    return roll3(n, (wvec3){w_splat(1), w_splat(2), w_splat(4)});
}
LODE__INLINE wvec3 edges_from(waxis n)
{
    return roll3(n, (wvec3){w_splat(0), w_splat(4), w_splat(8)});
}

/* The rows of m from n on, in n's order. */
LODE__INLINE wmat3 roll_rows(waxis n, wmat3 m)
{
    wmat3 t = transpose3(m);
    return transpose3((wmat3){roll3(n, t.x), roll3(n, t.y), roll3(n, t.z)});
}

LODE__INLINE wmat3 select_rows(wmask m, wmat3 a, wmat3 b)
{
    return (wmat3){wv_select(m, a.x, b.x), wv_select(m, a.y, b.y), wv_select(m, a.z, b.z)};
}

/* The incident face: `dots` has in its rows the reference axes n, u, v, `away` leads to the other
 * box's centre along them. */
LODE__INLINE void find_incident(wface *face, wmat3 dots, wvec3 half, wvec3 away)
{
    waxis m;
    wreal one = w_splat(1);
    largest3(abs3(dots.x), &m);
    wmat3 axes = roll_rows(m, transpose3(dots)); /* the other box's, along n, u, v */
    wvec3 h = roll3(m, half);
    wmask below = w_gt(axes.x.x, w_zero()); /* its axis looks along n: the negative face */
    face->other_top = w_select(below, w_zero(), one);
    wreal reach = w_select(below, w_neg(h.x), h.x);
    face->center = wv_add_scaled(away, axes.x, reach);
    face->e1 = axes.y;
    face->e2 = axes.z;
    face->h1 = h.y;
    face->h2 = h.z;
    face->other_bit = bits_from(m);
    face->other_edge = edges_from(m);
}

LODE__INLINE wface find_face(const wbox_axes *axes, wmask by_b, wreal speculative)
{
    wface face = {.by_b = by_b};
    waxis k = {m_or(m_and(by_b, axes->axis_b.is0), m_andnot(axes->axis_a.is0, by_b)),
               m_or(m_and(by_b, axes->axis_b.is1), m_andnot(axes->axis_a.is1, by_b))};
    wmat3 world = roll_rows(k, select_rows(by_b, axes->b.axes, axes->a.axes));
    wmat3 dots = roll_rows(k, select_rows(by_b, transpose3(axes->dots), axes->dots));
    wvec3 away = roll3(k, wv_select(by_b, wv_neg(axes->b.away), axes->a.away));

    /* let n look at the other box */
    wmask flip = w_lt(away.x, w_zero());
    face.top = w_select(flip, w_zero(), w_splat(1));
    away.x = w_abs(away.x);
    dots.x = wv_select(flip, wv_neg(dots.x), dots.x);
    face.n = wv_select(flip, wv_neg(world.x), world.x);
    face.u = world.y;
    face.v = world.z;
    face.half = roll3(k, wv_select(by_b, axes->b.half, axes->a.half));
    face.limit = w_add(face.half.x, speculative);
    face.bit = bits_from(k);
    face.edge = edges_from(k);
    find_incident(&face, dots, wv_select(by_b, axes->a.half, axes->b.half), away);

    face.slack_u = slack_of(face.half.y, speculative);
    face.slack_v = slack_of(face.half.z, speculative);
    face.slack_1 = w_mul(slack_of(face.h1, speculative), w_splat((lode_real)0.5));
    face.slack_2 = w_mul(slack_of(face.h2, speculative), w_splat((lode_real)0.5));
    return face;
}

/* A candidate counts where it reaches the face, and is pulled within the rectangle. */
LODE__INLINE void put_candidate(const wface *face, wcandidates *out, int k, int lane, wvec3 p,
                                wreal feature, wmask valid)
{
    w_store(&out->n[k][lane], p.x);
    w_store(&out->u[k][lane], w_clamp(p.y, w_neg(face->half.y), face->half.y));
    w_store(&out->v[k][lane], w_clamp(p.z, w_neg(face->half.z), face->half.z));
    w_store(&out->feature[k][lane], feature);
    valid = m_and(valid, w_lt(p.x, face->limit));
    w_store(&out->valid[k][lane], w_masked(valid, w_splat(1)));
}

/* The name of a crossing of the reference face's side u or v, positive or not, with an edge of
 * the other box. The side across u runs along v, and the other way round. */
LODE__INLINE wreal crossing_name(const wface *face, wmask across_u, wmask positive, wreal other)
{
    wreal sign = w_masked(positive, w_splat(1)), top = face->top;
    wreal along_v = w_add(face->edge.z, w_add(top, w_add(sign, sign)));
    wreal along_u = w_add(face->edge.y, w_add(sign, w_add(top, top)));
    wreal mine = w_select(across_u, along_v, along_u), each = w_splat(BOX_EDGES_EACH);
    wreal first = w_select(face->by_b, other, mine), second = w_select(face->by_b, mine, other);
    return w_add(w_splat(BOX_EDGES), w_add(w_mul(first, each), second));
}

/* 1 / x, and a huge number of the same use when x is all but 0. */
LODE__INLINE wreal inverse_of(wreal x)
{
    wreal tiny = w_splat((lode_real)1e-12);
    return w_div(w_splat(1), w_select(w_lt(w_abs(x), tiny), tiny, x));
}

/* Clips the edge from `p` along `d` (times 0..1) to the rectangle: candidates k and k + 4. */
LODE__INLINE void clip_edge(const wface *face, wcandidates *out, int k, int lane, wvec3 p, wvec3 d,
                            wreal inv_u, wreal inv_v, wreal corner, wreal edge)
{
    wreal hu = w_add(face->half.y, face->slack_u), hv = w_add(face->half.z, face->slack_v);
    wreal zero = w_zero(), one = w_splat(1);
    wreal u1 = w_mul(w_sub(w_neg(hu), p.y), inv_u), u2 = w_mul(w_sub(hu, p.y), inv_u);
    wreal v1 = w_mul(w_sub(w_neg(hv), p.z), inv_v), v2 = w_mul(w_sub(hv, p.z), inv_v);
    wreal enter_u = w_min(u1, u2), leave_u = w_max(u1, u2);
    wreal enter_v = w_min(v1, v2), leave_v = w_max(v1, v2);
    wreal enter = w_max(w_max(enter_u, enter_v), zero);
    wreal leave = w_min(w_min(leave_u, leave_v), one);
    wmask valid = w_le(enter, leave);

    wmask forward_u = w_gt(inv_u, zero), forward_v = w_gt(inv_v, zero);
    wmask by_u = w_gt(enter_u, enter_v);
    wmask positive = m_not(m_or(m_and(by_u, forward_u), m_andnot(forward_v, by_u)));
    wreal name = crossing_name(face, by_u, positive, edge);
    name = w_select(w_gt(enter, zero), name, corner);
    put_candidate(face, out, k, lane, wv_add_scaled(p, d, enter), name, valid);

    by_u = w_lt(leave_u, leave_v);
    positive = m_or(m_and(by_u, forward_u), m_andnot(forward_v, by_u));
    name = crossing_name(face, by_u, positive, edge);
    put_candidate(face, out, k + 4, lane, wv_add_scaled(p, d, leave), name,
                  m_and(valid, w_lt(leave, one)));
}

/* Candidates 0..7. Going round the corners -- +- ++ -+ of e1, e2: each edge's direction is that
 * of the one before, turned by a quarter: (d, e) becomes (e, -d), and names follow suit. */
LODE__INLINE void clip_edges(const wface *face, wcandidates *out, int lane)
{
    wvec3 d = wv_scale(face->e1, face->h1), e = wv_scale(face->e2, face->h2);
    wvec3 p = wv_sub(wv_sub(face->center, e), d);
    d = wv_add(d, d);
    e = wv_add(e, e);
    wreal inv_du = inverse_of(d.y), inv_dv = inverse_of(d.z);
    wreal inv_eu = inverse_of(e.y), inv_ev = inverse_of(e.z);

    wreal top = face->other_top, step = face->other_bit.y, next_step = face->other_bit.z;
    wreal corner = w_add(w_select(face->by_b, w_splat(BOX_CORNER_A), w_splat(BOX_CORNER_B)),
                         w_mul(face->other_bit.x, top));
    wreal edge = w_add(face->other_edge.y, w_add(top, top)), after = w_splat(1);
    wreal next_edge = w_add(w_add(face->other_edge.z, top), w_splat(2)), next_after = w_splat(-2);

    BOX_ROLLED
    for (int k = 0; k < 4; ++k) {
        clip_edge(face, out, k, lane, p, d, inv_du, inv_dv, corner, edge);
        p = wv_add(p, d);
        corner = w_add(corner, step);
        wvec3 back = wv_neg(d);
        wreal back_u = w_neg(inv_du), back_v = w_neg(inv_dv), back_step = w_neg(step);
        wreal opposite = w_add(edge, after), swap = after;
        d = e;
        e = back;
        inv_du = inv_eu;
        inv_eu = back_u;
        inv_dv = inv_ev;
        inv_ev = back_v;
        step = next_step;
        next_step = back_step;
        edge = next_edge;
        next_edge = opposite;
        after = next_after;
        next_after = swap;
    }
}

/* Candidates 8..11: corners of the rectangle whose shadow on the incident face lies within it. The
 * determinant is the cosine between the faces, at least 1 / sqrt 3. */
LODE__INLINE void add_corners(const wface *face, wcandidates *out, int lane)
{
    wvec3 e1 = face->e1, e2 = face->e2, c = face->center;
    wreal inv = w_div(w_splat(1), w_sub(w_mul(e1.y, e2.z), w_mul(e1.z, e2.y)));
    wreal limit_1 = w_sub(face->h1, face->slack_1), limit_2 = w_sub(face->h2, face->slack_2);
    wreal name = w_add(w_select(face->by_b, w_splat(BOX_CORNER_B), w_splat(BOX_CORNER_A)),
                       w_mul(face->bit.x, face->top));
    BOX_ROLLED
    for (int k = 0; k < 4; ++k) {
        wreal u = k & 1 ? face->half.y : w_neg(face->half.y);
        wreal v = k & 2 ? face->half.z : w_neg(face->half.z);
        wreal du = w_sub(u, c.y), dv = w_sub(v, c.z);
        wreal s1 = w_mul(w_sub(w_mul(du, e2.z), w_mul(dv, e2.y)), inv);
        wreal s2 = w_mul(w_sub(w_mul(e1.y, dv), w_mul(e1.z, du)), inv);
        wmask valid = m_and(w_le(w_abs(s1), limit_1), w_le(w_abs(s2), limit_2));
        wreal n = w_add(c.x, w_add(w_mul(s1, e1.x), w_mul(s2, e2.x)));
        wreal feature = k & 1 ? w_add(name, face->bit.y) : name;
        feature = k & 2 ? w_add(feature, face->bit.z) : feature;
        put_candidate(face, out, 8 + k, lane, (wvec3){n, u, v}, feature, valid);
    }
}

#endif
