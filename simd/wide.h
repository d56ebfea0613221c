/* wide.h: eight lanes of lode_real, the same on every instruction set.
 *
 * Text that includes this header is a kernel. It is compiled once per instruction set, with
 * exactly one of LODE_VARIANT_PLAIN, _SSE2, _AVX2, _AVX512, _NEON defined, and loops
 *
 *     for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH)
 *
 * over lane-interleaved data, loading &x[lane]. LODE_WIDTH is 8, and 1 in the plain variant: the
 * scalar twin of every wide kernel is its own text with one lane. With LODE_NARROW it is what one
 * register holds.
 *
 * Rules that keep the bits equal everywhere:
 *  1. A wide value is a struct of native registers with named members, never an array, never a
 *     register wider than the machine's. All functions are always_inline; a wide value never
 *     crosses a real call.
 *  2. Compile with -ffp-contract=off, never with -mfma, -march=native or -ffast-math: a product
 *     and a sum are two roundings.
 *  3. min(a,b) is a < b ? a : b and max(a,b) is a > b ? a : b. The order of operands is part of
 *     the interface: NaN in `a` is dropped, NaN in `b` is kept, of two zeros `b` is returned.
 *  4. No reciprocal estimates, no rounding by conversion to integer, no library mathematics
 *     beyond sqrt, floor and fabs. Elementary functions are those of simd/elementary.inl.
 *  5. Masks come from comparisons only. Comparisons with NaN are false.
 *  6. Reductions over lanes are done by the caller, in lane order, on stored values.
 *  7. Padded lanes point at line 0, which is finite; w_store_lines writes positive ones only.
 *
 * simd/scalar.h defines what each operation means. */
#ifndef LODE_SIMD_WIDE_H
#define LODE_SIMD_WIDE_H

#include "simd/variant.h"

#ifdef LODE_ONE_PAIR /* one lane, and vectors in registers: see simd/one.h */
#include "simd/native_plain.h"
#else
#include LODE__NATIVE
#endif

#ifdef LODE_TWO_BLOCKS /* see simd/wide_two.h */
#if LODE__PARTS == 1
#undef LODE__PARTS
#define LODE__PARTS 2
#else
#undef LODE__PARTS
#define LODE__PARTS 4
#endif
#endif

#ifdef LODE_NARROW /* for half of the lanes, where all eight take two registers */
#undef LODE__PARTS
#define LODE__PARTS 1
#endif

enum { LODE_WIDTH = N_LANES * LODE__PARTS };

/* clang-format off */
/* A wide real is its parts a, b, c, d in lane order; EACH maps an operation on registers over
 * them. */
#if LODE__PARTS == 1
typedef struct wreal { nreal a; } wreal;
typedef struct wmask { nmask a; } wmask;
#define LODE__EACH0(T, op) ((T){op()})
#define LODE__EACH1(T, op, x) ((T){op((x).a)})
#define LODE__EACH2(T, op, x, y) ((T){op((x).a, (y).a)})
#define LODE__EACH3(T, op, x, y, z) ((T){op((x).a, (y).a, (z).a)})
#elif LODE__PARTS == 2
typedef struct wreal { nreal a, b; } wreal;
typedef struct wmask { nmask a, b; } wmask;
#define LODE__EACH0(T, op) ((T){op(), op()})
#define LODE__EACH1(T, op, x) ((T){op((x).a), op((x).b)})
#define LODE__EACH2(T, op, x, y) ((T){op((x).a, (y).a), op((x).b, (y).b)})
#define LODE__EACH3(T, op, x, y, z) ((T){op((x).a, (y).a, (z).a), op((x).b, (y).b, (z).b)})
#else
typedef struct wreal { nreal a, b, c, d; } wreal;
typedef struct wmask { nmask a, b, c, d; } wmask;
#define LODE__EACH0(T, op) ((T){op(), op(), op(), op()})
#define LODE__EACH1(T, op, x) ((T){op((x).a), op((x).b), op((x).c), op((x).d)})
#define LODE__EACH2(T, op, x, y) \
    ((T){op((x).a, (y).a), op((x).b, (y).b), op((x).c, (y).c), op((x).d, (y).d)})
