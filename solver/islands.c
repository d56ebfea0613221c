/* islands.c: which bodies must be solved together, and where they lie in the dense lines.
 *
 * Movable bodies joined by a contact or a joint are one island (core/union_find.h: an island's root
 * is its lowest body); static and kinematic bodies join nothing. Islands are numbered by their
 * lowest body, bodies sorted by island, islands cut into groups. All of it depends on the scene
 * alone, and the order within an island on that island alone. */
#include "core/math.h"
#include "core/union_find.h"
#include "solver/linkage.h"

#include <string.h>

typedef struct island {
    uint32_t rows, count[LODE__LISTS]; /* of its constraints */
    uint32_t group;
    uint32_t whole; /* its group with one thread */
    lode_solver solver;
} island;

typedef struct island_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__solve_state *state;
    uint32_t body_count;
    uint32_t *body; /* slots of movable bodies, ascending */
    uint32_t
        *parent; /* union-find over places in `body`; then the island's number, then the line */
    island *islands;
    uint32_t *size; /* bodies of each island; later its next line, at last the one after it */
    uint32_t large; /* rows of an island that is */
    uint32_t island_count;
    uint32_t flags_seen; /* all that any movable body has */
    uint32_t *listed;    /* slots, island by island */
    uint32_t *scratch;   /* by line */
    uint8_t *bins;       /* by line */
    bool *spins;         /* by line: its inertia turns with it */
} island_work;

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

/* Constraints of one body mostly follow each other, so its root is at hand. */
static void join_list(uint32_t *parent, const lode__constraint_list *list)
{
    uint32_t last = 0, root = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        const lode__constraint *c = &list->all[i];
        if (!c->a || !c->b)
            continue;
        root = lode__union_join(parent, c->a == last ? root : c->a - 1, c->b - 1);
        last = c->a;
    }
}

static void join_all(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i)
        work->parent[i] = i;
    for (int l = 0; l < LODE__LISTS; ++l)
        if (l != LODE__LINKAGES)
            join_list(work->parent, &work->state->constraints[l]);
    lode__linkages_join(work->state, work->parent);
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
        work->islands[number].count[l] += end - begin;
        rows += here;
    }
    return rows;
}

static void measure_islands(island_work *work)
{
    lode_world_stats *stats = work->step->stats;
    for (uint32_t i = 0; i < work->body_count; ++i)
        ++work->size[work->parent[i]];
    uint32_t joint_rows = measure_list(work, LODE__JOINTS) + measure_list(work, LODE__LINKAGES);
    uint32_t contact_rows = measure_list(work, LODE__CONTACTS);
    stats->islands = (int)work->island_count;
    stats->dynamic_bodies = (int)work->body_count;
    stats->joint_rows = (int)joint_rows;
    stats->rows = (int)(contact_rows + joint_rows);
}

/* The solver of an island with so many rows. */
static lode_solver solver_of(const island_work *work, uint32_t rows)
{
    const lode_world_def *settings = work->step->settings;
    if (settings->solver != LODE_SOLVER_HYBRID)
        return settings->solver;
    return rows <= (uint32_t)settings->direct_rows ? LODE_SOLVER_DIRECT : LODE_SOLVER_PGS;
}

/* Rows that close a group of small islands with one thread. */
static uint32_t rows_of_whole(lode_solver solver)
{
    return solver == LODE_SOLVER_DIRECT ? LODE__DIRECT_ROWS : LODE__GROUP_ROWS;
}

/* An island with so many rows is large, but with the direct solver. With several threads it
 * need not fill a group: it is large when one thread would still be at it after the others had
 * done their part of everything, were it cut. Cut, it costs a fifth more. */
static uint32_t rows_of_large(const island_work *work)
{
    uint32_t shares = lode__tasks_shares(work->step->tasks);
    if (shares == 1)
        return LODE__GROUP_ROWS;
    uint64_t all = (uint64_t)work->step->stats->rows;
    uint32_t rows = (uint32_t)(all * 5 / (5 * shares - 1)) + 1;
    rows = rows > 2 * LODE__SHARE_ROWS ? rows : 2 * LODE__SHARE_ROWS;
    return rows < LODE__GROUP_ROWS ? rows : LODE__GROUP_ROWS;
}

