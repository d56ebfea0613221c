/* native_plain.h: the register of the plain variant is one number, see simd/scalar.h. */
#ifndef LODE_SIMD_NATIVE_H
#define LODE_SIMD_NATIVE_H

#include "simd/scalar.h"

typedef lode_real nreal;
typedef bool nmask;

enum { N_LANES = 1 };
#define LODE__PARTS 1

#define n_load sc_load
#define n_bytes sc_bytes
#define n_store sc_store
#define n_splat sc_splat
#define n_zero sc_zero
#define n_whole sc_whole
#define n_add sc_add
#define n_sub sc_sub
#define n_mul sc_mul
#define n_div sc_div
#define n_neg sc_neg
#define n_abs sc_abs
#define n_sqrt sc_sqrt
#define n_floor sc_floor
#define n_min sc_min
#define n_max sc_max
#define n_flip sc_flip
#define n_lt sc_lt
#define n_le sc_le
#define n_gt sc_gt
#define n_ge sc_ge
#define n_eq sc_eq
#define n_select sc_select
#define n_masked sc_masked
#define n_merge sc_select
#define n_exchange sc_exchange
#define nm_and scm_and
#define nm_or scm_or
#define nm_not scm_not
#define nm_andnot scm_andnot
#define nm_bits scm_bits

#endif
