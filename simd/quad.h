/* quad.h: four doubles side by side, whatever lode_real is, for kernels of the direct solver. They
 * are the compilers' own vectors (GCC and Clang), which become one register or two: each operation
 * is done number by number, so the bits are the same everywhere. They cross no real call, so it
 * does not matter that how calls pass them depends on the instruction set. */
#ifndef LODE_SIMD_QUAD_H
#define LODE_SIMD_QUAD_H

#include <stdint.h>

#ifdef __AVX__
#include <simde/x86/avx.h>
#endif

#pragma GCC diagnostic ignored "-Wpsabi"

/* Any doubles at a multiple of its size may be looked at as a quad. */
typedef double lode__quad __attribute__((vector_size(32), may_alias));

enum { LODE__QUAD_LANES = 4 };

#define LODE__QUAD(x) ((lode__quad){(x), (x), (x), (x)})

__attribute__((always_inline)) static inline lode__quad lode__quad_load(const double *p)
{
    return *(const lode__quad *)(const void *)p;
}

__attribute__((always_inline)) static inline void lode__quad_store(double *p, lode__quad x)
{
    *(lode__quad *)(void *)p = x;
}

/* Four numbers as doubles; singles lie at a multiple of their size. */
typedef float lode__four_floats __attribute__((vector_size(16), may_alias));

__attribute__((always_inline)) static inline lode__quad lode__quad_of_floats(lode__four_floats x)
{
#ifdef __AVX__ /* gcc takes halves, by way of memory */
    return (lode__quad)simde_mm256_cvtps_pd((simde__m128)x);
#else
    return __builtin_convertvector(x, lode__quad);
#endif
}

/* What comparisons say: all bits of a number, or none. */
typedef int64_t lode__quad_mask __attribute__((vector_size(32)));

/* A bit for each of the four, the first one's lowest. */
__attribute__((always_inline)) static inline unsigned lode__quad_bits(lode__quad_mask mask)
{
#ifdef __AVX__
    return (unsigned)simde_mm256_movemask_pd((simde__m256d)mask);
#else
    mask &= (lode__quad_mask){1, 2, 4, 8};
    return (unsigned)(mask[0] | mask[1] | mask[2] | mask[3]);
#endif
}

#endif
