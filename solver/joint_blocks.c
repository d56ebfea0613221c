/* joint_blocks.c: from joints to blocks of rows and back. A chunk's lanes are read from the
 * pools, and the kernel of the type builds their rows, as the step begins and anew when bodies have
 * moved within it; what the rows have exerted goes back to the joints, for the next step's warm
 * start and to be told. */
#include "solver/joint_blocks.h"

#include "core/fetch.h"
#include "core/math.h"
#include "solver/joints/axes.h"
#include "solver/kinematic.h"
#include "solver/linkage.h"
#include "solver/softness.h"

typedef struct joint_work {
    const lode__solver *solver;
    const lode__step *step;
    const lode__softness *softness;
} joint_work;

/* --- filling */

/* How near a stop it is at it: so far sweeps may leave it away. */
static lode_real near_stop(const lode__step *step, int type, int axis)
{
    bool slides = lode__axis_slides(lode__joint_types[type].axis[axis]);
    return (lode_real)0.001 * (slides ? step->settings->length_unit : 1);
}

/* The directions of a joint whose axes are given. */
static void fill_given(const lode__solver *solver, lode__joint_lanes *out, int lane, uint32_t slot)
{
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    put_lane3(&out->spun, lane, v3_zero());
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        put_lane3(&out->direction[i], lane, lode__given_direction(&axes->axis[i]));
        lode_axis_frame frame = axes->axis[i].frame;
        out->frame[i].x[lane] = (lode_real)((frame == LODE_AXIS_IN_FRAME_B) -
                                            (frame == LODE_AXIS_IN_FRAME_A));
    }
}

static void fill_none_given(lode__joint_lanes *out, int lane)
{
    put_lane3(&out->spun, lane, v3_zero());
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        put_lane3(&out->direction[i], lane, v3(1, 0, 0));
        out->frame[i].x[lane] = 0;
    }
}

static void fill_given_lanes(const lode__solver *solver, const uint32_t *slots,
                             lode__joint_lanes *joints)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        if (slots[lane] == LODE__NONE)
            fill_none_given(joints, lane);
        else
            fill_given(solver, joints, lane, slots[lane]);
}

/* Nothing has been exerted yet. */
static void start_telling(lode__row_block *block, int rows)
{
    block->told_force = block->told_torque_a = block->told_torque_b = (lode__lane3){0};
    for (int i = 0; i < rows; ++i)
        block->rows[i].told = (lode__lane){0};
}

/* What lanes without a joint are read from. */
static const lode__joint no_joint = {.frame_a.rotation = {1, 0, 0, 0},
                                     .frame_b.rotation = {1, 0, 0, 0}};
static const lode__pose no_pose = {.rotation = {1, 0, 0, 0}};
static const lode__velocity no_velocity;
static const lode__joint_impulse no_impulse;
static const lode_joint_axis no_axis;

static void find_body(const lode__solver *solver, lode__joint_sources *out, int which, int lane,
                      uint32_t body)
{
    const lode__pose *pose = &no_pose;
    const lode__velocity *velocity = &no_velocity;
    if (body != LODE__NONE) {
        pose = LODE__AT(body, solver->bodies, pose, body);
        velocity = LODE__AT(body, solver->bodies, velocity, body);
    }
    out->pose[which][lane] = &pose->position.x;
    out->velocity[which][lane] = &velocity->linear.x;
}

/* The world is body b at the joint's own frame, so that no absolute position is computed with:
 * `ground`. */
static void find_joint(const joint_work *work, lode__joint_sources *out, lode__row_block *block,
                       int lane, uint32_t slot, lode__pose *ground)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    row_softness softness = softness_of_joint(work->step, joint);
    block->a[lane] = line_of_body(solver->bodies, joint->body_a);
    block->b[lane] = line_of_body(solver->bodies, joint->body_b);
    block->most_erp.x[lane] = most_erp_between(solver->state, block->a[lane], block->b[lane]);
    out->joint[lane] = joint;
    out->anchor_b[lane] = &joint->frame_b.position.x;
    out->impulse[lane] = LODE__AT(joint, solver->joints, impulse, slot)->row;
    out->erp.x[lane] = softness.erp;
    out->cfm.x[lane] = softness.cfm;
    find_body(solver, out, 0, lane, joint->body_a);
    find_body(solver, out, 1, lane, joint->body_b);
    if (joint->body_b != LODE__NONE)
        return;
    *ground = no_pose;
    ground->position = joint->frame_b.position;
    out->pose[1][lane] = &ground->position.x;
    out->anchor_b[lane] = &no_pose.position.x;
}

