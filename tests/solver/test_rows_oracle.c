/* Row blocks against the textbook. What prepare makes of the rows of joints against an elimination
 * by Gram and Schmidt in long double; iterations against the same rows by dense projected
 * Gauss-Seidel, in long double too.
 *
 * Tolerances are in roundings, as in test_contact_oracle.c; inverse inertias up to 8 and arms up to
 * 1.8 m make J M^-1 J^T a sum of terms up to 60 /kg, and I^-1 J one of terms up to 15. */
#include "core/math.h"
#include "tests/solver/oracle.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum {
    ROUNDS = 60,
    ROWS = LODE__JOINT_ROWS,
    MASS_SCALE = 60,
    PREPARE_ROUNDINGS = 8, /* a sum of nine products */
    SOLVE_ROUNDINGS = 60,
    MOST_UNCERTAIN = 50, /* one lane in so many */
    LEAST_PIVOT = 64     /* roundings of J M^-1 J^T: rows with less of their own are left out */
};

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

/* --- prepare: bounded rows push along what the others leave free, so no other row feels them
 *
 * Row e becomes J' = J_e - sum c_j J_j, K c = K_e, K = J M^-1 J^T of the rows without bounds.
 * Nearly dependent rows make c long, J' is what is left of terms as long as g = 1 + sum |c_j|, and
 * that is the scale of its roundings. A Cholesky factor is that of a matrix some roundings from K
 * (Higham, "Accuracy and stability of numerical algorithms", 2002, theorem 10.3), so J' couples
 * with a row by no more than rho = roundings of 60 g, however nearly dependent they are. With q =
 * sum t_j J_j, the rows made orthogonal, it couples with q by up to rho |t|_1: J' is off its place
 * by rho |t|_1 / |q| along q, and so is a pivot |q|^2 off by the roundings of |t|_1^2. Of a row
 * left out J' keeps what its q has: up to |q| |J'|. Lanes where rounding decides whether a row is
 * left out are counted. */

typedef struct basis {
    oracle_row q[ROWS];
    exact t[ROWS][ROWS];
    exact left[ROWS]; /* |q|^2 */
    bool sound[ROWS]; /* not left out */
    bool certain;
} basis;

/* y -= (y . q_m) / |q_m|^2 q_m, with what that is in terms of the rows; for all m below n. */
static void make_orthogonal(const oracle_pair *pair, const basis *basis, int n, oracle_row *y,
                            exact t[ROWS])
{
    for (int m = 0; m < n; ++m) {
        if (!basis->sound[m])
            continue;
        exact share = oracle_coupling(pair, y, &basis->q[m]) / basis->left[m];
        for (int k = 0; k < 12; ++k)
            y->j[k] -= share * basis->q[m].j[k];
        for (int k = 0; k <= m; ++k)
            t[k] -= share * basis->t[m][k];
    }
}

static exact total(const exact t[ROWS])
{
    exact sum = 0;
    for (int k = 0; k < ROWS; ++k)
        sum += exact_abs(t[k]);
    return sum;
}

static exact squared(const oracle_pair *pair, const oracle_row *row)
{
    return oracle_coupling(pair, row, row);
}

static basis basis_of(const oracle_pair *pair, const oracle_row *rows, int count)
{
    basis out = {.certain = true};
    for (int j = 0; j < count; ++j) {
        out.q[j] = rows[j];
        out.t[j][j] = 1;
        make_orthogonal(pair, &out, j, &out.q[j], out.t[j]);
        out.left[j] = squared(pair, &out.q[j]);
        exact terms = 0, least = LEAST_PIVOT * (exact)REAL_EPSILON * squared(pair, &rows[j]);
        for (int k = 0; k <= j; ++k)
            terms += exact_abs(out.t[j][k]) * sqrtl(squared(pair, &rows[k]));
        exact off = PREPARE_ROUNDINGS * (exact)REAL_EPSILON * terms * terms;
        out.sound[j] = out.left[j] > least;
        out.certain = out.certain && exact_abs(out.left[j] - least) > off;
    }
    return out;
}

/* The largest errors of what prepare writes: in roundings, and as shares of their bounds. */
typedef struct prepared_worst {
    exact mass, coupling, rest;
} prepared_worst;

static prepared_worst prepared;

static void assert_within(const char *what, exact is, exact should, exact bound, exact *worst)
{
    assert_near(what, is, should, bound / (exact)REAL_EPSILON, 1, worst);
}

/* The largest terms of a row's k. */
static exact mass_scale(const oracle_pair *pair)
{
    return MASS_SCALE * (exact)(pair->parts[0] + pair->parts[1]) / 2;
}

/* k of a row by its Jacobian as it is stored: a sum of nine products, of which one factor, M^-1 J,
 * is such a sum as well; or, of a row that others are taken out of, what is left of terms as long
 * as `g`. */
