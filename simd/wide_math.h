/* wide_math.h: vectors, quaternions and symmetric matrices of eight lanes; part of simd/wide.h.
 *
 * The order of operations below is part of every result: sums run left to right as written. */
#ifndef LODE_SIMD_WIDE_MATH_H
#define LODE_SIMD_WIDE_MATH_H

#include "simd/wide.h"

/* clang-format off */
typedef struct wvec3 { wreal x, y, z; } wvec3;
typedef struct wquat { wreal w, x, y, z; } wquat;
typedef struct wsym3 { wreal xx, yy, zz, xy, xz, yz; } wsym3;
typedef struct wmat3 { wvec3 x, y, z; } wmat3; /* rows */
/* clang-format on */

/* --- their numbers; text that goes through these can be compiled for one pair as well, with a
 * vector to a register: see simd/one.h */

LODE__INLINE wvec3 wv_make(wreal x, wreal y, wreal z)
{
    return (wvec3){x, y, z};
}
LODE__INLINE wreal wv_x(wvec3 v)
{
    return v.x;
}
LODE__INLINE wreal wv_y(wvec3 v)
{
    return v.y;
}
LODE__INLINE wreal wv_z(wvec3 v)
{
    return v.z;
}

LODE__INLINE wreal wf_first(wfour f)
{
    return f.r0;
}
LODE__INLINE wreal wf_second(wfour f)
{
    return f.r1;
}
LODE__INLINE wreal wf_fourth(wfour f)
{
    return f.r3;
}
LODE__INLINE wvec3 wf_vector(wfour f)
{
    return (wvec3){f.r0, f.r1, f.r2};
}
LODE__INLINE wquat wf_quat(wfour f)
{
    return (wquat){f.r0, f.r1, f.r2, f.r3};
}

/* --- vectors */

LODE__INLINE wvec3 wv_splat(lode_vec3 v)
{
    return (wvec3){w_splat(v.x), w_splat(v.y), w_splat(v.z)};
}

LODE__INLINE wvec3 wv_zero(void)
{
    return (wvec3){w_zero(), w_zero(), w_zero()};
}

LODE__INLINE wvec3 wv_add(wvec3 a, wvec3 b)
{
    return (wvec3){w_add(a.x, b.x), w_add(a.y, b.y), w_add(a.z, b.z)};
}

LODE__INLINE wvec3 wv_sub(wvec3 a, wvec3 b)
{
    return (wvec3){w_sub(a.x, b.x), w_sub(a.y, b.y), w_sub(a.z, b.z)};
}

LODE__INLINE wvec3 wv_neg(wvec3 a)
{
    return (wvec3){w_neg(a.x), w_neg(a.y), w_neg(a.z)};
}

LODE__INLINE wvec3 wv_scale(wvec3 v, wreal s)
{
    return (wvec3){w_mul(v.x, s), w_mul(v.y, s), w_mul(v.z, s)};
}

/* a + b * s */
LODE__INLINE wvec3 wv_add_scaled(wvec3 a, wvec3 b, wreal s)
{
    return wv_add(a, wv_scale(b, s));
}

LODE__INLINE wreal wv_dot(wvec3 a, wvec3 b)
{
    return w_add(w_add(w_mul(a.x, b.x), w_mul(a.y, b.y)), w_mul(a.z, b.z));
}

LODE__INLINE wvec3 wv_cross(wvec3 a, wvec3 b)
{
    return (wvec3){
        w_sub(w_mul(a.y, b.z), w_mul(a.z, b.y)),
        w_sub(w_mul(a.z, b.x), w_mul(a.x, b.z)),
        w_sub(w_mul(a.x, b.y), w_mul(a.y, b.x)),
    };
}

LODE__INLINE wvec3 wv_abs(wvec3 a)
{
    return (wvec3){w_abs(a.x), w_abs(a.y), w_abs(a.z)};
}

LODE__INLINE wvec3 wv_min(wvec3 a, wvec3 b)
{
    return (wvec3){w_min(a.x, b.x), w_min(a.y, b.y), w_min(a.z, b.z)};
}

LODE__INLINE wvec3 wv_max(wvec3 a, wvec3 b)
{
    return (wvec3){w_max(a.x, b.x), w_max(a.y, b.y), w_max(a.z, b.z)};
}

LODE__INLINE wvec3 wv_div(wvec3 v, wreal s)
{
    return (wvec3){w_div(v.x, s), w_div(v.y, s), w_div(v.z, s)};
}

LODE__INLINE wreal wv_length(wvec3 a)
{
    return w_sqrt(wv_dot(a, a));
}

/* --- number by number */

LODE__INLINE wvec3 wv_mul(wvec3 a, wvec3 b)
{
    return (wvec3){w_mul(a.x, b.x), w_mul(a.y, b.y), w_mul(a.z, b.z)};
}

