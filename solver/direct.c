/* direct.c: the direct solver. Every island is one mixed linear complementarity problem over the
 * impulses of all its rows, solved to the end (solver/lcp.h):
 *
 *     A = J M^-1 J^T + gamma,   b = c - J v,   v' = v + M^-1 J^T lambda,
 *
 * with the rows' own c, gamma and limits, as the kernels have prepared and refreshed them: what
 * comes out is what the iterative solver's rows come to after ever more iterations. Jacobians are
 * spelled out of the blocks, lane by lane, and all is done in double precision.
 *
 * Order. An island's constraints are sorted by the higher of their two lines, joints first, so
 * that a row couples with few rows before it; what it couples with at the earliest bounds the
 * envelope. Chains and stacks that were built from one end to the other have narrow envelopes. The
 * order depends on the island alone, and with it the bits. */
#include "solver/direct.h"

#include "core/sort.h"
#include "solver/lcp.h"
#include "solver/linkage.h"

/* One constraint: a lane of a block. */
typedef struct part {
    void *block;
    uint32_t row;   /* first of its rows in the island */
    uint32_t first; /* first row of the island that shares a body with it */
    uint32_t at;    /* in the island's jacobians: row by row, for each of its ends */
    uint16_t ends;
    uint8_t rows, lane, bucket;
    uint8_t points; /* of a contact; else 0 */
} part;

/* Of one body, per unit of a row's impulse: the wrench on it, and the angular response. */
typedef struct jacobian {
    double lin[3], ang[3], resp[3];
} jacobian;

typedef struct island {
    uint32_t begin, end; /* parts */
    uint32_t line_begin, line_end;
    uint32_t rows, jacobians;
    size_t entries;
} island;

/* What a group needs; each island uses it anew. */
struct lode__direct {
    part *parts;
    island *islands;
    uint32_t part_count, island_count;
    jacobian *jacobians;
    double (*change)[6]; /* of the velocity, by line of the group */
    lode__lcp lcp;
};

/* --- listing, before the step's memory is settled */

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

static const lode__special_lanes *special_lanes(const part *p)
{
    return bucket_is_special(p->bucket) ? lode__special_lanes_of(p->block, p->points) : NULL;
}

/* Lists those that each point of a contact has: what has no coefficient has no row. */
static int list_rows(const part *p, uint8_t out_rows[POINT_ROWS])
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

static part part_of(const lode__solve_chunk *chunk, uint32_t k)
{
    part p = {.block = chunk->blocks + (size_t)(k / LODE_LANES) * chunk->stride,
              .lane = (uint8_t)(k % LODE_LANES),
              .bucket = chunk->bucket,
              .ends = 2,
              .rows = 1};
    if (bucket_is_contact(chunk->bucket)) {
        uint8_t rows[POINT_ROWS];
        p.points = chunk->bucket % LODE__MANIFOLD_POINTS + 1;
        p.rows = (uint8_t)(p.points * list_rows(&p, rows));
    } else if (bucket_is_linkage(chunk->bucket))
        p.ends = (uint16_t)(1 << (chunk->bucket - LODE__BUCKET_LINKAGE));
    else
        p.rows = (uint8_t)lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
    return p;
}

/* The line of one of its bodies, which may be one that no impulse moves: 0 or less. */
static int32_t line_of_end(const part *p, int end)
{
    if (bucket_is_contact(p->bucket)) {
        const lode__contact_block *contact = p->block;
        return end ? contact->b[p->lane] : contact->a[p->lane];
    }
    if (bucket_is_linkage(p->bucket))
        return ((const lode__linkage_block *)p->block)->end[end].line[p->lane];
    const lode__row_block *joint = p->block;
    return end ? joint->b[p->lane] : joint->a[p->lane];
}

static uint32_t pushed_line(const part *p, int end)
{
    int32_t line = line_of_end(p, end);
    return line > 0 ? (uint32_t)line : 0;
}

static uint32_t highest_line(const part *p)
{
    uint32_t highest = 0;
    for (int end = 0; end < p->ends; ++end)
        highest = pushed_line(p, end) > highest ? pushed_line(p, end) : highest;
    return highest;
}

static jacobian *jacobian_at(const lode__direct *direct, const part *p, int row, int end)
{
    return &direct->jacobians[p->at + (uint32_t)row * p->ends + (uint32_t)end];
}

