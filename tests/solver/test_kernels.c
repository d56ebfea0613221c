/* The bits of the solver's kernels: every instruction set leaves every byte of blocks and body
 * lines as plain C does, and touches neither the dummy nor a body that is none of its business.
 * Of blocks' lanes that count: plain C leaves out those without bodies. */
#include "lode/setup.h"
#include "solver/joints/joint_type.h"
#include "tests/solver/random_blocks.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 40 };

typedef struct state {
    bodies bodies;
    block_room room;
} state;

static state plain, wide, before;

static bool real_finite(lode_real x)
{
    return x - x == 0;
}

static void assert_equal_states(const char *what, int kind, lode_simd simd)
{
    if (memcmp(&plain.bodies, &wide.bodies, sizeof plain.bodies) == 0 &&
        memcmp(&plain.room, &wide.room, sizeof plain.room) == 0)
        return;
    fail_msg("%s of kind %d: %s differs from plain", what, kind, lode_simd_name(simd));
}

/* What a lane without bodies says does not count. */
static void forget_idle_lanes(block_room *room, int kind, size_t stride)
{
    bool joints = kind % LODE__KIND_SHARED >= LODE__KIND_ROWS;
    size_t first = joints ? offsetof(lode__row_block, arm_a) : offsetof(lode__contact_block, n);
    for (int k = 0; k < BLOCKS; ++k) {
        char *block = (char *)room->bytes + (size_t)k * stride;
        const int32_t *a = (const void *)block, *b = a + LODE_LANES;
        lode__lane *fields = (lode__lane *)(void *)(block + first);
        size_t count = (stride - first) / sizeof *fields;
        for (int lane = 0; lane < LODE_LANES; ++lane)
            for (size_t i = 0; a[lane] == 0 && b[lane] == 0 && i < count; ++i)
                fields[i].x[lane] = 0;
    }
}

/* Runs one kernel of a kind on the first blocks of both copies. */
static void run_both(const char *what, lode__block_fn *on_plain, lode__block_fn *on_wide,
                     uint32_t count, size_t stride, const lode__softness *softness, int kind,
                     lode_simd simd)
{
    assert_int_equal(on_plain == NULL, on_wide == NULL);
    if (!on_plain)
        return;
    lode__dense plain_lines = bodies_lines(&plain.bodies), wide_lines = bodies_lines(&wide.bodies);
    on_plain(plain.room.bytes, count, stride, &plain_lines, softness);
    on_wide(wide.room.bytes, count, stride, &wide_lines, softness);
    if (kind % LODE__KIND_SHARED != LODE__KIND_LINKAGE) {
        forget_idle_lanes(&plain.room, kind, stride);
        forget_idle_lanes(&wide.room, kind, stride);
    }
    assert_equal_states(what, kind, simd);
}

static void assert_only_velocities_changed(const bool *used)
{
    for (int i = 0; i <= BODIES; ++i) {
        const lode__velocity *v = &plain.bodies.velocity[i];
        if (!used[i])
            assert_memory_equal(v, &before.bodies.velocity[i], sizeof *v);
        assert_true(real_finite(v->linear.x) && real_finite(v->linear.y) &&
                    real_finite(v->linear.z) && real_finite(v->angular.x) &&
                    real_finite(v->angular.y) && real_finite(v->angular.z));
    }
    size_t rest = offsetof(bodies, inv_mass);
    assert_memory_equal((char *)&plain.bodies + rest, (char *)&before.bodies + rest,
                        sizeof(bodies) - rest);
}

