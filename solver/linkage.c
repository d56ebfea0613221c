/* linkage.c: see linkage.h. From records of the joints' pool to rows and blocks.
 *
 * A coupling's row is the sum of other joints' rows: the Jacobian of each term's axis by its ratio,
 * added up body by body, since several terms may have a body in common. A term may be an axis of
 * any kind, so it is computed for itself, by what answers questions about single joints (axes.h);
 * what the row then does about it, and all of the iterations, is done for eight at a time. */
#include "solver/linkage.h"

#include "core/union_find.h"
#include "solver/joints/axes.h"
#include "solver/kinematic.h"
#include "solver/softness.h"

#include <math.h>

static const lode__joint_arm *arm_at(const lode__solver *solver, uint32_t slot)
{
    return LODE__AT(joint, solver->joints, arm, slot);
}

/* Body `end` of a record, 0 or 1. */
static uint32_t body_at(const lode__solver *solver, uint32_t record, int end)
{
    const lode__joint *joint = joint_at(solver->joints, record);
    return end ? joint->body_b : joint->body_a;
}

/* --- listing */

/* A coupling rests while a joint of its terms is disabled. */
static bool holds(const lode__solver *solver, uint32_t slot)
{
    for (uint32_t at = slot; at != LODE__NONE; at = arm_at(solver, at)->next) {
        uint32_t term = arm_at(solver, at)->term;
        if (term != LODE__NONE && (joint_at(solver->joints, term)->flags & LODE__JOINT_DISABLED))
            return false;
    }
    return joint_at(solver->joints, slot)->type != LODE_JOINT_ROWS || solver->write_row;
}

static uint32_t next_linkage(const lode__solver *solver, uint32_t slot)
{
    const lode__bits *active = solver->active_joints;
    slot = lode__bits_next(active, slot);
    while (slot < solver->joints->end && !joint_is_linkage(joint_at(solver->joints, slot)))
        slot = lode__bits_next(active, slot + 1);
    return slot;
}

static int class_of(int ends)
{
    int class = 0;
    while (1 << class < ends)
        ++class;
    return class;
}

static bool is_link(const lode__solver *solver, uint32_t body)
{
    return *LODE__AT(body, solver->bodies, flags, body) & LODE__BODY_LINK;
}

/* Lists the bodies of a linkage that can be pushed, and says whether one is a link of an
 * articulation; returns how many. */
static uint32_t list_ends(const lode__solver *solver, uint32_t slot, uint32_t *out,
                          bool *out_linked)
{
    uint32_t count = 0;
    *out_linked = false;
    for (uint32_t at = slot; at != LODE__NONE; at = arm_at(solver, at)->next)
        for (int end = 0; end < 2; ++end) {
            int32_t line = line_of_body(solver->bodies, body_at(solver, at, end));
            if (line <= 0)
                continue;
            out[count++] = (uint32_t)line;
            *out_linked = *out_linked || is_link(solver, body_at(solver, at, end));
        }
    return count;
}

static void list_linkage(const lode__solver *solver, uint32_t slot, uint32_t *ends)
{
    lode__solve_state *state = solver->state;
    lode__constraint_list *list = &state->constraints[LODE__LINKAGES];
    bool linked;
    uint32_t count = list_ends(solver, slot, state->linkage_ends + *ends, &linked);
    int class = class_of(arm_at(solver, slot)->ends), rows = joint_at(solver->joints, slot)->rows;
    for (int row = 0; row < rows && count > 0; ++row) {
        state->linkages[list->count] = (lode__linkage_row){
            .joint = slot, .row = (uint8_t)row, .begin = *ends, .end = *ends + count};
        list->all[list->count] = (lode__constraint){
            .a = state->linkage_ends[*ends],
            .b = count > 1 ? state->linkage_ends[*ends + 1] : 0,
            .source = list->count,
            .bucket = (uint8_t)(LODE__BUCKET_LINKAGE + class),
            .rows = 1,
            .colour = linked ? LODE__COLOUR_LIMBS : LODE__COLOUR_PAIR_REST,
        };
        ++list->count;
    }
    *ends += count;
}

bool lode__linkages_list(lode__solver *solver, const lode__step *step, lode__bucket_set *seen)
{
    lode__solve_state *state = solver->state;
    lode__constraint_list *list = &state->constraints[LODE__LINKAGES];
    const lode__pool *joints = solver->joints;
    uint32_t rows = 0, ends = 0;
    for (uint32_t slot = next_linkage(solver, 0); slot < joints->end;
         slot = next_linkage(solver, slot + 1)) {
        rows += joint_at(joints, slot)->rows;
        ends += arm_at(solver, slot)->ends;
    }
    if (rows == 0)
        return true;
    state->linkages = LODE__TAKE(step->arena, lode__linkage_row, rows);
    state->linkage_ends = LODE__TAKE(step->arena, uint32_t, ends);
    list->all = LODE__TAKE(step->arena, lode__constraint, rows);
    list->order = LODE__TAKE(step->arena, uint32_t, rows);
    if (!state->linkages || !state->linkage_ends || !list->all || !list->order)
        return false;
    ends = 0;
    for (uint32_t slot = next_linkage(solver, 0); slot < joints->end;
         slot = next_linkage(solver, slot + 1)) {
        bucket_see(seen, LODE__BUCKET_LINKAGE + class_of(arm_at(solver, slot)->ends));
        if (holds(solver, slot))
            list_linkage(solver, slot, &ends);
    }
    return true;
}

