/* colouring.c: gives every contact and joint a colour, then a lane of a block.
 *
 * Greedy colouring in a fixed order, joints by slot, then contacts by pair: the lowest colour that
 * neither body has. Constraints of one movable body have colours of their own, which come last, so
 * that the ground has the last word. It is computed afresh each step, group by group, and depends
 * on the group's constraints alone; two constraints of one island get the same colours whatever
 * other islands share their group, so an island's bits do not depend on its neighbours. */
#include "solver/state.h"

typedef struct colour_work {
    lode__solve_state *state;
    uint32_t *used;  /* by dense line: bit i is colour i, pair colours, then static ones */
    uint32_t *lanes; /* of all blocks */
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

static bool is_rest(int colour)
{
    return colour == LODE__COLOUR_PAIR_REST || colour == LODE__COLOUR_STATIC_REST;
}

static void colour_group(colour_work *work, lode__group *group)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            lode__constraint *c = &list->all[list->order[i]];
            c->colour = colour_of(work->used, c->a, c->b);
            ++group->blocks[c->colour][c->bucket];
        }
    }
}

static void colour_groups(void *context, uint32_t begin, uint32_t end)
{
    colour_work *work = context;
    for (uint32_t i = begin; i < end; ++i)
        colour_group(work, &work->state->groups[i]);
}

/* Blocks of a colour and bucket: eight constraints each, but one where they are left over. */
static uint32_t block_count(int colour, uint32_t constraints)
{
    return is_rest(colour) ? constraints : (constraints + LODE_LANES - 1) / LODE_LANES;
}

static uint32_t chunk_count(int colour, uint32_t blocks)
{
    if (is_rest(colour)) /* in one piece: its blocks share bodies */
        return blocks ? 1 : 0;
    return (blocks + LODE__CHUNK_BLOCKS - 1) / LODE__CHUNK_BLOCKS;
}

static uint32_t bucket_stride(int bucket)
{
    if (bucket >= LODE__BUCKET_JOINT) {
        int rows = lode__joint_types[bucket - LODE__BUCKET_JOINT].rows;
        return (uint32_t)lode__row_block_size(rows);
    }
    return (uint32_t)lode__contact_block_size(bucket % LODE__MANIFOLD_POINTS + 1);
}

static const lode__block_kernels *bucket_kernels(const lode__solver *solver, int bucket)
{
    int kind = bucket;
    if (bucket >= LODE__BUCKET_JOINT)
        kind = LODE__KIND_ROWS + lode__joint_types[bucket - LODE__BUCKET_JOINT].rows - 1;
    return &solver->kernels->kinds[kind];
}

typedef struct totals {
    uint32_t chunks, blocks;
    size_t bytes;
} totals;

static totals measure(const lode__solve_state *state, lode_world_stats *stats)
{
    totals sum = {0};
    uint32_t constraints = 0, rest = 0;
    int most = 0;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        int colours = 0;
        for (int c = 0; c < LODE__COLOUR_COUNT; ++c) {
            bool used = false;
            for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
                uint32_t count = state->groups[g].blocks[c][k], blocks = block_count(c, count);
                sum.chunks += chunk_count(c, blocks);
                sum.blocks += blocks;
                sum.bytes += (size_t)blocks * bucket_stride(k);
                constraints += count;
                rest += is_rest(c) ? count : 0;
                used = used || count;
            }
            colours += used && !is_rest(c);
        }
        most = colours > most ? colours : most;
    }
    stats->colours = most;
    stats->batches = (int)sum.blocks;
    stats->lanes_used = (int)constraints;
    stats->overflow_blocks = (int)rest;
    return sum;
}

/* Lays out the chunks of all groups in solving order. The counts in group.blocks become the next
 * free lane of their colour and bucket. */
static bool lay_out(lode__solver *solver, lode__arena *arena, totals sum, uint32_t **out_lanes)
{
    lode__solve_state *state = solver->state;
    char *at = LODE__TAKE(arena, char, sum.bytes);
    uint32_t *lanes = LODE__TAKE(arena, uint32_t, sum.blocks * LODE_LANES);
    state->chunks = LODE__TAKE(arena, lode__solve_chunk, sum.chunks);
    if (!at || !lanes || !state->chunks)
        return false;
    *out_lanes = lanes;
    for (uint32_t i = 0; i < sum.blocks * LODE_LANES; ++i)
        lanes[i] = LODE__NONE;
    uint32_t lane = 0;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        group->chunk_begin = state->chunk_count;
        for (int c = 0; c < LODE__COLOUR_COUNT; ++c)
            for (int k = 0; k < LODE__BUCKET_COUNT; ++k) {
                uint32_t blocks = block_count(c, group->blocks[c][k]);
                uint32_t most = is_rest(c) ? blocks : LODE__CHUNK_BLOCKS;
                group->blocks[c][k] = lane;
                for (uint32_t done = 0; done < blocks; done += most) {
                    uint32_t count = blocks - done < most ? blocks - done : most;
                    state->chunks[state->chunk_count++] = (lode__solve_chunk){
                        at,        lanes + lane,     bucket_kernels(solver, k),
                        count,     bucket_stride(k), (uint8_t)c,
                        (uint8_t)k};
                    at += (size_t)count * bucket_stride(k);
                    lane += count * LODE_LANES;
                }
            }
        group->chunk_end = state->chunk_count;
    }
    return true;
}

static void place_groups(void *context, uint32_t begin, uint32_t end)
{
    const colour_work *work = context;
    for (uint32_t g = begin; g < end; ++g) {
        lode__group *group = &work->state->groups[g];
        for (int l = 0; l < LODE__LISTS; ++l) {
            const lode__constraint_list *list = &work->state->constraints[l];
            for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
                const lode__constraint *c = &list->all[list->order[i]];
                uint32_t *next = &group->blocks[c->colour][c->bucket];
                work->lanes[*next] = c->source;
                *next += is_rest(c->colour) ? LODE_LANES : 1;
            }
        }
    }
}

bool lode__colouring_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    colour_work work = {state, LODE__TAKE_ZEROED(arena, uint32_t, state->lines.count), NULL};
    if (!work.used)
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, colour_groups, &work);
    totals sum = measure(state, step->stats);
    if (!lay_out(solver, arena, sum, &work.lanes))
        return false;
    lode__tasks_run(step->tasks, state->group_count, 1, place_groups, &work);
    return true;
}
