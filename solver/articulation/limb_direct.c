/* limb_direct.c: see limb_direct.h. */
#include "solver/articulation/limb_direct.h"

#include "core/double3.h"
#include "solver/softness.h"

#include <string.h>

enum { MOST_MENDS = 128 }; /* rounds in which limits follow the solution */

/* ---- rows of constraints */

/* The tie of a block to a node. */
static const lode__limb_tie *tie_to(const lode__limb_system *system, const lode__limb_block *block,
                                    uint32_t node)
{
    uint32_t t = block->tie;
    while (system->ties[t].node != node)
        ++t;
    return &system->ties[t];
}

static void clear_vectors(const lode__limb_system *system, const lode__limb_block *block)
{
    for (uint32_t t = block->tie; t < block->tie_end; ++t) {
        const lode__limb_tie *tie = &system->ties[t];
        size_t bytes = (size_t)block->rows * system->nodes[tie->node].width * sizeof(double);
        memset(tie->feels, 0, bytes);
        memset(tie->gives, 0, bytes);
    }
}

static void add_body(const lode__dense *lines, uint32_t line, const lode__jacobian *j,
                     double *feels, double *gives)
{
    double inv_mass = lines->inv_mass[line].inv_mass;
    for (int k = 0; k < 3; ++k) {
        feels[k] += j->lin[k];
        feels[3 + k] += j->ang[k];
        gives[k] += j->lin[k] * inv_mass;
        gives[3 + k] += j->resp[k];
    }
}

static void finish_limb(const lode__limb *limb, const double *feels, double *gives)
{
    const lode__multibody *tree = &limb->model->body;
    for (uint32_t k = 0; k < tree->plan->dof_count; ++k)
        gives[k] = feels[k] * (double)tree->dofs[k].inv_d[0];
}

/* One row of a part; returns how fast it is by bodies that move and cannot be pushed. */
static double read_vectors(const lode__limb_direct *direct, const lode__solve_state *state,
                           const lode__part *p, const lode__limb_block *block, int row)
{
    const lode__limb_system *system = &direct->system;
    double motion = 0;
    for (int end = 0; end < p->ends; ++end) {
        const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, row, end);
        int32_t line = lode__part_line(p, end);
        if (line <= 0) {
            const lode__velocity *v = &state->lines.velocity[line];
            const double linear[3] = {v->linear.x, v->linear.y, v->linear.z};
            const double angular[3] = {v->angular.x, v->angular.y, v->angular.z};
            motion += lode__dot3(j->lin, linear) + lode__dot3(j->ang, angular);
            continue;
        }
        uint32_t node = direct->node_of_line[(uint32_t)line - direct->line_begin];
        const lode__limb_tie *tie = tie_to(system, block, node);
        double *feels = lode__limb_feels(system, tie, (uint32_t)row);
        if (system->nodes[node].limb)
            lode__mb_add_half(&system->nodes[node].limb->model->body,
                              state->limb_of_line[line].link, j->lin, j->ang, feels);
        else
            add_body(&state->lines, (uint32_t)line, j, feels,
                     lode__limb_gives(system, tie, (uint32_t)row));
    }
    for (uint32_t t = block->tie; t < block->tie_end; ++t)
        if (system->nodes[system->ties[t].node].limb)
            finish_limb(system->nodes[system->ties[t].node].limb,
                        lode__limb_feels(system, &system->ties[t], (uint32_t)row),
                        lode__limb_gives(system, &system->ties[t], (uint32_t)row));
    return motion;
}

/* What the row's bodies would answer as bodies of their own. */
static double free_answer(const lode__limb_direct *direct, const lode__dense *lines,
                          const lode__part *p, int row)
{
    double sum = 0;
    for (int end = 0; end < p->ends; ++end) {
        const lode__jacobian *j = lode__jacobian_at(&direct->rows, p, row, end);
        double inv_mass = lines->inv_mass[lode__part_pushes(p, end)].inv_mass;
        sum += lode__dot3(j->lin, j->lin) * inv_mass + lode__dot3(j->ang, j->resp);
    }
    return sum;
}

/* Does nothing answer, but for rounding? Across the plane of a planar loop joints let nothing
 * move. */
static bool is_dead(const lode__limb_direct *direct, const lode__dense *lines, uint32_t e, int row)
{
    const double rounding = 64 * (double)REAL_EPSILON;
    double own = lode__limb_row_answer(&direct->system, &direct->system.blocks[e], (uint32_t)row);
    return !(own > rounding * rounding * free_answer(direct, lines, &direct->rows.parts[e], row));
}

static void read_part(const lode__limb_direct *direct, const lode__solve_state *state, uint32_t e,
                      bool again)
{
    const lode__part *p = &direct->rows.parts[e];
    const lode__limb_block *block = &direct->system.blocks[e];
    lode__rows_read(&direct->rows, &state->lines, p);
    clear_vectors(&direct->system, block);
    for (uint32_t k = 0; k < block->rows; ++k) {
        uint32_t i = block->row + k;
        const lode__row_values *v = &direct->rows.values[i];
        double motion = read_vectors(direct, state, p, block, (int)k), kept = again ? v->lambda : 0;
        bool held = v->idle || is_dead(direct, &state->lines, e, (int)k);
        direct->system.asked[i] = (lode__limb_asked){.c = v->c - motion,
                                                     .gamma = v->gamma,
                                                     .lo = held ? kept : v->lo,
                                                     .hi = held ? kept : v->hi,
                                                     .ratio = v->ratio,
                                                     .master = held ? LODE__LCP_NONE : v->master,
                                                     .cone = v->cone && !held};
        direct->system.x[i] = v->lambda;
    }
}

