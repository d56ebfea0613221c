/* groups.c: which islands are solved together. A group is one task, or the work of all threads.
 *
 * Small islands fill a group until its blocks fill a share of the second-level cache: that is a
 * *whole*, the group of one thread. With more threads a whole is cut into groups, so that each
 * thread has some; but one that has a large island stays one group, whose bodies are cut into
 * shares (solver/shares.c). So small islands beside a large one fill up its blocks, and the cut
 * goes through the middle of all of them: as groups of their own they had blocks that were half
 * empty, and one thread had more of them than another.
 *
 * Which islands are in which whole depends on the scene alone; the statistics tell of wholes. */
#include "solver/articulation/loose.h"
#include "solver/islands.h"

#include <string.h>

/* An island that fills a whole takes others in, up to such a part of its weight: they go through
 * the cache with it in each sweep. */
enum { COMPANY = 8 };

/* The solver of an island with so many rows. */
static lode_solver solver_of(const island_work *work, uint32_t rows)
{
    const lode_world_def *settings = work->step->settings;
    if (settings->solver != LODE_SOLVER_HYBRID)
        return settings->solver;
    return rows <= (uint32_t)settings->direct_rows ? LODE_SOLVER_DIRECT : LODE_SOLVER_PGS;
}

/* --- wholes */

/* How far a whole is filled: by weight, or, with the direct solver, by rows; a body alone counts as
 * one. */
typedef struct filling {
    uint32_t big;   /* of the island that fills it by itself, if there is one */
    uint32_t small; /* of the others */
    bool taken;     /* an island with rows is in it */
    uint8_t netted; /* may its islands have nets? */
    lode_solver solver;
} filling;

static uint32_t weight_of(const island *of)
{
    return of->solver == LODE_SOLVER_DIRECT ? of->rows : of->weight;
}

/* Does it fill a whole by itself? */
static bool is_big(const island *of)
{
    return of->solver != LODE_SOLVER_DIRECT && of->weight >= LODE__GROUP_ROWS;
}

static bool has_room(const filling *f, const island *of)
{
    if (f->big > 0)
        return (uint64_t)(f->small + weight_of(of) + 1) * COMPANY <= f->big;
    if (is_big(of))
        return (uint64_t)f->small * COMPANY <= of->weight;
    return f->small < (f->solver == LODE_SOLVER_DIRECT ? LODE__DIRECT_ROWS : LODE__GROUP_ROWS);
}

/* Where iterations may end early each island has its own whole: another that goes on would take it
 * along in its lanes. */
static void choose_wholes(island_work *work)
{
    bool bounded = work->step->settings->exit_below > 0;
    uint32_t whole = 0;
    filling f = {0};
    for (uint32_t i = 0; i < work->island_count; ++i) {
        island *of = &work->islands[i];
        uint32_t rows = of->rows;
        of->solver = i > 0 && rows == 0 ? f.solver : solver_of(work, rows);
        of->netted = i > 0 && rows == 0 ? f.netted : of->netted;
        if (i == 0 || of->solver != f.solver || of->netted != f.netted ||
            (bounded && rows > 0 && f.taken) || !has_room(&f, of)) {
            f = (filling){.solver = of->solver, .netted = of->netted};
            ++whole;
        }
        f.taken = f.taken || rows > 0;
        *(is_big(of) ? &f.big : &f.small) += weight_of(of) + 1;
        of->whole = whole;
    }
}

/* --- groups */

/* An island with so many rows is large, but with the direct solver. With several threads it
 * need not fill a whole: it is large when one thread would still be at it after the others had
 * done their part of everything, were it cut. Cut, it costs a fifth more. */
static uint32_t rows_of_large(const island_work *work)
{
    uint32_t shares = lode__tasks_shares(work->step->tasks);
    if (shares == 1)
        return LODE__LARGE_ROWS;
    uint64_t all = (uint64_t)work->step->stats->rows;
    uint32_t rows = (uint32_t)(all * 5 / (5 * shares - 1)) + 1;
    rows = rows > 2 * LODE__SHARE_ROWS ? rows : 2 * LODE__SHARE_ROWS;
    return rows < LODE__LARGE_ROWS ? rows : LODE__LARGE_ROWS;
}

