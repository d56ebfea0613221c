/* test_lcp_plan.c: plans of sparse problems against couplings and eliminations found pair by pair,
 * and their solutions against those of the same problems as one dense node. */
#include "solver/lcp.h"

#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { NODES = 60, ELEMENTS = 80, OWN = 6, ENDS = 8, ROWS = NODES * OWN };

/* Nodes with the elements that they push, as constraints of bodies. */
typedef struct graph {
    uint32_t nodes, elements, at;
    uint32_t rows[NODES], start[NODES + 1], element[NODES * ENDS];
} graph;

static graph g;
static lode__lcp_planner planner;
static lode__lcp_plan plan;

static void add_node(uint32_t rows, uint32_t a, uint32_t b)
{
    g.rows[g.nodes] = rows;
    g.element[g.at++] = a;
    if (a != b)
        g.element[g.at++] = b;
    g.elements = a >= g.elements ? a + 1 : g.elements;
    g.elements = b >= g.elements ? b + 1 : g.elements;
    g.start[++g.nodes] = g.at;
}

typedef void make_fn(test_random *random, uint32_t bodies);

static void make_chain(test_random *random, uint32_t bodies)
{
    uint32_t rows = 1 + random_below(random, OWN);
    for (uint32_t i = 1; i < bodies; ++i)
        add_node(rows, i - 1, i);
}

static void make_tree(test_random *random, uint32_t bodies)
{
    for (uint32_t i = 1; i < bodies; ++i) {
        uint32_t rows = 1 + random_below(random, OWN);
        add_node(rows, random_below(random, i), i);
    }
}

static void make_grid(test_random *random, uint32_t bodies)
{
    uint32_t side = 2 + bodies / 12;
    for (uint32_t i = 0; i < side * side && g.nodes + 2 < NODES; ++i) {
        if (i % side)
            add_node(1 + random_below(random, OWN), i - 1, i);
        if (i >= side)
            add_node(1 + random_below(random, OWN), i - side, i);
    }
}

/* Many on one, some of them several times. */
static void make_hub(test_random *random, uint32_t bodies)
{
    for (uint32_t i = 1; i < bodies; ++i) {
        uint32_t rows = 1 + random_below(random, OWN);
        add_node(rows, 0, 1 + random_below(random, bodies));
    }
}

static void make_any(test_random *random, uint32_t bodies)
{
    for (uint32_t i = 1; i < bodies; ++i) {
        uint32_t rows = 1 + random_below(random, OWN), a = random_below(random, bodies);
        add_node(rows, a, random_below(random, bodies));
    }
}

/* One row over many bodies, and nodes that push none. */
static void make_wide(test_random *random, uint32_t bodies)
{
    make_any(random, bodies);
    uint32_t ends = g.elements < ENDS ? g.elements : ENDS;
    for (uint32_t e = 0; e < ends; ++e)
        g.element[g.at++] = e * g.elements / ends;
    g.rows[g.nodes] = 1;
    g.start[++g.nodes] = g.at;
    g.rows[g.nodes] = 2;
    g.start[++g.nodes] = g.at;
}

static make_fn *const makers[] = {make_chain, make_tree, make_grid, make_hub, make_any, make_wide};
enum { MAKERS = sizeof makers / sizeof *makers };

static void make_plan(lode__arena *arena)
{
    uint32_t rows = 0;
    for (uint32_t v = 0; v < g.nodes; ++v)
        rows += g.rows[v];
    lode__lcp_pattern pattern = {g.nodes, g.elements, g.rows, g.start, g.element};
    assert_true(lode__lcp_planner_take(&planner, arena, g.nodes, g.elements, g.at, rows));
    assert_true(lode__lcp_plan_make(&plan, &planner, &pattern, arena));
    assert_int_equal(plan.size.rows, rows);
}

static bool couple(uint32_t v, uint32_t u)
{
    bool any = v == u;
    for (uint32_t k = g.start[v]; k < g.start[v + 1]; ++k)
        for (uint32_t l = g.start[u]; l < g.start[u + 1]; ++l)
            any = any || g.element[k] == g.element[l];
    return any;
}

/* By places: what couples, and what does once all before it are eliminated. */
static bool couples[NODES][NODES], filled[NODES][NODES];

static uint32_t eliminate_all(void)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < g.nodes; ++t)
        for (uint32_t u = 0; u < g.nodes; ++u)
            couples[t][u] = filled[t][u] = couple(plan.node[t], plan.node[u]);
    for (uint32_t t = 0; t < g.nodes; ++t)
        for (uint32_t i = t; i < g.nodes; ++i) {
            count += filled[t][i];
            for (uint32_t k = t + 1; k < g.nodes && i > t && filled[t][i]; ++k)
                filled[i][k] = filled[i][k] || filled[t][k];
        }
    return count;
}

