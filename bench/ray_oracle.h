/* ray_oracle.h: what a ray hits first, by looking at every box and triangle in double. */
#ifndef BENCH_RAY_ORACLE_H
#define BENCH_RAY_ORACLE_H

#include "bench/engine.h"
#include "bench/scene.h"

/* The distance of the closest front, m; as the ray's length where it hits nothing. What a ray only
 * just meets or misses is decided by rounding: any answer from `least` to `most` is right. */
typedef struct bench_ray_bounds {
    double least, most;
} bench_ray_bounds;

bench_ray_bounds bench_ray_oracle(const bench_scene *scene, const bench_ray *ray);

#endif
