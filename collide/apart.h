/* apart.h: how far two solids are apart, whatever they are. */
#ifndef LODE_COLLIDE_APART_H
#define LODE_COLLIDE_APART_H

#include "collide/narrow.h"

/* Positions are from the centre of a, in world axes. */
typedef struct lode__apart {
    lode_real distance; /* below 0: the depth, but for surfaces, which have none but in planes */
    lode_vec3 normal;   /* unit, from b to a */
    lode_vec3 on_a, on_b;
} lode__apart;

/* `offset` leads from the centre of a to that of b. False where the pair has no distance: two
 * planes, two height fields that repeat themselves, and a class of the application without a
 * collider. */
bool lode__find_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                      const lode__shape_view *b, lode_vec3 offset, lode__apart *out);

/* mesh_apart.c: the same where a is a mesh or a height field. */
bool lode__surface_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                         const lode__shape_view *b, lode_vec3 offset, lode__apart *out);

/* What was found with the shapes the other way round: `offset` leads from the centre of a to that
 * of b, as it is now. */
static inline lode__apart apart_swapped(const lode__apart *apart, lode_vec3 offset)
{
    return (lode__apart){.distance = apart->distance,
                         .normal = v3_neg(apart->normal),
                         .on_a = v3_add(apart->on_b, offset),
                         .on_b = v3_add(apart->on_a, offset)};
}

#endif
