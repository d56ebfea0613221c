/* multibody_lanes.c: the steps of the dynamics of eight articulations alike (multibody.inl). This
 * file is compiled once per instruction set. */
#include "solver/articulation/multibody.h"

#include "simd/wide_sym.h"

#include "solver/articulation/multibody.inl"

#include "solver/articulation/census.inl"
#include "solver/articulation/integrate.inl"
#include "solver/articulation/settle.inl"

extern const lode__mb_kernels LODE_KERNEL(lode__mb_kernels);

const lode__mb_kernels LODE_KERNEL(lode__mb_kernels) = MB_KERNELS(mb_step, mb_note, mb_settle);