static bool is_large(const island_work *work, uint32_t rows)
{
    return rows >= work->large && solver_of(work, rows) != LODE_SOLVER_DIRECT;
}

/* Rows that close a group of small islands: each of several threads is to have two at least. */
static uint32_t rows_of_part(const island_work *work)
{
    uint32_t all = 0, parts = 2 * (uint32_t)lode__tasks_workers(work->step->tasks);
    if (parts == 2)
        return LODE__GROUP_ROWS;
    for (uint32_t i = 0; i < work->island_count; ++i)
        all += is_large(work, work->islands[i].rows) ? 0 : work->islands[i].rows;
    uint32_t part = all / parts > LODE__LEAST_ROWS ? all / parts : LODE__LEAST_ROWS;
    return part < LODE__GROUP_ROWS ? part : LODE__GROUP_ROWS;
}

/* How far groups are filled that islands are put into one after another. */
typedef struct filling {
    uint32_t whole, part; /* rows so far: of one thread's group, and of a group */
    bool whole_is_full, part_is_full;
    bool taken; /* an island with rows is in it */
    lode_solver solver;
} filling;

/* Puts an island into the group that is being filled, or into a new one. Where iterations may end
 * early each has its own: another that goes on would take it along in its lanes. */
static void put_island(island_work *work, island *of, filling *f, uint32_t most_part)
{
    uint32_t rows = of->rows;
    bool bounded = work->step->settings->exit_below > 0, any = work->state->group_count > 0;
    of->solver = any && rows == 0 ? f->solver : solver_of(work, rows);
    bool direct = of->solver == LODE_SOLVER_DIRECT, large = is_large(work, rows);
    uint32_t most = rows_of_whole(of->solver);
    bool alone = rows >= most && !direct;
    bool next = f->whole_is_full || alone || of->solver != f->solver ||
                (bounded && rows > 0 && f->taken);
    of->whole = next;
    if (next || large || f->part_is_full) {
        ++work->state->group_count;
        f->part = 0;
    }
    if (next) {
        f->whole = 0;
        f->taken = false;
    }
    of->group = work->state->group_count - 1;
    f->solver = of->solver;
    f->taken = f->taken || rows > 0;
    f->whole += rows + 1; /* a body alone counts as a row */
    f->part += rows + 1;
    f->whole_is_full = alone || f->whole >= most;
    f->part_is_full = large || f->part >= (direct ? most : most_part);
}

/* Numbers the group of each island, and the groups of one thread. */
static void choose_groups(island_work *work)
{
    work->large = rows_of_large(work);
    uint32_t most_part = rows_of_part(work), whole = 0;
    filling f = {.whole_is_full = true};
    for (uint32_t i = 0; i < work->island_count; ++i) {
        put_island(work, &work->islands[i], &f, most_part);
        whole += work->islands[i].whole;
        work->islands[i].whole = whole;
    }
}

