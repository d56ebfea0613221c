/* colouring.c: gives every contact and joint a colour, then a lane of a block.
 *
 * Greedy colouring in a fixed order, joints by slot, then contacts by pair: the lowest colour that
 * neither body has. Constraints of one movable body have colours of their own, which come last, so
 * that the ground has the last word. It is computed afresh each step, group by group, and depends
 * on the group's constraints alone; two constraints of one island get the same colours whatever
 * other islands share their group, so an island's bits do not depend on its neighbours.
 *
 * What finds no colour, because a hub has more neighbours than there are colours, is laid into
 * blocks whose lanes may share bodies. There lanes do see each other, so such a block holds
 * constraints of one island only, in the island's own order. */
#include "core/sort.h"
#include "solver/state.h"

#include <string.h>

/* Constraints without a colour, group by group; within one by colour, bucket, and island. */
typedef struct rest_list {
    uint64_t *key, *scratch_key; /* what they are sorted by; later the lane in colour and bucket */
    uint32_t *item, *scratch_item; /* index in a list of constraints * LODE__LISTS + the list */
} rest_list;

typedef struct colour_work {
    lode__solve_state *state;
    uint32_t *used;  /* by dense line: bit i is colour i, pair colours, then static ones */
    uint32_t *lanes; /* of all blocks */
    rest_list rest;
} colour_work;

static uint8_t choose(uint32_t *used_a, uint32_t *used_b, int first, int count, int rest)
{
    uint32_t taken = (*used_a | (used_b ? *used_b : 0)) >> first;
    int colour = __builtin_ctz(~taken);
    if (colour >= count)
        return (uint8_t)rest;
    uint32_t bit = 1u << (first + colour);
    *used_a |= bit;
    if (used_b)
        *used_b |= bit;
    return (uint8_t)colour;
}

/* The colour of a constraint between two dense lines, of which one may be 0. */
static uint8_t colour_of(uint32_t *used, uint32_t a, uint32_t b)
{
    if (a && b)
        return choose(&used[a], &used[b], 0, LODE__PAIR_COLOURS, LODE__COLOUR_PAIR_REST);
    uint8_t colour = choose(&used[a ? a : b], NULL, LODE__PAIR_COLOURS, LODE__STATIC_COLOURS,
                            LODE__STATIC_COLOURS);
    return (uint8_t)(LODE__COLOUR_STATIC + colour);
}

static void count_lane(lode__group *group, const lode__constraint *c)
{
    ++group->blocks[c->colour][c->bucket];
    if (is_colour_rest(c->colour)) {
        ++group->rest_end;
    } else if (group->shares) {
        ++group->shares[c->share].lanes[c->inside][c->colour][c->bucket];
        if (!c->inside)
            group->edges[group->edge_count++] = c;
    }
}

static void colour_group(colour_work *work, lode__group *group)
{
    memset(group->blocks, 0, sizeof group->blocks);
    group->rest_end = group->edge_count = 0;
    for (uint32_t s = 0; group->shares && s < work->state->shares; ++s) {
        memset(group->shares[s].lanes, 0, sizeof group->shares[s].lanes);
        memset(group->shares[s].common_end, 0, sizeof group->shares[s].common_end);
    }
    for (int l = 0; l < LODE__LISTS; ++l) {
        lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            lode__constraint *c = &list->all[list->order[i]];
            c->colour = colour_of(work->used, c->a, c->b);
            count_lane(group, c);
        }
    }
}

static void colour_groups(void *context, uint32_t begin, uint32_t end)
{
    colour_work *work = context;
    for (uint32_t i = begin; i < end; ++i)
        colour_group(work, &work->state->groups[i]);
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
            work->rest.key[at] = kind << 32 | work->state->island[c->a ? c->a : c->b];
            work->rest.item[at++] = list->order[i] * LODE__LISTS + l;
        }
    }
}

/* Keys become lanes: islands one after another, each from a new block on. */
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

