/* limb_rows.c: the rows of limbs, of what touches them and is joined to them, read from blocks,
 * each with its response in joint coordinates (limb_sweep.c solves them). */
#include "solver/articulation/limbs.h"

#include "core/math.h"
#include "solver/rows.h"
#include "solver/softness.h"

#include <string.h>

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

static lode_real answer_of_body(const lode__limb_end *end)
{
    lode_real sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += end->lin[i] * end->v[i] + end->ang[i] * end->w[i];
    return sum;
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
    }
    row->k += answer_of_body(end);
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
    return kind == LODE__ROW_NORMAL ? (uint8_t)(i * part->points / part->rows) : LODE__NO_POINT;
}

/* Of a limb, found anew. */
static lode_real respond(const lode__limb_end *end)
{
    lode__mb_solve(&end->limb->model->body, end->jacobian, end->response);
    return lode__limb_dot(end->jacobian, end->response, end->limb->model->body.plan->dof_count);
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
    for (uint32_t e = 0; e < row->ends; ++e)
        if (end_at(row, e)->limb)
            row->k += respond(end_at(row, e));
}

static bool is_on(lode__limb_row *row, const lode__limb *limb)
{
    bool is = false;
    for (uint32_t e = 0; e < row->ends; ++e)
        is = is || end_at(row, e)->limb == limb;
    return is;
}

void lode__limb_rows_respond(const lode__limb_work *limbs, const lode__limb *limb)
{
    for (uint32_t i = 0; i < limbs->row_count; ++i) {
        lode__limb_row *row = &limbs->rows[i];
        if (!is_on(row, limb))
            continue;
        row->k = 0;
        for (uint32_t e = 0; e < row->ends; ++e) {
            const lode__limb_end *end = end_at(row, e);
            if (end->limb)
                row->k += respond(end);
            else if (!end->owner)
                row->k += answer_of_body(end);
        }
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
            lode__limb_row_push(lines, &limbs->rows[i], limbs->rows[i].lambda);
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

void lode__limb_row_count(const lode__limb_row *row, lode_real impulse)
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
        lode__limb_row_count(&limbs->rows[i], limbs->rows[i].lambda);
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
