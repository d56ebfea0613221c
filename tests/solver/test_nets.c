/* test_nets.c: nets, whose rows may follow from each other: what the kernels find against the rows
 * and the bodies' momentum, spelled out in long double; the same bits with every instruction set,
 * and of nets that are solved four at a time. */
#include "solver/net_rows.h"

#include "lode/setup.h"
#include "solver/kernels.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 60, BODIES = JOINTS + 1, ALL = BODIES + 2 * JOINTS, ROWS = LODE__NET_ROWS };
enum { FOUR = LODE__QUAD_LANES, MOST_TILES = 16 * JOINTS };

/* A net as it is posed, and as a kernel has left it. */
typedef struct net {
    lode__net_rows rows[JOINTS];
    lode__net_body bodies[ALL];
    double tiles[MOST_TILES * LODE__NET_TILE];
} net;

static lode__bond_joint joints[JOINTS];
static uint32_t joint_count, body_count, order[JOINTS];
static lode__bond_plan plan;
static lode__net_node nodes[JOINTS];
static uint32_t bodies_all;
static net posed[FOUR], solved;
static _Alignas(64) double size[FOUR];

/* --- random nets */

static void add_joint(uint32_t rows, uint32_t a, uint32_t b)
{
    joints[joint_count++] = (lode__bond_joint){rows, {a, b}};
    body_count = a > body_count ? a : body_count;
    body_count = b > body_count ? b : body_count;
}

typedef void make_fn(test_random *random, uint32_t count);

static void make_chain(test_random *random, uint32_t count)
{
    (void)random;
    for (uint32_t i = 0; i < count; ++i)
        add_joint(3, i + 1, i);
}

static void make_tree(test_random *random, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t rows = 1 + random_below(random, 3);
        add_joint(rows, random_below(random, i + 1), i + 1);
    }
}

/* Rings side by side, each with a body of the last: more freedoms than rows. */
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

/* Every fifth end that is not pushed moves by itself. */
static void make_nodes(test_random *random)
{
    uint32_t next = body_count + 1;
    for (uint32_t t = 0; t < plan.node_count; ++t) {
        const lode__bond_node *node = &plan.nodes[t];
        nodes[t] = (lode__net_node){.joint = node->joint,
                                    .rows = node->rows,
                                    .anchors = node->rows == 3 && random_below(random, 3) > 0,
                                    .pushed = {node->body[0], node->body[1]}};
        for (int end = 0; end < 2; ++end) {
            bool moves = !node->body[end] && random_below(random, 5) == 0;
            nodes[t].body[end] = moves ? next++ : node->body[end];
        }
    }
    bodies_all = next;
}

