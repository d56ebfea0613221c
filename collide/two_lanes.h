/* two_lanes.h: pairs that have kernels, asked about apart from any step: one, or eight at a time.
 *
 * What a step does with them, without its memory: shapes are where their bodies are now, and
 * points go to the caller's array. Most shapes lie in the middle of their bodies and turn with
 * them, and are read where they lie; others are placed first. */
#ifndef LODE_COLLIDE_TWO_LANES_H
#define LODE_COLLIDE_TWO_LANES_H

#include "collide/collide.h"
#include "collide/pair_queue.h"
#include "lode/collide.h"

typedef struct lode__lane_ask {
    bool any;              /* one point is enough */
    lode_real margin;      /* points of depth above -margin */
    lode_real speculative; /* at least that, and at least a step's */
    lode_collide_point
        *points; /* those of pair i begin at i * capacity; may be null if that is 0 */
    int *counts; /* of pair i; with capacity 0, how many there are */
    int capacity;
} lode__lane_ask;

static inline lode_collide_point *lane_points(const lode__lane_ask *ask, uint32_t pair)
{
    return ask->capacity > 0 ? ask->points + (size_t)pair * (size_t)ask->capacity : NULL;
}

/* A shape and its body's centre of mass. */
typedef struct lode__lane_shape {
    const lode__geometry *geometry;
    const lode__pose *body;
} lode__lane_shape;

typedef struct lode__lane_pair {
    lode__lane_shape a, b;
} lode__lane_pair;

static inline lode__lane_shape lane_shape_of(const lode__collide *collide, const lode__pool *bodies,
                                             uint32_t shape)
{
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    return (lode__lane_shape){geometry, LODE__AT(body, bodies, pose, geometry->body)};
}

/* True for what the functions below answer. */
static inline bool lanes_answer(const lode__lane_cell *cell, lode_collide_choice choice)
{
    return cell->any && (choice == LODE_COLLIDE_REDUCED || choice == LODE_COLLIDE_ANY);
}

/* One pair; its number is 0. */
void lode__lane_ask_one(const lode__lane_ask *ask, const lode__lane_cell *cell,
                        const lode__lane_pair *pair);

enum { LODE__LANE_BLOCK = 256 };

/* Those of at most LODE__LANE_BLOCK pairs that `order` names, all of one cell. Their numbers begin
 * at `first`. */
void lode__lane_ask_many(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                         const lode__lane_cell *cell, const lode__lane_pair *pairs,
                         const uint16_t *order, uint32_t count, uint32_t first);

#endif
