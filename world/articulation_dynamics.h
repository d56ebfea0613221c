/* articulation_dynamics.h: what the two files about the dynamics of articulations for controllers
 * share. */
#ifndef LODE_WORLD_ARTICULATION_DYNAMICS_H
#define LODE_WORLD_ARTICULATION_DYNAMICS_H

#include "lode/articulation_dynamics.h"
#include "world/articulation.h"

/* articulation_cache.c: which articulation and structure a cache is for. */
uint64_t lode__cache_version(const lode__world *world, uint32_t articulation);

/* An articulation in the simulation, and a cache that fits it. */
lode_status lode__open_cache(lode__object *out, lode__model **out_model,
                             lode_articulation articulation, const lode_articulation_cache *cache,
                             const char *function);

#endif
