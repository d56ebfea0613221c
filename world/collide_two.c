/* collide_two.c: what two shapes touch with, and many pairs of them; see lode/collide.h.
 *
 * Many pairs are looked at in blocks. In each the handles are opened, the pairs ordered by the
 * cell of the narrow phase's matrix that they belong to, and those of one cell answered together.
 * The order within a cell is that of the array. */
#include "world/collide_two.h"

#include "core/memory.h"
#include "world/check.h"

#include <string.h>

const lode_collide_options lode__collide_defaults = {LODE_COLLIDE_REDUCED, 0};

static lode_status check_options(const lode_collide_options *options, const char *function)
{
    lode_status status = lode__check((unsigned)options->choice < LODE_COLLIDE_CHOICE_COUNT,
                                     function, "options.choice", "is no choice");
    return status ? status
                  : lode__check(is_at_least(options->margin, 0), function, "options.margin",
                                "must be finite and at least 0");
}

lode__lane_ask lode__make_lane_ask(const lode__world *world, const lode_collide_options *options,
                                   lode_collide_point *out_points, int capacity, int *out_counts)
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

/* By the general methods; -1 without memory. Of a shape and itself none. */
static int collide_slowly(const lode__object *a, const lode__object *b,
                          const lode_collide_options *options, lode__two_list *list,
                          lode_collide_point *out_points, int capacity)
{
    lode__two two = {.a = SHAPE(a->world, geometry, a->slot),
                     .b = SHAPE(b->world, geometry, b->slot),
                     .place_a = lode__place_of(&a->world->collide, &a->world->bodies, a->slot),
                     .place_b = lode__place_of(&b->world->collide, &b->world->bodies, b->slot),
                     .speculative = LODE__SPECULATIVE(&a->world->def)};
    if (a->world == b->world) {
        two.gate_a = lode__gate_of(&a->world->collide, a->slot, b->slot);
        two.gate_b = lode__gate_of(&a->world->collide, b->slot, a->slot);
    }
    list->count = 0;
    if (a->world == b->world && a->slot == b->slot)
        return 0;
    if (!lode__two_touch(&two, a->world->collide.kernels, options->choice, options->margin, list))
        return -1;
    int count = (int)lode__two_choose(list, options->choice,
                                      capacity > 0 ? (uint32_t)capacity : list->count);
    for (int i = 0; i < count && i < capacity; ++i)
        out_points[i] = two_show(two.place_a.body, &list->items[i]);
    return count;
}

static void free_list(lode__two_list *list)
{
    lode__free(list->items, list->capacity * sizeof *list->items);
}

/* Two good shapes of one world that may be asked about now, the quick way. Null says nothing:
 * lode__open_shape() finds out. */
static inline lode__world *find_two(lode_shape a, lode_shape b, lode__lane_pair *out)
{
    lode__world *world = lode__registry_world_of_object(a.id);
    if (!world || world->in_step || world->open.next != 0)
        return NULL;
    lode__shape_finder finder = make_finder(world);
    return find_shape(&finder, a, &out->a) && find_shape(&finder, b, &out->b) ? world : NULL;
}

static bool accept_one(const lode_collide_options *options, const void *out_points, int capacity,
                       const char *function)
{
    return (options == &lode__collide_defaults || !check_options(options, function)) &&
           ((out_points && capacity >= 0) ||
            !lode__check_capacity(out_points, capacity, function, "out_points"));
}

/* By the cell's kernel, or one of the general methods. */
static int collide_lanes(lode__world *world, const lode__lane_cell *cell,
                         const lode__lane_pair *pair, const lode_collide_options *options,
                         lode_collide_point *out_points, int capacity)
{
    int count = 0;
    lode__lane_ask ask = lode__make_lane_ask(world, options, out_points, capacity, &count);
    lode__lane_ask_one(&ask, world->collide.kernels, cell, pair);
    return count;
}

