/* one_sym.h: what simd/wide_sym.h has, of one alone with vectors in registers. */
#ifndef LODE_SIMD_ONE_SYM_H
#define LODE_SIMD_ONE_SYM_H

#include "simd/one.h"

/* --- rotations */

LODE__INLINE wquat wq_make(wreal w, wvec3 u)
{
    return (wquat){u.v, one_all(w)};
}
LODE__INLINE wvec3 wq_vector(wquat q)
{
    return (wvec3){q.u};
}
LODE__INLINE wreal wq_scalar(wquat q)
{
    return wv_x((wvec3){q.w});
}

LODE__INLINE wquat wq_mul(wquat p, wquat q)
{
    wvec3 u = {p.u}, v = {q.u};
    wvec3 both = wv_add((wvec3){simde_mm_mul_ps(p.w, q.u)}, (wvec3){simde_mm_mul_ps(p.u, q.w)});
    wreal w = w_sub(w_mul(wq_scalar(p), wq_scalar(q)), wv_dot(u, v));
    return wq_make(w, wv_add(both, wv_cross(u, v)));
}

LODE__INLINE wquat wq_conj(wquat q)
{
    return (wquat){wv_neg((wvec3){q.u}).v, q.w};
}

LODE__INLINE wquat wq_normalize(wquat q)
{
    wvec3 square = {simde_mm_mul_ps(q.u, q.u)};
    wreal w = wq_scalar(q), ww_xx = w_add(w_mul(w, w), wv_x(square));
    wreal sum = w_add(w_add(ww_xx, wv_y(square)), wv_z(square));
    simde__m128 inverse = one_all(w_div(w_splat(1), w_sqrt(sum)));
    return (wquat){simde_mm_mul_ps(q.u, inverse), simde_mm_mul_ps(q.w, inverse)};
}

/* w x y z in memory */
LODE__INLINE void wq_put(lode_real *p, wquat q)
{
    simde__m128 xyz = ONE_SHUFFLE(q.u, q.u, 0, 0, 1, 2);
    simde_mm_storeu_ps(p, simde_mm_move_ss(xyz, q.w));
}

/* --- matrices by rows */

/* Each row's products, added from the left: as the dots of the rows. */
LODE__INLINE wvec3 wm_mul(wmat3 m, wvec3 v)
{
    return wm_combine(wm_transpose(m), v);
}

/* --- symmetric ones */

typedef struct wsym3 {
    wvec3 d, o; /* xx yy zz; xy xz yz */
} wsym3;

LODE__INLINE wsym3 ws_make(wvec3 diagonal, wvec3 beside)
{
    return (wsym3){diagonal, beside};
}
LODE__INLINE wvec3 ws_diagonal(wsym3 s)
{
    return s.d;
}
LODE__INLINE wvec3 ws_beside(wsym3 s)
{
    return s.o;
}

LODE__INLINE wmat3 ws_rows(wsym3 s)
{
    simde__m128 d = s.d.v, o = s.o.v;
    simde__m128 x = ONE_SHUFFLE(d, o, 0, 0, 0, 1), y = ONE_SHUFFLE(o, d, 0, 0, 1, 1);
    return (wmat3){{ONE_SHUFFLE(x, x, 0, 2, 3, 3)},
                   {ONE_SHUFFLE(y, o, 0, 2, 2, 2)},
                   {ONE_SHUFFLE(o, d, 1, 2, 2, 2)}};
}

LODE__INLINE wsym3 ws_upper(wmat3 m)
{
    simde__m128 xy = ONE_SHUFFLE(m.x.v, m.y.v, 0, 0, 1, 1);
    return (wsym3){{ONE_SHUFFLE(xy, m.z.v, 0, 2, 2, 3)}, {ONE_SHUFFLE(m.x.v, m.y.v, 1, 2, 2, 3)}};
}

LODE__INLINE wsym3 ws_add(wsym3 a, wsym3 b)
{
    return (wsym3){wv_add(a.d, b.d), wv_add(a.o, b.o)};
}

LODE__INLINE wsym3 ws_outer(wvec3 a, wvec3 b)
{
    wvec3 xxy = {ONE_SHUFFLE(a.v, a.v, 0, 0, 1, 3)}, yzz = {ONE_SHUFFLE(b.v, b.v, 1, 2, 2, 3)};
    return (wsym3){wv_mul(a, b), wv_mul(xxy, yzz)};
}

LODE__INLINE wsym3 ws_less_outer(wsym3 s, wvec3 a, wvec3 b)
{
    wsym3 by = ws_outer(a, b);
    return (wsym3){wv_sub(s.d, by.d), wv_sub(s.o, by.o)};
}

LODE__INLINE wvec3 ws_mul(wsym3 s, wvec3 v)
{
    return wm_combine(ws_rows(s), v);
}

#endif
