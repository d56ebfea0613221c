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

LODE__INLINE wcorner load_corner(const wcandidates *c, int k)
{
    return (wcorner){w_load(&c->u[k][0]), w_load(&c->v[k][0])};
}

/* Candidates in `valid` are 0, what is none; 1, open; and here 2, what was kept. */
enum { BOX_OPEN = 1, BOX_KEPT = 2 };

/* Writes down candidate k's score, the least of all where it is not open, and folds it into the
 * largest. */
LODE__INLINE wreal rate(const wcandidates *c, int k, lode_real score[][LODE_WIDTH], wreal value,
                        wreal most)
{
    wmask open = w_eq(w_load(&c->valid[k][0]), w_splat(BOX_OPEN));
    value = w_select(open, value, w_splat(-REAL_MAX));
    w_store(&score[k][0], value);
    return w_max(value, most);
}

/* The first candidate whose score reaches `least` is kept, in lanes `on`. */
LODE__INLINE wcorner keep_first(wcandidates *c, lode_real score[][LODE_WIDTH], wreal least,
                                wmask on)
{
    wcorner at = {w_zero(), w_zero()};
    wmask open = on;
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wmask take = m_and(open, w_ge(w_load(&score[k][0]), least));
        wcorner here = load_corner(c, k);
        at = (wcorner){w_merge(take, here.u, at.u), w_merge(take, here.v, at.v)};
        wreal more = w_masked(take, w_splat(BOX_KEPT - BOX_OPEN));
        w_store(&c->valid[k][0], w_add(w_load(&c->valid[k][0]), more));
        open = m_andnot(open, take);
    }
    return at;
}

/* For lanes `on`, whose candidates are more than four: leaves the chosen ones valid. */
LODE__INLINE void reduce(wcandidates *c, wmask on, wreal speculative)
{
    _Alignas(LODE__LINE_ALIGN) lode_real score[BOX_CANDIDATES][LODE_WIDTH];
    wreal share = w_splat(BOX_EQUAL_SHARE), most = w_splat(-REAL_MAX);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        most = rate(c, k, score, w_neg(w_load(&c->n[k][0])), most);
    wreal equal = w_mul(speculative, w_splat(BOX_EQUAL_DEPTH));
    wcorner p = keep_first(c, score, w_sub(most, equal), on);

    most = w_splat(-REAL_MAX);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wcorner q = load_corner(c, k);
        wreal du = w_sub(q.u, p.u), dv = w_sub(q.v, p.v);
        most = rate(c, k, score, w_add(w_mul(du, du), w_mul(dv, dv)), most);
    }
    wcorner q = keep_first(c, score, w_mul(most, share), on);

    most = w_splat(-REAL_MAX);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        most = rate(c, k, score, w_abs(triangle(p, q, load_corner(c, k))), most);
    wcorner r = keep_first(c, score, w_mul(most, share), on);

    wreal turn = triangle(p, q, r);
    most = w_splat(-REAL_MAX);
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wcorner s = load_corner(c, k);
        wreal pq = w_flip(triangle(p, q, s), turn), qr = w_flip(triangle(q, r, s), turn);
        wreal rp = w_flip(triangle(r, p, s), turn);
        most = rate(c, k, score, w_neg(w_min(w_min(pq, qr), rp)), most);
    }
    keep_first(c, score, w_mul(most, share), on);

    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k) {
        wreal valid = w_load(&c->valid[k][0]), one = w_splat(1);
        wreal kept = w_masked(w_eq(valid, w_splat(BOX_KEPT)), one);
        w_store(&c->valid[k][0], w_select(on, kept, valid));
    }
}

LODE__INLINE wreal count_valid(const wcandidates *c)
{
    wreal count = w_zero();
    BOX_ROLLED
    for (int k = 0; k < BOX_CANDIDATES; ++k)
        count = w_add(count, w_load(&c->valid[k][0]));
    return count;
}

#endif