static int collide_objects(lode_shape shape_a, lode_shape shape_b,
                           const lode_collide_options *options, lode_collide_point *out_points,
                           int capacity, const char *function)
{
    lode__object a, b;
    if (lode__open_shape(&a, shape_a, function) || lode__open_shape(&b, shape_b, function) ||
        !accept_one(options, out_points, capacity, function))
        return 0;
    if (shape_a.id == shape_b.id)
        return 0;
    lode__lane_pair pair = {lane_shape_of(&a.world->collide, &a.world->bodies, a.slot),
                            lane_shape_of(&b.world->collide, &b.world->bodies, b.slot)};
    const lode__lane_cell *cell = lode__lane_cell_of(pair.a.geometry->type, pair.b.geometry->type);
    if (lanes_answer(cell, options->choice))
        return collide_lanes(a.world, cell, &pair, options, out_points, capacity);
    lode__two_list list = {.items = NULL};
    int count = collide_slowly(&a, &b, options, &list, out_points, capacity);
    free_list(&list);
    if (count < 0)
        lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
    return count < 0 ? 0 : count;
}

/* In the order of a step. */
static int collide_ordered(lode_shape shape_a, lode_shape shape_b,
                           const lode_collide_options *options, lode_collide_point *out_points,
                           int capacity, const char *function)
{
    lode__lane_pair pair;
    lode__world *world = shape_a.id == shape_b.id ? NULL : find_two(shape_a, shape_b, &pair);
    if (world) {
        const lode__lane_cell *cell = lode__lane_cell_of(pair.a.geometry->type,
                                                         pair.b.geometry->type);
        if (!accept_one(options, out_points, capacity, function))
            return 0;
        if (lanes_answer(cell, options->choice))
            return collide_lanes(world, cell, &pair, options, out_points, capacity);
    }
    return collide_objects(shape_a, shape_b, options, out_points, capacity, function);
}

int lode_shape_collide(lode_shape shape_a, lode_shape shape_b, const lode_collide_options *options,
                       lode_collide_point *out_points, int capacity)
{
    options = options ? options : &lode__collide_defaults;
    bool turn = shapes_turn(shape_a, shape_b);
    int count = collide_ordered(turn ? shape_b : shape_a, turn ? shape_a : shape_b, options,
                                out_points, capacity, __func__);
    if (turn && capacity > 0)
        turn_points(out_points, count);
    return count;
}

/* --- many pairs */

enum { BLOCK = LODE__LANE_BLOCK };

/* The pairs of a block, their order by cells, and those that have been turned. */
typedef struct many_block {
    lode__lane_pair pairs[BLOCK];
    uint8_t key[BLOCK];
    uint16_t order[BLOCK];
    uint16_t ends[LODE__PAIR_KEYS]; /* of each key in the order */
    uint16_t turned[BLOCK];
    uint32_t turned_count;
} many_block;

static bool open_block(const lode__many_run *run, uint32_t first, uint32_t count, many_block *out)
{
    lode__shape_finder finder = make_finder(run->world);
    memset(out->ends, 0, sizeof out->ends);
    out->turned_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const lode_shape_pair *pair = &run->pairs[first + i];
        uint32_t key = open_pair(&finder, pair, run->function, run->argument, &out->pairs[i]);
        if (key == LODE__PAIR_KEYS)
            return false;
        out->turned[out->turned_count] = (uint16_t)i;
        out->turned_count += shapes_turn(pair->a, pair->b);
        out->key[i] = (uint8_t)key;
        ++out->ends[key];
    }
    return true;
}

/* By counting. */
static void order_block(many_block *block, uint32_t count)
{
    uint32_t at = 0;
    for (int key = 0; key < LODE__PAIR_KEYS; ++key) {
        uint32_t here = block->ends[key];
        block->ends[key] = (uint16_t)at;
        at += here;
    }
    for (uint32_t i = 0; i < count; ++i)
        block->order[block->ends[block->key[i]]++] = (uint16_t)i;
}

