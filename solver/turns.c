/* turns.c: how threads share a large island. Its blocks are solved colour by colour; the chunks of
 * one colour are cut into turns, each the work of one thread at a time, that come after all turns of
 * the colours before.
 *
 * A turn is large enough that taking it costs little beside it. A colour that fills no more than one
 * turn cannot be shared, and the next such one goes into the same turn: the bodies stay in one
 * thread's cache, and no other has to hear that it is done. */
#include "solver/state.h"

/* Bytes of blocks that fill a turn, some eight blocks of two points. */
enum { TURN_BYTES = 2304 * (int)sizeof(lode_real) };

typedef struct turn_list {
    lode__turn *turns; /* of one group */
    uint32_t *after;
    uint32_t count;
} turn_list;

static uint32_t end_of_colour(const lode__solve_chunk *chunks, uint32_t begin, uint32_t end)
{
    uint32_t i = begin + 1;
    while (i < end && chunks[i].colour == chunks[begin].colour)
        ++i;
    return i;
}

/* Cuts chunks begin..end-1, which are of one colour. */
static void cut_colour(turn_list *list, const lode__solve_chunk *chunks, uint32_t begin,
                       uint32_t end)
{
    uint32_t after = list->count;
    for (uint32_t i = begin; i < end;) {
        size_t bytes = 0;
        lode__turn *turn = &list->turns[list->count];
        list->after[list->count++] = after;
        turn->begin = i;
        while (i < end && bytes < TURN_BYTES) {
            bytes += (size_t)chunks[i].count * chunks[i].stride;
            ++i;
        }
        turn->end = i;
    }
}

/* True when the list ends with a turn that has a phase to itself. */
static bool ends_alone(const turn_list *list)
{
    return list->count > 0 && list->after[list->count - 1] == list->count - 1;
}

static void cut_group(turn_list *list, const lode__solve_chunk *chunks, const lode__group *group)
{
    for (uint32_t begin = group->chunk_begin, end; begin < group->chunk_end; begin = end) {
        end = end_of_colour(chunks, begin, group->chunk_end);
        bool alone = ends_alone(list);
        uint32_t before = list->count;
        cut_colour(list, chunks, begin, end);
        if (alone && list->count == before + 1) {
            list->turns[before - 1].end = end;
            list->count = before;
        }
    }
}

static uint32_t count_shared_chunks(const lode__solve_state *state)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].large)
            count += state->groups[g].chunk_end - state->groups[g].chunk_begin;
    return count;
}

bool lode__turns_make(lode__solve_state *state, lode__arena *arena)
{
    uint32_t most = count_shared_chunks(state), count = 0;
    state->turns = LODE__TAKE(arena, lode__turn, most);
    state->turn_after = LODE__TAKE(arena, uint32_t, most);
    if (!state->turns || !state->turn_after)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        turn_list list = {state->turns + count, state->turn_after + count, 0};
        if (group->large)
            cut_group(&list, state->chunks, group);
        group->turn_begin = count;
        group->turn_end = count += list.count;
    }
    return true;
}
