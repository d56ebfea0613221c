/* one.h: vectors of a single pair, each in one register of four numbers; part of simd/wide.h where
 * LODE_ONE_PAIR is defined, for instruction sets that have such registers, in single precision.
 *
 * Text that goes through the functions of simd/wide_math.h, and does not ask for a vector's numbers
 * by name, is compiled with these in place of them. Its numbers are scalars, as in the plain
 * variant; its vectors take the third part of the instructions. Every sum and product is rounded as
 * there, in the same order, so the bits are the same. The fourth number of a register is anything.
 */
#ifndef LODE_SIMD_ONE_H
#define LODE_SIMD_ONE_H

#include <simde/x86/sse2.h>

/* clang-format off */
typedef struct wvec3 { simde__m128 v; } wvec3;
typedef struct wfour { simde__m128 v; } wfour;
typedef struct wquat { simde__m128 u, w; } wquat; /* x y z; and w in all four */
/* clang-format on */

#define ONE_SHUFFLE(a, b, k0, k1, k2, k3) \
    simde_mm_shuffle_ps(a, b, (k0) | (k1) << 2 | (k2) << 4 | (k3) << 6)
#define ONE_PICK(a, k) simde_mm_cvtss_f32(ONE_SHUFFLE(a, a, k, k, k, k))

/* --- memory */

LODE__INLINE wfour w_load_fours_at(const lode_real *const *p, int at)
{
    return (wfour){simde_mm_loadu_ps(p[0] + at)};
}

LODE__INLINE wfour w_load_fours(const lode_real *const *p)
{
    return w_load_fours_at(p, 0);
}

/* Four numbers are written: the fourth is the caller's to write again. */
LODE__INLINE void wv_put(lode_real *p, wvec3 v)
{
    simde_mm_storeu_ps(p, v.v);
}

/* --- numbers */

LODE__INLINE wvec3 wv_make(wreal x, wreal y, wreal z)
{
    return (wvec3){simde_mm_setr_ps(x.a, y.a, z.a, 0)};
}
LODE__INLINE wreal wv_x(wvec3 v)
{
    return (wreal){simde_mm_cvtss_f32(v.v)};
}
LODE__INLINE wreal wv_y(wvec3 v)
{
    return (wreal){ONE_PICK(v.v, 1)};
}
LODE__INLINE wreal wv_z(wvec3 v)
{
    return (wreal){ONE_PICK(v.v, 2)};
}

LODE__INLINE wreal wf_first(wfour f)
{
    return (wreal){simde_mm_cvtss_f32(f.v)};
}
LODE__INLINE wreal wf_second(wfour f)
{
    return (wreal){ONE_PICK(f.v, 1)};
}
LODE__INLINE wreal wf_fourth(wfour f)
{
    return (wreal){ONE_PICK(f.v, 3)};
}
LODE__INLINE wvec3 wf_vector(wfour f)
{
    return (wvec3){f.v};
}
LODE__INLINE wquat wf_quat(wfour f)
{
    return (wquat){ONE_SHUFFLE(f.v, f.v, 1, 2, 3, 0), ONE_SHUFFLE(f.v, f.v, 0, 0, 0, 0)};
}

/* --- vectors */

/* clang-format off */
LODE__INLINE simde__m128 one_all(wreal s) { return simde_mm_set1_ps(s.a); }
LODE__INLINE wvec3 wv_zero(void) { return (wvec3){simde_mm_setzero_ps()}; }
LODE__INLINE wvec3 wv_add(wvec3 a, wvec3 b) { return (wvec3){simde_mm_add_ps(a.v, b.v)}; }
LODE__INLINE wvec3 wv_sub(wvec3 a, wvec3 b) { return (wvec3){simde_mm_sub_ps(a.v, b.v)}; }
LODE__INLINE simde__m128 one_sign(void) { return simde_mm_set1_ps(-0.0f); }
LODE__INLINE wvec3 wv_neg(wvec3 a) { return (wvec3){simde_mm_xor_ps(a.v, one_sign())}; }
LODE__INLINE wvec3 wv_abs(wvec3 a) { return (wvec3){simde_mm_andnot_ps(one_sign(), a.v)}; }
LODE__INLINE wvec3 wv_scale(wvec3 a, wreal s) { return (wvec3){simde_mm_mul_ps(a.v, one_all(s))}; }
LODE__INLINE wvec3 wv_div(wvec3 v, wreal s) { return (wvec3){simde_mm_div_ps(v.v, one_all(s))}; }
LODE__INLINE wvec3 wv_select(wmask m, wvec3 a, wvec3 b) { return m.a ? a : b; }
/* clang-format on */

LODE__INLINE wmask wv_same(wvec3 a, wvec3 b)
{
    return (wmask){(simde_mm_movemask_ps(simde_mm_cmpeq_ps(a.v, b.v)) & 7) == 7};
}

