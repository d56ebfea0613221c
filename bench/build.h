/* build.h: the few verbs that scenes.c composes scenes of. A new body is dynamic, unless it is a
 * plane, collides, and has the density of water; the caller changes what differs. The pointer is
 * valid until the next body is added. */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include "bench/scene.h"

bench_body *bench_add_body(bench_scene *scene, bench_shape shape, double x, double y, double z);
bench_body *bench_add_box(bench_scene *scene, double x, double y, double z, double half_x,
                          double half_y, double half_z);
bench_body *bench_add_sphere(bench_scene *scene, double x, double y, double z, double radius);

/* A ball joint halfway between the bodies' origins. */
void bench_add_joint(bench_scene *scene, int body_a, int body_b);

#endif
