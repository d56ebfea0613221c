/* alone.c: see alone.h.
 *
 * *Joint by joint.* The velocities have the impulses of all rows in them, the part's own too. What
 * its rows are to solve for, x in place of their last impulses x', is
 *
 *     (A + gamma) x + J v - A x' = c,   A = J M^-1 J^T of this part alone,
 *
 * within its limits, friction's at the normal impulses of the same solution (solver/lcp.h). Parts
 * of one colour share no body, so colours are swept as the kernels sweep them; lanes of parts
 * without a colour see each other one after another.
 *
 * *Residual.* A row is right when no step along its error, cut off at its limits, would move its
 * impulse. By how much that step would, times what the row weighs, is a velocity. */
#include "solver/alone.h"

#include "core/double3.h"
#include "solver/cones.h"
#include "solver/linkage.h"
#include "solver/rows.h"
#include "solver/softness.h"

#include <math.h>

enum { MOST_ROWS = 6 * LODE__MANIFOLD_POINTS };

/* One share's, or one group's. */
struct lode__alone {
    _Alignas(64) lode__rows rows; /* threads write to their own line of the cache */
    lode__lcp lcp;
    lode__cones cones;
    lode__lcp_single single;
    double residual;
};

bool lode__alone_is_wanted(const lode_world_def *settings)
{
    return settings->solver == LODE_SOLVER_PER_JOINT || settings->measure_residual;
}

/* Linkages have one row, and as many ends as the largest class. */
static uint32_t most_jacobians(const lode__solve_state *state)
{
    uint32_t most = 2 * MOST_ROWS;
    for (uint32_t i = 0; i < state->bucket_count; ++i)
        if (bucket_is_linkage(state->buckets[i])) {
            uint32_t ends = 1u << (state->buckets[i] - LODE__BUCKET_LINKAGE);
            most = ends > most ? ends : most;
        }
    return most;
}

static bool take(lode__alone *alone, const lode__solver *solver, uint32_t jacobians,
                 lode__arena *arena)
{
    lode__lcp_single_make(&alone->single, MOST_ROWS);
    alone->rows.jacobians = LODE__TAKE(arena, lode__jacobian, jacobians);
    alone->rows.values = LODE__TAKE(arena, lode__row_values, MOST_ROWS);
    if (!alone->rows.jacobians || !alone->rows.values ||
        !lode__lcp_take(&alone->lcp, arena, &alone->single.plan.size) ||
        !lode__cones_take(&alone->cones, arena, &alone->single.plan.size))
        return false;
    alone->lcp.kernels = solver->kernels;
    return true;
}

bool lode__alone_take(const lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    uint32_t jacobians = most_jacobians(state);
    for (uint32_t g = 0; g < state->group_count; ++g) {
        lode__group *group = &state->groups[g];
        group->alone_count = group->shares ? state->shares : 1;
        group->alone = LODE__TAKE_ZEROED(step->arena, lode__alone, group->alone_count);
        for (uint32_t s = 0; s < group->alone_count; ++s)
            if (!group->alone || !take(&group->alone[s], solver, jacobians, step->arena))
                return false;
    }
    return true;
}

/* --- joint by joint */

/* J_i M^-1 J_j^T. */
static double coupling(const lode__rows *rows, const lode__dense *lines, const lode__part *p, int i,
                       int j)
{
    double sum = 0;
    for (int end = 0; end < p->ends; ++end) {
        const lode__jacobian *a = lode__jacobian_at(rows, p, i, end);
        const lode__jacobian *b = lode__jacobian_at(rows, p, j, end);
        double inv_mass = lines->inv_mass[lode__part_pushes(p, end)].inv_mass;
        sum += lode__dot3(a->lin, b->lin) * inv_mass + lode__dot3(a->ang, b->resp);
    }
    return sum;
}

/* The problem of one part, of which so much of what corrects errors is asked for; what its own
 * impulses do to it is taken out of b. */