/* Fills and sorts the group's parts. */
static bool list_parts(const lode__solve_state *state, const lode__group *group,
                       lode__direct *direct, lode__arena *arena)
{
    uint32_t count = count_parts(state, group), at = 0;
    part *unsorted = LODE__TAKE(arena, part, count);
    uint64_t *keys = LODE__TAKE(arena, uint64_t, 2 * (size_t)count);
    uint32_t *order = LODE__TAKE(arena, uint32_t, 2 * (size_t)count);
    direct->parts = LODE__TAKE(arena, part, count);
    if (!unsorted || !keys || !order || !direct->parts)
        return false;
    for (uint32_t c = group->chunk_begin; c < group->chunk_end; ++c) {
        const lode__solve_chunk *chunk = &state->chunks[c];
        for (uint32_t k = 0; k < chunk->count * LODE_LANES; ++k) {
            if (chunk->lanes[k] == LODE__NONE)
                continue;
            part p = part_of(chunk, k);
            unsorted[at] = p;
            keys[at] = ((uint64_t)highest_line(&p) << 32) |
                       ((uint64_t)list_of_bucket(p.bucket) << 30) | chunk->lanes[k];
            order[at] = at;
            ++at;
        }
    }
    lode__sort(keys, order, keys + count, order + count, count);
    for (uint32_t i = 0; i < count; ++i)
        direct->parts[i] = unsorted[order[i]];
    direct->part_count = count;
    return true;
}

/* Where island `line`'s first line belongs to the group: numbers its rows and measures the
 * envelope. `earliest` holds, by line, the first row that acts on it. */
static void measure_island(lode__direct *direct, island *out, uint32_t *earliest)
{
    for (uint32_t line = out->line_begin; line < out->line_end; ++line)
        earliest[line - out->line_begin] = LODE__LCP_NONE;
    for (; out->end < direct->part_count; ++out->end) {
        part *p = &direct->parts[out->end];
        if (highest_line(p) >= out->line_end)
            break;
        p->row = p->first = out->rows;
        p->at = out->jacobians;
        for (int end = 0; end < p->ends; ++end) {
            uint32_t line = pushed_line(p, end);
            if (!line)
                continue;
            uint32_t *seen = &earliest[line - out->line_begin];
            *seen = *seen < p->row ? *seen : p->row;
            p->first = *seen < p->first ? *seen : p->first;
        }
        for (uint32_t k = 0; k < p->rows; ++k)
            out->entries += p->row + k - p->first + 1;
        out->rows += p->rows;
        out->jacobians += (uint32_t)p->rows * p->ends;
    }
}

static bool measure_islands(const lode__solve_state *state, const lode__group *group,
                            lode__direct *direct, lode__arena *arena)
{
    direct->islands = LODE__TAKE(arena, island, group->island_end - group->island_begin);
    uint32_t *earliest = LODE__TAKE(arena, uint32_t, group->line_end - group->line_begin);
    if (!direct->islands || !earliest)
        return false;
    uint32_t part = 0;
    for (uint32_t i = group->island_begin; i < group->island_end; ++i) {
        island *out = &direct->islands[direct->island_count];
        *out = (island){.begin = part,
                        .end = part,
                        .line_begin = state->island_line[i],
                        .line_end = state->island_line[i + 1]};
        measure_island(direct, out, earliest);
        part = out->end;
        direct->island_count += out->rows > 0;
    }
    return true;
}

static bool take_work(const lode__group *group, lode__direct *direct, lode__arena *arena)
{
    uint32_t rows = 0, jacobians = 0;
    size_t entries = 0;
    for (uint32_t i = 0; i < direct->island_count; ++i) {
        const island *it = &direct->islands[i];
        jacobians = it->jacobians > jacobians ? it->jacobians : jacobians;
        rows = it->rows > rows ? it->rows : rows;
        entries = it->entries > entries ? it->entries : entries;
    }
    direct->jacobians = LODE__TAKE(arena, jacobian, jacobians);
    direct->change = (double(*)[6])lode__arena_take(arena, (group->line_end - group->line_begin) *
                                                               sizeof *direct->change);
    return direct->jacobians && direct->change &&
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
        group->direct = &all[g];
        if (!list_parts(state, group, &all[g], step->arena) ||
            !measure_islands(state, group, &all[g], step->arena) ||
            !take_work(group, &all[g], step->arena))
            return false;
    }
    return true;
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

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void respond(const lode__inv_mass *m, const double *t, double *out)
{
    out[0] = (double)m->xx * t[0] + (double)m->xy * t[1] + (double)m->xz * t[2];
    out[1] = (double)m->xy * t[0] + (double)m->yy * t[1] + (double)m->yz * t[2];
    out[2] = (double)m->xz * t[0] + (double)m->yz * t[1] + (double)m->zz * t[2];
}

