/* test_bonds.c: islands of joints without limits: what the kernels find against the rows and the
 * bodies' momentum, spelled out in long double; the same bits with every instruction set, and of
 * islands that are solved four at a time; and what is not theirs to solve. */
#include "solver/bonds.h"

#include "lode/setup.h"
#include "solver/kernels.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 60, BODIES = 61, NODES = 2 * JOINTS, WIDTH = LODE__BOND_ROWS };

static lode__bond_joint joints[JOINTS];
static uint32_t joint_count, body_count, order[JOINTS];
static lode__bond_plan plan;
static lode__bonds bonds;
static lode__bond_rows rows[NODES]; /* as posed; the kernels change theirs */
static lode__bond_body bodies[BODIES + 2 * NODES + 1];

static void add_joint(uint32_t count, uint32_t a, uint32_t b)
{
    joints[joint_count++] = (lode__bond_joint){count, {a, b}};
    body_count = a > body_count ? a : body_count;
    body_count = b > body_count ? b : body_count;
}

typedef void make_fn(test_random *random, uint32_t count);

static void make_chain(test_random *random, uint32_t count)
{
    uint32_t own = 1 + random_below(random, 6);
    for (uint32_t i = 0; i < count; ++i)
        add_joint(own, i + 1, i);
}

static void make_tree(test_random *random, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t own = 1 + random_below(random, 6);
        add_joint(own, random_below(random, i + 1), i + 1);
    }
}

/* Rings of joints with few rows, side by side, each with a body of the last: more freedoms than
 * rows. */
static void make_loops(test_random *random, uint32_t count)
{
    uint32_t size = 3 + random_below(random, 4), begin = 1;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at = i % size, own = begin + at, next = begin + (at + 1) % size;
        add_joint(1 + random_below(random, 3), own, next);
        begin += at + 1 == size ? size - 1 : 0;
    }
}

static make_fn *const makers[] = {make_chain, make_tree, make_loops};
enum { MAKERS = sizeof makers / sizeof *makers };

/* Joints in any order, as the plan has to do with all. */
static void make_order(test_random *random)
{
    for (uint32_t i = 0; i < joint_count; ++i)
        order[i] = i;
    for (uint32_t i = joint_count; i > 1; --i) {
        uint32_t k = random_below(random, i), swap = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
}

static void pose_bodies(test_random *random)
{
    memset(bodies, 0, sizeof bodies);
    for (uint32_t i = 1; i <= body_count; ++i) {
        lode__bond_body *body = &bodies[i];
        body->inv_mass = random_between(random, 0.2, 2);
        for (int k = 0; k < 6; ++k) {
            body->v[k] = random_between(random, -1, 1);
            body->inv_inertia[k] = k < 3 ? random_between(random, 1, 3)
                                         : random_between(random, -0.3, 0.3);
        }
    }
}

/* Every fifth end that is not pushed moves by itself. */
static void pose_rows(test_random *random)
{
    uint32_t next = body_count + 1;
    memset(rows, 0, sizeof rows);
    for (uint32_t t = 0; t < plan.node_count; ++t) {
        const lode__bond_node *node = &plan.nodes[t];
        for (uint32_t i = 0; i < node->rows; ++i) {
            for (int k = 0; k < 3; ++k) {
                rows[t].lin[k][i] = random_between(random, -1, 1);
                rows[t].ang[0][k][i] = random_between(random, -1, 1);
                rows[t].ang[1][k][i] = random_between(random, -1, 1);
            }
            rows[t].c[i] = random_between(random, -1, 1);
            rows[t].gamma[i] = random_below(random, 3) ? 0 : random_between(random, 0, 0.1);
        }
        for (int end = 0; end < 2; ++end) {
            rows[t].body[end] = node->body[end];
            if (node->body[end] || random_below(random, 5))
                continue;
            for (int k = 0; k < 6; ++k)
                bodies[next].v[k] = bodies[next].now[k] = random_between(random, -1, 1);
            rows[t].body[end] = next++;
        }
    }
}

static void make(make_fn *maker, uint32_t count, test_random *random, lode__arena *arena)
{
    joint_count = body_count = 0;
    maker(random, count);
    make_order(random);
    assert_true(lode__bonds_plan(&plan, joints, order, joint_count, body_count, arena, arena));
    assert_true(plan.fits);
    lode__bond_size size = {0};
    lode__bonds_cover(&size, &plan);
    lode__bonds_cover_four(&size, &plan);
    assert_true(lode__bonds_take(&bonds, &size, arena));
    pose_bodies(random);
    pose_rows(random);
}

static bool solve_by(const lode__solver_kernels *kernels)
{
    memcpy(bonds.rows, rows, plan.node_count * sizeof *rows);
    memcpy(bonds.bodies, bodies, (body_count + 1 + 2 * plan.node_count) * sizeof *bodies);
    return kernels->solve_bonds(&plan, &bonds);
}

static bool solve(void)
{
    return solve_by(lode__solver_kernels_for(LODE_SIMD_PLAIN));
}

/* What row i of node t pushes its bodies by, and what its velocity is. */
static long double velocity_of(uint32_t t, int i, long double (*v)[6])
{
    const lode__bond_rows *r = &rows[t];
    long double sum = 0;
    for (int k = 0; k < 3; ++k) {
        sum += (long double)r->lin[k][i] * (v[r->body[0]][k] - v[r->body[1]][k]);
        sum += (long double)r->ang[0][k][i] * v[r->body[0]][3 + k];
        sum += (long double)r->ang[1][k][i] * v[r->body[1]][3 + k];
    }
    return sum;
}

static void add_push(uint32_t t, int i, long double x, long double (*push)[6])
{
    const lode__bond_rows *r = &rows[t];
    for (int k = 0; k < 3; ++k) {
        push[r->body[0]][k] += r->lin[k][i] * x;
        push[r->body[1]][k] -= r->lin[k][i] * x;
        push[r->body[0]][3 + k] += r->ang[0][k][i] * x;
        push[r->body[1]][3 + k] += r->ang[1][k][i] * x;
    }
}

/* The bodies are where their momentum says, and all rows are met there. */
static void check_solution(double tolerance)
{
    static long double v[BODIES + 2 * NODES + 1][6], push[BODIES + 2 * NODES + 1][6];
    memset(push, 0, sizeof push);
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (int i = 0; i < WIDTH; ++i) {
            if ((uint32_t)i >= plan.nodes[t].rows)
                assert_true(bonds.rows[t].x[i] == 0);
            add_push(t, i, bonds.rows[t].x[i], push);
        }
    for (uint32_t b = 0; b <= body_count + 2 * plan.node_count; ++b) {
        const double *m = bodies[b].inv_inertia;
        const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        for (int k = 0; k < 3; ++k) {
            v[b][k] = bodies[b].v[k] + push[b][k] * bodies[b].inv_mass;
            v[b][3 + k] = bodies[b].v[3 + k];
            for (int j = 0; j < 3; ++j)
                v[b][3 + k] += m[at[k][j]] * push[b][3 + j];
        }
        for (int k = 0; k < 6 && b > 0; ++k)
            assert_true(fabs((double)v[b][k] - bonds.bodies[b].now[k]) <= tolerance);
    }
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (int i = 0; i < (int)plan.nodes[t].rows; ++i) {
            long double w = velocity_of(t, i, v) +
                            (long double)rows[t].gamma[i] * bonds.rows[t].x[i] - rows[t].c[i];
            assert_true(fabs((double)w) <= tolerance);
        }
}

static void rows_are_met(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        uint32_t count = 1 + random_below(&random, 40);
        make(makers[seed % MAKERS], count, &random, &arena);
        double largest = 1;
        bool solved = solve();
        for (uint32_t t = 0; t < plan.node_count && solved; ++t)
            for (int i = 0; i < WIDTH; ++i)
                largest = fmax(largest, fabs(bonds.rows[t].x[i]));
        if (makers[seed % MAKERS] != make_loops)
            assert_true(solved);
        if (solved)
            check_solution(1e-10 * largest);
        lode__arena_free(&arena);
    }
}

