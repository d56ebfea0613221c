/* wide_two.h: two blocks of eight lanes at a time; part of simd/wide.h with LODE_TWO_BLOCKS.
 *
 * What is done to a block is a chain of operations, each waiting for the one before, and longer
 * than a processor looks ahead: most of its time it waits. Two blocks that have nothing to do with
 * each other, operation by operation side by side, fill each other's gaps. A wide real has twice
 * the parts then, and the lanes of the two blocks are loaded from two places; each lane computes
 * what it does alone. */
#ifndef LODE_SIMD_WIDE_TWO_H
#define LODE_SIMD_WIDE_TWO_H

#include "simd/wide.h"

/* Eight numbers from p and from q each. */
LODE__INLINE wreal w_load_two(const lode_real *p, const lode_real *q)
{
#if LODE__PARTS == 2
    return (wreal){n_load(p), n_load(q)};
#else
    return (wreal){n_load(p), n_load(p + N_LANES), n_load(q), n_load(q + N_LANES)};
#endif
}

LODE__INLINE void w_store_two(lode_real *p, lode_real *q, wreal x)
{
#if LODE__PARTS == 2
    n_store(p, x.a);
    n_store(q, x.b);
#else
    n_store(p, x.a);
    n_store(p + N_LANES, x.b);
    n_store(q, x.c);
    n_store(q + N_LANES, x.d);
#endif
}

/* clang-format off */
#if LODE__PARTS == 2
#define LODE__TWO(x, y) {(x).a, (y).a}
#define LODE__FIRST(x) {(x).a}
#define LODE__SECOND(x) {(x).b}
#else
#define LODE__TWO(x, y) {(x).a, (x).b, (y).a, (y).b}
#define LODE__FIRST(x) {(x).a, (x).b}
#define LODE__SECOND(x) {(x).c, (x).d}
#endif
#define LODE__HALF(half, l) \
    {half((l).r0), half((l).r1), half((l).r2), half((l).r3), \
     half((l).r4), half((l).r5), half((l).r6), half((l).r7)}
/* clang-format on */

/* The lines of eight indices each, and back. */
LODE__INLINE wline w_load_lines_two(const lode_real *base, const int32_t *i, const int32_t *j)
{
    w8line x = w_load_lines(base, i), y = w_load_lines(base, j);
    return (wline){LODE__TWO(x.r0, y.r0), LODE__TWO(x.r1, y.r1), LODE__TWO(x.r2, y.r2),
                   LODE__TWO(x.r3, y.r3), LODE__TWO(x.r4, y.r4), LODE__TWO(x.r5, y.r5),
                   LODE__TWO(x.r6, y.r6), LODE__TWO(x.r7, y.r7)};
}

LODE__INLINE void w_store_sixes_two(lode_real *base, const int32_t *i, const int32_t *j, wline l)
{
    w_store_sixes(base, i, (w8line)LODE__HALF(LODE__FIRST, l));
    w_store_sixes(base, j, (w8line)LODE__HALF(LODE__SECOND, l));
}

#endif
