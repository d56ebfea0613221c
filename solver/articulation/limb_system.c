/* limb_system.c: see limb_system.h.
 *
 * *Rounds.* The LCP softens rows with limits by a share of 1e-9 of their diagonal, so that where
 * they repeat each other their load is spread evenly. That costs as much of their impulse in
 * velocity. It is given back here: each round asks for softness times the last x more (the proximal
 * point method, Rockafellar 1976), until w is met without it. One round does where the active rows
 * do not repeat each other, and what they share by then stays as it is. */
#include "solver/articulation/limb_system.h"

#include <string.h>

enum {
    SMALL = 192,     /* rows up to which a full square is no dearer than a plan */
    MOST_ROUNDS = 4, /* of softness given back */
    MOST_SWEPT = 4,  /* times that all is swept, twice as often each time */
    SWEEPS = 512
};

#define SOFTNESS 1e-9 /* that of lcp.c */
#define ROUNDING 1e-15
#define SIGNS 1e-13 /* tolerance of signs of an LCP; error that ends rounds */
#define CLOSE 3e-12 /* error that asks for sweeps */
#define EXACT 1e-12 /* error of an LCP that is solved, of the largest number */

/* ---- memory */

static bool plan_sparse(lode__limb_system *system, lode__arena *arena)
{
    uint32_t *rows = LODE__TAKE(arena, uint32_t, system->block_count);
    uint32_t *start = LODE__TAKE(arena, uint32_t, system->block_count + 1);
    uint32_t *element = LODE__TAKE(arena, uint32_t, system->tie_count);
    lode__lcp_planner planner;
    if (!rows || !start || !element ||
        !lode__lcp_planner_take(&planner, arena, system->block_count, system->node_count,
                                system->tie_count, system->row_count))
        return false;
    for (uint32_t b = 0; b < system->block_count; ++b) {
        rows[b] = system->blocks[b].rows;
        start[b] = system->blocks[b].tie;
    }
    start[system->block_count] = system->tie_count;
    for (uint32_t t = 0; t < system->tie_count; ++t)
        element[t] = system->ties[t].node;
    const lode__lcp_pattern pattern = {system->block_count, system->node_count, rows, start,
                                       element};
    if (!lode__lcp_plan_make(&system->sparse, &planner, &pattern, arena))
        return false;
    for (uint32_t p = 0; p < system->block_count; ++p)
        system->blocks[system->sparse.node[p]].row = system->sparse.row[p];
    system->plan = &system->sparse;
    return true;
}

static bool plan(lode__limb_system *system, lode__arena *arena)
{
    system->row_count = 0;
    for (uint32_t b = 0; b < system->block_count; ++b) {
        system->blocks[b].row = system->row_count;
        system->row_count += system->blocks[b].rows;
    }
    if (!system->skew && system->row_count > SMALL)
        return plan_sparse(system, arena);
    lode__lcp_single_make(&system->single, system->row_count);
    system->plan = &system->single.plan;
    return true;
}

static bool take_vectors(const lode__limb_system *system, lode__arena *arena)
{
    size_t states = 0, vectors = 0;
    for (uint32_t n = 0; n < system->node_count; ++n)
        states += 2 * (size_t)system->nodes[n].width;
    for (uint32_t b = 0; b < system->block_count; ++b)
        for (uint32_t t = system->blocks[b].tie; t < system->blocks[b].tie_end; ++t)
            vectors += 2 * (size_t)system->blocks[b].rows *
                       system->nodes[system->ties[t].node].width;
    double *at = LODE__TAKE_ZEROED(arena, double, states + vectors);
    for (uint32_t n = 0; n < system->node_count && at; ++n) {
        lode__limb_node *node = &system->nodes[n];
        node->state = at;
        node->change = at + node->width;
        at += 2 * (size_t)node->width;
    }
    for (uint32_t b = 0; b < system->block_count && at; ++b)
        for (uint32_t t = system->blocks[b].tie; t < system->blocks[b].tie_end; ++t) {
            size_t count = (size_t)system->blocks[b].rows *
                           system->nodes[system->ties[t].node].width;
            system->ties[t].feels = at;
            system->ties[t].gives = at + count;
            at += 2 * count;
        }
    return at;
}

