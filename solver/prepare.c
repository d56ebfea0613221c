/* prepare.c: from manifolds and joints to blocks. Each chunk's lanes are filled from the pools,
 * eight records transposed at a time; the kernels then compute what all lanes have in common. */
#include "core/math.h"
#include "core/fetch.h"
#include "solver/articulation/limb_direct.h"
#include "solver/alone.h"
#include "solver/direct.h"
#include "solver/joints/axes.h"
#include "solver/kinematic.h"
#include "solver/linkage.h"
#include "solver/nets.h"
#include "solver/plans.h"
#include "solver/softness.h"
#include "solver/standing.h"
#include "solver/state.h"

/* Length units: a contact that bears nothing is as good as so far away. */
#define IDLE_GAP 1

typedef struct prepare_work {
    const lode__solver *solver;
    const lode__step *step;
    lode__softness softness;
} prepare_work;

/* Impulses of friction by `friction_scale`. */
static void fill_point(lode__contact_row *row, int lane, const lode__point *point,
                       lode_vec3 position, lode_real impulse_scale, lode_real friction_scale)
{
    row->x.x[lane] = position.x;
    row->y.x[lane] = position.y;
    row->c.x[lane] = position.z;
    row->depth.x[lane] = point->depth;
    row->lambda.x[lane] = point->impulse[0] * impulse_scale;
    row->lambda1.x[lane] = point->impulse[1] * friction_scale;
    row->lambda2.x[lane] = point->impulse[2] * friction_scale;
    for (int k = 0; k < 3; ++k)
        row->told[k].x[lane] = 0;
}

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

/* A lane's body a is one that can be pushed; where that is the manifold's b, the normal turns.
 * Friction begins anew where another body is pushed than in the last step, since its directions
 * belong to the normal. */
static void fill_contact(const prepare_work *work, lode__contact_block *block, int lane,
                         const lode__manifold *m)
{
    int32_t a = line_of_side(work->solver, m, 0), b = line_of_side(work->solver, m, 1);
    bool swap = a <= 0;
    lode_real scale = work->step->impulse_scale;
    lode_real friction_scale = m->turned == is_turned(work->solver, m) ? scale : 0;
    block->a[lane] = swap ? b : a;
    block->b[lane] = swap ? a : b;
    set3(&block->n, lane, swap ? v3_neg(m->normal) : m->normal);
    set3(&block->rb, lane, swap ? v3_neg(m->offset) : m->offset);
    set3(&block->t, lane, m->tangent);
    block->friction1.x[lane] = m->friction[0];
    block->friction2.x[lane] = m->friction[1];
    block->restitution.x[lane] = m->restitution;
    block->bounced.x[lane] = 0;
    for (int k = 0; k < 3; ++k)
        block->told[k].x[lane] = 0;
    for (int i = 0; i < m->point_count; ++i) {
        const lode__point *point = &m->points[i];
        lode_vec3 position = swap ? v3_add(point->position, m->offset) : point->position;
        fill_point(&block->rows[i], lane, point, position, scale, friction_scale);
        if (m->idle)
            block->rows[i].depth.x[lane] = -IDLE_GAP * work->step->settings->length_unit;
    }
}

/* A lane without a contact: massless, at the dummy line. */
static void fill_nothing(lode__contact_block *block, int lane, int points)
{
    static const lode__point none = {0};
    block->a[lane] = block->b[lane] = 0;
    set3(&block->n, lane, v3_zero());
    set3(&block->rb, lane, v3_zero());
    set3(&block->t, lane, v3_zero());
    block->friction1.x[lane] = block->friction2.x[lane] = block->restitution.x[lane] = 0;
    block->bounced.x[lane] = 0;
    for (int k = 0; k < 3; ++k)
        block->told[k].x[lane] = 0;
    for (int i = 0; i < points; ++i)
        fill_point(&block->rows[i], lane, &none, v3_zero(), 1, 1);
}

/* Its own erp and cfm, or the world's where one of them is not given; -1: none. */
static row_softness softness_of_special(const lode__step *step, const lode__special *s)
{
    const lode_world_def *settings = step->settings;
    bool soft_step = settings->solver == LODE_SOLVER_SOFT_STEP;
    if (s->erp < 0 && s->cfm < 0)
        return (row_softness){-1, 0};
    return softness_of_sub_step(
        (row_softness){said(s->erp, settings->erp), said(s->cfm, soft_step ? 0 : settings->cfm)},
        step->sub_steps);
}

/* The law of friction direction k. */
static uint32_t law_of(const lode__step *step, const lode__special *s, int k)
{
    if (s->law[k] != LODE_LAW_WORLD)
        return s->law[k];
    return friction_is_cone(step->settings) ? LODE_LAW_CONE : LODE_LAW_PYRAMID;
}

