/* turns.c: how threads share a large island. Its blocks are solved colour by colour. A share's
 * part of a colour (solver/shares.c) is a turn: the work of one thread at a time. Its edge comes
 * after the edges of all shares in the colours before; what is inside is the share's own, and
 * waits for nobody (core/ordered.c).
 *
 * A share is the same slab of the island in all colours, so most of what a thread touches is in
 * its own cache from the colour before. That matters more than the meetings of the threads. */
#include "solver/state.h"

/* The turns of one group while they are made. */
typedef struct turn_list {
    lode__solve_state *state;
    lode__group *group;
} turn_list;

static lode__turn *turn_at(const turn_list *list, uint32_t phase, uint32_t share)
{
    return &list->state->turns[list->group->turn_begin + phase * list->state->shares + share];
}

static void begin_phase(turn_list *list, uint32_t chunk)
{
    uint32_t phase = list->group->phases++;
    for (uint32_t s = 0; s < list->state->shares; ++s)
        *turn_at(list, phase, s) = (lode__turn){chunk, chunk, chunk, NULL, 0};
}

/* The end of the chunks of a colour, of which `begin` is the first. */
static uint32_t end_of_colour(const turn_list *list, uint32_t begin)
{
    const lode__solve_chunk *chunks = list->state->chunks;
    uint32_t end = begin;
    while (end < list->group->chunk_end && chunks[end].colour == chunks[begin].colour)
        ++end;
    return end;
}

static void tell_common(const turn_list *list, lode__turn *turn, uint32_t s, int colour)
{
    const lode__share *share = &list->group->shares[s];
    uint32_t begin = colour > 0 ? share->common_end[colour - 1] : 0;
    turn->common = share->common + begin;
    turn->common_count = share->common_end[colour] - begin;
}

/* Chunks lie share by share, in each the edge first. */
static void add_cut(turn_list *list, uint32_t begin, uint32_t end)
{
    const lode__solve_chunk *chunks = list->state->chunks;
    int colour = chunks[begin].colour;
    begin_phase(list, begin);
    for (uint32_t s = 0; s < list->state->shares; ++s) {
        lode__turn *turn = turn_at(list, list->group->phases - 1, s);
        turn->begin = begin;
        while (begin < end && chunks[begin].share == s && !chunks[begin].inside)
            ++begin;
        turn->inside = begin;
        while (begin < end && chunks[begin].share == s)
            ++begin;
        turn->end = begin;
        tell_common(list, turn, s, colour);
    }
}

/* What found no colour pushes bodies of all shares. It is the first one's, comes after all of the
 * phase before, and all of the next phase comes after it. */
static void add_rest(turn_list *list, uint32_t begin, uint32_t end)
{
    for (uint32_t s = 0; list->group->phases > 0 && s < list->state->shares; ++s) {
        lode__turn *before = turn_at(list, list->group->phases - 1, s);
        before->inside = before->end;
    }
    begin_phase(list, begin);
    lode__turn *turn = turn_at(list, list->group->phases - 1, 0);
    turn->inside = turn->end = end;
}

static void list_turns(lode__solve_state *state, lode__group *group)
{
    turn_list list = {state, group};
    group->turn_begin = state->turn_count;
    group->phases = 0;
    for (uint32_t begin = group->chunk_begin, end; begin < group->chunk_end; begin = end) {
        end = end_of_colour(&list, begin);
        if (is_colour_rest(state->chunks[begin].colour))
            add_rest(&list, begin, end);
        else
            add_cut(&list, begin, end);
    }
    state->turn_count += group->phases * state->shares;
}

bool lode__turns_make(lode__solve_state *state, const lode__step *step)
{
    uint32_t groups = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        groups += state->groups[g].shares != NULL;
    state->turns = LODE__TAKE(step->arena, lode__turn,
                              (size_t)groups * LODE__COLOUR_COUNT * state->shares);
    state->turn_count = 0;
    if (!state->turns)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].shares)
            list_turns(state, &state->groups[g]);
    return true;
}

/* --- running */

typedef struct turns_run {
    const lode__solve_state *state;
    const lode__group *group;
    lode__chunk_fn *run;
    const void *context;
} turns_run;

static const lode__turn *turn_of(const turns_run *run, uint32_t phase, uint32_t share)
{
    return &run->state->turns[run->group->turn_begin + phase * run->state->shares + share];
}

static void run_chunks(const turns_run *run, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i)
        run->run(run->context, &run->state->chunks[i]);
}

/* What another core has written takes a hundred nanoseconds to come. Halfway through what is
 * inside, the others are most likely done with it. */
