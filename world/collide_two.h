/* collide_two.h: what asking for two shapes, for many pairs, and for a set of pairs share. */
#ifndef LODE_WORLD_COLLIDE_TWO_H
#define LODE_WORLD_COLLIDE_TWO_H

#include "collide/two.h"
#include "collide/two_lanes.h"
#include "world/world.h"

enum {
    LODE__CELLS = LODE_SHAPE_TYPE_COUNT * LODE_SHAPE_TYPE_COUNT,
    /* Pairs of a cell whose shapes are all centered stand apart from those whose shapes are not. */
    LODE__PAIR_KEYS = 2 * LODE__CELLS
};

/* Many pairs of one world, asked about in one call. */
typedef struct lode__many_run {
    lode__world *world;
    const lode_shape_pair *pairs;
    const lode_collide_options *options;
    lode__lane_ask ask;
    lode__two_list list;
    const char *function, *argument; /* for a report of a bad handle */
} lode__many_run;

/* The arguments of such a call. False after a report; then all counts are 0. */
bool lode__many_check(const lode_collide_options *options, const void *pairs, int pair_count,
                      const void *out_points, int capacity, int *out_counts, const char *function);

lode__lane_ask lode__make_lane_ask(const lode__world *world, const lode_collide_options *options,
                                   lode_collide_point *out_points, int capacity, int *out_counts);

/* All pairs, from their handles on; and pair k, whose handles are good, by the general methods.
 * False after a report. */
bool lode__many_collide(lode__many_run *run, uint32_t count);
bool lode__many_collide_slowly(lode__many_run *run, uint32_t k);

/* Frees what the run holds and returns how many pairs have points; none if it was not done. */
int lode__many_end(lode__many_run *run, int count, bool done);

/* Null options. */
extern const lode_collide_options lode__collide_defaults;

/* What it takes to find a shape, at hand: the compiler cannot know that nothing below changes it.
 */
typedef struct lode__shape_finder {
    lode__chunk *const *chunks, *const *body_chunks;
    const uint64_t *alive;
    uint64_t entry; /* of the world, as in handles */
    uint32_t end;
} lode__shape_finder;

static inline lode__shape_finder make_finder(const lode__world *world)
{
    const lode__pool *shapes = &world->collide.shapes;
    return (lode__shape_finder){.chunks = shapes->chunks,
                                .body_chunks = world->bodies.chunks,
                                .alive = shapes->alive.words,
                                .entry = (uint64_t)(world->entry + 1) << 24,
                                .end = shapes->end};
}

/* False: no shape of this world that lives, as lode__pool_holds() would say. */
static inline bool find_shape(const lode__shape_finder *finder, lode_shape shape,
                              lode__lane_shape *out)
{
    uint32_t slot = id_slot(shape.id), at = slot & LODE__CHUNK_MASK;
    if (slot >= finder->end || !(finder->alive[slot >> 6] >> (slot & 63) & 1))
        return false;
    const lode__chunk *chunk = finder->chunks[slot >> LODE__CHUNK_SHIFT];
    if ((finder->entry | chunk->generation[at]) != shape.id >> 24)
        return false;
    const lode__geometry *geometry = &((const lode__shape_chunk *)chunk)->geometry[at];
    const lode__chunk *bodies = finder->body_chunks[geometry->body >> LODE__CHUNK_SHIFT];
    out->geometry = geometry;
    out->body = &((const lode__body_chunk *)bodies)->pose[geometry->body & LODE__CHUNK_MASK];
    return true;
}

/* 2 cell, and 1 more if all is centered; LODE__PAIR_KEYS after a report of a bad handle. */
static inline uint32_t open_pair(const lode__shape_finder *finder, const lode_shape_pair *pair,
                                 const char *function, const char *argument, lode__lane_pair *out)
{
    bool good_a = find_shape(finder, pair->a, &out->a);
    if (!good_a || !find_shape(finder, pair->b, &out->b)) {
        lode__refuse_shape(good_a ? pair->b : pair->a, function, argument);
        return LODE__PAIR_KEYS;
    }
    bool centered = lane_is_centered(out->a.geometry) && lane_is_centered(out->b.geometry);
    return 2 * (out->a.geometry->type * LODE_SHAPE_TYPE_COUNT + out->b.geometry->type) + centered;
}

static inline const lode__lane_cell *cell_of_key(uint32_t key)
{
    return lode__lane_cell_of(key / 2 / LODE_SHAPE_TYPE_COUNT, key / 2 % LODE_SHAPE_TYPE_COUNT);
}

#endif
