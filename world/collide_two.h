/* collide_two.h: what asking for two shapes, for many pairs, and for a set of pairs share.
 *
 * Shapes are asked about in the order in which a step has them, that of their slots, whatever order
 * the caller names them in; what comes out is turned over for him where his is the other. So both
 * orders get the same answer. A method need not be symmetric for that, and neither is rounding. */
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

/* All pairs, from their handles on; and pair k, whose handles are good, by the general methods, in
 * the order of a step: its points are not turned. False after a report. */
bool lode__many_collide(lode__many_run *run, uint32_t count);
bool lode__many_collide_slowly(lode__many_run *run, uint32_t k);

/* Frees what the run holds and returns how many pairs have points; none if it was not done. */
int lode__many_end(lode__many_run *run, int count, bool done);

/* Null options. */
extern const lode_collide_options lode__collide_defaults;

/* The shapes of a pair are exchanged before they are asked about. Those of two worlds may have one
 * slot; then the worlds decide. */
static inline bool shapes_turn(lode_shape a, lode_shape b)
{
    uint64_t slot_first_a = a.id << 40 | a.id >> 24, slot_first_b = b.id << 40 | b.id >> 24;
    return slot_first_a > slot_first_b;
}

/* Points of exchanged shapes, as the caller sees them. */
static inline void turn_points(lode_collide_point *points, int count)
{
    for (int i = 0; i < count; ++i) {
        int child = points[i].child_a;
        points[i].child_a = points[i].child_b;
        points[i].child_b = child;
        points[i].normal = v3_neg(points[i].normal);
    }
}

/* Those of pair k of an ask for many, if there is room for points. */
static inline void turn_lane(const lode__lane_ask *ask, uint32_t k)
{
    if (ask->capacity > 0)
        turn_points(lane_points(ask, k), ask->counts[k]);
}

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

enum { LODE__KEY_OF_NONE = 2 * (LODE_PLANE * LODE_SHAPE_TYPE_COUNT + LODE_PLANE) };

/* Finds both in the order of a step. 2 cell, and 1 more if all is centered; LODE__PAIR_KEYS after a
 * report of a bad handle. A shape and itself have the key of two planes, which never meet. */
static inline uint32_t open_pair(const lode__shape_finder *finder, const lode_shape_pair *pair,
                                 const char *function, const char *argument, lode__lane_pair *out)
{
    bool turn = shapes_turn(pair->a, pair->b);
    bool good_a = find_shape(finder, pair->a, turn ? &out->b : &out->a);
    if (!good_a || !find_shape(finder, pair->b, turn ? &out->a : &out->b)) {
        lode__refuse_shape(good_a ? pair->b : pair->a, function, argument);
        return LODE__PAIR_KEYS;
    }
    if (pair->a.id == pair->b.id)
        return LODE__KEY_OF_NONE;
    bool centered = lane_is_centered(out->a.geometry) && lane_is_centered(out->b.geometry);
    return 2 * (out->a.geometry->type * LODE_SHAPE_TYPE_COUNT + out->b.geometry->type) + centered;
}

static inline const lode__lane_cell *cell_of_key(uint32_t key)
{
    return lode__lane_cell_of(key / 2 / LODE_SHAPE_TYPE_COUNT, key / 2 % LODE_SHAPE_TYPE_COUNT);
}

#endif
