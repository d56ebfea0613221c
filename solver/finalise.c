/* finalise.c: what a step leaves behind. Dense lines go back to the pools, impulses to manifolds
 * and joints, for the next step's warm start. A body whose state is no longer finite keeps the
 * pose it had, is stopped and frozen: it takes no part in later steps. */
#include "core/math.h"
#include "solver/softness.h"
#include "solver/state.h"

typedef struct finalise_work {
    const lode__solver *solver;
    const lode__step *step;
    uint8_t *frozen; /* by line */
} finalise_work;

static bool line_finite(const lode__dense *lines, uint32_t i)
{
    return v3_finite(lines->velocity[i].linear) && v3_finite(lines->velocity[i].angular) &&
           v3_finite(lines->delta[i].linear) && q_finite(lines->pose[i].rotation) &&
           v3_finite(v3_add(lines->pose[i].position, lines->delta[i].linear));
}

static void freeze(const lode__pool *bodies, uint32_t slot)
{
    *LODE__AT(body, bodies, velocity, slot) = (lode__velocity){0};
    *LODE__AT(body, bodies, force, slot) = (lode__force){0};
    *LODE__AT(body, bodies, flags, slot) |= LODE__BODY_FROZEN;
}

static void write_line(const lode__pool *bodies, const lode__dense *lines, uint32_t i)
{
    uint32_t slot = lines->slot[i];
    lode__pose *pose = LODE__AT(body, bodies, pose, slot);
    pose->position = v3_add(lines->pose[i].position, lines->delta[i].linear);
    pose->rotation = lines->pose[i].rotation;
    *LODE__AT(body, bodies, velocity, slot) = lines->velocity[i];
    *LODE__AT(body, bodies, inv_mass, slot) = lines->inv_mass[i];
    *LODE__AT(body, bodies, force, slot) = (lode__force){0};
}

static void write_lines(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    const lode__pool *bodies = work->solver->bodies;
    const lode__dense *lines = &work->solver->state->lines;
    for (uint32_t i = begin + 1; i < end + 1; ++i) { /* line 0 is the dummy */
        work->frozen[i] = !line_finite(lines, i);
        if (work->frozen[i])
            freeze(bodies, lines->slot[i]);
        else
            write_line(bodies, lines, i);
    }
}

static void rotate_inertia(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    const lode__solve_state *state = work->solver->state;
    work->solver->kernels->rotate_inertia(&state->lines, &state->spinners, begin, end);
}

/* What a body without a finite state was pushed with is no start for the next step. */
static bool froze(const lode__solve_state *state, int32_t line_a, int32_t line_b)
{
    return state->frozen[line_a] || state->frozen[line_b];
}

static void keep_contact(const lode__solver *solver, const lode__contact_block *block, int lane,
                         uint32_t contact)
{
    lode__manifold *m = solver->contacts[contact];
    bool lost = froze(solver->state, block->a[lane], block->b[lane]);
    for (int i = 0; i < m->point_count; ++i) {
        m->points[i].impulse[0] = lost ? 0 : block->rows[i].lambda.x[lane];
        m->points[i].impulse[1] = lost ? 0 : block->rows[i].lambda1.x[lane];
        m->points[i].impulse[2] = lost ? 0 : block->rows[i].lambda2.x[lane];
    }
}

static void keep_joint(const finalise_work *work, const lode__row_block *block, int lane,
                       uint32_t slot)
{
    const lode__solver *solver = work->solver;
    lode__joint_impulse *out = LODE__AT(joint, solver->joints, impulse, slot);
    lode_real per_h = (lode_real)sub_steps_of(work->step->settings) / work->step->dt;
    lode_vec3 force = v3_zero();
    bool lost = froze(solver->state, block->a[lane], block->b[lane]);
    for (int i = 0; i < lode__joint_types[joint_at(solver->joints, slot)->type].rows; ++i) {
        const lode__row *row = &block->rows[i];
        lode_vec3 axis = v3(row->lin.x.x[lane], row->lin.y.x[lane], row->lin.z.x[lane]);
        out->row[i] = lost ? 0 : row->lambda.x[lane];
        force = v3_madd(force, axis, out->row[i] * per_h);
    }
    *LODE__AT(joint, solver->joints, force, slot) = force;
}

static void keep_impulses(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    for (uint32_t c = begin; c < end; ++c) {
        const lode__solve_chunk *chunk = &work->solver->state->chunks[c];
        for (uint32_t i = 0; i < chunk->count; ++i) {
            const void *block = chunk->blocks + (size_t)i * chunk->stride;
            for (int lane = 0; lane < LODE_LANES; ++lane) {
                uint32_t constraint = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
                if (constraint == LODE__NONE)
                    continue;
                if (chunk->bucket >= LODE__BUCKET_JOINT)
                    keep_joint(work, block, lane, constraint);
                else
                    keep_contact(work->solver, block, lane, constraint);
            }
        }
    }
}

void lode__finalise_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    finalise_work work = {solver, step, state->frozen};
    lode__tasks_run(step->tasks, state->spinners.count, LODE__LINE_GRAIN, rotate_inertia, &work);
    lode__tasks_run(step->tasks, state->lines.count - 1, LODE__LINE_GRAIN, write_lines, &work);
    lode__tasks_run(step->tasks, state->chunk_count, 1, keep_impulses, &work);
    for (uint32_t i = 1; i < state->lines.count; ++i)
        step->stats->nan_bodies += state->frozen[i];
    solver->state = NULL;
}
