/* limb_sweep.c: solves the rows of limbs (limb_rows.c): each by itself (projected Gauss-Seidel),
 * after those of the joints (limb_joints.c), and bounces, once a step. */
#include "solver/articulation/limbs.h"

#include "core/math.h"
#include "solver/rows.h"
#include "solver/softness.h"

/* Of the approach: what is left of a bounce that is none any more. */
#define BOUNCE_ROUNDING (64 * REAL_EPSILON)

lode_real lode__limb_dot(const lode_real *a, const lode_real *b, uint32_t n)
{
    lode_real sum[LODE_LANES] = {0};
    uint32_t k = 0;
    for (; k + LODE_LANES <= n; k += LODE_LANES)
        for (uint32_t i = 0; i < LODE_LANES; ++i)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; ++k)
        sum[k % LODE_LANES] += a[k] * b[k];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static lode_real dot3(const lode_real a[3], lode_vec3 v)
{
    return a[0] * v.x + a[1] * v.y + a[2] * v.z;
}

static lode_real row_speed(const lode__dense *lines, const lode__limb_row *row)
{
    lode_real sum = 0;
    for (uint32_t e = 0; e < row->ends; ++e) {
        const lode__limb_end *end = lode__limb_end_of(row, e);
        if (end->limb) {
            sum += lode__limb_dot(end->jacobian, end->limb->speed,
                                  end->limb->model->body.plan->dof_count);
        } else if (end->line != 0) {
            const lode__velocity *v = &lines->velocity[end->line];
            sum += dot3(end->lin, v->linear) + dot3(end->ang, v->angular);
        }
    }
    return sum;
}

void lode__limb_row_push(const lode__dense *lines, const lode__limb_row *row, lode_real by)
{
    for (uint32_t e = 0; e < row->ends; ++e) {
        const lode__limb_end *end = lode__limb_end_of(row, e);
        if (end->limb) {
            lode__limb_add(end->limb->speed, end->response, by,
                           end->limb->model->body.plan->dof_count);
            end->limb->pushed = true;
        } else if (end->line > 0) {
            lode__velocity *v = &lines->velocity[end->line];
            v->linear = v3_madd(v->linear, v3(end->v[0], end->v[1], end->v[2]), by);
            v->angular = v3_madd(v->angular, v3(end->w[0], end->w[1], end->w[2]), by);
        }
    }
}

/* ---- sweeping */

static lode_real clamped(const lode__limb_work *limbs, const lode__limb_row *row, lode_real lambda)
{
    lode_real lo = row->lo, hi = row->hi;
    if (row->master != LODE__NONE) {
        hi = row->ratio * r_max(limbs->rows[row->master].lambda, 0);
        lo = -hi;
    }
    return r_min(r_max(lambda, lo), hi);
}

static lode_real wanted(const lode__dense *lines, const lode__limb_row *row)
{
    lode_real weight = row->k + row->cfm + row->gamma;
    lode_real lack = row->c - row_speed(lines, row) - row->gamma * row->lambda;
    return weight > 0 ? row->lambda + lack / weight : row->lambda;
}

static void set_row(const lode__dense *lines, lode__limb_row *row, lode_real to)
{
    lode_real by = to - row->lambda;
    if (by == 0)
        return;
    lode__limb_row_push(lines, row, by);
    row->lambda = to;
}

/* Both rows of friction, kept on the ellipse. */
static void sweep_cone(const lode__dense *lines, lode__limb_work *limbs, lode__limb_row *row)
{
    lode_real load = r_max(limbs->rows[row->master].lambda, 0);
    lode_real x = wanted(lines, row);
    set_row(lines, row, x);
    lode_real y = wanted(lines, row + 1);
    lode_real a = row->ratio * load, b = row[1].ratio * load;
    lode_real size = a > 0 && b > 0 ? r_sqrt((x / a) * (x / a) + (y / b) * (y / b)) : REAL_MAX;
    lode_real by = size > 1 ? 1 / size : 1;
    set_row(lines, row, x * by);
    set_row(lines, row + 1, y * by);
}

static void sweep_row(const lode__dense *lines, lode__limb_work *limbs, lode__limb_row *row)
{
    if (!row->idle)
        set_row(lines, row, clamped(limbs, row, wanted(lines, row)));
}

/* Rows of linkages from `begin` on, to and fro as the kernels sweep those of bodies
 * (solver/linkage_kind.inl): in one direction many wheels on one shaft fly apart. Returns where
 * they end. */
static uint32_t sweep_linkages(const lode__dense *lines, lode__limb_work *limbs, uint32_t begin)
{
    enum { ROUNDS = 4 };
    uint32_t end = begin;
    while (end < limbs->row_count && limbs->rows[end].linkage)
        ++end;
    for (int round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = begin; i < end; ++i)
            sweep_row(lines, limbs, &limbs->rows[i]);
        for (uint32_t i = end; i-- > begin;)
            sweep_row(lines, limbs, &limbs->rows[i]);
    }
    return end;
}

/* Row `i` and what is solved with it; returns the next one. */
static uint32_t sweep_at(const lode__dense *lines, lode__limb_work *limbs, uint32_t i)
{
    lode__limb_row *row = &limbs->rows[i];
    if (row->linkage)
        return sweep_linkages(lines, limbs, i);
    if (row->cone && !row->idle && i + 1 < limbs->row_count) {
        sweep_cone(lines, limbs, row);
        return i + 2;
    }
    sweep_row(lines, limbs, row);
    return i + 1;
}

static void sweep_contacts(const lode__dense *lines, lode__limb_work *limbs)
{
    for (uint32_t i = 0; i < limbs->row_count;)
        i = limbs->rows[i].contact ? sweep_at(lines, limbs, i) : i + 1;
}

