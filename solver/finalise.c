/* finalise.c: what a step leaves behind. Dense lines go back to the pools, impulses to manifolds
 * and joints, for the next step's warm start. A body whose state is no longer finite keeps the pose
 * it had, is stopped and frozen: it takes no part in later steps. Kinematic bodies arrive where
 * their velocities lead. */
#include "core/math.h"
#include "core/fetch.h"
#include "solver/articulation/limbs.h"
#include "solver/joints/axes.h"
#include "solver/kinematic.h"
#include "solver/linkage.h"
#include "solver/softness.h"
#include "solver/state.h"
#include "solver/write_back.h"

#include <string.h>

typedef struct finalise_work {
    const lode__solver *solver;
    const lode__step *step;
    uint8_t *frozen;  /* by line */
    uint8_t *posed;   /* by line: the pose is another */
    lode_real inv_dt; /* 1/s */
} finalise_work;

/* Nothing but what is finite is nothing when it is multiplied by it. */
static lode_real nothing_of(lode_vec3 v)
{
    return v.x * 0 + v.y * 0 + v.z * 0;
}

/* A spin whose square overflows normalises the rotation to nothing. */
static bool line_finite(const lode__dense *lines, uint32_t i)
{
    lode_quat q = lines->pose[i].rotation;
    lode_vec3 gone = lines->delta[i].linear, to = v3_add(lines->pose[i].position, gone);
    lode_real square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    lode_real none = nothing_of(lines->velocity[i].linear) + nothing_of(gone);
    none += nothing_of(lines->velocity[i].angular) + nothing_of(to);
    return square > (lode_real)0.5 && none + square * 0 == 0;
}

/* True when the body's pose is another than before. */
static bool write_line(const lode__pool *bodies, const lode__dense *lines, uint32_t i)
{
    lode__pose now = {.position = v3_add(lines->pose[i].position, lines->delta[i].linear),
                      .rotation = lines->pose[i].rotation};
    return write_body(bodies, lines->slot[i], &now, &lines->velocity[i]);
}

/* What write_line() needs of a body. */
LODE__FETCHER void fetch_body(const lode__pool *bodies, uint32_t slot)
{
    __builtin_prefetch(LODE__AT(body, bodies, pose, slot), 1);
    __builtin_prefetch(LODE__AT(body, bodies, velocity, slot), 1);
    __builtin_prefetch(LODE__AT(body, bodies, force, slot));
}

static void write_lines(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    const lode__pool *bodies = work->solver->bodies;
    const lode__dense *lines = &work->solver->state->lines;
    const uint8_t *loose = work->solver->state->loose; /* have been written */
    if (loose && !memchr(loose + begin, false, end - begin))
        return;
    for (uint32_t i = begin; i < end; ++i) {
        if (loose && loose[i])
            continue;
        if (i + LODE__LINES_AHEAD < end)
            fetch_body(bodies, lines->slot[i + LODE__LINES_AHEAD]);
        work->frozen[i] = !line_finite(lines, i);
        work->posed[i] = !work->frozen[i] && write_line(bodies, lines, i);
        if (work->frozen[i])
            freeze_body(bodies, lines->slot[i]);
    }
}

static void move_kinematic(const lode__solver *solver, const lode__dense *lines,
                           const lode__step *step)
{
    const lode__pool *bodies = solver->bodies;
    for (int32_t line = -(int32_t)lines->kinematic_count; line < 0; ++line) {
        uint32_t slot = lines->slot[line];
        lode__delta moved = delta_at(lines, line, step->dt);
        lode__pose pose = {.position = v3_add(lines->pose[line].position, moved.linear),
                           .rotation = rotation_at(lines, line, step->dt)};
        bool finite = v3_finite(pose.position) && r_finite(v3_length(moved.angular));
        if (finite) {
            *LODE__AT(body, bodies, pose, slot) = pose;
            lode__bits_set(solver->posed, slot);
        } else {
            freeze_body(bodies, slot);
            lode__warn(step, LODE_WARNING_NAN_BODY, 1, slot);
        }
    }
}

/* Of bodies whose inertia turns with them. Spinners of line 0 fill up lanes. */
static void turn_inertia(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    const lode__solve_state *state = work->solver->state;
    const lode__dense *lines = &state->lines;
    work->solver->kernels->rotate_inertia(lines, &state->spinners, begin, end);
    for (uint32_t i = begin; i < end; ++i) {
        int32_t line = state->spinners.line[i];
        if (line > 0 && !work->frozen[line])
            *LODE__AT(body, work->solver->bodies, inv_mass,
                      lines->slot[line]) = lines->inv_mass[line];
    }
}

/* The impulses of a manifold whose friction is the whole's: of its points and of that. */
typedef struct manifold_impulse {
    lode_real point[LODE__MANIFOLD_POINTS][3];
    lode_real whole[3]; /* along both directions, and the twist */
} manifold_impulse;