LODE__INLINE wvec3 wv_over(wvec3 a, wvec3 b)
{
    return (wvec3){w_div(a.x, b.x), w_div(a.y, b.y), w_div(a.z, b.z)};
}

LODE__INLINE wvec3 wv_sqrt(wvec3 a)
{
    return (wvec3){w_sqrt(a.x), w_sqrt(a.y), w_sqrt(a.z)};
}

/* v > least ? a : b */
LODE__INLINE wvec3 wv_select_above(wvec3 v, wreal least, wvec3 a, wvec3 b)
{
    return (wvec3){w_select(w_gt(v.x, least), a.x, b.x), w_select(w_gt(v.y, least), a.y, b.y),
                   w_select(w_gt(v.z, least), a.z, b.z)};
}

/* y z x, z x y, and one of these where it is asked for */
LODE__INLINE wvec3 wv_yzx(wvec3 v)
{
    return (wvec3){v.y, v.z, v.x};
}

LODE__INLINE wvec3 wv_zxy(wvec3 v)
{
    return (wvec3){v.z, v.x, v.y};
}

LODE__INLINE wvec3 wv_roll(wmask to_yzx, wmask to_zxy, wvec3 v)
{
    w_exchange(to_zxy, &v.y, &v.z);
    w_exchange(m_or(to_yzx, to_zxy), &v.x, &v.y);
    w_exchange(to_yzx, &v.y, &v.z);
    return v;
}

LODE__INLINE void wv_exchange(wmask m, wvec3 *a, wvec3 *b)
{
    w_exchange(m, &a->x, &b->x);
    w_exchange(m, &a->y, &b->y);
    w_exchange(m, &a->z, &b->z);
}

LODE__INLINE wmask wv_same(wvec3 a, wvec3 b)
{
    return m_and(m_and(w_eq(a.x, b.x), w_eq(a.y, b.y)), w_eq(a.z, b.z));
}

LODE__INLINE wvec3 wv_select(wmask m, wvec3 a, wvec3 b)
{
    return (wvec3){w_select(m, a.x, b.x), w_select(m, a.y, b.y), w_select(m, a.z, b.z)};
}

LODE__INLINE wvec3 wv_masked(wmask m, wvec3 a)
{
    return (wvec3){w_masked(m, a.x), w_masked(m, a.y), w_masked(m, a.z)};
}

/* --- matrices */

