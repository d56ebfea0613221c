/* direct.c: the direct solver. Every island is one mixed linear complementarity problem over the
 * impulses of all its rows, solved to the end (solver/lcp.h):
 *
 *     A = J M^-1 J^T + gamma,   b = c - J v,   v' = v + M^-1 J^T lambda,
 *
 * with the rows' own c, gamma and limits, as the kernels have prepared and refreshed them: what
 * comes out is what the iterative solver's rows come to after ever more iterations. Rows are
 * spelled out by solver/rows.c, and all is done in double precision. */
#include "solver/direct.h"

#include "solver/lcp.h"
#include "solver/rows.h"

/* What a group needs; each island uses it anew. */
struct lode__direct {
    lode__rows rows;
    lode__lcp_plan *plans; /* by island */
    double (*change)[6];   /* of the velocity, by line of the group */
    lode__lcp lcp;
    bool again; /* rows that are idle keep their impulses */
};

/* What patterns are made of and planned with, for the largest island of all groups. */
typedef struct pattern_work {
    uint32_t *rows, *start, *element, *seen;
    lode__lcp_planner planner;
} pattern_work;

static bool take_pattern_work(pattern_work *work, const lode__solve_state *state,
                              const lode__direct *all, lode__arena *arena)
{
    uint32_t nodes = 0, lines = 0, ends = 0, rows = 0;
    for (uint32_t g = 0; g < state->group_count; ++g)
        for (uint32_t i = 0; i < all[g].rows.island_count; ++i) {
            const lode__row_island *it = &all[g].rows.islands[i];
            uint32_t own_ends = 0, own_lines = it->line_end - it->line_begin;
            for (uint32_t e = it->begin; e < it->end; ++e)
                own_ends += all[g].rows.parts[e].ends;
            nodes = it->end - it->begin > nodes ? it->end - it->begin : nodes;
            lines = own_lines > lines ? own_lines : lines;
            ends = own_ends > ends ? own_ends : ends;
            rows = it->rows > rows ? it->rows : rows;
        }
    work->rows = LODE__TAKE(arena, uint32_t, nodes);
    work->start = LODE__TAKE(arena, uint32_t, nodes + 1);
    work->element = LODE__TAKE(arena, uint32_t, ends);
    work->seen = LODE__TAKE(arena, uint32_t, lines);
    return work->rows && work->start && work->element && work->seen &&
           lode__lcp_planner_take(&work->planner, arena, nodes, lines, ends, rows);
}

/* Constraints are nodes, the bodies that they push elements. */
static lode__lcp_pattern pattern_of(const pattern_work *work, const lode__rows *rows,
                                    const lode__row_island *it)
{
    uint32_t at = 0, lines = it->line_end - it->line_begin;
    for (uint32_t line = 0; line < lines; ++line)
        work->seen[line] = LODE__ROW_NONE;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const lode__part *p = &rows->parts[e];
        work->rows[e - it->begin] = p->rows;
        work->start[e - it->begin] = at;
        for (int end = 0; end < p->ends; ++end) {
            uint32_t line = lode__part_pushes(p, end);
            if (!line || work->seen[line - it->line_begin] == e)
                continue;
            work->seen[line - it->line_begin] = e;
            work->element[at++] = line - it->line_begin;
        }
    }
    work->start[it->end - it->begin] = at;
    return (lode__lcp_pattern){it->end - it->begin, lines, work->rows, work->start, work->element};
}

/* Plans each island, numbers its rows as the plan wants them, and takes memory to solve any. */
static bool take_work(const lode__group *group, lode__direct *direct, pattern_work *work,
                      lode__arena *arena)
{
    lode__lcp_size most = {0};
    lode__rows *rows = &direct->rows;
    direct->plans = LODE__TAKE(arena, lode__lcp_plan, rows->island_count);
    direct->change = (double(*)[6])lode__arena_take(arena, (group->line_end - group->line_begin) *
                                                               sizeof *direct->change);
    if (!direct->plans || !direct->change)
        return false;
    for (uint32_t i = 0; i < rows->island_count; ++i) {
        const lode__row_island *it = &rows->islands[i];
        lode__lcp_plan *plan = &direct->plans[i];
        lode__lcp_pattern pattern = pattern_of(work, rows, it);
        if (!lode__lcp_plan_make(plan, &work->planner, &pattern, arena))
            return false;
        for (uint32_t t = 0; t < pattern.node_count; ++t)
            rows->parts[it->begin + plan->node[t]].row = plan->row[t];
        lode__lcp_size_cover(&most, &plan->size);
    }
    return lode__rows_take(rows, arena) && lode__lcp_take(&direct->lcp, arena, &most);
}

