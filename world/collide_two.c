/* collide_two.c: what two shapes touch with, and many pairs of them; see lode/collide.h.
 *
 * Of many pairs those that have a kernel wait, by the cell of the narrow phase's matrix that they
 * belong to, until eight are there. Where the last has filled its eight, the next are taken as they
 * come while they are of the same kinds. Those that take more, shapes that do not lie in the middle
 * of their bodies among them, gather in blocks; these are ordered by cells, and those of one cell
 * answered together, in the order of the array. */
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

/* Where they are, without asking which triangles count. */
static inline lode__two place_two(const lode__object *a, const lode__object *b)
{
    lode__two two; /* gates are filled in for those who look at them */
    two.reach = 0;
    two.a = SHAPE(a->world, geometry, a->slot);
    two.b = SHAPE(b->world, geometry, b->slot);
    two.place_a = lode__place_of(&a->world->collide, &a->world->bodies, a->slot);
    two.place_b = lode__place_of(&b->world->collide, &b->world->bodies, b->slot);
    two.speculative = LODE__SPECULATIVE(&a->world->def);
    return two;
}

/* All that a choice is made from; -1 without memory. */
static int collide_all(const lode__object *a, const lode__object *b, lode__two *two,
                       const lode_collide_options *options, lode__two_list *list,
                       lode_collide_point *out_points, int capacity)
{
    two->gate_a = two->gate_b = (lode__gate){0};
    two->parts = (lode__parts){0};
    if (a->world == b->world) {
        two->parts = lode__parts_of(&a->world->collide, a->slot, b->slot);
        two->gate_a = lode__gate_of(&a->world->collide, a->slot, b->slot);
        two->gate_b = lode__gate_of(&a->world->collide, b->slot, a->slot);
    }
    list->count = 0;
    if (!lode__two_touch(two, a->world->collide.kernels, options->choice, options->margin, list))
        return -1;
    int count = (int)lode__two_choose(list, options->choice,
                                      capacity > 0 ? (uint32_t)capacity : list->count);
    for (int i = 0; i < count && i < capacity; ++i)
        out_points[i] = two_show(two->place_a.body, &list->items[i]);
    return count;
}

/* By the general methods; -1 without memory. Of a shape and itself none. */
static int collide_slowly(const lode__object *a, const lode__object *b,
                          const lode_collide_options *options, lode__two_list *list,
                          lode_collide_point *out_points, int capacity)
{
    if (a->world == b->world && a->slot == b->slot)
        return 0;
    lode__two two = place_two(a, b);
    if (options->choice == LODE_COLLIDE_REDUCED && capacity >= LODE__MANIFOLD_POINTS &&
        !type_is_many(two.a->type) && !type_is_many(two.b->type))
        return lode__two_tell(&two, a->world->collide.kernels, options->margin, out_points);
    return collide_all(a, b, &two, options, list, out_points, capacity);
}