LODE__INLINE wmat3 wm_transpose(wmat3 m)
{
    return (wmat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/* The transpose where it is asked for, given both. */
LODE__INLINE wmat3 wm_choose_transpose(wmask m, wmat3 transpose, wmat3 a)
{
    (void)transpose;
    w_exchange(m, &a.x.y, &a.y.x);
    w_exchange(m, &a.x.z, &a.z.x);
    w_exchange(m, &a.y.z, &a.z.y);
    return a;
}

LODE__INLINE wmat3 wm_abs(wmat3 m)
{
    return (wmat3){wv_abs(m.x), wv_abs(m.y), wv_abs(m.z)};
}

/* The sum of the rows, each times one of v's numbers: the transpose of m times v. */
LODE__INLINE wvec3 wm_combine(wmat3 m, wvec3 v)
{
    return wv_add(wv_add(wv_scale(m.x, v.x), wv_scale(m.y, v.y)), wv_scale(m.z, v.z));
}

/* --- quaternions, scalar part first */

LODE__INLINE wquat wq_mul(wquat p, wquat q)
{
    wvec3 u = {p.x, p.y, p.z}, v = {q.x, q.y, q.z};
    wvec3 c = wv_cross(u, v);
    return (wquat){
        w_sub(w_mul(p.w, q.w), wv_dot(u, v)),
        w_add(w_add(w_mul(p.w, q.x), w_mul(p.x, q.w)), c.x),
        w_add(w_add(w_mul(p.w, q.y), w_mul(p.y, q.w)), c.y),
        w_add(w_add(w_mul(p.w, q.z), w_mul(p.z, q.w)), c.z),
    };
}

LODE__INLINE wquat wq_conj(wquat q)
{
    return (wquat){q.w, w_neg(q.x), w_neg(q.y), w_neg(q.z)};
}

/* v + w t + u x t with t = 2 u x v, for a unit quaternion (w, u) */
LODE__INLINE wvec3 wq_rotate(wquat q, wvec3 v)
{
    wvec3 u = {q.x, q.y, q.z}, t = wv_cross(wv_add(u, u), v);
    return wv_add(wv_add(v, wv_scale(t, q.w)), wv_cross(u, t));
}

/* the same with -u for u */
LODE__INLINE wvec3 wq_rotate_inv(wquat q, wvec3 v)
{
    wvec3 u = {q.x, q.y, q.z}, t = wv_cross(v, wv_add(u, u));
    return wv_add(wv_add(v, wv_scale(t, q.w)), wv_cross(t, u));
}

/* wq_rotate() of the z axis */
LODE__INLINE wvec3 wq_axis_z(wquat q)
{
    wreal x2 = w_add(q.x, q.x), y2 = w_add(q.y, q.y);
    return (wvec3){w_add(w_mul(q.w, y2), w_mul(q.z, x2)), w_sub(w_mul(q.z, y2), w_mul(q.w, x2)),
                   w_sub(w_splat(1), w_add(w_mul(q.x, x2), w_mul(q.y, y2)))};
}

/* The caller sees to it that q is not zero. */
LODE__INLINE wquat wq_normalize(wquat q)
{
    wreal ww_xx = w_add(w_mul(q.w, q.w), w_mul(q.x, q.x));
    wreal square = w_add(w_add(ww_xx, w_mul(q.y, q.y)), w_mul(q.z, q.z));
    wreal inverse = w_div(w_splat(1), w_sqrt(square));
    return (wquat){w_mul(q.w, inverse), w_mul(q.x, inverse), w_mul(q.y, inverse),
                   w_mul(q.z, inverse)};
}

/* Rows of the rotation matrix of a unit quaternion. */
LODE__INLINE wmat3 wq_matrix(wquat q)
{
    wreal one = w_splat(1);
    wreal x2 = w_add(q.x, q.x), y2 = w_add(q.y, q.y), z2 = w_add(q.z, q.z);
    wreal xx = w_mul(q.x, x2), yy = w_mul(q.y, y2), zz = w_mul(q.z, z2);
    wreal xy = w_mul(q.x, y2), xz = w_mul(q.x, z2), yz = w_mul(q.y, z2);
    wreal wx = w_mul(q.w, x2), wy = w_mul(q.w, y2), wz = w_mul(q.w, z2);
    return (wmat3){
        {w_sub(one, w_add(yy, zz)), w_sub(xy, wz), w_add(xz, wy)},
        {w_add(xy, wz), w_sub(one, w_add(xx, zz)), w_sub(yz, wx)},
        {w_sub(xz, wy), w_add(yz, wx), w_sub(one, w_add(xx, yy))},
    };
}

/* The axes of the turned frame. */
typedef struct waxes3 {
    wvec3 x, y, z;
} waxes3;

LODE__INLINE waxes3 wq_axes(wquat q)
{
    wmat3 m = wq_matrix(q);
    return (waxes3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/* --- symmetric matrices */

LODE__INLINE wvec3 ws_mul(wsym3 s, wvec3 v)
{
    return (wvec3){
        w_add(w_add(w_mul(s.xx, v.x), w_mul(s.xy, v.y)), w_mul(s.xz, v.z)),
        w_add(w_add(w_mul(s.xy, v.x), w_mul(s.yy, v.y)), w_mul(s.yz, v.z)),
        w_add(w_add(w_mul(s.xz, v.x), w_mul(s.yz, v.y)), w_mul(s.zz, v.z)),
    };
}

/* R S R^T, the matrix S of body axes in world axes, q from body to world. */
LODE__INLINE wsym3 ws_rotate(wquat q, wsym3 s)
{
    wmat3 r = wq_matrix(q);
    wvec3 sx = ws_mul(s, r.x), sy = ws_mul(s, r.y), sz = ws_mul(s, r.z);
    return (wsym3){wv_dot(r.x, sx), wv_dot(r.y, sy), wv_dot(r.z, sz),
                   wv_dot(r.x, sy), wv_dot(r.x, sz), wv_dot(r.y, sz)};
}

/* --- in memory: x at p, y at p + 8, z at p + 16; xx yy zz xy xz yz likewise */

#ifndef LODE_TWO_BLOCKS

LODE__INLINE wvec3 wv_load(const lode_real *p)
{
    return (wvec3){w_load(p), w_load(p + 8), w_load(p + 16)};
}

LODE__INLINE void wv_store(lode_real *p, wvec3 v)
{
    w_store(p, v.x);
    w_store(p + 8, v.y);
    w_store(p + 16, v.z);
}

LODE__INLINE wsym3 ws_load(const lode_real *p)
{
    return (wsym3){w_load(p),      w_load(p + 8),  w_load(p + 16),
                   w_load(p + 24), w_load(p + 32), w_load(p + 40)};
}

LODE__INLINE void ws_store(lode_real *p, wsym3 s)
{
    w_store(p, s.xx);
    w_store(p + 8, s.yy);
    w_store(p + 16, s.zz);
    w_store(p + 24, s.xy);
    w_store(p + 32, s.xz);
    w_store(p + 40, s.yz);
}

#endif

#endif