bool lode__direct_take(const lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__direct *all = LODE__TAKE_ZEROED(step->arena, lode__direct, state->group_count);
    pattern_work work;
    if (!all)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        if (group->solver != LODE_SOLVER_DIRECT)
            continue;
        group->direct = &all[g];
        if (!lode__rows_list(&all[g].rows, state, group, step->arena))
            return false;
    }
    if (!take_pattern_work(&work, state, all, step->arena))
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        if (state->groups[g].solver != LODE_SOLVER_DIRECT)
            continue;
        if (!take_work(&state->groups[g], &all[g], &work, step->arena))
            return false;
        all[g].lcp.eliminate = solver->kernels->eliminate;
    }
    return true;
}

/* --- to the problem; gamma waits in w */

static void read_part(lode__direct *direct, const lode__dense *lines, const lode__part *p)
{
    lode__lcp *lcp = &direct->lcp;
    lode__rows_read(&direct->rows, lines, p);
    for (uint32_t k = 0; k < p->rows; ++k) {
        uint32_t i = p->row + k;
        const lode__row_values *v = &direct->rows.values[i];
        lcp->b[i] = v->c - lode__row_velocity(&direct->rows, lines, p, (int)k);
        lcp->w[i] = v->gamma;
        bool keeps = direct->again && v->idle;
        lcp->lo[i] = keeps ? v->lambda : v->lo;
        lcp->hi[i] = keeps ? v->lambda : v->hi;
        lcp->master[i] = v->master;
        lcp->ratio[i] = v->ratio;
        lcp->x[i] = v->lambda;
    }
}

/* --- the matrix */

/* Adds J_i M^-1 J_j^T of the share of one body, which is end s of part p and end t of part q. */
static void couple_ends(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                        int s, const lode__part *q, int t, double *out, size_t width)
{
    double inv_mass = lines->inv_mass[lode__part_line(p, s)].inv_mass;
    for (int i = 0; i < p->rows; ++i) {
        const lode__jacobian *a = lode__jacobian_at(&direct->rows, p, i, s);
        for (int j = 0; j < q->rows; ++j) {
            const lode__jacobian *b = lode__jacobian_at(&direct->rows, q, j, t);
            out[(size_t)i * width + (size_t)j] += lode__dot3(a->lin, b->lin) * inv_mass +
                                                  lode__dot3(a->ang, b->resp);
        }
    }
}

/* Writes where two parts couple, into the panel of the first. */
static void couple(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                   const lode__part *q, double *out, size_t width)
{
    for (int s = 0; s < p->ends; ++s) {
        uint32_t line = lode__part_pushes(p, s);
        for (int t = 0; t < q->ends && line > 0; ++t)
            if (line == lode__part_pushes(q, t))
                couple_ends(direct, lines, p, s, q, t, out, width);
    }
}

static void build_matrix(const lode__direct *direct, const lode__dense *lines,
                         const lode__row_island *it)
{
    const lode__lcp *lcp = &direct->lcp;
    const lode__lcp_plan *plan = lcp->plan;
    const lode__part *parts = direct->rows.parts + it->begin;
    for (size_t i = 0; i < plan->size.panels; ++i)
        lcp->a[i] = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        const lode__part *p = &parts[plan->node[t]];
        double *panel = lcp->a + plan->panel[t];
        size_t width = (plan->panel[t + 1] - plan->panel[t]) / p->rows, at = 0;
        for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c) {
            const lode__part *q = &parts[plan->node[plan->with[c]]];
            couple(direct, lines, p, q, panel + at, width);
            at += q->rows;
        }
        for (uint32_t k = 0; k < p->rows; ++k)
            panel[k * width + k] += lcp->w[p->row + k];
    }
}

