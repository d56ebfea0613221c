/* ahead_mesh.h: solids on meshes among the pairs of a block (ahead.h). They wait for each other, as
 * pairs of a step do (collide/many_flow.c), and keep the triangles that are near from walk to
 * walk. */
#ifndef LODE_ODE_COLLISION_AHEAD_MESH_H
#define LODE_ODE_COLLISION_AHEAD_MESH_H

#include "ode/collision/space.h"

#include "collide/two.h"

enum { LODE__ODE_AHEAD_BLOCK = 128, LODE__ODE_AHEAD_POINTS = 8 * LODE__ODE_AHEAD_BLOCK };

/* What the pairs of a block touch with, all that dCollide() chooses from. */
typedef struct lode__ode_mesh_block {
    lode__pose around[LODE__ODE_AHEAD_BLOCK][2]; /* shapes from where their bodies are */
    bool known[LODE__ODE_AHEAD_BLOCK];
    uint16_t first[LODE__ODE_AHEAD_BLOCK], count[LODE__ODE_AHEAD_BLOCK];
    uint32_t point_count;
    lode__two_point points[LODE__ODE_AHEAD_POINTS];
} lode__ode_mesh_block;

/* A pair of the block. */
typedef struct lode__ode_mesh_pair {
    dGeomID a, b;
    const lode__pose *pose[2];
    lode_real gap;
    uint16_t at; /* place in the block */
} lode__ode_mesh_pair;

/* Fills in the block for these pairs; nothing is known so far. */
void lode__ode_mesh_compute(dSpaceID space, const lode__ode_mesh_pair *pairs, uint32_t count,
                            lode__ode_mesh_block *out);

/* Is it a pair that can be computed so? */
bool lode__ode_meets_mesh(dGeomID a, dGeomID b);

#endif