static void check_mass(const oracle_pair *pair, const lode__row *row, int lane, exact g)
{
    oracle_row is = oracle_row_of(row, lane);
    assert_near("k", row->k.x[lane], squared(pair, &is), mass_scale(pair) * g,
                2 * PREPARE_ROUNDINGS, &prepared.mass);
}

/* Row `is` against what the elimination leaves of `was`; returns g. */
static exact check_projection(const oracle_pair *pair, const basis *basis, const oracle_row *rows,
                             int own, const oracle_row *was, const oracle_row *is)
{
    oracle_row left = *was;
    exact c[ROWS] = {0};
    make_orthogonal(pair, basis, own, &left, c);
    exact g = 1 + total(c), now = squared(pair, is), size = sqrtl(now);
    exact rho = PREPARE_ROUNDINGS * (exact)REAL_EPSILON * mass_scale(pair) * g, off = rho;
    for (int j = 0; j < own; ++j) {
        exact along = rho * total(basis->t[j]), q = sqrtl(basis->left[j]);
        if (basis->sound[j])
            off += along / q * along / q;
        assert_within("coupling", oracle_coupling(pair, is, &rows[j]), 0,
                      basis->sound[j] ? rho : along + q * size, &prepared.coupling);
    }
    if (now == 0)
        off += LEAST_PIVOT * (exact)REAL_EPSILON * squared(pair, was);
    assert_within("what is left", now, squared(pair, &left), off, &prepared.rest);
    return g;
}

/* A lane after prepare, by what it was before; false where it is not certain what it is to be. */
static bool check_prepared(const lode__row_block *was, const lode__row_block *block, int lane,
                           int rows)
{
    oracle_pair pair = oracle_part_of(&world, block->a, block->b, lane);
    oracle_row before[ROWS];
    int own = was->unbounded < rows ? was->unbounded : 0;
    for (int i = 0; i < rows; ++i)
        before[i] = oracle_row_of(&was->rows[i], lane);
    basis basis = basis_of(&pair, before, own);
    for (int i = 0; i < rows; ++i) {
        oracle_row is = oracle_row_of(&block->rows[i], lane);
        for (int k = 0; k < 12 && i < own; ++k)
            assert_true(is.j[k] == before[i].j[k]);
        exact g = 1;
        if (i >= own && basis.certain)
            g = check_projection(&pair, &basis, before, own, &before[i], &is);
        if (i < own || basis.certain)
            check_mass(&pair, &block->rows[i], lane, g);
    }
    return basis.certain;
}

static void bounded_rows_push_along_what_the_others_leave_free(void **state)
{
    (void)state;
    static block_room before;
    test_random random = {4};
    int uncertain = 0, lanes = 0;
    for (int round = 0; round < ROUNDS; ++round)
        for (int k = 0; k < 2 * ROWS; ++k) {
            int rows = k / 2 + 1, kind = LODE__KIND_ROWS + rows - 1 + k % 2 * LODE__KIND_SHARED;
            bodies_random(&world, &random);
            rows_random(&room, rows, ends_of_kind(kind), &random);
            before = room;
            run(plain()->kinds[kind].prepare, BLOCKS, rows);
            for (int i = 0; i < CONTACTS; ++i) {
                const lode__row_block *block = row_block_at(&room, rows, i / LODE_LANES);
                if (!block->a[i % LODE_LANES])
                    continue;
                uncertain += !check_prepared(row_block_at(&before, rows, i / LODE_LANES), block,
                                             i % LODE_LANES, rows);
                ++lanes;
            }
        }
    print_message("worst: k %.1Lf roundings; coupling %.4Lf, what is left %.4Lf of their bounds; "
                  "%d of %d uncertain\n",
                  prepared.mass, prepared.coupling, prepared.rest, uncertain, lanes);
    assert_true(uncertain < lanes / MOST_UNCERTAIN);
}

/* --- iterations, with rows and k as prepare has left them */

typedef struct oracle_joint {
    oracle_pair pair;
    oracle_row rows[ROWS];
    exact response[ROWS][12];
    exact k[ROWS];
    exact most_velocity, most_impulse;
} oracle_joint;

static void oracle_prepare(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    *o = (oracle_joint){.pair = oracle_part_of(&world, block->a, block->b, lane)};
    for (int i = 0; i < rows; ++i) {
        o->rows[i] = oracle_row_of(&block->rows[i], lane);
        o->k[i] = block->rows[i].k.x[lane];
        for (int l = 0; l < 12; ++l)
            for (int m = 0; m < 12; ++m)
                o->response[i][l] += o->pair.w[l][m] * o->rows[i].j[m];
    }
}

static void push(oracle_joint *o, int row, exact impulse)
{
    for (int i = 0; i < 12; ++i)
        o->pair.v[i] += o->response[row][i] * impulse;
}

