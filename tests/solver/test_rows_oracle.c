/* Row blocks against the textbook: the same rows by dense projected Gauss-Seidel in long double;
 * joint builders against finite differences of the position error they are the derivative of; and
 * chains of ball joints, whose iteration must end at the solution of the linear system.
 *
 * Tolerances are in roundings, as in test_contact_oracle.c; inverse inertias up to 8 and arms up to
 * 1.8 m make J M^-1 J^T a sum of terms up to 60 /kg. */
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <string.h>

enum { ROUNDS = 60, ROWS = 6, MASS_SCALE = 60, MASS_ROUNDINGS = 3, SOLVE_ROUNDINGS = 60 };

static bodies world;
static block_room room;
static lode__softness softness;
static oracle_worst worst;

static const lode__solver_kernels *plain(void)
{
    return lode__solver_kernels_for(LODE_SIMD_PLAIN);
}

static void run(lode__block_fn *kernel, int blocks, int rows)
{
    lode__dense lines = bodies_lines(&world);
    kernel(room.bytes, (uint32_t)blocks, lode__row_block_size(rows), &lines, &softness);
}

static exact3 lane3(const lode__lane3 *field, int lane)
{
    return (exact3){{field->x.x[lane], field->y.x[lane], field->z.x[lane]}};
}

/* --- rows of any joint */

typedef struct oracle_joint {
    oracle_pair pair;
    oracle_row rows[ROWS];
    exact k[ROWS];
    exact most_velocity, most_impulse;
} oracle_joint;

static oracle_row oracle_row_of(const lode__row *row, int lane)
{
    oracle_row out = {.lambda = row->lambda.x[lane], .lo = row->lo.x[lane], .hi = row->hi.x[lane]};
    exact3 lin = lane3(&row->lin, lane);
    exact3 a = lane3(&row->ang_a, lane), b = lane3(&row->ang_b, lane);
    for (int i = 0; i < 3; ++i) {
        out.j[i] = lin.x[i];
        out.j[3 + i] = a.x[i];
        out.j[6 + i] = -lin.x[i];
        out.j[9 + i] = b.x[i];
    }
    return out;
}

static void oracle_prepare(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    *o = (oracle_joint){.pair = oracle_pair_of(&world, block->a[lane], block->b[lane])};
    for (int i = 0; i < rows; ++i) {
        o->rows[i] = oracle_row_of(&block->rows[i], lane);
        o->k[i] = oracle_coupling(&o->pair, &o->rows[i], &o->rows[i]);
        assert_near("k", block->rows[i].k.x[lane], o->k[i], MASS_SCALE, MASS_ROUNDINGS,
                    &worst.mass);
    }
}

static void oracle_refresh(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    oracle_pair moved = {{0}, {{0}}};
    for (int i = 0; i < 12; ++i) {
        const lode__delta *d = &world.delta[i < 6 ? block->a[lane] : block->b[lane]];
        moved.v[i] = exact_of(i % 6 < 3 ? d->linear : d->angular).x[i % 3];
    }
    exact rate = softness.joint_rate, gamma = 0;
    if (softness.joint_erp) {
        rate *= block->erp.x[lane];
        gamma = (exact)block->cfm.x[lane] * softness.inv_h;
    }
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        exact error = row->error.x[lane] + oracle_velocity(&moved, &o->rows[i]);
        exact mass = softness.relaxation / (o->k[i] + gamma);
        o->rows[i].c = row->target.x[lane] - rate * error;
        o->rows[i].mass = mass * softness.joint_mass_scale;
        o->rows[i].soft = mass * gamma + softness.joint_impulse_scale;
    }
}

/* With the joints' own erp, that share of the old impulses is forgotten. */
static void oracle_warm_start(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    for (int k = 0; k < rows; ++k) {
        if (softness.joint_erp)
            o->rows[k].lambda *= 1 - (exact)block->erp.x[lane];
        oracle_push(&o->pair, &o->rows[k], o->rows[k].lambda);
    }
}

static void compare(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    oracle_pair is = oracle_pair_of(&world, block->a[lane], block->b[lane]);
    for (int i = 0; i < 12; ++i)
        o->most_velocity = exact_max(o->most_velocity, exact_abs(o->pair.v[i]));
    for (int i = 0; i < rows; ++i)
        o->most_impulse = exact_max(o->most_impulse, exact_abs(o->rows[i].lambda));
    for (int i = 0; i < 12; ++i)
        assert_near("velocity", is.v[i], o->pair.v[i], 1 + o->most_velocity, SOLVE_ROUNDINGS,
                    &worst.velocity);
    for (int i = 0; i < rows; ++i)
        assert_near("impulse", block->rows[i].lambda.x[lane], o->rows[i].lambda,
                    1 + o->most_impulse, SOLVE_ROUNDINGS, &worst.impulse);
}

