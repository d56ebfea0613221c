/* probe.h: every operation of simd/wide.h, callable on eight lanes of each instruction set, and of
 * simd/wide_sixteen.h.
 *
 * probe.c is compiled once per set, like a kernel, and exports one table. Results come in rows,
 * one per operation, so that a test can compare two sets row by row and name the operation; a row
 * is eight lanes. */
#ifndef LODE_TESTS_PROBE_H
#define LODE_TESTS_PROBE_H

#include "lode/setup.h"

/* clang-format off */
#define PROBE_UNARY(X) X(neg) X(abs) X(sqrt) X(floor) X(sin) X(cos) X(acos)
#define PROBE_BINARY(X) X(add) X(sub) X(mul) X(div) X(min) X(max) X(flip) X(atan2)
#define PROBE_COMPARE(X) X(lt) X(le) X(gt) X(ge) X(eq)

#define PROBE_ROW(op) ROW_##op,
#define PROBE_MASK(op) MASK_##op,
enum {
    PROBE_UNARY(PROBE_ROW) PROBE_BINARY(PROBE_ROW)
    PROBE_COMPARE(PROBE_ROW) /* comparison ? x : z */
    ROW_clamp,               /* x between y and z */
    ROW_masked,              /* x < y ? x : 0 */
    ROW_merge,               /* x < y ? x : z, by merging */
    ROW_sincos_s, ROW_sincos_c,
    PROBE_ROWS
};

/* bits of masks, lane i in bit i */
enum {
    PROBE_COMPARE(PROBE_MASK)
    MASK_and, MASK_or, MASK_not, MASK_andnot, MASK_any, MASK_all, PROBE_MASKS
};
/* clang-format on */

/* rows of the vector probe: inputs u (3), v (3), p (4), q (4), s (6), t; and results */
enum { PROBE_IN = 21, PROBE_OUT = 56 };

typedef struct probe {
    lode_simd simd;
    void (*ops)(const lode_real *x, const lode_real *y, const lode_real *z, lode_real *out,
                unsigned *masks);
    void (*vectors)(const lode_real *in, lode_real *out);
    /* out line to[i] = in line from[i] with k added to number k */
    void (*lines)(const lode_real *in, const int32_t *from, lode_real *out, const int32_t *to);
    /* the same of the first six numbers, to lines whose last two are 0 */
    void (*sixes)(const lode_real *in, const int32_t *from, lode_real *out, const int32_t *to);
    /* row k of `out` gets number k, 0..3, at each address */
    void (*fours)(const lode_real *const *from, lode_real *out);
    /* x: the first 16 bytes by `step`; y: the other 16; rows of 16: x + y, x - y, min, max; a bit
     * for each lane where x <= y and 1 <= y */
    void (*sixteen)(const uint8_t *in, lode_real step, lode_real *out, unsigned *out_le);
} probe;

/* All sets that this build has and this machine runs, plain first; how many. */
enum { PROBE_SETS = 6 };
int probe_sets(const probe **out_sets);

#endif
