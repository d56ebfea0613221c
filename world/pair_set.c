/* pair_set.c: pairs of shapes that are asked about again and again; see lode/collide.h.
 *
 * What a call for many pairs does first is done once: handles are found good, pairs sorted by the
 * cell of the narrow phase's matrix that they belong to, and those of cells with kernels put in
 * groups of eight, as their kernel reads them: addresses of sizes and poses. Those never move while
 * their shapes live (core/pool.h). So a call is one kernel after another.
 *
 * Whatever changes which shapes there are, what they are, or where on their bodies, is counted by
 * the world. A set made before the last such change is not used: its pairs are asked about by their
 * handles, as lode_world_collide_pairs() would, and those of shapes that are gone are refused. */
#include "core/memory.h"
#include "world/check.h"
#include "world/collide_two.h"

#include <string.h>

/* Groups of one cell, all centered or not. */
typedef struct set_run {
    uint32_t key, first, count;
} set_run;

/* A pair for general methods, in the order of a step. */
typedef struct set_slow {
    uint32_t name;
    bool tells; /* two solids, which lode__two_tell() answers */
    const lode__geometry *geometry[2];
    const lode__pose *body[2];
    const void *data[2];
} set_slow;

struct lode_pair_set {
    lode_world world;
    uint64_t reshaped; /* of the world when it was made */
    uint32_t pair_count, group_count, slow_count, turned_count, run_count;
    lode_shape_pair *pairs;
    lode__pair_group *groups;
    set_slow *slow;
    uint32_t *turned; /* pairs whose shapes are asked about the other way round */
    set_run runs[LODE__PAIR_KEYS];
};

/* --- making */

/* Finds all pairs' keys and counts them. */
static bool count_keys(const lode__world *world, const lode_shape_pair *pairs, uint32_t count,
                       uint32_t counts[LODE__PAIR_KEYS], const char *function)
{
    lode__card_finder finder = make_finder(world);
    lode__lane_pair pair;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t key = open_pair(&finder, &pairs[i], function, "pairs", &pair);
        if (key == LODE__PAIR_KEYS)
            return false;
        ++counts[key];
    }
    return true;
}

/* Lays out the runs; `out_run` says which is a key's. */
static void plan_runs(lode_pair_set *set, const uint32_t counts[LODE__PAIR_KEYS],
                      set_run *out_run[LODE__PAIR_KEYS])
{
    for (uint32_t key = 0; key < LODE__PAIR_KEYS; ++key) {
        out_run[key] = NULL;
        if (counts[key] == 0)
            continue;
        if (!cell_of_key(key)->any) {
            set->slow_count += counts[key];
            continue;
        }
        uint32_t groups = (counts[key] + LODE_LANES - 1) / LODE_LANES;
        out_run[key] = &set->runs[set->run_count++];
        *out_run[key] = (set_run){key, set->group_count, 0};
        set->group_count += groups;
    }
}

static bool reserve(lode_pair_set *set)
{
    set->pairs = lode__alloc(set->pair_count * sizeof *set->pairs);
    set->groups = lode__alloc(set->group_count * sizeof *set->groups);
    set->slow = lode__alloc(set->slow_count * sizeof *set->slow);
    set->turned = lode__alloc(set->turned_count * sizeof *set->turned);
    return (set->pairs || set->pair_count == 0) && (set->groups || set->group_count == 0) &&
           (set->slow || set->slow_count == 0) && (set->turned || set->turned_count == 0);
}

static void begin_group(lode__pair_group *group, uint32_t key)
{
    memset(group, 0, sizeof *group);
    group->from.sizes = group->sizes;
    group->from.swapped = cell_of_key(key)->swapped;
    group->from.centered = key & 1;
    lode__sources_fill_up(&group->from);
    for (int k = 0; k < 8; ++k)
        for (int lane = 0; lane < LODE_LANES; ++lane)
            group->sizes[k].x[lane] = 1;
}

static void add_to_group(lode__pair_group *group, int x, const lode__lane_shape *shape)
{
    int lane = group->from.used;
    group->from.size[x][lane] = shape->geometry->size;
    group->from.body[x][lane] = (const lode_real *)shape->body;
    for (int k = 0; k < 4; ++k)
        group->sizes[4 * x + k].x[lane] = shape->geometry->size[k];
}

static void add_to_run(lode_pair_set *set, set_run *run, const lode__lane_pair *pair, uint32_t name)
{
    lode__pair_group *group = &set->groups[run->first + run->count - (run->count > 0)];
    if (run->count == 0 || group->from.used == LODE_LANES) {
        group = &set->groups[run->first + run->count++];
        begin_group(group, run->key);
    }
    add_to_group(group, 0, &pair->a);
    add_to_group(group, 1, &pair->b);
    group->from.name[group->from.used++] = name;
}

static set_slow slow_of(const lode__world *world, const lode__lane_pair *pair,
                        const uint32_t slots[2], uint32_t name)
{
    const lode__lane_shape *shapes[2] = {&pair->a, &pair->b};
    set_slow slow = {.name = name, .tells = slots[0] != slots[1]};
    for (int x = 0; x < 2; ++x) {
        slow.geometry[x] = shapes[x]->geometry;
        slow.body[x] = shapes[x]->body;
        slow.data[x] = *LODE__AT(shape, &world->collide.shapes, data, slots[x]);
        slow.tells = slow.tells && !type_is_many(shapes[x]->geometry->type);
    }
    return slow;
}