/* Blocks of a colour and bucket with so many lanes. */
static uint32_t block_count(uint32_t lanes)
{
    return (lanes + LODE_LANES - 1) / LODE_LANES;
}

static uint32_t chunk_count(int colour, uint32_t blocks)
{
    if (is_colour_rest(colour)) /* in one piece: its blocks share bodies */
        return blocks ? 1 : 0;
    return (blocks + LODE__CHUNK_BLOCKS - 1) / LODE__CHUNK_BLOCKS;
}

uint32_t lode__bucket_stride(int bucket)
{
    if (bucket >= LODE__BUCKET_JOINT) {
        int rows = lode__bucket_rows(bucket - LODE__BUCKET_JOINT);
        return (uint32_t)lode__row_block_size(rows);
    }
    return (uint32_t)lode__contact_block_size(bucket % LODE__MANIFOLD_POINTS + 1);
}

static const lode__block_kernels *kernels_of(const lode__solver *solver, int colour, int bucket)
{
    int kind = bucket;
    if (bucket >= LODE__BUCKET_JOINT)
        kind = LODE__KIND_ROWS + lode__bucket_rows(bucket - LODE__BUCKET_JOINT) - 1;
    return &solver->kernels->kinds[is_colour_rest(colour) ? LODE__KIND_SHARED + kind : kind];
}

typedef struct totals {
    uint32_t chunks, blocks;
    size_t bytes; /* of blocks that stay */
    size_t bench; /* of the largest group that goes through */
} totals;

/* Counts what blocks a colour and bucket of so many lanes has. */
static void add_blocks(totals *sum, int colour, int bucket, uint32_t lanes)
{
    uint32_t blocks = block_count(lanes);
    sum->chunks += chunk_count(colour, blocks);
    sum->blocks += blocks;
    sum->bytes += (size_t)blocks * lode__bucket_stride(bucket);
}

/* The same of a group with shares, as many as there can be wherever it is cut: each share has one
 * block that is not full, and an edge and an inside with one chunk that is not. */
static void add_shared_blocks(totals *sum, uint32_t shares, int bucket, uint32_t lanes)
{
    uint32_t blocks = block_count(lanes) + shares;
    sum->blocks += blocks;
    sum->chunks += blocks / LODE__CHUNK_BLOCKS + 2 * shares;
    sum->bytes += (size_t)blocks * lode__bucket_stride(bucket);
}

/* What all blocks of a group need. */
static void add_group(totals *sum, const lode__solve_state *state, const lode__group *group)
{
    size_t before = sum->bytes;
    for (int c = 0; c < LODE__COLOUR_COUNT; ++c)
        for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
            uint32_t lanes = group->blocks[c][k];
            if (lanes > 0 && group->shares && !is_colour_rest(c))
                add_shared_blocks(sum, state->shares, k, lanes);
            else if (lanes > 0)
                add_blocks(sum, c, k, lanes);
        }
    if (group->through) {
        sum->bench = sum->bytes - before > sum->bench ? sum->bytes - before : sum->bench;
        sum->bytes = before;
    }
}

/* Reports the blocks that one thread would have of groups begin..end-1, which would be one: with
 * more threads some more are not full. */
static void tell_blocks(const lode__solve_state *state, uint32_t begin, uint32_t end,
                        lode_world_stats *stats)
{
    totals told = {0};
    int colours = 0;
    for (int c = 0; c < LODE__COLOUR_COUNT; ++c) {
        uint32_t before = told.blocks;
        for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
            uint32_t lanes = 0;
            for (uint32_t g = begin; g < end; ++g) {
                uint32_t here = state->groups[g].blocks[c][k];
                lanes += is_colour_rest(c) ? block_count(here) * LODE_LANES : here;
            }
            add_blocks(&told, c, k, lanes);
        }
        colours += told.blocks > before && !is_colour_rest(c);
    }
    stats->colours = colours > stats->colours ? colours : stats->colours;
    stats->batches += (int)told.blocks;
}

