/* standing.c: see standing.h. */
#include "solver/standing.h"

#include <string.h>

#include "solver/articulation/loose.h"
#include "solver/state.h"

#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)
#define MODEL(solver, slot) (*LODE__AT(articulation, (solver)->limbs.articulations, model, slot))

/* What a chunk of bodies has, from the first that is awake to the last. Those between that sleep do
 * not matter, but to compare all is less work than to choose. */
typedef struct standing_chunk {
    uint32_t first, count;
    uint32_t flags[LODE__CHUNK];
    int32_t line[LODE__CHUNK];
} standing_chunk;

typedef struct lode__standing {
    lode__arena_mark mark; /* behind all of it */
    lode__solve_state *state;
    lode_world_def settings;
    int islands, dynamic_bodies; /* for the statistics, which have no rows */
    const lode__tasks *tasks;
    int workers;
    uint64_t *awake;
    uint32_t word_count;
    standing_chunk *chunks;
    uint32_t chunk_count;
    uint32_t *still; /* bodies that are awake and have no line */
    uint32_t still_count;
    uint64_t *numbers; /* of limbs' models */
} lode__standing;

void lode__standing_begin(lode__solver *solver, lode__arena *arena)
{
    const lode__standing *of = solver->standing;
    /* one that has got another block becomes whole by being emptied */
    if (of && arena->blocks == of->mark.block) {
        lode__arena_rollback(arena, of->mark);
        return;
    }
    solver->standing = NULL;
    solver->may_stand = true;
    lode__arena_reset(arena);
}

void lode__standing_drop(lode__solver *solver)
{
    solver->standing = NULL;
    solver->may_stand = false;
}

/* ---- comparing */

static bool nothing_joins(const lode__solver *solver)
{
    return solver->contact_count == 0 && lode__bits_next(solver->active_joints, 0) == UINT32_MAX;
}

static bool world_stands(const lode__standing *of, const lode__solver *solver,
                         const lode__step *step)
{
    return step->through && of->tasks == step->tasks &&
           of->workers == lode__tasks_workers(step->tasks) &&
           memcmp(&of->settings, step->settings, sizeof of->settings) == 0 &&
           of->word_count == solver->awake->word_count &&
           memcmp(of->awake, solver->awake->words, of->word_count * sizeof(uint64_t)) == 0;
}

static bool chunk_stands(const standing_chunk *of, const lode__solver *solver)
{
    size_t size = of->count * sizeof(uint32_t); /* of a line as well */
    return memcmp(of->flags, BODY(solver, flags, of->first), size) == 0 &&
           memcmp(of->line, BODY(solver, line, of->first), size) == 0;
}

/* A body without a line has one, below all others, once it is on its way. */
static bool bodies_stand(const lode__standing *of, const lode__solver *solver)
{
    bool stand = true;
    for (uint32_t i = 0; i < of->chunk_count && stand; ++i)
        stand = chunk_stands(&of->chunks[i], solver);
    for (uint32_t i = 0; i < of->still_count && stand; ++i)
        stand = !travels(*BODY(solver, flags, of->still[i]), BODY(solver, velocity, of->still[i]));
    return stand;
}

static bool limb_stands(const lode__solver *solver, const lode__step *step, lode__limb *limb,
                        uint64_t number)
{
    const lode__pool *pool = solver->limbs.articulations;
    uint32_t slot = limb->slot;
    if (!lode__bits_get(&pool->alive, slot) ||
        !(HEAD(solver, slot)->flags & LODE__ARTICULATION_INSERTED) ||
        MODEL(solver, slot) != limb->model || limb->model->number != number)
        return false;
    lode__limb_update(solver, slot);
    limb->limited = lode__limb_is_limited(solver, limb, limb->flags);
    return lode__limb_may_be_loose(solver, step, limb, limb->flags);
}

static bool limbs_stand(const lode__standing *of, const lode__solver *solver,
                        const lode__step *step)
{
    bool stand = true;
    for (uint32_t l = 0; l < of->state->limb_count && stand; ++l)
        stand = limb_stands(solver, step, &of->state->limbs[l], of->numbers[l]);
    return stand;
}

/* What the lists say of themselves, and what the stages behind them add up. */
static void begin_again(const lode__standing *of, const lode__solver *solver, lode_world_stats *out)
{
    lode__solve_state *state = of->state;
    out->islands = of->islands;
    out->dynamic_bodies = of->dynamic_bodies;
    memset(solver->islands.ready, 0, state->lines.count);
    memset(state->frozen, 0, state->lines.count); /* who was may have been freed */
    for (uint32_t g = 0; g < state->group_count; ++g)
        memset(state->groups[g].ticks, 0, sizeof state->groups[g].ticks);
}

