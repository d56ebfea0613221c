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
    wmask by_b;    /* the reference face is b's */
    wvec3 n, u, v; /* its axes, world */
    wreal half, half_u, half_v;
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
    _Alignas(LODE__LINE_ALIGN) lode_real n[BOX_CANDIDATES][LODE_WIDTH];
    lode_real u[BOX_CANDIDATES][LODE_WIDTH], v[BOX_CANDIDATES][LODE_WIDTH];
    lode_real feature[BOX_CANDIDATES][LODE_WIDTH];
    lode_real valid[BOX_CANDIDATES][LODE_WIDTH]; /* 1 or 0 */
} wcandidates;

LODE__INLINE wreal slack_of(wreal half, wreal speculative)
{
    return w_min(w_mul(half, w_splat(BOX_GENEROUS_SHARE)),
                 w_mul(speculative, w_splat(BOX_GENEROUS_MARGIN)));
}

/* Corner weights 1, 2, 4 and edge numbers 0, 4, 8, from axis n on. */
LODE__INLINE wvec3 bits_from(waxis n)
{
    return roll3(n, wv_make(w_splat(1), w_splat(2), w_splat(4)));
}
LODE__INLINE wvec3 edges_from(waxis n)
{
    return roll3(n, wv_make(w_splat(0), w_splat(4), w_splat(8)));
}

/* The incident face: `dots` has in its rows the reference axes n, u, v, `away` leads to the other
 * box's centre along them. */
LODE__INLINE void find_incident(wface *face, wmat3 dots, wvec3 half, wvec3 away)
{
    waxis m;
    wreal one = w_splat(1);
    largest3(wv_abs(dots.x), &m);
    wmat3 axes = wm_transpose(roll_each(m, dots)); /* the other box's, along n, u, v */
    wvec3 h = roll3(m, half);
    wmask below = w_gt(wv_x(axes.x), w_zero()); /* its axis looks along n: the negative face */
    face->other_top = w_select(below, w_zero(), one);
    wreal reach = w_select(below, w_neg(wv_x(h)), wv_x(h));
    face->center = wv_add_scaled(away, axes.x, reach);
    face->e1 = axes.y;
    face->e2 = axes.z;
    face->h1 = wv_y(h);
    face->h2 = wv_z(h);
    face->other_bit = bits_from(m);
    face->other_edge = edges_from(m);
}

LODE__INLINE waxis select_axis(wmask m, waxis a, waxis b)
{
    return (waxis){m_or(m_and(m, a.is1), m_andnot(b.is1, m)),
                   m_or(m_and(m, a.is2), m_andnot(b.is2, m))};
}

LODE__INLINE wface find_face(const wbox_axes *axes, wmask by_b, wreal speculative)
{
    wface face = {.by_b = by_b};
    waxis k = select_axis(by_b, axes->axis_b, axes->axis_a);
    wmat3 rows = {wv_select(by_b, axes->b.rows.x, axes->a.rows.x),
                  wv_select(by_b, axes->b.rows.y, axes->a.rows.y),
                  wv_select(by_b, axes->b.rows.z, axes->a.rows.z)};
    wmat3 world = wm_transpose(roll_each(k, rows));
    /* the other box's axes in its rows, and then in its columns */
    wmat3 dots = wm_choose_transpose(by_b, axes->dots, axes->dots_of_b);
    dots = wm_transpose(roll_each(k, dots));
    wvec3 away = roll3(k, wv_select(by_b, wv_neg(axes->b.away), axes->a.away));
    wvec3 half = axes->a.half, other_half = axes->b.half;
    wv_exchange(by_b, &half, &other_half);
    half = roll3(k, half);

    /* let n look at the other box */
    wmask flip = w_lt(wv_x(away), w_zero());
    face.top = w_select(flip, w_zero(), w_splat(1));
    away = wv_make(w_abs(wv_x(away)), wv_y(away), wv_z(away));
    dots.x = wv_select(flip, wv_neg(dots.x), dots.x);
    face.n = wv_select(flip, wv_neg(world.x), world.x);
    face.u = world.y;
    face.v = world.z;
    face.half = wv_x(half);
    face.half_u = wv_y(half);
    face.half_v = wv_z(half);
    face.limit = w_add(face.half, speculative);
    face.bit = bits_from(k);
    face.edge = edges_from(k);
    find_incident(&face, dots, other_half, away);

    face.slack_u = slack_of(face.half_u, speculative);
    face.slack_v = slack_of(face.half_v, speculative);
    face.slack_1 = w_mul(slack_of(face.h1, speculative), w_splat((lode_real)0.5));
    face.slack_2 = w_mul(slack_of(face.h2, speculative), w_splat((lode_real)0.5));
    return face;
}

