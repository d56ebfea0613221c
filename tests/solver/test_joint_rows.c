/* Joint builders against finite differences of the position error whose derivative their rows are;
 * and chains of ball joints, whose iteration must end at the solution of the linear system.
 * Tolerances are in roundings, as in test_contact_oracle.c. */
#include "core/math.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 60 };

static bodies world;
static block_room room;
static lode__softness softness;

static const lode__solver_kernels *plain(void)
{
    return lode__solver_kernels_for(LODE_SIMD_PLAIN);
}

/* --- ball joints */

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
}

static void set4(lode__lane4 *out, int lane, lode_quat q)
{
    out->w.x[lane] = q.w;
    out->x.x[lane] = q.x;
    out->y.x[lane] = q.y;
    out->z.x[lane] = q.z;
}

typedef struct ball {
    lode_vec3 anchor_a, anchor_b, offset; /* as in lode__joint_lanes */
    lode_quat q_a, q_b;
} ball;

static void ball_fill(lode__joint_lanes *out, int lane, const ball *ball)
{
    set3(&out->anchor_a, lane, ball->anchor_a);
    set3(&out->anchor_b, lane, ball->anchor_b);
    set3(&out->offset, lane, ball->offset);
    set4(&out->q_a, lane, ball->q_a);
    set4(&out->q_b, lane, ball->q_b);
}

/* Turns v by the rotation vector `angle`, to the third order of its length. */
static exact3 turn(exact3 angle, exact3 v)
{
    exact3 c = exact_cross(angle, v);
    exact3 once = exact_madd(v, c, 1);
    return exact_madd(once, exact_cross(angle, c), 0.5L);
}

/* Position error after both bodies moved by `step`, in the order of a Jacobian. */
static exact3 ball_error(const ball *ball, const exact step[12])
{
    exact3 r_a = exact_rotate(ball->q_a, exact_of(ball->anchor_a));
    exact3 r_b = exact_rotate(ball->q_b, exact_of(ball->anchor_b));
    exact3 x = exact_of(ball->offset);
    for (int i = 0; i < 3; ++i)
        x.x[i] += step[i] - step[6 + i];
    x = exact_add(x, turn((exact3){{step[3], step[4], step[5]}}, r_a));
    return exact_madd(x, turn((exact3){{step[9], step[10], step[11]}}, r_b), -1);
}

/* Central differences over 1e-4 err by its square; the builder by rounding of arms up to 1.8 m. */
static void check_ball_rows(const ball *ball, const lode__row_block *block, int lane)
{
    exact unused = 0, rest[12] = {0};
    for (int k = 0; k < 12; ++k) {
        const exact size = 1e-4L;
        exact forth[12] = {0}, back[12] = {0};
        forth[k] = size;
        back[k] = -size;
        exact3 d = exact_madd(ball_error(ball, forth), ball_error(ball, back), -1);
        for (int i = 0; i < 3; ++i) {
            oracle_row row = oracle_row_of(&block->rows[i], lane);
            assert_near("J", row.j[k], d.x[i] / (2 * size), 2, 8, &unused);
        }
    }
    exact3 error = ball_error(ball, rest);
    for (int i = 0; i < 3; ++i) {
        const lode__row *row = &block->rows[i];
        assert_near("error", row->error.x[lane], error.x[i], 4, 8, &unused);
        assert_true(row->lo.x[lane] <= -LODE__UNBOUNDED && row->hi.x[lane] >= LODE__UNBOUNDED);
        assert_true(row->target.x[lane] == 0);
    }
}

static void ball_rows_are_the_derivative_of_its_error(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < ROUNDS; ++round) {
        lode__joint_lanes joints;
        ball balls[LODE_LANES];
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            balls[lane].anchor_a = vec_between(&random, -1, 1);
            balls[lane].anchor_b = vec_between(&random, -1, 1);
            balls[lane].offset = vec_between(&random, -1, 1);
            balls[lane].q_a = rotation_random(&random);
            balls[lane].q_b = rotation_random(&random);
            ball_fill(&joints, lane, &balls[lane]);
        }
        memset(&room, 0xff, sizeof room);
        plain()->build[LODE_JOINT_BALL](row_block_at(&room, 3, 0), &joints, 3);
        assert_int_equal(row_block_at(&room, 3, 0)->axes, 3);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            check_ball_rows(&balls[lane], row_block_at(&room, 3, 0), lane);
    }
}

/* --- hinges */

