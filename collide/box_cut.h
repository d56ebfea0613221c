/* box_cut.h: faces of boxes clipped against triangles; kernel text, see simd/wide.h.
 *
 * What mesh_touch_box.c does one by one along a triangle's normal, by the same operations: the face
 * of the box that looks at the triangle is clipped against the three planes through its edges
 * (Sutherland and Hodgman 1974). There a list of corners is written anew for each plane. Lanes
 * cannot do that, as each has a list of its own length. So here the sides are clipped, from corner
 * to corner, each where it is:
 *
 *     both ends within     it stays
 *     it leaves            its end is where it does
 *     it enters            its beginning is where it does
 *     both beyond          it goes
 *
 * and each plane makes one side more, from where one leaves to where one enters. It comes behind
 * the one that leaves, and is numbered so: the face's sides are 0, 8, 16, 24, and planes add 4, 2
 * and 1 to that. The list is the beginnings of the sides that are left, in the order of their
 * numbers. If several sides leave, which rounding may do to slivers, the lane is left to the other
 * way. */
#ifndef LODE_COLLIDE_BOX_CUT_H
#define LODE_COLLIDE_BOX_CUT_H

#include "collide/box_face.h"

enum { CUT_SIDES = LODE__FACE_CORNERS, CUT_FACE = 4, CUT_STEP = 8 };

/* A corner: where it is, of which corner of the box it was cut, and by which plane, from 1 on. */
typedef struct wcut_corner {
    wvec3 p;
    wreal id, plane;
} wcut_corner;

typedef struct wcut_lanes {
    lode__lanes p[3], id, plane;
} wcut_lanes;

/* Buffers and not registers: there are too many. Of each only LODE_WIDTH lanes are used. */
typedef struct wcut_sides {
    wcut_lanes from[CUT_SIDES], to[CUT_SIDES];
    lode__lanes rest[CUT_SIDES];   /* of the beginning's lode__face_corner.how */
    lode__lanes number[CUT_SIDES]; /* in their order */
    lode__lanes valid[CUT_SIDES];  /* 1 or 0 */
} wcut_sides;

/* The triangle, and the solid over it. */
typedef struct wcut_under {
    wvec3 v[3], n;
    wreal height, speculative;
    wmask back;
} wcut_under;

LODE__INLINE wvec3 cut_vector(const lode__lanes v[3], int lane)
{
    return (wvec3){w_load(&v[0].x[lane]), w_load(&v[1].x[lane]), w_load(&v[2].x[lane])};
}

LODE__INLINE void cut_put(lode__lanes v[3], wvec3 p)
{
    w_store(v[0].x, p.x);
    w_store(v[1].x, p.y);
    w_store(v[2].x, p.z);
}

LODE__INLINE wcut_corner cut_load(const wcut_lanes *at)
{
    return (wcut_corner){cut_vector(at->p, 0), w_load(at->id.x), w_load(at->plane.x)};
}

LODE__INLINE void cut_store(wcut_lanes *at, wcut_corner c)
{
    cut_put(at->p, c.p);
    w_store(at->id.x, c.id);
    w_store(at->plane.x, c.plane);
}

/* --- the face */

/* The one for axis 0, 1 or 2. */
LODE__INLINE wreal cut_choose(wmask is0, wmask is1, wreal x0, wreal x1, wreal x2)
{
    return w_select(is0, x0, w_select(is1, x1, x2));
}

LODE__INLINE wvec3 cut_choose3(wmask is0, wmask is1, wvec3 x0, wvec3 x1, wvec3 x2)
{
    return wv_select(is0, x0, wv_select(is1, x1, x2));
}

