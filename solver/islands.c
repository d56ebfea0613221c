/* islands.c: which bodies must be solved together, and where they lie in the dense lines.
 *
 * Movable bodies joined by a contact or a joint are one island (core/union_find.h: an island's root
 * is its lowest body); static and kinematic bodies join nothing. Islands are numbered by their
 * lowest body, bodies sorted by island, islands cut into groups. All of it depends on the scene
 * alone, and the order within an island on that island alone.
 *
 * A body that some contact does not push has a second line, its shadow, that of a kinematic body
 * which goes on as it does when the step begins. That is all that such contacts see of it, so they
 * join nothing to it, and whoever writes its own line need not know of them. */
#include "core/math.h"
#include "solver/islands.h"
#include "solver/articulation/loose.h"
#include "solver/linkage.h"
#include "solver/nets.h"
#include "solver/standing.h"

#include <string.h>

static inline void list_body(island_work *work, uint32_t slot)
{
    const lode__pool *bodies = work->solver->bodies;
    uint32_t flags = *LODE__AT(body, bodies, flags, slot);
    int32_t *out = LODE__AT(body, bodies, line, slot);
    if (flags_movable(flags)) {
        work->body[work->body_count++] = slot;
        work->flags_seen |= flags;
        *out = (int32_t)work->body_count;
    } else {
        bool counts = travels(flags, LODE__AT(body, bodies, velocity, slot));
        *out = counts ? -(int32_t)++work->state->lines.kinematic_count : 0;
    }
}

/* Lists movable bodies, whose `line` holds place + 1 until the lines are known, and kinematic ones
 * on their way, whose lines are known at once. */
static bool list_bodies(island_work *work)
{
    const lode__bits *awake = work->solver->awake;
    work->body = LODE__TAKE(work->step->arena, uint32_t, lode__bits_count(awake));
    if (!work->body)
        return false;
    for (uint32_t word = 0; word < awake->word_count; ++word)
        for (uint64_t left = awake->words[word]; left; left &= left - 1)
            list_body(work, (word << 6) + (uint32_t)__builtin_ctzll(left));
    return true;
}

/* Replaces parents by island numbers. Whoever has a parent comes after it, so one pass does. */
static void number_islands(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i) {
        uint32_t parent = work->parent[i];
        work->parent[i] = parent == i ? work->island_count++ : work->parent[parent];
    }
}

static uint32_t island_of(const island_work *work, const lode__constraint *constraint)
{
    return work->parent[(constraint->a ? constraint->a : constraint->b) - 1];
}

/* Neighbours in a list are mostly of one island, so it is gone through island by island. */
static uint32_t measure_list(island_work *work, int l)
{
    const lode__constraint_list *list = &work->state->constraints[l];
    uint32_t rows = 0;
    for (uint32_t begin = 0, end; begin < list->count; begin = end) {
        uint32_t number = island_of(work, &list->all[begin]), here = 0;
        for (end = begin; end < list->count && island_of(work, &list->all[end]) == number; ++end)
            here += list->all[end].rows;
        work->islands[number].rows += here;
        work->islands[number].weight += here * (l == LODE__CONTACTS ? 1 : LODE__JOINT_WEIGHT);
        work->islands[number].count[l] += end - begin;
        rows += here;
    }
    return rows;
}

/* The end of the bodies of one island that stand side by side from there on. What counts an
 * island's bodies one by one waits for its own last number each time. */
static inline uint32_t run_end(const island_work *work, uint32_t begin)
{
    uint32_t end = begin + 1;
    while (end < work->body_count && work->parent[end] == work->parent[begin])
        ++end;
    return end;
}

