/* test_lanes.c: records of the pools as lanes. What kernels read from manifolds, and from joints
 * and their bodies, and what they write back, is, for every instruction set and to the bit, what a
 * plain computation of one after another says; nothing else is written to. */
#include "solver/kernels.h"
#include "tests/solver/random_blocks.h"
#include "tests/support/test.h"

#include "lode/setup.h"

#include <string.h>

enum { ROUNDS = 60 };

static bool same(const lode__lane *is, int lane, lode_real x)
{
    return memcmp(&is->x[lane], &x, sizeof x) == 0;
}

static bool same3(const lode__lane3 *is, int lane, lode_vec3 v)
{
    return same(&is->x, lane, v.x) && same(&is->y, lane, v.y) && same(&is->z, lane, v.z);
}

static bool same4(const lode__lane4 *is, int lane, lode_quat q)
{
    return same(&is->w, lane, q.w) && same(&is->x, lane, q.x) && same(&is->y, lane, q.y) &&
           same(&is->z, lane, q.z);
}

static bool is_untouched(const void *from, size_t size)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; i < size; ++i)
        if (bytes[i] != 0xff)
            return false;
    return true;
}

static void for_each_set(void (*check)(const lode__solver_kernels *kernels, test_random *random))
{
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        if (!lode_simd_available((lode_simd)simd))
            continue;
        test_random random = {23};
        for (int round = 0; round < ROUNDS; ++round)
            check(lode__solver_kernels_for((lode_simd)simd), &random);
    }
}

/* --- contacts */

static lode__manifold manifold_of(int points, test_random *random)
{
    lode__manifold m = manifold_random(random, points);
    m.offset = vec_between(random, -3, 3);
    m.tangent = vec_between(random, -1, 1);
    m.friction[0] = real_between(random, 0, 2);
    m.friction[1] = real_between(random, 0, 2);
    m.restitution = real_between(random, 0, 1);
    return m;
}

static void check_contact(const lode__contact_sources *from, const lode__contact_block *is,
                          int points, int lane)
{
    const lode__manifold *m = from->manifold[lane];
    bool swap = from->swap.x[lane] > 0, idle = from->idle.x[lane] > 0;
    lode_real scale = from->scale.x[lane], across = from->friction_scale.x[lane];
    assert_true(same3(&is->n, lane, swap ? v3_neg(m->normal) : m->normal));
    assert_true(same3(&is->rb, lane, swap ? v3_neg(m->offset) : m->offset));
    assert_true(same3(&is->t, lane, m->tangent) && same(&is->bounced, lane, 0));
    assert_true(same(&is->friction1, lane, m->friction[0]));
    assert_true(same(&is->friction2, lane, m->friction[1]));
    assert_true(same(&is->restitution, lane, m->restitution));
    for (int i = 0; i < points; ++i) {
        const lode__contact_row *row = &is->rows[i];
        const lode__point *p = &m->points[i];
        lode_vec3 at = swap ? v3_add(p->position, m->offset) : p->position;
        assert_true(same(&row->x, lane, at.x) && same(&row->y, lane, at.y));
        assert_true(same(&row->c, lane, at.z));
        assert_true(same(&row->depth, lane, idle ? from->idle_depth : p->depth));
        assert_true(same(&row->lambda, lane, p->impulse[0] * scale));
        assert_true(same(&row->lambda1, lane, p->impulse[1] * across));
        assert_true(same(&row->lambda2, lane, p->impulse[2] * across));
        for (int k = 0; k < 3; ++k)
            assert_true(same(&row->told[k], lane, 0) && same(&is->told[k], lane, 0));
    }
}

static void check_contacts(const lode__solver_kernels *kernels, test_random *random)
{
    static block_room room;
    lode__manifold manifolds[LODE_LANES];
    int points = 1 + (int)random_below(random, LODE__MANIFOLD_POINTS);
    lode__contact_sources from = {.idle_depth = -real_between(random, 1, 2)};
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        manifolds[lane] = manifold_of(points, random);
        from.manifold[lane] = &manifolds[lane];
        from.swap.x[lane] = (lode_real)random_below(random, 2);
        from.idle.x[lane] = random_below(random, 4) == 0;
        from.scale.x[lane] = real_between(random, 0, 2);
        from.friction_scale.x[lane] = random_below(random, 4) ? from.scale.x[lane] : 0;
    }
    memset(&room, 0xff, sizeof room);
    lode__contact_block *block = contact_block_at(&room, points, 0);
    kernels->read_contacts(&from, block, points);
    for (int lane = 0; lane < LODE_LANES; ++lane)
        check_contact(&from, block, points, lane);
    assert_true(is_untouched(block->a, sizeof block->a + sizeof block->b));
    assert_true(is_untouched(contact_block_at(&room, points, 1), lode__contact_block_size(points)));
}

