/* box_reduce.h: four of up to twelve corners; kernel text, see simd/wide.h.
 *
 * Kept are the deepest corner, the one farthest from it, the one farthest from the line through
 * both, and the one farthest outside that triangle. Among corners that are all but equal the
 * first wins, so that rounding does not exchange them from step to step. Pairs with four corners
 * or fewer keep them all. */
#ifndef LODE_COLLIDE_BOX_REDUCE_H
#define LODE_COLLIDE_BOX_REDUCE_H

#include "collide/box_face.h"

/* Equal depths, in units of the speculative margin; equal distances and areas, as a share. */
#define BOX_EQUAL_DEPTH ((lode_real)0.01)
#define BOX_EQUAL_SHARE ((lode_real)0.98)

typedef struct wcorner {
    wreal u, v;
} wcorner;

/* Twice the area of the triangle p, q, r, positive when it turns left. */
LODE__INLINE wreal triangle(wcorner p, wcorner q, wcorner r)
{
    return w_sub(w_mul(w_sub(q.u, p.u), w_sub(r.v, p.v)), w_mul(w_sub(q.v, p.v), w_sub(r.u, p.u)));
}

LODE__INLINE wcorner load_corner(const wcandidates *c, int k, int lane)
{
    return (wcorner){w_load(&c->u[k][lane]), w_load(&c->v[k][lane])};
}

/* The first valid candidate whose score reaches `least` moves from `valid` to `kept`, in lanes
 * `on`. */
LODE__INLINE wcorner keep_first(wcandidates *c, int lane, lode_real score[][LODE_LANES],
                                wreal least, wmask on, lode_real kept[][LODE_LANES])
{
    wcorner at = {w_zero(), w_zero()};
    wmask open = on;
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wreal valid = w_load(&c->valid[k][lane]);
        wmask good = m_and(w_gt(valid, w_zero()), w_ge(w_load(&score[k][lane]), least));
        wmask take = m_and(open, good);
        wcorner here = load_corner(c, k, lane);
        at = (wcorner){w_select(take, here.u, at.u), w_select(take, here.v, at.v)};
        w_store(&c->valid[k][lane], w_select(take, w_zero(), valid));
        w_store(&kept[k][lane], w_select(take, w_splat(1), w_load(&kept[k][lane])));
        open = m_andnot(open, take);
    }
    return at;
}

/* The largest score of a valid candidate. */
LODE__INLINE wreal best_score(const wcandidates *c, int lane, lode_real score[][LODE_LANES])
{
    wreal most = w_splat(-REAL_MAX);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wmask valid = w_gt(w_load(&c->valid[k][lane]), w_zero());
        most = w_max(w_select(valid, w_load(&score[k][lane]), most), most);
    }
    return most;
}

/* For lanes `on`, whose candidates are more than four: leaves the chosen ones valid. */
LODE__INLINE void reduce(wcandidates *c, int lane, wmask on, wreal speculative)
{
    _Alignas(LODE__LINE_ALIGN) lode_real score[BOX_CANDIDATES][LODE_LANES];
    _Alignas(LODE__LINE_ALIGN) lode_real kept[BOX_CANDIDATES][LODE_LANES];
    wreal share = w_splat(BOX_EQUAL_SHARE);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        w_store(&score[k][lane], w_neg(w_load(&c->n[k][lane])));
        w_store(&kept[k][lane], w_zero());
    }
    wreal equal = w_mul(speculative, w_splat(BOX_EQUAL_DEPTH));
    wcorner p = keep_first(c, lane, score, w_sub(best_score(c, lane, score), equal), on, kept);

    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wcorner q = load_corner(c, k, lane);
        wreal du = w_sub(q.u, p.u), dv = w_sub(q.v, p.v);
        w_store(&score[k][lane], w_add(w_mul(du, du), w_mul(dv, dv)));
    }
    wcorner q = keep_first(c, lane, score, w_mul(best_score(c, lane, score), share), on, kept);

    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        w_store(&score[k][lane], w_abs(triangle(p, q, load_corner(c, k, lane))));
    wcorner r = keep_first(c, lane, score, w_mul(best_score(c, lane, score), share), on, kept);

    wreal turn = triangle(p, q, r);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wcorner s = load_corner(c, k, lane);
        wreal pq = w_flip(triangle(p, q, s), turn), qr = w_flip(triangle(q, r, s), turn);
        wreal rp = w_flip(triangle(r, p, s), turn);
        w_store(&score[k][lane], w_neg(w_min(w_min(pq, qr), rp)));
    }
    keep_first(c, lane, score, w_mul(best_score(c, lane, score), share), on, kept);

    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        w_store(&c->valid[k][lane],
                w_select(on, w_load(&kept[k][lane]), w_load(&c->valid[k][lane])));
}

LODE__INLINE wreal count_valid(const wcandidates *c, int lane)
{
    wreal count = w_zero();
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        count = w_add(count, w_load(&c->valid[k][lane]));
    return count;
}

#endif