static void every_instruction_set_finds_the_same(void **state)
{
    (void)state;
    static lode__quad x[NODES];
    static double now[BODIES][6];
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        uint32_t count = 1 + random_below(&random, 40);
        make(makers[seed % 2], count, &random, &arena);
        assert_true(solve());
        for (uint32_t t = 0; t < plan.node_count; ++t)
            memcpy(&x[t], &bonds.rows[t].x, sizeof *x);
        for (uint32_t b = 1; b <= body_count; ++b)
            memcpy(now[b - 1], bonds.bodies[b].now, sizeof *now);
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            assert_true(solve_by(kernels));
            for (uint32_t t = 0; t < plan.node_count; ++t)
                assert_memory_equal(&x[t], &bonds.rows[t].x, sizeof *x);
            for (uint32_t b = 1; b <= body_count; ++b)
                assert_memory_equal(now[b - 1], bonds.bodies[b].now, sizeof *now);
        }
        lode__arena_free(&arena);
    }
}

/* --- four at a time */

enum { FOUR = LODE__QUAD_LANES };

/* Other numbers in the same places; of one in eight islands a row that acts on nobody. */
static void pose_anew(test_random *random)
{
    for (uint32_t i = 1; i <= body_count + 2 * plan.node_count; ++i)
        for (int k = 0; k < 6; ++k)
            bodies[i].now[k] = bodies[i].v[k] *= random_between(random, -2, 2);
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (uint32_t i = 0; i < plan.nodes[t].rows; ++i) {
            for (int k = 0; k < 3; ++k) {
                rows[t].lin[k][i] *= random_between(random, -2, 2);
                rows[t].ang[0][k][i] *= random_between(random, -2, 2);
                rows[t].ang[1][k][i] *= random_between(random, -2, 2);
            }
            rows[t].c[i] *= random_between(random, -2, 2);
        }
    if (random_below(random, 8) > 0)
        return;
    lode__bond_rows *dead = &rows[random_below(random, plan.node_count)];
    for (int k = 0; k < 3; ++k)
        dead->lin[k][0] = dead->ang[0][k][0] = dead->ang[1][k][0] = 0;
    dead->gamma[0] = 0;
}