static void contacts_are_read(void **state)
{
    (void)state;
    for_each_set(check_contacts);
}

/* --- joints */

typedef struct records {
    lode__joint joint[LODE_LANES];
    lode__pose pose[2][LODE_LANES];
    lode__velocity velocity[2][LODE_LANES];
    lode__joint_impulse impulse[LODE_LANES];
    lode_vec3 anchor_b[LODE_LANES + 1];
} records;

static records records_random(test_random *random)
{
    records r;
    memset(&r, 0, sizeof r);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        r.joint[lane].frame_a = (lode_pose){vec_between(random, -2, 2), rotation_random(random)};
        r.joint[lane].frame_b = (lode_pose){vec_between(random, -2, 2), rotation_random(random)};
        r.joint[lane].distance = real_between(random, 0, 3);
        r.anchor_b[lane] = vec_between(random, -2, 2);
        for (int side = 0; side < 2; ++side) {
            r.pose[side][lane].position = vec_between(random, -9, 9);
            r.pose[side][lane].rotation = rotation_random(random);
            r.velocity[side][lane].linear = vec_between(random, -5, 5);
            r.velocity[side][lane].angular = vec_between(random, -5, 5);
        }
        for (int i = 0; i < LODE__JOINT_ROWS; ++i)
            r.impulse[lane].row[i] = real_between(random, -1, 1);
    }
    return r;
}

static lode__joint_sources sources_of(const records *r, test_random *random)
{
    lode__joint_sources from = {.impulse_scale = real_between(random, 0.5, 2)};
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        from.joint[lane] = &r->joint[lane];
        from.anchor_b[lane] = &r->anchor_b[lane].x;
        from.impulse[lane] = r->impulse[lane].row;
        from.erp.x[lane] = real_between(random, 0, 1);
        from.cfm.x[lane] = real_between(random, 0, 1);
        for (int side = 0; side < 2; ++side) {
            from.pose[side][lane] = &r->pose[side][lane].position.x;
            from.velocity[side][lane] = &r->velocity[side][lane].linear.x;
        }
    }
    return from;
}

static void check_poses(const records *r, const lode__joint_lanes *is, int lane)
{
    lode_vec3 start = v3_sub(r->pose[0][lane].position, r->pose[1][lane].position);
    assert_true(same3(&is->anchor_a, lane, r->joint[lane].frame_a.position));
    assert_true(same3(&is->anchor_b, lane, r->anchor_b[lane]));
    assert_true(same3(&is->start, lane, start) && same3(&is->offset, lane, start));
    assert_true(same4(&is->q_a, lane, r->pose[0][lane].rotation));
    assert_true(same4(&is->q_b, lane, r->pose[1][lane].rotation));
}

static void check_frames(const records *r, const lode__joint_lanes *is, int lane)
{
    const lode__velocity *a = &r->velocity[0][lane], *b = &r->velocity[1][lane];
    assert_true(same4(&is->frame_a, lane, r->joint[lane].frame_a.rotation));
    assert_true(same4(&is->frame_b, lane, r->joint[lane].frame_b.rotation));
    assert_true(same3(&is->drift, lane, v3_sub(a->linear, b->linear)));
    assert_true(same3(&is->spin_a, lane, a->angular) && same3(&is->spin_b, lane, b->angular));
    assert_true(same(&is->distance, lane, r->joint[lane].distance));
}

static void check_rows(const lode__joint_sources *from, const records *r,
                       const lode__row_block *block, int own, int rows, int lane)
{
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        assert_true(same(&row->lambda, lane, r->impulse[lane].row[i] * from->impulse_scale));
        if (i < own)
            assert_true(same(&row->erp, lane, from->erp.x[lane]) &&
                        same(&row->cfm, lane, from->cfm.x[lane]));
        else
            assert_true(is_untouched(&row->erp, 2 * sizeof row->erp));
    }
}

