/* random.c: ODE's generator of random numbers, and what is made with it. The library itself never
 * asks it: no result of a simulation depends on its state.
 *
 * s' = 1664525 s + 1013904223 modulo 2^32 (Knuth's and Lewis's; Numerical Recipes, "Quick and
 * Dirty"). Its low bits have short periods, so integers are made of all bits: halves are folded
 * onto each other while the range allows for it, and what is left is a fraction of the range. */
#include "ode/math/check.h"
#include "ode/misc.h"

#include <stdatomic.h>

static _Atomic uint32_t seed;

static uint32_t after(uint32_t s)
{
    return s * 1664525u + 1013904223u;
}

int dTestRand(void)
{
    static const uint32_t from_0[] = {0x3c6ef35f, 0x47502932, 0xd1ccf6e9, 0xaaf95334, 0x6252e503};
    uint32_t s = 0;
    for (int i = 0; i < 5; ++i)
        if ((s = after(s)) != from_0[i])
            return 0;
    return 1;
}

unsigned long dRand(void)
{
    uint32_t s = atomic_load_explicit(&seed, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&seed, &s, after(s), memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
    return after(s);
}

unsigned long dRandGetSeed(void)
{
    return atomic_load_explicit(&seed, memory_order_relaxed);
}

void dRandSetSeed(unsigned long s)
{
    atomic_store_explicit(&seed, (uint32_t)s, memory_order_relaxed);
}

int dRandInt(int n)
{
    if (!CHECK_NOT_NEGATIVE(n))
        return 0;
    uint32_t random = (uint32_t)dRand();
    int bits = 32;
    while (bits > 1 && (uint32_t)n <= 1u << bits / 2) {
        bits /= 2;
        random = (random ^ random >> bits) & ((1u << bits) - 1);
    }
    return (int)((uint64_t)random * (uint32_t)n >> bits);
}

dReal dRandReal(void)
{
    return (dReal)((double)dRand() / UINT32_MAX);
}

static void fill(dReal *row, int n, dReal range)
{
    for (int i = 0; i < n; ++i)
        row[i] = (dRandReal() * 2 - 1) * range;
}

void dMakeRandomVector(dReal *A, int n, dReal range)
{
    if (CHECK_NOT_NEGATIVE(n) && CHECK_GIVEN_FOR(A, n) &&
        CHECK(isfinite(range), "range", "must be finite"))
        fill(A, n, range);
}

void dMakeRandomMatrix(dReal *A, int n, int m, dReal range)
{
    if (!CHECK_MATRIX(A, n, m) || !CHECK(isfinite(range), "range", "must be finite"))
        return;
    for (int i = 0; i < n; ++i)
        fill(A + (size_t)i * (size_t)dPAD(m), m, range);
}
