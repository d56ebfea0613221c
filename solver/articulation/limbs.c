/* limbs.c: see limbs.h: articulations in the stages of a step. */
#include "solver/articulation/limbs.h"

#include "core/fetch.h"
#include "core/union_find.h"
#include "solver/articulation/dynamics.h"
#include "solver/articulation/loose.h"

#define BODY(solver, component, slot) LODE__AT(body, (solver)->bodies, component, slot)
#define HEAD(solver, slot) LODE__AT(articulation, (solver)->limbs.articulations, head, slot)
#define MODEL(solver, slot) (*LODE__AT(articulation, (solver)->limbs.articulations, model, slot))

/* ---- listing */

/* The first link that may move. */
static uint32_t first_link(const lode__model *model)
{
    return model->body.plan->root_dofs ? 0 : 1;
}

/* Where one that is awake begins among the places, and all flags that its links have; 0 if it
 * sleeps or a link is frozen: then all of it rests. */
static uint32_t find_place(const lode__solver *solver, const lode__model *model,
                           uint32_t *out_flags)
{
    uint32_t first = first_link(model), place = 0, flags = 0;
    for (uint32_t i = first; i < model->body.plan->link_count; ++i) {
        int32_t here = line_of_body(solver->bodies, model->bodies[i]);
        if (here <= 0)
            return 0;
        place = i == first ? (uint32_t)here : place;
        flags |= *BODY(solver, flags, model->bodies[i]);
    }
    *out_flags = flags;
    return place;
}

void lode__limb_update(const lode__solver *solver, uint32_t slot)
{
    if (!(HEAD(solver, slot)->flags & LODE__ARTICULATION_STALE))
        return;
    lode__model_read(&solver->limbs, MODEL(solver, slot));
    MODEL(solver, slot)->fresh = false;
    HEAD(solver, slot)->flags &= ~(uint32_t)LODE__ARTICULATION_STALE;
}

/* Of what nothing touches the first is mostly the lowest, and the others stand by themselves. */
static void join(uint32_t *parent, uint32_t first, uint32_t other)
{
    if (first < other && parent[first] == first && parent[other] == other)
        parent[other] = first;
    else
        lode__union_join(parent, first, other);
}

static void list_limb(const lode__solver *solver, const lode__step *step, uint32_t slot,
                      uint32_t *parent)
{
    lode__solve_state *state = solver->state;
    lode__model *model = MODEL(solver, slot);
    uint32_t flags = 0, place = find_place(solver, model, &flags);
    if (place == 0)
        return;
    for (uint32_t i = first_link(model) + 1; i < model->body.plan->link_count; ++i)
        join(parent, place - 1, (uint32_t)line_of_body(solver->bodies, model->bodies[i]) - 1);
    lode__limb_update(solver, slot);
    lode__limb *limb = &state->limbs[state->limb_count++];
    *limb = (lode__limb){.slot = slot, .model = model, .place = place, .flags = flags};
    limb->limited = lode__limb_is_limited(solver, limb, flags);
    limb->scaled = flags & LODE__BODY_SCALED;
    limb->loose = lode__limb_may_be_loose(solver, step, limb, flags);
}

static const lode__model *model_ahead(const lode__solver *solver, uint32_t slot)
{
    const lode__pool *pool = solver->limbs.articulations;
    return slot < pool->end && lode__bits_get(&pool->alive, slot) ? MODEL(solver, slot) : NULL;
}

/* What listing asks for, of those that come soon: a model, which bodies it has, and these. */
LODE__FETCHER void fetch_limbs(const lode__solver *solver, uint32_t slot)
{
    enum { LINE = 16 }; /* slots that a line of the cache has */
    const lode__model *first = model_ahead(solver, slot + 6);
    const lode__model *second = model_ahead(solver, slot + 4);
    const lode__model *third = model_ahead(solver, slot + 2);
    if (first) {
        __builtin_prefetch(first);
        __builtin_prefetch((const char *)first + 64);
    }
    for (uint32_t i = 0; second && i < second->body.plan->link_count; i += LINE)
        __builtin_prefetch(&second->bodies[i]);
    for (uint32_t i = 0; third && i < third->body.plan->link_count; i += LINE) {
        __builtin_prefetch(BODY(solver, line, third->bodies[i]));
        __builtin_prefetch(BODY(solver, flags, third->bodies[i]));
    }
}

bool lode__limbs_list(lode__solver *solver, const lode__step *step, uint32_t *parent)
{
    const lode__pool *pool = solver->limbs.articulations;
    lode__solve_state *state = solver->state;
    if (!pool || pool->count == 0)
        return true;
    state->limbs = LODE__TAKE(step->arena, lode__limb, pool->count);
    if (!state->limbs)
        return false;
    for (uint32_t a = lode__bits_next(&pool->alive, 0); a != UINT32_MAX;
         a = lode__bits_next(&pool->alive, a + 1)) {
        fetch_limbs(solver, a);
        if ((HEAD(solver, a)->flags & LODE__ARTICULATION_INSERTED) && MODEL(solver, a))
            list_limb(solver, step, a, parent);
    }
    return true;
}

