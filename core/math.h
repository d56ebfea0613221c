/* math.h: scalar vectors, quaternions and 3x3 matrices for code outside the kernels.
 *
 * Every expression is written in one order and never re-associated, so that results have the same
 * bits on every target. A lode_real[6] is a symmetric matrix: xx, yy, zz, xy, xz, yz. */
#ifndef LODE_CORE_MATH_H
#define LODE_CORE_MATH_H

#include "lode/types.h"

#include <string.h>

/* Operators of one line each read as a table. */
/* clang-format off */

#ifdef LODE_DOUBLE
#define REAL_MAX 1.7976931348623157e308
#define REAL_EPSILON 2.2204460492503131e-16
#define REAL_LEAST_SQUARE 1e-290
#define REAL_MOST_SQUARE 1e290
static inline lode_real r_sqrt(lode_real x) { return __builtin_sqrt(x); }
static inline lode_real r_abs(lode_real x) { return __builtin_fabs(x); }
static inline lode_real r_floor(lode_real x) { return __builtin_floor(x); }
#else
#define REAL_MAX 3.402823466e38f
#define REAL_EPSILON 1.1920929e-7f
#define REAL_LEAST_SQUARE 1e-30f
#define REAL_MOST_SQUARE 1e30f
static inline lode_real r_sqrt(lode_real x) { return __builtin_sqrtf(x); }
static inline lode_real r_abs(lode_real x) { return __builtin_fabsf(x); }
static inline lode_real r_floor(lode_real x) { return __builtin_floorf(x); }
#endif

static inline lode_real r_min(lode_real a, lode_real b) { return a < b ? a : b; }
static inline lode_real r_max(lode_real a, lode_real b) { return a > b ? a : b; }
/* The power of two at or below x > 0; the least normal one where x is below that. */
static inline lode_real r_power_of_two(lode_real x)
{
#ifdef LODE_DOUBLE
    uint64_t bits, exponent = (uint64_t)0x7ff << 52, least = (uint64_t)1 << 52;
#else
    uint32_t bits, exponent = (uint32_t)0xff << 23, least = (uint32_t)1 << 23;
#endif
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & exponent) > least ? bits & exponent : least;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
static inline bool r_finite(lode_real x) { return r_abs(x) <= REAL_MAX; }

static inline lode_vec3 v3(lode_real x, lode_real y, lode_real z)
{
    lode_vec3 v = {x, y, z};
    return v;
}

