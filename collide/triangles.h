/* triangles.h: which triangles of a mesh or height field another shape touches. */
#ifndef LODE_COLLIDE_TRIANGLES_H
#define LODE_COLLIDE_TRIANGLES_H

#include "collide/narrow.h"

typedef void lode__triangle_hear_fn(void *context, uint32_t triangle);

/* Tells of each triangle of the surface that has a point in common with the shape, in an order
 * that depends on the two alone. `offset` leads from the surface's centre to the shape's. False
 * where the two cannot be held against each other. */
bool lode__triangles_touching(const lode__shape_view *surface, uint32_t type,
                              const lode__shape_view *shape, lode_vec3 offset,
                              lode__triangle_hear_fn *hear, void *context);

#endif
