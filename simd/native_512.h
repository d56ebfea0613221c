/* native_512.h: AVX-512, eight lanes in one register: of 512 bits in double precision, of 256 in
 * single. Masks are eight bits in a mask register. */
#ifndef LODE_SIMD_NATIVE_H
#define LODE_SIMD_NATIVE_H

#include "simd/scalar.h"
#include <simde/x86/avx512.h>

#ifdef LODE_DOUBLE
typedef simde__m512d nreal;
#define N(op) simde_mm512_##op##_pd
#define N_COMPARE(a, b, how) simde_mm512_cmp_pd_mask(a, b, SIMDE_CMP_##how##_OQ)
#else
typedef simde__m256 nreal;
#define N(op) simde_mm256_##op##_ps
#define N_COMPARE(a, b, how) simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_##how##_OQ)
#endif
typedef simde__mmask8 nmask;

enum { N_LANES = 8 };
#define LODE__PARTS 1

/* clang-format off */
LODE__INLINE nreal n_load(const lode_real *p) { return N(loadu)(p); }
LODE__INLINE nreal n_bytes(const uint8_t *p)
{
    simde__m128i eight = simde_mm_loadl_epi64((const simde__m128i *)(const void *)p);
#ifdef LODE_DOUBLE
    simde__m256d low = simde_mm256_cvtepi32_pd(simde_mm_cvtepu8_epi32(eight));
    simde__m256d high = simde_mm256_cvtepi32_pd(
        simde_mm_cvtepu8_epi32(simde_mm_srli_si128(eight, 4)));
    return simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(low), high, 1);
#else
    return simde_mm256_cvtepi32_ps(simde_mm256_cvtepu8_epi32(eight));
#endif
}
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
LODE__INLINE nreal n_min(nreal a, nreal b) { return N(min)(a, b); }
LODE__INLINE nreal n_max(nreal a, nreal b) { return N(max)(a, b); }
LODE__INLINE nreal n_neg(nreal a) { return N(xor)(a, n_splat((lode_real)-0.0)); }
LODE__INLINE nreal n_abs(nreal a) { return N(andnot)(n_splat((lode_real)-0.0), a); }
LODE__INLINE nreal n_flip(nreal a, nreal s)
{
    return N(xor)(a, N(and)(s, n_splat((lode_real)-0.0)));
}
/* 9: towards minus infinity, to a whole number, without raising flags */
LODE__INLINE nreal n_floor(nreal a) { return N(roundscale)(a, 9); }

LODE__INLINE nmask n_lt(nreal a, nreal b) { return N_COMPARE(a, b, LT); }
LODE__INLINE nmask n_le(nreal a, nreal b) { return N_COMPARE(a, b, LE); }
LODE__INLINE nmask n_gt(nreal a, nreal b) { return N_COMPARE(b, a, LT); }
LODE__INLINE nmask n_ge(nreal a, nreal b) { return N_COMPARE(b, a, LE); }
LODE__INLINE nmask n_eq(nreal a, nreal b) { return N_COMPARE(a, b, EQ); }

LODE__INLINE nmask nm_and(nmask a, nmask b) { return (nmask)(a & b); }
LODE__INLINE nmask nm_or(nmask a, nmask b) { return (nmask)(a | b); }
LODE__INLINE nmask nm_andnot(nmask a, nmask b) { return (nmask)(a & ~b); }
LODE__INLINE nmask nm_not(nmask a) { return (nmask)~a; }
LODE__INLINE unsigned nm_bits(nmask a) { return a; }

LODE__INLINE nreal n_masked(nmask m, nreal a) { return N(maskz_mov)(m, a); }
LODE__INLINE nreal n_merge(nmask m, nreal a, nreal b) { return N(mask_blend)(m, b, a); }
LODE__INLINE nreal n_select(nmask m, nreal a, nreal b) { return N(mask_blend)(m, b, a); }
LODE__INLINE void n_exchange(nmask m, nreal *a, nreal *b)
{
    nreal kept = *a;
    *a = n_select(m, *b, *a);
    *b = n_select(m, kept, *b);
}
/* clang-format on */

#endif