/* The island after the last one of the whole that begins with this one. */
static uint32_t end_of_whole(const island_work *work, uint32_t begin)
{
    uint32_t end = begin;
    while (end < work->island_count && work->islands[end].whole == work->islands[begin].whole)
        ++end;
    return end;
}

/* Finds the large islands, and who is in a whole with one. */
static void find_shared(island_work *work)
{
    uint32_t most = rows_of_large(work);
    for (uint32_t begin = 0, end; begin < work->island_count; begin = end) {
        bool shared = false;
        end = end_of_whole(work, begin);
        for (uint32_t i = begin; i < end; ++i) {
            island *of = &work->islands[i];
            of->large = of->rows >= most && of->solver != LODE_SOLVER_DIRECT && !of->limbs;
            shared = shared || of->large;
        }
        for (uint32_t i = begin; i < end; ++i)
            work->islands[i].shared = shared;
    }
}

/* Rows that close a group of small islands: each of several threads is to have two at least. */
static uint32_t rows_of_part(const island_work *work)
{
    uint32_t all = 0, parts = 2 * (uint32_t)lode__tasks_workers(work->step->tasks);
    if (parts == 2)
        return UINT32_MAX; /* its wholes */
    for (uint32_t i = 0; i < work->island_count; ++i)
        all += work->islands[i].shared ? 0 : work->islands[i].rows;
    uint32_t part = all / parts > LODE__LEAST_ROWS ? all / parts : LODE__LEAST_ROWS;
    return part < LODE__GROUP_ROWS ? part : LODE__GROUP_ROWS;
}

/* Islands of limbs are one thread's, and not shared; loose ones go together, but with no others. */
static bool is_apart(const island *of, uint32_t limbs, uint32_t most)
{
    if (of->loose && of[-1].loose)
        return limbs >= most;
    return of->limbs || of[-1].limbs;
}

/* Numbers the group of each island. */
static void choose_groups(island_work *work)
{
    choose_wholes(work);
    find_shared(work);
    uint32_t most = rows_of_part(work), filled = 0, limbs = 0;
    uint32_t most_limbs = lode__loose_share(work->step, work->state->limb_count);
    for (uint32_t i = 0; i < work->island_count; ++i) {
        island *of = &work->islands[i];
        bool whole = of->shared || of->solver == LODE_SOLVER_DIRECT; /* as it is */
        if (i == 0 || of->whole != of[-1].whole || (!whole && filled >= most) ||
            is_apart(of, limbs, most_limbs)) {
            ++work->state->group_count;
            filled = limbs = 0;
        }
        of->group = work->state->group_count - 1;
        filled += of->rows + 1;
        limbs += of->loose;
    }
}

static void add_island(lode__solve_state *state, const island_work *work, uint32_t i)
{
    const island *of = &work->islands[i];
    lode__group *group = &state->groups[of->group];
    uint32_t line = state->island_line[i], end = state->island_line[i + 1];
    if (i == 0 || of->group != of[-1].group) {
        memset(group, 0, offsetof(lode__group, blocks));
        group->line_begin = line;
        group->island_begin = i;
        group->whole = of->whole;
        group->solver = of->solver;
        group->netted = of->netted;
        group->large = of->shared && !of->limbs;
        group->loose = of->loose;
        group->through = work->step->through && !of->shared && (!of->limbs || of->loose) &&
                         (of->solver != LODE_SOLVER_DIRECT || of->loose);
    }
    group->line_end = end;
    group->all = (lode__stretch){.line_begin = group->line_begin, .line_end = end};
    group->island_end = i + 1;
    group->rows += of->rows;
}

bool lode__groups_cut(island_work *work)
{
    lode__solve_state *state = work->state;
    choose_groups(work);
    state->groups = LODE__TAKE(work->step->arena, lode__group, state->group_count);
    state->thrown = LODE__TAKE_ZEROED(work->step->arena, uint8_t, state->group_count);
    state->island_line = LODE__TAKE(work->step->arena, uint32_t, work->island_count + 1);
    if (!state->groups || !state->thrown || !state->island_line)
        return false;
    state->island_line[0] = 1;
    for (uint32_t i = 0; i < work->island_count; ++i) {
        state->island_line[i + 1] = state->island_line[i] + work->size[i];
        work->size[i] = state->island_line[i];
        add_island(state, work, i);
    }
    return true;
}
