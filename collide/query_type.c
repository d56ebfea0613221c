/* query_type.c: the table of what queries ask of shapes; see query_type.h. */
#include "collide/custom.h"

/* clang-format off */
#define ROW(shape) {lode__span_##shape, lode__end_##shape, lode__nearest_##shape, NULL}
#define PARTS(shape) {NULL, lode__end_##shape, lode__nearest_surface, lode__cast_surface}

const lode__query_type lode__query_types[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE]   = ROW(sphere),
    [LODE_BOX]      = ROW(box),
    [LODE_PLANE]    = ROW(plane),
    [LODE_CAPSULE]  = ROW(capsule),
    [LODE_CYLINDER] = ROW(cylinder),
    [LODE_MESH]     = PARTS(mesh),
    [LODE_HULL]     = ROW(hull),
    [LODE_HEIGHTFIELD] = PARTS(heightfield),
    [LODE_CUSTOM]   = {lode__span_custom, lode__end_custom, lode__nearest_custom, NULL},
};
/* clang-format on */
