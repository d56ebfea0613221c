/* kernels_two.c: the kernels of each iteration, with the friction of a pyramid, for two blocks at a
 * time: the text of those for one (simd/wide_two.h says why). This file is compiled once per
 * LODE_VARIANT and exports one table, or nothing where that would gain nothing. Warm starts and
 * refreshing, which read much and compute little, were measured: they lose by it. */
#include "solver/kernels.h"

#include "simd/variant.h"

#if LODE_FITS_TWO_BLOCKS
#define LODE_TWO_BLOCKS 1

#include "simd/wide.h"

/* clang-format off */
#include "solver/lanes.inl"
#include "solver/shared.inl"
#include "solver/contact_frame.inl"
#include "solver/contact_friction.inl"
#include "solver/contact_solve.inl"
#include "solver/row_solve.inl"
/* clang-format on */

/* Calls what is done to a block `b` and the next, until two are unlike each other; returns how many
 * blocks that were. */
#define TWO_LOOP(type, alike, call) \
    char *at = blocks; \
    wlane lane = {(ptrdiff_t)stride}; \
    uint32_t done = 0; \
    for (; done + 2 <= count; done += 2, at += 2 * stride) { \
        type *b = (type *)(void *)at; \
        if (!(alike)) \
            break; \
        call; \
    } \
    return done;

#define CONTACT_TWO(verb, suffix, points, pair) \
    static uint32_t verb##_##suffix##points(void *blocks, uint32_t count, size_t stride, \
                                            const lode__dense *lines, const lode__softness *s) \
    { \
        TWO_LOOP(lode__contact_block, true, \
                 contact_##verb(b, lines, s, lane, points, pair, NULL)) \
    }

#define CONTACT_TWOS(suffix, points, pair) \
    CONTACT_TWO(solve, suffix, points, pair) \
    CONTACT_TWO(solve_whole, suffix, points, pair)

#define CONTACT_ENTRY(kind, suffix, points) \
    [LODE__KIND_##kind + points - 1] = {.solve = solve_##suffix##points, \
                                        .solve_whole = solve_whole_##suffix##points}

/* Joints of one row count may be of several types. */
LODE__INLINE bool row_block_alike(const lode__row_block *b, const lode__row_block *c)
{
    return b->unbounded == c->unbounded && b->axes == c->axes && b->turning == c->turning;
}

#define ROW_TWO_LOOP(verb, n) \
    TWO_LOOP(lode__row_block, row_block_alike(b, LANE_NEXT(lode__row_block, b, lane)), \
             rows_##verb(b, lines, s, lane, n, NULL))

#define ROW_TWO(verb, n) \
    static uint32_t verb##_rows##n(void *blocks, uint32_t count, size_t stride, \
                                   const lode__dense *lines, const lode__softness *s) \
    { \
        ROW_TWO_LOOP(verb, n) \
    }

#define ROW_TWO_FEW(n) \
    ROW_TWO(solve, n) \
    ROW_TWO(solve_back, n)

/* As in row_kinds.inl, once for all. */
#define ROW_TWO_ANY(verb) \
    LODE__ONE_COPY uint32_t verb##_rows(void *blocks, uint32_t count, size_t stride, \
                                        const lode__dense *lines, const lode__softness *s, \
                                        int rows) \
    { \
        ROW_TWO_LOOP(verb, rows) \
    }

#define ROW_TWO_OF(verb, n) \
    static uint32_t verb##_rows##n(void *blocks, uint32_t count, size_t stride, \
                                   const lode__dense *lines, const lode__softness *s) \
    { \
        return verb##_rows(blocks, count, stride, lines, s, n); \
    }

#define ROW_TWO_MANY(n) \
    ROW_TWO_OF(solve, n) \
    ROW_TWO_OF(solve_back, n)

#define ROW_ENTRY(n) \
    [LODE__KIND_ROWS + n - 1] = {.solve = solve_rows##n, \
                                 .solve_whole = solve_rows##n, \
                                 .solve_back = solve_back_rows##n}

CONTACT_TWOS(pair, 1, true)
CONTACT_TWOS(pair, 2, true)
CONTACT_TWOS(pair, 3, true)
CONTACT_TWOS(pair, 4, true)
CONTACT_TWOS(static, 1, false)
CONTACT_TWOS(static, 2, false)
CONTACT_TWOS(static, 3, false)
CONTACT_TWOS(static, 4, false)
ROW_TWO_ANY(solve)
ROW_TWO_ANY(solve_back)
ROW_TWO_FEW(1)
ROW_TWO_FEW(2)
ROW_TWO_FEW(3)
ROW_TWO_MANY(4)
ROW_TWO_MANY(5)
ROW_TWO_MANY(6)
ROW_TWO_MANY(7)
ROW_TWO_MANY(8)
ROW_TWO_MANY(9)
ROW_TWO_MANY(10)
ROW_TWO_MANY(11)
ROW_TWO_MANY(12)

extern const lode__two_kernels LODE_KERNEL(lode__solver_two_kernels)[LODE__KIND_SHARED];

const lode__two_kernels LODE_KERNEL(lode__solver_two_kernels)[LODE__KIND_SHARED] = {
    CONTACT_ENTRY(CONTACT, pair, 1),
    CONTACT_ENTRY(CONTACT, pair, 2),
    CONTACT_ENTRY(CONTACT, pair, 3),
    CONTACT_ENTRY(CONTACT, pair, 4),
    CONTACT_ENTRY(STATIC, static, 1),
    CONTACT_ENTRY(STATIC, static, 2),
    CONTACT_ENTRY(STATIC, static, 3),
    CONTACT_ENTRY(STATIC, static, 4),
    ROW_ENTRY(1),
    ROW_ENTRY(2),
    ROW_ENTRY(3),
    ROW_ENTRY(4),
    ROW_ENTRY(5),
    ROW_ENTRY(6),
    ROW_ENTRY(7),
    ROW_ENTRY(8),
    ROW_ENTRY(9),
    ROW_ENTRY(10),
    ROW_ENTRY(11),
    ROW_ENTRY(12),
};

#endif
