/* wide_sym.h: rotations by their parts, and symmetric matrices, for text that asks for no number by
 * its name and so can be compiled for one alone with vectors in registers (simd/one.h). After
 * simd/wide.h. Sums run left to right as written, as in simd/wide_math.h. */
#ifndef LODE_SIMD_WIDE_SYM_H
#define LODE_SIMD_WIDE_SYM_H

#include "simd/wide.h"

#ifdef LODE_ONE_PAIR
#include "simd/one_sym.h"
#else

/* --- rotations */

LODE__INLINE wquat wq_make(wreal w, wvec3 u)
{
    return (wquat){w, u.x, u.y, u.z};
}
LODE__INLINE wvec3 wq_vector(wquat q)
{
    return (wvec3){q.x, q.y, q.z};
}
LODE__INLINE wreal wq_scalar(wquat q)
{
    return q.w;
}

/* --- matrices by rows */

LODE__INLINE wvec3 wm_mul(wmat3 m, wvec3 v)
{
    return (wvec3){wv_dot(m.x, v), wv_dot(m.y, v), wv_dot(m.z, v)};
}

/* --- symmetric ones */

LODE__INLINE wsym3 ws_make(wvec3 diagonal, wvec3 beside)
{
    return (wsym3){diagonal.x, diagonal.y, diagonal.z, beside.x, beside.y, beside.z};
}
LODE__INLINE wvec3 ws_diagonal(wsym3 s)
{
    return (wvec3){s.xx, s.yy, s.zz};
}
LODE__INLINE wvec3 ws_beside(wsym3 s)
{
    return (wvec3){s.xy, s.xz, s.yz};
}

LODE__INLINE wmat3 ws_rows(wsym3 s)
{
    return (wmat3){{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
}

/* What is on the diagonal of a matrix, and above it. */
LODE__INLINE wsym3 ws_upper(wmat3 m)
{
    return (wsym3){m.x.x, m.y.y, m.z.z, m.x.y, m.x.z, m.y.z};
}

LODE__INLINE wsym3 ws_add(wsym3 a, wsym3 b)
{
    return ws_make(wv_add(ws_diagonal(a), ws_diagonal(b)), wv_add(ws_beside(a), ws_beside(b)));
}

/* s - a b^T, of which it is known that it is symmetric */
LODE__INLINE wsym3 ws_less_outer(wsym3 s, wvec3 a, wvec3 b)
{
    return (wsym3){w_sub(s.xx, w_mul(a.x, b.x)), w_sub(s.yy, w_mul(a.y, b.y)),
                   w_sub(s.zz, w_mul(a.z, b.z)), w_sub(s.xy, w_mul(a.x, b.y)),
                   w_sub(s.xz, w_mul(a.x, b.z)), w_sub(s.yz, w_mul(a.y, b.z))};
}

/* a b^T likewise */
LODE__INLINE wsym3 ws_outer(wvec3 a, wvec3 b)
{
    return (wsym3){w_mul(a.x, b.x), w_mul(a.y, b.y), w_mul(a.z, b.z),
                   w_mul(a.x, b.y), w_mul(a.x, b.z), w_mul(a.y, b.z)};
}

#endif

/* R S R^T, given the columns of R */
LODE__INLINE wsym3 ws_turn(wmat3 columns, wsym3 s)
{
    wmat3 rows = ws_rows(s);
    wvec3 x = wm_combine(columns, rows.x), y = wm_combine(columns, rows.y);
    wvec3 z = wm_combine(columns, rows.z);
    return ws_add(ws_add(ws_outer(x, columns.x), ws_outer(y, columns.y)), ws_outer(z, columns.z));
}

#endif
