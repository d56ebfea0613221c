/* limb_rows.c: the rows of limbs, of what touches them and is joined to them, read from blocks.
 * Each is swept by itself (projected Gauss-Seidel) with its response in joint coordinates, after
 * those of the joints (limb_joints.c). */
#include "solver/articulation/limbs.h"

#include "core/math.h"
#include "solver/rows.h"
#include "solver/softness.h"

#include <string.h>

enum { NO_POINT = UINT8_MAX };

/* Of the approach: what is left of a bounce that is none any more. */
#define BOUNCE_ROUNDING (64 * REAL_EPSILON)

/* ---- what moves */

static lode_real dot(const lode_real *a, const lode_real *b, uint32_t n)
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
            sum += dot(end->jacobian, end->limb->speed, end->limb->model->body.plan->dof_count);
        } else if (end->line != 0) {
            const lode__velocity *v = &lines->velocity[end->line];
            sum += dot3(end->lin, v->linear) + dot3(end->ang, v->angular);
        }
    }
    return sum;
}

static void push_row(const lode__dense *lines, const lode__limb_row *row, lode_real by)
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

/* ---- reading */

typedef struct reading {
    const lode__solve_work *work;
    const lode__softness *softness;
    lode__limb_work *limbs;
    lode__rows rows;
    lode__limb_end *ends; /* the next free */
    lode_real *numbers;
    bool warm; /* to be started so */
} reading;

static lode_vec3 vector_of(const double x[3])
{
    return (lode_vec3){(lode_real)x[0], (lode_real)x[1], (lode_real)x[2]};
}

static lode__limb_end *end_at(lode__limb_row *row, uint32_t e)
{
    return e < 2 ? &row->end[e] : &row->more[e - 2];
}

/* The end before e that has the Jacobian of this limb, or e itself. */
static lode__limb_end *first_of_limb(lode__limb_row *row, uint32_t e, const lode__limb *limb)
{
    uint32_t first = 0;
    while (first < e && end_at(row, first)->limb != limb)
        ++first;
    return end_at(row, first);
}

/* A side of the row that is a link; further ones of the same limb are added to the first. */
static void read_link(reading *r, lode__limb_row *row, uint32_t e, lode__limb_link at,
                      const lode__jacobian *j)
{
    lode__limb *limb = &r->work->solver->state->limbs[at.limb - 1];
    uint32_t n = limb->model->body.plan->dof_count, wide = (n + 7) & ~7u;
    lode__limb_end *end = end_at(row, e), *first = first_of_limb(row, e, limb);
    end->owner = limb;
    end->link = at.link;
    for (int i = 0; i < 3; ++i) {
        end->lin[i] = (lode_real)j->lin[i];
        end->ang[i] = (lode_real)j->ang[i];
    }
    if (first == end) {
        end->limb = limb;
        end->jacobian = r->numbers;
        end->response = r->numbers + wide;
        r->numbers += 2 * (size_t)wide;
        memset(end->jacobian, 0, n * sizeof *end->jacobian);
    }
    lode__mb_add_jacobian(&limb->model->body, at.link, vector_of(j->lin), vector_of(j->ang),
                          first->jacobian);
    lode_real scale =
        LODE__AT(link, r->work->solver->limbs.links, joint, limb->model->link[at.link])->cfm_scale;
    row->cfm += scale / limb->model->body.links[at.link].mass[0];
}

static void read_body(const lode__dense *lines, lode__limb_row *row, uint32_t e, int32_t line,
                      const lode__jacobian *j)
{
    lode__limb_end *end = end_at(row, e);
    lode_real inv_mass = line > 0 ? lines->inv_mass[line].inv_mass : 0;
    end->line = line;
    for (int i = 0; i < 3; ++i) {
        end->lin[i] = (lode_real)j->lin[i];
        end->ang[i] = (lode_real)j->ang[i];
        end->v[i] = end->lin[i] * inv_mass;
        end->w[i] = line > 0 ? (lode_real)j->resp[i] : 0;
        row->k += end->lin[i] * end->v[i] + end->ang[i] * end->w[i];
    }
}

/* What the row's bodies would answer as bodies of their own, by which the soft step's springs have
 * been measured. */