static void measure_islands(island_work *work)
{
    lode_world_stats *stats = work->step->stats;
    for (uint32_t begin = 0, end; begin < work->body_count; begin = end) {
        end = run_end(work, begin);
        work->size[work->parent[begin]] += end - begin;
    }
    uint32_t joint_rows = measure_list(work, LODE__JOINTS) + measure_list(work, LODE__LINKAGES);
    uint32_t contact_rows = measure_list(work, LODE__CONTACTS);
    stats->islands = (int)work->island_count;
    stats->dynamic_bodies = (int)work->body_count;
    stats->joint_rows = (int)joint_rows;
    stats->rows = (int)(contact_rows + joint_rows);
}

/* What an island's joints are that may be in nets. */
static void find_stiff(island_work *work)
{
    const lode__solver *solver = work->solver;
    const lode__constraint_list *list = &work->state->constraints[LODE__JOINTS];
    for (uint32_t i = 0; i < list->count; ++i) {
        const lode__constraint *c = &list->all[i];
        const uint32_t places[2] = {c->a, c->b};
        const lode__joint *joint = joint_at(solver->joints, c->source);
        if (!lode__net_may_have(work->step, joint))
            continue;
        island *of = &work->islands[island_of(work, c)];
        of->always = of->always ||
                     lode__net_choice(work->step->settings, joint) == LODE_STIFF_ALWAYS;
        for (int end = 0; end < 2; ++end) {
            if (!places[end])
                continue;
            uint32_t slot = work->body[places[end] - 1];
            lode_real inv_mass = LODE__AT(body, solver->bodies, inv_mass, slot)->inv_mass;
            of->least = of->netted ? r_min(of->least, inv_mass) : inv_mass;
            of->most = of->netted ? r_max(of->most, inv_mass) : inv_mass;
            of->netted = LODE__NETTED;
        }
    }
}

/* Nets are told from the rest island by island: they go through other stages of the solver. What is
 * on links is swept with their trees. */
static void find_netted(island_work *work)
{
    if (!lode__nets_are_wanted(work->step->settings))
        return;
    find_stiff(work);
    for (uint32_t i = 0; i < work->island_count; ++i) {
        island *of = &work->islands[i];
        if (of->limbs || !lode__net_is_worth_it(of->always, of->least, of->most))
            of->netted = LODE__NOT_NETTED;
        else if (of->netted && of->count[LODE__CONTACTS] > 0)
            of->netted = LODE__NETTED_TOUCHED;
    }
}

/* Sorts a list by group, keeping its order within. */
static void sort_list(island_work *work, int l)
{
    lode__solve_state *state = work->state;
    lode__constraint_list *list = &state->constraints[l];
    for (uint32_t i = 0; i < work->island_count; ++i)
        state->groups[work->islands[i].group].end[l] += work->islands[i].count[l];
    for (uint32_t g = 0, at = 0; g < state->group_count; ++g) {
        uint32_t count = state->groups[g].end[l];
        state->groups[g].begin[l] = state->groups[g].end[l] = at;
        at += count;
    }
    for (uint32_t i = 0; i < list->count;) {
        uint32_t number = island_of(work, &list->all[i]);
        uint32_t *end = &state->groups[work->islands[number].group].end[l], at = *end;
        for (; i < list->count && island_of(work, &list->all[i]) == number; ++i)
            list->order[at++] = i;
        *end = at;
    }
}

static void number_lines(island_work *work)
{
    for (uint32_t begin = 0, end; begin < work->body_count; begin = end) {
        uint32_t island = work->parent[begin], line = work->size[island];
        end = run_end(work, begin);
        for (uint32_t i = begin; i < end; ++i, ++line) {
            work->line[i] = line;
            work->place[line] = i;
            work->state->island[line] = island;
            work->state->lines.slot[line] = work->body[i];
        }
        work->size[island] = line;
    }
}

static void renumber(island_work *work)
{
    for (uint32_t line = 1; line < work->state->lines.count; ++line)
        work->line[work->place[line]] = line;
}

