/* scalar_math.h: lode__sin, lode__cos, lode__sincos, lode__atan2, lode__acos for one number, with
 * the very bits that kernels get from simd/wide.h. See simd/elementary.inl for bounds. */
#ifndef LODE_SIMD_SCALAR_MATH_H
#define LODE_SIMD_SCALAR_MATH_H

#include "simd/coefficients.h"
#include "simd/scalar.h"

#define LODE__REAL lode_real
#define LODE__MASK bool
#define LODE__W(name) sc_##name
#define LODE__M(name) scm_##name
#include "simd/elementary.inl"
#undef LODE__REAL
#undef LODE__MASK
#undef LODE__W
#undef LODE__M

/* clang-format off */
static inline lode_real lode__sin(lode_real x) { return sc_sin(x); }
static inline lode_real lode__cos(lode_real x) { return sc_cos(x); }
static inline void lode__sincos(lode_real x, lode_real *out_sin, lode_real *out_cos)
{
    sc_sincos(x, out_sin, out_cos);
}
static inline lode_real lode__atan2(lode_real y, lode_real x) { return sc_atan2(y, x); }
static inline lode_real lode__acos(lode_real x) { return sc_acos(x); }
/* clang-format on */

#endif