void lode__linkages_join(const lode__solve_state *state, uint32_t *parent)
{
    for (uint32_t i = 0; i < state->constraints[LODE__LINKAGES].count; ++i) {
        const lode__linkage_row *row = &state->linkages[i];
        for (uint32_t k = row->begin + 1; k < row->end && row->row == 0; ++k)
            lode__union_join(parent, state->linkage_ends[k - 1] - 1, state->linkage_ends[k] - 1);
    }
}

void lode__linkages_find_lines(const lode__solve_state *state, const uint32_t *line_of_place)
{
    for (uint32_t i = 0; i < state->constraints[LODE__LINKAGES].count; ++i) {
        const lode__linkage_row *row = &state->linkages[i];
        for (uint32_t k = row->begin; k < row->end && row->row == 0; ++k)
            state->linkage_ends[k] = line_of_place[state->linkage_ends[k] - 1];
    }
}

/* --- colours */

enum { LINKAGE_COLOURS = 32 };

/* Rows beyond the last colour are alone in their blocks. */
void lode__linkage_colour(const lode__solve_state *state, uint32_t source)
{
    lode__linkage_row *row = &state->linkages[source];
    uint32_t taken = 0;
    for (uint32_t k = row->begin; k < row->end; ++k)
        taken |= state->linkage_colours[state->linkage_ends[k]];
    if (taken == UINT32_MAX) {
        row->colour = LINKAGE_COLOURS + source;
        return;
    }
    row->colour = (uint32_t)__builtin_ctz(~taken);
    for (uint32_t k = row->begin; k < row->end; ++k)
        state->linkage_colours[state->linkage_ends[k]] |= 1u << row->colour;
}

/* --- blocks */

size_t lode__linkage_block_size(int ends)
{
    size_t room = sizeof(lode__linkage_end) + sizeof(lode_row_body) + 2 * sizeof(lode_vec3);
    size_t size = sizeof(lode__linkage_block) + (size_t)ends * room;
    size_t align = _Alignof(lode__linkage_block);
    return (size + align - 1) / align * align;
}

/* What the row of one lane is written in. */
typedef struct room {
    lode_row_body *bodies;
    lode_vec3 *linear, *angular;
} room;

static room room_of(lode__linkage_block *block)
{
    room out;
    out.bodies = (lode_row_body *)(void *)&block->end[block->ends];
    out.linear = (lode_vec3 *)(void *)&out.bodies[block->ends];
    out.angular = out.linear + block->ends;
    return out;
}

typedef struct fill_work {
    const lode__solver *solver;
    const lode__softness *softness;
    const lode__linkage_row *row;
    int lane;
} fill_work;

static const lode__joint *joint_of(const fill_work *work)
{
    return joint_at(work->solver->joints, work->row->joint);
}

static int ends_of(const fill_work *work)
{
    return arm_at(work->solver, work->row->joint)->ends;
}

/* Where a body is now; one that does not move, or is frozen, where it was. */
static lode_row_body body_now(const fill_work *work, uint32_t slot)
{
    const lode__pool *bodies = work->solver->bodies;
    const lode__dense *lines = &work->solver->state->lines;
    if (slot == LODE__NONE)
        return (lode_row_body){.rotation = {1, 0, 0, 0}};
    const lode__pose *pose = LODE__AT(body, bodies, pose, slot);
    int32_t line = line_of_body(bodies, slot);
    if (line == 0)
        return (lode_row_body){.center = pose->position, .rotation = pose->rotation};
    lode__delta delta = delta_at(lines, line, work->softness->elapsed);
    return (lode_row_body){.center = v3_add(lines->pose[line].position, delta.linear),
                           .rotation = rotation_at(lines, line, work->softness->elapsed)};
}

static void begin_row(const fill_work *work, const room *in)
{
    int end = 0, ends = ends_of(work);
    for (uint32_t at = work->row->joint; end < ends; at = arm_at(work->solver, at)->next)
        for (int k = 0; k < 2 && end < ends; ++k, ++end)
            in->bodies[end] = body_now(work, body_at(work->solver, at, k));
    for (end = 0; end < ends; ++end)
        in->linear[end] = in->angular[end] = v3_zero();
}

