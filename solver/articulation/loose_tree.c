/* loose_tree.c: what a step does with one loose limb, with vectors that fill a register; as
 * solver/articulation/multibody_tree.c. This file is compiled once per instruction set. */
#include "solver/articulation/loose.h"

#if !defined(LODE_VARIANT_PLAIN) && !defined(LODE_DOUBLE)
#define LODE_ONE_PAIR 1
#endif

#include "simd/wide_sym.h"

extern const lode__loose_kernels *const LODE_KERNEL(lode__loose_kernels);

#ifdef LODE_ONE_PAIR

#define MB_ONE
#include "solver/articulation/loose.inl"

static const lode__loose_kernels kernels = LOOSE_KERNELS;
const lode__loose_kernels *const LODE_KERNEL(lode__loose_kernels) = &kernels;

#else

const lode__loose_kernels *const LODE_KERNEL(lode__loose_kernels) = NULL;

#endif
