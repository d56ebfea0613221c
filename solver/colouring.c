/* colouring.c: gives every contact and joint, whose colour is known (solver/colours.c), a lane of a
 * block, group by group.
 *
 * What finds no colour, because a hub has more neighbours than there are colours, is laid into
 * blocks whose lanes may share bodies. There lanes do see each other, so such a block holds
 * constraints of one island only, in the island's own order. */
#include "core/sort.h"
#include "solver/linkage.h"

#include <string.h>

/* Constraints without a colour, group by group; within one by colour, bucket, and island; those of
 * linkages by their own colour. */
typedef struct rest_list {
    uint64_t *key, *scratch_key; /* what they are sorted by; later the lane in colour and bucket */
    uint32_t *item, *scratch_item; /* index in a list of constraints * LODE__LISTS + the list */
} rest_list;

typedef struct colour_work {
    lode__solve_state *state;
    uint32_t *lanes; /* of all blocks */
    rest_list rest;
} colour_work;

static void clear_lanes(const lode__solve_state *state, uint32_t lanes[LODE__BUCKET_COUNT])
{
    for (uint32_t i = 0; i < state->bucket_count; ++i)
        lanes[state->buckets[i]] = 0;
}

/* Of many colours and buckets a group has few. */
static void begin_colour(const lode__solve_state *state, lode__group *group, int colour)
{
    group->colours |= 1u << colour;
    clear_lanes(state, group->blocks[colour]);
    for (uint32_t s = 0; group->shares && s < state->shares; ++s)
        for (int part = LODE__EDGE; part <= LODE__INSIDE; ++part)
            clear_lanes(state, group->shares[s].lanes[part][colour]);
}

static void count_lane(const lode__solve_state *state, lode__group *group,
                       const lode__constraint *c)
{
    int colour = colour_in(group, c);
    if (!(group->colours >> colour & 1))
        begin_colour(state, group, colour);
    if (is_colour_rest(colour)) {
        ++group->blocks[colour][c->bucket];
        ++group->rest_end;
    } else if (group->shares) {
        ++group->shares[c->share].lanes[c->inside][colour][c->bucket];
        if (!c->inside)
            group->edges[group->edge_count++] = c;
    } else {
        ++group->blocks[colour][c->bucket];
    }
}

/* What the shares have counted, together. */
static void add_up_lanes(const lode__solve_state *state, lode__group *group)
{
    for (uint32_t left = group->colours; left && group->shares; left &= left - 1) {
        int colour = __builtin_ctz(left);
        for (uint32_t s = 0; s < 2 * state->shares && !is_colour_rest(colour); ++s)
            for (uint32_t i = 0; i < state->bucket_count; ++i)
                group->blocks[colour][state->buckets[i]] +=
                    group->shares[s / 2].lanes[s % 2][colour][state->buckets[i]];
    }
}

static void clear_counts(const lode__solve_state *state, lode__group *group)
{
    group->colours = group->rest_end = group->edge_count = 0;
    for (uint32_t s = 0; group->shares && s < state->shares; ++s)
        memset(group->shares[s].common_end, 0, sizeof group->shares[s].common_end);
}

static void count_group(const colour_work *work, lode__group *group)
{
    clear_counts(work->state, group);
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            const lode__constraint *c = &list->all[list->order[i]];
            if (l == LODE__LINKAGES)
                lode__linkage_colour(work->state, c->source);
            count_lane(work->state, group, c);
        }
    }
    add_up_lanes(work->state, group);
}

static void count_groups(void *context, uint32_t begin, uint32_t end)
{
    const colour_work *work = context;
    for (uint32_t i = begin; i < end; ++i)
        count_group(work, &work->state->groups[i]);
}

static bool take_edges(lode__solve_state *state, lode__arena *arena)
{
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        uint32_t count = 0;
        for (int l = 0; l < LODE__LISTS; ++l)
            count += group->end[l] - group->begin[l];
        if (group->shares)
            group->edges = LODE__TAKE(arena, const lode__constraint *, count);
        if (group->shares && !group->edges)
            return false;
    }
    return true;
}

static bool list_common(lode__solve_state *state, lode__arena *arena)
{
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].shares && !lode__shares_list_common(state, &state->groups[g], arena))
            return false;
    return true;
}

/* Where each group's share of the rest begins; takes memory for all of it. */
static bool take_rest(colour_work *work, lode__arena *arena)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < work->state->group_count; ++g) {
        lode__group *group = &work->state->groups[g];
        group->rest_begin = count;
        group->rest_end = count += group->rest_end;
    }
    rest_list *rest = &work->rest;
    rest->key = LODE__TAKE(arena, uint64_t, count);
    rest->item = LODE__TAKE(arena, uint32_t, count);
    rest->scratch_key = LODE__TAKE(arena, uint64_t, count);
    rest->scratch_item = LODE__TAKE(arena, uint32_t, count);
    return rest->key && rest->item && rest->scratch_key && rest->scratch_item;
}

static lode__constraint *rest_constraint(const colour_work *work, uint32_t item)
{
    return &work->state->constraints[item % LODE__LISTS].all[item / LODE__LISTS];
}

