/* scalar.h: what each operation of simd/wide.h means, in plain C on one number.
 *
 * This is the definition the wide registers are held to. Where C leaves a choice, it is made here:
 * min and max return their second operand when the first does not compare (so a NaN in `a` is
 * dropped, a NaN in `b` is kept, and of two zeros the second is returned), abs and neg touch the
 * sign bit only, comparisons with NaN are false. NaN bits are not part of the promise, that a
 * result is NaN is. */
#ifndef LODE_SIMD_SCALAR_H
#define LODE_SIMD_SCALAR_H

#include "lode/types.h"

#include <string.h>

#define LODE__INLINE static inline __attribute__((always_inline, unused))

/* A function of which the compiler shall make neither copies for constant arguments nor inline
 * code. */
#if defined(__clang__)
#define LODE__ONE_COPY static __attribute__((noinline))
#else
#define LODE__ONE_COPY static __attribute__((noinline, noclone))
#endif

#ifdef LODE_DOUBLE
#define LODE__C_MATH(name) __builtin_##name
#else
#define LODE__C_MATH(name) __builtin_##name##f
#endif

/* clang-format off */
LODE__INLINE lode_real sc_splat(lode_real a) { return a; }
LODE__INLINE lode_real sc_zero(void) { return 0; }
LODE__INLINE lode_real sc_load(const lode_real *p) { return *p; }
LODE__INLINE lode_real sc_bytes(const uint8_t *p) { return (lode_real)*p; }
LODE__INLINE void sc_store(lode_real *p, lode_real a) { *p = a; }

LODE__INLINE lode_real sc_whole(lode_real a)
{
    lode_real bits = 0;
    uint32_t whole = (uint32_t)a;
    memcpy(&bits, &whole, sizeof whole);
    return bits;
}

LODE__INLINE lode_real sc_add(lode_real a, lode_real b) { return a + b; }
LODE__INLINE lode_real sc_sub(lode_real a, lode_real b) { return a - b; }
LODE__INLINE lode_real sc_mul(lode_real a, lode_real b) { return a * b; }
LODE__INLINE lode_real sc_div(lode_real a, lode_real b) { return a / b; }
LODE__INLINE lode_real sc_neg(lode_real a) { return -a; }
LODE__INLINE lode_real sc_abs(lode_real a) { return LODE__C_MATH(fabs)(a); }
LODE__INLINE lode_real sc_sqrt(lode_real a) { return LODE__C_MATH(sqrt)(a); }
LODE__INLINE lode_real sc_floor(lode_real a) { return LODE__C_MATH(floor)(a); }
LODE__INLINE lode_real sc_min(lode_real a, lode_real b) { return a < b ? a : b; }
LODE__INLINE lode_real sc_max(lode_real a, lode_real b) { return a > b ? a : b; }

/* a with its sign flipped where s has its sign bit set */
LODE__INLINE lode_real sc_flip(lode_real a, lode_real s)
{
    return LODE__C_MATH(copysign)(1, s) < 0 ? -a : a;
}

LODE__INLINE bool sc_lt(lode_real a, lode_real b) { return a < b; }
LODE__INLINE bool sc_le(lode_real a, lode_real b) { return a <= b; }
LODE__INLINE bool sc_gt(lode_real a, lode_real b) { return a > b; }
LODE__INLINE bool sc_ge(lode_real a, lode_real b) { return a >= b; }
LODE__INLINE bool sc_eq(lode_real a, lode_real b) { return a == b; }

LODE__INLINE bool scm_and(bool a, bool b) { return a & b; }
LODE__INLINE bool scm_or(bool a, bool b) { return a | b; }
LODE__INLINE bool scm_not(bool a) { return !a; }
LODE__INLINE bool scm_andnot(bool a, bool b) { return a & !b; }
LODE__INLINE unsigned scm_bits(bool a) { return a; }

LODE__INLINE lode_real sc_select(bool m, lode_real a, lode_real b) { return m ? a : b; }
LODE__INLINE lode_real sc_masked(bool m, lode_real a) { return m ? a : 0; }
LODE__INLINE void sc_exchange(bool m, lode_real *a, lode_real *b)
{
    lode_real kept = *a;
    *a = m ? *b : *a;
    *b = m ? kept : *b;
}
/* clang-format on */

#endif
