/* direct.c: the direct solver. Every island is one mixed linear complementarity problem over the
 * impulses of all its rows, solved to the end (solver/lcp.h):
 *
 *     A = J M^-1 J^T + gamma,   b = c - J v,   v' = v + M^-1 J^T lambda,
 *
 * with the rows' own c, gamma and limits, as the kernels have prepared and refreshed them: what
 * comes out is what the iterative solver's rows come to after ever more iterations. Rows are
 * spelled out by solver/rows.c, and all is done in double precision. */
#include "solver/direct.h"

#include "core/double3.h"
#include "solver/cones.h"
#include "solver/motion.h"
#include "solver/plans.h"
#include "solver/rows.h"
#include "solver/softness.h"

#include <string.h>

/* What a group needs; each island uses it anew. */
struct lode__direct {
    lode__rows rows;
    const lode__island_plan **plans; /* by island */
    double (*change)[6];             /* of the velocity, by line of the group, and */
    double (*ways)[6];               /* per second; of islands whose rows contradict each other */
    bool *contradicts;               /* by island */
    double *columns;                 /* see direct.h */
    lode__lcp lcp;
    lode__cones cones;
    lode__bonds bonds;
    bool again;     /* rows that are idle keep their impulses */
    bool pushes;    /* the island has contacts that push bodies apart */
    bool is_hard;   /* it has some without cfm */
    double share;   /* of what corrects errors, that is asked for */
    bool yields;    /* what cannot be pushed forces no speed on others */
    double fastest; /* m/s, what goes fastest before, or is asked for */
};

/* How many islands from the first on have a plan in common, of those that are solved together. */
static uint32_t count_alike(const lode__direct *direct, uint32_t first)
{
    const lode__island_plan *plan = direct->plans[first];
    uint32_t count = 1;
    while (plan->bonds.small && count < LODE__QUAD_LANES &&
           first + count < direct->rows.island_count && direct->plans[first + count] == plan)
        ++count;
    return count;
}

/* Where no row has any, nothing asks for paths. */
static bool may_have_limits(const lode__rows *rows, const lode__row_island *island)
{
    bool any = false;
    for (uint32_t i = island->begin; i < island->end && !any; ++i)
        any = !rows->parts[i].bond || rows->parts[i].points > 0;
    return any;
}

/* Finds the plan of each island and takes memory to solve any. */
static bool take_work(const lode__solver *solver, const lode__group *group, lode__plans *plans,
                      lode__direct *direct, lode__arena *arena)
{
    lode__lcp_size most = {0};
    lode__bond_size most_bonds = {0};
    lode__rows *rows = &direct->rows;
    size_t bytes = (group->line_end - group->line_begin) * sizeof *direct->change;
    uint32_t columns = 0;
    direct->plans = LODE__TAKE(arena, const lode__island_plan *, rows->island_count);
    direct->change = (double(*)[6])lode__arena_take(arena, bytes);
    direct->ways = (double(*)[6])lode__arena_take(arena, bytes);
    direct->contradicts = LODE__TAKE(arena, bool, rows->island_count);
    if (!direct->plans || !direct->change || !direct->ways || !direct->contradicts)
        return false;
    for (uint32_t i = 0; i < rows->island_count; ++i) {
        const lode__island_plan *plan = lode__plans_of(plans, rows, &rows->islands[i], arena);
        if (!plan)
            return false;
        direct->plans[i] = plan;
        columns = rows->islands[i].columns > columns ? rows->islands[i].columns : columns;
        lode__lcp_size size = plan->lcp.size;
        if (!may_have_limits(rows, &rows->islands[i]))
            size.tableau = 0;
        lode__lcp_size_cover(&most, &size);
        lode__bonds_cover(&most_bonds, &plan->bonds);
        if (i > 0 && plan->bonds.small && direct->plans[i - 1] == plan)
            lode__bonds_cover_four(&most_bonds, &plan->bonds);
    }
    direct->columns = LODE__TAKE(arena, double, columns);
    if (!direct->columns || !lode__rows_take(rows, arena) ||
        !lode__lcp_take(&direct->lcp, arena, &most) ||
        (lode__direct_has_cones(rows) && !lode__cones_take(&direct->cones, arena, &most)) ||
        !lode__bonds_take(&direct->bonds, &most_bonds, arena))
        return false;
    direct->lcp.kernels = solver->kernels;
    return true;
}

