/* shares.c: where a large group is cut for the threads that solve it together. Lines of a large
 * island lie along its longest side (solver/along.c), small islands of the group before and behind
 * it (solver/groups.c), and a share is a stretch of them all: the constraints
 * whose first body lies there, so many bytes of blocks as its thread gets done while the others do
 * theirs. For processors differ, or other work slows one of them down, and in each colour the
 * threads wait for the slowest. How fast each one was in the steps before is its *pace*.
 *
 * Most of a share touches nothing that another share does. Constraints of which another share
 * pushes a body too are its *edge*; in a heap of 2,000 boxes that is cut in two they are one in
 * twelve. They have blocks before all others, and no block holds constraints of two shares: so
 * shares wait for each other with a few blocks of each colour only (solver/turns.c). Bodies that
 * two shares push are the first of their stretch, because a line of the cache holds two bodies,
 * and what lies beside them would go to and fro with them.
 *
 * The cut decides who computes what, and nothing about the result: constraints of one colour have
 * no body in common, so they may be laid into blocks in any way. Therefore it may, alone of all,
 * depend on the number of threads, and with it the order of lines. */
#include "solver/state.h"

#include <string.h>

/* One constraint in so many is weighed: that tells well enough where the middle is. */
enum { SAMPLE = 8 };

/* Of two lines of which one may be 0; without a branch, which could not be foreseen. */
static inline uint32_t lower_line(uint32_t a, uint32_t b)
{
    return a - 1 < b - 1 ? a : b;
}

/* A thread's pace follows what was measured by half, within such a factor of what it was: what
 * stops a thread once, as the system may, says little of the next step. No thread counts as faster
 * or slower than another by more than PACE_SPAN. */
#define PACE_STEP 1.5f
#define PACE_SPAN 3.0f

typedef struct cut_work {
    const lode__solver *solver;
    const lode__solve_state *state;
    const uint32_t *line; /* by place, from place 1 on */
    uint32_t *bytes;      /* by line: of a sample of the constraints that begin there */
    uint8_t *share, *common;
} cut_work;

static uint32_t line_of_place(const cut_work *work, uint32_t place)
{
    return place ? work->line[place - 1] : 0;
}

static void weigh(const cut_work *work, const lode__constraint_list *list)
{
    for (uint32_t i = 0; i < list->count; i += SAMPLE) {
        const lode__constraint *c = &list->all[i];
        uint32_t a = line_of_place(work, c->a), b = line_of_place(work, c->b);
        work->bytes[lower_line(a, b)] += lode__bucket_stride(c->bucket) / LODE_LANES;
    }
}

static float pace_of(const cut_work *work, uint32_t share)
{
    return work->solver->pace[share] > 0 ? work->solver->pace[share] : 1;
}

/* Bytes up to the end of each share, of `all`. */
static void choose_ends(const cut_work *work, uint32_t shares, uint64_t all, uint64_t *out_ends)
{
    float sum = 0, so_far = 0;
    for (uint32_t s = 0; s < shares; ++s)
        sum += pace_of(work, s);
    for (uint32_t s = 0; s < shares; ++s) {
        so_far += pace_of(work, s);
        out_ends[s] = (uint64_t)((float)all * (so_far / sum));
    }
}

static void cut_lines(const cut_work *work, lode__group *group)
{
    uint64_t all = 0, before = 0, ends[LODE__MOST_SHARES];
    uint32_t shares = work->state->shares, most = group->rows / LODE__SHARE_ROWS, share = 0;
    shares = shares < most ? shares : most;
    for (uint32_t line = group->line_begin; line < group->line_end; ++line)
        all += work->bytes[line];
    choose_ends(work, shares, all, ends);
    group->shares[0].line_begin = group->line_begin;
    for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
        while (share + 1 < shares && before >= ends[share])
            group->shares[++share].line_begin = line;
        work->share[line] = (uint8_t)share;
        group->shares[share].line_end = line + 1;
        group->shares[share].bytes += work->bytes[line];
        before += work->bytes[line];
    }
}

