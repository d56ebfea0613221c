/* query_type.c: the table of what queries ask of shapes; see query_type.h. */
#include "collide/custom.h"

/* clang-format off */
#define ROW(shape) \
    {lode__span_##shape, lode__end_##shape, lode__nearest_##shape, NULL, NULL, NULL, NULL}

const lode__query_type lode__query_types[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE]   = ROW(sphere),
    [LODE_BOX]      = {lode__span_box, lode__end_box, lode__nearest_box, NULL, lode__spans_box, NULL, NULL},
    [LODE_PLANE]    = ROW(plane),
    [LODE_CAPSULE]  = ROW(capsule),
    [LODE_CYLINDER] = ROW(cylinder),
    [LODE_MESH]     = {NULL, lode__end_mesh, lode__nearest_surface, lode__cast_surface, NULL, lode__casts_mesh,
                         lode__ends_mesh},
    [LODE_HULL]     = ROW(hull),
    [LODE_HEIGHTFIELD] = {NULL, lode__end_heightfield, lode__nearest_surface, lode__cast_surface, NULL, NULL,
                          NULL},
    [LODE_CUSTOM]   = {lode__span_custom, lode__end_custom, lode__nearest_custom, NULL, NULL, NULL, NULL},
};
/* clang-format on */