static void find_no_joint(const lode__solver *solver, lode__joint_sources *out,
                          lode__row_block *block, int lane)
{
    block->a[lane] = block->b[lane] = 0;
    block->most_erp.x[lane] = 0;
    out->joint[lane] = &no_joint;
    out->anchor_b[lane] = &no_pose.position.x;
    out->impulse[lane] = no_impulse.row;
    out->erp.x[lane] = out->cfm.x[lane] = 0;
    find_body(solver, out, 0, lane, LODE__NONE);
    find_body(solver, out, 1, lane, LODE__NONE);
}

/* Motors and stops of a chunk's lanes. */
typedef struct extra_sources {
    const lode_real *axis[LODE__JOINT_ROWS][LODE_LANES];
} extra_sources;

static void put_extra(lode__extra_lanes *out, lode__row *row, int lane, lode__joint_extra extra,
                      row_softness softness)
{
    out->axis.x[lane] = (lode_real)extra.axis;
    out->stop.x[lane] = extra.stop;
    row->erp.x[lane] = softness.erp;
    row->cfm.x[lane] = softness.cfm;
}

static void find_extras(const joint_work *work, extra_sources *out, lode__row *rows,
                        lode__extra_lanes *extra, int lane, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    const lode__joint_position *last = LODE__AT(joint, solver->joints, position, slot);
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i) {
        const lode_joint_axis *axis = &axes->axis[extras[i].axis];
        put_extra(&extra[i], &rows[i], lane, extras[i],
                  softness_of_extra(work->step, joint, extras[i], axis));
        extra[i].last.x[lane] = last->axis[extras[i].axis];
        extra[i].near.x[lane] = near_stop(work->step, joint->type, extras[i].axis);
        out->axis[i][lane] = &axis->lo_stop;
    }
}

static void find_no_extras(extra_sources *out, lode__row *rows, lode__extra_lanes *extra, int count,
                           int lane)
{
    for (int i = 0; i < count; ++i) {
        put_extra(&extra[i], &rows[i], lane, (lode__joint_extra){0, false}, (row_softness){0, 0});
        extra[i].last.x[lane] = extra[i].near.x[lane] = 0;
        out->axis[i][lane] = &no_axis.lo_stop;
    }
}

/* The rows behind those that the type has. */
static void fill_extras(const joint_work *work, const uint32_t *slots, lode__row *rows,
                        lode__extra_lanes *extra, int count)
{
    extra_sources from;
    for (int lane = 0; lane < LODE_LANES; ++lane)
        if (slots[lane] == LODE__NONE)
            find_no_extras(&from, rows, extra, count, lane);
        else
            find_extras(work, &from, rows, extra, lane, slots[lane]);
    for (int i = 0; i < count; ++i)
        work->solver->kernels->read_extra(from.axis[i], work->softness, &extra[i]);
}