static void free_list(lode__two_list *list)
{
    lode__free(list->items, list->capacity * sizeof *list->items);
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
    lode__lane_ask ask = make_lane_ask(world, options, out_points, capacity, &count);
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

/* In the order of a step; what comes out is turned over where the caller's order is the other. */
static __attribute__((noinline)) int collide_slow_way(lode_shape shape_a, lode_shape shape_b,
                                                      const lode_collide_options *options,
                                                      lode_collide_point *out_points, int capacity,
                                                      const char *function)
{
    options = options ? options : &lode__collide_defaults;
    bool turn = shapes_turn(shape_a, shape_b);
    int count = collide_objects(turn ? shape_b : shape_a, turn ? shape_a : shape_b, options,
                                out_points, capacity, function);
    if (turn && capacity > 0)
        turn_points(out_points, count);
    return count;
}

/* The world of a shape, if it may be asked about now; null says nothing. */
static inline lode__world *world_at_hand(uint64_t id)
{
    lode__world *world = lode__registry_world_at(id_entry(id));
    return world && !world->in_step && world->open.next == 0 ? world : NULL;
}

/* The kernel that tells of the pair on the spot, or null: two shapes in the middle of their bodies,
 * of types that have one, with room for all points. */
static inline const lode__lane_cell *cell_at_hand(const lode__card_pair *pair, int capacity)
{
    uint32_t a = card_kind(pair->a), b = card_kind(pair->b);
    if (!(a & b & 1))
        return NULL;
    const lode__lane_cell *cell = lode__lane_cell_of(kind_type(a), kind_type(b));
    return cell->alone && capacity >= cell->most ? cell : NULL;
}

/* Most pairs are answered here. Where something is in the way the slow way finds out what. */
int lode_shape_collide(lode_shape shape_a, lode_shape shape_b, const lode_collide_options *options,
                       lode_collide_point *out_points, int capacity)
{
    bool turn = shapes_turn(shape_a, shape_b);
    lode__world *world = world_at_hand(shape_a.id);
    lode__card_finder finder;
    lode__card_pair found;
    const lode__lane_cell *cell;
    if (!world || !out_points || shape_a.id == shape_b.id ||
        (options && (options->choice != LODE_COLLIDE_REDUCED || !is_at_least(options->margin, 0))))
        return collide_slow_way(shape_a, shape_b, options, out_points, capacity, __func__);
    finder = make_finder(world);
    if (!find_pair(&finder, turn ? shape_b.id : shape_a.id, turn ? shape_a.id : shape_b.id,
                   &found) ||
        !(cell = cell_at_hand(&found, capacity)))
        return collide_slow_way(shape_a, shape_b, options, out_points, capacity, __func__);
    lode_real margin = options ? options->margin : 0;
    int count = lanes_tell_one(world->collide.kernels, cell)(
        found.a->size, (const lode_real *)found.a->body, found.b->size,
        (const lode_real *)found.b->body, r_max(LODE__SPECULATIVE(&world->def), margin), margin,
        out_points);
    if (turn)
        turn_points(out_points, count);
    return count;
}

/* --- many pairs */

void lode__refuse_pair(const lode__card_finder *finder, const lode_shape_pair *pair,
                       const char *function, const char *argument)
{
    const lode__card *a = find_card(finder, pair->a.id);
    lode__refuse_shape(a && card_kind(a) ? pair->b : pair->a, function, argument);
}

enum { BLOCK = LODE__LANE_BLOCK, BINS = 2 * LODE__TOUCH_KINDS };

/* Pairs of one cell that wait until eight are there. */
typedef struct many_bin {
    lode__tell_fn *tell;
    const lode__lane_cell *cell;
    unsigned turned; /* a bit for each lane */
    uint32_t kinds;  /* of the last that came one by one, see key_bits() */
    lode__pair_sources from;
} many_bin;

/* Where pairs of two kinds go: unknown yet, nowhere, to a block, or to a bin, from this on. */
enum { WAY_UNKNOWN, WAY_REFUSE, WAY_BLOCK, WAY_BIN };

/* The pairs that wait. Those of a block: their keys and numbers, their order by keys, and those
 * that have been turned. */
typedef struct many_block {
    uint8_t way[LODE__KINDS][LODE__KINDS];
    many_bin bins[BINS];
    lode__lane_pair pairs[BLOCK];
    uint32_t names[BLOCK];
    uint8_t key[BLOCK];
    uint16_t order[BLOCK];
    uint16_t ends[LODE__PAIR_KEYS]; /* of each key in the order */
    uint32_t turned[BLOCK];
    uint32_t count, turned_count;
} many_block;

static void begin_block(many_block *block)
{
    memset(block->ends, 0, sizeof block->ends);
    block->count = block->turned_count = 0;
}

/* By counting. */
static void order_block(many_block *block)
{
    uint32_t at = 0;
    for (int key = 0; key < LODE__PAIR_KEYS; ++key) {
        uint32_t here = block->ends[key];
        block->ends[key] = (uint16_t)at;
        at += here;
    }
    for (uint32_t i = 0; i < block->count; ++i)
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

static bool collide_each(lode__many_run *run, const uint16_t *order, uint32_t count,
                         const uint32_t *names)
{
    for (uint32_t i = 0; i < count; ++i)
        if (!lode__many_collide_slowly(run, names[order[i]]))
            return false;
    return true;
}

static bool collide_block(lode__many_run *run, many_block *block)
{
    uint32_t begin = 0;
    order_block(block);
    for (uint32_t key = 0; key < LODE__PAIR_KEYS; ++key) {
        uint32_t count = block->ends[key] - begin;
        if (count == 0)
            continue;
        const uint16_t *order = &block->order[begin];
        const lode__lane_cell *cell = cell_of_key(key);
        begin = block->ends[key];
        if (lanes_answer(cell, run->options->choice))
            lode__lane_ask_many(&run->ask, run->world->collide.kernels, cell, key & 1, block->pairs,
                                block->names, order, count);
        else if (!collide_each(run, order, count, block->names))
            return false;
    }
    for (uint32_t i = 0; i < block->turned_count; ++i)
        turn_lane(&run->ask, block->turned[i]);
    begin_block(block);
    return true;
}

static bool add_to_block(lode__many_run *run, many_block *block, const lode__lane_pair *pair,
                         uint32_t key, uint32_t name, bool turn)
{
    uint32_t i = block->count++;
    block->pairs[i] = *pair;
    block->names[i] = name;
    block->key[i] = (uint8_t)key;
    ++block->ends[key];
    block->turned[block->turned_count] = name;
    block->turned_count += turn;
    return block->count < BLOCK || collide_block(run, block);
}

/* Where pairs of these kinds go, from now on. */
static uint8_t choose_way(const lode__many_run *run, many_block *block, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return WAY_REFUSE;
    const lode__lane_cell *cell = lode__lane_cell_of(kind_type(a), kind_type(b));
    uint8_t way = WAY_BLOCK;
    if (lanes_answer(cell, run->options->choice) && lanes_can_tell(&run->ask, cell) &&
        (a & b & 1)) {
        int at = 2 * (int)cell->kind + cell->swapped;
        many_bin *bin = &block->bins[at];
        way = (uint8_t)(WAY_BIN + at);
        bin->tell = run->world->collide.kernels->tell[cell->kind];
        bin->cell = cell;
        bin->turned = 0;
        bin->from.used = 0;
        bin->from.sizes = NULL;
        bin->from.swapped = cell->swapped;
        bin->from.centered = true;
    }
    block->way[a][b] = way;
    return way;
}

static void tell_bin(const lode__many_run *run, many_bin *bin)
{
    if (bin->from.used < LODE_LANES)
        lode__sources_fill_up(&bin->from);
    lanes_tell(&run->ask, bin->tell, bin->cell, &bin->from);
    for (; bin->turned; bin->turned &= bin->turned - 1)
        turn_lane(&run->ask, bin->from.name[__builtin_ctz(bin->turned)]);
    bin->from.used = 0;
}

static inline uint32_t key_bits(const lode__card *a, const lode__card *b)
{
    return card_kind(a) << 8 | card_kind(b);
}

static inline void add_to_bin(const lode__many_run *run, many_bin *bin, const lode__card_pair *pair,
                              uint32_t name, bool turn)
{
    bin->turned |= (unsigned)turn << bin->from.used;
    lanes_add(&bin->from, pair->a, pair->b, name);
    if (bin->from.used == LODE_LANES)
        tell_bin(run, bin);
}

/* One pair; *out_bin is the bin that it went to, or null. False: out of memory, or a bad handle;
 * both are reported. */
static bool add_pair(lode__many_run *run, many_block *block, const lode__card_finder *finder,
                     uint32_t i, many_bin **out_bin)
{
    const lode_shape_pair *pair = &run->pairs[i];
    bool turn = shapes_turn(pair->a, pair->b);
    uint64_t first = turn ? pair->b.id : pair->a.id, second = turn ? pair->a.id : pair->b.id;
    lode__card_pair found;
    uint8_t way = WAY_REFUSE;
    *out_bin = NULL;
    if (find_pair(finder, first, second, &found)) {
        uint32_t kind_a = card_kind(found.a), kind_b = card_kind(found.b);
        way = block->way[kind_a][kind_b];
        if (way == WAY_UNKNOWN)
            way = choose_way(run, block, kind_a, kind_b);
    }
    if (way == WAY_REFUSE) {
        lode__refuse_pair(finder, pair, run->function, run->argument);
        return false;
    }
    if (first == second)
        return true;
    if (way >= WAY_BIN) {
        *out_bin = &block->bins[way - WAY_BIN];
        (*out_bin)->kinds = key_bits(found.a, found.b);
        add_to_bin(run, *out_bin, &found, i, turn);
        return true;
    }
    lode__lane_pair lanes = lane_pair_of(finder, &found);
    uint32_t key = key_of_kinds(card_kind(found.a), card_kind(found.b));
    return add_to_block(run, block, &lanes, key, i, turn);
}

/* The next eight pairs, as long as they are of the kinds of the last one in the bin, which is
 * empty, and in the order of a step. Returns how many it has taken: most arrays are of pairs that
 * are alike, and nothing then waits for what the pair before has written. */
static uint32_t add_alike(const lode__many_run *run, const lode__card_finder *finder, many_bin *bin,
                          uint32_t i, uint32_t count)
{
    const lode_shape_pair *pairs = &run->pairs[i];
    uint32_t k = 0, most = count - i < LODE_LANES ? count - i : LODE_LANES, kinds = bin->kinds;
    lode__pair_sources *to = &bin->from;
    for (; k < most; ++k) {
        lode__card_pair found;
        if (pairs[k].a.id == pairs[k].b.id || shapes_turn(pairs[k].a, pairs[k].b) ||
            !find_pair(finder, pairs[k].a.id, pairs[k].b.id, &found) ||
            key_bits(found.a, found.b) != kinds)
            break;
        lanes_put(to, (int)k, found.a, found.b, i + k);
    }
    to->used = (int)k;
    if (k == LODE_LANES)
        tell_bin(run, bin);
    return k;
}

static bool add_pairs(lode__many_run *run, many_block *block, uint32_t count)
{
    lode__card_finder finder = make_finder(run->world);
    many_bin *last = NULL;
    for (uint32_t i = 0; i < count;) {
        if (last && last->from.used == 0) {
            uint32_t alike = add_alike(run, &finder, last, i, count);
            i += alike;
            if (alike == LODE_LANES || i == count)
                continue;
        }
        if (!add_pair(run, block, &finder, i++, &last))
            return false;
    }
    return true;
}

/* Of the bins only those are there that some kinds lead to. */
bool lode__many_collide(lode__many_run *run, uint32_t count)
{
    many_block block;
    memset(block.way, WAY_UNKNOWN, sizeof block.way);
    for (int i = 0; i < BINS; ++i)
        block.bins[i].from.used = 0;
    begin_block(&block);
    if (!add_pairs(run, &block, count))
        return false;
    for (int i = 0; i < BINS; ++i)
        if (block.bins[i].from.used > 0)
            tell_bin(run, &block.bins[i]);
    return collide_block(run, &block);
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
    run.ask = make_lane_ask(w, options, out_points, capacity, out_counts);
    return lode__many_end(&run, pair_count, lode__many_collide(&run, (uint32_t)pair_count));
}
