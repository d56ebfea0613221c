/* random.h: random numbers of the benchmark's own, so that a scene is the same everywhere. `state`
 * is any number at the start. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

double bench_random_between(uint64_t *state, double lo, double hi);

/* Uniform over all rotations. */
void bench_random_rotation(uint64_t *state, double out_rotation[4]);

#endif