static inline lode_vec3 v3_zero(void) { return v3(0, 0, 0); }
static inline lode_vec3 v3_add(lode_vec3 a, lode_vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline lode_vec3 v3_sub(lode_vec3 a, lode_vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline lode_vec3 v3_neg(lode_vec3 a) { return v3(-a.x, -a.y, -a.z); }
static inline lode_vec3 v3_scale(lode_vec3 a, lode_real s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline lode_vec3 v3_abs(lode_vec3 a) { return v3(r_abs(a.x), r_abs(a.y), r_abs(a.z)); }
static inline lode_vec3 v3_min(lode_vec3 a, lode_vec3 b)
{
    return v3(r_min(a.x, b.x), r_min(a.y, b.y), r_min(a.z, b.z));
}
static inline lode_vec3 v3_max(lode_vec3 a, lode_vec3 b)
{
    return v3(r_max(a.x, b.x), r_max(a.y, b.y), r_max(a.z, b.z));
}
/* a + b * s */
static inline lode_vec3 v3_madd(lode_vec3 a, lode_vec3 b, lode_real s)
{
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline lode_real v3_dot(lode_vec3 a, lode_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline lode_vec3 v3_cross(lode_vec3 a, lode_vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline lode_real v3_length(lode_vec3 a) { return r_sqrt(v3_dot(a, a)); }
static inline bool v3_is_zero(lode_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }
/* What is not finite less itself is no number: one comparison instead of six. */
static inline bool v3_finite(lode_vec3 a)
{
    return (a.x - a.x) + (a.y - a.y) + (a.z - a.z) == 0;
}
/* As v3_normalize_or(), of vectors of any length: scales first, so that neither tiny nor huge ones
 * lose their direction. */
static inline lode_vec3 v3_normalize_scaled(lode_vec3 a, lode_vec3 fallback)
{
    lode_real most = r_max(r_abs(a.x), r_max(r_abs(a.y), r_abs(a.z)));
    if (!(most > 0) || !r_finite(most))
        return fallback;
    lode_vec3 b = v3(a.x / most, a.y / most, a.z / most);
    lode_real length = v3_length(b); /* NaN where one is that is not the largest */
    return length > 0 ? v3(b.x / length, b.y / length, b.z / length) : fallback;
}
/* Unit vector along `a`; false, of a tiny or huge one: ask v3_normalize_scaled(). A square between
 * the two limits has lost nothing to numbers too small, nor is it too large. */
static inline bool v3_normalize_plain(lode_vec3 a, lode_vec3 *out)
{
    lode_real square = v3_dot(a, a);
    bool plain = square >= REAL_LEAST_SQUARE && square <= REAL_MOST_SQUARE;
    if (plain)
        *out = v3_scale(a, 1 / r_sqrt(square));
    return plain;
}
/* The same of any, or `fallback` when `a` has no usable length. */
static inline lode_vec3 v3_normalize_or(lode_vec3 a, lode_vec3 fallback)
{
    lode_vec3 unit;
    return v3_normalize_plain(a, &unit) ? unit : v3_normalize_scaled(a, fallback);
}

static inline lode_quat q_identity(void)
{
    lode_quat q = {1, 0, 0, 0};
    return q;
}
static inline lode_quat q_conj(lode_quat q)
{
    lode_quat r = {q.w, -q.x, -q.y, -q.z};
    return r;
}
static inline lode_quat q_mul(lode_quat a, lode_quat b)
{
    lode_quat r = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                   a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return r;
}
static inline lode_real q_dot(lode_quat a, lode_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline bool q_finite(lode_quat q)
{
    return r_finite(q.w) && r_finite(q.x) && r_finite(q.y) && r_finite(q.z);
}
/* No longer than a rotation is. What spins faster than numbers hold may have lost its rotation. */
static inline bool q_is_rotation(lode_quat q)
{
    return q_dot(q, q) < (lode_real)1.1;
}
/* Unit quaternion along `q`; identity when it has no usable length. */
static inline lode_quat q_normalize(lode_quat q)
{
    lode_real most = r_max(r_max(r_abs(q.w), r_abs(q.x)), r_max(r_abs(q.y), r_abs(q.z)));
    if (!(most > 0) || !r_finite(most))
        return q_identity();
    lode_quat r = {q.w / most, q.x / most, q.y / most, q.z / most};
    lode_real length = r_sqrt(q_dot(r, r));
    r.w /= length;
    r.x /= length;
    r.y /= length;
    r.z /= length;
    return r;
}
/* v + w t + u x t with t = 2 u x v, for a unit quaternion (w, u). */
static inline lode_vec3 q_rotate(lode_quat q, lode_vec3 v)
{
    lode_vec3 u = v3(q.x, q.y, q.z);
    lode_vec3 t = v3_cross(v3_add(u, u), v);
    return v3_add(v3_madd(v, t, q.w), v3_cross(u, t));
}
static inline lode_vec3 q_rotate_inv(lode_quat q, lode_vec3 v) { return q_rotate(q_conj(q), v); }

/* Row vectors. */
typedef struct lode__mat3 {
    lode_vec3 r0, r1, r2;
} lode__mat3;

static inline lode__mat3 m3_from_quat(lode_quat q)
{
    lode_real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    lode_real xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    lode_real xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    lode_real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    lode__mat3 m = {{1 - (yy + zz), xy - wz, xz + wy},
                    {xy + wz, 1 - (xx + zz), yz - wx},
                    {xz - wy, yz + wx, 1 - (xx + yy)}};
    return m;
}

static inline lode_vec3 s3_mul(const lode_real s[6], lode_vec3 v)
{
    return v3(s[0] * v.x + s[3] * v.y + s[4] * v.z, s[3] * v.x + s[1] * v.y + s[5] * v.z,
              s[4] * v.x + s[5] * v.y + s[2] * v.z);
}
/* out = R S R^T. `out` may be `s`. */
static inline void s3_rotate(lode_quat q, const lode_real s[6], lode_real out[6])
{
    lode__mat3 m = m3_from_quat(q);
    lode_vec3 c0 = s3_mul(s, m.r0), c1 = s3_mul(s, m.r1), c2 = s3_mul(s, m.r2);
    out[0] = v3_dot(m.r0, c0);
    out[1] = v3_dot(m.r1, c1);
    out[2] = v3_dot(m.r2, c2);
    out[3] = v3_dot(m.r0, c1);
    out[4] = v3_dot(m.r0, c2);
    out[5] = v3_dot(m.r1, c2);
}
/* Inverse by cofactors; false when `s` is not positive definite, or its inverse not finite. In
 * double and in units of the trace: cofactors keep the digits that a slender body needs, and the
 * inertia of a grain does not vanish in its determinant. `out` may be `s`. */
static inline bool s3_invert(const lode_real s[6], lode_real out[6])
{
    double xx = s[0], yy = s[1], zz = s[2], xy = s[3], xz = s[4], yz = s[5];
    double trace = xx + yy + zz;
    if (!(trace > 0) || !r_finite((lode_real)trace))
        return false;
    xx /= trace, yy /= trace, zz /= trace, xy /= trace, xz /= trace, yz /= trace;
    double c[6] = {yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy,
                   xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz};
    double det = xx * c[0] + xy * c[3] + xz * c[4];
    if (!(xx > 0) || !(c[2] > 0) || !(det > 0))
        return false;
    bool usable = true;
    for (int i = 0; i < 6; ++i) {
        out[i] = (lode_real)(c[i] / det / trace);
        usable = usable && r_finite(out[i]) && (i > 2 || out[i] > 0);
    }
    return usable;
}

static inline lode_vec3 pose_point(lode_pose p, lode_vec3 x)
{
    return v3_add(p.position, q_rotate(p.rotation, x));
}
static inline lode_vec3 pose_point_inv(lode_pose p, lode_vec3 x)
{
    return q_rotate_inv(p.rotation, v3_sub(x, p.position));
}

/* clang-format on */

#endif
