/* variant.h: which instruction set this text is compiled for. Part of simd/wide.h; by itself for
 * kernels that only some instruction sets have. */
#ifndef LODE_SIMD_VARIANT_H
#define LODE_SIMD_VARIANT_H

#if defined(LODE_VARIANT_PLAIN)
#define LODE_KERNEL(name) name##_plain
#define LODE__NATIVE "simd/native_plain.h"
#elif defined(LODE_VARIANT_SSE2)
#define LODE_KERNEL(name) name##_sse2
#define LODE__NATIVE "simd/native_128.h"
#elif defined(LODE_VARIANT_NEON)
#define LODE_KERNEL(name) name##_neon
#define LODE__NATIVE "simd/native_128.h"
#elif defined(LODE_VARIANT_AVX2)
#define LODE_KERNEL(name) name##_avx2
#define LODE__NATIVE "simd/native_256.h"
#elif defined(LODE_VARIANT_AVX512)
#define LODE_KERNEL(name) name##_avx512
#define LODE__NATIVE "simd/native_512.h"
#else
#error "define one of LODE_VARIANT_PLAIN, _SSE2, _AVX2, _AVX512, _NEON"
#endif

/* Can two blocks of eight lanes be taken at a time (LODE_TWO_BLOCKS)? Where eight lanes fill more
 * than one of 16 registers, what two blocks wait less they lose by keeping numbers in memory:
 * docs/benchmarks.md. NEON has 32. */
#if defined(LODE_VARIANT_PLAIN) || defined(LODE_VARIANT_SSE2) || \
    (defined(LODE_DOUBLE) && (defined(LODE_VARIANT_AVX2) || defined(LODE_VARIANT_NEON)))
#define LODE_FITS_TWO_BLOCKS 0
#else
#define LODE_FITS_TWO_BLOCKS 1
#endif

/* Is half a block done in less time than a whole one (LODE_NARROW)? */
#if defined(LODE_VARIANT_AVX2) && defined(LODE_DOUBLE)
#define LODE_HAS_HALVES 1
#else
#define LODE_HAS_HALVES 0
#endif

#endif