static void compare_all(oracle_joint *oracle, int rows)
{
    for (int i = 0; i < CONTACTS; ++i) {
        const lode__row_block *block = row_block_at(&room, rows, i / LODE_LANES);
        if (block->a[i % LODE_LANES])
            compare(&oracle[i], block, i % LODE_LANES, rows);
    }
}

static void check_rows(int rows, test_random *random)
{
    static oracle_joint oracle[CONTACTS];
    const lode__block_kernels *kernels = &plain()->kinds[LODE__KIND_ROWS + rows - 1];
    bodies_random(&world, random);
    rows_random(&room, rows, random);
    softness = softness_random(random);
    run(kernels->prepare, BLOCKS, rows);
    run(kernels->refresh, BLOCKS, rows);
    for (int i = 0; i < CONTACTS; ++i) {
        const lode__row_block *block = row_block_at(&room, rows, i / LODE_LANES);
        oracle_prepare(&oracle[i], block, i % LODE_LANES, rows);
        oracle_refresh(&oracle[i], block, i % LODE_LANES, rows);
        oracle_warm_start(&oracle[i], block, i % LODE_LANES, rows);
    }
    run(kernels->warm_start, BLOCKS, rows);
    compare_all(oracle, rows);
    for (int iteration = 0; iteration < 20; ++iteration) {
        run(kernels->solve, BLOCKS, rows);
        for (int i = 0; i < CONTACTS; ++i)
            for (int k = 0; k < rows; ++k)
                oracle_solve(&oracle[i].pair, &oracle[i].rows[k]);
        compare_all(oracle, rows);
    }
}

static void iterations_follow_projected_gauss_seidel(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < ROUNDS; ++round)
        for (int rows = 1; rows <= ROWS; ++rows)
            check_rows(rows, &random);
    print_message("worst: k %.1Lf, velocity %.1Lf, impulse %.1Lf roundings\n", worst.mass,
                  worst.velocity, worst.impulse);
}

/* --- ball joints */

static void set3(lode__lane3 *out, int lane, lode_vec3 v)
{
    out->x.x[lane] = v.x;
    out->y.x[lane] = v.y;
    out->z.x[lane] = v.z;
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
    out->qa_w.x[lane] = ball->q_a.w, out->qb_w.x[lane] = ball->q_b.w;
    out->qa_x.x[lane] = ball->q_a.x, out->qb_x.x[lane] = ball->q_b.x;
    out->qa_y.x[lane] = ball->q_a.y, out->qb_y.x[lane] = ball->q_b.y;
    out->qa_z.x[lane] = ball->q_a.z, out->qb_z.x[lane] = ball->q_b.z;
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
        plain()->build[LODE_JOINT_BALL](row_block_at(&room, 3, 0), &joints);
        for (int lane = 0; lane < LODE_LANES; ++lane)
            check_ball_rows(&balls[lane], row_block_at(&room, 3, 0), lane);
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
        link_block(link)->erp.x[link / 2] = (lode_real)0.1;
        link_block(link)->cfm.x[link / 2] = (lode_real)0.001;
    }
    for (int i = 0; i < 2; ++i)
        plain()->build[LODE_JOINT_BALL](link_block(i), &joints[i]);
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
                        a[i * CHAIN_ROWS + i2] +=
                            j[i][6 * body + k] * pair.w[k][l] * j[i2][6 * body + l];
            }
        }
    }
    exact_solve(CHAIN_ROWS, a, lambda);
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
        softness = (lode__softness){.relaxation = (lode_real)1.3, .joint_mass_scale = 1,
                                    .inv_h = 60, .joint_rate = 60, .joint_erp = true};
        run(kernels->prepare, 2, 3);
        run(kernels->refresh, 2, 3);
        exact lambda[CHAIN_ROWS], most = 1;
        chain_solve(lambda);
        for (int i = 0; i < 3000; ++i)
            run(kernels->solve, 2, 3);
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
        cmocka_unit_test(iterations_follow_projected_gauss_seidel),
        cmocka_unit_test(ball_rows_are_the_derivative_of_its_error),
        cmocka_unit_test(ball_chains_converge_to_the_direct_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
