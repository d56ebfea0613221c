/* collide_two.c: what two shapes touch with, and many pairs of them; see lode/collide.h.
 *
 * Many pairs are looked at in blocks. In each the handles are opened, the pairs ordered by the
 * cell of the narrow phase's matrix that they belong to, and those of one cell answered together.
 * The order within a cell is that of the array. */
#include "collide/two.h"
#include "collide/two_lanes.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/world.h"

#include <string.h>

static const lode_collide_options defaults = {LODE_COLLIDE_REDUCED, 0};

static lode_status check_options(const lode_collide_options *options, const char *function)
{
    lode_status status = lode__check((unsigned)options->choice < LODE_COLLIDE_CHOICE_COUNT,
                                     function, "options.choice", "is no choice");
    return status ? status
                  : lode__check(is_at_least(options->margin, 0), function, "options.margin",
                                "must be finite and at least 0");
}

static lode__lane_ask make_ask(const lode__world *world, const lode_collide_options *options,
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

/* By the general methods; -1 without memory. */
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

int lode_shape_collide(lode_shape shape_a, lode_shape shape_b, const lode_collide_options *options,
                       lode_collide_point *out_points, int capacity)
{
    lode__object a, b;
    options = options ? options : &defaults;
    if (lode__open_shape(&a, shape_a, __func__) || lode__open_shape(&b, shape_b, __func__) ||
        check_options(options, __func__) ||
        lode__check_capacity(out_points, capacity, __func__, "out_points"))
        return 0;
    lode__lane_pair pair = {lane_shape_of(&a.world->collide, &a.world->bodies, a.slot),
                            lane_shape_of(&b.world->collide, &b.world->bodies, b.slot)};
    const lode__lane_cell *cell = lode__lane_cell_of(pair.a.geometry->type, pair.b.geometry->type);
    int count;
    if (lanes_answer(cell, options->choice)) {
        lode__lane_ask ask = make_ask(a.world, options, out_points, capacity, &count);
        lode__lane_ask_one(&ask, cell, &pair);
        return count;
    }
    lode__two_list list = {.items = NULL};
    count = collide_slowly(&a, &b, options, &list, out_points, capacity);
    free_list(&list);
    if (count < 0)
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    return count < 0 ? 0 : count;
}

/* --- many pairs */

enum { BLOCK = LODE__LANE_BLOCK, CELLS = LODE_SHAPE_TYPE_COUNT * LODE_SHAPE_TYPE_COUNT };

typedef struct many_run {
    lode__world *world;
    const lode_shape_pair *pairs;
    const lode_collide_options *options;
    lode__lane_ask ask;
    lode__two_list list;
} many_run;

/* The pairs of a block, and their order by cells. */
typedef struct many_block {
    lode__lane_pair pairs[BLOCK];
    uint8_t cell[BLOCK];
    uint16_t order[BLOCK];
    uint32_t ends[CELLS]; /* of each cell in the order */
} many_block;

/* What it takes to find a shape, at hand: the compiler cannot know that nothing below changes it. */
typedef struct shape_finder {
    lode__chunk *const *chunks, *const *body_chunks;
    const uint64_t *alive;
    uint64_t entry; /* of the world, as in handles */
    uint32_t end;
} shape_finder;

static shape_finder make_finder(const lode__world *world)
{
    const lode__pool *shapes = &world->collide.shapes;
    return (shape_finder){.chunks = shapes->chunks,
                          .body_chunks = world->bodies.chunks,
                          .alive = shapes->alive.words,
                          .entry = (uint64_t)(world->entry + 1) << 24,
                          .end = shapes->end};
}

/* False: no shape of this world that lives, as lode__pool_holds() would say. */
static inline bool find_shape(const shape_finder *finder, lode_shape shape, lode__lane_shape *out)
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

static bool open_block(const many_run *run, uint32_t first, uint32_t count, const char *function,
                       many_block *out)
{
    shape_finder finder = make_finder(run->world);
    memset(out->ends, 0, sizeof out->ends);
    for (uint32_t i = 0; i < count; ++i) {
        const lode_shape_pair *pair = &run->pairs[first + i];
        lode__lane_shape a, b;
        bool good_a = find_shape(&finder, pair->a, &a);
        if (!good_a || !find_shape(&finder, pair->b, &b)) {
            lode__refuse_shape(good_a ? pair->b : pair->a, function, "pairs");
            return false;
        }
        out->pairs[i] = (lode__lane_pair){a, b};
        uint32_t cell = a.geometry->type * LODE_SHAPE_TYPE_COUNT + b.geometry->type;
        out->cell[i] = (uint8_t)cell;
        ++out->ends[cell];
    }
    return true;
}

/* By counting. */
static void order_block(many_block *block, uint32_t count)
{
    uint32_t at = 0;
    for (int cell = 0; cell < CELLS; ++cell) {
        uint32_t here = block->ends[cell];
        block->ends[cell] = at;
        at += here;
    }
    for (uint32_t i = 0; i < count; ++i)
        block->order[block->ends[block->cell[i]]++] = (uint16_t)i;
}

static bool collide_each(many_run *run, const uint16_t *order, uint32_t count, uint32_t first)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = first + order[i];
        lode__object a = {run->world, id_slot(run->pairs[k].a.id)};
        lode__object b = {run->world, id_slot(run->pairs[k].b.id)};
        int found = collide_slowly(&a, &b, run->options, &run->list, lane_points(&run->ask, k),
                                   run->ask.capacity);
        if (found < 0)
            return false;
        run->ask.counts[k] = found;
    }
    return true;
}

