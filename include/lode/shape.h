/* shape.h: collision shapes on bodies.
 *
 * A body may carry any number of shapes, each with its own pose in the body's frame. Shapes of
 * one body never touch each other, nor do shapes of two static bodies. Unless the body's mass was
 * set by hand, adding and removing shapes updates it from their densities; the body's frame stays
 * where it is. The body owns its shapes; pose, size and density of a shape are fixed. */
#ifndef LODE_SHAPE_H
#define LODE_SHAPE_H

#include "types.h"

LODE_EXTERN_C_BEGIN

typedef enum lode_shape_type {
    LODE_SPHERE,
    LODE_BOX,
    LODE_PLANE, /* a half-space: solid below the plane */
    LODE_SHAPE_TYPE_COUNT
} lode_shape_type;

/* Friction is a Coulomb coefficient that bounds each of two directions by itself (a pyramid), so
 * sliding between them meets up to 1.41 times as much. Two shapes collide if each one's mask has a
 * bit of the other's category. */
typedef struct lode_shape_def {
    lode_pose pose;        /* of the shape in the body's frame; a plane takes it too */
    lode_real density;     /* kg/m^3, at least 0; 0 adds no mass; default 1000 */
    lode_real friction;    /* at least 0; default 0.6; a pair uses the geometric mean */
    lode_real restitution; /* 0..1; default 0; a pair uses the larger */
    uint64_t category;     /* bits this shape belongs to; default 1 */
    uint64_t mask;         /* bits it collides with; default all. Both sides must agree */
    void *user_data;
} lode_shape_def;

LODE_API lode_shape_def lode_shape_def_default(void);

/* Return the null handle on failure. `radius` and each half extent above 0. The plane's normal is
 * normalised; points x with normal . x < offset, in the shape's frame, are inside. Planes weigh
 * nothing and belong on static bodies; a dynamic body refuses one. */
LODE_API lode_shape lode_shape_create_sphere(lode_body body, const lode_shape_def *def,
                                             lode_real radius);
LODE_API lode_shape lode_shape_create_box(lode_body body, const lode_shape_def *def,
                                          lode_vec3 half_extents);
LODE_API lode_shape lode_shape_create_plane(lode_body body, const lode_shape_def *def,
                                            lode_vec3 normal, lode_real offset);

LODE_API lode_status lode_shape_destroy(lode_shape shape);

LODE_API bool lode_shape_is_valid(lode_shape shape);
LODE_API lode_shape_type lode_shape_get_type(lode_shape shape);
LODE_API lode_body lode_shape_get_body(lode_shape shape);
LODE_API void *lode_shape_get_user_data(lode_shape shape);

/* Serve from the next step, for contacts that exist already too. */
LODE_API lode_status lode_shape_set_friction(lode_shape shape, lode_real friction);
LODE_API lode_status lode_shape_set_restitution(lode_shape shape, lode_real restitution);
LODE_API lode_status lode_shape_set_filter(lode_shape shape, uint64_t category, uint64_t mask);

LODE_EXTERN_C_END

#endif
