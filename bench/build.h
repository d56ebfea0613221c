/* build.h: the few verbs that scenes are composed of, and the scenes.
 *
 * A new body is dynamic, unless it is a plane, collides, and has the density of water; the caller
 * changes what differs. The pointer is valid until the next body is added. */
#ifndef BENCH_BUILD_H
#define BENCH_BUILD_H

#include "bench/scene.h"

bench_body *bench_add_body(bench_scene *scene, bench_shape shape, double x, double y, double z);
bench_body *bench_add_box(bench_scene *scene, double x, double y, double z, double half_x,
                          double half_y, double half_z);
bench_body *bench_add_sphere(bench_scene *scene, double x, double y, double z, double radius);

bench_body *bench_add_capsule(bench_scene *scene, double x, double y, double z, double radius,
                              double half_length);

/* The plane z = 0. */
void bench_add_ground(bench_scene *scene);

/* A ball joint halfway between the bodies' origins; valid until the next joint is added. */
bench_joint *bench_add_joint(bench_scene *scene, int body_a, int body_b);

/* Builders of scenes, one file per kind of load. */
void bench_build_pyramid(bench_scene *scene);
void bench_build_pyramids(bench_scene *scene);
void bench_build_wall(bench_scene *scene);
void bench_build_platform(bench_scene *scene);
void bench_build_platform_static(bench_scene *scene);
void bench_build_box_pile(bench_scene *scene);
void bench_build_sphere_pile(bench_scene *scene);
void bench_build_mixed_pile(bench_scene *scene);
void bench_build_joint_grid(bench_scene *scene);
void bench_build_chain(bench_scene *scene);
void bench_build_chain_1000(bench_scene *scene);
void bench_build_crane(bench_scene *scene);
void bench_build_bridge(bench_scene *scene);
void bench_build_belt(bench_scene *scene);
void bench_build_four_bars(bench_scene *scene);
void bench_build_stewart(bench_scene *scene);
void bench_build_ragdolls(bench_scene *scene);
void bench_build_boxes_on_mesh(bench_scene *scene);
void bench_build_ragdolls_on_mesh(bench_scene *scene);

/* A figure of eleven capsules; see scene_ragdolls.c. */
void bench_add_ragdoll(bench_scene *scene, const double middle[3], const double rotation[4]);

#endif
