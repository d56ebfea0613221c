/* contact_blocks.c: from manifolds to blocks of contacts and back. A chunk's lanes are filled from
 * the pool, eight records transposed at a time; what its rows have exerted goes back to the
 * manifolds, for the next step's warm start. */
#include "solver/contact_blocks.h"

#include "core/fetch.h"
#include "core/math.h"
#include "solver/softness.h"

/* Length units: a contact that bears nothing is as good as so far away. */
#define IDLE_GAP 1

typedef struct contact_work {
    const lode__solver *solver;
    const lode__step *step;
    const lode__softness *softness;
} contact_work;

/* --- filling */

/* A lane's body a is one that can be pushed; where that is the manifold's b, the normal turns.
 * Friction begins anew where another body is pushed than in the last step, since its directions
 * belong to the normal. */
static void find_contact(const contact_work *work, lode__contact_sources *out,
                         lode__contact_block *block, int lane, const lode__manifold *m)
{
    int32_t a = line_of_side(work->solver, m, 0), b = line_of_side(work->solver, m, 1);
    bool swap = a <= 0;
    lode_real scale = work->step->impulse_scale;
    block->a[lane] = swap ? b : a;
    block->b[lane] = swap ? a : b;
    out->manifold[lane] = m;
    out->swap.x[lane] = swap;
    out->scale.x[lane] = scale;
    out->friction_scale.x[lane] = m->turned == is_turned(work->solver, m) ? scale : 0;
    out->idle.x[lane] = m->idle;
}

/* A lane without a contact: massless, at the dummy line. */
static void find_nothing(lode__contact_sources *out, lode__contact_block *block, int lane)
{
    static const lode__manifold none;
    block->a[lane] = block->b[lane] = 0;
    out->manifold[lane] = &none;
    out->swap.x[lane] = out->scale.x[lane] = out->friction_scale.x[lane] = out->idle.x[lane] = 0;
}

/* Its own erp and cfm, or the world's where one of them is not given; -1: none. */
static row_softness softness_of_special(const lode__step *step, const lode__special *s)
{
    const lode_world_def *settings = step->settings;
    bool soft_step = settings->solver == LODE_SOLVER_SOFT_STEP;
    if (s->erp < 0 && s->cfm < 0)
        return (row_softness){-1, 0};
    return softness_of_sub_step(
        (row_softness){said(s->erp, settings->erp), said(s->cfm, soft_step ? 0 : settings->cfm)},
        step->sub_steps);
}

/* The law of friction direction k. */
static uint32_t law_of(const lode__step *step, const lode__special *s, int k)
{
    if (s->law[k] != LODE_LAW_WORLD)
        return s->law[k];
    return friction_is_cone(step->settings) ? LODE_LAW_CONE : LODE_LAW_PYRAMID;
}

/* What is special about a lane; friction that is a force becomes an impulse. */
static void fill_special(const contact_work *work, lode__contact_block *block,
                         lode__special_lanes *out, int lane, const lode__manifold *m)
{
    const lode__special *s = special_of(work->solver->manifolds, m);
    bool swap = line_of_side(work->solver, m, 0) <= 0;
    lode_real inv_h = work->softness->inv_h;
    row_softness normal = softness_of_special(work->step, s);
    lode_vec3 turn = v3_scale(s->turn, work->step->impulse_scale);
    lode__lane *const friction[2] = {&block->friction1, &block->friction2};
    uint32_t laws[2] = {law_of(work->step, s, 0), law_of(work->step, s, 1)};
    put_lane3(&out->motion, lane, swap ? v3_neg(s->motion) : s->motion);
    put_lane3(&out->turn, lane, swap ? v3_neg(turn) : turn);
    out->erp.x[lane] = normal.erp;
    out->cfm.x[lane] = normal.cfm;
    out->bounce_speed.x[lane] = s->bounce_speed;
    bool cone = laws[0] == LODE_LAW_CONE && laws[1] == LODE_LAW_CONE;
    out->cone.x[lane] = cone;
    out->roll_cone.x[lane] = cone && !s->moment[0] && !s->moment[1];
    for (int k = 0; k < 2; ++k) {
        out->soft[k].x[lane] = r_min(s->slip[k] * inv_h, LODE__UNBOUNDED);
        out->box[k].x[lane] = laws[k] == LODE_LAW_BOX;
        if (laws[k] == LODE_LAW_BOX)
            friction[k]->x[lane] /= inv_h;
    }
    for (int k = 0; k < 3; ++k) {
        out->rolling[k].x[lane] = s->moment[k] ? s->rolling[k] / inv_h : s->rolling[k];
        out->moment[k].x[lane] = s->moment[k];
        out->told[k].x[lane] = 0;
    }
}