static lode_real free_response(const reading *r, const lode__part *part, int i)
{
    const lode__dense *lines = &r->work->solver->state->lines;
    double sum = 0;
    for (int e = 0; e < part->ends; ++e) {
        const lode__jacobian *j = lode__jacobian_at(&r->rows, part, i, e);
        double inv_mass = lines->inv_mass[lode__part_pushes(part, e)].inv_mass;
        for (int k = 0; k < 3; ++k)
            sum += j->lin[k] * j->lin[k] * inv_mass + j->ang[k] * j->resp[k];
    }
    return (lode_real)sum;
}

static bool has_own_softness(const lode__part *part, int i)
{
    if (part->points > 0)
        return bucket_is_special(part->bucket);
    if (bucket_is_linkage(part->bucket))
        return ((const lode__linkage_block *)part->block)->row.cfm.x[part->lane] > 0;
    return ((const lode__row_block *)part->block)->rows[i].cfm.x[part->lane] > 0;
}

/* The share of an impulse that a row starts with. */
static lode_real kept_share(const reading *r, const lode__part *part)
{
    const lode__softness *s = r->softness;
    if (part->points > 0 || !r->warm)
        return 1;
    const lode__lane *most = bucket_is_linkage(part->bucket)
                                 ? &((const lode__linkage_block *)part->block)->most_erp
                                 : &((const lode__row_block *)part->block)->most_erp;
    return r_max(1 - s->forget * r_max(most->x[part->lane], s->joint_rate / s->inv_h), 0);
}

/* Rows lie point by point, the normal first. */
static uint8_t point_of(const lode__part *part, uint8_t kind, int i)
{
    return kind == LODE__ROW_NORMAL ? (uint8_t)(i * part->points / part->rows) : NO_POINT;
}

/* The ends of row i of a part, and what they respond. */
static void read_ends(reading *r, const lode__part *part, int i, lode__limb_row *row)
{
    const lode__solve_state *state = r->work->solver->state;
    memset(row->more, 0, (row->ends > 2 ? row->ends - 2 : 0) * sizeof *row->more);
    for (uint32_t e = 0; e < row->ends; ++e) {
        int32_t line = lode__part_line(part, (int)e);
        const lode__jacobian *j = lode__jacobian_at(&r->rows, part, i, (int)e);
        lode__limb_link at = line > 0 ? state->limb_of_line[line] : (lode__limb_link){0};
        if (at.limb > 0)
            read_link(r, row, e, at, j);
        else
            read_body(&state->lines, row, e, line, j);
    }
    for (uint32_t e = 0; e < row->ends; ++e) {
        const lode__limb_end *end = end_at(row, e);
        if (!end->limb)
            continue;
        lode__mb_solve(&end->limb->model->body, end->jacobian, end->response);
        row->k += dot(end->jacobian, end->response, end->limb->model->body.plan->dof_count);
    }
}

static void read_row(reading *r, const lode__part *part, int i, uint32_t first)
{
    const lode__row_values *v = &r->rows.values[i];
    lode__limb_row *row = &r->limbs->rows[first + (uint32_t)i];
    *row = (lode__limb_row){.linkage = bucket_is_linkage(part->bucket),
                            .contact = part->points > 0,
                            .ends = part->ends,
                            .more = r->ends,
                            .c = (lode_real)v->c,
                            .lo = (lode_real)v->lo,
                            .hi = (lode_real)v->hi,
                            .ratio = (lode_real)v->ratio,
                            .lambda = (lode_real)v->lambda * kept_share(r, part),
                            .master = v->master == LODE__ROW_NONE ? LODE__NONE : first + v->master,
                            .point = point_of(part, v->kind, i),
                            .idle = v->idle,
                            .cone = v->cone};
    r->ends += part->ends > 2 ? part->ends - 2 : 0;
    read_ends(r, part, i, row);
    lode_real alone = free_response(r, part, i), springy = (lode_real)v->gamma;
    if (r->softness->impulse_scale > 0 && !has_own_softness(part, i) && alone > 0)
        springy *= row->k / alone;
    row->gamma = springy;
}

static uint32_t read_part(reading *r, lode__limb_part *part, uint32_t first)
{
    const lode__solve_chunk *chunk = &r->work->solver->state->chunks[part->chunk];
    lode__part p = lode__part_of(chunk, part->lane);
    lode__rows_read(&r->rows, &r->work->solver->state->lines, &p);
    part->row = first;
    part->row_count = p.rows;
    for (int i = 0; i < p.rows; ++i)
        read_row(r, &p, i, first);
    return first + p.rows;
}

