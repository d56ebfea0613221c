/* test_lcp_path.c: friction, and the paths that lead to solutions where rounds cycle. */
#include "lcp_problem.h"

#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#define SOFTNESS 1e-9

/* But for the softness that rows with limits get. Half of the problems have no tableau. */
static void solve_exactly(int round)
{
    lcp_problem.without_tableau = round % 4 < 2;
    bool solved = round % 2 ? lcp_solve() : lcp_solve_as(3 * (1 + (uint32_t)round / 2 % 4));
    for (int i = 0; i < lcp_problem.count; ++i)
        lcp_problem.a[i][i] *= 1 + SOFTNESS;
    double most = 0, error = lcp_error();
    for (int i = 0; i < lcp_problem.count; ++i)
        most = fmax(most, fmax(fabs(lcp_problem.x[i]), fabs(lcp_problem.b[i])));
    if (!solved || !(error < 1e-10 * most))
        fail_msg("round %d, %d rows: %g of %g", round, lcp_problem.count, error, most);
}

static void friction_follows_the_normal_of_the_same_solution(void **state)
{
    (void)state;
    test_random random = {5};
    for (int round = 0; round < 200; ++round) {
        int contacts = 1 + (int)random_below(&random, 20);
        lcp_pose_contacts(contacts, 6 * contacts, 0.1, 0.5, &random);
        solve_exactly(round);
    }
}

/* Where friction is large and rows depend on each other, rounds cycle: what sticks pushes normals
 * apart that others press together. Such problems have solutions all the same, for A is positive
 * definite by what is soft. */
static void friction_that_wedges_is_solved_to_the_end(void **state)
{
    (void)state;
    test_random random = {6};
    for (int round = 0; round < 400; ++round) {
        int contacts = 1 + (int)random_below(&random, 40);
        lcp_pose_contacts(contacts, 2 * contacts, 0.01, 2, &random);
        solve_exactly(round);
    }
}

/* Each path is one by itself: whether it ends, and where, is asked of it without rounds around it.
 * A guess may lie outside limits. */
static void guess_anything(test_random *random)
{
    for (int i = 0; i < lcp_problem.count; ++i)
        lcp_problem.guess[i] = random_between(random, -1, 1);
}

static void ends_at_a_solution(bool open)
{
    lcp_problem.without_tableau = !lcp_problem.without_tableau;
    if (!lcp_follow(open, 40 * (uint32_t)lcp_problem.count))
        fail_msg("%d rows: no end", lcp_problem.count);
    double most = 0, error = lcp_error();
    for (int i = 0; i < lcp_problem.count; ++i)
        most = fmax(most, fmax(fabs(lcp_problem.x[i]), fabs(lcp_problem.b[i])));
    if (!(error < 1e-6 * most))
        fail_msg("%d rows: %g of %g", lcp_problem.count, error, most);
}

static void without_friction_a_path_ends_from_anywhere(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 200; ++round) {
        int count = 1 + (int)random_below(&random, 100);
        lcp_pose(count, round % 2 ? count : count / 2 + 1, 8, 1e-3, &random);
        lcp_limit_rows(&random);
        guess_anything(&random);
        ends_at_a_solution(false);
    }
}

static void with_friction_a_path_ends_from_open_contacts(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < 200; ++round) {
        int contacts = 1 + (int)random_below(&random, 30);
        lcp_pose_contacts(contacts, 2 * contacts, 0.01, 2, &random);
        guess_anything(&random);
        ends_at_a_solution(true);
    }
}

static void find_path(bool without_tableau, bool open, double *out_x)
{
    lcp_problem.without_tableau = without_tableau;
    assert_true(lcp_follow(open, 40 * (uint32_t)lcp_problem.count));
    memcpy(out_x, lcp_problem.x, (size_t)lcp_problem.count * sizeof *out_x);
}

/* A tableau that turns from piece to piece goes the same way as factors that are made for each. */
static void tableaus_and_factors_go_the_same_way(void **state)
{
    static double by_tableau[LCP_MOST], by_factors[LCP_MOST];
    (void)state;
    test_random random = {10};
    for (int round = 0; round < 200; ++round) {
        int contacts = 1 + (int)random_below(&random, 30);
        lcp_pose_contacts(contacts, round % 2 ? 3 * contacts : 2 * contacts, 0.01, 1, &random);
        guess_anything(&random);
        find_path(false, true, by_tableau);
        uint32_t pivots = lcp_problem.pivots;
        find_path(true, true, by_factors);
        assert_int_equal(pivots, lcp_problem.pivots);
        double most = 0, apart = 0;
        for (int i = 0; i < lcp_problem.count; ++i) {
            most = fmax(most, fabs(by_factors[i]));
            apart = fmax(apart, fabs(by_factors[i] - by_tableau[i]));
        }
        if (!(apart <= 1e-8 * most))
            fail_msg("%d rows: %g of %g apart", lcp_problem.count, apart, most);
    }
}

/* What follows would be bound on both sides of zero; there is no path, and nothing is touched. */
static void masters_that_may_pull_have_no_path(void **state)
{
    (void)state;
    test_random random = {9};
    lcp_pose_contacts(3, 6, 0.01, 1, &random);
    lcp_problem.lo[3] = -1;
    assert_false(lcp_follow(false, 100) || lcp_follow(true, 100));
    assert_int_equal(lcp_problem.pivots, 0);
    assert_true(lcp_solve());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_follows_the_normal_of_the_same_solution),
        cmocka_unit_test(friction_that_wedges_is_solved_to_the_end),
        cmocka_unit_test(without_friction_a_path_ends_from_anywhere),
        cmocka_unit_test(with_friction_a_path_ends_from_open_contacts),
        cmocka_unit_test(tableaus_and_factors_go_the_same_way),
        cmocka_unit_test(masters_that_may_pull_have_no_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
