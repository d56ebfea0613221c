/* rows.c: see rows.h. What kinds of rows there are is known here alone. */
#include "solver/rows.h"

#include "core/sort.h"
#include "solver/lcp_plan.h"
#include "solver/linkage.h"

static uint32_t count_parts(const lode__solve_state *state, const lode__group *group)
{
    uint32_t count = 0;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c)
        for (uint32_t k = 0; k < state->chunks[c].count * LODE_LANES; ++k)
            count += state->chunks[c].lanes[k] != LODE__NONE;
    return count;
}

/* The rows that a point may have: its normal, friction along t1 and t2, moments about t1, t2, n. */
enum { ROW_NORMAL, ROW_FRICTION, ROW_ROLLING = ROW_FRICTION + 2, POINT_ROWS = ROW_ROLLING + 3 };

static const lode__special_lanes *special_lanes(const lode__part *p)
{
    return bucket_is_special(p->bucket) ? lode__special_lanes_of(p->block, p->points) : NULL;
}

/* Lists those that each point of a contact has: what has no coefficient has no row. */
static int list_rows(const lode__part *p, uint8_t out_rows[POINT_ROWS])
{
    const lode__contact_block *block = p->block;
    const lode__special_lanes *x = special_lanes(p);
    const lode_real friction[2] = {block->friction1.x[p->lane], block->friction2.x[p->lane]};
    int count = 0;
    out_rows[count++] = ROW_NORMAL;
    for (int k = 0; k < 2; ++k)
        if (friction[k] > 0)
            out_rows[count++] = (uint8_t)(ROW_FRICTION + k);
    for (int k = 0; x && k < 3; ++k)
        if (x->rolling[k].x[p->lane] > 0)
            out_rows[count++] = (uint8_t)(ROW_ROLLING + k);
    return count;
}

/* What all parts of a chunk have in common. */
static lode__part part_of_chunk(const lode__solve_chunk *chunk)
{
    lode__part p = {.bucket = chunk->bucket, .ends = 2, .rows = 1};
    int bucket = chunk->bucket - LODE__BUCKET_JOINT;
    if (bucket_is_contact(chunk->bucket))
        p.points = chunk->bucket % LODE__MANIFOLD_POINTS + 1;
    else if (bucket_is_linkage(chunk->bucket))
        p.ends = (uint16_t)(1 << (chunk->bucket - LODE__BUCKET_LINKAGE));
    else {
        p.rows = (uint8_t)lode__bucket_rows(bucket);
        p.bond = lode__bucket_extras(bucket) == 0;
    }
    return p;
}

static lode__part part_in(const lode__solve_chunk *chunk, lode__part common, uint32_t k)
{
    uint8_t kinds[POINT_ROWS];
    common.block = chunk->blocks + (size_t)(k / LODE_LANES) * chunk->stride;
    common.lane = (uint8_t)(k % LODE_LANES);
    if (common.points > 0) {
        common.rows = (uint8_t)(common.points * list_rows(&common, kinds));
        common.bond = !bucket_is_special(common.bucket) && common.rows == 3 * common.points;
    }
    return common;
}

lode__part lode__part_of(const lode__solve_chunk *chunk, uint32_t k)
{
    return part_in(chunk, part_of_chunk(chunk), k);
}

static uint32_t highest_line(const lode__part *p)
{
    uint32_t highest = 0;
    for (int end = 0; end < p->ends; ++end)
        highest = lode__part_pushes(p, end) > highest ? lode__part_pushes(p, end) : highest;
    return highest;
}

/* Fills and sorts the group's parts. */
static bool list_parts(const lode__solve_state *state, const lode__group *group, lode__rows *rows,
                       lode__arena *arena)
{
    uint32_t count = count_parts(state, group), at = 0;
    lode__part *unsorted = LODE__TAKE(arena, lode__part, count);
    uint64_t *keys = LODE__TAKE(arena, uint64_t, 2 * (size_t)count);
    uint32_t *order = LODE__TAKE(arena, uint32_t, 2 * (size_t)count);
    rows->parts = LODE__TAKE(arena, lode__part, count);
    if (!unsorted || !keys || !order || !rows->parts)
        return false;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        const lode__part common = part_of_chunk(chunk);
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            if (chunk->lanes[k] == LODE__NONE)
                continue;
            lode__part p = part_in(chunk, common, k);
            unsorted[at] = p;
            keys[at] = ((uint64_t)highest_line(&p) << 32) |
                       ((uint64_t)list_of_bucket(p.bucket) << 30) | chunk->lanes[k];
            order[at] = at;
            ++at;
        }
    }
    lode__sort(keys, order, keys + count, order + count, count);
    for (uint32_t i = 0; i < count; ++i)
        rows->parts[i] = unsorted[order[i]];
    rows->part_count = count;
    return true;
}

