/* articulation_dynamics.h: what the files about the dynamics of articulations for controllers
 * share. */
#ifndef LODE_WORLD_ARTICULATION_DYNAMICS_H
#define LODE_WORLD_ARTICULATION_DYNAMICS_H

#include "lode/articulation_dynamics.h"
#include "solver/articulation/dynamics.h"
#include "world/articulation.h"

/* articulation_cache.c: which articulation and structure a cache is for. */
uint64_t lode__cache_version(const lode__world *world, uint32_t articulation);

/* An articulation in the simulation, and a cache that fits it. */
lode_status lode__open_cache(lode__object *out, lode__model **out_model,
                             lode_articulation articulation, const lode_articulation_cache *cache,
                             const char *function);

/* articulation_dynamics.c: what a model's scratch is divided into. */
typedef struct lode__dynamics_desk {
    lode_real *m, *c, *x; /* square, and two of all dofs */
    lode__mb_wrench *forces;
    lode_vec3 *gravity;
    void *scratch;
} lode__dynamics_desk;

/* What a function works on. */
typedef struct lode__dynamics_task {
    lode__world *world;
    uint32_t slot;
    lode__model *model;
    const lode__multibody *body;
    const lode__mb_plan *plan;
    uint32_t all, joints; /* dofs with the root's and without */
    lode__dynamics_desk desk;
} lode__dynamics_task;

/* Of an articulation that is prepared, and a cache that fits it. */
lode_status lode__dynamics_open(lode__dynamics_task *out, lode_articulation articulation,
                                const lode_articulation_cache *cache, const char *function);

/* Joints' speeds are the cache's, the root's those of the body. */
void lode__dynamics_use_speeds(const lode__dynamics_task *t, const lode_articulation_cache *cache);

/* Weights of all links, as forces. */
const lode__mb_wrench *lode__dynamics_weights(const lode__dynamics_task *t);

/* Efforts of joints from those of all dofs, nothing bearing the root. */
void lode__dynamics_free_efforts(const lode__dynamics_task *t, const lode_real *all,
                                 lode_real *out_joints);

#endif