/* Cuts the islands into groups; sizes become first lines. */
static bool cut_groups(island_work *work)
{
    lode__solve_state *state = work->state;
    choose_groups(work);
    state->groups = LODE__TAKE_ZEROED(work->step->arena, lode__group, state->group_count);
    state->island_line = LODE__TAKE(work->step->arena, uint32_t, work->island_count + 1);
    if (!state->groups || !state->island_line)
        return false;
    uint32_t line = 1;
    for (uint32_t i = 0; i < work->island_count; ++i) {
        const island *of = &work->islands[i];
        lode__group *group = &state->groups[of->group];
        uint32_t size = work->size[i];
        if (group->line_end == 0) {
            group->line_begin = line;
            group->island_begin = i;
            group->whole = of->whole;
        }
        work->size[i] = state->island_line[i] = line;
        line += size;
        group->line_end = line;
        group->all = (lode__stretch){.line_begin = group->line_begin, .line_end = line};
        group->island_end = i + 1;
        group->rows += of->rows;
        group->solver = of->solver;
        group->large = group->large || is_large(work, of->rows);
        group->through = work->step->through && !group->large &&
                         group->solver != LODE_SOLVER_DIRECT;
    }
    state->island_line[work->island_count] = line;
    return true;
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

/* An array of lines from -below to count - 1; those that kernels only read are blank. */
#define TAKE_LINES(arena, type, below, count) \
    blank_until(LODE__TAKE(arena, type, (size_t)(below) + (count)), (below) * sizeof(type), \
                sizeof(type))

static void *blank_until(void *first, size_t below, size_t line)
{
    if (!first)
        return NULL;
    memset(first, 0, below + line);
    return (char *)first + below;
}

static bool take_lines(island_work *work)
{
    lode__dense *lines = &work->state->lines;
    lode__arena *arena = work->step->arena;
    uint32_t below = lines->kinematic_count;
    lines->count = work->body_count + 1;
    lines->velocity = TAKE_LINES(arena, lode__velocity, below, lines->count);
    lines->inv_mass = TAKE_LINES(arena, lode__inv_mass, below, lines->count);
    lines->delta = TAKE_LINES(arena, lode__delta, below, lines->count);
    lines->pose = TAKE_LINES(arena, lode__pose, below, lines->count);
    lines->force = TAKE_LINES(arena, lode__force, below, lines->count);
    lines->slot = TAKE_LINES(arena, uint32_t, below, lines->count);
    work->state->island = LODE__TAKE(arena, uint32_t, lines->count);
    work->state->frozen = LODE__TAKE_ZEROED(arena, uint8_t, lines->count);
    work->state->posed = LODE__TAKE_ZEROED(arena, uint8_t, lines->count);
    if (!lines->velocity || !lines->inv_mass || !lines->delta || !lines->pose || !lines->force ||
        !lines->slot || !work->state->island || !work->state->frozen || !work->state->posed)
        return false;
    if (work->step->settings->exit_below > 0)
        work->state->before = LODE__TAKE(arena, lode__velocity, lines->count);
    if (work->step->settings->exit_below > 0 && !work->state->before)
        return false;
    lines->pose[0] = (lode__pose){.rotation = {1, 0, 0, 0}};
    lines->slot[0] = LODE__NONE;
    return true;
}

/* What the kernels read of kinematic bodies; all else of their lines is zero. */
static void gather_kinematic(island_work *work)
{
    const lode__pool *bodies = work->solver->bodies;
    lode__dense *lines = &work->state->lines;
    uint32_t found = 0;
    for (uint32_t slot = 0; found < lines->kinematic_count; ++slot) {
        slot = lode__bits_next(work->solver->awake, slot);
        int32_t line = line_of_body(bodies, slot);
        if (line >= 0)
            continue;
        ++found;
        lines->slot[line] = slot;
        lines->velocity[line] = *LODE__AT(body, bodies, velocity, slot);
        lines->pose[line] = *LODE__AT(body, bodies, pose, slot);
        lines->delta[line] = (lode__delta){.linear = lines->velocity[line].linear,
                                           .angular = lines->velocity[line].angular,
                                           .is_rate = 1};
    }
}

static void number_lines(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i) {
        uint32_t island = work->parent[i], line = work->size[island]++;
        work->parent[i] = line;
        work->state->island[line] = island;
        work->state->lines.slot[line] = work->body[i];
    }
}

static void renumber(island_work *work, const lode__group *group)
{
    for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
        uint32_t slot = work->state->lines.slot[line];
        work->parent[line_of_body(work->solver->bodies, slot) - 1] = line;
    }
}

/* Large islands lie in another order than that of the slots, which the list of islands keeps. */
static bool lay_along(island_work *work)
{
    lode__solve_state *state = work->state;
    const lode__pool *bodies = work->solver->bodies;
    lode__arena *arena = work->step->arena;
    uint32_t count = state->lines.count;
    work->listed = state->lines.slot;
    state->shares = lode__tasks_shares(work->step->tasks);
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        if (!group->large)
            continue;
        if (work->listed == state->lines.slot) {
            work->listed = LODE__TAKE(arena, uint32_t, count);
            work->bins = LODE__TAKE(arena, uint8_t, count);
            work->scratch = LODE__TAKE(arena, uint32_t, count);
            if (!work->listed || !work->bins || !work->scratch)
                return false;
            memcpy(work->listed, state->lines.slot, count * sizeof(uint32_t));
        }
        lode__lines_lay_along(bodies, state->lines.slot + group->line_begin,
                              group->line_end - group->line_begin, work->scratch, work->bins);
        renumber(work, group);
        if (state->shares == 1)
            continue;
        if (!lode__shares_cut(work->solver, group, work->parent, work->scratch, work->step))
            return false;
        renumber(work, group);
    }
    return true;
}