static void pose(lode__alone *alone, const lode__dense *lines, const lode__part *p, double share)
{
    lode__lcp *lcp = &alone->lcp;
    lode__lcp_single_make(&alone->single, p->rows);
    lode__lcp_pose(lcp, &alone->single.plan);
    int width = (int)lode__lcp_padded(p->rows);
    for (int i = 0; i < p->rows; ++i)
        lcp->b[i] = share * alone->rows.values[i].c - lode__row_velocity(&alone->rows, lines, p, i);
    for (int i = 0; i < p->rows; ++i) {
        const lode__row_values *v = &alone->rows.values[i];
        for (int j = 0; j <= i; ++j) {
            double k = coupling(&alone->rows, lines, p, i, j);
            lcp->b[i] += k * alone->rows.values[j].lambda;
            if (j < i)
                lcp->b[j] += k * v->lambda;
            lcp->a[i * width + j] = lcp->a[j * width + i] = k + (i == j ? v->gamma : 0);
        }
        for (int j = p->rows; j < width; ++j)
            lcp->a[i * width + j] = 0;
        lcp->lo[i] = v->lo;
        lcp->hi[i] = v->hi;
        lcp->master[i] = v->master;
        lcp->ratio[i] = v->ratio;
        lcp->x[i] = v->lambda;
    }
    lode__cones_begin(&alone->cones, p->rows);
    for (uint32_t i = 0; i < p->rows; ++i)
        if (alone->rows.values[i].cone)
            lode__cones_add(&alone->cones, lcp, i);
}

static void add(lode_vec3 *v, const double *by)
{
    v->x = (lode_real)((double)v->x + by[0]);
    v->y = (lode_real)((double)v->y + by[1]);
    v->z = (lode_real)((double)v->z + by[2]);
}

/* Adds what the change of the part's impulses does. */
static void push(const lode__alone *alone, const lode__dense *lines, const lode__part *p)
{
    for (int end = 0; end < p->ends; ++end) {
        uint32_t line = lode__part_pushes(p, end);
        double inv_mass = lines->inv_mass[line].inv_mass, linear[3] = {0}, angular[3] = {0};
        for (int i = 0; i < p->rows && line > 0; ++i) {
            const lode__jacobian *j = lode__jacobian_at(&alone->rows, p, i, end);
            double d = alone->lcp.x[i] - alone->rows.values[i].lambda;
            for (int k = 0; k < 3; ++k) {
                linear[k] += j->lin[k] * d * inv_mass;
                angular[k] += j->resp[k] * d;
            }
        }
        if (line > 0) {
            add(&lines->velocity[line].linear, linear);
            add(&lines->velocity[line].angular, angular);
        }
    }
}

/* By how much the solution changes the velocity of a body. */
static double change_by(const lode__alone *alone, const lode__dense *lines, const lode__part *p)
{
    double most = 0;
    for (int end = 0; end < p->ends; ++end) {
        double inv_mass = lines->inv_mass[lode__part_pushes(p, end)].inv_mass, linear[3] = {0};
        for (int i = 0; i < p->rows; ++i) {
            const lode__jacobian *j = lode__jacobian_at(&alone->rows, p, i, end);
            double d = alone->lcp.x[i] - alone->rows.values[i].lambda;
            for (int k = 0; k < 3; ++k)
                linear[k] += j->lin[k] * d * inv_mass;
        }
        most = d_max(most, sqrt(lode__dot3(linear, linear)));
    }
    return most;
}

/* The largest speed with which a row pushes, or that it has. */
static double asked_of(const lode__alone *alone, const lode__dense *lines, const lode__part *p)
{
    double most = 0;
    for (int i = 0; i < p->rows; ++i)
        most = d_max(most, d_max(alone->rows.values[i].c,
                                 fabs(lode__row_velocity(&alone->rows, lines, p, i))));
    return most;
}

enum { THROWN = 5 };

/* Of what contradicts itself, the best; but points of a contact whose friction has no bound may
 * agree on no velocity but one of many times what they ask for, and are then solved without what
 * corrects their errors. */
static void solve_part(lode__alone *alone, const lode__dense *lines, const lode__part *p)
{
    pose(alone, lines, p, 1);
    lode__cones_solve(&alone->cones, &alone->lcp);
    if (p->points > 1 && change_by(alone, lines, p) > THROWN * asked_of(alone, lines, p)) {
        pose(alone, lines, p, 0);
        lode__cones_solve(&alone->cones, &alone->lcp);
    }
}

void lode__alone_solve(const lode__solver *solver, const lode__group *group,
                       const lode__solve_chunk *chunk, const lode__softness *softness)
{
    const lode__dense *lines = &solver->state->lines;
    lode__alone *alone = &group->alone[chunk->share];
    if (bucket_is_linkage(chunk->bucket)) { /* of one row: a kernel solves it to the end */
        chunk->kernels->solve[lode__friction_of(softness)](
            chunk->blocks, chunk->count, chunk->stride, &solver->state->lines, softness);
        return;
    }
    alone->rows.cone = softness->cone;
    for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
        if (chunk->lanes[k] == LODE__NONE)
            continue;
        lode__part p = lode__part_of(chunk, k);
        lode__rows_read(&alone->rows, lines, &p);
        solve_part(alone, lines, &p);
        lode__rows_write(&p, alone->lcp.x);
        push(alone, lines, &p);
    }
}

/* --- residual */