/* What is read of the joint, and of where its bodies are, of lanes that come soon. */
LODE__FETCHER void fetch_joint(const lode__solver *solver, const lode__solve_chunk *chunk,
                               uint32_t lane)
{
    enum { JOINT = 16, BODIES = 8 };
    uint32_t slot;
    const lode__solve_chunk *next = lode__lane_ahead(solver, chunk, lane, JOINT, &slot);
    bool is_joint = slot != LODE__NONE && list_of_bucket(next->bucket) == LODE__JOINTS;
    if (is_joint) {
        const char *joint = (const char *)joint_at(solver->joints, slot);
        const lode__joint_impulse *impulse = LODE__AT(joint, solver->joints, impulse, slot);
        for (size_t at = 0; at < sizeof(lode__joint); at += 64)
            __builtin_prefetch(joint + at);
        __builtin_prefetch(joint + sizeof(lode__joint) - 1);
        __builtin_prefetch(impulse);
        __builtin_prefetch(impulse + 1);
    }
    if (is_joint && lode__bucket_extras(next->bucket - LODE__BUCKET_JOINT) > 0) {
        const char *axis = (const char *)LODE__AT(joint, solver->joints, axes, slot)->axis;
        const lode__joint_position *last = LODE__AT(joint, solver->joints, position, slot);
        for (size_t at = 0; at < sizeof(lode_joint_axis); at += 64)
            __builtin_prefetch(axis + at);
        __builtin_prefetch(axis + sizeof(lode_joint_axis) - 1);
        __builtin_prefetch(last);
    }
    next = lode__lane_ahead(solver, chunk, lane, BODIES, &slot);
    if (slot == LODE__NONE || list_of_bucket(next->bucket) != LODE__JOINTS)
        return;
    const uint32_t body[2] = {joint_at(solver->joints, slot)->body_a,
                              joint_at(solver->joints, slot)->body_b};
    for (int i = 0; i < 2; ++i)
        if (body[i] != LODE__NONE) {
            __builtin_prefetch(LODE__AT(body, solver->bodies, pose, body[i]));
            __builtin_prefetch(LODE__AT(body, solver->bodies, velocity, body[i]));
            __builtin_prefetch(LODE__AT(body, solver->bodies, line, body[i]));
        }
}

static void fill_block(const joint_work *work, const lode__solve_chunk *chunk, uint32_t first,
                       lode__row_block *block)
{
    const lode__solver *solver = work->solver;
    int bucket = chunk->bucket - LODE__BUCKET_JOINT, type = lode__bucket_type(bucket);
    int rows = lode__bucket_rows(bucket), extras = lode__bucket_extras(bucket);
    lode__joint_lanes *joints = lode__joint_lanes_of(block, rows);
    lode__joint_sources from;
    lode__pose ground[LODE_LANES];
    const uint32_t *slots = &chunk->lanes[first];
    from.impulse_scale = work->step->impulse_scale;
    if (!work->step->joints_untold)
        start_telling(block, rows);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        fetch_joint(solver, chunk, first + (uint32_t)lane);
        if (slots[lane] == LODE__NONE)
            find_no_joint(solver, &from, block, lane);
        else
            find_joint(work, &from, block, lane, slots[lane], &ground[lane]);
    }
    solver->kernels->read_joints(&from, block, joints, rows - extras, rows,
                                 lode__joint_types[type].framed);
    if (extras > 0)
        fill_extras(work, slots, &block->rows[rows - extras], joints->extra, extras);
    if (lode__axes_are_given(type))
        fill_given_lanes(solver, slots, joints);
    solver->kernels->build[type](block, joints, rows);
}

void lode__joints_fill(const lode__solver *solver, const lode__step *step,
                       const lode__solve_chunk *chunk, const lode__softness *softness)
{
    const joint_work work = {solver, step, softness};
    for (uint32_t i = 0; i < chunk->count; ++i)
        fill_block(&work, chunk, i * LODE_LANES,
                   (void *)(chunk->blocks + (size_t)i * chunk->stride));
}

/* Bodies that nobody pushes: their lines do not say how they are turned. */
static void turn_kinematic(const lode__dense *lines, const int32_t *index, lode__lane4 *q,
                           lode_real elapsed)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        if (index[lane] < 0)
            put_lane4(q, lane, rotation_at(lines, index[lane], elapsed));
}

/* By how much a's bodies have turned against b's. */
static void set_spun(const lode__dense *lines, const lode__row_block *block,
                     lode__joint_lanes *joints, lode_real elapsed)
{
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        lode__delta a = delta_at(lines, block->a[lane], elapsed);
        lode__delta b = delta_at(lines, block->b[lane], elapsed);
        put_lane3(&joints->spun, lane, v3_sub(a.angular, b.angular));
    }
}

