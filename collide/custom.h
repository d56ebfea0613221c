/* custom.h: shapes of the application's classes; see lode/custom.h. */
#ifndef LODE_COLLIDE_CUSTOM_H
#define LODE_COLLIDE_CUSTOM_H

#include "collide/apart.h"
#include "collide/convex.h"
#include "collide/many.h"
#include "collide/query_type.h"
#include "collide/shape_type.h"
#include "collide/sweep.h"
#include "lode/custom.h"

#include <stddef.h>

struct lode_custom {
    lode__shape_data data; /* first: it is shared geometry */
    const lode_custom_class *own;
    lode__double3 middle; /* of its box, and the radius of the largest ball around it: of a class */
    double inner;         /* with a support function */
    _Alignas(16) unsigned char bytes[];
};

static inline const lode_custom *custom_of(const void *data)
{
    return data; /* a lode__shape_data of this type */
}

/* The object that the class knows by these bytes. */
static inline const lode_custom *lode__custom_from_bytes(const void *bytes)
{
    return (const lode_custom *)(const void *)((const char *)bytes - offsetof(lode_custom, bytes));
}

/* --- pairs */

/* Is the first shape the one whose class names the collider, which `out` is then, maybe null?
 * One of the two is of a class. */
bool lode__custom_select(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                         const lode__shape_data *data_b, lode_custom_collide_fn **out);

/* Do two shapes pass through each other because a class says so? */
bool lode__custom_lets_pass(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                            const lode__shape_data *data_b);

/* Does a surface ask a convex class by the general method, triangle by triangle? */
bool lode__custom_is_on_surface(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                                const lode__shape_data *data_b);

/* The points of a pair in which the shape that stands for the mesh is of a class. */
void lode__custom_points(const lode__many_view *view, lode_real speculative,
                         lode__mesh_points *out);

/* The other shape as the class sees it, at this pose in the class's frame, and back. */
lode_custom_other lode__custom_describe(uint32_t type, const lode_real *size, const void *data,
                                        lode_pose pose);
void lode__custom_other_size(const lode_custom_other *other, lode_real out_size[4]);

/* Is the point one that has numbers only, with a gap up to `margin`? */
bool lode__custom_is_point(const lode_custom_point *point, lode_real margin);

/* --- the rows of the tables of types */

/* The box that the class gives, or that follows from its support function, no side of it farther
 * than 1e9 m. False: it is none, or farther away. */
bool lode__custom_box(const lode_custom *custom, lode_quat rotation, lode_bounds *out);

/* Bounds that are none are a point. */
lode__reach lode__custom_reach(const lode__shape_view *shape);
lode_mass lode__custom_mass(const lode__shape_view *shape, lode_real density);
lode__span_fn lode__span_custom;
lode__end_fn lode__end_custom;

/* Infinite where the class has no collider against spheres. */
lode__nearest_fn lode__nearest_custom;

/* True unless the class knows better. */
bool lode__custom_overlaps_box(const lode__shape_view *shape, lode_vec3 from_box, lode_vec3 half);

/* --- custom_convex.c: of classes with a support function */

/* False, and the centre, where what the class says is no point. */
bool lode__custom_support_at(const lode_custom *custom, lode__double3 direction,
                             lode__double3 *out);

lode_bounds lode__custom_convex_bounds(const lode_custom *custom, lode_quat rotation);
void lode__custom_measure(lode_custom *custom); /* fills `middle` and `inner` */
lode_real lode__custom_convex_nearest(const lode__shape_view *shape, lode_vec3 point,
                                      lode__surface_point *out);
bool lode__custom_convex_span(const lode_custom *custom, lode_vec3 origin, lode_vec3 direction,
                              lode_custom_span *out);

/* custom_sweep.c: as lode__sweep(), of a convex solid a that is pushed by `move` against a shape
 * b of a class without a support function; `offset` from its centre to b's, that and `move` in
 * the axes to which the views' rotations lead. The answers are in a's axes, as there. */
bool lode__custom_sweep(uint32_t type_a, const lode__shape_view *a, const lode__shape_view *b,
                        lode_vec3 offset, lode_vec3 move, double most, lode__swept *out);

/* --- custom_apart.c: of classes without one, by their colliders */

/* Is one of the two of such a class? */
bool lode__custom_is_asked(uint32_t type_a, const void *data_a, uint32_t type_b,
                           const void *data_b);

/* As lode__find_apart(), up to the distance `most`. False: farther, or there is no collider. */
bool lode__custom_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                        const lode__shape_view *b, lode_vec3 offset, lode_real most,
                        lode__apart *out);

/* No two points of the shapes are farther apart than this; where one is a plane, no nearest
 * ones. */
lode_real lode__custom_farthest(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                                const lode__shape_view *b, lode_vec3 offset);

#endif
