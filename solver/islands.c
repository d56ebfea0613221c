/* islands.c: which bodies must be solved together, and where they lie in the dense lines.
 *
 * Movable bodies joined by a contact or a joint are one island (union-find by lowest index, so
 * that an island's root is its lowest body); static bodies join nothing. Islands are numbered by
 * their lowest body, bodies sorted by island, islands cut into groups. All of it depends on the
 * scene alone, and the order within an island on that island alone. */
#include "core/math.h"
#include "solver/state.h"

typedef struct island_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__solve_state *state;
    uint32_t body_count;
    uint32_t *body; /* slots of movable bodies, ascending */
    uint32_t
        *parent;     /* union-find over places in `body`; then the island's number, then the line */
    uint32_t *rows;  /* of each island */
    uint32_t *size;  /* bodies of each island; later its first line */
    uint32_t *group; /* of each island */
    uint32_t island_count;
} island_work;

static bool is_movable(const lode__pool *bodies, uint32_t slot)
{
    uint32_t flags = *LODE__AT(body, bodies, flags, slot);
    return (flags & (LODE__BODY_DYNAMIC | LODE__BODY_FROZEN)) == LODE__BODY_DYNAMIC;
}

/* Lists movable bodies; `line` holds place + 1 until the lines are known. */
static bool list_bodies(island_work *work)
{
    const lode__pool *bodies = work->solver->bodies;
    work->body = LODE__TAKE(work->step->arena, uint32_t, bodies->count);
    if (!work->body)
        return false;
    for (uint32_t slot = lode__bits_next(&bodies->alive, 0); slot < bodies->end;
         slot = lode__bits_next(&bodies->alive, slot + 1)) {
        bool movable = is_movable(bodies, slot);
        if (movable)
            work->body[work->body_count++] = slot;
        *LODE__AT(body, bodies, line, slot) = movable ? work->body_count : 0;
    }
    return true;
}

static uint32_t find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void join_all(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i)
        work->parent[i] = i;
    for (int l = 0; l < LODE__LISTS; ++l) {
        const lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = 0; i < list->count; ++i)
            if (list->all[i].a && list->all[i].b)
                join(work->parent, list->all[i].a - 1, list->all[i].b - 1);
    }
}

/* Replaces roots by island numbers. A root precedes its members, so one pass does. */
static void number_islands(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i) {
        uint32_t parent = work->parent[i];
        work->parent[i] = parent == i ? work->island_count++ : work->parent[parent];
    }
}

static void flatten(island_work *work)
{
    for (uint32_t i = 0; i < work->body_count; ++i)
        work->parent[i] = find_root(work->parent, i);
}

static uint32_t island_of(const island_work *work, const lode__constraint *constraint)
{
    return work->parent[(constraint->a ? constraint->a : constraint->b) - 1];
}

static uint32_t measure_list(island_work *work, const lode__constraint_list *list)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        work->rows[island_of(work, &list->all[i])] += list->all[i].rows;
        rows += list->all[i].rows;
    }
    return rows;
}

static void measure_islands(island_work *work)
{
    lode_world_stats *stats = work->step->stats;
    for (uint32_t i = 0; i < work->body_count; ++i)
        ++work->size[work->parent[i]];
    uint32_t joint_rows = measure_list(work, &work->state->constraints[LODE__JOINTS]);
    uint32_t contact_rows = measure_list(work, &work->state->constraints[LODE__CONTACTS]);
    stats->islands = (int)work->island_count;
    stats->dynamic_bodies = (int)work->body_count;
    stats->joint_rows = (int)joint_rows;
    stats->rows = (int)(contact_rows + joint_rows);
}

/* Cuts the islands into groups; sizes become first lines. */
static bool cut_groups(island_work *work)
{
    lode__solve_state *state = work->state;
    uint32_t line = 1, filled = LODE__GROUP_ROWS;
    for (uint32_t i = 0; i < work->island_count; ++i) {
        bool large = work->rows[i] >= LODE__GROUP_ROWS;
        if (filled >= LODE__GROUP_ROWS || large) {
            ++state->group_count;
            filled = 0;
        }
        work->group[i] = state->group_count - 1;
        filled += large ? LODE__GROUP_ROWS : work->rows[i] + 1; /* a body alone counts as a row */
    }
    state->groups = LODE__TAKE_ZEROED(work->step->arena, lode__group, state->group_count);
    if (!state->groups)
        return false;
    for (uint32_t i = 0; i < work->island_count; ++i) {
        lode__group *group = &state->groups[work->group[i]];
        uint32_t size = work->size[i];
        if (group->line_end == 0)
            group->line_begin = line;
        work->size[i] = line;
        line += size;
        group->line_end = line;
        group->rows += work->rows[i];
        group->large = group->large || work->rows[i] >= LODE__GROUP_ROWS;
    }
    return true;
}

/* Sorts a list by group, keeping its order within. */
static void sort_list(island_work *work, int l)
{
    lode__solve_state *state = work->state;
    lode__constraint_list *list = &state->constraints[l];
    for (uint32_t i = 0; i < list->count; ++i)
        ++state->groups[work->group[island_of(work, &list->all[i])]].end[l];
    uint32_t at = 0;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        uint32_t count = group->end[l];
        group->begin[l] = group->end[l] = at;
        at += count;
    }
    for (uint32_t i = 0; i < list->count; ++i)
        list->order[state->groups[work->group[island_of(work, &list->all[i])]].end[l]++] = i;
}