bool lode__direct_take(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    lode__direct *all = LODE__TAKE_ZEROED(step->arena, lode__direct, state->group_count);
    if (!all)
        return false;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        if (group->solver != LODE_SOLVER_DIRECT || group->limbs)
            continue;
        group->direct = &all[g];
        if (!lode__rows_list(&all[g].rows, state, group, step->arena))
            return false;
        all[g].rows.cone = friction_is_cone(step->settings);
        if (!take_work(solver, group, &solver->plans, &all[g], step->arena))
            return false;
    }
    return true;
}

/* --- to the problem; gamma waits in w */

/* The speed that is asked of a row, of one that no limit holds back in part. */
static double asked_of(const lode__direct *direct, const lode__row_values *v)
{
    double limit = v->c > 0 ? v->hi : v->lo;
    return fabs(limit) < LODE__LCP_NO_LIMIT ? v->c : direct->share * v->c;
}

/* The speed that bodies force on a row whom nobody can push. */
static double forced_on(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                        uint32_t row)
{
    double speed = 0;
    for (int end = 0; end < p->ends; ++end) {
        int32_t line = lode__part_line(p, end);
        const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, (int)row, end);
        const lode__velocity *v = &lines->velocity[line];
        if (line < 0)
            speed -= lode__dot3(j->lin, (double[3]){v->linear.x, v->linear.y, v->linear.z}) +
                     lode__dot3(j->ang, (double[3]){v->angular.x, v->angular.y, v->angular.z});
    }
    return speed;
}

/* What else is to be known of a row that asks for speed `c`, and is forced to another. */
static void note_asked(lode__direct *direct, const lode__row_values *v, double forced)
{
    bool contact = v->kind == LODE__ROW_NORMAL;
    direct->pushes = direct->pushes || (contact && v->c + forced > 0);
    direct->is_hard = direct->is_hard || (contact && !(v->gamma > 0));
    direct->fastest = d_max(direct->fastest, d_max(fabs(v->c), fabs(forced)));
}

static void read_part(lode__direct *direct, const lode__dense *lines, const lode__part *p)
{
    lode__lcp *lcp = &direct->lcp;
    lode__rows_read(&direct->rows, lines, p);
    for (uint32_t k = 0; k < p->rows; ++k) {
        uint32_t i = p->row + k;
        const lode__row_values *v = &direct->rows.values[i];
        double forced = v->master == LODE__ROW_NONE ? forced_on(direct, lines, p, k) : 0;
        bool yields = direct->yields && (forced > 0 || v->kind != LODE__ROW_NORMAL);
        note_asked(direct, v, forced);
        lcp->b[i] = asked_of(direct, v) - lode__row_velocity(&direct->rows, lines, p, (int)k);
        if (yields)
            lcp->b[i] -= forced;
        lcp->w[i] = v->gamma;
        bool keeps = direct->again && v->idle;
        lcp->lo[i] = keeps ? v->lambda : v->lo;
        lcp->hi[i] = keeps ? v->lambda : v->hi;
        lcp->master[i] = v->master;
        lcp->ratio[i] = v->ratio;
        lcp->x[i] = v->lambda;
    }
    for (uint32_t i = p->row; i < p->row + p->rows; ++i)
        if (direct->rows.values[i].cone)
            lode__cones_add(&direct->cones, lcp, i);
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
    const lode__lcp_plan *plan = &direct->plans[island]->lcp;
    lode__lcp_pose(&direct->lcp, plan);
    lode__cones_begin(&direct->cones, plan->size.rows);
    direct->pushes = direct->is_hard = false;
    direct->fastest = 0;
    for (uint32_t t = 0; t < plan->size.nodes; ++t)
        direct->rows.parts[it->begin + plan->node[t]].row = plan->row[t];
    for (uint32_t e = it->begin; e < it->end; ++e)
        read_part(direct, lines, &direct->rows.parts[e]);
}

/* Finds what the impulses do to the bodies, so many times. */
static void gather_changes(lode__direct *direct, const lode__dense *lines,
                           const lode__row_island *it, double times)
{
    for (uint32_t line = it->line_begin; line < it->line_end; ++line)
        for (int k = 0; k < 6; ++k)
            direct->change[line - it->line_begin][k] = 0;
    for (uint32_t e = it->begin; e < it->end; ++e)
        push(direct, lines, &direct->rows.parts[e], it->line_begin, times);
}

