/* native_512.h: the 512-bit registers of AVX-512, eight doubles. Masks are eight bits in a mask
 * register. Single precision stays with native_256.h. */
#ifndef LODE_SIMD_NATIVE_H
#define LODE_SIMD_NATIVE_H

#ifndef LODE_DOUBLE
#error "AVX-512 is for double precision"
#endif

#include "simd/scalar.h"
#include <simde/x86/avx512.h>

typedef simde__m512d nreal;
typedef simde__mmask8 nmask;

enum { N_LANES = 8 };
#define LODE__PARTS 1

/* clang-format off */
LODE__INLINE nreal n_load(const double *p) { return simde_mm512_loadu_pd(p); }
LODE__INLINE nreal n_bytes(const uint8_t *p)
{
    simde__m128i eight = simde_mm_loadl_epi64((const simde__m128i *)(const void *)p);
    simde__m256d low = simde_mm256_cvtepi32_pd(simde_mm_cvtepu8_epi32(eight));
    simde__m256d high = simde_mm256_cvtepi32_pd(
        simde_mm_cvtepu8_epi32(simde_mm_srli_si128(eight, 4)));
    return simde_mm512_insertf64x4(simde_mm512_castpd256_pd512(low), high, 1);
}
LODE__INLINE void n_store(double *p, nreal a) { simde_mm512_storeu_pd(p, a); }
LODE__INLINE nreal n_splat(double s) { return simde_mm512_set1_pd(s); }
LODE__INLINE nreal n_zero(void) { return simde_mm512_setzero_pd(); }

LODE__INLINE nreal n_add(nreal a, nreal b) { return simde_mm512_add_pd(a, b); }
LODE__INLINE nreal n_sub(nreal a, nreal b) { return simde_mm512_sub_pd(a, b); }
LODE__INLINE nreal n_mul(nreal a, nreal b) { return simde_mm512_mul_pd(a, b); }
LODE__INLINE nreal n_div(nreal a, nreal b) { return simde_mm512_div_pd(a, b); }
LODE__INLINE nreal n_sqrt(nreal a) { return simde_mm512_sqrt_pd(a); }
LODE__INLINE nreal n_min(nreal a, nreal b) { return simde_mm512_min_pd(a, b); }
LODE__INLINE nreal n_max(nreal a, nreal b) { return simde_mm512_max_pd(a, b); }
LODE__INLINE nreal n_neg(nreal a) { return simde_mm512_xor_pd(a, n_splat(-0.0)); }
LODE__INLINE nreal n_abs(nreal a) { return simde_mm512_andnot_pd(n_splat(-0.0), a); }
LODE__INLINE nreal n_flip(nreal a, nreal s)
{
    return simde_mm512_xor_pd(a, simde_mm512_and_pd(s, n_splat(-0.0)));
}
/* 9: towards minus infinity, to a whole number, without raising flags */
LODE__INLINE nreal n_floor(nreal a) { return simde_mm512_roundscale_pd(a, 9); }

#define N_COMPARE(a, b, how) simde_mm512_cmp_pd_mask(a, b, SIMDE_CMP_##how##_OQ)
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

LODE__INLINE nreal n_masked(nmask m, nreal a) { return simde_mm512_maskz_mov_pd(m, a); }
LODE__INLINE nreal n_merge(nmask m, nreal a, nreal b) { return simde_mm512_mask_blend_pd(m, b, a); }
LODE__INLINE nreal n_select(nmask m, nreal a, nreal b)
{
    return simde_mm512_mask_blend_pd(m, b, a);
}
LODE__INLINE void n_exchange(nmask m, nreal *a, nreal *b)
{
    nreal kept = *a;
    *a = n_select(m, *b, *a);
    *b = n_select(m, kept, *b);
}
/* clang-format on */

#endif
