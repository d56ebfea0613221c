/* settle.c: joints that hold to rounding. Sweeps leave a little of what pushes against a joint, and
 * a body that is to stay in a plane is out of it by so much, or tilts. Where the joint's other body
 * is one that nobody pushes, nothing but the body itself need give way: what the joint holds is
 * solved once more, last before poses move, to the end,
 *
 *     K d = c - J v,   K = J M^-1 J^T,   v += M^-1 J^T d,   lambda += d,
 *
 * and so that a share of the error goes, rounding of poses included. It changes nothing along what
 * the joint leaves free, but for what inertia couples. */
#include "core/math.h"
#include "solver/kinematic.h"
#include "solver/state.h"

/* Of the error, in a sub-step: enough that rounding does not add up, little enough that the
 * rounding of single poses is evened out. */
#define SHARE ((lode_real)0.5)

enum { MOST_ROWS = 6 };

/* The rows of one lane, as they act on the body that is pushed. */
typedef struct settling {
    int rows;
    lode_vec3 lin[MOST_ROWS], ang[MOST_ROWS]; /* Jacobian */
    lode_vec3 response[MOST_ROWS];            /* I^-1 ang */
    lode_real d[MOST_ROWS];                   /* what is wanting, then impulses */
} settling;

static lode_vec3 lane_vector(const lode__lane3 *field, int lane)
{
    return v3(field->x.x[lane], field->y.x[lane], field->z.x[lane]);
}

/* J x of both sides. */
static lode_real along_row(const lode__row *row, int lane, lode_vec3 linear, lode_vec3 turn_a,
                           lode_vec3 turn_b)
{
    return v3_dot(lane_vector(&row->lin, lane), linear) +
           (v3_dot(lane_vector(&row->ang_a, lane), turn_a) +
            v3_dot(lane_vector(&row->ang_b, lane), turn_b));
}

static lode__velocity velocity_of(const lode__dense *lines, int32_t line)
{
    return line == 0 ? (lode__velocity){0} : lines->velocity[line];
}

