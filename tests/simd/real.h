/* real.h: numbers for tests of arithmetic: all kinds of reals, comparison to the bit, distance in
 * units of the last place. */
#ifndef LODE_TESTS_REAL_H
#define LODE_TESTS_REAL_H

#include "lode/types.h"
#include "tests/support/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef LODE_DOUBLE
#define REAL_MAX DBL_MAX
#define REAL_MIN DBL_MIN
#define REAL_TINY 0x1p-1074
enum { REAL_DIGITS = 53, REAL_LEAST = -1021 };
#else
#define REAL_MAX FLT_MAX
#define REAL_MIN FLT_MIN
#define REAL_TINY 0x1p-149f
enum { REAL_DIGITS = 24, REAL_LEAST = -125 };
#endif

/* NaN bits are not part of the promise. */
static inline bool real_same(lode_real a, lode_real b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Any bit pattern, or a number of everyday size. */
static inline lode_real real_random(test_random *random)
{
    lode_real x = (lode_real)random_between(random, -16, 16);
    if (random_below(random, 2)) {
        uint64_t bits = random_bits(random);
        memcpy(&x, &bits, sizeof x);
    }
    return isnan(x) ? (lode_real)NAN : x;
}

/* |got - want| in units of the last place of want. */
static inline double real_ulps(lode_real got, long double want)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0 : HUGE_VAL;
    if ((long double)got == want)
        return 0;
    int exponent;
    (void)frexpl(want, &exponent);
    exponent = exponent < REAL_LEAST ? REAL_LEAST : exponent;
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - REAL_DIGITS));
}

#endif