/* How much of row j without bounds prepare has taken out of a bounded row. */
static exact taken_out(const lode__row_block *block, int lane, int rows, int row, int j)
{
    const lode__lane *pairs = (const lode__lane *)(const void *)&block->rows[rows];
    return pairs[(row - block->unbounded) * block->unbounded + j].x[lane];
}

/* How fast a row without bounds goes, by the impulse that it has. */
static exact oracle_goes(const oracle_joint *o, const lode__row *row, int lane, int i)
{
    exact gamma = (exact)row->cfm.x[lane] * softness.inv_h;
    return row->erp.x[lane] >= 0 ? o->rows[i].c - gamma * o->rows[i].lambda : 0;
}

/* Along what was taken out of it a bounded row moves as the others do. */
static void oracle_refresh(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    exact progress[ROWS];
    oracle_pair moved = {.line = {0, 0}};
    for (int i = 0; i < 12; ++i) {
        const lode__delta *d = &world.delta[i < 6 ? block->a[lane] : block->b[lane]];
        moved.v[i] = exact_of(i % 6 < 3 ? d->linear : d->angular).x[i % 3];
    }
    for (int i = 0; i < rows; ++i) {
        const lode__row *row = &block->rows[i];
        progress[i] = oracle_velocity(&moved, &o->rows[i]);
        for (int j = 0; j < block->unbounded && i >= block->unbounded; ++j)
            progress[i] += taken_out(block, lane, rows, i, j) * progress[j];
        exact error = row->error.x[lane] + progress[i];
        exact erp = row->erp.x[lane], rate = softness.joint_rate, gamma = 0;
        bool own = erp >= 0, gap = row->target.x[lane] == 0 && ((o->rows[i].lo == 0 && error > 0) ||
                                                                (o->rows[i].hi == 0 && error < 0));
        if (own) {
            rate = erp * softness.inv_h;
            gamma = (exact)row->cfm.x[lane] * softness.inv_h;
        }
        if (gap)
            rate = softness.inv_h;
        exact k = o->k[i] + gamma, mass = k > 0 ? softness.relaxation / k : 0;
        o->rows[i].c = row->target.x[lane] - rate * error;
        for (int j = 0; j < block->unbounded && i >= block->unbounded; ++j)
            o->rows[i].c -= taken_out(block, lane, rows, i, j) *
                            oracle_goes(o, &block->rows[j], lane, j);
        o->rows[i].mass = mass * (own || gap ? 1 : softness.joint_mass_scale);
        o->rows[i].soft = mass * gamma + (own || gap ? 0 : softness.joint_impulse_scale);
    }
}

/* Are the joint's rows without bounds all within the 0.002th part of a near gap? */
static bool oracle_is_exact(const lode__row_block *block, int lane, int rows)
{
    bool exact = true;
    for (int k = 0; k < rows && k < block->unbounded; ++k) {
        lode_real erp = block->rows[k].erp.x[lane], c = block->rows[k].c.x[lane];
        lode_real near = softness.inv_h * softness.near * (lode_real)0.002;
        exact = exact && (c < 0 ? -c : c) <= (erp > 0 ? erp : 0) * near;
    }
    return exact;
}

/* Of rows with an erp of their own, the island's share of the old impulse is forgotten, unless the
 * joint is exact. */
static void oracle_warm_start(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    for (int k = 0; k < rows; ++k) {
        bool corrects = block->rows[k].erp.x[lane] > 0;
        if (corrects && (k >= block->unbounded || !oracle_is_exact(block, lane, rows)))
            o->rows[k].lambda *= 1 - (exact)block->most_erp.x[lane];
        push(o, k, o->rows[k].lambda);
    }
}

/* As much again as the row's bounds let; springs keep what they have. */
static void oracle_again(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    for (int k = 0; k < rows; ++k) {
        const lode__row *row = &block->rows[k];
        exact old = o->rows[k].lambda, twice = row->cfm.x[lane] > 0 ? old : 2 * old;
        if (twice > row->hi.x[lane])
            twice = row->hi.x[lane];
        o->rows[k].lambda = exact_max(twice, row->lo.x[lane]);
        push(o, k, o->rows[k].lambda - old);
    }
}

/* A change of lambda is off by roundings of the terms that make it. */
static void oracle_solve_row(oracle_joint *o, int k)
{
    const oracle_row *row = &o->rows[k];
    exact terms = exact_abs(row->c);
    for (int i = 0; i < 12; ++i)
        terms += exact_abs(row->j[i] * o->pair.v[i]);
    o->most_impulse = exact_max(o->most_impulse, row->mass * terms);
    push(o, k, oracle_change(&o->pair, &o->rows[k]));
}

/* The rows of a point at once: their impulses are those with which all of them are met. What mass
 * and soft say of each alone is the same of all. */
