/* prepare.c: from manifolds and joints to blocks. Each chunk's lanes are filled from the pools,
 * eight records transposed at a time; the kernels then compute what all lanes have in common. */
#include "core/math.h"
#include "solver/softness.h"
#include "solver/state.h"

typedef struct prepare_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness;
} prepare_work;

static void fill_point(lode__contact_row *row, int lane, const lode__point *point,
                       lode_vec3 position)
{
    row->x.x[lane] = position.x;
    row->y.x[lane] = position.y;
    row->c.x[lane] = position.z;
    row->depth.x[lane] = point->depth;
    row->lambda.x[lane] = point->impulse[0];
    row->lambda1.x[lane] = point->impulse[1];
    row->lambda2.x[lane] = point->impulse[2];
}

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

/* A lane's body a is one that moves; where that is the manifold's b, the normal turns. */
static void fill_contact(lode__contact_block *block, int lane, const lode__manifold *m,
                         const lode__pool *bodies)
{
    int32_t a = line_of_body(bodies, m->body_a), b = line_of_body(bodies, m->body_b);
    bool swap = a == 0;
    block->a[lane] = swap ? b : a;
    block->b[lane] = swap ? 0 : b;
    set3(&block->n, lane, swap ? v3_neg(m->normal) : m->normal);
    set3(&block->rb, lane, m->offset);
    block->friction.x[lane] = m->friction;
    block->restitution.x[lane] = m->restitution;
    for (int i = 0; i < m->point_count; ++i) {
        const lode__point *point = &m->points[i];
        lode_vec3 position = swap ? v3_add(point->position, m->offset) : point->position;
        fill_point(&block->rows[i], lane, point, position);
    }
}

/* A lane without a contact: massless, at the dummy line. */
static void fill_nothing(lode__contact_block *block, int lane, int points)
{
    static const lode__point none = {0};
    block->a[lane] = block->b[lane] = 0;
    set3(&block->n, lane, v3_zero());
    set3(&block->rb, lane, v3_zero());
    block->friction.x[lane] = block->restitution.x[lane] = 0;
    for (int i = 0; i < points; ++i)
        fill_point(&block->rows[i], lane, &none, v3_zero());
}

static void prepare_contacts(const prepare_work *work, const lode__solve_chunk *chunk)
{
    const lode__solver *solver = work->solver;
    int points = chunk->bucket % LODE__MANIFOLD_POINTS + 1;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__contact_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            if (contact == LODE__NONE)
                fill_nothing(block, lane, points);
            else
                fill_contact(block, lane, solver->contacts[contact], solver->bodies);
        }
    }
}

static void set_rotation(lode__lane *w, lode__lane *x, lode__lane *y, lode__lane *z, int lane,
                         lode_quat q)
{
    w->x[lane] = q.w;
    x->x[lane] = q.x;
    y->x[lane] = q.y;
    z->x[lane] = q.z;
}

/* Where a body is now, within the step too. */
static lode__pose pose_now(const lode__solver *solver, uint32_t body)
{
    lode__pose pose = *LODE__AT(body, solver->bodies, pose, body);
    int32_t line = line_of_body(solver->bodies, body);
    if (line)
        pose.rotation = solver->state->lines.pose[line].rotation;
    return pose;
}

static lode_vec3 moved_by(const lode__solver *solver, uint32_t body)
{
    int32_t line = line_of_body(solver->bodies, body);
    return line ? solver->state->lines.delta[line].linear : v3_zero();
}

/* The world is body b at the joint's own frame, so that no absolute position is computed with. */
static void fill_frames(const lode__solver *solver, lode__joint_lanes *out, int lane,
                        const lode__joint *joint)
{
    lode__pose pose_a = pose_now(solver, joint->body_a), pose_b = {.rotation = {1, 0, 0, 0}};
    lode_vec3 anchor_b = joint->frame_b.position;
    if (joint->body_b != LODE__NONE) {
        pose_b = pose_now(solver, joint->body_b);
    } else {
        pose_b.position = anchor_b;
        anchor_b = v3_zero();
    }
    lode_vec3 offset = v3_sub(pose_a.position, pose_b.position);
    lode_vec3 moved = v3_sub(moved_by(solver, joint->body_a), moved_by(solver, joint->body_b));
    set3(&out->anchor_a, lane, joint->frame_a.position);
    set3(&out->anchor_b, lane, anchor_b);
    set3(&out->offset, lane, v3_add(offset, moved));
    set_rotation(&out->qa_w, &out->qa_x, &out->qa_y, &out->qa_z, lane, pose_a.rotation);
    set_rotation(&out->qb_w, &out->qb_x, &out->qb_y, &out->qb_z, lane, pose_b.rotation);
}

