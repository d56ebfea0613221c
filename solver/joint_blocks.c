/* joint_blocks.c: from joints to blocks of rows and back. A chunk's lanes are filled from the
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

/* The world is body b at the joint's own frame, so that no absolute position is computed with. */
static void fill_frames(const lode__solver *solver, lode__joint_lanes *out, int lane,
                        const lode__joint *joint, const lode__row_block *block)
{
    const lode__pose *a = LODE__AT(body, solver->bodies, pose, joint->body_a);
    lode_vec3 from = joint->frame_b.position, anchor_b = v3_zero();
    lode_quat turn_b = q_identity();
    if (joint->body_b != LODE__NONE) {
        const lode__pose *b = LODE__AT(body, solver->bodies, pose, joint->body_b);
        anchor_b = from;
        from = b->position;
        turn_b = b->rotation;
    }
    lode_vec3 start = v3_sub(a->position, from);
    put_lane3(&out->anchor_a, lane, joint->frame_a.position);
    put_lane3(&out->anchor_b, lane, anchor_b);
    put_lane3(&out->start, lane, start);
    put_lane3(&out->offset, lane, start);
    put_lane4(&out->q_a, lane, a->rotation);
    put_lane4(&out->q_b, lane, turn_b);
    out->pushed_a.x[lane] = block->a[lane] > 0;
    out->pushed_b.x[lane] = block->b[lane] > 0;
}

static lode__velocity velocity_at_start(const lode__solver *solver, uint32_t body)
{
    return body == LODE__NONE ? (lode__velocity){0}
                              : *LODE__AT(body, solver->bodies, velocity, body);
}

lode_real lode__recently(const lode__softness *softness)
{
    return 2 * (softness->elapsed + 1 / softness->inv_h);
}

/* How near a stop it is at it: so far sweeps may leave it away. */
static lode_real near_stop(const lode__step *step, int type, int axis)
{
    bool slides = lode__axis_slides(lode__joint_types[type].axis[axis]);
    return (lode_real)0.001 * (slides ? step->settings->length_unit : 1);
}

void lode__extra_fill(lode__extra_lanes *out, int lane, lode__joint_extra extra,
                      const lode_joint_axis *axis, lode_real last, const lode__softness *softness)
{
    out->axis.x[lane] = (lode_real)extra.axis;
    out->stop.x[lane] = extra.stop;
    bool is_servo = axis->servo > 0;
    out->vel.x[lane] = is_servo ? r_min(r_abs(axis->vel), LODE__UNBOUNDED) : axis->vel;
    out->servo.x[lane] = is_servo ? 1 / (1 / axis->servo + 1 / softness->inv_h) : 0;
    out->target.x[lane] = axis->target;
    out->max_impulse.x[lane] = r_min(axis->f_max / softness->inv_h, LODE__UNBOUNDED);
    out->fudge.x[lane] = axis->fudge_factor;
    out->lo_stop.x[lane] = r_max(axis->lo_stop, -LODE__UNBOUNDED);
    out->hi_stop.x[lane] = r_min(axis->hi_stop, LODE__UNBOUNDED);
    out->bounce.x[lane] = axis->bounce;
    out->recent.x[lane] = lode__recently(softness);
    out->soft.x[lane] = axis->stop_cfm > 0;
    out->last.x[lane] = last;
}

/* What else joints are built from whose frames matter, and their motors and stops. */
static void fill_axes(const joint_work *work, lode__joint_lanes *out, int lane, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    const lode__joint_position *last = LODE__AT(joint, solver->joints, position, slot);
    lode__joint_extra extras[LODE__JOINT_ROWS];
    put_lane4(&out->frame_a, lane, joint->frame_a.rotation);
    put_lane4(&out->frame_b, lane, joint->frame_b.rotation);
    lode__velocity a = velocity_at_start(solver, joint->body_a);
    lode__velocity b = velocity_at_start(solver, joint->body_b);
    put_lane3(&out->drift, lane, v3_sub(a.linear, b.linear));
    put_lane3(&out->spin_a, lane, a.angular);
    put_lane3(&out->spin_b, lane, b.angular);
    out->distance.x[lane] = joint->distance;
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i) {
        int axis = extras[i].axis;
        lode__extra_fill(&out->extra[i], lane, extras[i], &axes->axis[axis], last->axis[axis],
                         work->softness);
        out->extra[i].near.x[lane] = near_stop(work->step, joint->type, axis);
    }
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