static totals measure(const lode__solve_state *state, lode_world_stats *stats)
{
    totals sum = {0};
    uint32_t constraints = 0, rest = 0;
    stats->colours = stats->batches = 0;
    for (uint32_t g = 0, begin = 0; g < state->group_count; ++g) {
        const lode__group *group = &state->groups[g];
        rest += group->rest_end - group->rest_begin;
        for (int l = 0; l < LODE__LISTS; ++l)
            constraints += group->end[l] - group->begin[l];
        add_group(&sum, state, group);
        if (g + 1 < state->group_count && group[1].whole == group->whole)
            continue;
        tell_blocks(state, begin, g + 1, stats);
        begin = g + 1;
    }
    stats->lanes_used = (int)constraints;
    stats->overflow_blocks = (int)rest;
    return sum;
}

/* Where the next block comes to lie. */
typedef struct layout {
    lode__solver *solver;
    char *at;
    uint32_t *lanes;
    uint32_t lane;
    uint8_t share;
    bool inside;
} layout;

/* Adds chunks of one colour and bucket for so many blocks. */
static void add_chunks(const layout *out, const lode__group *group, int colour, int bucket,
                       uint32_t blocks)
{
    lode__solve_state *state = out->solver->state;
    uint32_t most = is_colour_rest(colour) ? blocks : LODE__CHUNK_BLOCKS;
    uint32_t stride = lode__bucket_stride(bucket);
    for (uint32_t done = 0; done < blocks; done += most)
        state->chunks[state->chunk_count++] = (lode__solve_chunk){
            .blocks = out->at + (size_t)done * stride,
            .lanes = out->lanes + out->lane + done * LODE_LANES,
            .kernels = kernels_of(out->solver, colour, bucket),
            .count = blocks - done < most ? blocks - done : most,
            .stride = stride,
            .colour = (uint8_t)colour,
            .bucket = (uint8_t)bucket,
            .share = out->share,
            .inside = out->inside,
            .shared = group->shares != NULL,
            .through = group->through,
        };
}

static void pass(layout *out, int bucket, uint32_t blocks)
{
    out->at += (size_t)blocks * lode__bucket_stride(bucket);
    out->lane += blocks * LODE_LANES;
}

/* The counts in group.blocks become the next free lane of their colour and bucket; of the rest, the
 * first one. */
static void lay_out_whole(layout *out, lode__group *group, int colour)
{
    for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
        uint32_t blocks = block_count(group->blocks[colour][k]);
        if (blocks == 0) /* as most are */
            continue;
        group->blocks[colour][k] = out->lane;
        add_chunks(out, group, colour, k, blocks);
        pass(out, k, blocks);
    }
}

/* A share's blocks of a colour; those with lanes of its edge are the first of each bucket, and
 * their chunks come before all others. */
static void lay_out_share(layout *out, lode__group *group, uint32_t s, int colour)
{
    uint32_t(*edges)[LODE__BUCKET_COUNT] = group->shares[s].lanes[0];
    uint32_t(*insides)[LODE__BUCKET_COUNT] = group->shares[s].lanes[1];
    layout begin = *out, edge = *out, inside = *out;
    edge.share = inside.share = (uint8_t)s;
    inside.inside = true;
    for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
        uint32_t edge_blocks = block_count(edges[colour][k]);
        if (group->blocks[colour][k] == 0) /* as most are */
            continue;
        add_chunks(&edge, group, colour, k, edge_blocks);
        pass(&edge, k, block_count(edges[colour][k] + insides[colour][k]));
    }
    for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
        uint32_t edge_blocks = block_count(edges[colour][k]), lane = inside.lane;
        if (group->blocks[colour][k] == 0)
            continue;
        uint32_t blocks = block_count(edges[colour][k] + insides[colour][k]);
        pass(&inside, k, edge_blocks);
        add_chunks(&inside, group, colour, k, blocks - edge_blocks);
        pass(&inside, k, blocks - edge_blocks);
        insides[colour][k] = lane + edges[colour][k];
        edges[colour][k] = lane;
    }
    *out = edge;
    out->share = begin.share;
}

