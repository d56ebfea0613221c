/* turns.c: how threads share a large island. Its blocks are solved colour by colour. A share's
 * part of a colour (solver/shares.c) is a turn: the work of one thread at a time. Its edge comes
 * after the edges of all shares in the colours before; what is inside is the share's own, and
 * waits for nobody (core/ordered.c).
 *
 * A share is the same slab of the island in all colours, so most of what a thread touches is in
 * its own cache from the colour before. That matters more than the meetings of the threads. */
#include "core/fetch.h"
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

/* No turn of the phase has an inside: all of it comes after all of the phase before, and all of the
 * next one after it. */
static void have_no_inside(const turn_list *list, uint32_t phase)
{
    for (uint32_t s = 0; s < list->state->shares; ++s)
        turn_at(list, phase, s)->inside = turn_at(list, phase, s)->end;
}

/* What found no colour pushes bodies of all shares. It is the first one's. */
static void add_rest(turn_list *list, uint32_t begin, uint32_t end)
{
    begin_phase(list, begin);
    lode__turn *turn = turn_at(list, list->group->phases - 1, 0);
    turn->inside = turn->end = end;
}

static bool is_rest(const turn_list *list, uint32_t phase)
{
    const lode__turn *turn = turn_at(list, phase, 0);
    return turn->begin < turn->end && is_colour_rest(list->state->chunks[turn->begin].colour);
}

/* It comes after all of the phase before, and all of the next phase comes after it: in the next
 * sweep too, and in those that go back. */
static void part_from_rest(const turn_list *list)
{
    uint32_t phases = list->group->phases;
    for (uint32_t phase = 0; phase < phases; ++phase) {
        if (!is_rest(list, phase))
            continue;
        have_no_inside(list, (phase + phases - 1) % phases);
        have_no_inside(list, (phase + 1) % phases);
    }
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
    part_from_rest(&list);
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

typedef enum which { ALL, JOINTS, CONTACTS } which;

enum { MOST_PASSES = 32 }; /* in one run */

typedef struct turns_run {
    const lode__solve_state *state;
    const lode__group *group;
    const lode__pass *passes;
    uint32_t count;
    uint32_t first_phase[MOST_PASSES]; /* of each pass */
    lode__pass_begun_fn *begun;
    void *begun_context;
    uint32_t heard; /* passes that have begun; who has a turn of the first share knows */
} turns_run;

static const lode__turn *turn_of(const turns_run *run, uint32_t phase, uint32_t share)
{
    return &run->state->turns[run->group->turn_begin + phase * run->state->shares + share];
}

/* All of them, or what of them is joints, or contacts. */
static void run_chunks(const lode__solve_state *state, const lode__pass *pass, which which,
                       uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; ++i)
        if (which == ALL || bucket_is_contact(state->chunks[i].bucket) == (which == CONTACTS))
            pass->chunk(pass->context, &state->chunks[i]);
}

/* What another core has written takes a hundred nanoseconds to come. Halfway through what is
 * inside, the others are most likely done with it. */
LODE__FETCHER void fetch_common(const turns_run *run, const lode__turn *turn)
{
    const lode__dense *lines = &run->state->lines;
    for (uint32_t i = 0; i < turn->common_count; ++i)
        __builtin_prefetch(&lines->velocity[turn->common[i]], 1);
}

/* How often the pass goes through the group's colours. */
static uint32_t rounds_of(const lode__group *group, const lode__pass *pass)
{
    bool both = group->begin[LODE__CONTACTS] < group->end[LODE__CONTACTS];
    return pass->back && both ? 2 * pass->sweeps : pass->sweeps;
}

/* Which colour has its turn, and with what of it. */
static uint32_t turn_number(const turns_run *run, const lode__pass *pass, uint32_t phase,
                            which *out_which)
{
    uint32_t phases = run->group->phases, number = phase % phases, round = phase / phases;
    bool both = rounds_of(run->group, pass) > pass->sweeps;
    *out_which = !both ? ALL : round % 2 == 0 ? CONTACTS : JOINTS;
    return pass->back && *out_which != CONTACTS ? phases - 1 - number : number;
}

static void run_turn(const turns_run *run, const lode__pass *pass, uint32_t phase, uint32_t share,
                     int part)
{
    which which, next;
    const lode__turn *turn = turn_of(run, turn_number(run, pass, phase, &which), share);
    if (part == LODE__EDGE) {
        run_chunks(run->state, pass, which, turn->begin, turn->inside);
        return;
    }
    uint32_t half = turn->inside + (turn->end - turn->inside) / 2;
    run_chunks(run->state, pass, which, turn->inside, half);
    fetch_common(run, turn_of(run, turn_number(run, pass, phase + 1, &next), share));
    run_chunks(run->state, pass, which, half, turn->end);
}