/* Numbers the rows of an island, whose first part is known. */
static void measure_island(lode__rows *rows, lode__row_island *out)
{
    for (; out->end < rows->part_count; ++out->end) {
        lode__part *p = &rows->parts[out->end];
        if (highest_line(p) >= out->line_end)
            break;
        p->row = out->rows;
        p->at = out->jacobians;
        p->columns = out->columns;
        out->rows += p->rows;
        out->jacobians += (uint32_t)p->rows * p->ends;
        out->columns += LODE__COLUMN_NUMBERS * lode__lcp_padded(p->rows) * p->ends;
    }
}

static bool measure_islands(const lode__solve_state *state, const lode__group *group,
                            lode__rows *rows, lode__arena *arena)
{
    rows->islands = LODE__TAKE(arena, lode__row_island, group->island_end - group->island_begin);
    if (!rows->islands)
        return false;
    uint32_t part = 0;
    for (uint32_t i = group->island_begin; i < group->island_end; ++i) {
        lode__row_island *out = &rows->islands[rows->island_count];
        *out = (lode__row_island){.begin = part,
                                  .end = part,
                                  .line_begin = state->island_line[i],
                                  .line_end = state->island_line[i + 1]};
        measure_island(rows, out);
        part = out->end;
        rows->island_count += out->rows > 0;
    }
    return true;
}

bool lode__rows_list(lode__rows *rows, const lode__solve_state *state, const lode__group *group,
                     lode__arena *arena)
{
    *rows = (lode__rows){0};
    return list_parts(state, group, rows, arena) && measure_islands(state, group, rows, arena);
}

bool lode__rows_take(lode__rows *rows, lode__arena *arena)
{
    uint32_t count = 0, jacobians = 0;
    for (uint32_t i = 0; i < rows->island_count; ++i) {
        const lode__row_island *it = &rows->islands[i];
        jacobians = it->jacobians > jacobians ? it->jacobians : jacobians;
        count = it->rows > count ? it->rows : count;
    }
    rows->jacobians = LODE__TAKE(arena, lode__jacobian, jacobians);
    rows->values = LODE__TAKE(arena, lode__row_values, count);
    return rows->jacobians && rows->values;
}

/* --- from blocks to rows */

typedef struct vec {
    double x[3];
} vec;

static vec lane_vec(const lode__lane3 *v, int lane)
{
    return (vec){{v->x.x[lane], v->y.x[lane], v->z.x[lane]}};
}

