/* finalise.c: what a step leaves behind. Dense lines go back to the pools, impulses to manifolds
 * and joints, for the next step's warm start. A body whose state is no longer finite keeps the pose
 * it had, is stopped and frozen: it takes no part in later steps. Kinematic bodies arrive where
 * their velocities lead. */
#include "core/math.h"
#include "core/fetch.h"
#include "solver/articulation/limbs.h"
#include "solver/contact_blocks.h"
#include "solver/joint_blocks.h"
#include "solver/joints/axes.h"
#include "solver/kinematic.h"
#include "solver/linkage.h"
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

static lode_real sum_of(lode_vec3 v)
{
    return v.x + v.y + v.z;
}

/* A spin whose square overflows normalises the rotation to nothing. A sum that is finite has no
 * other terms; of finite ones it may yet overflow. */
static bool line_finite(const lode__dense *lines, uint32_t i)
{
    const lode__velocity *v = &lines->velocity[i];
    lode_quat q = lines->pose[i].rotation;
    lode_vec3 to = v3_add(lines->pose[i].position, lines->delta[i].linear);
    lode_real square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(square > (lode_real)0.5 && r_finite(square)))
        return false;
    return r_finite(sum_of(v->linear) + sum_of(v->angular) + sum_of(to)) ||
           nothing_of(v->linear) + nothing_of(v->angular) + nothing_of(to) == 0;
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

static void keep_impulses(const void *context, const lode__solve_chunk *chunk)
{
    const finalise_work *work = context;
    if (bucket_is_contact(chunk->bucket))
        lode__contacts_keep(work->solver, work->step, chunk);
    else if (bucket_is_linkage(chunk->bucket))
        lode__linkages_keep(work->solver, chunk, work->inv_dt);
    else
        lode__joints_keep(work->solver, work->step, chunk, work->inv_dt);
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
        lode__contact_forget(solver, solver->contacts[c->source]);
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