/* A coupling's terms; the end that is the world is none of its bodies. */
static lode__pose pose_of_end(const room *in, uint16_t end)
{
    static const lode__pose world = {.rotation = {1, 0, 0, 0}};
    return end == LODE__NO_END ? world
                               : (lode__pose){.position = in->bodies[end].center,
                                              .rotation = in->bodies[end].rotation};
}

static void add_to_end(const room *in, uint16_t end, lode_vec3 lin, lode_vec3 ang, lode_real ratio)
{
    if (end == LODE__NO_END)
        return;
    in->linear[end] = v3_madd(in->linear[end], lin, ratio);
    in->angular[end] = v3_madd(in->angular[end], ang, ratio);
}

/* Returns what a term adds to the position. */
static lode_real add_term(const lode__solver *solver, const lode__joint_arm *arm, const room *in)
{
    lode__pose a = pose_of_end(in, arm->end_a), b = pose_of_end(in, arm->end_b);
    lode__axis_now axis = lode__axis_at(joint_at(solver->joints, arm->term),
                                        LODE__AT(joint, solver->joints, axes, arm->term), &a, &b,
                                        arm->axis);
    lode_real last = LODE__AT(joint, solver->joints, position, arm->term)->axis[arm->axis];
    add_to_end(in, arm->end_a, axis.lin, axis.ang_a, arm->ratio);
    add_to_end(in, arm->end_b, v3_neg(axis.lin), axis.ang_b, arm->ratio);
    return arm->ratio * lode__axis_position(&axis, last);
}

/* How fast the row's sum changed when the step began. */
static lode_real rate_at_start(const fill_work *work, const room *in)
{
    lode_real rate = 0;
    int end = 0, ends = ends_of(work);
    for (uint32_t at = work->row->joint; end < ends; at = arm_at(work->solver, at)->next)
        for (int k = 0; k < 2 && end < ends; ++k, ++end) {
            const lode__velocity *v = LODE__AT(body, work->solver->bodies, velocity,
                                               body_at(work->solver, at, k));
            rate += v3_dot(in->linear[end], v->linear) + v3_dot(in->angular[end], v->angular);
        }
    return rate;
}

static void build_coupling(const fill_work *work, lode__linkage_block *block, const room *in)
{
    lode_real position = 0;
    for (uint32_t at = work->row->joint; at != LODE__NONE; at = arm_at(work->solver, at)->next)
        if (arm_at(work->solver, at)->term != LODE__NONE)
            position += add_term(work->solver, arm_at(work->solver, at), in);
    block->position.x[work->lane] = position;
    block->rate.x[work->lane] = rate_at_start(work, in);
}

static bool row_is_sound(const lode_row *row, int ends)
{
    bool sound = r_finite(row->error) && r_finite(row->target) && row->min_force <= 0 &&
                 row->max_force >= 0;
    for (int i = 0; i < ends; ++i)
        sound = sound && v3_finite(row->linear[i]) && v3_finite(row->angular[i]);
    return sound;
}

/* The impulse of a force in one sub-step. */
static lode_real impulse_of(lode_real force, const lode__softness *softness)
{
    return r_max(r_min(force / softness->inv_h, LODE__UNBOUNDED), -LODE__UNBOUNDED);
}

static void build_given(const fill_work *work, lode__linkage_block *block, const room *in)
{
    int lane = work->lane, ends = ends_of(work);
    lode_row row = {.linear = in->linear,
                    .angular = in->angular,
                    .min_force = -INFINITY,
                    .max_force = INFINITY};
    work->solver->write_row(work->solver->write_row_context, work->row->joint, in->bodies, ends,
                            work->row->row, &row);
    if (!row_is_sound(&row, ends)) {
        row.error = row.target = row.min_force = row.max_force = 0;
        for (int i = 0; i < ends; ++i)
            in->linear[i] = in->angular[i] = v3_zero();
    }
    block->row.error.x[lane] = row.error;
    block->row.target.x[lane] = row.target;
    block->row.lo.x[lane] = impulse_of(row.min_force, work->softness);
    block->row.hi.x[lane] = impulse_of(row.max_force, work->softness);
}

static void build_lane(const fill_work *work, lode__linkage_block *block)
{
    room in = room_of(block);
    begin_row(work, &in);
    if (joint_of(work)->type == LODE_JOINT_ROWS)
        build_given(work, block, &in);
    else
        build_coupling(work, block, &in);
    for (int end = 0; end < ends_of(work); ++end) {
        put_lane3(&block->end[end].lin, work->lane, in.linear[end]);
        put_lane3(&block->end[end].ang, work->lane, in.angular[end]);
    }
}