static lode_real told(const lode__lane *sum, const lode__lane *last, int lane)
{
    return sum->x[lane] + last->x[lane];
}

/* Those of the last sub-step, from which the next step starts, and those of the whole step; of a
 * manifold whose friction is the whole's. */
static void read_impulses(const lode__contact_block *block, int lane, int points,
                          manifold_impulse *last, manifold_impulse *all)
{
    for (int i = 0; i < points; ++i) {
        last->point[i][0] = block->rows[i].lambda.x[lane];
        all->point[i][0] = told(&block->rows[i].told[0], &block->rows[i].lambda, lane);
    }
    const lode__lane *const lanes[3] = {&block->lambda1, &block->lambda2, &block->twist};
    for (int k = 0; k < 3; ++k) {
        last->whole[k] = lanes[k]->x[lane];
        all->whole[k] = told(&block->told[k], lanes[k], lane);
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
            m->points[i].exerted[k] = told(&row->told[k], lanes[k], lane);
        }
    }
}

static void keep_nothing(const lode__pool *manifolds, lode__manifold *m)
{
    if (m->special)
        special_of(manifolds, m)->turn = special_of(manifolds, m)->turned = v3_zero();
    for (int i = 0; i < m->point_count; ++i)
        for (int k = 0; k < 3; ++k)
            m->points[i].impulse[k] = m->points[i].exerted[k] = 0;
}

static lode_vec3 row_vector(const lode__lane3 *field, int lane)
{
    return v3(field->x.x[lane], field->y.x[lane], field->z.x[lane]);
}

/* Moments about t1, t2 and n as one on the manifold's body a, which lanes may have as b. */
static lode_vec3 moment_of(const lode__contact_block *block, int lane, const lode_real m[3],
                           bool swapped)
{
    lode_vec3 n = row_vector(&block->n, lane), t = row_vector(&block->t, lane);
    lode_vec3 sum = v3_madd(v3_scale(t, m[0]), v3_cross(n, t), m[1]);
    sum = v3_madd(sum, n, m[2]);
    return swapped ? v3_neg(sum) : sum;
}

static void keep_special(const finalise_work *work, lode__contact_block *block, int lane,
                         const lode__manifold *m)
{
    lode__special *s = special_of(work->solver->manifolds, m);
    const lode__special_lanes *x = lode__special_lanes_of(block, m->point_count);
    bool swapped = line_of_side(work->solver, m, 0) <= 0;
    lode_real last[3], all[3];
    for (int k = 0; k < 3; ++k) {
        last[k] = x->roll[k].x[lane];
        all[k] = told(&x->told[k], &x->roll[k], lane);
    }
    s->turn = moment_of(block, lane, last, swapped);
    s->turned = moment_of(block, lane, all, swapped);
}

static void keep_contact(const finalise_work *work, lode__contact_block *block, int lane,
                         lode__manifold *m)
{
    if (friction_is_whole(work->step->settings) && m->point_count > 1)
        keep_whole(block, lane, m);
    else
        keep_points(block, lane, m);
    m->turned = is_turned(work->solver, m);
    if (m->special)
        keep_special(work, block, lane, m);
}

/* The torque on body_a about its anchor: a row that has a force pushes through that. */
static lode_vec3 twist_of(const lode__row_block *block, int lane, int rows,
                          const lode__joint_feedback *feedback)
{
    lode_vec3 twist = v3_zero();
    for (int i = block->axes; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        if (row->lin.x.x[lane] == 0 && row->lin.y.x[lane] == 0 && row->lin.z.x[lane] == 0)
            twist = v3_madd(twist, row_vector(&row->ang_a, lane), feedback->row[i]);
    }
    return twist;
}

static void keep_joint(const finalise_work *work, const lode__row_block *block, int lane,
                       uint32_t slot)
{
    const lode__solver *solver = work->solver;
    lode__joint_impulse *impulse = LODE__AT(joint, solver->joints, impulse, slot);
    lode__joint_feedback *feedback = LODE__AT(joint, solver->joints, feedback, slot);
    *impulse = (lode__joint_impulse){0};
    *feedback = (lode__joint_feedback){0};
    lode_vec3 force = row_vector(&block->told_force, lane);
    lode_vec3 torque_a = row_vector(&block->told_torque_a, lane);
    lode_vec3 torque_b = row_vector(&block->told_torque_b, lane);
    int rows = (int)joint_at(solver->joints, slot)->rows;
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        impulse->row[i] = row->lambda.x[lane];
        feedback->row[i] = told(&row->told, &row->lambda, lane) * work->inv_dt;
    }
    if (block->axes) {
        lode_vec3 p = v3(impulse->row[0], impulse->row[1], impulse->row[2]);
        force = v3_add(force, p);
        torque_a = v3_add(torque_a, v3_cross(row_vector(&block->arm_a, lane), p));
        torque_b = v3_sub(torque_b, v3_cross(row_vector(&block->arm_b, lane), p));
    }
    for (int i = block->axes; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        lode_real lambda = impulse->row[i];
        force = v3_madd(force, row_vector(&row->lin, lane), lambda);
        torque_a = v3_madd(torque_a, row_vector(&row->ang_a, lane), lambda);
        torque_b = v3_madd(torque_b, row_vector(&row->ang_b, lane), lambda);
    }
    feedback->force = v3_scale(force, work->inv_dt);
    feedback->torque_a = v3_scale(torque_a, work->inv_dt);
    feedback->torque_b = v3_scale(torque_b, work->inv_dt);
    feedback->twist = twist_of(block, lane, rows, feedback);
}