static void check_reading(const lode__solver_kernels *kernels, test_random *random)
{
    static block_room room;
    static lode__joint_lanes joints;
    const records r = records_random(random);
    const lode__joint_sources from = sources_of(&r, random);
    int rows = 1 + (int)random_below(random, LODE__JOINT_ROWS);
    int own = (int)random_below(random, (uint32_t)rows + 1);
    bool framed = random_below(random, 2) != 0;
    memset(&room, 0xff, sizeof room);
    memset(&joints, 0xff, sizeof joints);
    lode__row_block *block = row_block_at(&room, rows, 0);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        block->a[lane] = (int32_t)random_below(random, 5) - 2;
        block->b[lane] = (int32_t)random_below(random, 5) - 2;
    }
    kernels->read_joints(&from, block, &joints, own, rows, framed);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        check_poses(&r, &joints, lane);
        check_rows(&from, &r, block, own, rows, lane);
        assert_true(joints.pushed_a.x[lane] == (block->a[lane] > 0));
        assert_true(joints.pushed_b.x[lane] == (block->b[lane] > 0));
        if (framed)
            check_frames(&r, &joints, lane);
    }
    size_t known = offsetof(lode__joint_lanes, extra),
           framing = offsetof(lode__joint_lanes, frame_a);
    known = framed ? known : framing;
    assert_true(is_untouched((char *)&joints + known, sizeof joints - known));
    assert_true(is_untouched(row_block_at(&room, rows, 1), lode__row_block_size(rows)));
}

static void joints_are_read(void **state)
{
    (void)state;
    for_each_set(check_reading);
}

/* --- motors and stops */

static lode_joint_axis axis_random(test_random *random)
{
    const lode_real inf = (lode_real)__builtin_inf();
    lode_joint_axis axis = {.lo_stop = real_between(random, -2, 0),
                            .hi_stop = real_between(random, 0, 2),
                            .vel = real_between(random, -3, 3),
                            .f_max = real_between(random, 0, 100),
                            .fudge_factor = real_between(random, 0, 1),
                            .bounce = real_between(random, 0, 1),
                            .stop_cfm = random_below(random, 2) ? -1 : real_between(random, 0, 1),
                            .target = real_between(random, -1, 1)};
    if (random_below(random, 3) == 0)
        axis.lo_stop = -inf, axis.hi_stop = inf;
    if (random_below(random, 3) == 0)
        axis.f_max = random_below(random, 2) ? inf : 0;
    if (random_below(random, 2) == 0)
        axis.servo = random_below(random, 3) ? real_between(random, 0, 50) : inf;
    if (axis.servo > 0 && random_below(random, 3) == 0)
        axis.vel = inf;
    return axis;
}

static void check_extra(const lode__solver_kernels *kernels, test_random *random)
{
    lode_joint_axis axes[LODE_LANES];
    const lode_real *from[LODE_LANES];
    lode__extra_lanes is;
    lode__softness softness = softness_random(random);
    softness.elapsed = real_between(random, 0, 0.1);
    memset(&is, 0xff, sizeof is);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        axes[lane] = axis_random(random);
        from[lane] = &axes[lane].lo_stop;
    }
    kernels->read_extra(from, &softness, &is);
    lode_real most = LODE__UNBOUNDED, inv_h = softness.inv_h;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        const lode_joint_axis *a = &axes[lane];
        bool servo = a->servo > 0;
        assert_true(same(&is.vel, lane, servo ? r_min(r_abs(a->vel), most) : a->vel));
        assert_true(same(&is.servo, lane, servo ? 1 / (1 / a->servo + 1 / inv_h) : 0));
        assert_true(same(&is.target, lane, a->target) && same(&is.fudge, lane, a->fudge_factor));
        assert_true(same(&is.max_impulse, lane, r_min(a->f_max / inv_h, most)));
        assert_true(same(&is.lo_stop, lane, r_max(a->lo_stop, -most)));
        assert_true(same(&is.hi_stop, lane, r_min(a->hi_stop, most)));
        assert_true(same(&is.bounce, lane, a->bounce));
        assert_true(same(&is.recent, lane, 2 * (softness.elapsed + 1 / inv_h)));
        assert_true(same(&is.soft, lane, a->stop_cfm > 0));
    }
    const lode__lane *const callers[] = {&is.axis, &is.stop, &is.near, &is.last};
    for (int i = 0; i < 4; ++i)
        assert_true(is_untouched(callers[i], sizeof is.axis));
}

static void motors_and_stops_are_read(void **state)
{
    (void)state;
    for_each_set(check_extra);
}

/* --- keeping */

