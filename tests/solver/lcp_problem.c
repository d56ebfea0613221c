/* lcp_problem.c: random mixed LCPs and their solution. */
#include "lcp_problem.h"

#include "core/memory.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { FACTORS = 3 * LCP_MOST };

lcp_posed lcp_problem;

const double lcp_unbounded = 1e30;

/* A = J J^T + soft, from vectors of `rank` numbers; rows couple only within `reach`. */
void lcp_pose(int count, int rank, int reach, double soft, test_random *random)
{
    static double j[LCP_MOST][FACTORS];
    memset(j, 0, sizeof j);
    memset(&lcp_problem, 0, sizeof lcp_problem);
    lcp_problem.count = count;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < rank; ++k)
            if (fabs((double)(k * count / rank - i)) <= reach)
                j[i][k] = random_between(random, -1, 1);
    for (int i = 0; i < count; ++i) {
        for (int l = count - 1; l >= 0; --l) {
            double sum = i == l ? soft : 0;
            for (int k = 0; k < rank; ++k)
                sum += j[i][k] * j[l][k];
            lcp_problem.a[i][l] = sum;
        }
        lcp_problem.b[i] = random_between(random, -1, 1);
        lcp_problem.master[i] = -1;
        lcp_problem.lo[i] = -lcp_unbounded;
        lcp_problem.hi[i] = lcp_unbounded;
        lcp_problem.guess[i] = 0;
    }
}

/* b = J v of some motion, so that w = 0 is possible for all rows at once. */
void lcp_make_consistent(test_random *random)
{
    double x[LCP_MOST];
    for (int i = 0; i < lcp_problem.count; ++i)
        x[i] = random_between(random, -1, 1);
    for (int i = 0; i < lcp_problem.count; ++i) {
        lcp_problem.b[i] = 0;
        for (int k = 0; k < lcp_problem.count; ++k)
            lcp_problem.b[i] += lcp_problem.a[i][k] * x[k];
    }
}

void lcp_limit_rows(test_random *random)
{
    for (int i = 0; i < lcp_problem.count; ++i) {
        uint32_t kind = random_below(random, 4);
        if (kind == 1 || kind == 2)
            lcp_problem.lo[i] = 0;
        if (kind == 2 || kind == 3)
            lcp_problem.hi[i] = random_between(random, 0, 0.5);
        if (kind == 3)
            lcp_problem.lo[i] = -lcp_problem.hi[i];
    }
}

/* Rows `each` by each are a node; nodes couple where the matrix is not zero. */
static lode__lcp_pattern pattern_of(uint32_t each, lode__arena *arena)
{
    uint32_t count = (uint32_t)lcp_problem.count, nodes = (count + each - 1) / each, at = 0,
             elements = 0;
    uint32_t *rows = LODE__TAKE(arena, uint32_t, nodes);
    uint32_t *start = LODE__TAKE(arena, uint32_t, nodes + 1);
    uint32_t *element = LODE__TAKE(arena, uint32_t, nodes * nodes);
    static bool couple[LCP_MOST][LCP_MOST];
    static uint32_t name[LCP_MOST][LCP_MOST];
    memset(couple, 0, sizeof couple);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < count; ++k)
            if (lcp_problem.a[i][k] != 0)
                couple[i / each][k / each] = true;
    for (uint32_t v = 0; v < nodes; ++v) {
        rows[v] = v + 1 < nodes ? each : count - v * each;
        start[v] = at;
        for (uint32_t u = 0; u < nodes; ++u) {
            if (u == v || !couple[v][u])
                continue;
            if (v < u)
                name[v][u] = name[u][v] = elements++;
            element[at++] = name[v][u];
        }
    }
    start[nodes] = at;
    return (lode__lcp_pattern){nodes, elements, rows, start, element};
}

static void write_matrix(const lode__lcp_plan *plan, const uint32_t *row_of, double *a)
{
    memset(a, 0, plan->size.panels * sizeof *a);
    for (uint32_t t = 0; t < plan->size.nodes; ++t)
        for (uint32_t i = plan->row[t]; i < plan->row[t + 1]; ++i) {
            double *row = a + plan->panel[t] + (i - plan->row[t]) * lode__lcp_width(plan, t);
            for (uint32_t c = plan->couple[t]; c < plan->couple[t + 1]; ++c)
                for (uint32_t j = plan->row[plan->with[c]]; j < plan->row[plan->with[c] + 1]; ++j)
                    *row++ = lcp_problem.a[row_of[i]][row_of[j]];
        }
}

