/* kernels_for.c: which tables of kernels this build has. */
#include "collide/kernels.h"

const lode__collide_kernels *lode__collide_kernels_for(lode_simd simd)
{
    switch (simd) {
    case LODE_SIMD_PLAIN:
        return &lode__collide_kernels_plain;
#ifdef LODE_HAVE_SSE2
    case LODE_SIMD_SSE2:
        return &lode__collide_kernels_sse2;
#endif
#ifdef LODE_HAVE_AVX2
    case LODE_SIMD_AVX2:
        return &lode__collide_kernels_avx2;
#endif
#ifdef LODE_HAVE_AVX512
    case LODE_SIMD_AVX512:
        return &lode__collide_kernels_avx512;
#endif
#ifdef LODE_HAVE_NEON
    case LODE_SIMD_NEON:
        return &lode__collide_kernels_neon;
#endif
    default:
        return NULL;
    }
}