typedef struct mark_task {
    const cut_work *work;
    const lode__constraint_list *list;
} mark_task;

/* The share of the lower line pushes the other body too. */
static void mark_common(void *context, uint32_t begin, uint32_t end)
{
    const mark_task *task = context;
    const cut_work *work = task->work;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__constraint *c = &task->list->all[i];
        uint32_t a = line_of_place(work, c->a), b = line_of_place(work, c->b);
        if (a && b && work->share[a] != work->share[b])
            __atomic_store_n(&work->common[a < b ? b : a], 1, __ATOMIC_RELAXED);
    }
}

/* Within each share's stretch, bodies in common first. */
static void move_common(const cut_work *work, lode__group *group, uint32_t *places,
                        uint32_t *scratch)
{
    uint32_t at = group->line_begin, end = group->line_end;
    memcpy(scratch, places + at, (end - at) * sizeof *places);
    const uint32_t *old = scratch - at;
    for (uint32_t begin = at, next; begin < end; begin = next) {
        for (next = begin; next < end && work->share[next] == work->share[begin]; ++next)
            if (work->common[next])
                places[at++] = old[next];
        uint32_t inside = at;
        lode__share *share = &group->shares[work->share[begin]];
        share->parts[LODE__EDGE] = (lode__stretch){.line_begin = begin, .line_end = inside};
        share->parts[LODE__INSIDE] = (lode__stretch){.line_begin = inside, .line_end = next};
        for (uint32_t line = begin; line < next; ++line)
            if (!work->common[line])
                places[at++] = old[line];
        memset(work->common + begin, 1, inside - begin);
        memset(work->common + inside, 0, next - inside);
    }
}

static bool take_shares(const lode__solve_state *state, lode__group *group, lode__arena *arena)
{
    group->shares = LODE__TAKE(arena, lode__share, state->shares);
    group->busy = LODE__TAKE_ZEROED(arena, uint64_t, state->shares);
    if (!group->shares || !group->busy)
        return false;
    group->timed = true;
    for (uint32_t s = 0; s < state->shares; ++s)
        memset(&group->shares[s], 0, offsetof(lode__share, lanes));
    return true;
}

/* The passes over constraints are made for all groups at once: those that are not cut are one
 * share's each. */
bool lode__shares_cut(const lode__solver *solver, const uint32_t *lines, uint32_t *places,
                      uint32_t *scratch, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__arena *arena = step->arena;
    uint32_t count = state->lines.count;
    state->share_of_line = LODE__TAKE_ZEROED(arena, uint8_t, count);
    state->common = LODE__TAKE_ZEROED(arena, uint8_t, count);
    uint32_t *bytes = LODE__TAKE_ZEROED(arena, uint32_t, count);
    cut_work work = {solver, state, lines, bytes, state->share_of_line, state->common};
    if (!bytes || !work.share || !work.common)
        return false;
    for (int l = 0; l < LODE__LISTS; ++l)
        weigh(&work, &state->constraints[l]);
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        if (group->large && !take_shares(state, group, arena))
            return false;
        if (group->large)
            cut_lines(&work, group);
    }
    for (int l = 0; l < LODE__LISTS; ++l) {
        mark_task task = {&work, &state->constraints[l]};
        lode__tasks_run(step->tasks, task.list->count, LODE__CONSTRAINT_GRAIN, mark_common, &task);
    }
    for (uint32_t g = 0; g < state->group_count; ++g)
        if (state->groups[g].large)
            move_common(&work, &state->groups[g], places, scratch);
    return true;
}

lode__stretch *lode__group_stretch(const lode__solve_state *state, lode__group *group, uint32_t i)
{
    if (!group->shares)
        return i == 0 ? &group->all : NULL;
    return i < 2 * state->shares ? &group->shares[i / 2].parts[i % 2] : NULL;
}