static void set_jacobian(const lode__dense *lines, const part *p, int end, jacobian *out, vec lin,
                         vec ang)
{
    for (int k = 0; k < 3; ++k) {
        out->lin[k] = lin.x[k];
        out->ang[k] = ang.x[k];
    }
    respond(&lines->inv_mass[pushed_line(p, end)], out->ang, out->resp);
}

/* J v of the velocities as they are; a body that nobody can push may move (negative lines). */
static double row_velocity(const lode__direct *direct, const lode__dense *lines, const part *p,
                           int row)
{
    double linear = 0, angular = 0;
    for (int end = 0; end < p->ends; ++end) {
        const jacobian *j = jacobian_at(direct, p, row, end);
        const lode__velocity *v = &lines->velocity[line_of_end(p, end)];
        const double lin[3] = {v->linear.x, v->linear.y, v->linear.z};
        const double ang[3] = {v->angular.x, v->angular.y, v->angular.z};
        linear += dot3(j->lin, lin);
        angular += dot3(j->ang, ang);
    }
    return linear + angular;
}

/* The values of one row but its matrix; gamma waits in w. */
typedef struct row_values {
    double c, gamma, lo, hi, ratio, lambda;
    uint32_t master;
} row_values;

static void set_values(lode__lcp *lcp, uint32_t i, row_values v, double velocity)
{
    lcp->b[i] = v.c - velocity;
    lcp->w[i] = v.gamma;
    lcp->lo[i] = v.lo;
    lcp->hi[i] = v.hi;
    lcp->master[i] = v.master;
    lcp->ratio[i] = v.ratio;
    lcp->x[i] = v.lambda;
}

/* A coefficient that is as good as endless; larger ones leave no digits to the rest. */
#define ENDLESS 1e6

static double coefficient(lode_real x)
{
    return (double)x < ENDLESS ? (double)x : ENDLESS;
}

/* Friction along t1 or t2: bounded by the normal row, or by what it is, where it is a force. */
static row_values friction_values(const part *p, int point, int k, uint32_t normal)
{
    const lode__contact_block *block = p->block;
    const lode__contact_row *row = &block->rows[point];
    const lode__special_lanes *x = special_lanes(p);
    lode_real friction = k == 0 ? block->friction1.x[p->lane] : block->friction2.x[p->lane];
    row_values v = {.lambda = k == 0 ? row->lambda1.x[p->lane] : row->lambda2.x[p->lane],
                    .master = normal,
                    .ratio = coefficient(friction)};
    if (!x)
        return v;
    v.c = k == 0 ? x->motion.y.x[p->lane] : x->motion.z.x[p->lane];
    v.gamma = x->soft[k].x[p->lane];
    if (x->box[k].x[p->lane] > 0) {
        v.hi = (double)friction * (double)x->holds[point].x[p->lane];
        v.lo = -v.hi;
        v.master = LODE__LCP_NONE;
    }
    return v;
}

/* Of the moment that all points share. */
static row_values rolling_values(const part *p, int k, uint32_t normal)
{
    const lode__special_lanes *x = special_lanes(p);
    return (row_values){.lambda = (double)x->roll[k].x[p->lane] / p->points,
                        .master = normal,
                        .ratio = coefficient(x->rolling[k].x[p->lane])};
}

static row_values point_values(const part *p, int point, int row, uint32_t normal)
{
    const lode__contact_row *values = &((const lode__contact_block *)p->block)->rows[point];
    if (row >= ROW_ROLLING)
        return rolling_values(p, row - ROW_ROLLING, normal);
    if (row >= ROW_FRICTION)
        return friction_values(p, point, row - ROW_FRICTION, normal);
    return (row_values){.c = values->c.x[p->lane],
                        .gamma = values->soft.x[p->lane],
                        .hi = (double)LODE__UNBOUNDED,
                        .lambda = values->lambda.x[p->lane],
                        .master = LODE__LCP_NONE};
}