/* Room to lay islands into another order than that of slots, which the list of islands keeps. */
static bool take_listed(island_work *work)
{
    const lode__dense *lines = &work->state->lines;
    lode__arena *arena = work->step->arena;
    work->listed = LODE__TAKE(arena, uint32_t, lines->count);
    work->bins = LODE__TAKE(arena, uint8_t, lines->count);
    work->scratch = LODE__TAKE(arena, uint32_t, lines->count);
    if (!work->listed || !work->bins || !work->scratch)
        return false;
    memcpy(work->listed, lines->slot, lines->count * sizeof(uint32_t));
    return true;
}

/* Lays the large islands along. */
static bool lay_along(island_work *work)
{
    const uint32_t *first = work->state->island_line;
    bool any = false;
    work->listed = work->state->lines.slot;
    for (uint32_t i = 0; i < work->island_count; ++i) {
        if (!work->islands[i].large)
            continue;
        if (!any && !take_listed(work))
            return false;
        any = true;
        lode__places_lay_along(work->solver->bodies, work->body, work->place + first[i],
                               first[i + 1] - first[i], work->scratch, work->bins);
    }
    if (any)
        renumber(work);
    return true;
}

/* Cuts the groups of large islands for several threads. */
static bool cut_large(island_work *work)
{
    lode__solve_state *state = work->state;
    state->shares = lode__tasks_shares(work->step->tasks);
    if (work->listed == state->lines.slot) /* there are none */
        return true;
    if (state->shares > 1) {
        if (!lode__shares_cut(work->solver, work->line, work->place, work->scratch, work->step))
            return false;
        renumber(work);
    }
    for (uint32_t line = 1; line < state->lines.count; ++line)
        state->lines.slot[line] = work->body[work->place[line]];
    return true;
}

/* In the order of slots, for sixteen lie in one line of the cache, those of two shares among
 * them. */
static void tell_lines(const island_work *work)
{
    const lode__pool *bodies = work->solver->bodies;
    for (uint32_t i = 0; i < work->body_count; ++i)
        *LODE__AT(body, bodies, line, work->body[i]) = (int32_t)work->line[i];
}

typedef struct places_task {
    const island_work *work;
    lode__constraint_list *list;
} places_task;

/* The constraints' ends, places until now, become dense lines. */
static void places_to_lines(void *context, uint32_t begin, uint32_t end)
{
    const places_task *task = context;
    const island_work *work = task->work;
    for (uint32_t i = begin; i < end; ++i) {
        lode__constraint *c = &task->list->all[i];
        if (task->list->colour)
            c->colour = task->list->colour[i];
        c->a = c->a ? work->line[c->a - 1] : 0;
        c->b = c->b ? work->line[c->b - 1] : 0;
        if (work->state->share_of_line)
            lode__shares_give(work->state, c);
    }
}

static bool move_to_lines(island_work *work)
{
    lode__tasks *tasks = work->step->tasks;
    lode__constraint_list *lists = work->state->constraints;
    if (!cut_large(work))
        return false;
    tell_lines(work);
    lode__islands_gather_lines(work);
    for (int l = 0; l < LODE__LISTS; ++l) {
        places_task task = {work, &lists[l]};
        lode__tasks_run(tasks, lists[l].count, LODE__CONSTRAINT_GRAIN, places_to_lines, &task);
    }
    lode__linkages_find_lines(work->state, work->line);
    return true;
}

static bool has_constraints(const island *of)
{
    bool any = false;
    for (int l = 0; l < LODE__LISTS; ++l)
        any = any || of->count[l] > 0;
    return any;
}

static island *island_of_limb(const island_work *work, const lode__limb *limb)
{
    return &work->islands[work->parent[limb->place - 1]];
}

/* Islands of articulations. Where bodies are continuous, what they may meet has lines. */
static void find_limbs(island_work *work)
{
    bool met = work->flags_seen & LODE__BODY_CONTINUOUS;
    for (uint32_t l = 0; l < work->state->limb_count; ++l) {
        lode__limb *limb = &work->state->limbs[l];
        island *of = island_of_limb(work, limb);
        limb->loose = limb->loose && !has_constraints(of) && !met;
        of->limbs = true;
        of->loose = limb->loose;
    }
}