static void check_couplings(void)
{
    bool placed[NODES] = {false};
    uint32_t row = 0;
    size_t at = 0;
    for (uint32_t t = 0; t < g.nodes; ++t) {
        bool listed[NODES] = {false};
        assert_true(plan.node[t] < g.nodes && !placed[plan.node[t]]);
        placed[plan.node[t]] = true;
        assert_int_equal(plan.row[t], row);
        assert_int_equal(plan.panel[t], at);
        row += g.rows[plan.node[t]];
        assert_int_equal(plan.with[plan.couple[t]], t);
        uint32_t width = 0;
        for (uint32_t c = plan.couple[t]; c < plan.couple[t + 1]; ++c) {
            uint32_t u = plan.with[c];
            assert_true(u >= t && !listed[u]);
            listed[u] = true;
            width += g.rows[plan.node[u]];
        }
        width = (width + 3) / 4 * 4;
        assert_int_equal(lode__lcp_width(&plan, t), width);
        at += (size_t)g.rows[plan.node[t]] * width;
        for (uint32_t u = t; u < g.nodes; ++u)
            assert_int_equal(listed[u], couples[t][u]);
    }
    assert_int_equal(plan.size.panels, at);
}

/* A front has above it what its last node has, and no node of it has more. */
static void check_fronts(void)
{
    uint32_t next = 0;
    for (uint32_t s = 0; s < plan.size.fronts; ++s) {
        const lode__lcp_front *f = &plan.fronts[s];
        bool above[NODES] = {false};
        assert_int_equal(f->begin, next);
        next = f->end;
        for (uint32_t k = f->above; k < f->above_end; ++k) {
            assert_true(plan.above[k] >= f->end);
            assert_true(k == f->above || plan.above[k] > plan.above[k - 1]);
            above[plan.above[k]] = true;
        }
        for (uint32_t u = f->end; u < g.nodes; ++u) {
            assert_int_equal(above[u], filled[f->end - 1][u]);
            for (uint32_t t = f->begin; t < f->end; ++t)
                assert_true(above[u] || !filled[t][u]);
        }
        assert_true(f->parent == LODE__LCP_NONE ? f->above == f->above_end : f->parent > s);
        for (uint32_t k = f->above; k < f->above_end && f->parent != LODE__LCP_NONE; ++k) {
            const lode__lcp_front *p = &plan.fronts[f->parent];
            bool known = plan.above[k] >= p->begin && plan.above[k] < p->end;
            for (uint32_t l = p->above; l < p->above_end; ++l)
                known = known || plan.above[l] == plan.above[k];
            assert_true(known);
        }
    }
    assert_int_equal(next, g.nodes);
}

static void plans_hold_all_that_couples_and_fills(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 240; ++seed) {
        lode__arena arena = {0};
        test_random random = {seed};
        memset(&g, 0, sizeof g);
        makers[seed % MAKERS](&random, 2 + random_below(&random, NODES - 4));
        make_plan(&arena);
        uint32_t fill = eliminate_all();
        check_couplings();
        check_fronts();
        if (makers[seed % MAKERS] == make_chain)
            assert_int_equal(fill, plan.couple[g.nodes]);
        if (makers[seed % MAKERS] == make_tree)
            assert_true(2 * fill <= 3 * plan.couple[g.nodes]);
        lode__arena_free(&arena);
    }
}

/* --- how memory grows */

static size_t memory_of(uint32_t bodies, bool tree)
{
    lode__arena arena = {0};
    lode__lcp_planner own;
    lode__lcp_plan p;
    uint32_t *rows = LODE__TAKE(&arena, uint32_t, bodies);
    uint32_t *start = LODE__TAKE(&arena, uint32_t, bodies + 1);
    uint32_t *element = LODE__TAKE(&arena, uint32_t, 2 * bodies);
    for (uint32_t i = 0; i < bodies; ++i) {
        rows[i] = 5;
        start[i] = 2 * i;
        element[2 * i] = tree ? i / 2 : i;
        element[2 * i + 1] = i + 1;
    }
    start[bodies] = 2 * bodies;
    lode__lcp_pattern pattern = {bodies, bodies + 1, rows, start, element};
    assert_true(lode__lcp_planner_take(&own, &arena, bodies, bodies + 1, 2 * bodies, 5 * bodies));
    assert_true(lode__lcp_plan_make(&p, &own, &pattern, &arena));
    size_t bytes = (p.size.panels + p.size.matrix + p.size.lower) * sizeof(double);
    lode__arena_free(&arena);
    return bytes;
}

static void chains_and_trees_take_linear_memory(void **state)
{
    (void)state;
    for (int tree = 0; tree < 2; ++tree) {
        size_t one = memory_of(1000, tree), two = memory_of(2000, tree);
        assert_true((double)two < 2.05 * (double)one);
        assert_true(one < 1000 * 25 * 20 * sizeof(double));
    }
}

