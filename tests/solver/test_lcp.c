/* test_lcp.c: the mixed LCP against an oracle that tries every set of free rows, and against the
 * conditions of a solution where there are too many sets to try. */
#include "lcp_problem.h"

#include "tests/support/test.h"

#include <math.h>
#include <string.h>

/* --- the oracle: Gauss elimination on each of the 3^n sets */

static bool eliminate(int n, double a[8][9])
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k; i < n; ++i)
            if (fabs(a[i][k]) > fabs(a[best][k]))
                best = i;
        for (int c = 0; c <= n; ++c) {
            double t = a[k][c];
            a[k][c] = a[best][c];
            a[best][c] = t;
        }
        if (fabs(a[k][k]) < 1e-12)
            return false;
        for (int i = 0; i < n; ++i) {
            double s = i == k ? 0 : a[i][k] / a[k][k];
            for (int c = k; c <= n; ++c)
                a[i][c] -= s * a[k][c];
        }
    }
    return true;
}

/* Writes the x of one set; true when it is a solution. */
static bool try_set(int set, double x[8])
{
    double a[8][9] = {{0}};
    for (int i = 0, s = set; i < lcp_problem.count; ++i, s /= 3) {
        double limit = s % 3 == 1 ? lcp_problem.lo[i] : lcp_problem.hi[i];
        if (s % 3 != 0 && fabs(limit) >= lcp_unbounded)
            return false;
        for (int k = 0; k < lcp_problem.count; ++k)
            a[i][k] = s % 3 == 0 ? lcp_problem.a[i][k] : i == k;
        a[i][lcp_problem.count] = s % 3 == 0 ? lcp_problem.b[i] : limit;
    }
    if (!eliminate(lcp_problem.count, a))
        return false;
    for (int i = 0; i < lcp_problem.count; ++i)
        lcp_problem.x[i] = x[i] = a[i][lcp_problem.count] / a[i][i];
    return lcp_error() < 1e-10;
}

static void small_problems_agree_with_trying_every_set(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 400; ++round) {
        int count = 1 + (int)random_below(&random, 6), sets = 1;
        lcp_pose(count, 2 * count, count, 0.01, &random);
        lcp_limit_rows(&random);
        for (int i = 0; i < count; ++i) {
            lcp_problem.guess[i] = random_between(&random, -2, 2);
            sets *= 3;
        }
        assert_true(round % 2 ? lcp_solve() : lcp_solve_as(1 + (uint32_t)round / 2 % 3));
        double found[8], should[8];
        memcpy(found, lcp_problem.x, sizeof found);
        int set = 0;
        while (set < sets && !try_set(set, should))
            ++set;
        assert_true(set < sets);
        for (int i = 0; i < count; ++i)
            if (!(fabs(found[i] - should[i]) <= 1e-6 * (1 + fabs(should[i]))))
                fail_msg("round %d row %d of %d: %g, should be %g", round, i, count, found[i],
                         should[i]);
    }
}

static void large_problems_meet_the_conditions(void **state)
{
    (void)state;
    test_random random = {2};
    for (int round = 0; round < 30; ++round) {
        int count = 50 + (int)random_below(&random, LCP_MOST - 50);
        lcp_pose(count, 2 * count, round % 3 ? 8 : count, 1e-3, &random);
        lcp_limit_rows(&random);
        assert_true(round % 2 ? lcp_solve() : lcp_solve_as(1 + random_below(&random, 12)));
        assert_true(lcp_error() < 1e-6);
    }
}

/* Any number of rows may say the same: the rank is a third of their count. */
static void dependent_rows_meet_the_conditions(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 30; ++round) {
        int count = 30 + (int)random_below(&random, 150);
        lcp_pose(count, count / 3, count, 0, &random);
        lcp_make_consistent(&random);
        lcp_limit_rows(&random);
        assert_true(round % 2 ? lcp_solve() : lcp_solve_as(1 + random_below(&random, 12)));
        double error = lcp_error();
        if (!(error < 1e-5))
            fail_msg("round %d, %d rows: %g", round, count, error);
    }
}

/* Solves the first n rows by themselves in long double; returns the least pivot, by its row's
 * diagonal. */