/* What is special about a lane; friction that is a force becomes an impulse. */
static void fill_special(const prepare_work *work, lode__contact_block *block,
                         lode__special_lanes *out, int lane, const lode__manifold *m)
{
    const lode__special *s = special_of(work->solver->manifolds, m);
    bool swap = line_of_side(work->solver, m, 0) <= 0;
    lode_real inv_h = work->softness.inv_h;
    row_softness normal = softness_of_special(work->step, s);
    lode_vec3 turn = v3_scale(s->turn, work->step->impulse_scale);
    lode__lane *const friction[2] = {&block->friction1, &block->friction2};
    uint32_t laws[2] = {law_of(work->step, s, 0), law_of(work->step, s, 1)};
    set3(&out->motion, lane, swap ? v3_neg(s->motion) : s->motion);
    set3(&out->turn, lane, swap ? v3_neg(turn) : turn);
    out->erp.x[lane] = normal.erp;
    out->cfm.x[lane] = normal.cfm;
    out->bounce_speed.x[lane] = s->bounce_speed;
    bool cone = laws[0] == LODE_LAW_CONE && laws[1] == LODE_LAW_CONE;
    out->cone.x[lane] = cone;
    out->roll_cone.x[lane] = cone && !s->moment[0] && !s->moment[1];
    for (int k = 0; k < 2; ++k) {
        out->soft[k].x[lane] = r_min(s->slip[k] * inv_h, LODE__UNBOUNDED);
        out->box[k].x[lane] = laws[k] == LODE_LAW_BOX;
        if (laws[k] == LODE_LAW_BOX)
            friction[k]->x[lane] /= inv_h;
    }
    for (int k = 0; k < 3; ++k) {
        out->rolling[k].x[lane] = s->moment[k] ? s->rolling[k] / inv_h : s->rolling[k];
        out->moment[k].x[lane] = s->moment[k];
        out->told[k].x[lane] = 0;
    }
}

static void fill_not_special(lode__special_lanes *out, int lane)
{
    lode__lane *fields = (lode__lane *)(void *)out;
    for (size_t i = 0; i < sizeof *out / sizeof *fields; ++i)
        fields[i].x[lane] = 0;
}

/* Of blocks that are special. */
static void prepare_specials(const prepare_work *work, const lode__solve_chunk *chunk, int points)
{
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__contact_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        lode__special_lanes *out = lode__special_lanes_of(block, points);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fill_not_special(out, lane);
            if (contact != LODE__NONE)
                fill_special(work, block, out, lane, work->solver->contacts[contact]);
        }
    }
}

static void prepare_contacts(const prepare_work *work, const lode__solve_chunk *chunk)
{
    const lode__solver *solver = work->solver;
    int points = chunk->bucket % LODE__MANIFOLD_POINTS + 1;
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__contact_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t contact = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            lode__manifold_fetch(solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (contact == LODE__NONE)
                fill_nothing(block, lane, points);
            else
                fill_contact(work, block, lane, solver->contacts[contact]);
        }
    }
    if (bucket_is_special(chunk->bucket))
        prepare_specials(work, chunk, points);
}

static void set4(lode__lane4 *out, int lane, lode_quat q)
{
    out->w.x[lane] = q.w;
    out->x.x[lane] = q.x;
    out->y.x[lane] = q.y;
    out->z.x[lane] = q.z;
}

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
    set3(&out->anchor_a, lane, joint->frame_a.position);
    set3(&out->anchor_b, lane, anchor_b);
    set3(&out->start, lane, start);
    set3(&out->offset, lane, start);
    set4(&out->q_a, lane, a->rotation);
    set4(&out->q_b, lane, turn_b);
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
static void fill_axes(const prepare_work *work, lode__joint_lanes *out, int lane, uint32_t slot)
{
    const lode__solver *solver = work->solver;
    const lode__joint *joint = joint_at(solver->joints, slot);
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    const lode__joint_position *last = LODE__AT(joint, solver->joints, position, slot);
    lode__joint_extra extras[LODE__JOINT_ROWS];
    set4(&out->frame_a, lane, joint->frame_a.rotation);
    set4(&out->frame_b, lane, joint->frame_b.rotation);
    lode__velocity a = velocity_at_start(solver, joint->body_a);
    lode__velocity b = velocity_at_start(solver, joint->body_b);
    set3(&out->drift, lane, v3_sub(a.linear, b.linear));
    set3(&out->spin_a, lane, a.angular);
    set3(&out->spin_b, lane, b.angular);
    out->distance.x[lane] = joint->distance;
    int count = lode__joint_extras(joint->type, axes, extras);
    for (int i = 0; i < count; ++i) {
        int axis = extras[i].axis;
        lode__extra_fill(&out->extra[i], lane, extras[i], &axes->axis[axis], last->axis[axis],
                         &work->softness);
        out->extra[i].near.x[lane] = near_stop(work->step, joint->type, axis);
    }
}