/* a < b ? a : b, and a > b ? a : b */
#if defined(LODE_VARIANT_NEON)
LODE__INLINE simde__m128 one_choose(simde__m128 mask, simde__m128 a, simde__m128 b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}
LODE__INLINE wvec3 wv_min(wvec3 a, wvec3 b)
{
    return (wvec3){one_choose(simde_mm_cmplt_ps(a.v, b.v), a.v, b.v)};
}
LODE__INLINE wvec3 wv_max(wvec3 a, wvec3 b)
{
    return (wvec3){one_choose(simde_mm_cmplt_ps(b.v, a.v), a.v, b.v)};
}
#else
LODE__INLINE wvec3 wv_min(wvec3 a, wvec3 b)
{
    return (wvec3){simde_mm_min_ps(a.v, b.v)};
}
LODE__INLINE wvec3 wv_max(wvec3 a, wvec3 b)
{
    return (wvec3){simde_mm_max_ps(a.v, b.v)};
}
#endif

LODE__INLINE wvec3 wv_add_scaled(wvec3 a, wvec3 b, wreal s)
{
    return wv_add(a, wv_scale(b, s));
}

LODE__INLINE wreal wv_dot(wvec3 a, wvec3 b)
{
    wvec3 m = {simde_mm_mul_ps(a.v, b.v)};
    return w_add(w_add(wv_x(m), wv_y(m)), wv_z(m));
}

/* a * (b turned round) - (a turned round) * b, turned round: as written out, component by component
 */
LODE__INLINE wvec3 wv_cross(wvec3 a, wvec3 b)
{
    simde__m128 a_yzx = ONE_SHUFFLE(a.v, a.v, 1, 2, 0, 3),
                b_yzx = ONE_SHUFFLE(b.v, b.v, 1, 2, 0, 3);
    simde__m128 zxy = simde_mm_sub_ps(simde_mm_mul_ps(a.v, b_yzx), simde_mm_mul_ps(a_yzx, b.v));
    return (wvec3){ONE_SHUFFLE(zxy, zxy, 1, 2, 0, 3)};
}

LODE__INLINE wreal wv_length(wvec3 a)
{
    return w_sqrt(wv_dot(a, a));
}

/* --- number by number */

/* clang-format off */
LODE__INLINE wvec3 wv_mul(wvec3 a, wvec3 b) { return (wvec3){simde_mm_mul_ps(a.v, b.v)}; }
LODE__INLINE wvec3 wv_over(wvec3 a, wvec3 b) { return (wvec3){simde_mm_div_ps(a.v, b.v)}; }
LODE__INLINE wvec3 wv_sqrt(wvec3 a) { return (wvec3){simde_mm_sqrt_ps(a.v)}; }
LODE__INLINE wvec3 wv_yzx(wvec3 v) { return (wvec3){ONE_SHUFFLE(v.v, v.v, 1, 2, 0, 3)}; }
LODE__INLINE wvec3 wv_zxy(wvec3 v) { return (wvec3){ONE_SHUFFLE(v.v, v.v, 2, 0, 1, 3)}; }
/* clang-format on */

LODE__INLINE simde__m128 one_blend(simde__m128 mask, simde__m128 a, simde__m128 b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}

LODE__INLINE wvec3 wv_select_above(wvec3 v, wreal least, wvec3 a, wvec3 b)
{
    return (wvec3){one_blend(simde_mm_cmplt_ps(one_all(least), v.v), a.v, b.v)};
}

LODE__INLINE wvec3 wv_roll(wmask to_yzx, wmask to_zxy, wvec3 v)
{
    return to_yzx.a ? wv_yzx(v) : to_zxy.a ? wv_zxy(v) : v;
}

LODE__INLINE void wv_exchange(wmask m, wvec3 *a, wvec3 *b)
{
    wvec3 kept = *a;
    *a = m.a ? *b : *a;
    *b = m.a ? kept : *b;
}

/* --- matrices */

typedef struct wmat3 {
    wvec3 x, y, z; /* rows */
} wmat3;

LODE__INLINE wmat3 wm_transpose(wmat3 m)
{
    simde__m128 low = ONE_SHUFFLE(m.x.v, m.y.v, 0, 1, 0, 1); /* xx xy yx yy */
    simde__m128 high = ONE_SHUFFLE(m.x.v, m.y.v, 2, 2, 2, 2);
    return (wmat3){{ONE_SHUFFLE(low, m.z.v, 0, 2, 0, 3)},
                   {ONE_SHUFFLE(low, m.z.v, 1, 3, 1, 3)},
                   {ONE_SHUFFLE(high, m.z.v, 0, 2, 2, 3)}};
}

LODE__INLINE wmat3 wm_choose_transpose(wmask m, wmat3 transpose, wmat3 a)
{
    return m.a ? transpose : a;
}

LODE__INLINE wmat3 wm_abs(wmat3 m)
{
    return (wmat3){wv_abs(m.x), wv_abs(m.y), wv_abs(m.z)};
}