static void fill_no_frames(lode__joint_lanes *out, int lane, int extras,
                           const lode__softness *softness)
{
    static const lode_joint_axis none = {0};
    lode__lane3 *const vectors[] = {&out->anchor_a, &out->anchor_b, &out->start, &out->offset,
                                    &out->drift,    &out->spin_a,   &out->spin_b};
    lode__lane4 *const rotations[] = {&out->q_a, &out->q_b, &out->frame_a, &out->frame_b};
    for (int i = 0; i < 7; ++i)
        put_lane3(vectors[i], lane, v3_zero());
    for (int i = 0; i < 4; ++i)
        put_lane4(rotations[i], lane, q_identity());
    out->pushed_a.x[lane] = out->pushed_b.x[lane] = out->distance.x[lane] = 0;
    for (int i = 0; i < extras; ++i) {
        lode__extra_fill(&out->extra[i], lane, (lode__joint_extra){0, false}, &none, 0, softness);
        out->extra[i].near.x[lane] = 0;
    }
}

static void set_softness(lode__row *row, int lane, row_softness s)
{
    row->erp.x[lane] = s.erp;
    row->cfm.x[lane] = s.cfm;
}

/* Nothing has been exerted yet. */
static void start_telling(lode__row_block *block, int rows)
{
    block->told_force = block->told_torque_a = block->told_torque_b = (lode__lane3){0};
    for (int i = 0; i < rows; ++i)
        block->rows[i].told = (lode__lane){0};
}

static void fill_joint(const joint_work *work, lode__row_block *block, int lane, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_impulse *old = LODE__AT(joint, solver->joints, impulse, slot);
    int rows = lode__joint_types[joint->type].rows;
    block->a[lane] = line_of_body(solver->bodies, joint->body_a);
    block->b[lane] = line_of_body(solver->bodies, joint->body_b);
    for (int i = 0; i < (int)joint->rows; ++i)
        block->rows[i].lambda.x[lane] = old->row[i] * work->step->impulse_scale;
    row_softness softness = softness_of_joint(work->step, joint);
    for (int i = 0; i < rows; ++i)
        set_softness(&block->rows[i], lane, softness);
    if ((int)joint->rows == rows)
        return;
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    lode__joint_extra extras[LODE__JOINT_ROWS];
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i)
        set_softness(&block->rows[rows + i], lane,
                     softness_of_extra(work->step, joint, extras[i], &axes->axis[extras[i].axis]));
}

static void fill_no_joint(lode__row_block *block, int lane, int rows)
{
    block->a[lane] = block->b[lane] = 0;
    for (int i = 0; i < rows; ++i) {
        block->rows[i].lambda.x[lane] = 0;
        set_softness(&block->rows[i], lane, (row_softness){0, 0});
    }
}

/* What the rows of a block are built from, as the step begins. */
static void fill_joint_lanes(const joint_work *work, const lode__solve_chunk *chunk, uint32_t i,
                             const lode__row_block *block, lode__joint_lanes *joints)
{
    int bucket = chunk->bucket - LODE__BUCKET_JOINT, extras = lode__bucket_extras(bucket);
    bool framed = lode__joint_types[lode__bucket_type(bucket)].framed;
    bool given = lode__axes_are_given(lode__bucket_type(bucket));
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
        if (slot == LODE__NONE) {
            fill_no_frames(joints, lane, extras, work->softness);
            if (given)
                fill_none_given(joints, lane);
            continue;
        }
        fill_frames(work->solver, joints, lane, joint_at(work->solver->joints, slot), block);
        if (framed)
            fill_axes(work, joints, lane, slot);
        if (given)
            fill_given(work->solver, joints, lane, slot);
    }
}