static bool collide_block(many_run *run, const many_block *block, uint32_t first)
{
    uint32_t begin = 0;
    for (uint32_t c = 0; c < CELLS; ++c) {
        uint32_t count = block->ends[c] - begin;
        const uint16_t *order = &block->order[begin];
        const lode__lane_cell *cell = lode__lane_cell_of(c / LODE_SHAPE_TYPE_COUNT,
                                                         c % LODE_SHAPE_TYPE_COUNT);
        begin = block->ends[c];
        if (count > 0 && lanes_answer(cell, run->options->choice))
            lode__lane_ask_many(&run->ask, run->world->collide.kernels, cell, block->pairs, order,
                                count, first);
        else if (count > 0 && !collide_each(run, order, count, first))
            return false;
    }
    return true;
}

static bool collide_blocks(many_run *run, uint32_t count, const char *function)
{
    many_block block;
    for (uint32_t first = 0; first < count; first += BLOCK) {
        uint32_t here = count - first < BLOCK ? count - first : BLOCK;
        if (!open_block(run, first, here, function, &block))
            return false;
        order_block(&block, here);
        if (!collide_block(run, &block, first)) {
            lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
            return false;
        }
    }
    return true;
}

int lode_world_collide_pairs(lode_world world, const lode_shape_pair *pairs, int pair_count,
                             const lode_collide_options *options, lode_collide_point *out_points,
                             int capacity, int *out_counts)
{
    lode__world *w;
    options = options ? options : &defaults;
    if (lode__check(pair_count >= 0, __func__, "pair_count", "must be at least 0") ||
        lode__check(pairs || pair_count == 0, __func__, "pairs", "must not be null") ||
        lode__check(out_counts || pair_count == 0, __func__, "out_counts", "must not be null") ||
        lode__check_capacity(pair_count > 0 ? (void *)out_points : &w, capacity, __func__,
                             "out_points"))
        return 0;
    if (pair_count > 0)
        memset(out_counts, 0, (size_t)pair_count * sizeof *out_counts);
    if (lode__open_world(&w, world, __func__) || check_options(options, __func__))
        return 0;
    many_run run = {.world = w, .pairs = pairs, .options = options};
    run.ask = make_ask(w, options, out_points, capacity, out_counts);
    bool done = collide_blocks(&run, (uint32_t)pair_count, __func__);
    free_list(&run.list);
    int touching = 0;
    for (int i = 0; i < pair_count; ++i) {
        out_counts[i] = done ? out_counts[i] : 0;
        touching += out_counts[i] > 0;
    }
    return touching;
}