static void fill_not_special(lode__special_lanes *out, int lane)
{
    lode__lane *fields = (lode__lane *)(void *)out;
    for (size_t i = 0; i < sizeof *out / sizeof *fields; ++i)
        fields[i].x[lane] = 0;
}

/* Of blocks that are special. */
static void fill_specials(const contact_work *work, const lode__solve_chunk *chunk, int points)
{
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__contact_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        lode__special_lanes *out = lode__special_lanes_of(block, points);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fill_not_special(out, lane);
            if (contact != LODE__NONE)
                fill_special(work, block, out, lane, work->solver->contacts[contact]);
        }
    }
}

void lode__contacts_fill(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk, const lode__softness *softness)
{
    const contact_work work = {solver, step, softness};
    int points = chunk->bucket % LODE__MANIFOLD_POINTS + 1;
    lode__contact_sources from = {.idle_depth = -IDLE_GAP * step->settings->length_unit};
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__contact_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            lode__manifold_fetch(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (contact == LODE__NONE)
                find_nothing(&from, block, lane);
            else
                find_contact(&work, &from, block, lane, solver->contacts[contact]);
        }
        solver->kernels->read_contacts(&from, block, points);
    }
    if (bucket_is_special(chunk->bucket))
        fill_specials(&work, chunk, points);
}

/* --- keeping */

/* The impulses of a manifold whose friction is the whole's: of its points and of that. */
typedef struct manifold_impulse {
    lode_real point[LODE__MANIFOLD_POINTS][3];
    lode_real whole[3]; /* along both directions, and the twist */
} manifold_impulse;

/* Those of the last sub-step, from which the next step starts, and those of the whole step; of a
 * manifold whose friction is the whole's. */
static void read_impulses(const lode__contact_block *block, int lane, int points,
                          manifold_impulse *last, manifold_impulse *all)
{
    for (int i = 0; i < points; ++i) {
        last->point[i][0] = block->rows[i].lambda.x[lane];
        all->point[i][0] = lane_told(&block->rows[i].told[0], &block->rows[i].lambda, lane);
    }
    const lode__lane *const lanes[3] = {&block->lambda1, &block->lambda2, &block->twist};
    for (int k = 0; k < 3; ++k) {
        last->whole[k] = lanes[k]->x[lane];
        all->whole[k] = lane_told(&block->told[k], lanes[k], lane);
    }
}

/* How much of a manifold's load each point bears; alike where a bounce has taken all of it back. */
static lode_real share_loads(const manifold_impulse *m, int points, lode_real *out_shares)
{
    lode_real load = 0;
    for (int i = 0; i < points; ++i)
        load += m->point[i][0];
    for (int i = 0; i < points; ++i)
        out_shares[i] = load > 0 ? m->point[i][0] : 1;
    return load > 0 ? load : (lode_real)points;
}

/* Friction of the whole manifold as impulses of its points, each in proportion to its load: the
 * same for all, and a turn about the centre of pressure. Their sum is that of the manifold, and so
 * is their moment unless one point bears all. */
static void spread_friction(const lode__contact_block *block, int lane, int points,
                            manifold_impulse *m)
{
    lode_real shares[LODE__MANIFOLD_POINTS], load = share_loads(m, points, shares);
    lode_real p1 = m->whole[0], p2 = m->whole[1], per_load = 1 / load, x = 0, y = 0;
    for (int i = 0; i < points; ++i) {
        x += shares[i] * block->rows[i].x.x[lane];
        y += shares[i] * block->rows[i].y.x[lane];
    }
    lode_real second = 0, reach = 0;
    x *= per_load;
    y *= per_load;
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        lode_real dx = row->x.x[lane] - x, dy = row->y.x[lane] - y;
        second += shares[i] * (dx * dx + dy * dy);
        reach = r_max(reach, row->arm.x[lane]);
    }
    second = r_max(second, (lode_real)0.001 * load * reach * reach);
    lode_real turn = second > 0 ? (m->whole[2] - (x * p2 - y * p1)) / second : 0;
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &block->rows[i];
        m->point[i][1] = shares[i] * (per_load * p1 - turn * (row->y.x[lane] - y));
        m->point[i][2] = shares[i] * (per_load * p2 + turn * (row->x.x[lane] - x));
    }
}