static double solve_first(int n, long double x[])
{
    static long double a[LCP_MOST][LCP_MOST + 1];
    long double least = 1;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k)
            a[i][k] = lcp_problem.a[i][k];
        a[i][n] = lcp_problem.b[i];
    }
    for (int k = 0; k < n; ++k) {
        least = fminl(least, a[k][k] / lcp_problem.a[k][k]);
        for (int i = k + 1; i < n; ++i) {
            long double s = a[i][k] / a[k][k];
            for (int c = k; c <= n; ++c)
                a[i][c] -= s * a[k][c];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        x[i] = a[i][n];
        for (int k = i + 1; k < n; ++k)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
    return (double)least;
}

/* Rows without limits that contradict each other cannot all be met; nothing may blow up. The first
 * twelve rows are independent, and what they alone would need is found; the others are left out.
 * The impulses may be large where these twelve nearly depend on each other, and so, times what a
 * sum of
 * 24 products rounds, may their errors; where they do to 1e-6 their own rank is not clear. */
static void contradicting_equations_stay_small(void **state)
{
    (void)state;
    enum { RANK = 12, COUNT = 2 * RANK, PROBLEMS = 500 };
    test_random random = {4};
    int unclear = 0;
    for (int round = 0; round < PROBLEMS; ++round) {
        lcp_pose(COUNT, RANK, COUNT, 0, &random);
        long double should[RANK], most = 0;
        if (solve_first(RANK, should) < 1e-6) {
            ++unclear;
            continue;
        }
        assert_false(round % 2 ? lcp_solve() : lcp_solve_as(1 + (uint32_t)round / 2 % 6));
        for (int i = 0; i < RANK; ++i)
            most = fmaxl(most, fabsl(should[i]));
        for (int i = 0; i < COUNT; ++i) {
            if (i < RANK)
                assert_true(lcp_error_of_row(i) <= 1e-12 * (double)(1 + most));
            if (!(i < RANK ? fabs(lcp_problem.x[i]) <= 2 * (double)most : lcp_problem.x[i] == 0))
                fail_msg("round %d row %d: %g of %Lg", round, i, lcp_problem.x[i], most);
        }
    }
    assert_true(unclear < PROBLEMS / 50);
}

/* A row that pushes and one that pulls the same way, without softness: the numbers are large, but
 * finite. */
static void an_infeasible_pair_stays_finite(void **state)
{
    (void)state;
    memset(&lcp_problem, 0, sizeof lcp_problem);
    lcp_problem.count = 2;
    lcp_problem.a[0][0] = lcp_problem.a[1][1] = 2;
    lcp_problem.a[0][1] = lcp_problem.a[1][0] = -2;
    lcp_problem.b[0] = lcp_problem.b[1] = 1; /* w0 = 2 d - 1 >= 0 and w1 = -2 d - 1 >= 0 */
    lcp_problem.hi[0] = lcp_problem.hi[1] = lcp_unbounded;
    lcp_problem.master[0] = lcp_problem.master[1] = -1;
    assert_false(lcp_solve());
    assert_true(isfinite(lcp_problem.x[0]) && isfinite(lcp_problem.x[1]));
    assert_true(lcp_problem.x[0] >= 0 && lcp_problem.x[1] >= 0);
}

static void a_good_guess_costs_one_solution(void **state)
{
    (void)state;
    test_random random = {6};
    lcp_pose(200, 400, 20, 1e-3, &random);
    lcp_limit_rows(&random);
    assert_true(lcp_solve());
    memcpy(lcp_problem.guess, lcp_problem.x, sizeof lcp_problem.guess);
    assert_true(lcp_solve());
    assert_int_equal(lcp_problem.pivots, 1);
    assert_true(lcp_solve_as(6));
    assert_int_equal(lcp_problem.pivots, 1);
}

static void rows_that_are_no_numbers_are_left_out(void **state)
{
    (void)state;
    test_random random = {7};
    lcp_pose(12, 24, 12, 0.1, &random);
    lcp_problem.b[3] = NAN;
    lcp_problem.b[4] = INFINITY;
    lcp_problem.a[5][5] = 0;
    lcp_problem.a[6][6] = -1;
    lcp_problem.guess[8] = NAN;
    lcp_problem.guess[9] = INFINITY;
    for (uint32_t each = 0; each < 5; ++each) {
        for (int i = 0; i < 12; ++i)
            lcp_problem.a[7][i] = lcp_problem.a[i][7] = NAN;
        assert_true(each ? lcp_solve_as(each) : lcp_solve());
        for (int i = 3; i <= 7; ++i)
            assert_true(lcp_problem.x[i] == 0);
        for (int i = 0; i < 12; ++i)
            lcp_problem.a[7][i] = lcp_problem.a[i][7] = 0;
        for (int i = 0; i < 12; ++i)
            assert_true((i >= 3 && i <= 7) || lcp_error_of_row(i) < 1e-8);
    }
}

static void no_rows_are_no_problem(void **state)
{
    (void)state;
    memset(&lcp_problem, 0, sizeof lcp_problem);
    assert_true(lcp_solve());
    assert_true(lcp_solve_as(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_problems_agree_with_trying_every_set),
        cmocka_unit_test(large_problems_meet_the_conditions),
        cmocka_unit_test(dependent_rows_meet_the_conditions),
        cmocka_unit_test(contradicting_equations_stay_small),
        cmocka_unit_test(an_infeasible_pair_stays_finite),
        cmocka_unit_test(a_good_guess_costs_one_solution),
        cmocka_unit_test(rows_that_are_no_numbers_are_left_out),
        cmocka_unit_test(no_rows_are_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