/* All turns of a share, in no order. */
static void run_freely(const turns_run *run, const lode__pass *pass, uint32_t share, int part)
{
    for (uint32_t phase = 0; phase < run->group->phases; ++phase) {
        const lode__turn *turn = turn_of(run, phase, share);
        if (part == LODE__EDGE)
            run_chunks(run->state, pass, ALL, turn->begin, turn->inside);
        else
            run_chunks(run->state, pass, ALL, turn->inside, turn->end);
    }
}

static uint32_t phases_of(const lode__group *group, const lode__pass *pass)
{
    return pass->chunk && pass->sweeps > 0 ? group->phases * rounds_of(group, pass) : 1;
}

static void run_phase(void *context, uint32_t phase, uint32_t share, int part)
{
    turns_run *run = context;
    uint32_t i = run->count - 1;
    while (phase < run->first_phase[i])
        --i;
    const lode__pass *pass = &run->passes[i];
    for (; share == 0 && run->begun && run->heard <= i; ++run->heard)
        run->begun(run->begun_context, run->heard);
    if (!pass->chunk)
        pass->lines(pass->context, &run->group->shares[share].parts[part]);
    else if (pass->sweeps == 0)
        run_freely(run, pass, share, part);
    else
        run_turn(run, pass, phase - run->first_phase[i], share, part);
}

/* The threads' pace is learnt where there are sweeps. */
static void run_shared(turns_run *run, lode__group *group, lode__tasks *tasks)
{
    uint32_t phases = 0;
    bool sweeps = false;
    for (uint32_t i = 0; i < run->count; ++i) {
        run->first_phase[i] = phases;
        phases += phases_of(group, &run->passes[i]);
        sweeps = sweeps || run->passes[i].sweeps > 0;
    }
    bool known = lode__tasks_run_ordered(tasks, phases, run->state->shares, run_phase, run,
                                         sweeps ? group->busy : NULL);
    group->timed = group->timed && (known || !sweeps);
}

/* Joints colour by colour, from the last one to the first. */
static void run_back(const lode__solve_state *state, const lode__group *group,
                     const lode__pass *pass)
{
    for (uint32_t end = group->chunk_end, begin; end > group->chunk_begin; end = begin) {
        begin = end;
        while (begin > group->chunk_begin &&
               state->chunks[begin - 1].colour == state->chunks[end - 1].colour)
            --begin;
        run_chunks(state, pass, JOINTS, begin, end);
    }
}

static void run_whole(const lode__solve_state *state, const lode__group *group,
                      const lode__pass *pass)
{
    if (!pass->chunk && group->line_begin < group->line_end)
        pass->lines(pass->context, &group->all);
    for (uint32_t i = 0; pass->chunk && (i == 0 || i < pass->sweeps); ++i) {
        run_chunks(state, pass, pass->back ? CONTACTS : ALL, group->chunk_begin, group->chunk_end);
        if (pass->back)
            run_back(state, group, pass);
    }
}

/* What found no colour pushes bodies inside of all shares. */
static uint32_t most_passes(const lode__group *group)
{
    bool rest = group->rest_begin < group->rest_end;
    return rest || !group->shares ? 1 : MOST_PASSES;
}

void lode__passes_run(const lode__solve_state *state, lode__group *group, lode__tasks *tasks,
                      const lode__pass *passes, uint32_t count, lode__pass_begun_fn *begun,
                      void *begun_context)
{
    uint32_t most = most_passes(group);
    for (uint32_t done = 0; done < count; done += most) {
        turns_run run = {.state = state,
                         .group = group,
                         .passes = passes + done,
                         .count = count - done < most ? count - done : most};
        if (begun && most == 1) {
            begun(begun_context, done);
        } else {
            run.begun = begun;
            run.begun_context = begun_context;
        }
        if (group->shares)
            run_shared(&run, group, tasks);
        else
            run_whole(state, group, &passes[done]);
    }
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
        if (!run->state->chunks[i].shared && !run->state->chunks[i].through)
            run_chunks(run->state, run->passes, ALL, i, i + 1);
}

void lode__blocks_run(const lode__solve_state *state, lode__tasks *tasks, lode__chunk_fn *run,
                      const void *context)
{
    lode__pass pass = {.chunk = run, .context = context};
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].shares)
            lode__passes_run(state, &state->groups[g], tasks, &pass, 1, NULL, NULL);
    turns_run others = {.state = state, .passes = &pass};
    lode__tasks_run(tasks, state->chunk_count, 1, run_others, &others);
}
