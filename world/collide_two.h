/* collide_two.h: what asking for two shapes, for many pairs, and for a set of pairs share.
 *
 * Shapes are asked about in the order in which a step has them, that of their slots, whatever order
 * the caller names them in; what comes out is turned over for him where his is the other. So both
 * orders get the same answer. A method need not be symmetric for that, and neither is rounding. */
#ifndef LODE_WORLD_COLLIDE_TWO_H
#define LODE_WORLD_COLLIDE_TWO_H

#include "collide/two.h"
#include "collide/two_lanes.h"
#include "world/card.h"
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

static inline lode__lane_ask make_lane_ask(const lode__world *world,
                                           const lode_collide_options *options,
                                           lode_collide_point *out_points, int capacity,
                                           int *out_counts)
{
    return (lode__lane_ask){
        .any = options->choice == LODE_COLLIDE_ANY,
        .margin = options->margin,
        .speculative = r_max(LODE__SPECULATIVE(&world->def), options->margin),
        .points = out_points,
        .counts = out_counts,
        .capacity = capacity,
    };
}

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

/* The handles of a pair in the order of a step, and its shapes' cards. */
typedef struct lode__card_pair {
    uint64_t id_a, id_b;
    const lode__card *a, *b;
} lode__card_pair;

/* False: not both are shapes of this world that live. Ids that no world has ever given out may lead
 * to kind 0. */
static inline bool find_pair(const lode__card_finder *finder, uint64_t id_a, uint64_t id_b,
                             lode__card_pair *out)
{
    const lode__card *a = find_card(finder, id_a), *b = find_card(finder, id_b);
    *out = (lode__card_pair){id_a, id_b, a, b};
    return a && b;
}

static inline lode__lane_pair lane_pair_of(const lode__card_finder *finder,
                                           const lode__card_pair *pair)
{
    return (lode__lane_pair){lane_shape_of_card(finder, pair->id_a, pair->a),
                             lane_shape_of_card(finder, pair->id_b, pair->b)};
}

void lode__refuse_pair(const lode__card_finder *finder, const lode_shape_pair *pair,
                       const char *function, const char *argument);

enum { LODE__KEY_OF_NONE = 2 * (LODE_PLANE * LODE_SHAPE_TYPE_COUNT + LODE_PLANE) };

static inline uint32_t key_of_kinds(uint32_t a, uint32_t b)
{
    return 2 * (kind_type(a) * LODE_SHAPE_TYPE_COUNT + kind_type(b)) + (a & b & 1);
}

/* Finds both in the order of a step. 2 cell, and 1 more if all is centered; LODE__PAIR_KEYS after a
 * report of a bad handle. A shape and itself have the key of two planes, which never meet. */
static inline uint32_t open_pair(const lode__card_finder *finder, const lode_shape_pair *pair,
                                 const char *function, const char *argument, lode__lane_pair *out)
{
    bool turn = shapes_turn(pair->a, pair->b);
    lode__card_pair found;
    if (!find_pair(finder, turn ? pair->b.id : pair->a.id, turn ? pair->a.id : pair->b.id,
                   &found) ||
        !card_kind(found.a) || !card_kind(found.b)) {
        lode__refuse_pair(finder, pair, function, argument);
        return LODE__PAIR_KEYS;
    }
    *out = lane_pair_of(finder, &found);
    return pair->a.id == pair->b.id ? LODE__KEY_OF_NONE
                                    : key_of_kinds(card_kind(found.a), card_kind(found.b));
}

static inline const lode__lane_cell *cell_of_key(uint32_t key)
{
    return lode__lane_cell_of(key / 2 / LODE_SHAPE_TYPE_COUNT, key / 2 % LODE_SHAPE_TYPE_COUNT);
}

#endif