/* --- what contradicts itself
 *
 * Contacts that push against each other, as those of hollow bodies that hold one another, may ask
 * for what no velocity is, and then nothing but the softness of rows ends their impulses: at 1e9
 * times what bodies weigh. Where directions are all but opposite there is a solution, and what is
 * wedged in leaves at thousands of metres a second. So where impulses are of nothing but softness,
 * or a body is to go many times as fast as anything went or was to go, less of what corrects errors
 * is asked for, and then none. Velocities are an answer then, unless bodies that nobody can push
 * force others to move, which they do not if all else has failed. What overlaps is moved apart
 * without a word to velocities, by a few sweeps of projected Gauss-Seidel over the same rows, which
 * come to something between what they ask for. */

enum { THROWN = 5 };
#define WEDGED 1e4 /* times the velocity that is to change: impulses of nothing but contradiction */

/* Contacts with cfm say themselves how far they give way. */
static bool is_wedged(const lode__direct *direct)
{
    const lode__lcp *lcp = &direct->lcp;
    double most = 0;
    for (uint32_t i = 0; i < lcp->count; ++i)
        most = d_max(most, fabs(lcp->b[i]));
    return direct->is_hard && lcp->best_size > WEDGED * most;
}

static double speed_of(const lode__dense *lines, uint32_t line, const double *change)
{
    lode_vec3 v = lines->velocity[line].linear;
    double x = (double)v.x + change[0], y = (double)v.y + change[1], z = (double)v.z + change[2];
    return sqrt(x * x + y * y + z * z);
}

/* How many times as fast as anything went, or was to go; 1 if not much faster. */
static double thrown(lode__direct *direct, const lode__dense *lines, const lode__row_island *it)
{
    static const double nothing[6];
    double before = direct->fastest, after = 0;
    for (uint32_t line = it->line_begin; line < it->line_end; ++line) {
        before = d_max(before, speed_of(lines, line, nothing));
        after = d_max(after, speed_of(lines, line, direct->change[line - it->line_begin]));
    }
    return after > THROWN * before ? after / before : 1;
}

/* By how many times less is to be asked for; 1 where the solution is one to go on with. */
static double excess(lode__direct *direct, const lode__dense *lines, const lode__row_island *it)
{
    if (is_wedged(direct))
        return INFINITY;
    return direct->pushes ? thrown(direct, lines, it) : 1;
}

static bool solve_asked(lode__direct *direct, const lode__dense *lines, uint32_t island,
                        double share, bool yields)
{
    const lode__row_island *it = &direct->rows.islands[island];
    direct->share = share;
    direct->yields = yields;
    read_island(direct, lines, island);
    lode__direct_build(&(lode__direct_matrix){&direct->rows, &direct->lcp, direct->columns}, lines,
                       it);
    bool solved = lode__cones_solve(&direct->cones, &direct->lcp);
    gather_changes(direct, lines, it, 1);
    return solved;
}

/* A visit to row i of a part: a step towards the speed that it asks for, within the row's signs. */
static void part_row(const lode__direct *direct, const lode__dense *lines, const lode__part *p,
                     int i, uint32_t line_begin)
{
    const lode__row_values *v = &direct->rows.values[p->row + (uint32_t)i];
    bool pulls = v->lo <= -LODE__LCP_NO_LIMIT, pushes = v->hi >= LODE__LCP_NO_LIMIT;
    double k = 0, speed = 0;
    if (v->master != LODE__ROW_NONE || !(pulls || pushes))
        return;
    for (int end = 0; end < p->ends; ++end) {
        const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, i, end);
        uint32_t line = lode__part_pushes(p, end);
        if (!line)
            continue;
        const double *way = direct->ways[line - line_begin];
        k += lode__dot3(j->lin, j->lin) * (double)lines->inv_mass[line].inv_mass +
             lode__dot3(j->ang, j->resp);
        speed += lode__dot3(j->lin, way) + lode__dot3(j->ang, way + 3);
    }
    double x = k > 0 ? (v->c - speed) / k : 0;
    x = (x < 0 && !pulls) || (x > 0 && !pushes) ? 0 : x;
    for (int end = 0; end < p->ends && x != 0; ++end) {
        const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, i, end);
        uint32_t line = lode__part_pushes(p, end);
        for (int c = 0; c < 3 && line; ++c) {
            double *way = direct->ways[line - line_begin];
            way[c] += j->lin[c] * x * (double)lines->inv_mass[line].inv_mass;
            way[3 + c] += j->resp[c] * x;
        }
    }
}