/* What is told of a block lies there from row prepare on, and the iterations have put it out of the
 * nearest cache: lane by lane all of the next block would be waited for. */
LODE__FETCHER void fetch_block(const lode__solve_chunk *chunk, uint32_t next)
{
    const char *block = chunk->blocks + (size_t)next * chunk->stride;
    for (uint32_t at = 0; next < chunk->count && at < chunk->stride; at += 64)
        __builtin_prefetch(block + at);
}

static void keep_contacts(const finalise_work *work, const lode__solve_chunk *chunk)
{
    const lode__solver *solver = work->solver;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        void *block = chunk->blocks + (size_t)i * chunk->stride;
        fetch_block(chunk, i + 1);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            lode__manifold_fetch(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (contact != LODE__NONE)
                keep_contact(work, block, lane, solver->contacts[contact]);
        }
    }
}

/* The same of joints, of whose rows little is read. */
LODE__FETCHER void fetch_rows(const lode__solve_chunk *chunk, uint32_t next)
{
    const lode__row_block *block = (void *)(chunk->blocks + (size_t)next * chunk->stride);
    int rows = lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
    if (next >= chunk->count)
        return;
    for (const char *at = (const char *)block; at < (const char *)block->rows; at += 64)
        __builtin_prefetch(at);
    for (int i = 0; i < rows; ++i) {
        __builtin_prefetch(&block->rows[i].lambda);
        __builtin_prefetch(&block->rows[i].told);
    }
}

/* Where keep_joint() writes to, and what it asks, of a lane that comes soon. */
LODE__FETCHER void fetch_joint(const lode__solver *solver, const lode__solve_chunk *chunk,
                               uint32_t lane)
{
    uint32_t slot;
    const lode__solve_chunk *next = lode__lane_ahead(solver, chunk, lane, LODE_LANES, &slot);
    if (slot == LODE__NONE || list_of_bucket(next->bucket) != LODE__JOINTS)
        return;
    const char *impulse = (const char *)LODE__AT(joint, solver->joints, impulse, slot);
    const char *feedback = (const char *)LODE__AT(joint, solver->joints, feedback, slot);
    __builtin_prefetch(&joint_at(solver->joints, slot)->rows);
    for (size_t at = 0; at < sizeof(lode__joint_impulse); at += 64)
        __builtin_prefetch(impulse + at, 1);
    for (size_t at = 0; at < sizeof(lode__joint_feedback); at += 64)
        __builtin_prefetch(feedback + at, 1);
}

static void keep_joints(const finalise_work *work, const lode__solve_chunk *chunk)
{
    const lode__solver *solver = work->solver;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        const void *block = chunk->blocks + (size_t)i * chunk->stride;
        fetch_rows(chunk, i + 1);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t joint = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fetch_joint(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (joint != LODE__NONE)
                keep_joint(work, block, lane, joint);
        }
    }
}

static void keep_impulses(const void *context, const lode__solve_chunk *chunk)
{
    const finalise_work *work = context;
    if (bucket_is_contact(chunk->bucket))
        keep_contacts(work, chunk);
    else if (bucket_is_linkage(chunk->bucket))
        lode__linkages_keep(work->solver, chunk, work->inv_dt);
    else
        keep_joints(work, chunk);
}

void lode__group_keep(const lode__solver *solver, const lode__step *step, const lode__group *group)
{
    finalise_work work = {.solver = solver, .step = step, .inv_dt = 1 / step->dt};
    for (uint32_t i = group->chunk_begin; i < group->chunk_end; ++i)
        keep_impulses(&work, &solver->state->chunks[i]);
}

/* --- when the bodies are where they are */

static bool froze(const lode__solver *solver, uint32_t body)
{
    int32_t line = line_of_body(solver->bodies, body);
    return line > 0 && solver->state->frozen[line];
}

