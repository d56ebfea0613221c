/* wide_sixteen.h: what sixteen bytes say, as wide as the machine's registers are; part of the
 * kernels that ask them.
 *
 *     for (int lane = 0; lane < 16; lane += LODE_XWIDTH)
 *
 * An xreal is a wreal, but where a register holds sixteen numbers it is one of these: AVX-512 in
 * single precision. Its operations are those of simd/wide.h, to the bit; what is stored to is
 * aligned as there, bytes need not be. */
#ifndef LODE_SIMD_WIDE_SIXTEEN_H
#define LODE_SIMD_WIDE_SIXTEEN_H

#include "simd/wide.h"

/* clang-format off */
#if defined(LODE_VARIANT_AVX512) && !defined(LODE_DOUBLE)

enum { LODE_XWIDTH = 16 };
typedef struct xreal { simde__m512 a; } xreal;
typedef struct xmask { simde__mmask16 a; } xmask;

/* SIMDe has no names for these two conversions, and no other machine comes here. */
LODE__INLINE xreal x_bytes(const uint8_t *p)
{
    simde__m128i bytes = simde_mm_loadu_si128((const simde__m128i *)(const void *)p);
    return (xreal){_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes))};
}
LODE__INLINE void x_store(lode_real *p, xreal x) { simde_mm512_storeu_ps(p, x.a); }
LODE__INLINE xreal x_splat(lode_real s) { return (xreal){simde_mm512_set1_ps(s)}; }
LODE__INLINE xreal x_add(xreal x, xreal y) { return (xreal){simde_mm512_add_ps(x.a, y.a)}; }
LODE__INLINE xreal x_sub(xreal x, xreal y) { return (xreal){simde_mm512_sub_ps(x.a, y.a)}; }
LODE__INLINE xreal x_mul(xreal x, xreal y) { return (xreal){simde_mm512_mul_ps(x.a, y.a)}; }
LODE__INLINE xreal x_min(xreal x, xreal y) { return (xreal){simde_mm512_min_ps(x.a, y.a)}; }
LODE__INLINE xreal x_max(xreal x, xreal y) { return (xreal){simde_mm512_max_ps(x.a, y.a)}; }
LODE__INLINE xmask x_le(xreal x, xreal y)
{
    return (xmask){simde_mm512_cmp_ps_mask(x.a, y.a, SIMDE_CMP_LE_OQ)};
}
LODE__INLINE xmask xm_and(xmask x, xmask y) { return (xmask){(simde__mmask16)(x.a & y.a)}; }
LODE__INLINE unsigned xm_bits(xmask x) { return x.a; }

#else

enum { LODE_XWIDTH = LODE_WIDTH };
typedef wreal xreal;
typedef wmask xmask;

LODE__INLINE xreal x_bytes(const uint8_t *p) { return w_bytes(p); }
LODE__INLINE void x_store(lode_real *p, xreal x) { w_store(p, x); }
LODE__INLINE xreal x_splat(lode_real s) { return w_splat(s); }
LODE__INLINE xreal x_add(xreal x, xreal y) { return w_add(x, y); }
LODE__INLINE xreal x_sub(xreal x, xreal y) { return w_sub(x, y); }
LODE__INLINE xreal x_mul(xreal x, xreal y) { return w_mul(x, y); }
LODE__INLINE xreal x_min(xreal x, xreal y) { return w_min(x, y); }
LODE__INLINE xreal x_max(xreal x, xreal y) { return w_max(x, y); }
LODE__INLINE xmask x_le(xreal x, xreal y) { return w_le(x, y); }
LODE__INLINE xmask xm_and(xmask x, xmask y) { return m_and(x, y); }
LODE__INLINE unsigned xm_bits(xmask x) { return m_bits(x); }

#endif
/* clang-format on */

#endif
