/* turns.c: how threads share a large island. Its blocks are solved colour by colour. The blocks of
 * each colour are cut into shares of equal size, and a share's part of a colour is a turn: the work
 * of one thread at a time, that comes after all turns of the colours before.
 *
 * Lanes lie in the order of their bodies' lines, along the island's longest side. So each share is
 * much the same part of the island in all colours, and most of what a thread touches is in its own
 * cache from the colour before. That matters more than the meetings of the threads.
 *
 * The cut decides who computes what, and nothing about the result: blocks of one colour have no
 * body in common. Therefore it may, alone of all, depend on the number of threads. A colour too
 * small to be cut is the first share's, and the next such one is in the same phase. */
#include "solver/state.h"

/* Bytes of blocks that are worth a meeting of the threads, some eight blocks of two points: they
 * take about twice as long as it. */
enum { TURN_BYTES = 4608 * (int)sizeof(lode_real) };

/* The turns of one group while they are made. */
typedef struct turn_list {
    lode__solve_state *state;
    lode__group *group;
    bool alone; /* the last phase is the first share's */
} turn_list;

/* Blocks of one colour and bucket, and which of them each share begins with. */
typedef struct block_run {
    lode__solve_chunk all;
    uint32_t first[LODE__MOST_SHARES + 1];
} block_run;

static lode__turn *turn_at(const turn_list *list, uint32_t phase, uint32_t share)
{
    return &list->state->turns[list->group->turn_begin + phase * list->state->shares + share];
}

/* Joins chunks from `begin` on that are alike; returns the chunk after them. */
static uint32_t join_run(const lode__solve_state *state, uint32_t begin, uint32_t end,
                         lode__solve_chunk *out)
{
    const lode__solve_chunk *chunks = state->chunks;
    uint32_t i = begin;
    *out = chunks[begin];
    while (++i < end && chunks[i].colour == out->colour && chunks[i].bucket == out->bucket)
        out->count += chunks[i].count;
    return i;
}

/* The runs of the colour that chunk `begin` is of; returns the chunk after them. */
static uint32_t list_runs(const turn_list *list, uint32_t begin, block_run *out,
                          uint32_t *out_count)
{
    const lode__solve_chunk *chunks = list->state->chunks;
    uint8_t colour = chunks[begin].colour;
    *out_count = 0;
    while (begin < list->group->chunk_end && chunks[begin].colour == colour)
        begin = join_run(list->state, begin, list->group->chunk_end, &out[(*out_count)++].all);
    return begin;
}

static bool is_worth_a_cut(const turn_list *list, const block_run *runs, uint32_t count)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
        bytes += (size_t)runs[i].all.count * runs[i].all.stride;
    int colour = runs[0].all.colour;
    bool rest = colour == LODE__COLOUR_PAIR_REST || colour == LODE__COLOUR_STATIC_REST;
    return list->state->shares > 1 && !rest && bytes > TURN_BYTES;
}

/* Each run is cut into parts of about equal size, and so that what a share gets too little of one
 * it gets of the next. */
static void cut_runs(block_run *runs, uint32_t count, uint32_t shares)
{
    int64_t owed[LODE__MOST_SHARES] = {0}; /* bytes that the shares before this one lack */
    for (uint32_t i = 0; i < count; ++i) {
        int64_t stride = runs[i].all.stride, blocks = runs[i].all.count;
        uint32_t *first = runs[i].first;
        first[0] = 0;
        for (uint32_t s = 1; s < shares; ++s) {
            int64_t bytes = blocks * stride * s / shares + owed[s];
            int64_t cut = (bytes + stride / 2) / stride;
            cut = cut < (int64_t)first[s - 1] ? (int64_t)first[s - 1] : cut > blocks ? blocks : cut;
            owed[s] = bytes - cut * stride;
            first[s] = (uint32_t)cut;
        }
        first[shares] = (uint32_t)blocks;
    }
}

static void add_piece(lode__solve_state *state, const block_run *run, uint32_t share)
{
    uint32_t first = run->first[share], count = run->first[share + 1] - first;
    if (count == 0)
        return;
    lode__solve_chunk *piece = &state->pieces[state->piece_count++];
    *piece = run->all;
    piece->blocks += (size_t)first * piece->stride;
    piece->lanes += (size_t)first * LODE_LANES;
    piece->count = count;
}