static void sweep_others_back(const lode__dense *lines, lode__limb_work *limbs)
{
    for (uint32_t i = limbs->row_count; i-- > 0;) {
        while (limbs->rows[i].linkage && i > 0 && limbs->rows[i - 1].linkage)
            --i;
        if (!limbs->rows[i].contact)
            sweep_at(lines, limbs, i);
    }
}

static void sweep_limbs(const lode__solve_work *work, const lode__limb_work *limbs)
{
    for (uint32_t i = 0; i < limbs->limb_count; ++i) {
        const lode__mb_plan *plan = limbs->limbs[i]->model->body.plan;
        limbs->limbs[i]->residual = (lode__limb_residual){.rows = plan->dof_count -
                                                                  plan->root_dofs};
        if (limbs->limbs[i]->model->driven && lode__limb_let_go(limbs->limbs[i]))
            lode__limb_rows_respond(limbs, limbs->limbs[i]);
        lode__pulls_solve(limbs->limbs[i], work->h);
        lode__limb_sweep_joints(limbs->limbs[i]);
    }
}

void lode__limbs_sweep(const lode__solve_work *work, const lode__group *group, bool back)
{
    const lode__dense *lines = &work->solver->state->lines;
    lode__limb_work *limbs = group->limbs;
    if (back) {
        sweep_contacts(lines, limbs);
        sweep_others_back(lines, limbs);
        sweep_limbs(work, limbs);
        return;
    }
    sweep_limbs(work, limbs);
    for (uint32_t i = 0; i < limbs->row_count;)
        i = sweep_at(lines, limbs, i);
}

/* ---- how often */

static const lode__articulation_head *head_of(const lode__solve_work *work, const lode__limb *limb)
{
    return LODE__AT(articulation, work->solver->limbs.articulations, head, limb->slot);
}

int lode__limb_iterations(const lode__solve_work *work, const lode__limb *limb)
{
    int all = work->step->settings->iterations;
    int asked = (int)head_of(work, limb)->position_iterations;
    return asked > all ? asked : all;
}

int lode__limb_relaxations(const lode__solve_work *work, const lode__limb *limb)
{
    const lode_world_def *settings = work->step->settings;
    int all = is_second_order(settings) ? settings->iterations : 1;
    int asked = (int)head_of(work, limb)->velocity_iterations;
    return asked > all ? asked : all;
}

/* The most that any of a group asks for. */
static int most(const lode__solve_work *work, const lode__group *group,
                int (*of)(const lode__solve_work *work, const lode__limb *limb))
{
    int most = 0;
    for (uint32_t i = 0; i < group->limbs->limb_count; ++i) {
        int asked = of(work, group->limbs->limbs[i]);
        most = asked > most ? asked : most;
    }
    return most;
}

int lode__limbs_iterations(const lode__solve_work *work, const lode__group *group)
{
    return most(work, group, lode__limb_iterations);
}

int lode__limbs_relaxations(const lode__solve_work *work, const lode__group *group)
{
    return most(work, group, lode__limb_relaxations);
}

/* ---- restitution */

/* Makes a point leave as fast as it should: Newton's law of impact, J v' >= -e J v, p >= 0. */
static bool bounce_row(const lode__dense *lines, const lode__part *part, lode__limb_row *row,
                       lode_real slowest, lode_real motion)
{
    lode__contact_block *block = part->block;
    lode__contact_row *point = &block->rows[row->point];
    int lane = part->lane;
    lode_real e = block->restitution.x[lane], told = point->told[0].x[lane];
    lode_real approach = point->approach.x[lane] - motion, all = told + row->lambda;
    if (!(r_abs(approach) > slowest && all > 0 && row->k > 0))
        return false;
    lode_real lack = motion - e * approach - row_speed(lines, row);
    lode_real now = r_max(all + lack / row->k, 0);
    if (!(r_abs(now - all) * row->k > r_abs(approach) * BOUNCE_ROUNDING))
        return false;
    lode__limb_row_push(lines, row, now - all);
    lode__limb_row_count(row, now - all);
    point->told[0].x[lane] = r_min(told, now);
    row->lambda = point->lambda.x[lane] = now - point->told[0].x[lane];
    return true;
}

static bool bounce_part(const lode__dense *lines, const lode__part *part, lode__limb_row *rows,
                        lode_real slowest)
{
    const lode__contact_block *block = part->block;
    int lane = part->lane;
    lode_real motion = 0;
    bool bounced = false;
    if (part->points == 0 || !(block->restitution.x[lane] > 0))
        return false;
    if (bucket_is_special(part->bucket)) {
        const lode__special_lanes *x = lode__special_lanes_of(part->block, part->points);
        motion = x->motion.x.x[lane];
        slowest = x->bounce_speed.x[lane];
    }
    for (int i = 0; i < part->rows; ++i)
        if (rows[i].point != LODE__NO_POINT)
            bounced = bounce_row(lines, part, &rows[i], slowest, motion) || bounced;
    return bounced;
}

bool lode__limbs_bounce(const lode__solver *solver, const lode__softness *softness,
                        const lode__group *group)
{
    const lode__dense *lines = &solver->state->lines;
    const lode__limb_work *limbs = group->limbs;
    bool bounced = false;
    for (uint32_t i = 0; i < limbs->part_count; ++i) {
        const lode__limb_part *at = &limbs->parts[i];
        lode__part part = lode__part_of(&solver->state->chunks[at->chunk], at->lane);
        bounced = bounce_part(lines, &part, &limbs->rows[at->row], softness->bounce_speed) ||
                  bounced;
    }
    if (bounced)
        lode__limbs_tell(solver, group);
    return bounced;
}
