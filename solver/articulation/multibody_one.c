/* multibody_one.c: the steps of the dynamics of one articulation by itself: the text of
 * multibody.inl with plain numbers, the twin of all kernels of eight. */
#define LODE_VARIANT_PLAIN
#include "solver/articulation/multibody.h"

#include "simd/wide_sym.h"

#define MB_ONE
#include "solver/articulation/multibody.inl"

#include "solver/articulation/census.inl"
#include "solver/articulation/integrate.inl"
#include "solver/articulation/settle.inl"

const lode__mb_kernels lode__mb_kernels_one = MB_KERNELS(mb_step, mb_note, mb_settle);