static void warm_start(const lode__solve_work *work, const lode__group *group)
{
    const lode__dense *lines = &work->solver->state->lines;
    lode__limb_work *limbs = group->limbs;
    for (uint32_t i = 0; i < limbs->row_count; ++i)
        if (limbs->rows[i].lambda != 0)
            push_row(lines, &limbs->rows[i], limbs->rows[i].lambda);
}

void lode__limbs_read(const lode__solve_work *work, const lode__group *group,
                      const lode__softness *softness, bool warm)
{
    lode__limb_work *limbs = group->limbs;
    reading r = {.work = work,
                 .softness = softness,
                 .limbs = limbs,
                 .ends = limbs->ends,
                 .numbers = limbs->numbers,
                 .warm = warm};
    r.rows = (lode__rows){
        .jacobians = limbs->jacobians, .values = limbs->values, .cone = softness->cone};
    uint32_t rows = 0;
    for (uint32_t i = 0; i < limbs->part_count; ++i)
        rows = read_part(&r, &limbs->parts[i], rows);
    limbs->row_count = rows;
    for (uint32_t i = 0; i < limbs->limb_count && warm; ++i)
        lode__pulls_begin(limbs->limbs[i]);
    if (warm)
        warm_start(work, group);
}

void lode__limbs_write(const lode__solve_work *work, const lode__group *group)
{
    lode__limb_work *limbs = group->limbs;
    for (uint32_t i = 0; i < limbs->part_count; ++i) {
        const lode__limb_part *part = &limbs->parts[i];
        lode__part p = lode__part_of(&work->solver->state->chunks[part->chunk], part->lane);
        for (uint32_t k = 0; k < part->row_count; ++k)
            limbs->impulses[k] = (double)limbs->rows[part->row + k].lambda;
        lode__rows_write(&p, limbs->impulses);
    }
}

/* An impulse of the row is one from outside, of which joints bear their share. */
static void count_row(const lode__limb_row *row, lode_real impulse)
{
    for (uint32_t e = 0; e < row->ends; ++e) {
        const lode__limb_end *end = lode__limb_end_of(row, e);
        if (!end->owner)
            continue;
        lode__mb_wrench *sum = &end->owner->outside[end->link];
        sum->f = v3_madd(sum->f, v3(end->lin[0], end->lin[1], end->lin[2]), impulse);
        sum->n = v3_madd(sum->n, v3(end->ang[0], end->ang[1], end->ang[2]), impulse);
    }
}

void lode__limbs_count(const lode__group *group)
{
    const lode__limb_work *limbs = group->limbs;
    for (uint32_t i = 0; i < limbs->limb_count; ++i)
        lode__pulls_count(limbs->limbs[i]);
    for (uint32_t i = 0; i < limbs->row_count; ++i)
        count_row(&limbs->rows[i], limbs->rows[i].lambda);
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
    push_row(lines, row, by);
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
 * (solver/linkage_kind.inl): in one direction many wheels on one shaft fly apart. Returns where they
 * end. */
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

/* ---- the pass after the move */

void lode__limbs_refresh(const lode__solve_work *work, const lode__group *group,
                         const lode__softness *softness)
{
    lode__limb_work *limbs = group->limbs;
    reading r = {.work = work, .softness = softness, .limbs = limbs};
    r.rows = (lode__rows){
        .jacobians = limbs->jacobians, .values = limbs->values, .cone = softness->cone};
    for (uint32_t i = 0; i < limbs->limb_count; ++i) {
        lode__limb_relax_joints(limbs->limbs[i]);
        lode__pulls_relax(limbs->limbs[i]);
    }
    for (uint32_t i = 0; i < limbs->part_count; ++i) {
        const lode__limb_part *part = &limbs->parts[i];
        lode__part p = lode__part_of(&work->solver->state->chunks[part->chunk], part->lane);
        lode__rows_read(&r.rows, &work->solver->state->lines, &p);
        for (uint32_t k = 0; k < part->row_count; ++k) {
            lode__limb_row *row = &limbs->rows[part->row + k];
            row->c = (lode_real)r.rows.values[k].c;
            row->idle = r.rows.values[k].idle;
            row->gamma = has_own_softness(&p, (int)k) ? row->gamma : 0;
        }
    }
}

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
    push_row(lines, row, now - all);
    count_row(row, now - all);
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
        if (rows[i].point != NO_POINT)
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