/* Adds a share's part of the runs to its turn in the last phase. */
static void add_turn(turn_list *list, const block_run *runs, uint32_t count, uint32_t share)
{
    lode__solve_state *state = list->state;
    lode__turn *turn = turn_at(list, list->group->phases - 1, share);
    if (turn->begin == turn->end)
        turn->begin = state->piece_count;
    for (uint32_t i = 0; i < count; ++i)
        add_piece(state, &runs[i], share);
    turn->end = state->piece_count;
}

static void begin_phase(turn_list *list)
{
    uint32_t phase = list->group->phases++;
    for (uint32_t s = 0; s < list->state->shares; ++s)
        *turn_at(list, phase, s) = (lode__turn){0, 0};
}

static void add_colour(turn_list *list, block_run *runs, uint32_t count)
{
    bool cut = is_worth_a_cut(list, runs, count);
    uint32_t shares = cut ? list->state->shares : 1;
    cut_runs(runs, count, shares);
    if (cut || !list->alone)
        begin_phase(list);
    list->alone = !cut;
    for (uint32_t s = 0; s < shares; ++s)
        add_turn(list, runs, count, s);
}

static void cut_group(lode__solve_state *state, lode__group *group)
{
    turn_list list = {state, group, false};
    block_run runs[LODE__BUCKET_COUNT];
    uint32_t count, begin = group->chunk_begin;
    group->turn_begin = state->turn_count;
    while (begin < group->chunk_end) {
        begin = list_runs(&list, begin, runs, &count);
        add_colour(&list, runs, count);
    }
    state->turn_count += group->phases * state->shares;
}

static uint32_t count_chunks_of_large(const lode__solve_state *state)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].large)
            count += state->groups[g].chunk_end - state->groups[g].chunk_begin;
    return count;
}

bool lode__turns_make(lode__solve_state *state, const lode__step *step)
{
    state->shares = lode__tasks_shares(step->tasks);
    size_t most = (size_t)count_chunks_of_large(state) * state->shares;
    state->turns = LODE__TAKE(step->arena, lode__turn, most);
    state->pieces = LODE__TAKE(step->arena, lode__solve_chunk, most);
    if (!state->turns || !state->pieces)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].large)
            cut_group(state, &state->groups[g]);
    return true;
}

typedef struct turns_run {
    const lode__solve_state *state;
    const lode__group *group;
    lode__chunk_fn *run;
    const void *context;
} turns_run;

static void run_pieces(const turns_run *run, uint32_t phase, uint32_t share)
{
    uint32_t number = phase * run->state->shares + share;
    const lode__turn *turn = &run->state->turns[run->group->turn_begin + number];
    for (uint32_t i = turn->begin; i < turn->end; ++i)
        run->run(run->context, &run->state->pieces[i]);
}

static void run_turn(void *context, uint32_t phase, uint32_t share)
{
    const turns_run *run = context;
    run_pieces(run, phase % run->group->phases, share);
}

void lode__turns_run(const lode__solve_state *state, const lode__group *group, lode__tasks *tasks,
                     uint32_t sweeps, lode__chunk_fn *run, const void *context)
{
    turns_run now = {state, group, run, context};
    lode__tasks_run_ordered(tasks, group->phases * sweeps, state->shares, run_turn, &now);
}

typedef struct blocks_run {
    const lode__solve_state *state;
    lode__chunk_fn *run;
    const void *context;
} blocks_run;

static void run_small(void *context, uint32_t begin, uint32_t end)
{
    const blocks_run *run = context;
    for (uint32_t i = begin; i < end; ++i)
        if (!run->state->chunks[i].large)
            run->run(run->context, &run->state->chunks[i]);
}

/* Turns begin..end-1, share by share. */
static void run_in_no_order(void *context, uint32_t begin, uint32_t end)
{
    const turns_run *run = context;
    for (uint32_t i = begin; i < end; ++i)
        run_pieces(run, i % run->group->phases, i / run->group->phases);
}

void lode__blocks_run(const lode__solve_state *state, lode__tasks *tasks, lode__chunk_fn *run,
                      const void *context)
{
    blocks_run small = {state, run, context};
    for (uint32_t g = 0; g < state->group_count; ++g) {
        turns_run large = {state, &state->groups[g], run, context};
        lode__tasks_run(tasks, large.group->phases * state->shares, 1, run_in_no_order, &large);
    }
    lode__tasks_run(tasks, state->chunk_count, 1, run_small, &small);
}
