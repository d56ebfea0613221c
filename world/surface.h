/* surface.h: surfaces that say more than friction and restitution. */
#ifndef LODE_WORLD_SURFACE_H
#define LODE_WORLD_SURFACE_H

#include "world/world.h"

/* Whose fields errors name. */
typedef enum lode__surface_owner {
    LODE__SURFACE_OF_DEF,
    LODE__SURFACE_ALONE,
    LODE__SURFACE_OF_CONTACT
} lode__surface_owner;

lode_status lode__check_surface(const lode_surface *surface, lode__surface_owner owner,
                                const char *function);

/* Gives a shape its surface, and takes it back. */
void lode__surface_give(lode__world *world, uint32_t shape, const lode_surface *surface);
lode_surface lode__surface_of(const lode__world *world, uint32_t shape);

/* Folds the surfaces of special shapes into `seed`. */
uint64_t lode__surfaces_hash(const lode__world *world, uint64_t seed);

/* materials_image.c: the same of names of materials, those of shapes, and contact properties. */
uint64_t lode__materials_hash(const lode__world *world, uint64_t seed);

#endif