bool lode__limb_system_take(lode__limb_system *system, const lode__solver_kernels *kernels,
                            bool cones, lode__arena *arena)
{
    uint32_t links = 0;
    if (!plan(system, arena) || !take_vectors(system, arena))
        return false;
    for (uint32_t n = 0; n < system->node_count; ++n)
        if (system->nodes[n].limb) {
            uint32_t count = system->nodes[n].limb->model->body.plan->link_count;
            links = count > links ? count : links;
        }
    system->asked = LODE__TAKE(arena, lode__limb_asked, system->row_count);
    system->x = LODE__TAKE_ZEROED(arena, double, system->row_count);
    system->best = LODE__TAKE(arena, double, system->row_count);
    system->moves = LODE__TAKE(arena, lode__mb_wide_motion, links);
    system->cones_taken = cones;
    if (!system->asked || !system->x || !system->best || !system->moves ||
        !lode__lcp_take(&system->lcp, arena, &system->plan->size) ||
        (cones && !lode__cones_take(&system->cones, arena, &system->plan->size)))
        return false;
    system->lcp.kernels = kernels;
    system->lcp.skew = system->skew;
    system->cones.given_back = SOFTNESS;
    system->cones.exact = SIGNS;
    system->cones.close = EXACT;
    system->lcp.sweeps_first = true;
    system->lcp.exact = EXACT;
    system->lcp.signs = SIGNS;
    return true;
}

/* ---- nodes */

static uint32_t dofs_of(const lode__limb_node *node)
{
    return node->limb->model->body.plan->dof_count;
}

static void read_body(const lode__limb_node *node, const lode__dense *lines)
{
    const lode__velocity *v = &lines->velocity[node->line];
    const double numbers[6] = {v->linear.x,  v->linear.y,  v->linear.z,
                               v->angular.x, v->angular.y, v->angular.z};
    memcpy(node->state, numbers, sizeof numbers);
}

void lode__limb_system_read(const lode__limb_system *system, const lode__dense *lines)
{
    for (uint32_t n = 0; n < system->node_count; ++n) {
        const lode__limb_node *node = &system->nodes[n];
        if (!node->limb) {
            read_body(node, lines);
            continue;
        }
        for (uint32_t k = 0; k < dofs_of(node); ++k)
            node->state[k] = (double)node->limb->speed[k];
        lode__mb_from_speeds(&node->limb->model->body, node->state, system->moves);
    }
}

static void change_body(const lode__limb_node *node, const lode__dense *lines)
{
    lode__velocity *v = &lines->velocity[node->line];
    lode_real *const numbers[6] = {&v->linear.x,  &v->linear.y,  &v->linear.z,
                                   &v->angular.x, &v->angular.y, &v->angular.z};
    for (int k = 0; k < 6; ++k)
        *numbers[k] = (lode_real)((double)*numbers[k] + node->change[k]);
}

static void change_limb(const lode__limb_system *system, const lode__limb_node *node)
{
    bool any = false;
    for (uint32_t k = 0; k < dofs_of(node); ++k)
        any = any || node->change[k] != 0;
    if (!any)
        return;
    lode__mb_to_speeds(&node->limb->model->body, node->change, system->moves);
    for (uint32_t k = 0; k < dofs_of(node); ++k)
        node->limb->speed[k] = (lode_real)((double)node->limb->speed[k] + node->change[k]);
    node->limb->pushed = true;
}

void lode__limb_system_write(const lode__limb_system *system, const lode__dense *lines)
{
    for (uint32_t n = 0; n < system->node_count; ++n)
        if (system->nodes[n].limb)
            change_limb(system, &system->nodes[n]);
        else
            change_body(&system->nodes[n], lines);
}