static void make_plan(make_fn *maker, uint32_t count, test_random *random, lode__arena *arena)
{
    joint_count = body_count = 0;
    maker(random, count);
    for (uint32_t i = 0; i < joint_count; ++i)
        order[i] = i;
    for (uint32_t i = joint_count; i > 1; --i) {
        uint32_t k = random_below(random, i), swap = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
    assert_true(lode__bonds_plan(&plan, joints, order, joint_count, body_count, arena, arena));
    assert_true(plan.fits && plan.tile_count <= MOST_TILES);
    make_nodes(random);
}

static void pose_bodies(net *n, test_random *random)
{
    for (uint32_t i = 1; i < bodies_all; ++i) {
        lode__net_body *body = &n->bodies[i];
        for (int k = 0; k < 6; ++k)
            body->v[k] = body->now[k] = random_between(random, -1, 1);
        if (i > body_count)
            continue;
        body->inv_mass = random_between(random, 0.2, 2);
        for (int k = 0; k < 6; ++k)
            body->inv_inertia[k] = k < 3 ? random_between(random, 1, 3)
                                         : random_between(random, -0.3, 0.3);
    }
}

static void pose(net *n, test_random *random)
{
    memset(n, 0, sizeof *n);
    pose_bodies(n, random);
    for (uint32_t t = 0; t < plan.node_count; ++t) {
        lode__net_rows *r = &n->rows[t];
        for (int k = 0; k < 3; ++k) {
            for (int end = 0; end < 2; ++end)
                r->arm[end][k] = random_between(random, -1, 1);
            for (uint32_t i = 0; i < nodes[t].rows; ++i) {
                r->lin[k][i] = random_between(random, -1, 1);
                r->ang[0][k][i] = random_between(random, -1, 1);
                r->ang[1][k][i] = random_between(random, -1, 1);
            }
        }
        for (uint32_t i = 0; i < nodes[t].rows; ++i) {
            r->c[i] = random_between(random, -1, 1);
            r->impulse[i] = random_between(random, -1, 1);
        }
    }
}

/* --- one at a time */

static lode__net_system system_of(net *n)
{
    return (lode__net_system){.plan = &plan,
                              .nodes = nodes,
                              .width = 1,
                              .bodies_all = bodies_all,
                              .rows = (double *)n->rows,
                              .tiles = n->tiles,
                              .bodies = (double *)n->bodies,
                              .size = size};
}

static void solve_by(const lode__solver_kernels *kernels, const net *from, double soft, bool add)
{
    solved = *from;
    lode__net_system system = system_of(&solved);
    kernels->nets[0].factor(&system, soft);
    kernels->nets[0].solve(&system, add);
}

static const lode__solver_kernels *plain(void)
{
    return lode__solver_kernels_for(LODE_SIMD_PLAIN);
}

/* The Jacobian of row i for one end. */
static void jacobian(const net *n, uint32_t t, uint32_t i, int end, long double out[6])
{
    const lode__net_rows *r = &n->rows[t];
    const double *arm = r->arm[end];
    const double levers[3][3] = {{0, arm[2], -arm[1]}, {-arm[2], 0, arm[0]}, {arm[1], -arm[0], 0}};
    for (uint32_t k = 0; k < 3; ++k) {
        out[k] = nodes[t].anchors ? i == k : r->lin[k][i];
        out[k] = end ? -out[k] : out[k];
        out[3 + k] = nodes[t].anchors ? levers[i][k] : r->ang[end][k][i];
    }
}

/* What row i moves by at these velocities; with an impulse, what it pushes is added to `push`. */
static long double rate_of(const net *n, uint32_t t, uint32_t i, long double (*v)[6])
{
    long double sum = 0, j[6];
    for (int end = 0; end < 2; ++end) {
        jacobian(n, t, i, end, j);
        for (int k = 0; k < 6; ++k)
            sum += j[k] * v[nodes[t].body[end]][k];
    }
    return sum;
}

/* The bodies are where their momentum says, and all rows are met there. */
static void check_solution(const net *from, double tolerance)
{
    static long double v[ALL][6], push[ALL][6];
    long double j[6];
    memset(push, 0, sizeof push);
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (uint32_t i = 0; i < nodes[t].rows; ++i)
            for (int end = 0; end < 2; ++end) {
                jacobian(from, t, i, end, j);
                for (int k = 0; k < 6; ++k)
                    push[nodes[t].pushed[end]][k] += j[k] * (long double)solved.rows[t].x[i];
            }
    for (uint32_t b = 0; b < bodies_all; ++b) {
        const double *m = from->bodies[b].inv_inertia;
        const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
        for (int k = 0; k < 3; ++k) {
            v[b][k] = from->bodies[b].v[k] + push[b][k] * from->bodies[b].inv_mass;
            v[b][3 + k] = from->bodies[b].v[3 + k];
            for (int l = 0; l < 3; ++l)
                v[b][3 + k] += m[at[k][l]] * push[b][3 + l];
        }
        for (int k = 0; k < 6; ++k)
            assert_true(fabs((double)v[b][k] - solved.bodies[b].now[k]) <= tolerance);
    }
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (uint32_t i = 0; i < nodes[t].rows; ++i)
            assert_true(fabs((double)(rate_of(from, t, i, v) - from->rows[t].c[i])) <= tolerance);
}

static double largest_impulse(void)
{
    double largest = 1;
    for (uint32_t t = 0; t < plan.node_count; ++t)
        for (int i = 0; i < ROWS; ++i)
            largest = fmax(largest, fabs(solved.rows[t].x[i]));
    return largest;
}

static void rows_are_met(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make_plan(makers[seed % MAKERS], 1 + random_below(&random, 40), &random, &arena);
        pose(&posed[0], &random);
        solve_by(plain(), &posed[0], 0, false);
        double largest = largest_impulse();
        if (makers[seed % MAKERS] != make_loops || largest < 1e4) /* else they nearly contradict */
            check_solution(&posed[0], 1e-10 * largest * largest);
        lode__arena_free(&arena);
    }
}

/* What rows move by is what they are said to. */
static void rates_are_told(void **state)
{
    (void)state;
    static long double v[ALL][6];
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make_plan(makers[seed % MAKERS], 1 + random_below(&random, 40), &random, &arena);
        pose(&posed[0], &random);
        solved = posed[0];
        lode__net_system system = system_of(&solved);
        plain()->nets[0].rates(&system);
        for (uint32_t b = 0; b < bodies_all; ++b)
            for (int k = 0; k < 6; ++k)
                v[b][k] = posed[0].bodies[b].v[k];
        for (uint32_t t = 0; t < plan.node_count; ++t)
            for (uint32_t i = 0; i < nodes[t].rows; ++i)
                assert_true(fabs((double)rate_of(&posed[0], t, i, v) - solved.rows[t].x[i]) <
                            1e-13);
        lode__arena_free(&arena);
    }
}