static void tell_groups(const island_work *work)
{
    const uint32_t *first = work->state->island_line;
    for (uint32_t l = 0; l < work->state->limb_count; ++l) {
        lode__limb *limb = &work->state->limbs[l];
        const island *of = island_of_limb(work, limb);
        ptrdiff_t number = of - work->islands;
        limb->group = of->group;
        limb->line_begin = first[number];
        limb->line_count = first[number + 1] - first[number];
    }
}

/* Numbers islands and cuts them into groups. */
static bool find_islands(island_work *work)
{
    lode__arena *arena = work->step->arena;
    number_islands(work);
    work->islands = LODE__TAKE_ZEROED(arena, island, work->island_count);
    uint32_t *begin = LODE__TAKE_ZEROED(arena, uint32_t, work->island_count + 1);
    if (!work->islands || !begin)
        return false;
    begin[0] = 1;
    work->size = begin + 1;
    measure_islands(work);
    find_limbs(work);
    find_netted(work);
    if (!lode__most_erps_find(work) || !lode__groups_cut(work) || !lode__islands_take_lines(work))
        return false;
    tell_groups(work);
    return lode__loose_lines_take(work->state, arena);
}

/* Bodies come to lie in lines; meanwhile another thread may see to the constraints. */
enum { BODIES, CONSTRAINTS, PARTS };

static void arrange(void *context, uint32_t begin, uint32_t end)
{
    island_work *work = context;
    for (uint32_t part = begin; part < end; ++part) {
        if (part == BODIES) {
            number_lines(work);
            work->laid = lay_along(work);
            continue;
        }
        lode__colours_choose(work->state, work->used);
        for (int l = 0; l < LODE__LISTS; ++l)
            sort_list(work, l);
    }
}

/* What is as long as the list of bodies. */
static bool take_places(island_work *work)
{
    lode__arena *arena = work->step->arena;
    size_t count = (size_t)work->body_count + 1;
    work->parent = LODE__TAKE(arena, uint32_t, count);
    work->line = LODE__TAKE(arena, uint32_t, count);
    work->place = LODE__TAKE(arena, uint32_t, count);
    work->used = LODE__TAKE_ZEROED(arena, uint32_t, count);
    work->spins = LODE__TAKE(arena, bool, count);
    if (!work->parent || !work->line || !work->place || !work->used || !work->spins)
        return false;
    for (uint32_t i = 0; i < work->body_count; ++i)
        work->parent[i] = i;
    return true;
}

bool lode__islands_run(lode__solver *solver, const lode__step *step)
{
    lode__arena *arena = step->arena;
    island_work work = {.solver = solver, .step = step};
    if (lode__standing_holds(solver, step))
        return true;
    solver->state = work.state = LODE__TAKE_ZEROED(arena, lode__solve_state, 1);
    if (!work.state || !list_bodies(&work) || !take_places(&work))
        return false;
    uint8_t *ready = LODE__TAKE_ZEROED(arena, uint8_t, work.body_count + 1);
    if (!ready || !lode__constraints_list(solver, step, work.parent) ||
        !lode__limbs_list(solver, step, work.parent) || !find_islands(&work))
        return false;
    lode__limbs_mark(solver, work.used);
    lode__tasks_run(step->tasks, PARTS, 1, arrange, &work);
    if (!work.laid || !move_to_lines(&work))
        return false;
    solver->islands = (lode__island_list){work.listed, work.size - 1, work.island_count, ready};
    work.state->flags_seen = work.flags_seen;
    return lode__held_mark(work.state, step) && lode__spinners_list(solver, work.spins, arena) &&
           lode__restraints_list(solver, arena, work.flags_seen) &&
           lode__turners_list(solver, arena, work.flags_seen) && lode__flyers_list(solver, step);
}