/* As nodes of `each` rows. */
bool lcp_solve_as(uint32_t each)
{
    lode__arena arena = {0};
    lode__lcp_planner planner;
    lode__lcp_plan plan;
    lode__lcp lcp;
    uint32_t row_of[LCP_MOST] = {0}, number[LCP_MOST] = {0};
    lode__lcp_pattern pattern = pattern_of(each, &arena);
    assert_true(lode__lcp_planner_take(&planner, &arena, pattern.node_count, pattern.element_count,
                                       pattern.start[pattern.node_count],
                                       (uint32_t)lcp_problem.count));
    assert_true(lode__lcp_plan_make(&plan, &planner, &pattern, &arena));
    assert_true(lode__lcp_take(&lcp, &arena, &plan.size));
    lode__lcp_pose(&lcp, &plan);
    lcp.kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    assert_int_equal(lcp.count, lcp_problem.count);
    for (uint32_t t = 0; t < plan.size.nodes; ++t)
        for (uint32_t i = plan.row[t]; i < plan.row[t + 1]; ++i) {
            row_of[i] = plan.node[t] * each + (i - plan.row[t]);
            number[row_of[i]] = i;
        }
    write_matrix(&plan, row_of, lcp.a);
    for (uint32_t i = 0; i < lcp.count; ++i) {
        uint32_t from = row_of[i];
        lcp.b[i] = lcp_problem.b[from];
        lcp.lo[i] = lcp_problem.lo[from];
        lcp.hi[i] = lcp_problem.hi[from];
        lcp.master[i] = lcp_problem.master[from] < 0 ? LODE__LCP_NONE
                                                     : number[lcp_problem.master[from]];
        lcp.ratio[i] = lcp_problem.ratio[from];
        lcp.x[i] = lcp_problem.guess[from];
    }
    bool solved = lode__lcp_solve(&lcp);
    for (uint32_t i = 0; i < lcp.count; ++i)
        lcp_problem.x[row_of[i]] = lcp.x[i];
    lcp_problem.pivots = lcp.pivots;
    lode__arena_free(&arena);
    return solved;
}

/* As one node. */
static void set_up(lode__lcp *lcp, lode__lcp_single *single, lode__arena *arena)
{
    lode__lcp_single_make(single, (uint32_t)lcp_problem.count);
    assert_true(lode__lcp_take(lcp, arena, &single->plan.size));
    lode__lcp_pose(lcp, &single->plan);
    lcp->kernels = lode__solver_kernels_for(LODE_SIMD_PLAIN);
    uint32_t width = lode__lcp_padded((uint32_t)lcp_problem.count);
    memset(lcp->a, 0, single->plan.size.panels * sizeof *lcp->a);
    for (int i = 0; i < lcp_problem.count; ++i) {
        for (int k = 0; k < lcp_problem.count; ++k)
            lcp->a[(uint32_t)i * width + (uint32_t)k] = lcp_problem.a[i][k];
        lcp->b[i] = lcp_problem.b[i];
        lcp->lo[i] = lcp_problem.lo[i];
        lcp->hi[i] = lcp_problem.hi[i];
        lcp->master[i] = lcp_problem.master[i] < 0 ? LODE__LCP_NONE
                                                   : (uint32_t)lcp_problem.master[i];
        lcp->ratio[i] = lcp_problem.ratio[i];
        lcp->x[i] = lcp_problem.guess[i];
    }
    if (lcp_problem.without_tableau)
        lcp->room = 0;
}

bool lcp_solve(void)
{
    lode__arena arena = {0};
    lode__lcp lcp;
    lode__lcp_single single;
    set_up(&lcp, &single, &arena);
    bool solved = lode__lcp_solve(&lcp);
    memcpy(lcp_problem.x, lcp.x, (size_t)lcp_problem.count * sizeof *lcp_problem.x);
    lcp_problem.pivots = lcp.pivots;
    lode__arena_free(&arena);
    return solved;
}

/* Along a path from the guess, without any round before or after. */
bool lcp_follow(bool open, uint32_t pivots)
{
    lode__arena arena = {0};
    lode__lcp lcp;
    lode__lcp_single single;
    set_up(&lcp, &single, &arena);
    lode__lcp_begin(&lcp);
    bool ended = lode__lcp_follow_path(&lcp, open, pivots);
    for (int i = 0; i < lcp_problem.count; ++i)
        lcp_problem.x[i] = lcp.x[i] * lcp.scale[i];
    lcp_problem.pivots = lcp.pivots;
    lode__arena_free(&arena);
    return ended;
}

/* By how much x fails to be a solution: how far x - w, cut off at the limits, is from x. */
double lcp_error_of_row(int i)
{
    double lo = lcp_problem.lo[i], hi = lcp_problem.hi[i], w = -lcp_problem.b[i];
    if (lcp_problem.master[i] >= 0) {
        hi = lcp_problem.ratio[i] * fmax(lcp_problem.x[lcp_problem.master[i]], 0);
        lo = -hi;
    }
    for (int k = 0; k < lcp_problem.count; ++k)
        w += lcp_problem.a[i][k] * lcp_problem.x[k];
    return fabs(fmin(fmax(lcp_problem.x[i] - w, lo), hi) - lcp_problem.x[i]);
}

double lcp_error(void)
{
    double most = 0;
    for (int i = 0; i < lcp_problem.count; ++i) {
        assert_true(isfinite(lcp_problem.x[i]));
        most = fmax(most, lcp_error_of_row(i));
    }
    return most;
}

/* Contacts: normals and two directions of friction that hang on each. */
void lcp_pose_contacts(int contacts, int rank, double soft, double most, test_random *random)
{
    lcp_pose(3 * contacts, rank, 6, soft, random);
    for (int i = 0; i < lcp_problem.count; ++i) {
        bool normal = i % 3 == 0;
        lcp_problem.lo[i] = 0;
        lcp_problem.hi[i] = lcp_unbounded;
        lcp_problem.master[i] = normal ? -1 : i / 3 * 3;
        lcp_problem.ratio[i] = normal ? 0 : random_between(random, 0, most);
    }
}