static void keep_whole(const lode__contact_block *block, int lane, lode__manifold *m)
{
    manifold_impulse last, all;
    read_impulses(block, lane, m->point_count, &last, &all);
    spread_friction(block, lane, m->point_count, &last);
    spread_friction(block, lane, m->point_count, &all);
    for (int i = 0; i < m->point_count; ++i)
        for (int k = 0; k < 3; ++k) {
            m->points[i].impulse[k] = last.point[i][k];
            m->points[i].exerted[k] = all.point[i][k];
        }
}

static void keep_points(const lode__contact_block *block, int lane, lode__manifold *m)
{
    for (int i = 0; i < m->point_count; ++i) {
        const lode__contact_row *row = &block->rows[i];
        const lode__lane *const lanes[3] = {&row->lambda, &row->lambda1, &row->lambda2};
        for (int k = 0; k < 3; ++k) {
            m->points[i].impulse[k] = lanes[k]->x[lane];
            m->points[i].exerted[k] = lane_told(&row->told[k], lanes[k], lane);
        }
    }
}

void lode__contact_forget(const lode__solver *solver, lode__manifold *m)
{
    if (m->special) {
        lode__special *s = special_of(solver->manifolds, m);
        s->turn = s->turned = v3_zero();
    }
    for (int i = 0; i < m->point_count; ++i)
        for (int k = 0; k < 3; ++k)
            m->points[i].impulse[k] = m->points[i].exerted[k] = 0;
}

/* Moments about t1, t2 and n as one on the manifold's body a, which lanes may have as b. */
static lode_vec3 moment_of(const lode__contact_block *block, int lane, const lode_real m[3],
                           bool swapped)
{
    lode_vec3 n = get_lane3(&block->n, lane), t = get_lane3(&block->t, lane);
    lode_vec3 sum = v3_madd(v3_scale(t, m[0]), v3_cross(n, t), m[1]);
    sum = v3_madd(sum, n, m[2]);
    return swapped ? v3_neg(sum) : sum;
}

static void keep_special(const lode__solver *solver, lode__contact_block *block, int lane,
                         const lode__manifold *m)
{
    lode__special *s = special_of(solver->manifolds, m);
    const lode__special_lanes *x = lode__special_lanes_of(block, m->point_count);
    bool swapped = line_of_side(solver, m, 0) <= 0;
    lode_real last[3], all[3];
    for (int k = 0; k < 3; ++k) {
        last[k] = x->roll[k].x[lane];
        all[k] = lane_told(&x->told[k], &x->roll[k], lane);
    }
    s->turn = moment_of(block, lane, last, swapped);
    s->turned = moment_of(block, lane, all, swapped);
}

static void keep_contact(const lode__solver *solver, const lode__step *step,
                         lode__contact_block *block, int lane, lode__manifold *m)
{
    if (friction_is_whole(step->settings) && m->point_count > 1)
        keep_whole(block, lane, m);
    else
        keep_points(block, lane, m);
    if (m->special)
        keep_special(solver, block, lane, m);
    m->turned = is_turned(solver, m); /* last: what shares its word would be waited for */
}

/* What is told of a block lies there from row prepare on, and the iterations have put it out of the
 * nearest cache: lane by lane all of the next block would be waited for. */
LODE__FETCHER void fetch_block(const lode__solve_chunk *chunk, uint32_t next)
{
    const char *block = chunk->blocks + (size_t)next * chunk->stride;
    for (uint32_t at = 0; next < chunk->count && at < chunk->stride; at += 64)
        __builtin_prefetch(block + at);
}

void lode__contacts_keep(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk)
{
    for (uint32_t i = 0; i < chunk->count; ++i) {
        void *block = chunk->blocks + (size_t)i * chunk->stride;
        fetch_block(chunk, i + 1);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            lode__manifold_fetch(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (contact != LODE__NONE)
                keep_contact(solver, step, block, lane, solver->contacts[contact]);
        }
    }
}
