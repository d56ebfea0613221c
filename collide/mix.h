/* mix.h: what a contact is by the surfaces of its two shapes, where one of them says more than
 * friction and restitution. */
#ifndef LODE_COLLIDE_MIX_H
#define LODE_COLLIDE_MIX_H

#include "collide/collide.h"

/* A surface that says nothing. */
static inline lode_surface surface_plain(void)
{
    return (lode_surface){
        .friction_across = -1, .bounce_speed = -1, .soft_erp = -1, .soft_cfm = -1};
}

/* Writes friction, direction and what else is special about a manifold with points that lies in
 * this slot. */
void lode__mix(const lode__collide *collide, lode__manifold *m, uint32_t slot);

/* Does it say anything? */
bool lode__special_is_needed(const lode__special *s);

#endif