/* Rows of a point: friction along t1 and t2 acts in the plane of the centroid. */
static void read_point(lode__direct *direct, const lode__dense *lines, const part *p, int point,
                       const uint8_t *rows, int count)
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
        vec axis = axes[rows[k]];
        bool pushes = rows[k] < ROW_ROLLING;
        set_jacobian(lines, p, 0, jacobian_at(direct, p, i, 0), pushes ? axis : none,
                     pushes ? cross(ra, axis) : axis);
        set_jacobian(lines, p, 1, jacobian_at(direct, p, i, 1), minus(pushes ? axis : none),
                     minus(pushes ? cross(rb, axis) : axis));
        set_values(&direct->lcp, first + (uint32_t)k, point_values(p, point, rows[k], first),
                   row_velocity(direct, lines, p, i));
    }
}

/* The row of a joint or of a linkage. */
static void read_row(lode__direct *direct, const lode__dense *lines, const part *p, int k,
                     const lode__row *row)
{
    int lane = p->lane;
    double mass = row->mass.x[lane], soft = row->soft.x[lane];
    row_values values = {.c = row->c.x[lane],
                         .gamma = mass > 0 ? soft / mass : 0,
                         .lo = row->lo.x[lane],
                         .hi = row->hi.x[lane],
                         .lambda = row->lambda.x[lane],
                         .master = LODE__LCP_NONE};
    set_values(&direct->lcp, p->row + (uint32_t)k, values, row_velocity(direct, lines, p, k));
}

static void read_joint(lode__direct *direct, const lode__dense *lines, const part *p)
{
    const lode__row_block *block = p->block;
    for (int k = 0; k < p->rows; ++k) {
        const lode__row *row = &block->rows[k];
        vec lin = lane_vec(&row->lin, p->lane);
        set_jacobian(lines, p, 0, jacobian_at(direct, p, k, 0), lin,
                     lane_vec(&row->ang_a, p->lane));
        set_jacobian(lines, p, 1, jacobian_at(direct, p, k, 1), minus(lin),
                     lane_vec(&row->ang_b, p->lane));
        read_row(direct, lines, p, k, row);
    }
}

static void read_linkage(lode__direct *direct, const lode__dense *lines, const part *p)
{
    const lode__linkage_block *block = p->block;
    for (int end = 0; end < p->ends; ++end)
        set_jacobian(lines, p, end, jacobian_at(direct, p, 0, end),
                     lane_vec(&block->end[end].lin, p->lane),
                     lane_vec(&block->end[end].ang, p->lane));
    read_row(direct, lines, p, 0, &block->row);
}

static void read_part(lode__direct *direct, const lode__dense *lines, const part *p)
{
    uint8_t rows[POINT_ROWS];
    int count = p->points > 0 ? list_rows(p, rows) : 0;
    for (int point = 0; point < p->points; ++point)
        read_point(direct, lines, p, point, rows, count);
    if (bucket_is_linkage(p->bucket))
        read_linkage(direct, lines, p);
    else if (p->points == 0)
        read_joint(direct, lines, p);
}

/* --- the matrix */

/* Adds J_i M^-1 J_j^T of the share of one body, which is end s of part p and end t of part q. */
static void couple_ends(const lode__direct *direct, const lode__dense *lines, const part *p, int s,
                        const part *q, int t)
{
    const lode__lcp *lcp = &direct->lcp;
    double inv_mass = lines->inv_mass[line_of_end(p, s)].inv_mass;
    for (uint32_t i = 0; i < p->rows; ++i) {
        double *row = lcp->a + lcp->start[p->row + i];
        const jacobian *a = jacobian_at(direct, p, (int)i, s);
        for (uint32_t j = 0; j < q->rows && q->row + j <= p->row + i; ++j) {
            const jacobian *b = jacobian_at(direct, q, (int)j, t);
            row[q->row + j - p->first] += dot3(a->lin, b->lin) * inv_mass + dot3(a->ang, b->resp);
        }
    }
}

static void couple(const lode__direct *direct, const lode__dense *lines, const part *p,
                   const part *q)
{
    for (int s = 0; s < p->ends; ++s) {
        uint32_t line = pushed_line(p, s);
        for (int t = 0; t < q->ends && line > 0; ++t)
            if (line == pushed_line(q, t))
                couple_ends(direct, lines, p, s, q, t);
    }
}