static void fill_no_frames(lode__joint_lanes *out, int lane)
{
    set3(&out->anchor_a, lane, v3_zero());
    set3(&out->anchor_b, lane, v3_zero());
    set3(&out->offset, lane, v3_zero());
    set_rotation(&out->qa_w, &out->qa_x, &out->qa_y, &out->qa_z, lane, q_identity());
    set_rotation(&out->qb_w, &out->qb_x, &out->qb_y, &out->qb_z, lane, q_identity());
}

static void fill_joint(const prepare_work *work, lode__row_block *block, int lane, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_impulse *old = LODE__AT(joint, solver->joints, impulse, slot);
    block->a[lane] = line_of_body(solver->bodies, joint->body_a);
    block->b[lane] = line_of_body(solver->bodies, joint->body_b);
    block->erp.x[lane] = joint->erp < 0 ? work->step->settings->erp : joint->erp;
    block->cfm.x[lane] = joint->cfm < 0 ? work->step->settings->cfm : joint->cfm;
    for (int i = 0; i < lode__joint_types[joint->type].rows; ++i)
        block->rows[i].lambda.x[lane] = old->row[i];
}

static void fill_no_joint(lode__row_block *block, int lane, int rows)
{
    block->a[lane] = block->b[lane] = 0;
    block->erp.x[lane] = block->cfm.x[lane] = 0;
    for (int i = 0; i < rows; ++i)
        block->rows[i].lambda.x[lane] = 0;
}

/* Has the joints' type write the rows of block `i` for the bodies as they are now. */
static lode__row_block *build_rows(const lode__solver *solver, const lode__solve_chunk *chunk,
                                   uint32_t i)
{
    lode__row_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
    lode__joint_lanes joints;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
        if (slot == LODE__NONE)
            fill_no_frames(&joints, lane);
        else
            fill_frames(solver, &joints, lane, joint_at(solver->joints, slot));
    }
    solver->kernels->build[chunk->bucket - LODE__BUCKET_JOINT](block, &joints);
    return block;
}

static void prepare_joints(const prepare_work *work, const lode__solve_chunk *chunk)
{
    int rows = lode__joint_types[chunk->bucket - LODE__BUCKET_JOINT].rows;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__row_block *block = build_rows(work->solver, chunk, i);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            if (slot == LODE__NONE)
                fill_no_joint(block, lane, rows);
            else
                fill_joint(work, block, lane, slot);
        }
    }
}

/* How far a row's bodies have come along it, by its Jacobian. */
static lode_real row_progress(const lode__row_block *block, const lode__row *row, int lane,
                              const lode__delta *delta)
{
    lode_vec3 linear = v3(row->lin.x.x[lane], row->lin.y.x[lane], row->lin.z.x[lane]);
    lode_vec3 ang_a = v3(row->ang_a.x.x[lane], row->ang_a.y.x[lane], row->ang_a.z.x[lane]);
    lode_vec3 ang_b = v3(row->ang_b.x.x[lane], row->ang_b.y.x[lane], row->ang_b.z.x[lane]);
    const lode__delta *a = &delta[block->a[lane]], *b = &delta[block->b[lane]];
    return v3_dot(linear, v3_sub(a->linear, b->linear)) +
           (v3_dot(ang_a, a->angular) + v3_dot(ang_b, b->angular));
}

/* The refresh of rows adds their progress since the step began to the error at its beginning: the
 * error of rows that were built since is put back to there. */
static void put_errors_back(const lode__solver *solver, lode__row_block *block, int rows)
{
    for (int i = 0; i < rows; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            lode__row *row = &block->rows[i];
            row->error.x[lane] -= row_progress(block, row, lane, solver->state->lines.delta);
        }
}

void lode__joints_turn(const lode__solver *solver, const lode__solve_chunk *chunk,
                       const lode__softness *softness)
{
    if (chunk->bucket < LODE__BUCKET_JOINT)
        return;
    for (uint32_t i = 0; i < chunk->count; ++i)
        put_errors_back(solver, build_rows(solver, chunk, i),
                        lode__joint_types[chunk->bucket - LODE__BUCKET_JOINT].rows);
    chunk->kernels->prepare(chunk->blocks, chunk->count, chunk->stride, &solver->state->lines,
                            softness);
}

static void prepare_chunks(void *context, uint32_t begin, uint32_t end)
{
    const prepare_work *work = context;
    const lode__solve_state *state = work->solver->state;
    for (uint32_t i = begin; i < end; ++i) {
        const lode__solve_chunk *chunk = &state->chunks[i];
        if (chunk->bucket >= LODE__BUCKET_JOINT)
            prepare_joints(work, chunk);
        else
            prepare_contacts(work, chunk);
        chunk->kernels->prepare(chunk->blocks, chunk->count, chunk->stride, &state->lines,
                                &work->softness);
    }
}

bool lode__row_prepare_run(lode__solver *solver, const lode__step *step)
{
    prepare_work work = {solver, step, softness_of(step->settings, step->dt)};
    lode__tasks_run(step->tasks, solver->state->chunk_count, 1, prepare_chunks, &work);
    return true;
}
