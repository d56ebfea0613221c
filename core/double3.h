/* double3.h: vectors in double whatever the library's precision.
 *
 * For the few methods that need more digits than a lode_real may have: searches that end when two
 * numbers meet, and faces so thin that single precision cannot tell their sides. The same rules as
 * in core/math.h: one order of operations, nothing fused, sqrt alone from the library. */
#ifndef LODE_CORE_DOUBLE3_H
#define LODE_CORE_DOUBLE3_H

#include "core/math.h"

/* clang-format off */

typedef struct lode__double3 {
    double x, y, z;
} lode__double3;

static inline lode__double3 d3(double x, double y, double z)
{
    lode__double3 v = {x, y, z};
    return v;
}

static inline lode__double3 d3_from(lode_vec3 v) { return d3(v.x, v.y, v.z); }
static inline lode_vec3 d3_to(lode__double3 v)
{
    return v3((lode_real)v.x, (lode_real)v.y, (lode_real)v.z);
}
static inline lode__double3 d3_add(lode__double3 a, lode__double3 b)
{
    return d3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline lode__double3 d3_sub(lode__double3 a, lode__double3 b)
{
    return d3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline lode__double3 d3_neg(lode__double3 a) { return d3(-a.x, -a.y, -a.z); }
static inline lode__double3 d3_scale(lode__double3 a, double s)
{
    return d3(a.x * s, a.y * s, a.z * s);
}
/* a + b * s */
static inline lode__double3 d3_madd(lode__double3 a, lode__double3 b, double s)
{
    return d3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline double d3_dot(lode__double3 a, lode__double3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline lode__double3 d3_cross(lode__double3 a, lode__double3 b)
{
    return d3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double d_sqrt(double x) { return __builtin_sqrt(x); }
static inline double d_abs(double x) { return __builtin_fabs(x); }
static inline double d_min(double a, double b) { return a < b ? a : b; }
static inline double d_max(double a, double b) { return a > b ? a : b; }
static inline double d3_length(lode__double3 a) { return d_sqrt(d3_dot(a, a)); }
/* The largest of the coordinates, without signs. */
static inline double d3_most(lode__double3 a)
{
    return d_max(d_abs(a.x), d_max(d_abs(a.y), d_abs(a.z)));
}
/* Unit vector along `a`, or `fallback` when `a` has no usable length; as v3_normalize_or(). */
static inline lode__double3 d3_normalize_or(lode__double3 a, lode__double3 fallback)
{
    double most = d3_most(a);
    if (!(most > 0) || !(most <= 1.7976931348623157e308))
        return fallback;
    lode__double3 b = d3(a.x / most, a.y / most, a.z / most);
    double length = d3_length(b); /* NaN where one is that is not the largest */
    return length > 0 ? d3(b.x / length, b.y / length, b.z / length) : fallback;
}
/* A unit vector across the unit vector n. */
static inline lode__double3 d3_across(lode__double3 n)
{
    lode__double3 least = d_abs(n.x) <= d_abs(n.y) && d_abs(n.x) <= d_abs(n.z) ? d3(1, 0, 0)
                          : d_abs(n.y) <= d_abs(n.z)                           ? d3(0, 1, 0)
                                                                               : d3(0, 0, 1);
    return d3_normalize_or(d3_cross(n, least), d3(1, 0, 0));
}

/* Row vectors. */
typedef struct lode__double33 {
    lode__double3 r0, r1, r2;
} lode__double33;

static inline lode__double3 d33_mul(const lode__double33 *m, lode__double3 v)
{
    return d3(d3_dot(m->r0, v), d3_dot(m->r1, v), d3_dot(m->r2, v));
}
/* By the transpose: back, where m is a rotation. */
static inline lode__double3 d33_mul_t(const lode__double33 *m, lode__double3 v)
{
    return d3_madd(d3_madd(d3_scale(m->r0, v.x), m->r1, v.y), m->r2, v.z);
}
/* As exactly a rotation as double holds, of a quaternion of any length. */
static inline lode__double33 d33_from_parts(double w, double x, double y, double z)
{
    double s = 2 / (w * w + x * x + y * y + z * z);
    double xx = s * x * x, yy = s * y * y, zz = s * z * z;
    double xy = s * x * y, xz = s * x * z, yz = s * y * z;
    double wx = s * w * x, wy = s * w * y, wz = s * w * z;
    lode__double33 m = {{1 - (yy + zz), xy - wz, xz + wy},
                        {xy + wz, 1 - (xx + zz), yz - wx},
                        {xz - wy, yz + wx, 1 - (xx + yy)}};
    return m;
}
/* Though q is a rotation to single precision only. */
static inline lode__double33 d33_from_quat(lode_quat q)
{
    return d33_from_parts(q.w, q.x, q.y, q.z);
}
/* From the axes of b to those of a, where both lead to the same third. */
static inline lode__double33 d33_between(const lode__double33 *a, const lode__double33 *b)
{
    lode__double3 x = d33_mul_t(a, d3(b->r0.x, b->r1.x, b->r2.x));
    lode__double3 y = d33_mul_t(a, d3(b->r0.y, b->r1.y, b->r2.y));
    lode__double3 z = d33_mul_t(a, d3(b->r0.z, b->r1.z, b->r2.z));
    lode__double33 m = {d3(x.x, y.x, z.x), d3(x.y, y.y, z.y), d3(x.z, y.z, z.z)};
    return m;
}

/* clang-format on */

#endif