void lode__stretches_list(const lode__solver *solver, lode__list_stretch_fn *list,
                          const void *context)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__stretch *stretch;
        for (uint32_t i = 0; (stretch = lode__group_stretch(state, &state->groups[g], i)); ++i)
            list(solver, stretch, context);
    }
}

uint32_t lode__padded_most(const lode__solve_state *state, uint32_t count)
{
    uint32_t stretches = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        stretches += state->groups[g].shares ? 2 * state->shares : 1;
    return count > 0 ? count + LODE_LANES * stretches : 0;
}

/* --- the threads' pace */

static float within(float x, float lo, float hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* What a thread does in the time in which all of them together do one share's worth. */
static void learn_from(lode__solver *solver, const lode__group *group, uint32_t shares)
{
    float bytes = 0, busy = 0;
    for (uint32_t s = 0; s < shares; ++s) {
        bytes += (float)group->shares[s].bytes;
        busy += (float)group->busy[s];
        if (group->busy[s] == 0 || group->shares[s].bytes == 0)
            return;
    }
    for (uint32_t s = 0; s < shares; ++s) {
        float old = solver->pace[s] > 0 ? solver->pace[s] : 1;
        float now = (float)group->shares[s].bytes / bytes * (busy / (float)group->busy[s]);
        now = within(now, old / PACE_STEP, old * PACE_STEP);
        solver->pace[s] = within((old + now) / 2, 1 / PACE_SPAN, PACE_SPAN);
    }
}

void lode__shares_learn(lode__solver *solver)
{
    const lode__solve_state *state = solver->state;
    const lode__group *most = NULL;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        const lode__group *group = &state->groups[g];
        if (group->shares && group->timed && (!most || group->rows > most->rows))
            most = group;
    }
    if (most)
        learn_from(solver, most, state->shares);
}

/* --- the constraints' share */

void lode__shares_give(const lode__solve_state *state, lode__constraint *c)
{
    c->share = state->share_of_line[lower_line(c->a, c->b)];
    c->inside = !(state->common[c->a] | state->common[c->b]);
}

/* --- which bodies in common each edge pushes */

static void count_common(const lode__solve_state *state, lode__group *group,
                         const lode__constraint *c)
{
    group->shares[c->share].common_end[c->colour] += state->common[c->a] + state->common[c->b];
}

static void list_common(const lode__solve_state *state, lode__group *group,
                        const lode__constraint *c)
{
    lode__share *share = &group->shares[c->share];
    uint32_t *end = &share->common_end[c->colour];
    if (state->common[c->a])
        share->common[(*end)++] = c->a;
    if (state->common[c->b])
        share->common[(*end)++] = c->b;
}

/* Returns how many there are in all colours. */
static uint32_t add_up_common(lode__share *share, uint32_t *at)
{
    uint32_t count = 0;
    share->common = at;
    for (int c = 0; c < LODE__COLOUR_COUNT; ++c) {
        uint32_t here = share->common_end[c];
        share->common_end[c] = count;
        count += here;
    }
    return count;
}

/* Takes room for as many as there can be, wherever the island is cut: where the cut moves, no step
 * takes more memory than another. */
bool lode__shares_list_common(const lode__solve_state *state, lode__group *group,
                              lode__arena *arena)
{
    for (uint32_t i = 0; i < group->edge_count; ++i)
        count_common(state, group, group->edges[i]);
    uint32_t constraints = 0;
    for (int l = 0; l < LODE__LISTS; ++l)
        constraints += group->end[l] - group->begin[l];
    uint32_t *at = LODE__TAKE(arena, uint32_t, 2 * (size_t)constraints);
    if (!at)
        return false;
    for (uint32_t s = 0; s < state->shares; ++s)
        at += add_up_common(&group->shares[s], at);
    for (uint32_t i = 0; i < group->edge_count; ++i)
        list_common(state, group, group->edges[i]);
    return true;
}
