/* native_256.h: the 256-bit registers of AVX2. */
#ifndef LODE_SIMD_NATIVE_H
#define LODE_SIMD_NATIVE_H

#include "simd/scalar.h"
#include <simde/x86/avx2.h>

#ifdef LODE_DOUBLE
typedef simde__m256d nreal;
enum { N_LANES = 4 };
#define LODE__PARTS 2
#define N(op) simde_mm256_##op##_pd
#else
typedef simde__m256 nreal;
enum { N_LANES = 8 };
#define LODE__PARTS 1
#define N(op) simde_mm256_##op##_ps
#endif
typedef nreal nmask;

/* clang-format off */
LODE__INLINE nreal n_load(const lode_real *p) { return N(loadu)(p); }
#ifdef LODE_DOUBLE
LODE__INLINE nreal n_bytes(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return simde_mm256_cvtepi32_pd(simde_mm_cvtepu8_epi32(simde_mm_cvtsi32_si128(four)));
}
#else
LODE__INLINE nreal n_bytes(const uint8_t *p)
{
    simde__m128i eight = simde_mm_loadl_epi64((const simde__m128i *)(const void *)p);
    return simde_mm256_cvtepi32_ps(simde_mm256_cvtepu8_epi32(eight));
}
#endif
LODE__INLINE void n_store(lode_real *p, nreal a) { N(storeu)(p, a); }
LODE__INLINE nreal n_splat(lode_real s) { return N(set1)(s); }
LODE__INLINE nreal n_zero(void) { return N(setzero)(); }
#ifndef LODE_DOUBLE
LODE__INLINE nreal n_whole(nreal a)
{
    return simde_mm256_castsi256_ps(simde_mm256_cvttps_epi32(a));
}
#endif

LODE__INLINE nreal n_add(nreal a, nreal b) { return N(add)(a, b); }
LODE__INLINE nreal n_sub(nreal a, nreal b) { return N(sub)(a, b); }
LODE__INLINE nreal n_mul(nreal a, nreal b) { return N(mul)(a, b); }
LODE__INLINE nreal n_div(nreal a, nreal b) { return N(div)(a, b); }
LODE__INLINE nreal n_sqrt(nreal a) { return N(sqrt)(a); }
LODE__INLINE nreal n_floor(nreal a) { return N(floor)(a); }
LODE__INLINE nreal n_min(nreal a, nreal b) { return N(min)(a, b); }
LODE__INLINE nreal n_max(nreal a, nreal b) { return N(max)(a, b); }
LODE__INLINE nreal n_neg(nreal a) { return N(xor)(a, n_splat((lode_real)-0.0)); }
LODE__INLINE nreal n_abs(nreal a) { return N(andnot)(n_splat((lode_real)-0.0), a); }
LODE__INLINE nreal n_flip(nreal a, nreal s)
{
    return N(xor)(a, N(and)(s, n_splat((lode_real)-0.0)));
}

LODE__INLINE nmask n_lt(nreal a, nreal b) { return N(cmp)(a, b, SIMDE_CMP_LT_OQ); }
LODE__INLINE nmask n_le(nreal a, nreal b) { return N(cmp)(a, b, SIMDE_CMP_LE_OQ); }
LODE__INLINE nmask n_gt(nreal a, nreal b) { return N(cmp)(b, a, SIMDE_CMP_LT_OQ); }
LODE__INLINE nmask n_ge(nreal a, nreal b) { return N(cmp)(b, a, SIMDE_CMP_LE_OQ); }
LODE__INLINE nmask n_eq(nreal a, nreal b) { return N(cmp)(a, b, SIMDE_CMP_EQ_OQ); }

LODE__INLINE nmask nm_and(nmask a, nmask b) { return N(and)(a, b); }
LODE__INLINE nmask nm_or(nmask a, nmask b) { return N(or)(a, b); }
LODE__INLINE nmask nm_andnot(nmask a, nmask b) { return N(andnot)(b, a); }
LODE__INLINE nmask nm_not(nmask a) { return N(xor)(a, n_eq(n_zero(), n_zero())); }
LODE__INLINE unsigned nm_bits(nmask a) { return (unsigned)N(movemask)(a); }

LODE__INLINE nreal n_masked(nmask m, nreal a) { return N(and)(m, a); }
LODE__INLINE nreal n_merge(nmask m, nreal a, nreal b) { return N(or)(N(and)(m, a), b); }
LODE__INLINE nreal n_select(nmask m, nreal a, nreal b) { return N(blendv)(b, a, m); }
LODE__INLINE void n_exchange(nmask m, nreal *a, nreal *b)
{
    nreal differ = N(and)(N(xor)(*a, *b), m);
    *a = N(xor)(*a, differ);
    *b = N(xor)(*b, differ);
}
/* clang-format on */

#endif
