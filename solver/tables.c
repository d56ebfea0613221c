/* tables.c: the kernel tables that this build has, by instruction set. */
#include "solver/kernels.h"

#define DECLARE(set) extern const lode__solver_kernels lode__solver_kernels_##set;
DECLARE(sse2)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(neon)

static const lode__solver_kernels *const tables[LODE_SIMD_COUNT] = {
    [LODE_SIMD_PLAIN] = &lode__solver_kernels_plain,
#if LODE_HAVE_SSE2
    [LODE_SIMD_SSE2] = &lode__solver_kernels_sse2,
#endif
#if LODE_HAVE_AVX2
    [LODE_SIMD_AVX2] = &lode__solver_kernels_avx2,
#endif
#if LODE_HAVE_AVX512
    [LODE_SIMD_AVX512] = &lode__solver_kernels_avx512,
#endif
#if LODE_HAVE_NEON
    [LODE_SIMD_NEON] = &lode__solver_kernels_neon,
#endif
};

const lode__solver_kernels *lode__solver_kernels_for(lode_simd simd)
{
    return (unsigned)simd < LODE_SIMD_COUNT ? tables[simd] : NULL;
}
