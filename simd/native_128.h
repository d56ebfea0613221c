/* native_128.h: 128-bit registers, SSE2 and (through SIMDe) NEON on aarch64.
 *
 * SSE2 has neither blend nor floor: a blend is and/andnot/or on a comparison's mask, floor rounds
 * |a| to nearest by adding and taking away 2^(mantissa bits), gives the sign back and steps down by
 * one where that went up; numbers without a fraction pass through, and so does NaN. NEON's own min
 * and max treat NaN and signed zero in their own way, so there they are compare and blend. */
#ifndef LODE_SIMD_NATIVE_H
#define LODE_SIMD_NATIVE_H

#include "simd/scalar.h"
#include <simde/x86/sse2.h>

#ifdef LODE_DOUBLE
typedef simde__m128d nreal;
enum { N_LANES = 2 };
#define LODE__PARTS 4
#define N(op) simde_mm_##op##_pd
#define N_WHOLE 4503599627370496.0 /* 2^52 */
#else
typedef simde__m128 nreal;
enum { N_LANES = 4 };
#define LODE__PARTS 2
#define N(op) simde_mm_##op##_ps
#define N_WHOLE 8388608.0f /* 2^23 */
#endif
typedef nreal nmask;

/* clang-format off */
LODE__INLINE nreal n_load(const lode_real *p) { return N(load)(p); }
LODE__INLINE nreal n_load_any(const lode_real *p) { return N(loadu)(p); } /* not aligned */
LODE__INLINE nreal n_bytes(const uint8_t *p)
{
    simde__m128i zero = simde_mm_setzero_si128(), wide;
    int32_t some = 0;
    memcpy(&some, p, N_LANES);
    wide = simde_mm_unpacklo_epi8(simde_mm_cvtsi32_si128(some), zero);
    return N(cvtepi32)(simde_mm_unpacklo_epi16(wide, zero));
}
LODE__INLINE void n_store(lode_real *p, nreal a) { N(store)(p, a); }
LODE__INLINE void n_store_any(lode_real *p, nreal a) { N(storeu)(p, a); }
LODE__INLINE nreal n_splat(lode_real s) { return N(set1)(s); }
LODE__INLINE nreal n_zero(void) { return N(setzero)(); }
#ifndef LODE_DOUBLE
LODE__INLINE nreal n_whole(nreal a) { return simde_mm_castsi128_ps(simde_mm_cvttps_epi32(a)); }
#endif

LODE__INLINE nreal n_add(nreal a, nreal b) { return N(add)(a, b); }
LODE__INLINE nreal n_sub(nreal a, nreal b) { return N(sub)(a, b); }
LODE__INLINE nreal n_mul(nreal a, nreal b) { return N(mul)(a, b); }
LODE__INLINE nreal n_div(nreal a, nreal b) { return N(div)(a, b); }
LODE__INLINE nreal n_sqrt(nreal a) { return N(sqrt)(a); }
LODE__INLINE nreal n_neg(nreal a) { return N(xor)(a, n_splat((lode_real)-0.0)); }
LODE__INLINE nreal n_abs(nreal a) { return N(andnot)(n_splat((lode_real)-0.0), a); }

LODE__INLINE nmask n_lt(nreal a, nreal b) { return N(cmplt)(a, b); }
LODE__INLINE nmask n_le(nreal a, nreal b) { return N(cmple)(a, b); }
LODE__INLINE nmask n_gt(nreal a, nreal b) { return N(cmplt)(b, a); }
LODE__INLINE nmask n_ge(nreal a, nreal b) { return N(cmple)(b, a); }
LODE__INLINE nmask n_eq(nreal a, nreal b) { return N(cmpeq)(a, b); }

LODE__INLINE nmask nm_and(nmask a, nmask b) { return N(and)(a, b); }
LODE__INLINE nmask nm_or(nmask a, nmask b) { return N(or)(a, b); }
LODE__INLINE nmask nm_andnot(nmask a, nmask b) { return N(andnot)(b, a); }
LODE__INLINE nmask nm_not(nmask a) { return N(xor)(a, n_eq(n_zero(), n_zero())); }
LODE__INLINE unsigned nm_bits(nmask a) { return (unsigned)N(movemask)(a); }

LODE__INLINE nreal n_masked(nmask m, nreal a) { return N(and)(m, a); }
LODE__INLINE nreal n_merge(nmask m, nreal a, nreal b) { return N(or)(N(and)(m, a), b); }
LODE__INLINE nreal n_select(nmask m, nreal a, nreal b)
{
    return N(or)(N(and)(m, a), N(andnot)(m, b));
}
LODE__INLINE void n_exchange(nmask m, nreal *a, nreal *b)
{
    nreal differ = N(and)(N(xor)(*a, *b), m);
    *a = N(xor)(*a, differ);
    *b = N(xor)(*b, differ);
}

#ifdef LODE_VARIANT_NEON
LODE__INLINE nreal n_min(nreal a, nreal b) { return n_select(n_lt(a, b), a, b); }
LODE__INLINE nreal n_max(nreal a, nreal b) { return n_select(n_gt(a, b), a, b); }
#else
LODE__INLINE nreal n_min(nreal a, nreal b) { return N(min)(a, b); }
LODE__INLINE nreal n_max(nreal a, nreal b) { return N(max)(a, b); }
#endif

LODE__INLINE nreal n_flip(nreal a, nreal s)
{
    return N(xor)(a, N(and)(s, n_splat((lode_real)-0.0)));
}

LODE__INLINE nreal n_floor(nreal a)
{
    nreal size = n_abs(a), whole = n_splat(N_WHOLE);
    nreal near = n_flip(n_sub(n_add(size, whole), whole), a);
    nreal down = n_sub(near, n_masked(n_gt(near, a), n_splat(1)));
    return n_select(n_lt(size, whole), down, a);
}
/* clang-format on */

#endif