bool lode__standing_holds(lode__solver *solver, const lode__step *step)
{
    const lode__standing *of = solver->standing;
    if (!of)
        return false;
    bool holds = nothing_joins(solver) && world_stands(of, solver, step) &&
                 bodies_stand(of, solver) && limbs_stand(of, solver, step);
    if (!holds) {
        lode__standing_drop(solver);
        return false;
    }
    begin_again(of, solver, step->stats);
    solver->state = of->state;
    return true;
}

/* ---- keeping */

/* Are there loose limbs alone, whose lists say nothing of where they are? */
static bool can_stand(const lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    bool loose = step->through && state->limb_count > 0 && nothing_joins(solver) &&
                 state->lines.kinematic_count == 0 && state->turners.count == 0 &&
                 state->flyers.count == 0 && state->restraints.limit_count == 0 &&
                 state->restraints.damped_count == 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        loose = loose && state->groups[g].loose;
    for (uint32_t l = 0; l < state->limb_count; ++l)
        loose = loose && state->limbs[l].model->number != 0;
    return loose;
}

/* How many chunks have somebody who is awake. */
static uint32_t count_chunks(const lode__bits *awake)
{
    uint32_t count = 0;
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX;
         b = lode__bits_next(awake, (b | LODE__CHUNK_MASK) + 1))
        ++count;
    return count;
}

static bool take(lode__standing *of, const lode__solver *solver, lode__arena *arena)
{
    const lode__bits *awake = solver->awake;
    of->word_count = awake->word_count;
    of->awake = LODE__TAKE(arena, uint64_t, of->word_count);
    of->chunks = LODE__TAKE(arena, standing_chunk, count_chunks(awake));
    of->still = LODE__TAKE(arena, uint32_t, lode__bits_count(awake));
    of->numbers = LODE__TAKE(arena, uint64_t, solver->state->limb_count);
    return of->awake && of->chunks && of->still && of->numbers && lode__loose_hold(solver, arena);
}

/* Bodies come in the order of slots. */
static void list_body(lode__standing *of, const lode__solver *solver, uint32_t body)
{
    standing_chunk *last = of->chunks + of->chunk_count;
    if (of->chunk_count == 0 || (last[-1].first ^ body) > LODE__CHUNK_MASK) {
        last->first = body;
        ++of->chunk_count;
    } else {
        --last;
    }
    last->count = body + 1 - last->first;
    if (line_of_body(solver->bodies, body) == 0)
        of->still[of->still_count++] = body;
}

static void copy_chunk(standing_chunk *out, const lode__solver *solver)
{
    memcpy(out->flags, BODY(solver, flags, out->first), out->count * sizeof *out->flags);
    memcpy(out->line, BODY(solver, line, out->first), out->count * sizeof *out->line);
}

static void list(lode__standing *of, const lode__solver *solver)
{
    const lode__bits *awake = solver->awake;
    memcpy(of->awake, awake->words, of->word_count * sizeof(uint64_t));
    of->chunk_count = of->still_count = 0;
    for (uint32_t b = lode__bits_next(awake, 0); b != UINT32_MAX; b = lode__bits_next(awake, b + 1))
        list_body(of, solver, b);
    for (uint32_t i = 0; i < of->chunk_count; ++i)
        copy_chunk(&of->chunks[i], solver);
    for (uint32_t l = 0; l < solver->state->limb_count; ++l)
        of->numbers[l] = solver->state->limbs[l].model->number;
}

void lode__standing_keep(lode__solver *solver, const lode__step *step)
{
    lode__arena *arena = step->arena;
    if (!solver->may_stand || !can_stand(solver, step))
        return;
    lode__standing *of = LODE__TAKE(arena, lode__standing, 1);
    if (!of || !take(of, solver, arena))
        return;
    list(of, solver);
    memcpy(&of->settings, step->settings, sizeof of->settings); /* padding and all */
    of->state = solver->state;
    of->islands = step->stats->islands;
    of->dynamic_bodies = step->stats->dynamic_bodies;
    of->tasks = step->tasks;
    of->workers = lode__tasks_workers(step->tasks);
    of->mark = lode__arena_mark_now(arena);
    if (arena->older == 0) /* it is one block */
        solver->standing = of;
}