/* Each joint is there twice, so that half of the rows follow from the others: what they ask for is
 * met, and impulses have no end that is not needed. */
static void superfluous_rows_are_left_out(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make_plan(make_chain, 1 + random_below(&random, 20), &random, &arena);
        pose(&posed[1], &random);
        uint32_t count = joint_count;
        joint_count = body_count = 0;
        for (uint32_t i = 0; i < 2 * count; ++i)
            add_joint(3, i / 2 + 1, i / 2);
        for (uint32_t i = 0; i < joint_count; ++i)
            order[i] = i;
        assert_true(
            lode__bonds_plan(&plan, joints, order, joint_count, body_count, &arena, &arena));
        assert_true(plan.fits);
        memset(&posed[0], 0, sizeof posed[0]);
        bodies_all = body_count + 1;
        for (uint32_t b = 1; b <= body_count; ++b)
            posed[0].bodies[b] = posed[1].bodies[b];
        for (uint32_t t = 0; t < plan.node_count; ++t) {
            uint32_t joint = plan.nodes[t].joint;
            nodes[t] = (lode__net_node){.rows = 3, .anchors = 1};
            for (int end = 0; end < 2; ++end)
                nodes[t].body[end] = nodes[t].pushed[end] = plan.nodes[t].body[end];
            posed[0].rows[t] = posed[1].rows[joint / 2];
        }
        solve_by(plain(), &posed[0], 0, false);
        assert_true(largest_impulse() < 1e4);
        check_solution(&posed[0], 1e-9);
        lode__arena_free(&arena);
    }
}

/* --- the same bits */

static bool same(const net *a, const net *b)
{
    bool same = memcmp(a->bodies, b->bodies, bodies_all * sizeof *a->bodies) == 0;
    for (uint32_t t = 0; t < plan.node_count && same; ++t)
        same = memcmp(a->rows[t].x, b->rows[t].x, sizeof a->rows[t].x) == 0 &&
               memcmp(a->rows[t].impulse, b->rows[t].impulse, sizeof a->rows[t].impulse) == 0;
    return same;
}

static void every_instruction_set_finds_the_same(void **state)
{
    (void)state;
    static net reference;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make_plan(makers[seed % MAKERS], 1 + random_below(&random, 40), &random, &arena);
        pose(&posed[0], &random);
        solve_by(plain(), &posed[0], 1e-6, true);
        reference = solved;
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            solve_by(kernels, &posed[0], 1e-6, true);
            assert_true(same(&solved, &reference));
        }
        lode__arena_free(&arena);
    }
}

/* Copies records between a net and a place among four. */
static void spread(double *four, double *one, size_t numbers, uint32_t place, bool back)
{
    for (size_t i = 0; i < numbers; ++i)
        if (back)
            one[i] = four[i * FOUR + place];
        else
            four[i * FOUR + place] = one[i];
}

static void four_are_each_as_it_is_alone(void **state)
{
    (void)state;
    static _Alignas(64) double rows[FOUR * sizeof(posed[0].rows) / sizeof(double)];
    static _Alignas(64) double bodies[FOUR * sizeof(posed[0].bodies) / sizeof(double)];
    static _Alignas(64) double tiles[FOUR * MOST_TILES * LODE__NET_TILE];
    static net back;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        make_plan(makers[seed % MAKERS], 1 + random_below(&random, 40), &random, &arena);
        for (uint32_t k = 0; k < FOUR; ++k)
            pose(&posed[k], &random);
        lode__net_system system = system_of(&posed[0]);
        system.width = FOUR;
        system.rows = rows, system.bodies = bodies, system.tiles = tiles;
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            for (uint32_t k = 0; k < FOUR; ++k) {
                spread(rows, (double *)posed[k].rows, sizeof posed[k].rows / 8, k, false);
                spread(bodies, (double *)posed[k].bodies, sizeof posed[k].bodies / 8, k, false);
            }
            kernels->nets[1].factor(&system, seed % 2 ? 1e-6 : 0);
            kernels->nets[1].solve(&system, true);
            for (uint32_t k = 0; k < FOUR; ++k) {
                spread(rows, (double *)back.rows, sizeof back.rows / 8, k, true);
                spread(bodies, (double *)back.bodies, sizeof back.bodies / 8, k, true);
                solve_by(plain(), &posed[k], seed % 2 ? 1e-6 : 0, true);
                assert_true(same(&solved, &back));
            }
        }
        lode__arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_met),
        cmocka_unit_test(rates_are_told),
        cmocka_unit_test(superfluous_rows_are_left_out),
        cmocka_unit_test(every_instruction_set_finds_the_same),
        cmocka_unit_test(four_are_each_as_it_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
