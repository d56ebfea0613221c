/* narrow.h: what the functions of the narrow phase's matrix see and say. */
#ifndef LODE_COLLIDE_NARROW_H
#define LODE_COLLIDE_NARROW_H

#include "core/contact.h"
#include "core/shapes.h"

/* One shape. Where it is, is said by the other argument `offset`. */
typedef struct lode__shape_view {
    const lode_real *size; /* as in lode__geometry */
    lode_quat rotation;    /* shape axes to world axes */
    const void *data;      /* shared geometry, a lode__shape_data; or null */
} lode__shape_view;

/* What two shapes touch with. Positions are from the centre of a, in world axes. */
typedef struct lode__touch {
    lode_vec3 normal; /* unit, into a */
    int count;
    lode_vec3 position[LODE__MANIFOLD_POINTS]; /* midway between the surfaces */
    lode_real depth[LODE__MANIFOLD_POINTS];
    uint32_t feature[LODE__MANIFOLD_POINTS];
} lode__touch;

/* Fills `out`, whose count is 0. `offset` leads from the centre of a to that of b; points with a
 * gap wider than `speculative` are left out. */
typedef void lode__touch_fn(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                            lode_real speculative, lode__touch *out);

struct lode__collide_kernels; /* collide/kernels.h */

/* The same with the kernels of an instruction set; which one does not show in any bit. */
typedef void lode__kernel_touch_fn(const struct lode__collide_kernels *kernels,
                                   const lode__shape_view *a, const lode__shape_view *b,
                                   lode_vec3 offset, lode_real speculative, lode__touch *out);

/* What two solids touch with by the method of their cell; nothing where one is a surface, the pair
 * has none, or a kernel does it from beginning to end (lode__lane_cell_of(), pair_queue.h). */
void lode__touch_solids(const struct lode__collide_kernels *kernels, uint32_t type_a,
                        const lode__shape_view *a, uint32_t type_b, const lode__shape_view *b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out);

lode__touch_fn lode__touch_sphere_cylinder;
lode__touch_fn lode__touch_cylinder_box;
lode__touch_fn lode__touch_cylinder_capsule;
lode__touch_fn lode__touch_cylinder_cylinder;
lode__kernel_touch_fn lode__touch_hulls, lode__touch_hull_and_box;
lode__touch_fn lode__touch_hull_hull;
lode__touch_fn lode__touch_hull_box;
lode__touch_fn lode__touch_hull_plane;
lode__touch_fn lode__touch_hull_sphere;
lode__touch_fn lode__touch_hull_capsule;
lode__touch_fn lode__touch_hull_cylinder;

#endif
