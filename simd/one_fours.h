/* one_fours.h: four numbers of a single pair in one register; see simd/wide_fours.h. */
#ifndef LODE_SIMD_ONE_FOURS_H
#define LODE_SIMD_ONE_FOURS_H

#include "simd/one.h"

/* clang-format off */
typedef struct wmask4 { simde__m128 v; } wmask4;
typedef struct wpoints4 { wfour x, y, z; } wpoints4;

LODE__INLINE wfour wf_make(wreal x, wreal y, wreal z, wreal w)
{
    return (wfour){simde_mm_setr_ps(x.a, y.a, z.a, w.a)};
}
LODE__INLINE wfour wf_splat(wreal x) { return (wfour){one_all(x)}; }
LODE__INLINE wfour wf_add(wfour x, wfour y) { return (wfour){simde_mm_add_ps(x.v, y.v)}; }
LODE__INLINE wfour wf_sub(wfour x, wfour y) { return (wfour){simde_mm_sub_ps(x.v, y.v)}; }
LODE__INLINE wfour wf_mul(wfour x, wfour y) { return (wfour){simde_mm_mul_ps(x.v, y.v)}; }
LODE__INLINE wfour wf_min(wfour x, wfour y) { return (wfour){wv_min((wvec3){x.v}, (wvec3){y.v}).v}; }
LODE__INLINE wfour wf_max(wfour x, wfour y) { return (wfour){wv_max((wvec3){x.v}, (wvec3){y.v}).v}; }
LODE__INLINE wfour wf_neg(wfour x) { return (wfour){simde_mm_xor_ps(x.v, one_sign())}; }
LODE__INLINE wfour wf_abs(wfour x) { return (wfour){simde_mm_andnot_ps(one_sign(), x.v)}; }
LODE__INLINE wfour wf_flip(wfour x, wfour s)
{
    return (wfour){simde_mm_xor_ps(x.v, simde_mm_and_ps(s.v, one_sign()))};
}

LODE__INLINE wmask4 wf_lt(wfour x, wfour y) { return (wmask4){simde_mm_cmplt_ps(x.v, y.v)}; }
LODE__INLINE wmask4 wf_le(wfour x, wfour y) { return (wmask4){simde_mm_cmple_ps(x.v, y.v)}; }
LODE__INLINE wmask4 wf_gt(wfour x, wfour y) { return (wmask4){simde_mm_cmplt_ps(y.v, x.v)}; }
LODE__INLINE wmask4 mf_and(wmask4 x, wmask4 y) { return (wmask4){simde_mm_and_ps(x.v, y.v)}; }
/* clang-format on */

LODE__INLINE wfour wf_select(wmask4 m, wfour x, wfour y)
{
    return (wfour){one_blend(m.v, x.v, y.v)};
}

LODE__INLINE wfour wf_masked(wmask4 m, wfour x)
{
    return (wfour){simde_mm_and_ps(m.v, x.v)};
}

LODE__INLINE wpoints4 wf_points(wvec3 p, wvec3 q, wvec3 r, wvec3 s)
{
    simde__m128 pq_xy = ONE_SHUFFLE(p.v, q.v, 0, 1, 0, 1), pq_z = ONE_SHUFFLE(p.v, q.v, 2, 2, 2, 2);
    simde__m128 rs_xy = ONE_SHUFFLE(r.v, s.v, 0, 1, 0, 1), rs_z = ONE_SHUFFLE(r.v, s.v, 2, 2, 2, 2);
    return (wpoints4){{ONE_SHUFFLE(pq_xy, rs_xy, 0, 2, 0, 2)},
                      {ONE_SHUFFLE(pq_xy, rs_xy, 1, 3, 1, 3)},
                      {ONE_SHUFFLE(pq_z, rs_z, 0, 2, 0, 2)}};
}

/* To four rows of one number each. */
LODE__INLINE void wf_store(lode_real (*rows)[LODE_WIDTH], wfour x)
{
    simde_mm_storeu_ps(rows[0], x.v);
}

#endif