static void oracle_solve_point(oracle_joint *o, const lode__row_block *block, int lane)
{
    exact a[9], p[3], gamma = 0, scale = softness.relaxation;
    bool own = block->rows[0].erp.x[lane] >= 0;
    if (own)
        gamma = (exact)block->rows[0].cfm.x[lane] * softness.inv_h;
    scale *= own ? 1 : softness.joint_mass_scale;
    for (int i = 0; i < 3; ++i) {
        oracle_row *row = &o->rows[i];
        p[i] = row->c - gamma * row->lambda;
        for (int k = 0; k < 12; ++k)
            p[i] -= row->j[k] * o->pair.v[k];
        exact terms = exact_abs(row->c) + exact_abs(p[i]);
        for (int j = 0; j < 3; ++j)
            a[3 * i + j] = oracle_coupling(&o->pair, row, &o->rows[j]) + (i == j ? gamma : 0);
        o->most_impulse = exact_max(o->most_impulse, row->mass * terms);
    }
    exact_solve(3, a, p);
    for (int i = 0; i < 3; ++i) {
        exact lost = own ? 0 : softness.joint_impulse_scale * o->rows[i].lambda;
        exact change = scale * p[i] - lost;
        o->most_impulse = exact_max(o->most_impulse, exact_abs(change));
        o->rows[i].lambda += change;
        push(o, i, change);
    }
}

static void oracle_iterate(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    int first = rows >= 3 && block->axes ? 3 : 0;
    if (first)
        oracle_solve_point(o, block, lane);
    for (int k = first; k < rows; ++k)
        oracle_solve_row(o, k);
}

static void oracle_iterate_back(oracle_joint *o, const lode__row_block *block, int lane, int rows)
{
    int first = rows >= 3 && block->axes ? 3 : 0;
    for (int k = rows - 1; k >= first; --k)
        oracle_solve_row(o, k);
    if (first)
        oracle_solve_point(o, block, lane);
}

static oracle_motion motion;

/* Block by block; lanes start from the same velocities. */
static void each_oracle(void (*apply)(oracle_joint *, const lode__row_block *, int, int),
                        oracle_joint *oracle, int rows)
{
    for (int k = 0; k < BLOCKS; ++k) {
        const oracle_motion before = motion;
        for (int lane = 0; lane < LODE_LANES; ++lane) {
            oracle_joint *o = &oracle[k * LODE_LANES + lane];
            oracle_load(&o->pair, &before);
            apply(o, row_block_at(&room, rows, k), lane, rows);
            oracle_gain(&motion, &o->pair, &before);
        }
    }
    for (int i = 0; i < CONTACTS; ++i)
        oracle_load(&oracle[i].pair, &motion);
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

static void check_rows(int kind, test_random *random)
{
    static oracle_joint oracle[CONTACTS];
    const lode__block_kernels *kernels = &plain()->kinds[kind];
    int rows = kind % LODE__KIND_SHARED - LODE__KIND_ROWS + 1;
    bodies_random(&world, random);
    rows_random(&room, rows, ends_of_kind(kind), random);
    softness = softness_random(random);
    run(kernels->prepare, BLOCKS, rows);
    run(kernels->refresh, BLOCKS, rows);
    motion = oracle_motion_of(&world);
    for (int i = 0; i < CONTACTS; ++i) {
        const lode__row_block *block = row_block_at(&room, rows, i / LODE_LANES);
        oracle_prepare(&oracle[i], block, i % LODE_LANES, rows);
        oracle_refresh(&oracle[i], block, i % LODE_LANES, rows);
    }
    run(kernels->warm_start, BLOCKS, rows);
    each_oracle(oracle_warm_start, oracle, rows);
    compare_all(oracle, rows);
    for (int iteration = 0; iteration < 20; ++iteration) {
        bool back = iteration % 3 == 2;
        run(back ? kernels->solve_back : kernels->solve[0], BLOCKS, rows);
        each_oracle(back ? oracle_iterate_back : oracle_iterate, oracle, rows);
        compare_all(oracle, rows);
    }
    run(kernels->again, BLOCKS, rows);
    each_oracle(oracle_again, oracle, rows);
    compare_all(oracle, rows);
}

static void iterations_follow_projected_gauss_seidel(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < ROUNDS; ++round)
        for (int rows = 1; rows <= ROWS; ++rows) {
            check_rows(LODE__KIND_ROWS + rows - 1, &random);
            check_rows(LODE__KIND_SHARED + LODE__KIND_ROWS + rows - 1, &random);
        }
    print_message("worst: velocity %.1Lf, impulse %.1Lf roundings\n", worst.velocity,
                  worst.impulse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_follow_projected_gauss_seidel),
        cmocka_unit_test(bounded_rows_push_along_what_the_others_leave_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
