/* custom.h: shapes of the application's classes; see lode/custom.h. */
#ifndef LODE_COLLIDE_CUSTOM_H
#define LODE_COLLIDE_CUSTOM_H

#include "collide/many.h"
#include "collide/query_type.h"
#include "collide/shape_type.h"
#include "lode/custom.h"

struct lode_custom {
    lode__shape_data data; /* first: it is shared geometry */
    const lode_custom_class *own;
    _Alignas(16) unsigned char bytes[];
};

static inline const lode_custom *custom_of(const void *data)
{
    return data; /* a lode__shape_data of this type */
}

/* Is the first shape the one whose class names the collider, which `out` is then, maybe null? One of
 * the two is of a class. */
bool lode__custom_select(uint32_t type_a, const lode__shape_data *data_a, uint32_t type_b,
                         const lode__shape_data *data_b, lode_custom_collide_fn **out);

/* The points of a pair in which the shape that stands for the mesh is of a class. */
void lode__custom_points(const lode__many_view *view, lode_real speculative,
                         lode__mesh_points *out);

/* The row of the tables of types. Bounds that are none are a point. */
lode__reach lode__custom_reach(const lode__shape_view *shape);
lode_mass lode__custom_mass(const lode__shape_view *shape, lode_real density);
lode__span_fn lode__span_custom;
lode__end_fn lode__end_custom;

/* True unless the class knows better. */
bool lode__custom_overlaps_box(const lode__shape_view *shape, lode_vec3 from_box, lode_vec3 half);

#endif
