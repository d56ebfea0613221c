/* kernels_half.c: the kernels over blocks for those of which only the first half of the lanes is
 * used: the text of those for whole ones. This file is compiled once per LODE_VARIANT and exports
 * one table, or nothing where half a block takes as long as a whole one. */
#include "solver/kernels.h"

#include "simd/variant.h"

#if LODE_HAS_HALVES
#define LODE_NARROW 1

#include "simd/wide.h"

/* clang-format off */
#include "solver/lanes.inl"
#include "solver/shared.inl"
#include "solver/contact_frame.inl"
#include "solver/contact_friction.inl"
#include "solver/contact_solve.inl"
#include "solver/contact_prepare.inl"
#include "solver/contact_after.inl"
#include "solver/contact_special.inl"
#include "solver/contact_part.inl"
#include "solver/row_solve.inl"
#include "solver/row_refresh.inl"
#include "solver/row_prepare.inl"
#include "solver/block_loop.inl"
#include "solver/contact_kinds.inl"
#include "solver/special_kinds.inl"
#include "solver/row_kinds.inl"
/* clang-format on */

extern const lode__block_kernels LODE_KERNEL(lode__half_kernels)[LODE__KIND_COUNT];

const lode__block_kernels LODE_KERNEL(lode__half_kernels)[LODE__KIND_COUNT] = {
#include "solver/kinds.inl"
};

#endif