static vec cross(vec a, vec b)
{
    return (vec){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static vec madd(vec a, vec b, double s)
{
    return (vec){{a.x[0] + b.x[0] * s, a.x[1] + b.x[1] * s, a.x[2] + b.x[2] * s}};
}

static vec minus(vec a)
{
    return (vec){{-a.x[0], -a.x[1], -a.x[2]}};
}

static void respond(const lode__inv_mass *m, const double *t, double *out)
{
    out[0] = (double)m->xx * t[0] + (double)m->xy * t[1] + (double)m->xz * t[2];
    out[1] = (double)m->xy * t[0] + (double)m->yy * t[1] + (double)m->yz * t[2];
    out[2] = (double)m->xz * t[0] + (double)m->yz * t[1] + (double)m->zz * t[2];
}

static void set_jacobian(const lode__dense *lines, const lode__part *p, int end,
                         lode__jacobian *out, vec lin, vec ang)
{
    for (int k = 0; k < 3; ++k) {
        out->lin[k] = lin.x[k];
        out->ang[k] = ang.x[k];
    }
    respond(&lines->inv_mass[lode__part_pushes(p, end)], out->ang, out->resp);
}

/* A body that nobody can push may move (negative lines). */
double lode__row_velocity(const lode__rows *rows, const lode__dense *lines, const lode__part *p,
                          int row)
{
    double linear = 0, angular = 0;
    for (int end = 0; end < p->ends; ++end) {
        const lode__jacobian *j = lode__jacobian_at(rows, p, row, end);
        const lode__velocity *v = &lines->velocity[lode__part_line(p, end)];
        const double lin[3] = {v->linear.x, v->linear.y, v->linear.z};
        const double ang[3] = {v->angular.x, v->angular.y, v->angular.z};
        linear += lode__dot3(j->lin, lin);
        angular += lode__dot3(j->ang, ang);
    }
    return linear + angular;
}

/* A coefficient that is as good as endless; larger ones leave no digits to the rest. */
#define ENDLESS 1e6

static double coefficient(lode_real x)
{
    return (double)x < ENDLESS ? (double)x : ENDLESS;
}

/* Do the rows of a contact along t1 and t2, with these coefficients, hold together? */
static bool is_cone(const lode__rows *rows, const lode__part *p, lode_real mu1, lode_real mu2)
{
    const lode__special_lanes *x = special_lanes(p);
    return (x ? x->cone.x[p->lane] > 0 : rows->cone) && mu1 > 0 && mu2 > 0;
}

/* Bounds a row by what a point has while it touches, whatever its load. */
static void bound_by(lode__row_values *v, const lode__part *p, int point, lode_real most)
{
    v->hi = (double)most * (double)special_lanes(p)->holds[point].x[p->lane];
    v->lo = -v->hi;
    v->master = LODE__ROW_NONE;
}

/* Friction along t1 or t2: bounded by the normal row, or by what it is, where it is a force. */
static lode__row_values friction_values(const lode__rows *rows, const lode__part *p, int point,
                                        int k, uint32_t normal)
{
    const lode__contact_block *block = p->block;
    const lode__contact_row *row = &block->rows[point];
    const lode__special_lanes *x = special_lanes(p);
    const lode_real mu[2] = {block->friction1.x[p->lane], block->friction2.x[p->lane]};
    lode__row_values v = {.lambda = k == 0 ? row->lambda1.x[p->lane] : row->lambda2.x[p->lane],
                          .master = normal,
                          .ratio = coefficient(mu[k]),
                          .kind = LODE__ROW_FRICTION,
                          .axis = (uint8_t)k,
                          .cone = k == 0 && is_cone(rows, p, mu[0], mu[1])};
    if (!x)
        return v;
    v.c = k == 0 ? x->motion.y.x[p->lane] : x->motion.z.x[p->lane];
    v.gamma = x->soft[k].x[p->lane];
    if (x->box[k].x[p->lane] > 0)
        bound_by(&v, p, point, mu[k]);
    return v;
}

/* Of the moment that all points share. */
static lode__row_values rolling_values(const lode__part *p, int point, int k, uint32_t normal)
{
    const lode__special_lanes *x = special_lanes(p);
    const lode__lane *rolling = x->rolling;
    int lane = p->lane;
    lode__row_values v = {.lambda = (double)x->roll[k].x[lane] / p->points,
                          .master = normal,
                          .ratio = coefficient(rolling[k].x[lane]),
                          .kind = LODE__ROW_ROLLING,
                          .axis = (uint8_t)k,
                          .cone = k == 0 && x->roll_cone.x[lane] > 0 && rolling[0].x[lane] > 0 &&
                                  rolling[1].x[lane] > 0};
    if (x->moment[k].x[lane] > 0)
        bound_by(&v, p, point, rolling[k].x[lane]);
    return v;
}

static lode__row_values point_values(const lode__rows *rows, const lode__part *p, int point,
                                     int row, uint32_t normal)
{
    const lode__contact_row *values = &((const lode__contact_block *)p->block)->rows[point];
    if (row >= ROW_ROLLING)
        return rolling_values(p, point, row - ROW_ROLLING, normal);
    if (row >= ROW_FRICTION)
        return friction_values(rows, p, point, row - ROW_FRICTION, normal);
    return (lode__row_values){.c = values->c.x[p->lane],
                              .gamma = values->soft.x[p->lane],
                              .hi = (double)LODE__UNBOUNDED,
                              .lambda = values->lambda.x[p->lane],
                              .idle = !(values->mass.x[p->lane] > 0),
                              .master = LODE__ROW_NONE,
                              .kind = LODE__ROW_NORMAL};
}

/* Rows of a point: friction along t1 and t2 acts in the plane of the centroid. */
static void read_point(const lode__rows *rows, const lode__dense *lines, const lode__part *p,
                       int point, const uint8_t *kinds, int count)
{
    const lode__contact_block *block = p->block;
    const lode__contact_row *row = &block->rows[point];
    int lane = p->lane;
    double x = row->x.x[lane], y = row->y.x[lane];
    vec none = {{0, 0, 0}};
    vec n = lane_vec(&block->n, lane), t1 = lane_vec(&block->t, lane), t2 = cross(n, t1);
    vec ra = madd(madd(lane_vec(&block->ra, lane), t1, x), t2, y);
    vec rb = madd(madd(lane_vec(&block->rb, lane), t1, x), t2, y);
    const vec axes[POINT_ROWS] = {n, t1, t2, t1, t2, n};
    uint32_t first = p->row + (uint32_t)(count * point);
    for (int k = 0; k < count; ++k) {
        int i = count * point + k;
        vec axis = axes[kinds[k]];
        bool pushes = kinds[k] < ROW_ROLLING;
        set_jacobian(lines, p, 0, lode__jacobian_at(rows, p, i, 0), pushes ? axis : none,
                     pushes ? cross(ra, axis) : axis);
        set_jacobian(lines, p, 1, lode__jacobian_at(rows, p, i, 1), minus(pushes ? axis : none),
                     minus(pushes ? cross(rb, axis) : axis));
        rows->values[first + (uint32_t)k] = point_values(rows, p, point, kinds[k], first);
    }
}

/* The row of a joint or of a linkage. */
static void read_row(const lode__rows *rows, const lode__part *p, int k, const lode__row *row)
{
    int lane = p->lane;
    double mass = row->mass.x[lane], soft = row->soft.x[lane];
    rows->values[p->row + (uint32_t)k] = (lode__row_values){.c = row->c.x[lane],
                                                            .gamma = mass > 0 ? soft / mass : 0,
                                                            .lo = row->lo.x[lane],
                                                            .hi = row->hi.x[lane],
                                                            .lambda = row->lambda.x[lane],
                                                            .idle = !(mass > 0),
                                                            .master = LODE__ROW_NONE};
}

static void read_joint(const lode__rows *rows, const lode__dense *lines, const lode__part *p)
{
    const lode__row_block *block = p->block;
    for (int k = 0; k < p->rows; ++k) {
        const lode__row *row = &block->rows[k];
        vec lin = lane_vec(&row->lin, p->lane);
        set_jacobian(lines, p, 0, lode__jacobian_at(rows, p, k, 0), lin,
                     lane_vec(&row->ang_a, p->lane));
        set_jacobian(lines, p, 1, lode__jacobian_at(rows, p, k, 1), minus(lin),
                     lane_vec(&row->ang_b, p->lane));
        read_row(rows, p, k, row);
    }
}

static void read_linkage(const lode__rows *rows, const lode__dense *lines, const lode__part *p)
{
    const lode__linkage_block *block = p->block;
    for (int end = 0; end < p->ends; ++end)
        set_jacobian(lines, p, end, lode__jacobian_at(rows, p, 0, end),
                     lane_vec(&block->end[end].lin, p->lane),
                     lane_vec(&block->end[end].ang, p->lane));
    read_row(rows, p, 0, &block->row);
}

void lode__rows_read(const lode__rows *rows, const lode__dense *lines, const lode__part *p)
{
    uint8_t kinds[POINT_ROWS];
    int count = p->points > 0 ? list_rows(p, kinds) : 0;
    for (int point = 0; point < p->points; ++point)
        read_point(rows, lines, p, point, kinds, count);
    if (bucket_is_linkage(p->bucket))
        read_linkage(rows, lines, p);
    else if (p->points == 0)
        read_joint(rows, lines, p);
}

/* --- and back */

static void write_point(lode__contact_block *block, const lode__part *p, int point, int row,
                        lode_real impulse)
{
    lode__contact_row *out = &block->rows[point];
    lode__lane *const lanes[ROW_ROLLING] = {&out->lambda, &out->lambda1, &out->lambda2};
    if (row < ROW_ROLLING)
        lanes[row]->x[p->lane] = impulse;
    else
        lode__special_lanes_of(block, p->points)->roll[row - ROW_ROLLING].x[p->lane] += impulse;
}

static void write_contact(lode__contact_block *block, const lode__part *p, const double *x)
{
    uint8_t kinds[POINT_ROWS];
    int count = list_rows(p, kinds);
    for (int k = 0; bucket_is_special(p->bucket) && k < 3; ++k)
        lode__special_lanes_of(block, p->points)->roll[k].x[p->lane] = 0;
    for (int point = 0; point < p->points; ++point) {
        for (int row = 0; row < ROW_ROLLING; ++row)
            write_point(block, p, point, row, 0);
        for (int k = 0; k < count; ++k)
            write_point(block, p, point, kinds[k], (lode_real)*x++);
    }
}

void lode__rows_write(const lode__part *p, const double *x)
{
    if (p->points > 0) {
        write_contact(p->block, p, x);
        return;
    }
    if (bucket_is_linkage(p->bucket)) {
        ((lode__linkage_block *)p->block)->row.lambda.x[p->lane] = (lode_real)x[0];
        return;
    }
    lode__row_block *block = p->block;
    for (int k = 0; k < p->rows; ++k)
        block->rows[k].lambda.x[p->lane] = (lode_real)x[k];
}