/* ---- a group */

static void read_rows(const lode__limb_direct *direct, const lode__solve_state *state, bool again)
{
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        read_part(direct, state, e, again);
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        lode__limb_joints_read(direct, &direct->joints[l], again);
}

static bool mend(const lode__limb_direct *direct)
{
    bool mended = false;
    lode__limb_system_push(&direct->system, 1);
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        mended = lode__limb_joints_mend(direct, &direct->joints[l]) || mended;
    return mended;
}

/* ---- what contradicts itself, as in solver/direct.c
 *
 * Links that a step has thrown into a body from two sides are to leave it both ways. Nothing but
 * softness ends what their contacts push with then, at 1e9 times what there is to push. */

#define WEDGED 1e6 /* times the velocity that is to change: impulses of nothing but contradiction */
enum { WEDGED_SWEEPS = 64 };

static bool is_wedged(const lode__limb_direct *direct)
{
    const lode__lcp *lcp = &direct->system.lcp;
    double most = 0;
    bool hard = false; /* contacts with cfm say themselves how far they give way */
    for (uint32_t i = 0; i < lcp->count; ++i)
        most = d_max(most, fabs(lcp->b[i]));
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        for (uint32_t k = 0; k < direct->rows.parts[e].rows; ++k) {
            const lode__row_values *v = &direct->rows.values[direct->rows.parts[e].row + k];
            hard = hard || (v->kind == LODE__ROW_NORMAL && !(v->gamma > 0));
        }
    return hard && lcp->best_size > WEDGED * most;
}

/* Without the speeds that correct errors, to stay at rest is an answer; and if bodies that nobody
 * can push force what cannot be, a few sweeps come to something between. */
static void solve_wedged(lode__limb_direct *direct)
{
    const lode__limb_system *system = &direct->system;
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        for (uint32_t k = 0; k < direct->rows.parts[e].rows; ++k) {
            uint32_t i = direct->rows.parts[e].row + k;
            const lode__row_values *v = &direct->rows.values[i];
            double limit = v->c > 0 ? v->hi : v->lo;
            system->asked[i].c -= fabs(limit) < LODE__LCP_NO_LIMIT ? 0 : v->c;
        }
    memset(system->x, 0, system->row_count * sizeof *system->x);
    lode__limb_system_solve(&direct->system);
    if (!is_wedged(direct))
        return;
    memset(system->x, 0, system->row_count * sizeof *system->x);
    lode__limb_system_sweep(system, WEDGED_SWEEPS);
}

/* ---- and back */

static void write_rows(const lode__limb_direct *direct, const lode__dense *lines)
{
    for (uint32_t e = 0; e < direct->rows.part_count; ++e)
        lode__rows_write(&direct->rows.parts[e], direct->system.x + direct->system.blocks[e].row);
    lode__limb_system_push(&direct->system, 1);
    lode__limb_system_write(&direct->system, lines);
    lode__limb_system_read(&direct->system, lines);
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        lode__limb_joints_write(direct, &direct->joints[l]);
}

static void solve(const lode__solve_work *work, lode__group *group)
{
    lode__limb_direct *direct = group->limb_direct;
    const lode__dense *lines = &work->solver->state->lines;
    bool solved = lode__limb_system_solve(&direct->system), mended = mend(direct);
    for (int round = 0; round < MOST_MENDS && mended; ++round) {
        solved = lode__limb_system_solve(&direct->system);
        mended = mend(direct);
    }
    if (is_wedged(direct)) {
        solve_wedged(direct);
        solved = false;
    }
    write_rows(direct, lines);
    if ((!solved || mended) && group->unsolved++ == 0)
        group->unsolved_body = lines->slot[group->line_begin];
    lode__limbs_tell(work->solver, group);
}

static void factor(const lode__group *group, bool held)
{
    for (uint32_t l = 0; l < group->limbs->limb_count; ++l) {
        lode__limb *limb = group->limbs->limbs[l];
        if (limb->flies)
            continue;
        lode__limb_weigh_drives(limb, held);
        lode__mb_kernels_one.factor(&limb->model->body);
    }
}

/* What bounces is pushed by drives that hold as they hold. */
static void count(const lode__solve_work *work, const lode__group *group)
{
    if (work->solver->state->bounces)
        factor(group, true);
    lode__limbs_read(work, group, &work->softness, false);
    lode__limbs_count(group);
}

void lode__limb_direct_solve(const lode__solve_work *work, lode__group *group)
{
    lode__limb_direct *direct = group->limb_direct;
    const lode__solve_state *state = work->solver->state;
    for (uint32_t l = 0; l < direct->limb_count; ++l)
        lode__limb_take_speeds(direct->joints[l].limb);
    lode__limb_system_read(&direct->system, &state->lines);
    read_rows(direct, state, false);
    solve(work, group);
    if (!is_second_order(work->step->settings))
        count(work, group);
}

void lode__limb_direct_solve_again(const lode__solve_work *work, lode__group *group)
{
    lode__limb_direct *direct = group->limb_direct;
    const lode__solve_state *state = work->solver->state;
    factor(group, false);
    for (uint32_t l = 0; l < direct->limb_count; ++l) {
        lode__limb_take_speeds(direct->joints[l].limb);
        lode__limb_relax_joints(direct->joints[l].limb);
        lode__pulls_relax(direct->joints[l].limb);
    }
    read_rows(direct, state, true);
    lode__limb_system_push(&direct->system, -1);
    lode__limb_system_write(&direct->system, &state->lines);
    lode__limb_system_read(&direct->system, &state->lines);
    solve(work, group);
    count(work, group);
}