/* Four candidates, from number k on: each counts where it reaches the face, and is pulled within
 * the rectangle. */
LODE__INLINE void put_candidates(const wface *face, wcandidates *out, int k, wpoints4 p,
                                 wfour feature, wmask4 valid)
{
    wfour hu = wf_splat(face->half_u), hv = wf_splat(face->half_v);
    wf_store(&out->n[k], p.x);
    wf_store(&out->u[k], wf_min(wf_max(p.y, wf_neg(hu)), hu));
    wf_store(&out->v[k], wf_min(wf_max(p.z, wf_neg(hv)), hv));
    wf_store(&out->feature[k], feature);
    valid = mf_and(valid, wf_lt(p.x, wf_splat(face->limit)));
    wf_store(&out->valid[k], wf_masked(valid, wf_splat(w_splat(1))));
}

/* 1 / x, and a huge number of the same use when x is all but 0. */
LODE__INLINE wreal inverse_of(wreal x)
{
    wreal tiny = w_splat((lode_real)1e-12);
    return w_div(w_splat(1), w_select(w_lt(w_abs(x), tiny), tiny, x));
}

/* The edges of the incident face, going round its corners -- +- ++ -+ of e1, e2: where they begin,
 * which way they go, what their names are. */
typedef struct wedges4 {
    wpoints4 from, along;
    wfour inv_u, inv_v; /* of `along` */
    wfour corner, edge; /* numbers; of an edge as its share in the name of a crossing */
} wedges4;

LODE__INLINE wedges4 go_round(const wface *face)
{
    wvec3 d = wv_scale(face->e1, face->h1), e = wv_scale(face->e2, face->h2);
    wvec3 p0 = wv_sub(wv_sub(face->center, e), d);
    d = wv_add(d, d);
    e = wv_add(e, e);
    wvec3 back_d = wv_neg(d), back_e = wv_neg(e);
    wvec3 p1 = wv_add(p0, d), p2 = wv_add(p1, e), p3 = wv_add(p2, back_d);
    wreal du = inverse_of(wv_y(d)), dv = inverse_of(wv_z(d));
    wreal eu = inverse_of(wv_y(e)), ev = inverse_of(wv_z(e));

    wreal top = face->other_top, one = w_splat(1), two = w_splat(2), each = w_splat(BOX_EDGES_EACH);
    wreal corner = w_add(w_select(face->by_b, w_splat(BOX_CORNER_A), w_splat(BOX_CORNER_B)),
                         w_mul(wv_x(face->other_bit), top));
    wreal far_1 = w_add(corner, wv_y(face->other_bit));
    wreal far_2 = w_add(corner, wv_z(face->other_bit)), far = w_add(far_1, wv_z(face->other_bit));
    wreal along_1 = w_add(wv_y(face->other_edge), w_add(top, top));
    wreal along_2 = w_add(wv_z(face->other_edge), top);
    wfour edge = wf_make(along_1, w_add(along_2, two), w_add(along_1, one), along_2);
    wfour share = wf_splat(w_select(face->by_b, each, one));
    return (wedges4){wf_points(p0, p1, p2, p3),
                     wf_points(d, e, back_d, back_e),
                     wf_make(du, eu, w_neg(du), w_neg(eu)),
                     wf_make(dv, ev, w_neg(dv), w_neg(ev)),
                     wf_make(corner, far_1, far, far_2),
                     wf_add(wf_mul(edge, share), wf_splat(w_splat(BOX_EDGES)))};
}

/* The shares of the rectangle's sides in the names of crossings: the middle of those of the two
 * sides across an axis, and half of what they differ by. The side across u runs along v, and the
 * other way round. */
typedef struct wsides {
    wfour u, u_half, v, v_half;
} wsides;

LODE__INLINE wsides name_sides(const wface *face)
{
    wreal share = w_select(face->by_b, w_splat(1), w_splat(BOX_EDGES_EACH));
    wreal top = face->top, half = w_mul(share, w_splat((lode_real)0.5));
    wreal along_v = w_mul(w_add(wv_z(face->edge), top), share);
    wreal along_u = w_mul(w_add(wv_y(face->edge), w_add(top, top)), share);
    return (wsides){wf_splat(w_add(along_v, share)), wf_splat(share),
                    wf_splat(w_add(along_u, half)), wf_splat(half)};
}

/* Clips the edges, each from 0 to 1, to the rectangle: candidates 0..7. An edge enters through the
 * side that it comes from, and leaves through the other one. */
