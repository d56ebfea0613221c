/* random.c: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators". */
#include "bench/random.h"

#include <math.h>

static double random_unit(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double bench_random_between(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * random_unit(state);
}

/* A point of the unit 4-ball, pushed to its surface. */
void bench_random_rotation(uint64_t *state, double out_rotation[4])
{
    double length2;
    do {
        length2 = 0;
        for (int i = 0; i < 4; ++i) {
            out_rotation[i] = bench_random_between(state, -1, 1);
            length2 += out_rotation[i] * out_rotation[i];
        }
    } while (length2 > 1 || length2 < 0.01);
    for (int i = 0; i < 4; ++i)
        out_rotation[i] /= sqrt(length2);
}