/* By how much a body turned in the step, as a rotation vector. */
static lode_vec3 turn_of(const finalise_work *work, uint32_t body)
{
    const lode__solver *solver = work->solver;
    return delta_at(&solver->state->lines, line_of_body(solver->bodies, body), work->step->dt)
        .angular;
}

/* Where the joint's axes stand now. */
static void keep_position(const finalise_work *work, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    static const lode__pose world = {.rotation = {1, 0, 0, 0}};
    const lode__pose *a = LODE__AT(body, solver->bodies, pose, joint->body_a), *b = &world;
    if (joint->body_b != LODE__NONE)
        b = LODE__AT(body, solver->bodies, pose, joint->body_b);
    lode__joint_position *position = LODE__AT(joint, solver->joints, position, slot);
    for (int i = 0; i < lode__joint_types[joint->type].axes; ++i) {
        lode__axis_now axis = lode__axis_at(joint, axes, a, b, i);
        position->axis[i] = lode__axis_position(&axis, position->axis[i]);
        if (axis.adds_up)
            position->axis[i] += v3_dot(
                axis.ang_a, v3_sub(turn_of(work, joint->body_a), turn_of(work, joint->body_b)));
    }
}

static void keep_positions(void *context, uint32_t begin, uint32_t end)
{
    const finalise_work *work = context;
    const lode__solver *solver = work->solver;
    const lode__constraint_list *list = &solver->state->constraints[LODE__JOINTS];
    for (uint32_t i = begin; i < end; ++i) {
        const lode__joint *joint = joint_at(solver->joints, list->all[i].source);
        if (!froze(solver, joint->body_a) && !froze(solver, joint->body_b))
            keep_position(work, list->all[i].source);
    }
}

/* What a body without a finite state was pushed with is no start for the next step. */
static void forget(const lode__solver *solver, const lode__constraint *c, int list)
{
    if (list == LODE__CONTACTS) {
        keep_nothing(solver->manifolds, solver->contacts[c->source]);
        return;
    }
    bool linkage = list == LODE__LINKAGES;
    uint32_t slot = linkage ? solver->state->linkages[c->source].joint : c->source;
    *LODE__AT(joint, solver->joints, impulse, slot) = (lode__joint_impulse){0};
    *LODE__AT(joint, solver->joints, feedback, slot) = (lode__joint_feedback){0};
}

static bool is_any_frozen(const lode__solve_state *state, const lode__constraint *c, int list)
{
    bool any = state->frozen[c->a] || state->frozen[c->b];
    if (list != LODE__LINKAGES)
        return any;
    const lode__linkage_row *row = &state->linkages[c->source];
    for (uint32_t k = row->begin; k < row->end; ++k)
        any = any || state->frozen[state->linkage_ends[k]];
    return any;
}

static void forget_frozen(const lode__solver *solver)
{
    const lode__solve_state *state = solver->state;
    for (int l = 0; l < LODE__LISTS; ++l)
        for (uint32_t i = 0; i < state->constraints[l].count; ++i) {
            const lode__constraint *c = &state->constraints[l].all[i];
            if (is_any_frozen(state, c, l))
                forget(solver, c, l);
        }
}

/* Mostly all are: without a branch. */
static void tell_posed(const lode__solve_state *state, uint64_t *words)
{
    const uint8_t *posed = state->posed;
    const uint32_t *slot = state->lines.slot, end = state->lines.count;
    for (uint32_t i = 1; i < end; ++i)
        words[slot[i] >> 6] |= (uint64_t)posed[i] << (slot[i] & 63);
}

static void tell_frozen(const lode__solver *solver, const lode__step *step)
{
    const lode__solve_state *state = solver->state;
    for (uint32_t i = 1; i < state->lines.count; ++i)
        if (state->frozen[i])
            lode__warn(step, LODE_WARNING_NAN_BODY, 1, state->lines.slot[i]);
    forget_frozen(solver);
}

void lode__finalise_run(lode__solver *solver, const lode__step *step)
{
    lode__solve_state *state = solver->state;
    finalise_work work = {solver, step, state->frozen, state->posed, 1 / step->dt};
    lode__limbs_assert(solver);
    lode__lines_run(state, step->tasks, write_lines, &work);
    lode__limbs_keep(solver, step);
    lode__tasks_run_kept(step->tasks, state->spinners.count, LODE__LINE_GRAIN, turn_inertia, &work);
    lode__blocks_run(state, step->tasks, keep_impulses, &work);
    lode__tasks_run(step->tasks, state->constraints[LODE__JOINTS].count, LODE__LINE_GRAIN,
                    keep_positions, &work);
    move_kinematic(solver, &state->lines, step);
    tell_posed(state, solver->posed->words);
    if (memchr(state->frozen, true, state->lines.count))
        tell_frozen(solver, step);
}