/* The face of the box that looks most against n. */
LODE__INLINE void cut_begin(const lode__triangle_batch *batch, int lane, wvec3 n, wcut_sides *sides)
{
    wvec3 a[3] = {cut_vector(batch->axis[0], lane), cut_vector(batch->axis[1], lane),
                  cut_vector(batch->axis[2], lane)};
    wreal h[3] = {w_load(&batch->size[0].x[lane]), w_load(&batch->size[1].x[lane]),
                  w_load(&batch->size[2].x[lane])};
    wreal d[3] = {wv_dot(a[0], n), wv_dot(a[1], n), wv_dot(a[2], n)};
    wreal x = w_abs(d[0]), y = w_abs(d[1]), z = w_abs(d[2]), one = w_splat(1), zero = w_zero();
    wreal two = w_splat(2), four = w_splat(4);
    wmask is0 = m_and(w_ge(x, y), w_ge(x, z)), is1 = w_ge(y, z);
    wmask up = w_lt(cut_choose(is0, is1, d[0], d[1], d[2]), zero);
    wvec3 j = cut_choose3(is0, is1, a[1], a[2], a[0]), k = cut_choose3(is0, is1, a[2], a[0], a[1]);
    wreal half = cut_choose(is0, is1, h[0], h[1], h[2]);
    wreal half_j = cut_choose(is0, is1, h[1], h[2], h[0]);
    wreal half_k = cut_choose(is0, is1, h[2], h[0], h[1]);
    wreal id = w_add(one, w_masked(up, cut_choose(is0, is1, one, two, four)));
    wreal right = cut_choose(is0, is1, two, four, one), top = cut_choose(is0, is1, four, one, two);
    wvec3 middle = wv_scale(cut_choose3(is0, is1, a[0], a[1], a[2]),
                            w_select(up, half, w_neg(half)));
    for (int q = 0; q < CUT_FACE; ++q) {
        bool is_right = q == 1 || q == 2, is_top = q >= 2;
        wvec3 p = wv_add_scaled(middle, j, is_right ? half_j : w_neg(half_j));
        p = wv_add_scaled(p, k, is_top ? half_k : w_neg(half_k));
        wreal name = is_right ? w_add(id, right) : id;
        wcut_corner c = {p, is_top ? w_add(name, top) : name, zero};
        cut_store(&sides->from[q], c);
        cut_store(&sides->to[(q + CUT_FACE - 1) % CUT_FACE], c);
        w_store(sides->rest[q].x, zero);
        w_store(sides->number[q].x, w_splat((lode_real)(CUT_STEP * q)));
        w_store(sides->valid[q].x, one);
    }
}

/* --- planes */

/* The side that a plane makes, as far as it is known. */
typedef struct wcut_made {
    wvec3 from, to;
    wreal from_id, to_id, rest, number, leaving; /* leaving: how many sides do */
} wcut_made;

LODE__INLINE wvec3 cut_merge(wmask m, wvec3 x, wvec3 y)
{
    return (wvec3){w_merge(m, x.x, y.x), w_merge(m, x.y, y.y), w_merge(m, x.z, y.z)};
}

/* Keeps of side `i` what lies within n . x <= limit. */
LODE__INLINE void cut_side(wcut_sides *sides, int i, wvec3 n, wreal limit, int plane,
                           wcut_made *made)
{
    wreal zero = w_zero(), one = w_splat(1), this = w_splat((lode_real)plane);
    wreal before = w_splat(LODE__FACE_BEFORE), rest = w_load(sides->rest[i].x);
    wcut_corner from = cut_load(&sides->from[i]), to = cut_load(&sides->to[i]);
    wreal x = w_sub(wv_dot(n, from.p), limit), y = w_sub(wv_dot(n, to.p), limit);
    wmask valid = w_gt(w_load(sides->valid[i].x), zero), in = w_le(x, zero), out = w_le(y, zero);
    wmask leave = m_and(valid, m_andnot(in, out)), enter = m_and(valid, m_andnot(out, in));
    wreal share = w_div(x, w_select(m_or(leave, enter), w_sub(x, y), one));
    wvec3 cut = wv_add_scaled(from.p, wv_sub(to.p, from.p), share);

    wreal number = w_add(w_load(sides->number[i].x), w_splat((lode_real)(CUT_STEP >> plane)));
    made->from = cut_merge(leave, cut, made->from);
    made->to = cut_merge(enter, cut, made->to);
    made->from_id = w_merge(leave, to.id, made->from_id);
    made->to_id = w_merge(enter, from.id, made->to_id);
    made->rest = w_merge(leave, w_mul(to.plane, before), made->rest);
    made->number = w_merge(leave, number, made->number);
    made->leaving = w_add(made->leaving, w_masked(leave, one));

    wreal entered = w_add(w_mul(from.plane, before), w_splat(LODE__FACE_ENTERS));
    cut_put(sides->from[i].p, wv_select(enter, cut, from.p));
    w_store(sides->from[i].plane.x, w_select(enter, this, from.plane));
    w_store(sides->rest[i].x, w_select(enter, entered, rest));
    cut_put(sides->to[i].p, wv_select(leave, cut, to.p));
    w_store(sides->to[i].plane.x, w_select(leave, this, to.plane));
    w_store(sides->valid[i].x, w_masked(m_and(valid, m_or(in, out)), one));
}

