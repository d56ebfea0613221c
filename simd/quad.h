/* quad.h: four doubles side by side, whatever lode_real is, for kernels of the direct solver. They
 * are the compilers' own vectors (GCC and Clang), which become one register or two: each operation
 * is done number by number, so the bits are the same everywhere. They cross no real call, so it
 * does not matter that how calls pass them depends on the instruction set. */
#ifndef LODE_SIMD_QUAD_H
#define LODE_SIMD_QUAD_H

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

#endif
