/* random.h: numbers for tests, the same on every machine (SplitMix64, Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", 2014). */
#ifndef LODE_TESTS_RANDOM_H
#define LODE_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint64_t random_bits(test_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0..below-1, below at least 1. */
static inline uint32_t random_below(test_random *random, uint32_t below)
{
    return (uint32_t)((random_bits(random) >> 32) * below >> 32);
}

/* Uniform in [lo, hi). */
static inline double random_between(test_random *random, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

/* A unit vector, all directions alike; as exact as the C library's sine. */
static inline void random_direction(test_random *random, double out[3])
{
    out[2] = random_between(random, -1, 1);
    double angle = random_between(random, 0, 6.283185307179586), r = sqrt(1 - out[2] * out[2]);
    out[0] = r * cos(angle);
    out[1] = r * sin(angle);
}

#endif