/* Where each share's blocks begin. All of one share lie together, whatever their colour: processors
 * read ahead, and would take what follows the share's blocks of a colour from another core. */
static void begin_shares(layout *out, const lode__group *group, layout *out_shares)
{
    for (uint32_t s = 0; s < out->solver->state->shares; ++s) {
        out_shares[s] = *out;
        for (int c = 0; c < LODE__COLOUR_COUNT; ++c)
            for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
                uint32_t(*const lanes)[LODE__COLOUR_COUNT][LODE__BUCKET_COUNT] =
                    group->shares[s].lanes;
                pass(out, k, block_count(lanes[0][c][k] + lanes[1][c][k]));
            }
    }
}

static void lay_out_group(layout *out, lode__group *group)
{
    lode__solve_state *state = out->solver->state;
    uint32_t shares = group->shares ? state->shares : 0;
    layout at[LODE__MOST_SHARES];
    group->chunk_begin = state->chunk_count;
    if (shares > 0)
        begin_shares(out, group, at);
    for (int c = 0; c < LODE__COLOUR_COUNT; ++c) {
        if (shares == 0 || is_colour_rest(c))
            lay_out_whole(out, group, c);
        else
            for (uint32_t s = 0; s < shares; ++s)
                lay_out_share(&at[s], group, s, c);
    }
    group->chunk_end = state->chunk_count;
}

/* Lays out all chunks in solving order; those of groups that go through on the first bench. */
static bool lay_out(lode__solver *solver, const lode__step *step, totals sum, uint32_t **out_lanes)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    size_t workers = (size_t)lode__tasks_workers(step->tasks);
    state->bench_bytes = (sum.bench + LODE__BENCH_ALIGN - 1) & ~(size_t)(LODE__BENCH_ALIGN - 1);
    layout out = {.solver = solver,
                  .at = LODE__TAKE(arena, char, sum.bytes),
                  .lanes = LODE__TAKE(arena, uint32_t, sum.blocks * LODE_LANES)};
    char *bench = LODE__TAKE(arena, char, workers * state->bench_bytes);
    state->chunks = LODE__TAKE(arena, lode__solve_chunk, sum.chunks);
    if (!out.at || !out.lanes || !bench || !state->chunks)
        return false;
    *out_lanes = out.lanes;
    state->chunk_count = 0;
    for (uint32_t i = 0; i < sum.blocks * LODE_LANES; ++i)
        out.lanes[i] = LODE__NONE;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        char *stay = out.at;
        out.at = state->groups[g].through ? bench : stay;
        lay_out_group(&out, &state->groups[g]);
        out.at = state->groups[g].through ? stay : out.at;
    }
    return true;
}

static uint32_t *next_lane(lode__group *group, const lode__constraint *c)
{
    if (!group->shares)
        return &group->blocks[c->colour][c->bucket];
    return &group->shares[c->share].lanes[c->inside][c->colour][c->bucket];
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
        for (uint32_t i = 0; i < state->constraints[l].count; ++i) {
            const lode__constraint *c = &state->constraints[l].all[i];
            counts[c->a] += c->a && is_colour_rest(c->colour);
            counts[c->b] += c->b && is_colour_rest(c->colour);
        }
    for (uint32_t line = 1; line < state->lines.count; ++line)
        if (counts[line] > HUB_MOST)
            lode__warn(step, LODE_WARNING_HUB_OVERFLOW, 1, state->lines.slot[line]);
    return true;
}

bool lode__colouring_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    colour_work work = {.state = state};
    work.used = LODE__TAKE_ZEROED(arena, uint32_t, state->lines.count);
    if (!work.used || !take_edges(state, arena))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, colour_groups, &work);
    if (!take_rest(&work, arena) || !list_common(state, arena))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, arrange_rest, &work);
    totals sum = measure(state, step->stats);
    if (step->stats->overflow_blocks > HUB_MOST && !warn_of_hubs(state, step))
        return false;
    if (!lay_out(solver, step, sum, &work.lanes))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, place_groups, &work);
    return lode__turns_make(state, step);
}