void lode__limb_system_push(const lode__limb_system *system, double times)
{
    for (uint32_t n = 0; n < system->node_count; ++n)
        memset(system->nodes[n].change, 0, system->nodes[n].width * sizeof(double));
    for (uint32_t b = 0; b < system->block_count; ++b) {
        const lode__limb_block *block = &system->blocks[b];
        for (uint32_t t = block->tie; t < block->tie_end; ++t) {
            const lode__limb_node *node = &system->nodes[system->ties[t].node];
            for (uint32_t i = 0; i < block->rows; ++i) {
                const double *gives = lode__limb_gives(system, &system->ties[t], i);
                double by = system->x[block->row + i] * times;
                for (uint32_t k = 0; k < node->width && by != 0; ++k)
                    node->change[k] += gives[k] * by;
            }
        }
    }
}

/* ---- rows */

double lode__limb_row_speed(const lode__limb_system *system, const lode__limb_block *block,
                            uint32_t i)
{
    double sum = 0;
    for (uint32_t t = block->tie; t < block->tie_end; ++t) {
        const lode__limb_node *node = &system->nodes[system->ties[t].node];
        sum += lode__lcp_dot(lode__limb_feels(system, &system->ties[t], i), node->state,
                             node->width);
    }
    return sum;
}

double lode__limb_row_answer(const lode__limb_system *system, const lode__limb_block *block,
                             uint32_t i)
{
    double sum = 0;
    for (uint32_t t = block->tie; t < block->tie_end; ++t)
        sum += lode__lcp_dot(lode__limb_feels(system, &system->ties[t], i),
                             lode__limb_gives(system, &system->ties[t], i),
                             system->nodes[system->ties[t].node].width);
    return sum;
}

/* ---- the matrix */

/* What the rows of p feel of those of q, to `out`, whose rows are `stride` apart. */
static void couple(const lode__limb_system *system, const lode__limb_block *p,
                   const lode__limb_block *q, double *out, size_t stride)
{
    for (uint32_t s = p->tie; s < p->tie_end; ++s)
        for (uint32_t t = q->tie; t < q->tie_end; ++t) {
            const lode__limb_tie *a = &system->ties[s], *b = &system->ties[t];
            if (a->node != b->node)
                continue;
            uint32_t width = system->nodes[a->node].width;
            for (uint32_t i = 0; i < p->rows; ++i)
                for (uint32_t j = 0; j < q->rows; ++j)
                    out[i * stride + j] += lode__lcp_dot(lode__limb_feels(system, a, i),
                                                         lode__limb_gives(system, b, j), width);
        }
}

/* What a row answers itself, at least 0: a tendon that feeds itself is taken as if it did not. */
static void add_gamma(const lode__limb_system *system, const lode__limb_block *p, double *out,
                      size_t stride)
{
    for (uint32_t i = 0; i < p->rows; ++i) {
        double *own = &out[i * stride + i];
        *own = (*own > 0 ? *own : 0) + system->asked[p->row + i].gamma;
    }
}

static void build_square(const lode__limb_system *system)
{
    size_t width = lode__lcp_padded(system->row_count);
    double *a = system->lcp.a;
    for (uint32_t b = 0; b < system->block_count; ++b) {
        const lode__limb_block *p = &system->blocks[b];
        double *out = a + p->row * width;
        for (uint32_t c = system->skew ? 0 : b; c < system->block_count; ++c)
            couple(system, p, &system->blocks[c], out + system->blocks[c].row, width);
        add_gamma(system, p, out + p->row, width);
    }
    for (uint32_t i = 0; i < system->row_count && !system->skew; ++i)
        for (uint32_t j = 0; j < i; ++j)
            a[i * width + j] = a[j * width + i];
}

static void build_panels(const lode__limb_system *system)
{
    const lode__lcp_plan *plan = system->plan;
    for (uint32_t t = 0; t < plan->size.nodes; ++t) {
        const lode__limb_block *p = &system->blocks[plan->node[t]];
        double *out = system->lcp.a + plan->panel[t];
        size_t width = lode__lcp_width(plan, t);
        for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c) {
            const lode__limb_block *q = &system->blocks[plan->node[plan->with[c]]];
            couple(system, p, q, out, width);
            out += q->rows;
        }
        add_gamma(system, p, system->lcp.a + plan->panel[t], width);
    }
}

