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

/* Has one of its shapes a surface that says more than friction and restitution? */
static inline bool manifold_says_more(const lode__pool *shapes, const lode__manifold *m)
{
    return (*LODE__AT(shape, shapes, flags, m->shape_a) |
            *LODE__AT(shape, shapes, flags, m->shape_b)) &
           LODE__SHAPE_SPECIAL;
}

/* By the settings, or the application. */
typedef struct lode__mixing {
    const lode__collide *collide;
    lode_mix friction, restitution;
} lode__mixing;

/* Writes a manifold's friction, the same in all directions, and restitution. */
void lode__mix_plain(const lode__mixing *mixing, lode__manifold *m);

/* A shape's friction at a contact: its coefficients along a direction and across it. */
typedef struct lode__friction_side {
    lode_real friction[2];
    lode_vec3 direction; /* unit, world, across the normal; zero: any */
} lode__friction_side;

/* Writes friction and its directions into a manifold, by geometric means where `mixing` is null.
 * Both sides may be exchanged. */
void lode__mix_friction(const lode__mixing *mixing, lode__manifold *m, const lode__friction_side *a,
                        const lode__friction_side *b);

/* Writes what is special about a manifold that lies in this slot, if anything is. */
void lode__special_give(const lode__collide *collide, lode__manifold *m, uint32_t slot,
                        const lode__special *special);

/* Writes friction, direction and what else is special about a manifold with points that lies in
 * this slot: by the surfaces of its shapes, and by their materials, of which one at least is one,
 * the pair having so many points of these. */
void lode__mix(const lode__mixing *mixing, lode__manifold *m, uint32_t slot);
void lode__mix_material(const lode__collide *collide, lode__manifold *m, uint32_t slot,
                        const uint32_t materials[2], uint32_t points);

/* The names of what two shapes are made of where a manifold with points is; false: of none. */
bool lode__manifold_materials(const lode__collide *collide, const lode__manifold *m,
                              uint32_t out_materials[2]);

/* Are two manifolds of one pair parts of one contact: of one normal and the same materials, with
 * more points together than one has? */
bool lode__manifolds_are_one(const lode__collide *collide, const lode__manifold *m,
                             const lode__manifold *other);

/* How many points two solids may have by their materials. */
uint32_t lode__material_contacts(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b);

/* The side that contacts of these two shapes do not move, by what they are made of as a whole: a
 * lode_immovable. */
int lode__material_immovable(const lode__collide *collide, uint32_t shape_a, uint32_t shape_b);

/* Does it say anything? */
bool lode__special_is_needed(const lode__special *s);

#endif