/* What a row weighs, and the velocity that it misses if its impulse is within its limits. */
typedef struct row_error {
    double k, w;
} row_error;

static row_error error_of(const lode__alone *alone, const lode__dense *lines, const lode__part *p,
                          int i)
{
    const lode__row_values *v = &alone->rows.values[i];
    double k = coupling(&alone->rows, lines, p, i, i) + v->gamma;
    double w = lode__row_velocity(&alone->rows, lines, p, i) + v->gamma * v->lambda - v->c;
    return (row_error){k, w};
}

static double clamp(double x, double lo, double hi)
{
    x = x > lo ? x : lo;
    return x < hi ? x : hi;
}

/* The sum of the normal impulses of a contact. */
static double load_of(const lode__alone *alone, const lode__part *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->rows; ++i)
        sum += alone->rows.values[i].kind == LODE__ROW_NORMAL ? alone->rows.values[i].lambda : 0;
    return sum;
}

/* What bounds a row of friction, times its ratio. A moment that all points share may be as large as
 * all their loads allow; each point has its part of both. */
static double load_on(const lode__alone *alone, const lode__part *p, const lode__row_values *v)
{
    return v->kind == LODE__ROW_ROLLING ? load_of(alone, p) / p->points
                                        : alone->rows.values[v->master].lambda;
}

static double missed_by(const lode__alone *alone, const lode__part *p, int i, row_error e)
{
    const lode__row_values *v = &alone->rows.values[i];
    double lo = v->lo, hi = v->hi;
    if (v->master != LODE__ROW_NONE) {
        hi = v->ratio * load_on(alone, p, v);
        lo = -hi;
    }
    return fabs(clamp(v->lambda - e.w / e.k, lo, hi) - v->lambda) * e.k;
}

/* Of two rows on a cone, the same in the axes in which it is a circle. */
static double cone_missed_by(const lode__alone *alone, const lode__part *p, int i,
                             const row_error *e)
{
    const lode__row_values *v = &alone->rows.values[i];
    double weight[2], to[2], most = 0, load = load_on(alone, p, v);
    load = load > 0 ? load : 0;
    for (int k = 0; k < 2; ++k)
        weight[k] = v[k].ratio * v[k].ratio * e[k].k;
    double r = weight[0] > weight[1] ? weight[0] : weight[1];
    if (!(r > 0))
        return 0;
    for (int k = 0; k < 2; ++k)
        to[k] = v[k].lambda / v[k].ratio - v[k].ratio * e[k].w / r;
    double length = sqrt(to[0] * to[0] + to[1] * to[1]), share = length > load ? load / length : 1;
    for (int k = 0; k < 2; ++k) {
        double by = fabs(to[k] * share * v[k].ratio - v[k].lambda) * e[k].k;
        most = by > most ? by : most;
    }
    return most;
}

/* Has a contact friction that is not that of its points, one by one? */
static bool is_whole(const lode__part *p, const lode__softness *softness)
{
    return softness->friction_per_manifold && p->points > 1 && !bucket_is_special(p->bucket);
}

static double part_missed_by(const lode__alone *alone, const lode__dense *lines,
                             const lode__part *p, bool whole)
{
    double most = 0;
    for (int i = 0; i < p->rows; ++i) {
        row_error e[2] = {error_of(alone, lines, p, i)};
        double missed = 0;
        if (alone->rows.values[i].cone) {
            e[1] = error_of(alone, lines, p, i + 1);
            missed = cone_missed_by(alone, p, i, e);
            ++i;
        } else if (!(whole && alone->rows.values[i].kind == LODE__ROW_FRICTION) && e[0].k > 0)
            missed = missed_by(alone, p, i, e[0]);
        most = missed > most ? missed : most;
    }
    return most;
}

void lode__alone_measure(const lode__group *group, const lode__dense *lines,
                         const lode__solve_chunk *chunk, const lode__softness *softness)
{
    lode__alone *alone = &group->alone[chunk->share];
    alone->rows.cone = softness->cone;
    for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
        if (chunk->lanes[k] == LODE__NONE)
            continue;
        lode__part p = lode__part_of(chunk, k);
        lode__rows_read(&alone->rows, lines, &p);
        double missed = part_missed_by(alone, lines, &p, is_whole(&p, softness));
        alone->residual = missed > alone->residual ? missed : alone->residual;
    }
}

double lode__alone_residual(const lode__solve_state *state)
{
    double most = 0;
    for (uint32_t g = 0; g < state->group_count; ++g) {
        const lode__group *group = &state->groups[g];
        for (uint32_t s = 0; s < group->alone_count; ++s)
            most = group->alone[s].residual > most ? group->alone[s].residual : most;
    }
    return most;
}