/* --- solutions */

static double dense[ROWS][ROWS], b[ROWS], lo[ROWS], hi[ROWS], ratio[ROWS], found[2][ROWS];
static uint32_t master[ROWS];

/* A = J J^T + soft by elements, rows by places; frictions follow where a node has three rows. */
static void pose(test_random *random, bool friction)
{
    enum { RANK = 6 };
    static double j[ROWS][ELEMENTS][RANK];
    memset(j, 0, sizeof j);
    for (uint32_t t = 0; t < g.nodes; ++t) {
        uint32_t v = plan.node[t], first = plan.row[t], rows = g.rows[v];
        for (uint32_t i = first; i < first + rows; ++i) {
            bool follows = friction && i > first && rows == 3;
            for (uint32_t k = g.start[v]; k < g.start[v + 1]; ++k)
                for (int r = 0; r < RANK; ++r)
                    j[i][g.element[k]][r] = random_between(random, -1, 1);
            b[i] = random_between(random, -1, 1);
            master[i] = follows ? first : LODE__LCP_NONE;
            ratio[i] = follows ? 0.3 : 0;
            lo[i] = rows % 2 ? 0 : -1e30;
            hi[i] = rows == 5 ? 0.2 : 1e30;
        }
    }
    for (uint32_t i = 0; i < plan.size.rows; ++i)
        for (uint32_t k = 0; k < plan.size.rows; ++k) {
            dense[i][k] = i == k ? 0.05 : 0;
            for (uint32_t e = 0; e < g.elements; ++e)
                for (int r = 0; r < RANK; ++r)
                    dense[i][k] += j[i][e][r] * j[k][e][r];
        }
}

static void solve_plan(const lode__lcp_plan *as, double *out)
{
    lode__arena arena = {0};
    lode__lcp lcp;
    assert_true(lode__lcp_take(&lcp, &arena, &as->size));
    lode__lcp_pose(&lcp, as);
    lcp.kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    memset(lcp.a, 0, as->size.panels * sizeof *lcp.a);
    for (uint32_t t = 0; t < as->size.nodes; ++t)
        for (uint32_t i = as->row[t]; i < as->row[t + 1]; ++i) {
            double *a = lcp.a + as->panel[t] + (i - as->row[t]) * lode__lcp_width(as, t);
            for (uint32_t c = as->couple[t]; c < as->couple[t + 1]; ++c)
                for (uint32_t k = as->row[as->with[c]]; k < as->row[as->with[c] + 1]; ++k)
                    *a++ = dense[i][k];
        }
    for (uint32_t i = 0; i < lcp.count; ++i) {
        lcp.b[i] = b[i];
        lcp.lo[i] = lo[i];
        lcp.hi[i] = hi[i];
        lcp.master[i] = master[i];
        lcp.ratio[i] = ratio[i];
        lcp.x[i] = 0;
    }
    assert_true(lode__lcp_solve(&lcp));
    memcpy(out, lcp.x, lcp.count * sizeof *out);
    lode__arena_free(&arena);
}

static double error_of(const double *x)
{
    double most = 0;
    for (uint32_t i = 0; i < plan.size.rows; ++i) {
        double w = -b[i], least = lo[i], limit = hi[i];
        if (master[i] != LODE__LCP_NONE) {
            limit = ratio[i] * fmax(x[master[i]], 0);
            least = -limit;
        }
        for (uint32_t k = 0; k < plan.size.rows; ++k)
            w += dense[i][k] * x[k];
        most = fmax(most, fabs(fmin(fmax(x[i] - w, least), limit) - x[i]));
    }
    return most;
}

static void sparse_problems_are_solved_as_dense_ones(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        lode__arena arena = {0};
        lode__lcp_single single;
        test_random random = {seed};
        bool friction = seed % 4 == 0;
        memset(&g, 0, sizeof g);
        makers[seed % MAKERS](&random, 2 + random_below(&random, 38));
        make_plan(&arena);
        pose(&random, friction);
        solve_plan(&plan, found[0]);
        lode__lcp_single_make(&single, plan.size.rows);
        solve_plan(&single.plan, found[1]);
        for (uint32_t i = 0; i < plan.size.rows && !friction; ++i)
            if (!(fabs(found[0][i] - found[1][i]) <= 1e-6 * (1 + fabs(found[1][i]))))
                fail_msg("seed %d, row %d: %g, dense %g", (int)seed, (int)i, found[0][i],
                         found[1][i]);
        if (!(error_of(found[0]) < 1e-6))
            fail_msg("seed %d: off by %g", (int)seed, error_of(found[0]));
        lode__arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_hold_all_that_couples_and_fills),
        cmocka_unit_test(chains_and_trees_take_linear_memory),
        cmocka_unit_test(sparse_problems_are_solved_as_dense_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