static void fetch_common(const turns_run *run, const lode__turn *turn)
{
    const lode__dense *lines = &run->state->lines;
    for (uint32_t i = 0; i < turn->common_count; ++i)
        __builtin_prefetch(&lines->velocity[turn->common[i]], 1);
}

static void run_turn(void *context, uint32_t phase, uint32_t share, int part)
{
    const turns_run *run = context;
    const lode__turn *turn = turn_of(run, phase % run->group->phases, share);
    if (part == LODE__EDGE) {
        run_chunks(run, turn->begin, turn->inside);
        return;
    }
    uint32_t half = turn->inside + (turn->end - turn->inside) / 2;
    run_chunks(run, turn->inside, half);
    fetch_common(run, turn_of(run, (phase + 1) % run->group->phases, share));
    run_chunks(run, half, turn->end);
}

void lode__turns_run(const lode__solve_state *state, lode__group *group, lode__tasks *tasks,
                     uint32_t sweeps, lode__chunk_fn *run, const void *context)
{
    turns_run now = {state, group, run, context};
    if (group->shares) {
        group->timed = lode__tasks_run_ordered(tasks, group->phases * sweeps, state->shares,
                                               run_turn, &now, group->busy) &&
                       group->timed;
        return;
    }
    for (uint32_t i = 0; i < sweeps; ++i)
        run_chunks(&now, group->chunk_begin, group->chunk_end);
}

/* All turns of shares begin..end-1. */
static void run_in_no_order(void *context, uint32_t begin, uint32_t end)
{
    const turns_run *run = context;
    for (uint32_t share = begin; share < end; ++share)
        for (uint32_t phase = 0; phase < run->group->phases; ++phase) {
            const lode__turn *turn = turn_of(run, phase, share);
            run_chunks(run, turn->begin, turn->end);
        }
}

void lode__turns_run_freely(const lode__solve_state *state, const lode__group *group,
                            lode__tasks *tasks, lode__chunk_fn *run, const void *context)
{
    turns_run now = {state, group, run, context};
    if (group->shares)
        lode__tasks_run_kept(tasks, state->shares, 1, run_in_no_order, &now);
    else
        run_chunks(&now, group->chunk_begin, group->chunk_end);
}

/* --- lines */

typedef struct lines_run {
    const lode__group *group;
    uint32_t first;
    lode__task_fn *run;
    void *context;
} lines_run;

static void run_share_lines(void *context, uint32_t phase, uint32_t share, int part)
{
    const lines_run *lines = context;
    const lode__share *s = &lines->group->shares[share];
    (void)phase;
    if (part == LODE__INSIDE && s->line_begin < s->line_end)
        lines->run(lines->context, s->line_begin, s->line_end);
}

void lode__group_lines_run(const lode__group *group, uint32_t shares, lode__tasks *tasks,
                           lode__task_fn *run, void *context)
{
    lines_run lines = {.group = group, .run = run, .context = context};
    if (group->shares)
        lode__tasks_run_ordered(tasks, 1, shares, run_share_lines, &lines, NULL);
    else if (group->line_begin < group->line_end)
        run(context, group->line_begin, group->line_end);
}

static void run_stretch(void *context, uint32_t begin, uint32_t end)
{
    const lines_run *lines = context;
    lines->run(lines->context, lines->first + begin, lines->first + end);
}

void lode__lines_run(const lode__solve_state *state, lode__tasks *tasks, lode__task_fn *run,
                     void *context)
{
    uint32_t begin = 1; /* line 0 is the dummy */
    for (uint32_t g = 0; g <= state->group_count; ++g) {
        const lode__group *group = g < state->group_count ? &state->groups[g] : NULL;
        if (group && !group->shares)
            continue;
        lines_run lines = {.first = begin, .run = run, .context = context};
        uint32_t end = group ? group->line_begin : state->lines.count;
        lode__tasks_run_kept(tasks, end - begin, LODE__LINE_GRAIN, run_stretch, &lines);
        if (group)
            lode__group_lines_run(group, state->shares, tasks, run, context);
        begin = group ? group->line_end : end;
    }
}

/* --- all groups */

/* Chunks of groups without shares. */
static void run_others(void *context, uint32_t begin, uint32_t end)
{
    const turns_run *run = context;
    for (uint32_t i = begin; i < end; ++i)
        if (!run->state->chunks[i].shared)
            run->run(run->context, &run->state->chunks[i]);
}

void lode__blocks_run(const lode__solve_state *state, lode__tasks *tasks, lode__chunk_fn *run,
                      const void *context)
{
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].shares)
            lode__turns_run_freely(state, &state->groups[g], tasks, run, context);
    turns_run others = {state, NULL, run, context};
    lode__tasks_run(tasks, state->chunk_count, 1, run_others, &others);
}