LODE__INLINE void clip_edges(const wface *face, wcandidates *out)
{
    wedges4 e = go_round(face);
    wsides side = name_sides(face);
    wfour hu = wf_splat(w_add(face->half_u, face->slack_u));
    wfour hv = wf_splat(w_add(face->half_v, face->slack_v));
    wfour zero = wf_splat(w_zero()), one = wf_splat(w_splat(1));
    wfour u1 = wf_mul(wf_sub(wf_neg(hu), e.from.y), e.inv_u);
    wfour u2 = wf_mul(wf_sub(hu, e.from.y), e.inv_u);
    wfour v1 = wf_mul(wf_sub(wf_neg(hv), e.from.z), e.inv_v);
    wfour v2 = wf_mul(wf_sub(hv, e.from.z), e.inv_v);
    wfour enter_u = wf_min(u1, u2), leave_u = wf_max(u1, u2);
    wfour enter_v = wf_min(v1, v2), leave_v = wf_max(v1, v2);
    wfour enter = wf_max(wf_max(enter_u, enter_v), zero);
    wfour leave = wf_min(wf_min(leave_u, leave_v), one);
    wmask4 valid = wf_le(enter, leave);

    wfour step_u = wf_flip(side.u_half, e.inv_u), step_v = wf_flip(side.v_half, e.inv_v);
    wfour name = wf_select(wf_gt(enter_u, enter_v), wf_sub(side.u, step_u), wf_sub(side.v, step_v));
    name = wf_select(wf_gt(enter, zero), wf_add(name, e.edge), e.corner);
    wpoints4 p = {wf_add(e.from.x, wf_mul(e.along.x, enter)),
                  wf_add(e.from.y, wf_mul(e.along.y, enter)),
                  wf_add(e.from.z, wf_mul(e.along.z, enter))};
    put_candidates(face, out, 0, p, name, valid);

    name = wf_select(wf_lt(leave_u, leave_v), wf_add(side.u, step_u), wf_add(side.v, step_v));
    p = (wpoints4){wf_add(e.from.x, wf_mul(e.along.x, leave)),
                   wf_add(e.from.y, wf_mul(e.along.y, leave)),
                   wf_add(e.from.z, wf_mul(e.along.z, leave))};
    put_candidates(face, out, 4, p, wf_add(name, e.edge), mf_and(valid, wf_lt(leave, one)));
}

/* Candidates 8..11: corners of the rectangle whose shadow on the incident face lies within it. The
 * determinant is the cosine between the faces, at least 1 / sqrt 3. */
LODE__INLINE void add_corners(const wface *face, wcandidates *out)
{
    wvec3 e1 = face->e1, e2 = face->e2, c = face->center;
    wreal e1_u = wv_y(e1), e1_v = wv_z(e1), e2_u = wv_y(e2), e2_v = wv_z(e2);
    wreal inv = w_div(w_splat(1), w_sub(w_mul(e1_u, e2_v), w_mul(e1_v, e2_u)));
    wfour limit_1 = wf_splat(w_sub(face->h1, face->slack_1));
    wfour limit_2 = wf_splat(w_sub(face->h2, face->slack_2));
    wreal hu = face->half_u, hv = face->half_v, back_u = w_neg(hu), back_v = w_neg(hv);
    wfour u = wf_make(back_u, hu, back_u, hu), v = wf_make(back_v, back_v, hv, hv);
    wfour du = wf_sub(u, wf_splat(wv_y(c))), dv = wf_sub(v, wf_splat(wv_z(c)));
    wfour s1 = wf_mul(wf_sub(wf_mul(du, wf_splat(e2_v)), wf_mul(dv, wf_splat(e2_u))),
                      wf_splat(inv));
    wfour s2 = wf_mul(wf_sub(wf_mul(wf_splat(e1_u), dv), wf_mul(wf_splat(e1_v), du)),
                      wf_splat(inv));
    wmask4 valid = mf_and(wf_le(wf_abs(s1), limit_1), wf_le(wf_abs(s2), limit_2));
    wfour rise = wf_add(wf_mul(s1, wf_splat(wv_x(e1))), wf_mul(s2, wf_splat(wv_x(e2))));
    wfour n = wf_add(wf_splat(wv_x(c)), rise);
    wreal name = w_add(w_select(face->by_b, w_splat(BOX_CORNER_B), w_splat(BOX_CORNER_A)),
                       w_mul(wv_x(face->bit), face->top));
    wreal name_u = w_add(name, wv_y(face->bit)), bit_v = wv_z(face->bit);
    wfour names = wf_make(name, name_u, w_add(name, bit_v), w_add(name_u, bit_v));
    put_candidates(face, out, 8, (wpoints4){n, u, v}, names, valid);
}

#endif
