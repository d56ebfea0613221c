/* two_lanes.h: pairs that have kernels, asked about apart from any step: one, or eight at a time.
 *
 * What a step does with them, without its memory: shapes are where their bodies are now, and
 * points go to the caller's array. Most shapes lie in the middle of their bodies and turn with
 * them, and are read where they lie; others are placed first. */
#ifndef LODE_COLLIDE_TWO_LANES_H
#define LODE_COLLIDE_TWO_LANES_H

#include "collide/collide.h"
#include "collide/pair_queue.h"
#include "collide/place.h"
#include "lode/collide.h"

#include <string.h>

/* A shape: its size, as in its geometry, and where its body is. */
typedef struct lode__lane_shape {
    const lode_real *size;
    const lode__pose *body;
    const lode__geometry *geometry;
} lode__lane_shape;

typedef struct lode__lane_pair {
    lode__lane_shape a, b;
} lode__lane_pair;

static inline lode__lane_shape lane_shape_of(const lode__collide *collide, const lode__pool *bodies,
                                             uint32_t shape)
{
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    return (lode__lane_shape){geometry->size, LODE__AT(body, bodies, pose, geometry->body),
                              geometry};
}

/* True for what the functions below answer. */
static inline bool lanes_answer(const lode__lane_cell *cell, lode_collide_choice choice)
{
    return cell->any && (choice == LODE_COLLIDE_REDUCED || choice == LODE_COLLIDE_ANY);
}

/* There is room for all that the cell's kernel may find: it writes to the caller's array itself. */
static inline bool lanes_have_room(const lode__lane_ask *ask, const lode__lane_cell *cell)
{
    return !ask->any && ask->capacity >= cell->most;
}

/* The kernel tells of all points and some are chosen then, where there is no room. Not of boxes:
 * most of their pairs have as many as there may be, and would be computed twice. */
static inline bool lanes_can_tell(const lode__lane_ask *ask, const lode__lane_cell *cell)
{
    return !cell->boxes || lanes_have_room(ask, cell);
}

static inline lode__tell_one_fn *lanes_tell_one(const lode__collide_kernels *kernels,
                                                const lode__lane_cell *cell)
{
    return lode__tell_one_of(kernels, cell->kind, cell->swapped);
}

/* Without that room: all points are told elsewhere first. */
void lode__lane_tell_cut(const lode__lane_ask *ask, lode__tell_fn *tell,
                         const lode__lane_cell *cell, const lode__pair_sources *from);

/* Pairs of a cell by its kernel, which can tell. */
static inline void lanes_tell(const lode__lane_ask *ask, lode__tell_fn *tell,
                              const lode__lane_cell *cell, const lode__pair_sources *from)
{
    if (lanes_have_room(ask, cell))
        tell(from, 1, 0, ask);
    else
        lode__lane_tell_cut(ask, tell, cell, from);
}

/* A pair at a place among others of its cell, all of shapes that are centered. */
static inline void lanes_put(lode__pair_sources *to, int lane, const lode__card *a,
                             const lode__card *b, uint32_t name)
{
    to->size[0][lane] = a->size;
    to->body[0][lane] = (const lode_real *)a->body;
    to->size[1][lane] = b->size;
    to->body[1][lane] = (const lode_real *)b->body;
    to->name[lane] = name;
}

/* It joins them. */
static inline void lanes_add(lode__pair_sources *to, const lode__card *a, const lode__card *b,
                             uint32_t name)
{
    lanes_put(to, to->used++, a, b, name);
}

/* One pair; its number is 0. */
void lode__lane_ask_one(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, const lode__lane_pair *pair);

enum { LODE__LANE_BLOCK = 256 };

/* Those of at most LODE__LANE_BLOCK pairs that `order` picks, all of one cell, and all or not all
 * of shapes that are centered. `names` are their numbers. */
void lode__lane_ask_many(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                         const lode__lane_cell *cell, bool centered, const lode__lane_pair *pairs,
                         const uint32_t *names, const uint16_t *order, uint32_t count);

/* Eight pairs or fewer that stand ready. */
typedef struct lode__pair_group {
    lode__pair_sources from; /* its sizes are those below */
    lode__lanes sizes[8];
} lode__pair_group;

/* Pairs that stand ready in groups, all of one cell and all centered, or not; each group is filled
 * up. Sizes begin their geometries: places are found on the spot, where there are any. */
void lode__lane_ask_groups(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                           const lode__lane_cell *cell, const lode__pair_group *groups,
                           uint32_t count);

#endif