static void list_rest(colour_work *work, const lode__group *group)
{
    uint32_t at = group->rest_begin;
    for (uint32_t l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l] && at < group->rest_end; ++i) {
            const lode__constraint *c = &list->all[list->order[i]];
            if (!is_colour_rest(c->colour))
                continue;
            uint64_t kind = (uint64_t)c->colour << 8 | c->bucket;
            work->rest.key[at] = kind << 32 |
                                 (l == LODE__LINKAGES ? work->state->linkages[c->source].colour
                                                      : work->state->island[c->a ? c->a : c->b]);
            work->rest.item[at++] = list->order[i] * LODE__LISTS + l;
        }
    }
}

/* Keys become lanes: islands, or colours of linkages, one after another, each from a new block on.
 */
static void number_rest(colour_work *work, lode__group *group)
{
    uint64_t *key = work->rest.key, last = 0;
    uint32_t lane = 0;
    for (uint32_t i = group->rest_begin; i < group->rest_end; ++i) {
        const lode__constraint *c = rest_constraint(work, work->rest.item[i]);
        if (key[i] >> 32 != last >> 32)
            lane = 0;
        else if (key[i] != last)
            lane = (lane + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
        last = key[i];
        key[i] = lane++;
        group->blocks[c->colour][c->bucket] = lane;
    }
}

static void arrange_rest(void *context, uint32_t begin, uint32_t end)
{
    colour_work *work = context;
    for (uint32_t g = begin; g < end; ++g) {
        lode__group *group = &work->state->groups[g];
        uint32_t first = group->rest_begin;
        list_rest(work, group);
        lode__sort(work->rest.key + first, work->rest.item + first, work->rest.scratch_key + first,
                   work->rest.scratch_item + first, group->rest_end - first);
        number_rest(work, group);
    }
}

static uint32_t *next_lane(lode__group *group, const lode__constraint *c)
{
    int colour = colour_in(group, c);
    if (!group->shares)
        return &group->blocks[colour][c->bucket];
    return &group->shares[c->share].lanes[c->inside][colour][c->bucket];
}

/* Within a colour any order gives the same result. */
static void place_coloured(const colour_work *work, lode__group *group, int l)
{
    const lode__constraint_list *list = &work->state->constraints[l];
    for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
        const lode__constraint *c = &list->all[list->order[i]];
        if (!is_colour_rest(c->colour))
            work->lanes[(*next_lane(group, c))++] = c->source;
    }
}

static void place_rest(const colour_work *work, const lode__group *group)
{
    for (uint32_t i = group->rest_begin; i < group->rest_end; ++i) {
        const lode__constraint *c = rest_constraint(work, work->rest.item[i]);
        work->lanes[group->blocks[c->colour][c->bucket] + work->rest.key[i]] = c->source;
    }
}

static void place_groups(void *context, uint32_t begin, uint32_t end)
{
    const colour_work *work = context;
    for (uint32_t g = begin; g < end; ++g) {
        lode__group *group = &work->state->groups[g];
        for (int l = 0; l < LODE__LISTS; ++l)
            place_coloured(work, group, l);
        place_rest(work, group);
    }
}

/* A hub's constraints without a colour converge well up to here, which tests/fidelity/test_hub.c
 * shows with 500 boxes on a plate. */
enum { HUB_MOST = 512 };

static bool warn_of_hubs(const lode__solve_state *state, const lode__step *step)
{
    uint32_t *counts = LODE__TAKE_ZEROED(step->arena, uint32_t, state->lines.count);
    if (!counts)
        return false;
    for (int l = 0; l < LODE__LISTS; ++l)
        for (uint32_t i = 0; i < state->constraints[l].count && l != LODE__LINKAGES; ++i) {
            const lode__constraint *c = &state->constraints[l].all[i];
            counts[c->a] += c->a && is_colour_rest(c->colour);
            counts[c->b] += c->b && is_colour_rest(c->colour);
        }
    for (uint32_t line = 1; line < state->lines.count; ++line)
        if (counts[line] > HUB_MOST)
            lode__warn(step, LODE_WARNING_HUB_OVERFLOW, 1, state->lines.slot[line]);
    return true;
}

static bool has_constraints(const lode__solve_state *state)
{
    bool any = false;
    for (int l = 0; l < LODE__LISTS; ++l)
        any = any || state->constraints[l].count > 0;
    return any;
}

bool lode__colouring_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    colour_work work = {.state = state};
    if (solver->standing)
        return true;
    if (!has_constraints(state))
        return lode__blocks_lay_out(solver, step, &work.lanes) && lode__turns_make(state, step);
    bool linked = state->constraints[LODE__LINKAGES].count > 0;
    if (linked)
        state->linkage_colours = LODE__TAKE_ZEROED(arena, uint32_t, state->lines.count);
    if ((linked && !state->linkage_colours) || !take_edges(state, arena))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, count_groups, &work);
    if (!take_rest(&work, arena) || !list_common(state, arena))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, arrange_rest, &work);
    if (!lode__blocks_lay_out(solver, step, &work.lanes))
        return false;
    if (step->stats->overflow_blocks > HUB_MOST && !warn_of_hubs(state, step))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, place_groups, &work);
    return lode__turns_make(state, step);
}