static bool take_lines(island_work *work)
{
    lode__dense *lines = &work->state->lines;
    lode__arena *arena = work->step->arena;
    lines->count = work->body_count + 1;
    lines->velocity = LODE__TAKE(arena, lode__velocity, lines->count);
    lines->inv_mass = LODE__TAKE(arena, lode__inv_mass, lines->count);
    lines->delta = LODE__TAKE_ZEROED(arena, lode__delta, lines->count);
    lines->pose = LODE__TAKE(arena, lode__pose, lines->count);
    lines->force = LODE__TAKE(arena, lode__force, lines->count);
    lines->slot = LODE__TAKE(arena, uint32_t, lines->count);
    work->state->frozen = LODE__TAKE_ZEROED(arena, uint8_t, lines->count);
    if (!lines->velocity || !lines->inv_mass || !lines->delta || !lines->pose || !lines->force ||
        !lines->slot || !work->state->frozen)
        return false;
    lines->velocity[0] = (lode__velocity){0};
    lines->inv_mass[0] = (lode__inv_mass){0};
    lines->pose[0] = (lode__pose){.rotation = {1, 0, 0, 0}};
    lines->force[0] = (lode__force){0};
    lines->slot[0] = LODE__NONE;
    return true;
}

static void gather_lines(island_work *work)
{
    const lode__pool *bodies = work->solver->bodies;
    lode__dense *lines = &work->state->lines;
    for (uint32_t i = 0; i < work->body_count; ++i) {
        uint32_t slot = work->body[i], line = work->size[work->parent[i]]++;
        work->parent[i] = line;
        lines->slot[line] = slot;
        *LODE__AT(body, bodies, line, slot) = line;
        lines->velocity[line] = *LODE__AT(body, bodies, velocity, slot);
        lines->inv_mass[line] = *LODE__AT(body, bodies, inv_mass, slot);
        lines->pose[line] = *LODE__AT(body, bodies, pose, slot);
        lines->force[line] = *LODE__AT(body, bodies, force, slot);
    }
}

/* The constraints' ends, places until now, become dense lines. */
static void places_to_lines(island_work *work)
{
    for (int l = 0; l < LODE__LISTS; ++l) {
        lode__constraint_list *list = &work->state->constraints[l];
        for (uint32_t i = 0; i < list->count; ++i) {
            lode__constraint *c = &list->all[i];
            c->a = c->a ? work->parent[c->a - 1] : 0;
            c->b = c->b ? work->parent[c->b - 1] : 0;
        }
    }
}

/* The gyroscopic kernel's equation does not care about the unit of inertia, but its determinant
 * has the third power: a grain's would vanish and a ship's overflow. A power of two as the unit
 * changes no digit. */
static void fill_spinner(lode__spinner *out, const lode__local_mass *local)
{
    const lode_real *inertia = local->inertia;
    lode_real unit = r_power_of_two(r_max(r_max(inertia[0], inertia[1]), inertia[2]));
    for (int k = 0; k < 6; ++k) {
        out->inertia[k] = inertia[k] / unit;
        out->inv_inertia[k] = local->inv_inertia[k];
    }
}

/* Lists the bodies whose inertia turns with them, each group's padded to whole lanes. */
static bool gather_spinners(island_work *work)
{
    lode__solve_state *state = work->state;
    const lode__pool *bodies = work->solver->bodies;
    uint32_t most = work->body_count + LODE_LANES * state->group_count;
    lode__spinners *out = &state->spinners;
    out->spinner = LODE__TAKE_ZEROED(work->step->arena, lode__spinner, most);
    out->line = LODE__TAKE_ZEROED(work->step->arena, int32_t, most);
    out->gyro = LODE__TAKE_ZEROED(work->step->arena, lode_real, most);
    if (!out->spinner || !out->line || !out->gyro)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        group->spinner_begin = out->count;
        for (uint32_t line = group->line_begin; line < group->line_end; ++line) {
            uint32_t slot = state->lines.slot[line];
            const lode__local_mass *local = LODE__AT(body, bodies, local, slot);
            if (inertia_is_round(local->inv_inertia))
                continue;
            uint32_t flags = *LODE__AT(body, bodies, flags, slot), i = out->count++;
            fill_spinner(&out->spinner[i], local);
            out->line[i] = (int32_t)line;
            out->gyro[i] = flags & LODE__BODY_GYROSCOPIC ? (lode_real)1 : (lode_real)0;
        }
        out->count = (out->count + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
        group->spinner_end = out->count;
    }
    return true;
}

bool lode__islands_run(lode__solver *solver, const lode__step *step)
{
    lode__arena *arena = step->arena;
    island_work work = {.solver = solver, .step = step};
    solver->state = work.state = LODE__TAKE_ZEROED(arena, lode__solve_state, 1);
    if (!work.state || !list_bodies(&work) || !lode__constraints_list(solver, arena))
        return false;
    work.parent = LODE__TAKE(arena, uint32_t, work.body_count);
    if (!work.parent)
        return false;
    join_all(&work);
    flatten(&work);
    number_islands(&work);
    work.rows = LODE__TAKE_ZEROED(arena, uint32_t, work.island_count);
    work.size = LODE__TAKE_ZEROED(arena, uint32_t, work.island_count);
    work.group = LODE__TAKE(arena, uint32_t, work.island_count);
    if (!work.rows || !work.size || !work.group)
        return false;
    measure_islands(&work);
    if (!cut_groups(&work) || !take_lines(&work))
        return false;
    sort_list(&work, LODE__JOINTS);
    sort_list(&work, LODE__CONTACTS);
    gather_lines(&work);
    places_to_lines(&work);
    return gather_spinners(&work);
}