bool lode__many_collide_slowly(lode__many_run *run, uint32_t k)
{
    const lode_shape_pair *pair = &run->pairs[k];
    lode__object a = {run->world, id_slot(pair->a.id)}, b = {run->world, id_slot(pair->b.id)};
    bool turn = shapes_turn(pair->a, pair->b);
    int found = collide_slowly(turn ? &b : &a, turn ? &a : &b, run->options, &run->list,
                               lane_points(&run->ask, k), run->ask.capacity);
    if (found < 0) {
        lode__error(LODE_ERROR_MEMORY, run->function, "", "out of memory");
        return false;
    }
    run->ask.counts[k] = found;
    return true;
}

static bool collide_each(lode__many_run *run, const uint16_t *order, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < count; ++i)
        if (!lode__many_collide_slowly(run, first + order[i]))
            return false;
    return true;
}

static bool collide_block(lode__many_run *run, const many_block *block, uint32_t first)
{
    uint32_t begin = 0;
    for (uint32_t key = 0; key < LODE__PAIR_KEYS; ++key) {
        uint32_t count = block->ends[key] - begin;
        if (count == 0)
            continue;
        const uint16_t *order = &block->order[begin];
        const lode__lane_cell *cell = cell_of_key(key);
        begin = block->ends[key];
        if (lanes_answer(cell, run->options->choice))
            lode__lane_ask_many(&run->ask, run->world->collide.kernels, cell, key & 1, block->pairs,
                                order, count, first);
        else if (!collide_each(run, order, count, first))
            return false;
    }
    for (uint32_t i = 0; i < block->turned_count; ++i)
        turn_lane(&run->ask, first + block->turned[i]);
    return true;
}

bool lode__many_collide(lode__many_run *run, uint32_t count)
{
    many_block block;
    for (uint32_t first = 0; first < count; first += BLOCK) {
        uint32_t here = count - first < BLOCK ? count - first : BLOCK;
        if (!open_block(run, first, here, &block))
            return false;
        order_block(&block, here);
        if (!collide_block(run, &block, first))
            return false;
    }
    return true;
}

bool lode__many_check(const lode_collide_options *options, const void *pairs, int pair_count,
                      const void *out_points, int capacity, int *out_counts, const char *function)
{
    if (lode__check(pair_count >= 0, function, "pair_count", "must be at least 0") ||
        lode__check(pairs || pair_count == 0, function, "pairs", "must not be null") ||
        lode__check(out_counts || pair_count == 0, function, "out_counts", "must not be null") ||
        lode__check_capacity(pair_count > 0 ? out_points : &pair_count, capacity, function,
                             "out_points"))
        return false;
    if (pair_count > 0)
        memset(out_counts, 0, (size_t)pair_count * sizeof *out_counts);
    return !check_options(options, function);
}

int lode__many_end(lode__many_run *run, int count, bool done)
{
    int *counts = run->ask.counts, touching = 0;
    free_list(&run->list);
    if (!done && count > 0)
        memset(counts, 0, (size_t)count * sizeof *counts);
    for (int i = 0; i < count; ++i)
        touching += counts[i] > 0;
    return touching;
}

int lode_world_collide_pairs(lode_world world, const lode_shape_pair *pairs, int pair_count,
                             const lode_collide_options *options, lode_collide_point *out_points,
                             int capacity, int *out_counts)
{
    lode__world *w;
    options = options ? options : &lode__collide_defaults;
    if (!lode__many_check(options, pairs, pair_count, out_points, capacity, out_counts, __func__) ||
        lode__open_world(&w, world, __func__))
        return 0;
    lode__many_run run = {
        .world = w, .pairs = pairs, .options = options, .function = __func__, .argument = "pairs"};
    run.ask = lode__make_lane_ask(w, options, out_points, capacity, out_counts);
    return lode__many_end(&run, pair_count, lode__many_collide(&run, (uint32_t)pair_count));
}