/* The joint of one lane. */
static lode__joint_feedback feedback_of(const lode__row_block *block, int rows, int lane,
                                        lode_real inv_dt)
{
    lode__joint_feedback f = {.twist = v3_zero()};
    lode_vec3 force = get_lane3(&block->told_force, lane);
    lode_vec3 a = get_lane3(&block->told_torque_a, lane);
    lode_vec3 b = get_lane3(&block->told_torque_b, lane);
    lode_vec3 p = v3_zero();
    for (int i = 0; i < rows; ++i)
        f.row[i] = lane_told(&block->rows[i].told, &block->rows[i].lambda, lane) * inv_dt;
    if (block->axes) {
        p = v3(block->rows[0].lambda.x[lane], block->rows[1].lambda.x[lane],
               block->rows[2].lambda.x[lane]);
        force = v3_add(force, p);
        a = v3_add(a, v3_cross(get_lane3(&block->arm_a, lane), p));
        b = v3_sub(b, v3_cross(get_lane3(&block->arm_b, lane), p));
    }
    for (int i = block->axes; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        lode_real lambda = row->lambda.x[lane];
        lode_vec3 lin = get_lane3(&row->lin, lane), ang = get_lane3(&row->ang_a, lane);
        force = v3_madd(force, lin, lambda);
        a = v3_madd(a, ang, lambda);
        b = v3_madd(b, get_lane3(&row->ang_b, lane), lambda);
        if (lin.x == 0 && lin.y == 0 && lin.z == 0)
            f.twist = v3_madd(f.twist, ang, f.row[i]);
    }
    f.force = v3_scale(force, inv_dt);
    f.torque_a = v3_scale(a, inv_dt);
    f.torque_b = v3_scale(b, inv_dt);
    return f;
}

/* All that a block says, and a third of its rows turn alone. */
static void fill_block(lode__row_block *block, int rows, test_random *random)
{
    lode_real *all = (lode_real *)(void *)&block->arm_a;
    size_t count = (lode__row_block_size(rows) - offsetof(lode__row_block, arm_a)) / sizeof *all;
    for (size_t i = 0; i < count; ++i)
        all[i] = real_between(random, -1, 1);
    block->axes = rows >= 3 && random_below(random, 2) ? 3 : 0;
    for (int i = 0; i < rows; ++i)
        for (int lane = 0; lane < LODE_LANES; ++lane)
            if (random_below(random, 3) == 0)
                put_lane3(&block->rows[i].lin, lane, v3_zero());
}

static void check_keeping(const lode__solver_kernels *kernels, test_random *random)
{
    static block_room room;
    lode__joint_impulse impulses[LODE_LANES];
    lode__joint_feedback feedbacks[LODE_LANES];
    int rows = 1 + (int)random_below(random, LODE__JOINT_ROWS);
    lode__joint_targets to = {.inv_dt = real_between(random, 1, 100),
                              .lanes = random_below(random, 256),
                              .told = random_below(random, 4) != 0};
    lode__row_block *block = row_block_at(&room, rows, 0);
    fill_block(block, rows, random);
    memset(impulses, 0xff, sizeof impulses);
    memset(feedbacks, 0xff, sizeof feedbacks);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        to.impulse[lane] = impulses[lane].row;
        to.feedback[lane] = &feedbacks[lane].force.x;
    }
    kernels->keep_joints(block, rows, &to);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        if (!(to.lanes >> lane & 1)) {
            assert_true(is_untouched(&impulses[lane], sizeof impulses[lane]));
            assert_true(is_untouched(&feedbacks[lane], sizeof feedbacks[lane]));
            continue;
        }
        lode__joint_feedback feedback = feedback_of(block, rows, lane, to.inv_dt);
        lode__joint_impulse impulse = {{0}};
        for (int i = 0; i < rows; ++i)
            impulse.row[i] = block->rows[i].lambda.x[lane];
        assert_memory_equal(&impulses[lane], &impulse, sizeof impulse);
        if (to.told)
            assert_memory_equal(&feedbacks[lane], &feedback, sizeof feedback);
        else
            assert_true(is_untouched(&feedbacks[lane], sizeof feedbacks[lane]));
    }
}

static void what_joints_exert_is_kept(void **state)
{
    (void)state;
    for_each_set(check_keeping);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_read),
        cmocka_unit_test(joints_are_read),
        cmocka_unit_test(motors_and_stops_are_read),
        cmocka_unit_test(what_joints_exert_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