void lode__joint_block_turn(const lode__solver *solver, int bucket, lode__row_block *block,
                            const lode__softness *softness)
{
    const lode__dense *lines = &solver->state->lines;
    bucket -= LODE__BUCKET_JOINT;
    int rows = lode__bucket_rows(bucket), extras = lode__bucket_extras(bucket);
    lode__joint_lanes *joints = lode__joint_lanes_of(block, rows);
    turn_kinematic(lines, block->a, &joints->q_a, softness->elapsed);
    turn_kinematic(lines, block->b, &joints->q_b, softness->elapsed);
    for (int i = 0; i < extras; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane)
            joints->extra[i].recent.x[lane] = lode__recently(softness);
    if (lode__axes_are_given(lode__bucket_type(bucket)))
        set_spun(lines, block, joints, softness->elapsed);
    solver->kernels->joints_now(joints, block, lines, softness);
    solver->kernels->build[lode__bucket_type(bucket)](block, joints, rows);
}

void lode__joints_turn(const lode__solver *solver, const lode__solve_chunk *chunk,
                       const lode__softness *softness)
{
    if (bucket_is_contact(chunk->bucket))
        return;
    if (bucket_is_linkage(chunk->bucket))
        lode__linkages_turn(solver, chunk, softness);
    for (uint32_t i = 0; i < chunk->count && !bucket_is_linkage(chunk->bucket); ++i)
        lode__joint_block_turn(solver, chunk->bucket,
                               (void *)(chunk->blocks + (size_t)i * chunk->stride), softness);
    chunk->kernels->prepare(chunk->blocks, chunk->count, chunk->stride, &solver->state->lines,
                            softness);
    chunk->kernels->put_back(chunk->blocks, chunk->count, chunk->stride, &solver->state->lines,
                             softness);
}

/* --- keeping */

/* What is kept of the next block, which the iterations have put out of the nearest cache; of its
 * rows that is little. */
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

/* Where it goes, of a lane that comes soon. */
LODE__FETCHER void fetch_kept(const lode__solver *solver, const lode__solve_chunk *chunk,
                              uint32_t lane, bool told)
{
    uint32_t slot;
    const lode__solve_chunk *next = lode__lane_ahead(solver, chunk, lane, LODE_LANES, &slot);
    if (slot == LODE__NONE || list_of_bucket(next->bucket) != LODE__JOINTS)
        return;
    const char *impulse = (const char *)LODE__AT(joint, solver->joints, impulse, slot);
    const char *feedback = (const char *)LODE__AT(joint, solver->joints, feedback, slot);
    for (size_t at = 0; at < sizeof(lode__joint_impulse); at += 64)
        __builtin_prefetch(impulse + at, 1);
    for (size_t at = 0; told && at < sizeof(lode__joint_feedback); at += 64)
        __builtin_prefetch(feedback + at, 1);
}

void lode__joints_keep(const lode__solver *solver, const lode__step *step,
                       const lode__solve_chunk *chunk, lode_real inv_dt)
{
    int rows = lode__bucket_rows(chunk->bucket - LODE__BUCKET_JOINT);
    lode__joint_impulse none;
    lode__joint_feedback nobody;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__joint_targets to = {.inv_dt = inv_dt, .told = !step->joints_untold};
        fetch_rows(chunk, i + 1);
        for (uint32_t lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t slot = chunk->lanes[i * LODE_LANES + lane];
            fetch_kept(solver, chunk, i * LODE_LANES + lane, to.told);
            to.lanes |= (unsigned)(slot != LODE__NONE) << lane;
            to.impulse[lane] = none.row;
            to.feedback[lane] = &nobody.force.x;
            if (slot == LODE__NONE)
                continue;
            to.impulse[lane] = LODE__AT(joint, solver->joints, impulse, slot)->row;
            to.feedback[lane] = &LODE__AT(joint, solver->joints, feedback, slot)->force.x;
        }
        solver->kernels->keep_joints((void *)(chunk->blocks + (size_t)i * chunk->stride), rows,
                                     &to);
    }
}