#define LODE__EACH3(T, op, x, y, z) \
    ((T){op((x).a, (y).a, (z).a), op((x).b, (y).b, (z).b), op((x).c, (y).c, (z).c), \
         op((x).d, (y).d, (z).d)})
#endif
/* clang-format on */

#ifndef LODE_TWO_BLOCKS

/* --- memory: LODE_WIDTH numbers at p, aligned to at least 32 bytes (plain: to one number) */

LODE__INLINE wreal w_load(const lode_real *p)
{
#if LODE__PARTS == 1
    return (wreal){n_load(p)};
#elif LODE__PARTS == 2
    return (wreal){n_load(p), n_load(p + N_LANES)};
#else
    return (wreal){n_load(p), n_load(p + N_LANES), n_load(p + 2 * N_LANES),
                   n_load(p + 3 * N_LANES)};
#endif
}

LODE__INLINE void w_store(lode_real *p, wreal x)
{
    n_store(p, x.a);
#if LODE__PARTS >= 2
    n_store(p + N_LANES, x.b);
#endif
#if LODE__PARTS == 4
    n_store(p + 2 * N_LANES, x.c);
    n_store(p + 3 * N_LANES, x.d);
#endif
}

/* LODE_WIDTH bytes, as numbers 0..255; they need no alignment */
LODE__INLINE wreal w_bytes(const uint8_t *p)
{
#if LODE__PARTS == 1
    return (wreal){n_bytes(p)};
#elif LODE__PARTS == 2
    return (wreal){n_bytes(p), n_bytes(p + N_LANES)};
#else
    return (wreal){n_bytes(p), n_bytes(p + N_LANES), n_bytes(p + 2 * N_LANES),
                   n_bytes(p + 3 * N_LANES)};
#endif
}

#endif

LODE__INLINE wreal w_splat(lode_real s)
{
    nreal n = n_splat(s);
#if LODE__PARTS == 1
    return (wreal){n};
#elif LODE__PARTS == 2
    return (wreal){n, n};
#else
    return (wreal){n, n, n, n};
#endif
}

/* clang-format off */
LODE__INLINE wreal w_zero(void) { return LODE__EACH0(wreal, n_zero); }

/* --- arithmetic */

LODE__INLINE wreal w_add(wreal x, wreal y) { return LODE__EACH2(wreal, n_add, x, y); }
LODE__INLINE wreal w_sub(wreal x, wreal y) { return LODE__EACH2(wreal, n_sub, x, y); }
LODE__INLINE wreal w_mul(wreal x, wreal y) { return LODE__EACH2(wreal, n_mul, x, y); }
LODE__INLINE wreal w_div(wreal x, wreal y) { return LODE__EACH2(wreal, n_div, x, y); }
LODE__INLINE wreal w_min(wreal x, wreal y) { return LODE__EACH2(wreal, n_min, x, y); }
LODE__INLINE wreal w_max(wreal x, wreal y) { return LODE__EACH2(wreal, n_max, x, y); }
LODE__INLINE wreal w_neg(wreal x) { return LODE__EACH1(wreal, n_neg, x); }
LODE__INLINE wreal w_abs(wreal x) { return LODE__EACH1(wreal, n_abs, x); }
LODE__INLINE wreal w_sqrt(wreal x) { return LODE__EACH1(wreal, n_sqrt, x); }
LODE__INLINE wreal w_floor(wreal x) { return LODE__EACH1(wreal, n_floor, x); }

/* whole numbers 0..2^22 as their bits: the first 32 of each lane in memory, for w_store_lines to
 * put beside others; nothing is to be computed with them */
#ifdef LODE_DOUBLE
LODE__INLINE wreal w_whole(wreal x) { return w_add(x, w_splat(4503599627370496)); } /* 2^52 */
#else
LODE__INLINE wreal w_whole(wreal x) { return LODE__EACH1(wreal, n_whole, x); }
#endif