enum { PART_SWEEPS = 8 };

/* From the rows of the island as they were read last. */
static void find_ways(const lode__direct *direct, const lode__group *group,
                      const lode__dense *lines, const lode__row_island *it)
{
    memset(direct->ways[it->line_begin - group->line_begin], 0,
           (it->line_end - it->line_begin) * sizeof *direct->ways);
    for (int sweep = 0; sweep < PART_SWEEPS; ++sweep)
        for (uint32_t e = it->begin; e < it->end; ++e)
            for (int i = 0; i < (int)direct->rows.parts[e].rows; ++i)
                part_row(direct, lines, &direct->rows.parts[e], i, group->line_begin);
}

void lode__direct_part(const lode__solver *solver, lode__group *group, double h)
{
    const lode__direct *direct = group->direct;
    for (uint32_t i = 0; i < direct->rows.island_count; ++i) {
        const lode__row_island *it = &direct->rows.islands[i];
        for (uint32_t line = it->line_begin; line < it->line_end && direct->contradicts[i]; ++line)
            lode__line_move(&solver->state->lines, line, direct->ways[line - group->line_begin], 1,
                            h);
    }
}

/* Whether what the rows ask for was to be had. */
static bool solve_island(lode__direct *direct, const lode__dense *lines, uint32_t island)
{
    const lode__row_island *it = &direct->rows.islands[island];
    bool solved = solve_asked(direct, lines, island, 1, false);
    double over = excess(direct, lines, it);
    if (over > 1 && over < INFINITY) {
        solve_asked(direct, lines, island, 1 / over, false);
        over = excess(direct, lines, it);
    }
    if (over > 1)
        solve_asked(direct, lines, island, 0, false);
    if (over > 1 && is_wedged(direct))
        solve_asked(direct, lines, island, 0, true);
    solved = solved && direct->share == 1;
    for (uint32_t e = it->begin; e < it->end; ++e)
        lode__rows_write(&direct->rows.parts[e], direct->lcp.x + direct->rows.parts[e].row);
    write_velocities(direct, lines, it);
    return solved;
}

/* Again: from velocities without what the impulses did, for they are found anew as a whole. */
static void solve_alone(const lode__solver *solver, lode__group *group, uint32_t island)
{
    lode__direct *direct = group->direct;
    const lode__dense *lines = &solver->state->lines;
    const lode__row_island *it = &direct->rows.islands[island];
    const lode__bond_plan *bonds = &direct->plans[island]->bonds;
    if (bonds->fits && !direct->again &&
        lode__bonds_solve(bonds, &direct->bonds, solver->kernels->solve_bonds, lines, &direct->rows,
                          it))
        return;
    if (direct->again) {
        read_island(direct, lines, island);
        gather_changes(direct, lines, it, -1);
        write_velocities(direct, lines, it);
    }
    bool solved = solve_island(direct, lines, island);
    if (!direct->again && direct->share < 1) {
        direct->contradicts[island] = true;
        find_ways(direct, group, lines, it);
    }
    if (!solved && group->unsolved++ == 0)
        group->unsolved_body = lines->slot[it->line_begin];
}

/* Of islands beside each other that are alike; a bit for each that is solved. */
static unsigned solve_together(const lode__solver *solver, const lode__group *group, uint32_t first,
                               uint32_t count)
{
    const lode__direct *direct = group->direct;
    return lode__bonds_solve_four(&direct->plans[first]->bonds, &direct->bonds.four,
                                  &solver->kernels->four, &solver->state->lines, &direct->rows,
                                  &direct->rows.islands[first], count);
}

static void solve_islands(const lode__solver *solver, lode__group *group, bool again)
{
    lode__direct *direct = group->direct;
    direct->again = again;
    memset(direct->contradicts, 0, again ? 0 : direct->rows.island_count);
    for (uint32_t i = 0, count; i < direct->rows.island_count; i += count) {
        count = again ? 1 : count_alike(direct, i);
        unsigned solved = count > 1 ? solve_together(solver, group, i, count) : 0;
        for (uint32_t k = 0; k < count; ++k)
            if (!(solved >> k & 1))
                solve_alone(solver, group, i + k);
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