void lode__limbs_mark(const lode__solver *solver, uint32_t *used)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__model *model = state->limbs[l].model;
        for (uint32_t i = first_link(model); i < model->body.plan->link_count; ++i)
            if (!state->limbs[l].loose) /* nothing is on it that has a colour */
                used[line_of_body(solver->bodies, model->bodies[i])] = LODE__LIMB_MARK;
    }
}

/* ---- memory */

bool lode__limbs_have_blocks(const lode__solve_state *state)
{
    bool any = false;
    for (uint32_t l = 0; l < state->limb_count; ++l)
        any = any || !state->limbs[l].loose;
    return any;
}

bool lode__limb_kinds_take(const lode__solver *solver, lode__arena *arena)
{
    lode__solve_state *state = solver->state;
    state->limb_kinds = LODE__TAKE(arena, lode__block_kernels, LODE__KIND_SHARED);
    for (int kind = 0; state->limb_kinds && kind < LODE__KIND_SHARED; ++kind) {
        lode__block_kernels *of = &state->limb_kinds[kind];
        *of = solver->kernels->kinds[kind];
        of->warm_start = of->restitution = of->solve_back = NULL;
        for (int f = 0; f < LODE__FRICTIONS; ++f)
            of->solve[f] = NULL;
    }
    return state->limb_kinds;
}

enum { MOST_ROWS = 6 * LODE__MANIFOLD_POINTS }; /* of any lane */

/* Most rows that a lane of a chunk can have. */
static uint32_t most_rows(const lode__solve_chunk *chunk)
{
    enum { POINT_ROWS = 6 };
    if (bucket_is_contact(chunk->bucket))
        return (uint32_t)(chunk->bucket % LODE__MANIFOLD_POINTS + 1) * POINT_ROWS;
    if (bucket_is_linkage(chunk->bucket))
        return 1;
    return (uint32_t)lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
}

/* And most ends of each. */
static uint32_t most_ends(const lode__solve_chunk *chunk)
{
    uint32_t ends = bucket_is_linkage(chunk->bucket) ? 1u << (chunk->bucket - LODE__BUCKET_LINKAGE)
                                                     : 2;
    return ends > 2 ? ends : 2;
}

static uint32_t padded(uint32_t count)
{
    return (count + 7) & ~7u;
}

static bool take_limb(lode__limb *limb, const lode__solver *solver, bool second_order,
                      lode__arena *arena)
{
    const lode__mb_plan *plan = limb->model->body.plan;
    uint32_t n = plan->dof_count, wide = padded(n);
    limb->line = LODE__TAKE(arena, int32_t, plan->link_count);
    limb->before = LODE__TAKE(arena, lode__velocity, plan->link_count);
    limb->turned = LODE__TAKE(arena, lode_vec3, plan->link_count);
    limb->speed = LODE__TAKE_ZEROED(arena, lode_real, wide);
    limb->dofs = LODE__TAKE_ZEROED(arena, lode__limb_dof, n);
    limb->responses = LODE__TAKE(arena, lode_real, (size_t)n * wide);
    limb->scratch = LODE__TAKE(arena, lode_real, 2 * (size_t)wide);
    limb->outside = LODE__TAKE_ZEROED(arena, lode__mb_wrench, plan->link_count);
    if (second_order) {
        limb->kicks = LODE__TAKE(arena, lode__mb_wrench, plan->link_count);
        if (!limb->kicks)
            return false;
    }
    limb->tree_scratch = lode__arena_take(arena, lode__mb_scratch_size(plan));
    if (!limb->tree_scratch || !limb->line || !limb->before || !limb->turned || !limb->outside ||
        !limb->speed || !limb->dofs || !limb->responses || !limb->scratch)
        return false;
    for (uint32_t i = 0; i < plan->link_count; ++i)
        limb->line[i] = line_of_body(solver->bodies, limb->model->bodies[i]);
    limb->root = BODY(solver, pose, limb->model->bodies[0])->position;
    return lode__pulls_take(limb, solver, arena);
}

/* Which lines are links, and of which limb. */
static void map_lines(const lode__solve_state *state)
{
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        const lode__limb *limb = &state->limbs[l];
        for (uint32_t i = 0; i < limb->model->body.plan->link_count && !limb->loose; ++i)
            if (limb->line[i] > 0)
                state->limb_of_line[limb->line[i]] = (lode__limb_link){l + 1, i};
    }
}

/* What the rows of a group have at most. */
typedef struct most {
    size_t numbers, ends; /* of all; ends beyond two of each */
    uint32_t jacobians;   /* of one part */
} most;

