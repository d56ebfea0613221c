/* loose_one.c: what a step does with one loose limb, the text of loose.inl with plain numbers: the
 * twin of solver/articulation/loose_tree.c. */
#define LODE_VARIANT_PLAIN
#include "solver/articulation/loose.h"

#include "simd/wide_sym.h"

#define MB_ONE
#include "solver/articulation/loose.inl"

const lode__loose_kernels lode__loose_kernels_one = LOOSE_KERNELS;