/* The life of a block: prepared, then two sub-steps with several iterations, then the bounce. */
static void run_kind(const lode__block_kernels *on_plain, const lode__block_kernels *on_wide,
                     int kind, uint32_t count, size_t stride, const lode__softness *softness,
                     lode_simd simd)
{
    int friction = lode__friction_of(softness);
#define RUN(name) \
    run_both(#name, on_plain->name, on_wide->name, count, stride, softness, kind, simd)
    RUN(prepare);
    for (int sub_step = 0; sub_step < 2; ++sub_step) {
        RUN(put_back);
        RUN(refresh);
        RUN(warm_start);
        for (int i = 0; i < 4; ++i)
            RUN(solve[friction]);
        RUN(solve_back);
        RUN(again);
        RUN(tell);
        RUN(part);
        RUN(let_go);
    }
    RUN(restitution);
#undef RUN
}

/* Bodies named by the first two arrays of any block. */
static void mark_used(const block_room *room, size_t stride, bool *used)
{
    memset(used, 0, BODIES + 1);
    for (int k = 0; k < BLOCKS; ++k) {
        const int32_t *ends = (const void *)(room->bytes + (size_t)k * stride);
        for (int i = 0; i < 2 * LODE_LANES; ++i)
            used[ends[i]] = true;
    }
    used[0] = false;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Makes two neighbours alike, as joints of one type are: rows without bounds may count as bounded,
 * since they have bounds that are never met, and linear parts that are known as unknown. */
static void level_bounds(block_room *room, int rows, test_random *random)
{
    int k = (int)random_below(random, BLOCKS - 1);
    lode__row_block *one = row_block_at(room, rows, k), *other = row_block_at(room, rows, k + 1);
    int32_t less = least(one->unbounded, other->unbounded);
    bool known = one->axes == other->axes && one->axes <= less;
    one->unbounded = other->unbounded = less;
    one->axes = other->axes = known ? one->axes : 0;
    less = least(less, least(one->turning, other->turning));
    one->turning = other->turning = known ? less : 0;
}

/* Leaves so many lanes. */
static void use_lanes(block_room *room, size_t stride, uint32_t lanes)
{
    for (int k = 0; k < BLOCKS; ++k) {
        int32_t *a = (void *)((char *)room->bytes + (size_t)k * stride), *b = a + LODE_LANES;
        for (uint32_t lane = lanes; lane < LODE_LANES; ++lane)
            a[lane] = b[lane] = 0;
    }
}

/* The kernels of an instruction set for blocks with so many lanes. */
static void check_kind(int kind, lode_simd simd, uint32_t lanes, test_random *random)
{
    static lode__manifold manifolds[CONTACTS];
    int base = kind % LODE__KIND_SHARED;
    int rows = base - LODE__KIND_ROWS + 1, points = base % LODE__MANIFOLD_POINTS + 1;
    bool joints = base >= LODE__KIND_ROWS, special = !joints && base >= LODE__KIND_SPECIAL;
    bodies_random(&plain.bodies, random);
    if (joints) {
        rows_random(&plain.room, rows, ends_of_kind(kind), random);
        level_bounds(&plain.room, rows, random);
    } else if (special) {
        specials_random(&plain.room, points, ends_of_kind(kind), random);
    } else {
        contacts_random(&plain.room, manifolds, points, ends_of_kind(kind), random);
    }
    size_t stride = joints ? lode__row_block_size(rows) : lode__contact_block_size(points);
    stride = special ? lode__special_block_size(points) : stride;
    assert_true(BLOCKS * stride <= sizeof plain.room);
    use_lanes(&plain.room, stride, lanes);
    wide = before = plain;
    lode__softness softness = softness_random(random);
    softness.cone = random_below(random, 2);
    softness.friction_per_manifold = random_below(random, 2);
    run_kind(&lode__solver_kernels_plain.kinds[kind],
             lode__block_kernels_of(lode__solver_kernels_for(simd), kind, lanes), kind,
             1 + random_below(random, BLOCKS), stride, &softness, simd);
    bool used[BODIES + 1];
    mark_used(&plain.room, stride, used);
    assert_only_velocities_changed(used);
    assert_memory_equal(plain.room.bytes + BLOCKS * stride, before.room.bytes + BLOCKS * stride,
                        sizeof plain.room - BLOCKS * stride);
}

/* Calls `check` for every instruction set of this build that the machine has. */
static int for_each_set(void (*check)(lode_simd simd, test_random *random))
{
    int sets = 0;
    for (int simd = LODE_SIMD_PLAIN; simd < LODE_SIMD_COUNT; ++simd) {
        if (!lode_simd_available((lode_simd)simd))
            continue;
        assert_non_null(lode__solver_kernels_for((lode_simd)simd));
        test_random random = {17};
        for (int round = 0; round < ROUNDS; ++round)
            check((lode_simd)simd, &random);
        ++sets;
    }
    return sets;
}

static void check_blocks(lode_simd simd, test_random *random)
{
    for (int kind = 0; kind < LODE__KIND_COUNT; ++kind)
        if (kind % LODE__KIND_SHARED != LODE__KIND_LINKAGE) {
            check_kind(kind, simd, LODE_LANES, random);
            check_kind(kind, simd, 1 + random_below(random, LODE_LANES), random);
            check_kind(kind, simd, 1 + random_below(random, LODE_LANES / 2), random);
        }
}

enum { LINKAGE_ENDS = 4 };

static void lane3_random(lode__lane3 *out, int lane, test_random *random)
{
    lode_vec3 v = vec_between(random, -1, 1);
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

/* Lanes of a block have no body in common; some are padding, and some rows have fewer bodies. */
static void linkage_random(lode__linkage_block *block, test_random *random)
{
    const size_t reals = (sizeof block->row + sizeof block->given + sizeof block->extra +
                          3 * sizeof block->rate) /
                         sizeof(lode_real);
    lode_real *all = (lode_real *)(void *)&block->row;
    for (size_t i = 0; i < reals; ++i)
        all[i] = real_between(random, -1, 1);
    block->ends = LINKAGE_ENDS;
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        bool none = random_below(random, 5) == 0;
        block->given.x[lane] = (lode_real)random_below(random, 2);
        block->extra.stop.x[lane] = (lode_real)random_below(random, 2);
        block->row.lo.x[lane] = -real_between(random, 0, 1);
        block->row.hi.x[lane] = real_between(random, 0, 1);
        block->row.told.x[lane] = 0;
        for (int i = 0; i < LINKAGE_ENDS; ++i) {
            bool empty = none || random_below(random, 4) == 0;
            block->end[i].line[lane] = empty ? 0 : 1 + lane + LODE_LANES * i;
            lane3_random(&block->end[i].lin, lane, random);
            lane3_random(&block->end[i].ang, lane, random);
        }
    }
}

static void check_linkages(lode_simd simd, test_random *random)
{
    const lode__solver_kernels *p = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    const lode__solver_kernels *w = lode__solver_kernels_for(simd);
    const size_t stride = sizeof(lode__linkage_block) + LINKAGE_ENDS * sizeof(lode__linkage_end);
    memset(&plain.room, 0, sizeof plain.room);
    bodies_random(&plain.bodies, random);
    assert_true(BLOCKS * stride <= sizeof plain.room);
    for (size_t k = 0; k < BLOCKS; ++k)
        linkage_random((void *)(plain.room.bytes + k * stride), random);
    wide = plain;
    for (size_t k = 0; k < BLOCKS; ++k) {
        p->build_linkage((void *)(plain.room.bytes + k * stride));
        w->build_linkage((void *)(wide.room.bytes + k * stride));
    }
    assert_equal_states("build", LODE__KIND_LINKAGE, simd);
    before = plain;
    lode__softness softness = softness_random(random);
    run_kind(&p->kinds[LODE__KIND_LINKAGE], &w->kinds[LODE__KIND_LINKAGE], LODE__KIND_LINKAGE,
             1 + random_below(random, BLOCKS), stride, &softness, simd);
    bool used[BODIES + 1] = {false};
    for (int i = 1; i <= LODE_LANES * LINKAGE_ENDS; ++i)
        used[i] = true;
    assert_only_velocities_changed(used);
}

static void linkage_kernels_have_the_bits_of_plain(void **state)
{
    (void)state;
    for_each_set(check_linkages);
}

static void block_kernels_have_the_bits_of_plain(void **state)
{
    (void)state;
    print_message("%d instruction sets\n", for_each_set(check_blocks));
}

static void check_builders(lode_simd simd, test_random *random)
{
    const lode__solver_kernels *p = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    lode__joint_lanes joints;
    for (size_t i = 0; i < sizeof joints / sizeof(lode_real); ++i)
        ((lode_real *)(void *)&joints)[i] = real_between(random, -1, 1);
    for (int bucket = 0; bucket < LODE__JOINT_BUCKETS; ++bucket) {
        int type = lode__bucket_type(bucket), rows = lode__bucket_rows(bucket);
        memset(&plain.room, 0xff, sizeof plain.room);
        for (int i = 0; i < rows; ++i)
            for (int lane = 0; lane < LODE_LANES; ++lane)
                row_block_at(&plain.room, rows, 0)->rows[i].lambda.x[lane] = real_between(random,
                                                                                          -1, 1);
        wide = plain;
        p->build[type](row_block_at(&plain.room, rows, 0), &joints, rows);
        lode__solver_kernels_for(simd)->build[type](row_block_at(&wide.room, rows, 0), &joints,
                                                    rows);
        assert_equal_states("build", type, simd);
    }
}

static void joint_builders_have_the_bits_of_plain(void **state)
{
    (void)state;
    for_each_set(check_builders);
}

static void assert_vector(const lode__lane3 *is, int lane, lode_vec3 v)
{
    assert_true(is->x.x[lane] == v.x && is->y.x[lane] == v.y && is->z.x[lane] == v.z);
}

static void assert_rotation(const lode__lane4 *is, int lane, lode_quat q)
{
    assert_true(is->w.x[lane] == q.w && is->x.x[lane] == q.x && is->y.x[lane] == q.y &&
                is->z.x[lane] == q.z);
}

static lode_quat lane_rotation(const lode__lane4 *q, int lane)
{
    return (lode_quat){q->w.x[lane], q->x.x[lane], q->y.x[lane], q->z.x[lane]};
}

/* A pushed body stands where its line says; of others the displacement counts, and no rotation. */
static void check_joints_now(lode_simd simd, test_random *random)
{
    lode__joint_lanes joints, now;
    bodies_random(&plain.bodies, random);
    for (int i = 1; i <= BODIES; ++i)
        plain.bodies.delta[i].is_rate = (lode_real)random_below(random, 2);
    rows_random(&plain.room, 3, ENDS_PAIR, random);
    lode__softness softness = softness_random(random);
    softness.elapsed = real_between(random, 0, 0.1);
    for (size_t i = 0; i < sizeof joints / sizeof(lode_real); ++i)
        ((lode_real *)(void *)&joints)[i] = real_between(random, -1, 1);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        joints.pushed_a.x[lane] = (lode_real)random_below(random, 2);
        joints.pushed_b.x[lane] = (lode_real)random_below(random, 2);
    }
    now = joints;
    lode__row_block *block = row_block_at(&plain.room, 3, 0);
    lode__dense lines = bodies_lines(&plain.bodies);
    lode__solver_kernels_for(simd)->joints_now(&now, block, &lines, &softness);
    for (int lane = 0; lane < LODE_LANES; ++lane) {
        int32_t a = block->a[lane], b = block->b[lane];
        lode_vec3 start = {joints.start.x.x[lane], joints.start.y.x[lane], joints.start.z.x[lane]};
        lode_vec3 moved_a = plain.bodies.delta[a].linear, moved_b = plain.bodies.delta[b].linear;
        if (plain.bodies.delta[a].is_rate > 0)
            moved_a = v3_scale(moved_a, softness.elapsed);
        if (plain.bodies.delta[b].is_rate > 0)
            moved_b = v3_scale(moved_b, softness.elapsed);
        assert_vector(&now.offset, lane, v3_add(start, v3_sub(moved_a, moved_b)));
        assert_rotation(&now.q_a, lane,
                        joints.pushed_a.x[lane] > 0 ? plain.bodies.pose[a].rotation
                                                    : lane_rotation(&joints.q_a, lane));
        assert_rotation(&now.q_b, lane,
                        joints.pushed_b.x[lane] > 0 ? plain.bodies.pose[b].rotation
                                                    : lane_rotation(&joints.q_b, lane));
    }
    now.offset = joints.offset, now.q_a = joints.q_a, now.q_b = joints.q_b;
    assert_memory_equal(&now, &joints, sizeof now);
}

static void joints_are_where_their_bodies_have_come_to(void **state)
{
    (void)state;
    for_each_set(check_joints_now);
}

static _Alignas(64) lode__spinner spinner[BODIES];
static int32_t spinner_line[BODIES];
static _Alignas(64) lode_real spinner_gyro[BODIES], spinner_turns[BODIES];

/* Every third body or so spins; the list ends in padding. */
static lode__spinners spinners_random(test_random *random)
{
    lode__spinners out = {spinner, spinner_line, spinner_gyro, spinner_turns, 0, true};
    memset(spinner, 0, sizeof spinner);
    memset(spinner_line, 0, sizeof spinner_line);
    memset(spinner_gyro, 0, sizeof spinner_gyro);
    memset(spinner_turns, 0, sizeof spinner_turns);
    for (int line = 1; line <= BODIES - LODE_LANES; ++line) {
        if (random_below(random, 3))
            continue;
        lode__spinner *s = &spinner[out.count];
        for (int k = 0; k < 6; ++k) {
            s->inertia[k] = real_between(random, k < 3 ? 1 : -0.3, k < 3 ? 3 : 0.3);
            s->inv_inertia[k] = real_between(random, k < 3 ? 1 : -0.3, k < 3 ? 3 : 0.3);
        }
        spinner_gyro[out.count] = (lode_real)random_below(random, 2);
        spinner_turns[out.count] = (lode_real)random_below(random, 2);
        spinner_line[out.count++] = line;
    }
    out.count = (out.count + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
    return out;
}

static void assert_lines_outside_unchanged(uint32_t begin, uint32_t end)
{
#define SAME(array) \
    assert_memory_equal(&plain.bodies.array[i], &before.bodies.array[i], \
                        sizeof plain.bodies.array[i])
    for (uint32_t i = 0; i <= BODIES; ++i) {
        if (i >= begin && i < end)
            continue;
        SAME(velocity);
        SAME(inv_mass);
        SAME(delta);
        SAME(pose);
        SAME(force);
    }
#undef SAME
}

static void check_motion(lode_simd simd, test_random *random)
{
    const lode__solver_kernels *p = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    const lode__solver_kernels *w = lode__solver_kernels_for(simd);
    bodies_random(&plain.bodies, random);
    wide = before = plain;
    lode__dense pl = bodies_lines(&plain.bodies), wl = bodies_lines(&wide.bodies);
    uint32_t begin = 1 + random_below(random, BODIES);
    uint32_t end = begin + random_below(random, BODIES + 2 - begin);
    lode_vec3 gravity = vec_between(random, -10, 10);
    lode_real h = real_between(random, 0.001, 0.1);
    p->integrate_velocity(&pl, begin, end, gravity, h);
    w->integrate_velocity(&wl, begin, end, gravity, h);
    assert_equal_states("integrate_velocity", 0, simd);
    p->integrate_pose(&pl, begin, end, h);
    w->integrate_pose(&wl, begin, end, h);
    assert_equal_states("integrate_pose", 0, simd);
    assert_lines_outside_unchanged(begin, end);
}

static void check_spinning(lode_simd simd, test_random *random)
{
    const lode__solver_kernels *p = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    const lode__solver_kernels *w = lode__solver_kernels_for(simd);
    bodies_random(&plain.bodies, random);
    wide = before = plain;
    lode__dense pl = bodies_lines(&plain.bodies), wl = bodies_lines(&wide.bodies);
    lode__spinners s = spinners_random(random);
    lode_real h = real_between(random, 0.001, 0.1);
    p->gyroscopic(&pl, &s, 0, s.count, h);
    w->gyroscopic(&wl, &s, 0, s.count, h);
    assert_equal_states("gyroscopic", 0, simd);
    p->turn_inertia(&pl, &s, 0, s.count);
    w->turn_inertia(&wl, &s, 0, s.count);
    assert_equal_states("turn_inertia", 0, simd);
    p->rotate_inertia(&pl, &s, 0, s.count);
    w->rotate_inertia(&wl, &s, 0, s.count);
    assert_equal_states("rotate_inertia", 0, simd);
    assert_lines_outside_unchanged(1, BODIES + 1 - LODE_LANES);
}

static _Alignas(64) lode__turner turners_of[2][BODIES]; /* of plain, and of the other set */
static int32_t turner_line[BODIES];
static int32_t flyer_line[BODIES];

/* Every other body or so, of all kinds; both lists end in padding. */
static uint32_t turners_random(test_random *random)
{
    uint32_t count = 0;
    memset(turners_of, 0, sizeof turners_of);
    memset(turner_line, 0, sizeof turner_line);
    memset(flyer_line, 0, sizeof flyer_line);
    for (int line = 1; line <= BODIES - LODE_LANES; ++line) {
        if (random_below(random, 2))
            continue;
        lode__turner *t = &turners_of[0][count];
        for (int k = 0; k < 6; ++k) {
            t->inertia[k] = real_between(random, k < 3 ? 1 : -0.3, k < 3 ? 3 : 0.3);
            t->inv_inertia[k] = real_between(random, k < 3 ? 1 : -0.3, k < 3 ? 3 : 0.3);
        }
        t->is_explicit = (lode_real)random_below(random, 2);
        t->conserves = (lode_real)random_below(random, 2);
        t->is_finite = (lode_real)random_below(random, 2);
        if (random_below(random, 2))
            t->axis = unit_random(random);
        t->rotation = rotation_random(random);
        flyer_line[count] = line;
        turner_line[count++] = line;
    }
    memcpy(turners_of[1], turners_of[0], sizeof turners_of[0]);
    return (count + LODE_LANES - 1) / LODE_LANES * LODE_LANES;
}

static void check_turning(lode_simd simd, test_random *random)
{
    const lode__solver_kernels *p = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    const lode__solver_kernels *w = lode__solver_kernels_for(simd);
    bodies_random(&plain.bodies, random);
    wide = before = plain;
    lode__dense pl = bodies_lines(&plain.bodies), wl = bodies_lines(&wide.bodies);
    uint32_t count = turners_random(random);
    lode__turners pt = {turners_of[0], turner_line, count}, wt = {turners_of[1], turner_line, count};
    lode__flyers flyers = {flyer_line, count};
    lode_vec3 gravity = vec_between(random, -10, 10);
    lode_real h = real_between(random, 0.001, random_below(random, 2) ? 0.1 : 10);
    p->gyroscopic_explicit(&pl, &pt, 0, count, h);
    w->gyroscopic_explicit(&wl, &wt, 0, count, h);
    assert_equal_states("gyroscopic_explicit", 0, simd);
    p->turn(&pl, &pt, 0, count, h);
    w->turn(&wl, &wt, 0, count, h);
    assert_equal_states("turn", 0, simd);
    assert_memory_equal(turners_of[0], turners_of[1], sizeof turners_of[0]);
    p->fly(&pl, &flyers, 0, count, gravity, h);
    w->fly(&wl, &flyers, 0, count, gravity, h);
    assert_equal_states("fly", 0, simd);
    assert_lines_outside_unchanged(1, BODIES + 1 - LODE_LANES);
}

static void body_motion_has_the_bits_of_plain(void **state)
{
    (void)state;
    for_each_set(check_turning);
    for_each_set(check_motion);
    for_each_set(check_spinning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_kernels_have_the_bits_of_plain),
        cmocka_unit_test(linkage_kernels_have_the_bits_of_plain),
        cmocka_unit_test(joint_builders_have_the_bits_of_plain),
        cmocka_unit_test(joints_are_where_their_bodies_have_come_to),
        cmocka_unit_test(body_motion_has_the_bits_of_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