/* A body's components lie anywhere, most of them beyond the first-level cache. */
static void fetch_body(const lode__pool *bodies, uint32_t slot)
{
    __builtin_prefetch(LODE__AT(body, bodies, velocity, slot));
    __builtin_prefetch(LODE__AT(body, bodies, inv_mass, slot));
    __builtin_prefetch(LODE__AT(body, bodies, pose, slot));
    __builtin_prefetch(LODE__AT(body, bodies, force, slot));
    __builtin_prefetch(LODE__AT(body, bodies, local, slot)->inv_inertia);
    __builtin_prefetch(LODE__AT(body, bodies, line, slot), 1);
}

static void gather_lines(void *context, uint32_t begin, uint32_t end)
{
    const island_work *work = context;
    const lode__pool *bodies = work->solver->bodies;
    lode__dense *lines = &work->state->lines;
    for (uint32_t line = begin; line < end; ++line) {
        uint32_t slot = lines->slot[line];
        if (line + LODE__LINES_AHEAD < end)
            fetch_body(bodies, lines->slot[line + LODE__LINES_AHEAD]);
        *LODE__AT(body, bodies, line, slot) = (int32_t)line;
        lines->velocity[line] = *LODE__AT(body, bodies, velocity, slot);
        lines->inv_mass[line] = *LODE__AT(body, bodies, inv_mass, slot);
        lines->pose[line] = *LODE__AT(body, bodies, pose, slot);
        lines->force[line] = *LODE__AT(body, bodies, force, slot);
        lines->delta[line] = (lode__delta){0};
        work->spins[line] = !inertia_is_round(LODE__AT(body, bodies, local, slot)->inv_inertia);
    }
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
        c->a = c->a ? work->parent[c->a - 1] : 0;
        c->b = c->b ? work->parent[c->b - 1] : 0;
        if (work->state->share_of_line)
            lode__shares_give(work->state, c);
    }
}

static bool move_to_lines(island_work *work)
{
    lode__tasks *tasks = work->step->tasks;
    lode__constraint_list *lists = work->state->constraints;
    number_lines(work);
    work->spins = LODE__TAKE(work->step->arena, bool, work->body_count + 1);
    if (!work->spins || !lay_along(work))
        return false;
    lode__lines_run(work->state, tasks, gather_lines, work);
    gather_kinematic(work);
    for (int l = 0; l < LODE__LISTS; ++l) {
        places_task task = {work, &lists[l]};
        lode__tasks_run(tasks, lists[l].count, LODE__CONSTRAINT_GRAIN, places_to_lines, &task);
    }
    lode__linkages_find_lines(work->state, work->parent);
    return true;
}

bool lode__islands_run(lode__solver *solver, const lode__step *step)
{
    lode__arena *arena = step->arena;
    island_work work = {.solver = solver, .step = step};
    solver->state = work.state = LODE__TAKE_ZEROED(arena, lode__solve_state, 1);
    if (!work.state || !list_bodies(&work) || !lode__constraints_list(solver, step))
        return false;
    work.parent = LODE__TAKE(arena, uint32_t, work.body_count);
    if (!work.parent)
        return false;
    join_all(&work);
    number_islands(&work);
    work.islands = LODE__TAKE_ZEROED(arena, island, work.island_count);
    uint32_t *begin = LODE__TAKE_ZEROED(arena, uint32_t, work.island_count + 1);
    uint8_t *ready = LODE__TAKE_ZEROED(arena, uint8_t, work.body_count + 1);
    if (!work.islands || !begin || !ready)
        return false;
    begin[0] = 1;
    work.size = begin + 1;
    measure_islands(&work);
    if (!cut_groups(&work) || !take_lines(&work))
        return false;
    for (int l = 0; l < LODE__LISTS; ++l)
        sort_list(&work, l);
    if (!move_to_lines(&work))
        return false;
    solver->islands = (lode__island_list){work.listed, begin, work.island_count, ready};
    work.state->flags_seen = work.flags_seen;
    return lode__spinners_list(solver, work.spins, arena) &&
           lode__restraints_list(solver, arena, work.flags_seen) &&
           lode__turners_list(solver, arena, work.flags_seen) && lode__flyers_list(solver, step);
}
