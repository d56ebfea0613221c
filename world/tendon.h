/* tendon.h: tendons and mimic joints as pools of the world: what tendon.c, tendon_parts.c and
 * mimic.c share, and what articulations ask of them. Their mathematics is
 * solver/articulation/tendons.c. */
#ifndef LODE_WORLD_TENDON_H
#define LODE_WORLD_TENDON_H

#include "core/tendons.h"
#include "world/articulation.h"

#define TENDON(world, component, slot) LODE__AT(tendon, &(world)->tendons, component, slot)
#define PART(world, component, slot) LODE__AT(tendon_part, &(world)->tendon_parts, component, slot)
#define MIMIC(world, component, slot) LODE__AT(mimic, &(world)->mimics, component, slot)

#define EACH_TENDON(world, articulation, tendon) \
    for (uint32_t tendon = ARTICULATION(world, head, articulation)->first_tendon; \
         tendon != LODE__NONE; tendon = TENDON(world, tie, tendon)->next)
#define EACH_PART(world, tendon, part) \
    for (uint32_t part = TENDON(world, tie, tendon)->first_part; part != LODE__NONE; \
         part = PART(world, tie, part)->next)
#define EACH_MIMIC(world, articulation, mimic) \
    for (uint32_t mimic = ARTICULATION(world, head, articulation)->first_mimic; \
         mimic != LODE__NONE; mimic = MIMIC(world, tie, mimic)->next)

lode_status lode__open_tendon(lode__object *out, lode_tendon tendon, const char *function);
lode_status lode__open_mimic(lode__object *out, lode_mimic mimic, const char *function);
bool lode__find_tendon(lode__object *out, lode_tendon tendon);
bool lode__find_mimic(lode__object *out, lode_mimic mimic);

void lode__tendons_init(lode__world *world, uint32_t first_generation);
void lode__tendons_free(lode__world *world);
size_t lode__tendons_bytes(const lode__world *world);
uint64_t lode__tendons_hash(const lode__world *world, uint64_t seed);

/* Ends all of an articulation; and does any hold this link? */
void lode__tendons_end(lode__world *world, uint32_t articulation);
bool lode__tendons_hold(const lode__world *world, uint32_t articulation, uint32_t link);

/* Numbers of limits of a line, and stiffnesses, are possible. */
lode_status lode__tendon_check_line(lode_real rest, lode_real lo, lode_real hi,
                                    const char *function, const char *argument);

/* A link of the articulation, as the slot of that link. */
lode_status lode__tendon_find_link(const lode__world *world, uint32_t articulation, lode_body link,
                                   uint32_t *out, const char *function, const char *argument);

/* The same whose joint has this axis free. */
lode_status lode__tendon_find_axis(const lode__world *world, uint32_t articulation, lode_body link,
                                   lode_link_axis_index axis, uint32_t *out, const char *function,
                                   const char *link_argument, const char *axis_argument);

#endif