/* --- and back */

static void push(lode__direct *direct, const lode__dense *lines, const lode__part *p,
                 uint32_t line_begin, double times)
{
    for (int end = 0; end < p->ends; ++end) {
        uint32_t line = lode__part_pushes(p, end);
        if (!line)
            continue;
        double *change = direct->change[line - line_begin];
        double inv_mass = lines->inv_mass[line].inv_mass;
        for (int i = 0; i < p->rows; ++i) {
            const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, i, end);
            double x = direct->lcp.x[p->row + (uint32_t)i] * times, linear = x * inv_mass;
            for (int k = 0; k < 3; ++k) {
                change[k] += j->lin[k] * linear;
                change[3 + k] += j->resp[k] * x;
            }
        }
    }
}

static void write_velocities(const lode__direct *direct, const lode__dense *lines,
                             const lode__row_island *it)
{
    for (uint32_t line = it->line_begin; line < it->line_end; ++line) {
        const double *change = direct->change[line - it->line_begin];
        lode_vec3 *linear = &lines->velocity[line].linear;
        lode_vec3 *angular = &lines->velocity[line].angular;
        linear->x = (lode_real)((double)linear->x + change[0]);
        linear->y = (lode_real)((double)linear->y + change[1]);
        linear->z = (lode_real)((double)linear->z + change[2]);
        angular->x = (lode_real)((double)angular->x + change[3]);
        angular->y = (lode_real)((double)angular->y + change[4]);
        angular->z = (lode_real)((double)angular->z + change[5]);
    }
}

static void read_island(lode__direct *direct, const lode__dense *lines, uint32_t island)
{
    const lode__row_island *it = &direct->rows.islands[island];
    lode__lcp_pose(&direct->lcp, &direct->plans[island]);
    for (uint32_t e = it->begin; e < it->end; ++e)
        read_part(direct, lines, &direct->rows.parts[e]);
}

/* Gives the bodies what the impulses do, so many times. */
static void push_island(lode__direct *direct, const lode__dense *lines, const lode__row_island *it,
                        double times)
{
    for (uint32_t line = it->line_begin; line < it->line_end; ++line)
        for (int k = 0; k < 6; ++k)
            direct->change[line - it->line_begin][k] = 0;
    for (uint32_t e = it->begin; e < it->end; ++e)
        push(direct, lines, &direct->rows.parts[e], it->line_begin, times);
    write_velocities(direct, lines, it);
}

static bool solve_island(lode__direct *direct, const lode__dense *lines, uint32_t island)
{
    const lode__row_island *it = &direct->rows.islands[island];
    read_island(direct, lines, island);
    build_matrix(direct, lines, it);
    bool solved = lode__lcp_solve(&direct->lcp);
    for (uint32_t e = it->begin; e < it->end; ++e)
        lode__rows_write(&direct->rows.parts[e], direct->lcp.x + direct->rows.parts[e].row);
    push_island(direct, lines, it, 1);
    return solved;
}

/* Again: from velocities without what the impulses did, for they are found anew as a whole. */
static void solve_islands(const lode__solver *solver, lode__group *group, bool again)
{
    lode__direct *direct = group->direct;
    const lode__dense *lines = &solver->state->lines;
    direct->again = again;
    for (uint32_t i = 0; i < direct->rows.island_count; ++i) {
        const lode__row_island *it = &direct->rows.islands[i];
        if (again) {
            read_island(direct, lines, i);
            push_island(direct, lines, it, -1);
        }
        if (!solve_island(direct, lines, i) && group->unsolved++ == 0)
            group->unsolved_body = lines->slot[it->line_begin];
    }
}

void lode__direct_solve(const lode__solver *solver, lode__group *group)
{
    solve_islands(solver, group, false);
}

void lode__direct_solve_again(const lode__solver *solver, lode__group *group)
{
    solve_islands(solver, group, true);
}