static void fill(lode_pair_set *set, const lode__world *world, const lode_shape_pair *pairs,
                 set_run *const run_of[LODE__PAIR_KEYS], const char *function)
{
    lode__card_finder finder = make_finder(world);
    lode__lane_pair pair = {.a = {.size = NULL}};
    uint32_t slow = 0, turned = 0;
    for (uint32_t i = 0; i < set->pair_count; ++i) {
        uint32_t key = open_pair(&finder, &pairs[i], function, "pairs", &pair);
        set->pairs[i] = pairs[i];
        bool turn = shapes_turn(pairs[i].a, pairs[i].b);
        uint32_t slots[2] = {id_slot(pairs[i].a.id), id_slot(pairs[i].b.id)};
        if (turn)
            set->turned[turned++] = i;
        if (run_of[key])
            add_to_run(set, run_of[key], &pair, i);
        else
            set->slow[slow++] = slow_of(world, &pair,
                                        turn ? (uint32_t[]){slots[1], slots[0]} : slots, i);
    }
}

static lode_pair_set *make_set(lode__world *world, const lode_shape_pair *pairs, uint32_t count,
                               const uint32_t counts[LODE__PAIR_KEYS], const char *function)
{
    set_run *run_of[LODE__PAIR_KEYS];
    lode_pair_set *set = lode__alloc(sizeof *set);
    if (!set)
        return NULL;
    *set = (lode_pair_set){
        .world = {world->id}, .reshaped = world->collide.reshaped, .pair_count = count};
    lode__memory_users(1);
    plan_runs(set, counts, run_of);
    for (uint32_t i = 0; i < count; ++i)
        set->turned_count += shapes_turn(pairs[i].a, pairs[i].b);
    if (!reserve(set)) {
        lode_pair_set_destroy(set);
        return NULL;
    }
    fill(set, world, pairs, run_of, function);
    return set;
}

lode_pair_set *lode_pair_set_create(lode_world world, const lode_shape_pair *pairs, int pair_count)
{
    lode__world *w;
    uint32_t counts[LODE__PAIR_KEYS] = {0};
    if (lode__check(pair_count >= 0, __func__, "pair_count", "must be at least 0") ||
        lode__check(pairs || pair_count == 0, __func__, "pairs", "must not be null") ||
        lode__open_world(&w, world, __func__) ||
        !count_keys(w, pairs, (uint32_t)pair_count, counts, __func__))
        return NULL;
    lode_pair_set *set = make_set(w, pairs, (uint32_t)pair_count, counts, __func__);
    if (!set)
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    return set;
}

void lode_pair_set_destroy(lode_pair_set *set)
{
    if (!set)
        return;
    lode__free(set->pairs, set->pair_count * sizeof *set->pairs);
    lode__free(set->groups, set->group_count * sizeof *set->groups);
    lode__free(set->slow, set->slow_count * sizeof *set->slow);
    lode__free(set->turned, set->turned_count * sizeof *set->turned);
    lode__free(set, sizeof *set);
    lode__memory_users(-1);
}

/* --- asking */

static int tell_slow(const lode__many_run *run, const set_slow *slow)
{
    lode__two two; /* of solids nobody asks which triangles count */
    two.a = slow->geometry[0];
    two.b = slow->geometry[1];
    two.place_a = lode__place_on(slow->geometry[0], slow->body[0], slow->data[0]);
    two.place_b = lode__place_on(slow->geometry[1], slow->body[1], slow->data[1]);
    two.speculative = LODE__SPECULATIVE(&run->world->def);
    return lode__two_tell(&two, run->world->collide.kernels, run->ask.margin,
                          lane_points(&run->ask, slow->name));
}

static bool collide_runs(const lode_pair_set *set, lode__many_run *run)
{
    bool tell = !run->ask.any && run->ask.capacity >= LODE__MANIFOLD_POINTS;
    for (uint32_t r = 0; r < set->run_count; ++r) {
        const set_run *at = &set->runs[r];
        lode__lane_ask_groups(&run->ask, run->world->collide.kernels, cell_of_key(at->key),
                              &set->groups[at->first], at->count);
    }
    for (uint32_t i = 0; i < set->slow_count; ++i)
        if (tell && set->slow[i].tells)
            run->ask.counts[set->slow[i].name] = tell_slow(run, &set->slow[i]);
        else if (!lode__many_collide_slowly(run, set->slow[i].name))
            return false;
    for (uint32_t i = 0; i < set->turned_count; ++i)
        turn_lane(&run->ask, set->turned[i]);
    return true;
}

/* The set is as good as new, and its cells' methods are asked for. */
static bool stands(const lode_pair_set *set, const lode__many_run *run)
{
    lode_collide_choice choice = run->options->choice;
    return set->reshaped == run->world->collide.reshaped &&
           (choice == LODE_COLLIDE_REDUCED || choice == LODE_COLLIDE_ANY);
}

int lode_pair_set_collide(const lode_pair_set *set, const lode_collide_options *options,
                          lode_collide_point *out_points, int capacity, int *out_counts)
{
    lode__world *w;
    options = options ? options : &lode__collide_defaults;
    if (lode__check_not_null(set, __func__, "set"))
        return 0;
    int count = (int)set->pair_count;
    if (!lode__many_check(options, set, count, out_points, capacity, out_counts, __func__) ||
        lode__open_world(&w, set->world, __func__))
        return 0;
    lode__many_run run = {.world = w,
                          .pairs = set->pairs,
                          .options = options,
                          .function = __func__,
                          .argument = "set"};
    run.ask = make_lane_ask(w, options, out_points, capacity, out_counts);
    bool done = stands(set, &run) ? collide_runs(set, &run)
                                  : lode__many_collide(&run, set->pair_count);
    return lode__many_end(&run, count, done);
}