static lode_vec3 inertia_times(const lode__inv_mass *m, lode_vec3 v)
{
    return v3(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
              m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

/* How large the parts of a dot product are, which its rounding is a share of. */
static lode_real parts(lode_vec3 a, lode_vec3 b)
{
    return r_abs(a.x * b.x) + r_abs(a.y * b.y) + r_abs(a.z * b.z);
}

/* What a row is to gain. After the poses have moved, when something has bounced, a joint's error is
 * left alone; and what is rounding, so that nothing changes but by a bounce. What is left costs
 * energy in the next bounce, by the impulse that the joint bears there. */
static lode_real wanting(const lode__row *row, int lane, lode__velocity a, lode__velocity b,
                         lode_real error, bool relax)
{
    lode_vec3 linear = v3_sub(a.linear, b.linear);
    lode_real rate = along_row(row, lane, linear, a.angular, b.angular);
    if (!relax)
        return -(rate + error);
    lode_real size = parts(lane_vector(&row->lin, lane), linear) +
                     parts(lane_vector(&row->ang_a, lane), a.angular) +
                     parts(lane_vector(&row->ang_b, lane), b.angular);
    return r_abs(rate) > 8 * REAL_EPSILON * size ? -rate : 0;
}

static void settling_load(settling *out, const lode__row_block *block, int lane,
                          const lode__dense *lines, const lode__softness *softness)
{
    int32_t a = block->a[lane], b = block->b[lane];
    lode__velocity va = velocity_of(lines, a), vb = velocity_of(lines, b);
    lode__delta da = delta_at(lines, a, softness->elapsed);
    lode__delta db = delta_at(lines, b, softness->elapsed);
    const lode__inv_mass *mass = &lines->inv_mass[a > 0 ? a : b];
    out->rows = block->unbounded;
    for (int i = 0; i < out->rows; ++i) {
        const lode__row *row = &block->rows[i];
        lode_vec3 lin = lane_vector(&row->lin, lane);
        out->lin[i] = a > 0 ? lin : v3_neg(lin);
        out->ang[i] = lane_vector(a > 0 ? &row->ang_a : &row->ang_b, lane);
        out->response[i] = inertia_times(mass, out->ang[i]);
        lode_real error = row->error.x[lane] + along_row(row, lane, v3_sub(da.linear, db.linear),
                                                         da.angular, db.angular);
        out->d[i] = wanting(row, lane, va, vb, SHARE * softness->inv_h * error, softness->relax);
    }
}

/* By K = L D L^T. What depends on rows before it has a pivot of rounding alone, and no impulse. */
static void settling_solve(settling *s, lode_real inv_mass)
{
    lode_real l[MOST_ROWS][MOST_ROWS], inverse[MOST_ROWS];
    for (int j = 0; j < s->rows; ++j) {
        lode_real all = inv_mass * v3_dot(s->lin[j], s->lin[j]) + v3_dot(s->ang[j], s->response[j]);
        lode_real pivot = all;
        for (int m = 0; m < j; ++m)
            pivot -= l[j][m] * l[j][m] * inverse[m];
        inverse[j] = pivot > all * (64 * REAL_EPSILON) ? 1 / pivot : 0;
        for (int i = j + 1; i < s->rows; ++i) {
            l[i][j] = inv_mass * v3_dot(s->lin[i], s->lin[j]) + v3_dot(s->ang[i], s->response[j]);
            for (int m = 0; m < j; ++m)
                l[i][j] -= l[i][m] * l[j][m] * inverse[m];
        }
    }
    for (int i = 0; i < s->rows; ++i)
        for (int j = 0; j < i; ++j)
            s->d[i] -= l[i][j] * inverse[j] * s->d[j];
    for (int i = s->rows - 1; i >= 0; --i) {
        s->d[i] *= inverse[i];
        for (int j = i + 1; j < s->rows; ++j)
            s->d[i] -= l[j][i] * inverse[i] * s->d[j];
    }
}

static void settle_lane(const lode__dense *lines, lode__row_block *block, int lane,
                        const lode__softness *softness)
{
    int32_t line = block->a[lane] > 0 ? block->a[lane] : block->b[lane];
    lode_real inv_mass = lines->inv_mass[line].inv_mass;
    lode__velocity *v = &lines->velocity[line];
    settling s;
    settling_load(&s, block, lane, lines, softness);
    settling_solve(&s, inv_mass);
    for (int i = 0; i < s.rows; ++i) {
        if (!r_finite(s.d[i])) /* finalise sees to the body */
            return;
        v->linear = v3_madd(v->linear, s.lin[i], inv_mass * s.d[i]);
        v->angular = v3_madd(v->angular, s.response[i], s.d[i]);
        block->rows[i].lambda.x[lane] += s.d[i];
    }
}

static bool settles(const lode__solve_chunk *chunk)
{
    int bucket = chunk->bucket - LODE__BUCKET_JOINT;
    return bucket >= 0 && bucket < LODE__JOINT_BUCKETS &&
           lode__holds_exactly(lode__bucket_type(bucket));
}

void lode__joints_settle(const lode__solver *solver, const lode__solve_chunk *chunk,
                         const lode__softness *softness)
{
    if (!settles(chunk) || chunk->colour == LODE__COLOUR_LIMBS) /* these hold as links do */
        return;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__row_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            if ((block->a[lane] > 0) != (block->b[lane] > 0))
                settle_lane(&solver->state->lines, block, lane, softness);
    }
}

bool lode__joints_must_settle(const lode__solve_state *state)
{
    bool must = false;
    for (uint32_t i = 0; i < state->bucket_count; ++i)
        must = must || settles(&(lode__solve_chunk){.bucket = state->buckets[i]});
    return must;
}
