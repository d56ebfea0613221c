/* shape_set.h: bodies and shapes without a world: what the collision stages need to run. */
#ifndef LODE_TESTS_COLLIDE_SHAPE_SET_H
#define LODE_TESTS_COLLIDE_SHAPE_SET_H

#include "collide/collide.h"
#include "core/bodies.h"

typedef struct shape_set {
    lode__collide collide;
    lode__pool bodies;
    lode__arena arena;
    lode__tasks *tasks;
    lode_world_def settings;
    lode_world_stats stats;
    lode__step step;
} shape_set;

/* False: out of memory. */
bool set_init(shape_set *set, int threads, lode_simd simd);
void set_free(shape_set *set);

/* The slots of the shape, whose body is a new one; LODE__NONE: out of memory. `size` as in
 * lode__geometry. */
uint32_t set_add(shape_set *set, bool dynamic, lode_shape_type type, const lode_real size[4],
                 lode_pose pose);
uint32_t set_add_box(shape_set *set, bool dynamic, lode_vec3 half, lode_vec3 position);
uint32_t set_add_sphere(shape_set *set, bool dynamic, lode_real radius, lode_vec3 position);
uint32_t set_add_plane(shape_set *set, lode_vec3 normal, lode_real offset);

/* One more shape on the body of another. */
uint32_t set_add_to(shape_set *set, uint32_t shape, lode_shape_type type, const lode_real size[4],
                    lode_pose local);

/* With the body, which must have no other shape. */
void set_remove(shape_set *set, uint32_t shape);

uint32_t set_body(const shape_set *set, uint32_t shape);

/* To be written to: the next step places the body's shapes. */
lode__pose *set_pose(shape_set *set, uint32_t shape);

/* All collision stages; false when one failed. */
bool set_step(shape_set *set);

/* The touching manifold of two shapes or null. */
const lode__manifold *set_find(const shape_set *set, uint32_t a, uint32_t b);

#endif