typedef struct hinge {
    ball ball;
    lode_quat frame_a, frame_b;
    lode_real lo, hi, vel, max_impulse; /* of the axis */
    lode_real servo, target;            /* of the motor; 0: it is none */
    lode_real last;
} hinge;

/* Frame b's axes in the world, and the rotation of frame a as frame b sees it. */
typedef struct hinge_frames {
    exact3 axis[3]; /* of frame b */
    exact3 x, y;    /* frame a's, in frame b */
} hinge_frames;

static exact3 frame_axis(lode_quat body, lode_quat frame, exact3 angle, int k)
{
    exact3 unit = {{k == 0, k == 1, k == 2}};
    return turn(angle, exact_rotate(body, exact_rotate(frame, unit)));
}

static exact3 seen_in(const hinge_frames *f, exact3 v)
{
    return (exact3){{exact_dot(f->axis[0], v), exact_dot(f->axis[1], v), exact_dot(f->axis[2], v)}};
}

static hinge_frames frames_of(const hinge *h, const exact step[12])
{
    hinge_frames f;
    exact3 angle_a = {{step[3], step[4], step[5]}}, angle_b = {{step[9], step[10], step[11]}};
    for (int k = 0; k < 3; ++k)
        f.axis[k] = frame_axis(h->ball.q_b, h->frame_b, angle_b, k);
    f.x = seen_in(&f, frame_axis(h->ball.q_a, h->frame_a, angle_a, 0));
    f.y = seen_in(&f, frame_axis(h->ball.q_a, h->frame_a, angle_a, 1));
    return f;
}

/* What takes frame b's x to frame a's by the shortest way, as a rotation vector, and the turn about
 * x that is left: Rodrigues' formula takes a's y back. */
static exact3 hinge_swing(const hinge_frames *f, exact *out_turn)
{
    exact3 axis = exact_cross((exact3){{1, 0, 0}}, f->x);
    exact sine = sqrtl(exact_dot(axis, axis)), angle = atan2l(sine, f->x.x[0]);
    for (int i = 0; i < 3; ++i)
        axis.x[i] /= sine;
    exact along = exact_dot(axis, f->y) * (1 - cosl(angle));
    exact3 y = exact_cross(axis, f->y);
    for (int i = 0; i < 3; ++i)
        y.x[i] = f->y.x[i] * cosl(angle) - y.x[i] * sinl(angle) + axis.x[i] * along;
    *out_turn = atan2l(y.x[2], y.x[1]);
    for (int i = 0; i < 3; ++i)
        axis.x[i] *= angle;
    return axis;
}

/* The two rows of alignment: at any angle the error is that of the swing; for frames that nearly
 * meet the Jacobian is its derivative. */
static void check_hinge_rows(const hinge *h, const lode__row_block *block, int lane, bool close)
{
    exact rest[12] = {0}, unused = 0, turned;
    hinge_frames now = frames_of(h, rest);
    exact3 swing = hinge_swing(&now, &turned);
    for (int i = 0; i < 2; ++i) {
        const lode__row *row = &block->rows[3 + i];
        assert_near("swing", row->error.x[lane], swing.x[1 + i], 4, 64, &unused);
        oracle_row is = oracle_row_of(row, lane);
        for (int k = 0; k < 12 && close; ++k) {
            exact forth[12] = {0}, back[12] = {0}, skip;
            forth[k] = 1e-4L;
            back[k] = -1e-4L;
            hinge_frames f = frames_of(h, forth), b = frames_of(h, back);
            exact slope = (hinge_swing(&f, &skip).x[1 + i] - hinge_swing(&b, &skip).x[1 + i]) /
                          2e-4L;
            assert_true(exact_abs(is.j[k] - slope) < 0.02L);
        }
    }
    const lode__row *motor = &block->rows[5], *stop = &block->rows[6];
    assert_true(motor->lo.x[lane] == -h->max_impulse && motor->hi.x[lane] == h->max_impulse);
    assert_true(motor->error.x[lane] == 0);
    const exact whole = 2 * 3.14159265358979323846264338L;
    exact angle = turned + whole * floorl((h->last - turned) / whole + 0.5L);
    exact way = h->servo * (h->target - angle);
    way = way < -h->vel ? -h->vel : way > h->vel ? h->vel : way;
    if (h->servo > 0)
        assert_near("servo", motor->target.x[lane], way, 16 * h->servo, 64, &unused);
    else
        assert_true(motor->target.x[lane] == h->vel);
    exact below = angle - h->lo, above = angle - h->hi;
    bool lower = below <= -above;
    if (exact_abs(below + above) > 1e-3L) {
        assert_near("stop", stop->error.x[lane], lower ? below : above, 16, 64, &unused);
        assert_true(stop->lo.x[lane] == (lower ? 0 : -LODE__UNBOUNDED));
        assert_true(stop->hi.x[lane] == (lower ? LODE__UNBOUNDED : 0));
    }
    for (int k = 0; k < 3; ++k) {
        assert_near("axis", (&stop->ang_a.x)[k].x[lane], now.axis[0].x[k], 1, 16, &unused);
        assert_near("axis", (&motor->ang_b.x)[k].x[lane], -now.axis[0].x[k], 1, 16, &unused);
    }
}