/* Of a lane without a row: no body, nothing to do. */
static void clear_lane(lode__linkage_block *block, int lane)
{
    lode__lane *const all[] = {&block->row.lambda, &block->row.told,   &block->row.error,
                               &block->row.target, &block->row.lo,     &block->row.hi,
                               &block->row.erp,    &block->row.cfm,    &block->most_erp,
                               &block->position,   &block->rate,       &block->extra.axis,
                               &block->extra.stop, &block->extra.near, &block->extra.last};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        all[i]->x[lane] = 0;
    block->given.x[lane] = 1;
    for (int end = 0; end < block->ends; ++end) {
        block->end[end].line[lane] = 0;
        put_lane3(&block->end[end].lin, lane, v3_zero());
        put_lane3(&block->end[end].ang, lane, v3_zero());
    }
}

/* Of its island: the first line of a row is one that can be pushed. */
static lode_real most_erp_of(const lode__solve_state *state, const lode__linkage_row *row)
{
    return most_erp_between(state, (int32_t)state->linkage_ends[row->begin], 0);
}

/* Its axis, if it has one. */
static void fill_lane(const fill_work *work, const lode__step *step, lode__linkage_block *block,
                      const lode_real **out_axis)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_of(work);
    uint32_t slot = work->row->joint, at = slot;
    int lane = work->lane, row = work->row->row, ends = ends_of(work);
    bool given = joint->type == LODE_JOINT_ROWS;
    for (int end = 0; end < ends; at = arm_at(solver, at)->next)
        for (int k = 0; k < 2 && end < ends; ++k, ++end)
            block->end[end].line[lane] = line_of_body(solver->bodies, body_at(solver, at, k));
    block->given.x[lane] = given;
    block->row.lambda.x[lane] = LODE__AT(joint, solver->joints, impulse, slot)->row[row] *
                                step->impulse_scale;
    row_softness softness = softness_of_joint(step, joint);
    if (!given) {
        const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
        lode__joint_extra extras[LODE__JOINT_ROWS];
        lode__joint_extras(joint->type, axes, extras);
        block->extra.axis.x[lane] = (lode_real)extras[row].axis;
        block->extra.stop.x[lane] = extras[row].stop;
        block->extra.near.x[lane] = (lode_real)0.001;
        *out_axis = &axes->axis[0].lo_stop;
        softness = softness_of_extra(step, joint, extras[row], &axes->axis[0]);
    }
    block->most_erp.x[lane] = most_erp_of(solver->state, work->row);
    block->row.erp.x[lane] = softness.erp;
    block->row.cfm.x[lane] = softness.cfm;
    build_lane(work, block);
}

static lode__linkage_block *block_at(const lode__solve_chunk *chunk, uint32_t i)
{
    return (void *)(chunk->blocks + (size_t)i * chunk->stride);
}

static const lode__linkage_row *row_at(const lode__solver *solver, const lode__solve_chunk *chunk,
                                       uint32_t block, int lane)
{
    uint32_t source = chunk->lanes[block * LODE_LANES + (uint32_t)lane];
    return source == LODE__NONE ? NULL : &solver->state->linkages[source];
}

void lode__linkages_fill(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk, const lode__softness *softness)
{
    static const lode_joint_axis no_axis;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__linkage_block *block = block_at(chunk, i);
        const lode_real *axis[LODE_LANES];
        block->ends = 1 << (chunk->bucket - LODE__BUCKET_LINKAGE);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            fill_work work = {solver, softness, row_at(solver, chunk, i, lane), lane};
            axis[lane] = &no_axis.lo_stop;
            clear_lane(block, lane);
            if (work.row)
                fill_lane(&work, step, block, &axis[lane]);
        }
        solver->kernels->read_extra(axis, softness, &block->extra);
        solver->kernels->build_linkage(block);
    }
}

void lode__linkages_turn(const lode__solver *solver, const lode__solve_chunk *chunk,
                         const lode__softness *softness)
{
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__linkage_block *block = block_at(chunk, i);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            fill_work work = {solver, softness, row_at(solver, chunk, i, lane), lane};
            block->extra.recent.x[lane] = lode__recently(softness);
            if (work.row)
                build_lane(&work, block);
        }
        solver->kernels->build_linkage(block);
    }
}

void lode__linkages_keep(const lode__solver *solver, const lode__solve_chunk *chunk,
                         lode_real inv_dt)
{
    for (uint32_t i = 0; i < chunk->count; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            const lode__linkage_row *row = row_at(solver, chunk, i, lane);
            if (!row)
                continue;
            const lode__row *from = &block_at(chunk, i)->row;
            lode_real lambda = from->lambda.x[lane];
            LODE__AT(joint, solver->joints, impulse, row->joint)->row[row->row] = lambda;
            LODE__AT(joint, solver->joints, feedback, row->joint)->row[row->row] =
                (from->told.x[lane] + lambda) * inv_dt;
        }
}
