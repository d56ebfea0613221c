/* shape.h: what the files about shapes share. */
#ifndef LODE_WORLD_SHAPE_H
#define LODE_WORLD_SHAPE_H

#include "lode/heightfield.h"
#include "world/check.h"
#include "world/world.h"

extern const char lode__not_negative[], lode__fraction[];

/* shape_size.c: check the arguments of a type and write lode__geometry's size. */
lode_status lode__size_sphere(lode_real out_size[4], lode_real radius, const char *function);
lode_status lode__size_box(lode_real out_size[4], lode_vec3 half_extents, const char *function);
lode_status lode__size_capsule(lode_real out_size[4], lode_real radius, lode_real half_length,
                               const char *function);
lode_status lode__size_cylinder(lode_real out_size[4], lode_real radius, lode_real half_length,
                                const char *function);
lode_status lode__size_plane(lode_real out_size[4], lode_vec3 normal, lode_real offset,
                             const char *function);

/* shape.c: may a body have this height field? */
lode_status lode__check_field(const lode__world *world, uint32_t body,
                              const lode_heightfield *field, const char *function,
                              const char *argument);

/* shape_change.c: every public function that changes what a shape touches or how ends here. */
void lode__shape_changed(lode__world *world, uint32_t shape);

/* shape.c: the list of the shape's body. */
void lode__shape_link(lode__world *world, uint32_t shape);
void lode__shape_unlink(lode__world *world, uint32_t shape);

/* shape_change.c: gives a shape another pose on its body. */
lode_status lode__shape_put(lode__object shape, lode_pose pose, const char *function);

/* shape_change.c: gives a shape this size, local pose and density, unless its body's mass could
 * then not be computed with. */
lode_status lode__shape_remake(lode__object shape, const lode__geometry *geometry,
                               lode_real density, const char *function, const char *argument);

#endif