static most count_parts(const lode__solve_state *state, const lode__group *group,
                        lode__limb_work *work)
{
    most out = {.jacobians = 2 * MOST_ROWS};
    uint32_t wide = 0;
    for (uint32_t i = 0; i < work->limb_count; ++i) {
        uint32_t n = padded(work->limbs[i]->model->body.plan->dof_count);
        wide = n > wide ? n : wide;
    }
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        if (chunk->colour != LODE__COLOUR_LIMBS)
            continue;
        uint32_t ends = most_ends(chunk);
        out.jacobians = ends > out.jacobians ? ends : out.jacobians;
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            if (chunk->lanes[k] == LODE__NONE)
                continue;
            ++work->part_count;
            work->row_count += most_rows(chunk);
            out.numbers += (size_t)most_rows(chunk) * 2 * ends * wide;
            out.ends += (size_t)most_rows(chunk) * (ends - 2);
        }
    }
    return out;
}

static void list_parts(const lode__solve_state *state, const lode__group *group,
                       lode__limb_work *work)
{
    uint32_t at = 0;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c)
        for (uint32_t k = 0; k < state->chunks[c].count * LODE_LANES &&
                             state->chunks[c].colour == LODE__COLOUR_LIMBS;
             ++k)
            if (state->chunks[c].lanes[k] != LODE__NONE)
                work->parts[at++] = (lode__limb_part){.chunk = c, .lane = k};
}

static void touch(const lode__solve_state *state, uint32_t line)
{
    uint32_t limb = state->limb_of_line[line].limb;
    if (limb > 0)
        state->limbs[limb - 1].touched = true;
}

/* Limbs that a constraint of the group is on. */
static void mark_touched(const lode__solve_state *state, const lode__group *group)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &state->constraints[l];
        for (uint32_t i = group->begin[l]; i < group->end[l]; ++i) {
            const lode__constraint *c = &list->all[list->order[i]];
            touch(state, c->a);
            touch(state, c->b);
            if (l == LODE__LINKAGES)
                for (uint32_t k = state->linkages[c->source].begin;
                     k < state->linkages[c->source].end; ++k)
                    touch(state, state->linkage_ends[k]);
        }
    }
}

/* What is on the limbs of a group. */
static bool take_rows(lode__solve_state *state, lode__group *group, lode__arena *arena)
{
    lode__limb_work *work = group->limbs;
    most all = count_parts(state, group, work);
    work->parts = LODE__TAKE(arena, lode__limb_part, work->part_count);
    work->rows = LODE__TAKE(arena, lode__limb_row, work->row_count);
    work->ends = LODE__TAKE(arena, lode__limb_end, all.ends);
    work->numbers = LODE__TAKE(arena, lode_real, all.numbers);
    work->jacobians = LODE__TAKE(arena, lode__jacobian, all.jacobians);
    work->values = LODE__TAKE(arena, lode__row_values, MOST_ROWS);
    work->impulses = LODE__TAKE(arena, double, MOST_ROWS);
    if (!work->parts || !work->rows || !work->ends || !work->numbers || !work->jacobians ||
        !work->values || !work->impulses)
        return false;
    list_parts(state, group, work);
    mark_touched(state, group);
    return true;
}

/* Gives each group its limbs, in the order of slots. */
static bool share_out(lode__solve_state *state, lode__arena *arena)
{
    lode__limb **limbs = LODE__TAKE(arena, lode__limb *, state->limb_count);
    uint32_t most = state->limb_count < state->group_count ? state->limb_count : state->group_count;
    lode__limb_work *works = LODE__TAKE_ZEROED(arena, lode__limb_work, most);
    uint32_t at = 0;
    if (!limbs || !works)
        return false;
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        lode__group *group = &state->groups[state->limbs[l].group];
        group->limbs = group->limbs ? group->limbs : works++;
        ++group->limbs->limb_count;
    }
    for (uint32_t l = 0; l < state->limb_count; ++l) {
        lode__limb_work *work = state->groups[state->limbs[l].group].limbs;
        if (!work->limbs) {
            work->limbs = limbs + at;
            at += work->limb_count;
            work->limb_count = 0;
        }
        work->limbs[work->limb_count++] = &state->limbs[l];
    }
    return true;
}

bool lode__limbs_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    bool second_order = step->settings->integrator != LODE_INTEGRATOR_SEMI_IMPLICIT;
    bool taken = true;
    if (state->limb_count == 0)
        return true;
    if (!share_out(state, step->arena) || !lode__loose_take(solver, step))
        return false;
    uint32_t loose = 0;
    for (uint32_t l = 0; l < state->limb_count && taken; ++l) {
        loose += state->limbs[l].loose;
        taken = state->limbs[l].loose ||
                take_limb(&state->limbs[l], solver, second_order, step->arena);
    }
    if (!taken || loose == state->limb_count)
        return taken;
    state->limb_of_line = LODE__TAKE_ZEROED(step->arena, lode__limb_link, state->lines.count);
    if (!state->limb_of_line)
        return false;
    map_lines(state);
    for (uint32_t g = 0; g < state->group_count && taken; ++g)
        if (state->groups[g].limbs && !state->groups[g].loose)
            taken = take_rows(state, &state->groups[g], step->arena);
    return taken;
}