static void build_matrix(const lode__direct *direct, const lode__dense *lines, const island *it)
{
    const lode__lcp *lcp = &direct->lcp;
    size_t entries = 0;
    uint32_t from = it->begin;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        const part *p = &direct->parts[e];
        for (uint32_t i = p->row; i < p->row + p->rows; ++i) {
            lcp->first[i] = p->first;
            lcp->start[i] = entries;
            for (uint32_t j = p->first; j <= i; ++j)
                lcp->a[entries++] = 0;
        }
        for (from = e; from > it->begin && direct->parts[from - 1].row >= p->first;)
            --from;
        for (uint32_t f = from; f <= e; ++f)
            couple(direct, lines, p, &direct->parts[f]);
        for (uint32_t i = p->row; i < p->row + p->rows; ++i)
            lcp->a[lcp->start[i] + (i - p->first)] += lcp->w[i];
    }
}

/* --- and back */

static void write_point(lode__contact_block *block, const part *p, int point, int row,
                        lode_real impulse)
{
    lode__contact_row *out = &block->rows[point];
    lode__lane *const lanes[ROW_ROLLING] = {&out->lambda, &out->lambda1, &out->lambda2};
    if (row < ROW_ROLLING)
        lanes[row]->x[p->lane] = impulse;
    else
        lode__special_lanes_of(block, p->points)->roll[row - ROW_ROLLING].x[p->lane] += impulse;
}

static void write_contact(lode__contact_block *block, const part *p, const double *x)
{
    uint8_t rows[POINT_ROWS];
    int count = list_rows(p, rows);
    for (int k = 0; bucket_is_special(p->bucket) && k < 3; ++k)
        lode__special_lanes_of(block, p->points)->roll[k].x[p->lane] = 0;
    for (int point = 0; point < p->points; ++point) {
        for (int row = 0; row < ROW_ROLLING; ++row)
            write_point(block, p, point, row, 0);
        for (int k = 0; k < count; ++k)
            write_point(block, p, point, rows[k], (lode_real)*x++);
    }
}

static void write_impulses(const lode__direct *direct, const part *p)
{
    const double *x = direct->lcp.x + p->row;
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

static void push(lode__direct *direct, const lode__dense *lines, const part *p, uint32_t line_begin)
{
    for (int end = 0; end < p->ends; ++end) {
        uint32_t line = pushed_line(p, end);
        if (!line)
            continue;
        double *change = direct->change[line - line_begin];
        double inv_mass = lines->inv_mass[line].inv_mass;
        for (int i = 0; i < p->rows; ++i) {
            const jacobian *j = jacobian_at(direct, p, i, end);
            double x = direct->lcp.x[p->row + (uint32_t)i], linear = x * inv_mass;
            for (int k = 0; k < 3; ++k) {
                change[k] += j->lin[k] * linear;
                change[3 + k] += j->resp[k] * x;
            }
        }
    }
}

static void write_velocities(const lode__direct *direct, const lode__dense *lines, const island *it)
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

static bool solve_island(lode__direct *direct, const lode__dense *lines, const island *it)
{
    for (uint32_t e = it->begin; e < it->end; ++e)
        read_part(direct, lines, &direct->parts[e]);
    build_matrix(direct, lines, it);
    direct->lcp.count = it->rows;
    bool solved = lode__lcp_solve(&direct->lcp);
    for (uint32_t line = it->line_begin; line < it->line_end; ++line)
        for (int k = 0; k < 6; ++k)
            direct->change[line - it->line_begin][k] = 0;
    for (uint32_t e = it->begin; e < it->end; ++e) {
        write_impulses(direct, &direct->parts[e]);
        push(direct, lines, &direct->parts[e], it->line_begin);
    }
    write_velocities(direct, lines, it);
    return solved;
}

void lode__direct_solve(const lode__solver *solver, lode__group *group)
{
    lode__direct *direct = group->direct;
    const lode__dense *lines = &solver->state->lines;
    for (uint32_t i = 0; i < direct->island_count; ++i)
        if (!solve_island(direct, lines, &direct->islands[i]) && group->unsolved++ == 0)
            group->unsolved_body = lines->slot[direct->islands[i].line_begin];
}
