/* multibody_tree.c: the steps of the dynamics of one articulation by itself, with vectors that fill
 * a register (simd/one.h): what it costs is instructions. In double precision, whose vectors take
 * two registers, plain numbers serve everywhere: there is no table then. Its step is theirs,
 * and what puts speeds right.
 * This file is compiled once per instruction set. */
#include "solver/articulation/multibody.h"

#if !defined(LODE_VARIANT_PLAIN) && !defined(LODE_DOUBLE)
#define LODE_ONE_PAIR 1
#endif

#include "simd/wide_sym.h"

extern const lode__mb_kernels *const LODE_KERNEL(lode__mb_tree_kernels);

#ifdef LODE_ONE_PAIR

#define MB_ONE
#include "solver/articulation/multibody.inl"

static const lode__mb_kernels kernels = MB_KERNELS(NULL, NULL, NULL);
const lode__mb_kernels *const LODE_KERNEL(lode__mb_tree_kernels) = &kernels;

#else

const lode__mb_kernels *const LODE_KERNEL(lode__mb_tree_kernels) = NULL;

#endif