/* The same of all sides, one of which is new then. False, lane by lane: several leave. */
LODE__INLINE wmask cut_by(wcut_sides *sides, int count, wvec3 n, wreal limit, int plane)
{
    wreal zero = w_zero(), one = w_splat(1), this = w_splat((lode_real)plane);
    wcut_made made = {wv_zero(), wv_zero(), zero, zero, zero, zero, zero};
    BOX_ROLLED
    for (int i = 0; i < count; ++i)
        cut_side(sides, i, n, limit, plane, &made);
    cut_store(&sides->from[count], (wcut_corner){made.from, made.from_id, this});
    cut_store(&sides->to[count], (wcut_corner){made.to, made.to_id, this});
    w_store(sides->rest[count].x, made.rest);
    w_store(sides->number[count].x, made.number);
    w_store(sides->valid[count].x, w_masked(w_gt(made.leaving, zero), one));
    return w_le(made.leaving, one);
}

/* By the planes through all three edges; a bit for each lane in which that is known and leaves
 * something. */
LODE__INLINE unsigned cut_by_edges(const wcut_under *under, wcut_sides *sides)
{
    wreal beyond = w_mul(under->speculative, w_splat(LODE__FACE_MARGIN)), left = w_zero();
    wmask good = w_le(w_zero(), w_zero());
    for (int e = 0; e < 3; ++e) {
        wvec3 out = wv_cross(wv_sub(under->v[(e + 1) % 3], under->v[e]), under->n);
        out = wv_select(under->back, wv_neg(out), out);
        wreal limit = w_add(wv_dot(out, under->v[e]), w_mul(beyond, wv_length(out)));
        good = m_and(good, cut_by(sides, CUT_FACE + e, out, limit, e + 1));
    }
    for (int i = 0; i < CUT_SIDES; ++i)
        left = w_max(left, w_load(sides->valid[i].x));
    return m_bits(m_and(good, w_gt(left, w_zero())));
}

/* --- the list */

/* How many of the sides that count come before this one. */
LODE__INLINE wreal cut_rank(const wcut_sides *sides, int i)
{
    wreal number = w_load(sides->number[i].x), rank = w_zero();
    for (int k = 0; k < CUT_SIDES; ++k) {
        wmask before = w_lt(w_load(sides->number[k].x), number);
        rank = w_add(rank, w_masked(before, w_load(sides->valid[k].x)));
    }
    return rank;
}

/* The corners that come near enough to the triangle's plane, each to the list of its lane. */
LODE__INLINE void cut_list(const wcut_under *under, wcut_sides *sides, unsigned lanes,
                           lode__face_cut *out)
{
    lode__lanes depths[CUT_SIDES];
    for (int i = 0; i < CUT_SIDES; ++i) {
        wreal depth = w_neg(
            w_add(under->height, wv_dot(under->n, cut_vector(sides->from[i].p, 0))));
        wmask near = w_gt(depth, w_neg(under->speculative));
        w_store(depths[i].x, depth);
        w_store(sides->valid[i].x, w_masked(near, w_load(sides->valid[i].x)));
    }
    BOX_ROLLED
    for (int i = 0; i < CUT_SIDES; ++i) {
        lode__lanes x[3], ranks, hows;
        wcut_corner c = cut_load(&sides->from[i]);
        wreal half = w_mul(w_load(depths[i].x), w_splat((lode_real)0.5));
        wreal how = w_add(c.id, w_mul(c.plane, w_splat(LODE__FACE_PLANE)));
        cut_put(x, wv_add_scaled(c.p, under->n, half));
        w_store(ranks.x, cut_rank(sides, i));
        w_store(hows.x, w_add(how, w_load(sides->rest[i].x)));
        unsigned bits = m_bits(w_gt(w_load(sides->valid[i].x), w_zero()));
        for (bits &= lanes; bits; bits &= bits - 1) {
            int k = __builtin_ctz(bits);
            lode__face_corner *corner = &out[k].corners[(int)ranks.x[k]];
            corner->position = v3(x[0].x[k], x[1].x[k], x[2].x[k]);
            corner->depth = depths[i].x[k];
            corner->how = (uint32_t)hows.x[k];
            ++out[k].count;
        }
    }
}

LODE__INLINE void cut_faces(const lode__triangle_batch *batch, int lane, lode__face_cut *out)
{
    wcut_sides sides;
    wcut_under under = {{cut_vector(batch->v[0], lane), cut_vector(batch->v[1], lane),
                         cut_vector(batch->v[2], lane)},
                        cut_vector(batch->normal, lane),
                        w_load(&batch->height.x[lane]),
                        w_splat(batch->speculative),
                        w_gt(w_load(&batch->back.x[lane]), w_zero())};
    cut_begin(batch, lane, under.n, &sides);
    unsigned lanes = cut_by_edges(&under, &sides);
    for (int k = 0; k < (int)LODE_WIDTH; ++k)
        out[k].count = lanes >> k & 1 ? 0 : -1;
    cut_list(&under, &sides, lanes, out);
}

#endif
