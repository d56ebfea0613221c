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
    double (*change)[6]; /* of the velocity, by line of the group */
    lode__lcp lcp;
};

static bool take_work(const lode__group *group, lode__direct *direct, lode__arena *arena)
{
    uint32_t rows = 0;
    size_t entries = 0;
    for (uint32_t i = 0; i < direct->rows.island_count; ++i) {
        const lode__row_island *it = &direct->rows.islands[i];
        rows = it->rows > rows ? it->rows : rows;
        entries = it->entries > entries ? it->entries : entries;
    }
    direct->change = (double(*)[6])lode__arena_take(arena, (group->line_end - group->line_begin) *
                                                               sizeof *direct->change);
    return direct->change && lode__rows_take(&direct->rows, arena) &&
           lode__lcp_take(&direct->lcp, arena, rows, entries);
}

bool lode__direct_take(const lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__direct *all = LODE__TAKE_ZEROED(step->arena, lode__direct, state->group_count);
    if (!all)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        if (group->solver != LODE_SOLVER_DIRECT)
            continue;
        group->direct = &all[g];
        if (!lode__rows_list(&all[g].rows, state, group, step->arena) ||
            !take_work(group, &all[g], step->arena))
            return false;
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
        lcp->lo[i] = v->lo;
        lcp->hi[i] = v->hi;
        lcp->master[i] = v->master;
        lcp->ratio[i] = v->ratio;
        lcp->x[i] = v->lambda;
    }
}

/* --- the matrix */

/* Adds J_i M^-1 J_j^T of the share of one body, which is end s of part p and end t of part q. */
static void couple_ends(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                        int s, const lode__part *q, int t)
{
    const lode__lcp *lcp = &direct->lcp;
    double inv_mass = lines->inv_mass[lode__part_line(p, s)].inv_mass;
    for (uint32_t i = 0; i < p->rows; ++i) {
        double *row = lcp->a + lcp->start[p->row + i];
        const lode__jacobian *a = lode__jacobian_at(&direct->rows, p, (int)i, s);
        for (uint32_t j = 0; j < q->rows && q->row + j <= p->row + i; ++j) {
            const lode__jacobian *b = lode__jacobian_at(&direct->rows, q, (int)j, t);
            row[q->row + j - p->first] += lode__dot3(a->lin, b->lin) * inv_mass +
                                          lode__dot3(a->ang, b->resp);
        }
    }
}

static void couple(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                   const lode__part *q)
{
    for (int s = 0; s < p->ends; ++s) {
        uint32_t line = lode__part_pushes(p, s);
        for (int t = 0; t < q->ends && line > 0; ++t)
            if (line == lode__part_pushes(q, t))
                couple_ends(direct, lines, p, s, q, t);
    }
}

static void build_matrix(const lode__direct *direct, const lode__dense *lines,
                         const lode__row_island *it)
{
    const lode__lcp *lcp = &direct->lcp;
    size_t entries = 0;
    uint32_t from = it->begin;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const lode__part *p = &direct->rows.parts[e];
        for (uint32_t i = p->row; i < p->row + p->rows; ++i) {
            lcp->first[i] = p->first;
            lcp->start[i] = entries;
            for (uint32_t j = p->first; j <= i; ++j)
                lcp->a[entries++] = 0;
        }
        for (from = e; from > it->begin && direct->rows.parts[from - 1].row >= p->first;)
            --from;
        for (uint32_t f = from; f <= e; ++f)
            couple(direct, lines, p, &direct->rows.parts[f]);
        for (uint32_t i = p->row; i < p->row + p->rows; ++i)
            lcp->a[lcp->start[i] + (i - p->first)] += lcp->w[i];
    }
}

/* --- and back */

static void push(lode__direct *direct, const lode__dense *lines, const lode__part *p,
                 uint32_t line_begin)
{
    for (int end = 0; end < p->ends; ++end) {
        uint32_t line = lode__part_pushes(p, end);
        if (!line)
            continue;
        double *change = direct->change[line - line_begin];
        double inv_mass = lines->inv_mass[line].inv_mass;
        for (int i = 0; i < p->rows; ++i) {
            const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, i, end);
            double x = direct->lcp.x[p->row + (uint32_t)i], linear = x * inv_mass;
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

static bool solve_island(lode__direct *direct, const lode__dense *lines, const lode__row_island *it)
{
    for (uint32_t e = it->begin; e < it->end; ++e)
        read_part(direct, lines, &direct->rows.parts[e]);
    build_matrix(direct, lines, it);
    direct->lcp.count = it->rows;
    bool solved = lode__lcp_solve(&direct->lcp);
    for (uint32_t line = it->line_begin; line < it->line_end; ++line)
        for (int k = 0; k < 6; ++k)
            direct->change[line - it->line_begin][k] = 0;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        lode__rows_write(&direct->rows.parts[e], direct->lcp.x + direct->rows.parts[e].row);
        push(direct, lines, &direct->rows.parts[e], it->line_begin);
    }
    write_velocities(direct, lines, it);
    return solved;
}

void lode__direct_solve(const lode__solver *solver, lode__group *group)
{
    lode__direct *direct = group->direct;
    const lode__dense *lines = &solver->state->lines;
    for (uint32_t i = 0; i < direct->rows.island_count; ++i)
        if (!solve_island(direct, lines, &direct->rows.islands[i]) && group->unsolved++ == 0)
            group->unsolved_body = lines->slot[direct->rows.islands[i].line_begin];
}
