/* wide_fours.h: four numbers of every lane, side by side; part of simd/wide.h.
 *
 * For what comes four times to a pair, as the corners of a face do. Here the four are four wide
 * reals; with one pair (simd/one_fours.h) they are one register. Text that goes through these
 * functions is the same for both. */
#ifndef LODE_SIMD_WIDE_FOURS_H
#define LODE_SIMD_WIDE_FOURS_H

#include "simd/wide.h"

/* clang-format off */
typedef struct wmask4 { wmask m0, m1, m2, m3; } wmask4;

/* Three numbers of four points. */
typedef struct wpoints4 { wfour x, y, z; } wpoints4;

#define LODE__FOUR1(T, op, x) ((T){op((x).r0), op((x).r1), op((x).r2), op((x).r3)})
#define LODE__FOUR2(T, op, x, y) \
    ((T){op((x).r0, (y).r0), op((x).r1, (y).r1), op((x).r2, (y).r2), op((x).r3, (y).r3)})
#define LODE__MASKS2(op, x, y) \
    ((wmask4){op((x).m0, (y).m0), op((x).m1, (y).m1), op((x).m2, (y).m2), op((x).m3, (y).m3)})

LODE__INLINE wfour wf_make(wreal x, wreal y, wreal z, wreal w) { return (wfour){x, y, z, w}; }
LODE__INLINE wfour wf_splat(wreal x) { return (wfour){x, x, x, x}; }
LODE__INLINE wfour wf_add(wfour x, wfour y) { return LODE__FOUR2(wfour, w_add, x, y); }
LODE__INLINE wfour wf_sub(wfour x, wfour y) { return LODE__FOUR2(wfour, w_sub, x, y); }
LODE__INLINE wfour wf_mul(wfour x, wfour y) { return LODE__FOUR2(wfour, w_mul, x, y); }
LODE__INLINE wfour wf_min(wfour x, wfour y) { return LODE__FOUR2(wfour, w_min, x, y); }
LODE__INLINE wfour wf_max(wfour x, wfour y) { return LODE__FOUR2(wfour, w_max, x, y); }
LODE__INLINE wfour wf_neg(wfour x) { return LODE__FOUR1(wfour, w_neg, x); }
LODE__INLINE wfour wf_abs(wfour x) { return LODE__FOUR1(wfour, w_abs, x); }
LODE__INLINE wfour wf_flip(wfour x, wfour s) { return LODE__FOUR2(wfour, w_flip, x, s); }

LODE__INLINE wmask4 wf_lt(wfour x, wfour y) { return LODE__FOUR2(wmask4, w_lt, x, y); }
LODE__INLINE wmask4 wf_le(wfour x, wfour y) { return LODE__FOUR2(wmask4, w_le, x, y); }
LODE__INLINE wmask4 wf_gt(wfour x, wfour y) { return LODE__FOUR2(wmask4, w_gt, x, y); }
LODE__INLINE wmask4 mf_and(wmask4 x, wmask4 y) { return LODE__MASKS2(m_and, x, y); }
/* clang-format on */

LODE__INLINE wfour wf_select(wmask4 m, wfour x, wfour y)
{
    return (wfour){w_select(m.m0, x.r0, y.r0), w_select(m.m1, x.r1, y.r1),
                   w_select(m.m2, x.r2, y.r2), w_select(m.m3, x.r3, y.r3)};
}

LODE__INLINE wfour wf_masked(wmask4 m, wfour x)
{
    return (wfour){w_masked(m.m0, x.r0), w_masked(m.m1, x.r1), w_masked(m.m2, x.r2),
                   w_masked(m.m3, x.r3)};
}

LODE__INLINE wpoints4 wf_points(wvec3 p, wvec3 q, wvec3 r, wvec3 s)
{
    return (wpoints4){{p.x, q.x, r.x, s.x}, {p.y, q.y, r.y, s.y}, {p.z, q.z, r.z, s.z}};
}

/* To four rows of a buffer. */
LODE__INLINE void wf_store(lode_real (*rows)[LODE_WIDTH], wfour x)
{
    w_store(rows[0], x.r0);
    w_store(rows[1], x.r1);
    w_store(rows[2], x.r2);
    w_store(rows[3], x.r3);
}

#endif