static void put(lode__quad *numbers, int island, const double *values, int count)
{
    for (int k = 0; k < count; ++k)
        numbers[k][island] = values[k];
}

/* The island as posed, as one of the four. */
static void pose_one_of_four(int island)
{
    for (uint32_t t = 0; t < plan.node_count; ++t) {
        lode__bond_four_rows *to = &bonds.four.rows[t];
        put(to->lin[0], island, (const double *)rows[t].lin, 3 * WIDTH);
        put(to->ang[0][0], island, (const double *)rows[t].ang, 6 * WIDTH);
        put(to->c, island, (const double *)&rows[t].c, WIDTH);
        put(to->gamma, island, (const double *)&rows[t].gamma, WIDTH);
        memcpy(to->body, rows[t].body, sizeof to->body);
    }
    for (uint32_t i = 0; i < body_count + 1 + 2 * plan.node_count; ++i) {
        lode__bond_four_body *to = &bonds.four.bodies[i];
        put(to->v, island, bodies[i].v, 6);
        put(to->now, island, bodies[i].now, 6);
        put(&to->inv_mass, island, &bodies[i].inv_mass, 1);
        put(to->inv_inertia, island, bodies[i].inv_inertia, 6);
    }
}

typedef struct alone {
    bool solved;
    double x[NODES][WIDTH], now[BODIES + 1][6];
} alone;

static void check_one_of_four(const alone *a, int island)
{
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (uint32_t i = 0; i < plan.nodes[t].rows; ++i) {
            double x = bonds.four.rows[t].x[i][island];
            assert_memory_equal(&x, &a->x[t][i], sizeof x);
        }
    for (uint32_t b = 1; b <= body_count; ++b)
        for (int k = 0; k < 6; ++k) {
            double now = bonds.four.bodies[b].now[k][island];
            assert_memory_equal(&now, &a->now[b][k], sizeof now);
        }
}

static void four_are_each_as_it_is_alone(void **state)
{
    (void)state;
    static alone all[FOUR];
    int solved = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make(makers[seed % MAKERS], 1 + random_below(&random, 30), &random, &arena);
        for (int i = 0; i < FOUR; ++i) {
            pose_anew(&random);
            pose_one_of_four(i);
            all[i].solved = solve();
            for (uint32_t t = 0; t < plan.node_count; ++t)
                memcpy(all[i].x[t], &bonds.rows[t].x, sizeof all[i].x[t]);
            for (uint32_t b = 1; b <= body_count; ++b)
                memcpy(all[i].now[b], bonds.bodies[b].now, sizeof all[i].now[b]);
        }
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            unsigned done = kernels->four.solve(&plan, &bonds.four);
            for (int i = 0; i < FOUR; ++i) {
                assert_int_equal(done >> i & 1, all[i].solved);
                solved += all[i].solved;
                refused += !all[i].solved;
                if (all[i].solved)
                    check_one_of_four(&all[i], i);
            }
        }
        lode__arena_free(&arena);
    }
    assert_true(solved > 1000 && refused > 100);
}

/* Joints that say the same twice, the opposite, or nothing, and what is not finite. */
static void what_is_not_theirs_is_refused(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; ++kind) {
        lode__arena arena = {0};
        test_random random = {9};
        make(make_chain, 12, &random, &arena);
        lode__bond_rows *r = &rows[plan.node_count / 2];
        uint32_t last = plan.nodes[plan.node_count / 2].rows - 1;
        assert_true(last > 0 && solve());
        for (int k = 0; k < 3; ++k) {
            if (kind < 2) {
                r->lin[k][last] = r->lin[k][0];
                r->ang[0][k][last] = r->ang[0][k][0];
                r->ang[1][k][last] = r->ang[1][k][0];
            }
            if (kind == 2)
                r->lin[k][last] = r->ang[0][k][last] = r->ang[1][k][last] = 0;
        }
        r->gamma[0] = r->gamma[last] = 0;
        r->c[last] = kind == 0 ? r->c[0] : r->c[last];
        if (kind == 3)
            r->c[0] = (double)INFINITY;
        if (kind == 4)
            r->ang[0][1][0] = (double)NAN;
        assert_false(solve());
        lode__arena_free(&arena);
    }
}

/* A hub has a clique of all that is joined to it. */
static void dense_islands_do_not_fit(void **state)
{
    (void)state;
    lode__arena arena = {0};
    joint_count = body_count = 0;
    for (uint32_t i = 0; i < JOINTS; ++i)
        add_joint(6, 1, i + 2 <= BODIES ? i + 2 : 0);
    test_random random = {1};
    make_order(&random);
    assert_true(lode__bonds_plan(&plan, joints, order, joint_count, body_count, &arena, &arena));
    assert_false(plan.fits);
    lode__arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_met),
        cmocka_unit_test(every_instruction_set_finds_the_same),
        cmocka_unit_test(four_are_each_as_it_is_alone),
        cmocka_unit_test(what_is_not_theirs_is_refused),
        cmocka_unit_test(dense_islands_do_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