static void hinge_fill(lode__joint_lanes *out, int lane, const hinge *h)
{
    ball_fill(out, lane, &h->ball);
    set4(&out->frame_a, lane, h->frame_a);
    set4(&out->frame_b, lane, h->frame_b);
    set3(&out->drift, lane, v3_zero());
    set3(&out->spin_a, lane, v3_zero());
    set3(&out->spin_b, lane, v3_zero());
    for (int i = 0; i < 2; ++i) {
        lode__extra_lanes *extra = &out->extra[i];
        extra->axis.x[lane] = extra->bounce.x[lane] = 0;
        extra->soft.x[lane] = extra->recent.x[lane] = 0;
        extra->near.x[lane] = 0;
        extra->fudge.x[lane] = 1;
        extra->stop.x[lane] = (lode_real)i;
        extra->vel.x[lane] = h->vel;
        extra->servo.x[lane] = h->servo;
        extra->target.x[lane] = h->target;
        extra->max_impulse.x[lane] = h->max_impulse;
        extra->lo_stop.x[lane] = h->lo;
        extra->hi_stop.x[lane] = h->hi;
        extra->last.x[lane] = h->last;
    }
}

/* Frames that nearly meet but for a turn about x; or any. */
static hinge hinge_random(test_random *random, bool close)
{
    hinge h = {.ball = {vec_between(random, -1, 1), vec_between(random, -1, 1),
                        vec_between(random, -1, 1), rotation_random(random),
                        rotation_random(random)}};
    h.frame_a = rotation_random(random);
    h.frame_b = rotation_random(random);
    if (close) {
        lode_vec3 tilt = vec_between(random, -0.002, 0.002);
        lode_real half = real_between(random, -1.2, 1.2);
        lode_quat off = q_normalize((lode_quat){1, half, tilt.y, tilt.z});
        lode_quat b = q_mul(h.ball.q_b, h.frame_b);
        h.frame_a = q_normalize(q_mul(q_conj(h.ball.q_a), q_mul(b, off)));
    }
    h.lo = real_between(random, -9, 2);
    h.hi = h.lo + real_between(random, 0.1, 8);
    h.vel = real_between(random, -1, 1);
    h.servo = r_max(real_between(random, -20, 20), 0);
    h.vel = h.servo > 0 ? 100 * r_abs(h.vel) : h.vel;
    h.target = real_between(random, -9, 9);
    h.max_impulse = real_between(random, 0, 1);
    h.last = real_between(random, -9, 9);
    return h;
}

static void hinge_rows_hold_the_swing_and_turn_by_the_twist(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < ROUNDS; ++round) {
        static lode__joint_lanes joints;
        hinge hinges[LODE_LANES];
        bool close = round % 2;
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            hinges[lane] = hinge_random(&random, close);
            hinge_fill(&joints, lane, &hinges[lane]);
        }
        memset(&room, 0, sizeof room);
        plain()->build[LODE_JOINT_HINGE](row_block_at(&room, 7, 0), &joints, 7);
        assert_int_equal(row_block_at(&room, 7, 0)->unbounded, 5);
        assert_int_equal(row_block_at(&room, 7, 0)->axes, 3);
        assert_int_equal(row_block_at(&room, 7, 0)->turning, 5);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            check_hinge_rows(&hinges[lane], row_block_at(&room, 7, 0), lane, close);
    }
}

/* --- a chain: body 1 hangs from the world, body i + 1 from body i; even links in block 0, odd ones
 * in block 1 */

enum { LINKS = 8, CHAIN_ROWS = 3 * LINKS };

static lode__row_block *link_block(int link)
{
    return row_block_at(&room, 3, link % 2);
}