static void build_matrix(const lode__limb_system *system)
{
    memset(system->lcp.a, 0, system->plan->size.panels * sizeof *system->lcp.a);
    if (system->plan == &system->single.plan)
        build_square(system);
    else
        build_panels(system);
}

/* ---- solving */

static double own_answer(const lode__limb_system *system, uint32_t i)
{
    double scale = system->lcp.scale[i];
    return scale > 0 ? 1 / (scale * scale) : 0;
}

/* Pairs on a cone are softened in axes of their own. */
static bool is_softened(const lode__limb_system *system, uint32_t i)
{
    const lode__limb_asked *asked = &system->asked[i];
    if (asked->cone || (i > 0 && asked[-1].cone))
        return false;
    return asked->master != LODE__LCP_NONE || asked->lo > -1e29 || asked->hi < 1e29;
}

/* Where a pair slides by the guess, its first axis points there. */
static void face(const lode__limb_system *system, uint32_t i)
{
    const lode__cones *cones = &system->cones;
    lode__cone *cone = cones->at[i] ? &cones->list[cones->at[i] - 1] : NULL;
    if (!cone)
        return;
    double u = system->x[i] / cone->mu[0], v = system->x[i + 1] / cone->mu[1];
    double length = sqrt(u * u + v * v);
    if (length > 0) {
        cone->way[0] = u / length;
        cone->way[1] = v / length;
    }
}

/* Poses the problem; `again`: with what softness took of the last x. */
static void pose(lode__limb_system *system, bool again)
{
    lode__lcp *lcp = &system->lcp;
    lode__lcp_pose(lcp, system->plan);
    for (uint32_t b = 0; b < system->block_count; ++b)
        for (uint32_t k = 0; k < system->blocks[b].rows; ++k) {
            uint32_t i = system->blocks[b].row + k;
            const lode__limb_asked *asked = &system->asked[i];
            double soft = again && is_softened(system, i) ? SOFTNESS * own_answer(system, i) : 0;
            lcp->b[i] = asked->c - lode__limb_row_speed(system, &system->blocks[b], k) +
                        soft * system->x[i];
            lcp->lo[i] = asked->lo;
            lcp->hi[i] = asked->hi;
            lcp->master[i] = asked->master;
            lcp->ratio[i] = asked->ratio;
            lcp->x[i] = system->x[i];
        }
    lode__cones_begin(&system->cones, system->row_count);
    for (uint32_t i = 0; i < system->row_count; ++i)
        if (system->cones_taken && system->asked[i].cone) {
            lode__cones_add(&system->cones, lcp, i);
            face(system, i);
        }
}

/* Keeps x if it is the best so far; else takes that again. */
static void keep_best(lode__limb_system *system, double *error)
{
    size_t bytes = system->row_count * sizeof *system->x;
    double now = lode__limb_system_error(system);
    if (now < *error) {
        *error = now;
        memcpy(system->best, system->x, bytes);
    } else
        memcpy(system->x, system->best, bytes);
}

/* Rounds of softness given back, from x, while they help. */
static bool solve_rounds(lode__limb_system *system, double *error)
{
    bool solved = false;
    double last = INFINITY;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        pose(system, round > 0);
        build_matrix(system);
        bool met = lode__cones_solve(&system->cones, &system->lcp);
        memcpy(system->x, system->lcp.x, system->row_count * sizeof *system->x);
        keep_best(system, error);
        solved = solved || met;
        double enough = (round == 0 ? ROUNDING : SIGNS) * system->lcp.best_size;
        if (*error <= enough || !(*error < last / 2))
            break;
        last = *error;
    }
    return solved;
}

bool lode__limb_system_solve(lode__limb_system *system)
{
    double error = INFINITY;
    bool solved = solve_rounds(system, &error);
    for (int i = 0; i < MOST_SWEPT && solved && error > CLOSE * system->lcp.best_size; ++i) {
        lode__limb_system_sweep(system, SWEEPS << i);
        keep_best(system, &error);
        solve_rounds(system, &error);
    }
    return solved;
}
