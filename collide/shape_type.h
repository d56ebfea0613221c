/* shape_type.h: what the collision stages ask of a shape's type, as a table. The pairs have a table
 * of their own in collide/narrow.c. */
#ifndef LODE_COLLIDE_SHAPE_TYPE_H
#define LODE_COLLIDE_SHAPE_TYPE_H

#include "collide/narrow.h"
#include "collide/surface.h"

/* A box along the world's axes, from the shape's centre. */
typedef struct lode__reach {
    lode_vec3 middle, half;
} lode__reach;

typedef struct lode__shape_type {
    const char *name;
    bool (*is_size)(const lode_real size[4]); /* can a shape have it? */
    lode__reach (*reach)(const lode__shape_view *shape); /* null: no bounds */
    /* In the shape's own frame, whatever its rotation; null: weighs nothing. */
    lode_mass (*mass)(const lode__shape_view *shape, lode_real density);
    bool shares; /* has shared geometry */
} lode__shape_type;

extern const lode__shape_type lode__shape_types[LODE_SHAPE_TYPE_COUNT];

/* Shapes without bounds stay out of the tree and belong on bodies that are not dynamic. */
static inline bool shape_is_bounded(const lode__geometry *geometry)
{
    return lode__shape_types[geometry->type].reach != NULL;
}

/* So do height fields that repeat themselves without end. */
static inline bool shape_may_move(const lode__geometry *geometry, const lode__shape_data *data)
{
    return shape_is_bounded(geometry) &&
           !(geometry->type == LODE_HEIGHTFIELD && field_of(data)->wrap);
}

#endif