/* What is read of the joint, and of where its bodies are, of lanes that come soon. */
LODE__FETCHER void fetch_joint(const lode__solver *solver, const lode__solve_chunk *chunk,
                               uint32_t lane)
{
    enum { JOINT = 16, BODIES = 8 };
    uint32_t slot;
    const lode__solve_chunk *next = lode__lane_ahead(solver, chunk, lane, JOINT, &slot);
    if (slot != LODE__NONE && list_of_bucket(next->bucket) == LODE__JOINTS) {
        const char *joint = (const char *)joint_at(solver->joints, slot);
        const lode__joint_impulse *impulse = LODE__AT(joint, solver->joints, impulse, slot);
        for (size_t at = 0; at < sizeof(lode__joint); at += 64)
            __builtin_prefetch(joint + at);
        __builtin_prefetch(joint + sizeof(lode__joint) - 1);
        __builtin_prefetch(impulse);
        __builtin_prefetch(impulse + 1);
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

void lode__joints_fill(const lode__solver *solver, const lode__step *step,
                       const lode__solve_chunk *chunk, const lode__softness *softness)
{
    const joint_work work = {solver, step, softness};
    int bucket = chunk->bucket - LODE__BUCKET_JOINT, rows = lode__bucket_rows(bucket);
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__row_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        lode__joint_lanes *joints = lode__joint_lanes_of(block, rows);
        start_telling(block, rows);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fetch_joint(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (slot == LODE__NONE)
                fill_no_joint(block, lane, rows);
            else
                fill_joint(&work, block, lane, slot);
        }
        fill_joint_lanes(&work, chunk, i, block, joints);
        solver->kernels->build[lode__bucket_type(bucket)](block, joints, rows);
    }
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

/* The torque on body_a about its anchor: a row that has a force pushes through that. */
static lode_vec3 twist_of(const lode__row_block *block, int lane, int rows,
                          const lode__joint_feedback *feedback)
{
    lode_vec3 twist = v3_zero();
    for (int i = block->axes; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        if (row->lin.x.x[lane] == 0 && row->lin.y.x[lane] == 0 && row->lin.z.x[lane] == 0)
            twist = v3_madd(twist, get_lane3(&row->ang_a, lane), feedback->row[i]);
    }
    return twist;
}

static void keep_joint(const lode__solver *solver, const lode__row_block *block, int lane,
                       uint32_t slot, lode_real inv_dt)
{
    lode__joint_impulse *impulse = LODE__AT(joint, solver->joints, impulse, slot);
    lode__joint_feedback *feedback = LODE__AT(joint, solver->joints, feedback, slot);
    *impulse = (lode__joint_impulse){0};
    *feedback = (lode__joint_feedback){0};
    lode_vec3 force = get_lane3(&block->told_force, lane);
    lode_vec3 torque_a = get_lane3(&block->told_torque_a, lane);
    lode_vec3 torque_b = get_lane3(&block->told_torque_b, lane);
    int rows = (int)joint_at(solver->joints, slot)->rows;
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        impulse->row[i] = row->lambda.x[lane];
        feedback->row[i] = lane_told(&row->told, &row->lambda, lane) * inv_dt;
    }
    if (block->axes) {
        lode_vec3 p = v3(impulse->row[0], impulse->row[1], impulse->row[2]);
        force = v3_add(force, p);
        torque_a = v3_add(torque_a, v3_cross(get_lane3(&block->arm_a, lane), p));
        torque_b = v3_sub(torque_b, v3_cross(get_lane3(&block->arm_b, lane), p));
    }
    for (int i = block->axes; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        lode_real lambda = impulse->row[i];
        force = v3_madd(force, get_lane3(&row->lin, lane), lambda);
        torque_a = v3_madd(torque_a, get_lane3(&row->ang_a, lane), lambda);
        torque_b = v3_madd(torque_b, get_lane3(&row->ang_b, lane), lambda);
    }
    feedback->force = v3_scale(force, inv_dt);
    feedback->torque_a = v3_scale(torque_a, inv_dt);
    feedback->torque_b = v3_scale(torque_b, inv_dt);
    feedback->twist = twist_of(block, lane, rows, feedback);
}

/* What keep_joint() reads of the next block, which the iterations have put out of the nearest
 * cache; of its rows that is little. */
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
LODE__FETCHER void fetch_kept(const lode__solver *solver, const lode__solve_chunk *chunk,
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

void lode__joints_keep(const lode__solver *solver, const lode__solve_chunk *chunk, lode_real inv_dt)
{
    for (uint32_t i = 0; i < chunk->count; ++i) {
        const void *block = chunk->blocks + (size_t)i * chunk->stride;
        fetch_rows(chunk, i + 1);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t joint = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fetch_kept(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (joint != LODE__NONE)
                keep_joint(solver, block, lane, joint, inv_dt);
        }
    }
}
