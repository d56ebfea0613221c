/* shape_type.h: what the collision stages ask of a shape's type, as a table. The pairs have a table
 * of their own in collide/narrow.c. */
#ifndef LODE_COLLIDE_SHAPE_TYPE_H
#define LODE_COLLIDE_SHAPE_TYPE_H

#include "core/shapes.h"

typedef struct lode__shape_type {
    const char *name;
    bool (*is_size)(const lode_real size[4]); /* can a shape have it? */
    /* Half the width along each world axis of a shape turned by `rotation`; null: no bounds. */
    lode_vec3 (*extents)(const lode_real size[4], lode_quat rotation);
    /* In the shape's own frame; null: weighs nothing. */
    lode_mass (*mass)(const lode_real size[4], lode_real density);
} lode__shape_type;

extern const lode__shape_type lode__shape_types[LODE_SHAPE_TYPE_COUNT];

/* Shapes without bounds stay out of the tree and belong on bodies that are not dynamic. */
static inline bool shape_is_bounded(const lode__geometry *geometry)
{
    return lode__shape_types[geometry->type].extents != NULL;
}

#endif