/* x with its sign flipped where s has its sign bit set */
LODE__INLINE wreal w_flip(wreal x, wreal s) { return LODE__EACH2(wreal, n_flip, x, s); }

/* min(max(x, lo), hi): NaN becomes lo */
LODE__INLINE wreal w_clamp(wreal x, wreal lo, wreal hi) { return w_min(w_max(x, lo), hi); }

/* --- comparisons and masks */

LODE__INLINE wmask w_lt(wreal x, wreal y) { return LODE__EACH2(wmask, n_lt, x, y); }
LODE__INLINE wmask w_le(wreal x, wreal y) { return LODE__EACH2(wmask, n_le, x, y); }
LODE__INLINE wmask w_gt(wreal x, wreal y) { return LODE__EACH2(wmask, n_gt, x, y); }
LODE__INLINE wmask w_ge(wreal x, wreal y) { return LODE__EACH2(wmask, n_ge, x, y); }
LODE__INLINE wmask w_eq(wreal x, wreal y) { return LODE__EACH2(wmask, n_eq, x, y); }

LODE__INLINE wmask m_and(wmask x, wmask y) { return LODE__EACH2(wmask, nm_and, x, y); }
LODE__INLINE wmask m_or(wmask x, wmask y) { return LODE__EACH2(wmask, nm_or, x, y); }
LODE__INLINE wmask m_andnot(wmask x, wmask y) { return LODE__EACH2(wmask, nm_andnot, x, y); }
LODE__INLINE wmask m_not(wmask x) { return LODE__EACH1(wmask, nm_not, x); }
/* clang-format on */

/* Bit i is lane i. */
LODE__INLINE unsigned m_bits(wmask x)
{
    unsigned bits = nm_bits(x.a);
#if LODE__PARTS >= 2
    bits |= nm_bits(x.b) << N_LANES;
#endif
#if LODE__PARTS == 4
    bits |= nm_bits(x.c) << 2 * N_LANES | nm_bits(x.d) << 3 * N_LANES;
#endif
    return bits;
}

LODE__INLINE bool m_any(wmask x)
{
    return m_bits(x) != 0;
}
LODE__INLINE bool m_all(wmask x)
{
    return m_bits(x) == (1u << LODE_WIDTH) - 1;
}

/* m ? x : y, and m ? x : +0, lane by lane */
LODE__INLINE wreal w_select(wmask m, wreal x, wreal y)
{
    return LODE__EACH3(wreal, n_select, m, x, y);
}
/* m ? x : y, where y is +0 wherever m holds: the cheaper way to fill slots that are empty */
LODE__INLINE wreal w_merge(wmask m, wreal x, wreal y)
{
    return LODE__EACH3(wreal, n_merge, m, x, y);
}
LODE__INLINE wreal w_masked(wmask m, wreal x)
{
    return LODE__EACH2(wreal, n_masked, m, x);
}

/* x and y change places where m holds: cheaper than two selections */
LODE__INLINE void w_exchange(wmask m, wreal *x, wreal *y)
{
    n_exchange(m.a, &x->a, &y->a);
#if LODE__PARTS >= 2
    n_exchange(m.b, &x->b, &y->b);
#endif
#if LODE__PARTS == 4
    n_exchange(m.c, &x->c, &y->c);
    n_exchange(m.d, &x->d, &y->d);
#endif
}

/* --- sin, cos, sincos, atan2, acos */

#define LODE__REAL wreal
#define LODE__MASK wmask
#define LODE__W(name) w_##name
#define LODE__M(name) m_##name
#include "simd/coefficients.h"
#include "simd/elementary.inl"
#undef LODE__REAL
#undef LODE__MASK
#undef LODE__W
#undef LODE__M

#ifdef LODE_ONE_PAIR
#include "simd/one.h"
#include "simd/one_fours.h"
#else
#include "simd/wide_lines.h"
#include "simd/wide_math.h"
#ifdef LODE_TWO_BLOCKS
#include "simd/wide_two.h"
#else
#include "simd/wide_fours.h"
#endif
#endif

#endif