static void chain_build(test_random *random)
{
    lode__joint_lanes joints[2];
    memset(joints, 0, sizeof joints);
    memset(&room, 0, sizeof room);
    for (int link = 0; link < LINKS; ++link) {
        ball ball = {vec_between(random, -0.5, 0.5), vec_between(random, -0.5, 0.5),
                     vec_between(random, -0.1, 0.1), rotation_random(random),
                     rotation_random(random)};
        ball_fill(&joints[link % 2], link / 2, &ball);
        link_block(link)->a[link / 2] = link + 1;
        link_block(link)->b[link / 2] = link;
        for (int i = 0; i < 3; ++i) {
            link_block(link)->rows[i].erp.x[link / 2] = (lode_real)0.1;
            link_block(link)->rows[i].cfm.x[link / 2] = (lode_real)0.001;
        }
    }
    for (int i = 0; i < 2; ++i)
        plain()->build[LODE_JOINT_BALL](link_block(i), &joints[i], 3);
}

/* Row i of the chain, and J over the whole velocity of bodies 1..LINKS. */
static void chain_row(int i, exact out[6 * LINKS])
{
    int link = i / 3;
    oracle_row row = oracle_row_of(&link_block(link)->rows[i % 3], link / 2);
    memset(out, 0, 6 * LINKS * sizeof *out);
    for (int k = 0; k < 6; ++k) {
        out[6 * link + k] = row.j[k];
        if (link > 0)
            out[6 * (link - 1) + k] = row.j[6 + k];
    }
}

/* (J M^-1 J^T + gamma) lambda = c - J v, solved at once. */
static void chain_solve(exact lambda[CHAIN_ROWS])
{
    static exact a[CHAIN_ROWS * CHAIN_ROWS], j[CHAIN_ROWS][6 * LINKS];
    exact gamma = 0.001L * softness.inv_h;
    for (int i = 0; i < CHAIN_ROWS; ++i)
        chain_row(i, j[i]);
    memset(a, 0, sizeof a);
    for (int i = 0; i < CHAIN_ROWS; ++i) {
        lambda[i] = link_block(i / 3)->rows[i % 3].c.x[i / 3 / 2];
        a[i * CHAIN_ROWS + i] = gamma;
        for (int body = 0; body < LINKS; ++body) {
            oracle_pair pair = oracle_pair_of(&world, body + 1, 0);
            for (int k = 0; k < 6; ++k) {
                lambda[i] -= j[i][6 * body + k] * pair.v[k];
                for (int l = 0; l < 6; ++l)
                    for (int i2 = 0; i2 < CHAIN_ROWS; ++i2)
                        a[i * CHAIN_ROWS + i2] += j[i][6 * body + k] * pair.w[k][l] *
                                                  j[i2][6 * body + l];
            }
        }
    }
    exact_solve(CHAIN_ROWS, a, lambda);
}

/* The two blocks share bodies, so they are no run. */
static void run_chain(lode__block_fn *kernel)
{
    lode__dense lines = bodies_lines(&world);
    for (int i = 0; i < 2; ++i)
        kernel(link_block(i), 1, lode__row_block_size(3), &lines, &softness);
}

static void ball_chains_converge_to_the_direct_solution(void **state)
{
    (void)state;
    test_random random = {3};
    const lode__block_kernels *kernels = &plain()->kinds[LODE__KIND_ROWS + 2];
    exact seen = 0;
    for (int round = 0; round < 20; ++round) {
        bodies_random(&world, &random);
        memset(world.delta, 0, sizeof world.delta);
        chain_build(&random);
        softness = (lode__softness){.relaxation = (lode_real)1.3, .inv_h = 60};
        run_chain(kernels->prepare);
        run_chain(kernels->refresh);
        exact lambda[CHAIN_ROWS], most = 1;
        chain_solve(lambda);
        for (int i = 0; i < 3000; ++i)
            run_chain(kernels->solve[0]);
        for (int i = 0; i < CHAIN_ROWS; ++i)
            most = exact_max(most, exact_abs(lambda[i]));
        for (int i = 0; i < CHAIN_ROWS; ++i)
            assert_near("impulse", link_block(i / 3)->rows[i % 3].lambda.x[i / 3 / 2], lambda[i],
                        most, 100, &seen);
    }
    print_message("worst: %.1Lf roundings\n", seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_rows_are_the_derivative_of_its_error),
        cmocka_unit_test(hinge_rows_hold_the_swing_and_turn_by_the_twist),
        cmocka_unit_test(ball_chains_converge_to_the_direct_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