LODE__INLINE wvec3 wm_combine(wmat3 m, wvec3 v)
{
    wvec3 x = {ONE_SHUFFLE(v.v, v.v, 0, 0, 0, 0)}, y = {ONE_SHUFFLE(v.v, v.v, 1, 1, 1, 1)};
    wvec3 z = {ONE_SHUFFLE(v.v, v.v, 2, 2, 2, 2)};
    return wv_add(wv_add(wv_mul(m.x, x), wv_mul(m.y, y)), wv_mul(m.z, z));
}

/* --- rotations */

LODE__INLINE wvec3 wq_rotate(wquat q, wvec3 v)
{
    wvec3 u = {q.u}, t = wv_cross(wv_add(u, u), v);
    return wv_add(wv_add(v, (wvec3){simde_mm_mul_ps(t.v, q.w)}), wv_cross(u, t));
}

LODE__INLINE wvec3 wq_rotate_inv(wquat q, wvec3 v)
{
    wvec3 u = {q.u}, t = wv_cross(v, wv_add(u, u));
    return wv_add(wv_add(v, (wvec3){simde_mm_mul_ps(t.v, q.w)}), wv_cross(t, u));
}

LODE__INLINE wvec3 wq_axis_z(wquat q)
{
    simde__m128 twice = simde_mm_add_ps(q.u, q.u), square = simde_mm_mul_ps(q.u, twice);
    simde__m128 z = simde_mm_mul_ps(ONE_SHUFFLE(q.u, q.u, 2, 2, 2, 2), twice);
    simde__m128 w = simde_mm_mul_ps(ONE_SHUFFLE(twice, twice, 1, 0, 2, 3), q.w);
    simde__m128 xy = simde_mm_add_ps(z, simde_mm_xor_ps(w, simde_mm_setr_ps(0, -0.0f, 0, 0)));
    wreal last = w_sub(w_splat(1), w_add(wv_x((wvec3){square}), wv_y((wvec3){square})));
    return (wvec3){simde_mm_movelh_ps(xy, simde_mm_set_ss(last.a))};
}

/* Rows of the rotation matrix. */
LODE__INLINE wmat3 wq_matrix(wquat q)
{
    wvec3 u = {q.u}, twice = wv_add(u, u), square = wv_mul(u, twice);
    wvec3 w = {simde_mm_mul_ps(q.w, twice.v)};
    /* xy yz xz, and wz wx wy beside them */
    wvec3 mixed = wv_mul((wvec3){ONE_SHUFFLE(u.v, u.v, 0, 1, 0, 3)},
                         (wvec3){ONE_SHUFFLE(twice.v, twice.v, 1, 2, 2, 3)});
    wvec3 plus = wv_add(mixed, wv_zxy(w)), minus = wv_sub(mixed, wv_zxy(w));
    wvec3 sum = wv_add((wvec3){ONE_SHUFFLE(square.v, square.v, 1, 0, 0, 3)},
                       (wvec3){ONE_SHUFFLE(square.v, square.v, 2, 2, 1, 3)});
    wvec3 straight = wv_sub((wvec3){one_all((wreal){1})}, sum);
    simde__m128 row0 = ONE_SHUFFLE(straight.v, minus.v, 0, 0, 0, 0);
    simde__m128 row1 = ONE_SHUFFLE(plus.v, straight.v, 0, 0, 1, 1);
    simde__m128 row2 = ONE_SHUFFLE(minus.v, plus.v, 2, 2, 1, 1);
    return (wmat3){{ONE_SHUFFLE(row0, plus.v, 0, 2, 2, 3)},
                   {ONE_SHUFFLE(row1, minus.v, 0, 2, 1, 3)},
                   {ONE_SHUFFLE(row2, straight.v, 0, 2, 2, 3)}};
}

/* The axes of the turned frame. */
typedef struct waxes3 {
    wvec3 x, y, z;
} waxes3;

LODE__INLINE waxes3 wq_axes(wquat q)
{
    wvec3 u = {q.u}, twice = wv_add(u, u);
    wvec3 square = {simde_mm_mul_ps(u.v, twice.v)}, w = {simde_mm_mul_ps(q.w, twice.v)};
    wreal xx = wv_x(square), yy = wv_y(square), zz = wv_z(square), one = w_splat(1);
    wreal wx = wv_x(w), wy = wv_y(w), wz = wv_z(w);
    wreal x = wv_x(u), y = wv_y(u), y2 = wv_y(twice), z2 = wv_z(twice);
    wreal xy = w_mul(x, y2), xz = w_mul(x, z2), yz = w_mul(y, z2);
    return (waxes3){wv_make(w_sub(one, w_add(yy, zz)), w_add(xy, wz), w_sub(xz, wy)),
                    wv_make(w_sub(xy, wz), w_sub(one, w_add(xx, zz)), w_add(yz, wx)),
                    wv_make(w_add(xz, wy), w_sub(yz, wx), w_sub(one, w_add(xx, yy)))};
}

#endif
