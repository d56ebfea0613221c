/* wide_lines.h: eight component lines of eight reals, loaded by index and transposed in
 * registers, so that register k holds number k of every lane's line; and back. Part of
 * simd/wide.h.
 *
 * Lines are aligned to their size. Several lanes may load the same line. Stores skip lanes whose
 * index is 0, the static dummy, or negative, a body that moves as it likes; no two other lanes
 * store to the same line. Sixes are lines whose last two numbers are 0 and stay so: some
 * instruction sets do not store them. */
#ifndef LODE_SIMD_WIDE_LINES_H
#define LODE_SIMD_WIDE_LINES_H

#include "simd/wide.h"

typedef struct wline {
    wreal r0, r1, r2, r3, r4, r5, r6, r7;
} wline;

/* Four numbers of every lane. */
typedef struct wfour {
    wreal r0, r1, r2, r3;
} wfour;

#define LODE__LINE(base, i) ((base) + (ptrdiff_t)(i)*8)

#if defined(LODE_VARIANT_PLAIN)

LODE__INLINE wline w_load_lines(const lode_real *base, const int32_t *index)
{
    const lode_real *p = LODE__LINE(base, index[0]);
    return (wline){{p[0]}, {p[1]}, {p[2]}, {p[3]}, {p[4]}, {p[5]}, {p[6]}, {p[7]}};
}

LODE__INLINE wfour w_load_fours_at(const lode_real *const *p, int at)
{
    const lode_real *q = p[0] + at;
    return (wfour){{q[0]}, {q[1]}, {q[2]}, {q[3]}};
}

LODE__INLINE void w_store_lines_at(lode_real *const *p, int at, unsigned bits, wline l)
{
    lode_real *q = p[0] + at;
    if (!(bits & 1))
        return;
    q[0] = l.r0.a, q[1] = l.r1.a, q[2] = l.r2.a, q[3] = l.r3.a;
    q[4] = l.r4.a, q[5] = l.r5.a, q[6] = l.r6.a, q[7] = l.r7.a;
}

LODE__INLINE void w_store_lines(lode_real *base, const int32_t *index, wline l)
{
    lode_real *const p = LODE__LINE(base, index[0]);
    w_store_lines_at(&p, 0, index[0] > 0, l);
}

LODE__INLINE void w_store_sixes(lode_real *base, const int32_t *index, wline l)
{
    w_store_lines(base, index, l);
}

#else

/* The addresses of all lanes' lines: eight, or half as many. */
#ifdef LODE_NARROW
#define LODE__OF_LINES(of) {of(0), of(1), of(2), of(3)}
#define LODE__LINE_NAMES l0, l1, l2, l3
#define LODE__LINE_POINTERS *l0, *l1, *l2, *l3
#else
#define LODE__OF_LINES(of) {of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)}
#define LODE__LINE_NAMES l0, l1, l2, l3, l4, l5, l6, l7
#define LODE__LINE_POINTERS *l0, *l1, *l2, *l3, *l4, *l5, *l6, *l7
#endif

typedef struct lode__lines {
    const lode_real LODE__LINE_POINTERS;
} lode__lines;

/* Where a line goes, if it does. */
typedef struct lode__target {
    lode_real *line; /* needs no alignment */
    bool on;
} lode__target;

typedef struct lode__targets {
    lode__target LODE__LINE_NAMES;
} lode__targets;

/* Eight lanes, which are all there are but with two blocks at a time. */
#ifdef LODE_TWO_BLOCKS
#if LODE__PARTS == 2
typedef struct w8real {
    nreal a;
} w8real;
#else
typedef struct w8real {
    nreal a, b;
} w8real;
#endif
typedef struct w8line {
    w8real r0, r1, r2, r3, r4, r5, r6, r7;
} w8line;
typedef struct w8four {
    w8real r0, r1, r2, r3;
} w8four;
#else
typedef wreal w8real;
typedef wline w8line;
typedef wfour w8four;
#endif

/* These define lode__load_tiles(lines), lode__load_fours(lines) and lode__store_tiles(targets, l),
 * and lode__store_sixes(targets, l) where that is less.
 * Both stores of whole lines under eight branches and stores to a sink line by conditional moves
 * were measured; branches win, because in a batch the lanes that are static are all, none, or the
 * same as in the last iteration. */

#if defined(LODE_VARIANT_AVX512) && defined(LODE_DOUBLE)
#include "simd/lines_512.inl"
#elif defined(LODE_VARIANT_AVX512) || defined(LODE_VARIANT_AVX2)
#include "simd/lines_256.inl"
#else
#include "simd/lines_128.inl"
#endif

LODE__INLINE w8line w_load_lines(const lode_real *base, const int32_t *index)
{
#define OF(k) LODE__LINE(base, index[k])
    return lode__load_tiles((lode__lines)LODE__OF_LINES(OF));
#undef OF
}

LODE__INLINE lode__targets lode__targets_of(lode_real *base, const int32_t *index)
{
#define OF(k) {LODE__LINE(base, index[k]), index[k] > 0}
    return (lode__targets)LODE__OF_LINES(OF);
#undef OF
}

LODE__INLINE void w_store_lines(lode_real *base, const int32_t *index, w8line l)
{
    lode__store_tiles(lode__targets_of(base, index), l);
}

LODE__INLINE void w_store_sixes(lode_real *base, const int32_t *index, w8line l)
{
#ifdef LODE__STORES_SIXES
    lode__store_sixes(lode__targets_of(base, index), l);
#else
    w_store_lines(base, index, l);
#endif
}

#ifndef LODE_TWO_BLOCKS

/* To LODE_WIDTH addresses, from number `at` on, for lanes whose bits are set; they need no
 * alignment. */
LODE__INLINE void w_store_lines_at(lode_real *const *p, int at, unsigned bits, wline l)
{
#define OF(k) {p[k] + at, bits >> (k)&1}
    lode__store_tiles((lode__targets)LODE__OF_LINES(OF), l);
#undef OF
}

/* Four numbers from each of LODE_WIDTH addresses, from number `at` on; they need no alignment. */
LODE__INLINE wfour w_load_fours_at(const lode_real *const *p, int at)
{
#define OF(k) p[k] + at
    return lode__load_fours((lode__lines)LODE__OF_LINES(OF));
#undef OF
}

#endif
#endif

#ifndef LODE_TWO_BLOCKS

LODE__INLINE wfour w_load_fours(const lode_real *const *p)
{
    return w_load_fours_at(p, 0);
}

#endif

#endif
