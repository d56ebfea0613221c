/* scenes.h: the worlds whose bits are compared over builds, processors, threads and task orders.
 *
 * Each uses another part of the library: box stacks and impact; boxes of any rotation; spheres with
 * chains of joints; nets of joints that do not stretch; bodies of several shapes with their centre
 * of mass off the origin, spinning and bouncing; sleep and what wakes; kinematic bodies, systems
 * and contacts of the application; friction on a cone, per point and per manifold; height fields,
 * meshes, hulls and cylinders; surfaces of all kinds, the hybrid solver and the integrator of
 * second order; articulations. A scene is set up with + - * / on small numbers only, so that its
 * start is the same everywhere as well. */
#ifndef LODE_TESTS_DETERMINISM_SCENES_H
#define LODE_TESTS_DETERMINISM_SCENES_H

#include "lode/lode.h"

typedef struct hash_scene {
    const char *name;
    lode_solver solver;
    void (*build)(lode_world world, int size);
    void (*act)(lode_world world, int step); /* before each step; may be null */
    int size, full_size;                     /* what `build` makes of it */
    int steps, full_steps;
} hash_scene;

/* scene_robots.c */
void hash_scene_robots(lode_world world, int size);

extern const hash_scene hash_scenes[];
extern const int hash_scene_count;

/* Builds the scene in a world of `def`, with the solver of the scene, and steps it; returns the
 * world's hash. The caller has set threads, instruction set or tasks. 0 when something failed. */
uint64_t hash_scene_run(const hash_scene *scene, const lode_world_def *def, bool full);

#endif