/* The directions of a joint whose axes are given. */
static void fill_given(const lode__solver *solver, lode__joint_lanes *out, int lane, uint32_t slot)
{
    const lode__joint_axes *axes = LODE__AT(joint, solver->joints, axes, slot);
    set3(&out->spun, lane, v3_zero());
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        set3(&out->direction[i], lane, lode__given_direction(&axes->axis[i]));
        lode_axis_frame frame = axes->axis[i].frame;
        out->frame[i].x[lane] = (lode_real)((frame == LODE_AXIS_IN_FRAME_B) -
                                            (frame == LODE_AXIS_IN_FRAME_A));
    }
}

static void fill_none_given(lode__joint_lanes *out, int lane)
{
    set3(&out->spun, lane, v3_zero());
    for (int i = 0; i < LODE__GIVEN_AXES; ++i) {
        set3(&out->direction[i], lane, v3(1, 0, 0));
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
        set3(vectors[i], lane, v3_zero());
    for (int i = 0; i < 4; ++i)
        set4(rotations[i], lane, q_identity());
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

static void fill_joint(const prepare_work *work, lode__row_block *block, int lane, uint32_t slot)
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
static void fill_joint_lanes(const prepare_work *work, const lode__solve_chunk *chunk, uint32_t i,
                             const lode__row_block *block, lode__joint_lanes *joints)
{
    int bucket = chunk->bucket - LODE__BUCKET_JOINT, extras = lode__bucket_extras(bucket);
    bool framed = lode__joint_types[lode__bucket_type(bucket)].framed;
    bool given = lode__axes_are_given(lode__bucket_type(bucket));
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
        if (slot == LODE__NONE) {
            fill_no_frames(joints, lane, extras, &work->softness);
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

static void prepare_joints(const prepare_work *work, const lode__solve_chunk *chunk)
{
    int bucket = chunk->bucket - LODE__BUCKET_JOINT, rows = lode__bucket_rows(bucket);
    for (uint32_t i = 0; i < chunk->count; ++i) {
        lode__row_block *block = (void *)(chunk->blocks + (size_t)i * chunk->stride);
        lode__joint_lanes *joints = lode__joint_lanes_of(block, rows);
        start_telling(block, rows);
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            uint32_t slot = chunk->lanes[i * LODE_LANES + (uint32_t)lane];
            fetch_joint(work->solver, chunk, i * LODE_LANES + (uint32_t)lane);
            if (slot == LODE__NONE)
                fill_no_joint(block, lane, rows);
            else
                fill_joint(work, block, lane, slot);
        }
        fill_joint_lanes(work, chunk, i, block, joints);
        work->solver->kernels->build[lode__bucket_type(bucket)](block, joints, rows);
    }
}

/* Bodies that nobody pushes: their lines do not say how they are turned. */
static void turn_kinematic(const lode__dense *lines, const int32_t *index, lode__lane4 *q,
                           lode_real elapsed)
{
    for (int lane = 0; lane < LODE_LANES; ++lane)
        if (index[lane] < 0)
            set4(q, lane, rotation_at(lines, index[lane], elapsed));
}

/* By how much a's bodies have turned against b's. */
static void set_spun(const lode__dense *lines, const lode__row_block *block,
                     lode__joint_lanes *joints, lode_real elapsed)
{
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        lode__delta a = delta_at(lines, block->a[lane], elapsed);
        lode__delta b = delta_at(lines, block->b[lane], elapsed);
        set3(&joints->spun, lane, v3_sub(a.angular, b.angular));
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

static void prepare_chunk(const void *context, const lode__solve_chunk *chunk)
{
    const prepare_work *work = context;
    if (bucket_is_contact(chunk->bucket))
        prepare_contacts(work, chunk);
    else if (bucket_is_linkage(chunk->bucket))
        lode__linkages_fill(work->solver, work->step, chunk, &work->softness);
    else
        prepare_joints(work, chunk);
    chunk->kernels->prepare(chunk->blocks, chunk->count, chunk->stride, &work->solver->state->lines,
                            &work->softness);
}

void lode__group_prepare(const lode__solver *solver, const lode__step *step,
                         const lode__group *group)
{
    prepare_work work = {solver, step, softness_of(step)};
    for (uint32_t i = group->chunk_begin; i < group->chunk_end; ++i)
        prepare_chunk(&work, &solver->state->chunks[i]);
}

bool lode__row_prepare_run(lode__solver *solver, const lode__step *step)
{
    prepare_work work = {solver, step, softness_of(step)};
    lode__plans_begin(&solver->plans);
    if (solver->standing)
        return true;
    if (!lode__nets_take(solver, step))
        return false;
    lode__blocks_run(solver->state, step->tasks, prepare_chunk, &work);
    bool taken = lode__limbs_take(solver, step) && lode__direct_take(solver, step) &&
                 lode__limb_direct_take(solver, step) &&
                 (!lode__alone_is_wanted(step->settings) || lode__alone_take(solver, step));
    if (taken)
        lode__standing_keep(solver, step);
    return taken;
}
