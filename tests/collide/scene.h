/* scene.h: bodies and shapes without a world: what the collision stages need to run. */
#ifndef LODE_TESTS_COLLIDE_SCENE_H
#define LODE_TESTS_COLLIDE_SCENE_H

#include "collide/collide.h"
#include "core/bodies.h"

typedef struct scene {
    lode__collide collide;
    lode__pool bodies;
    lode__arena arena;
    lode__tasks *tasks;
    lode_world_def settings;
    lode_world_stats stats;
    lode__step step;
} scene;

/* False: out of memory. */
bool scene_init(scene *scene, int threads, lode_simd simd);
void scene_free(scene *scene);

/* The slots of the shape, whose body is a new one; LODE__NONE: out of memory. `size` as in
 * lode__geometry. */
uint32_t scene_add(scene *scene, bool dynamic, lode_shape_type type, const lode_real size[4],
                   lode_pose pose);
uint32_t scene_add_box(scene *scene, bool dynamic, lode_vec3 half, lode_vec3 position);
uint32_t scene_add_sphere(scene *scene, bool dynamic, lode_real radius, lode_vec3 position);
uint32_t scene_add_plane(scene *scene, lode_vec3 normal, lode_real offset);

/* One more shape on the body of another. */
uint32_t scene_add_to(scene *scene, uint32_t shape, lode_shape_type type, const lode_real size[4],
                      lode_pose local);

/* With the body, which must have no other shape. */
void scene_remove(scene *scene, uint32_t shape);

uint32_t scene_body(const scene *scene, uint32_t shape);

/* To be written to: the next step places the body's shapes. */
lode__pose *scene_pose(scene *scene, uint32_t shape);

/* All collision stages; false when one failed. */
bool scene_step(scene *scene);

/* The touching manifold of two shapes or null. */
const lode__manifold *scene_find(const scene *scene, uint32_t a, uint32_t b);

#endif
