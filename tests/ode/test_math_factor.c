/* test_math_factor.c: factorisations of the ODE face, held against the matrices they are of. */
#include "tests/ode/refusals.h"

#include <ode/matrix.h>

#include <string.h>

enum { MOST = 13, SKIP = 16, ROOM = MOST * SKIP };

/* How far what comes of a matrix of this size may be off, in parts of its elements. */
#define NEAR ((double)(sizeof(dReal) == sizeof(float) ? 4e-5 : 1e-13))

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) <= NEAR * (1 + fabs(b)));
}

/* Symmetric and positive definite: B B^T + 1, full. What is above the diagonal of `lower` is odd,
 * so that who reads it is found out. */
static void make_definite(dReal *full, dReal *lower, int n, int skip)
{
    dReal B[MOST * MOST];
    draw_many(B, n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = i == j;
            for (int k = 0; k < n; ++k)
                sum += (double)B[i * n + k] * B[j * n + k];
            full[i * skip + j] = (dReal)sum;
            lower[i * skip + j] = j > i ? (dReal)777 : (dReal)sum;
        }
}

static int pad(int n)
{
    return n == 1 ? 1 : (n + 3) & ~3;
}

/* The product of row i of A and x. */
static double times(const dReal *A, const dReal *x, int i, int n, int skip)
{
    double sum = 0;
    for (int j = 0; j < n; ++j)
        sum += (double)A[i * skip + j] * x[j];
    return sum;
}

/* Element (i, j) of L D L^T. */
static double of_ldlt(const dReal *L, const dReal *d, int i, int j, int skip)
{
    double sum = 0;
    for (int k = 0; k <= i && k <= j; ++k) {
        double l_ik = k == i ? 1 : L[i * skip + k], l_jk = k == j ? 1 : L[j * skip + k];
        sum += l_ik * l_jk / d[k];
    }
    return sum;
}

static void cholesky_factors_and_solves(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; ++n) {
        dReal full[ROOM], L[ROOM], b[MOST], x[MOST];
        int skip = pad(n);
        make_definite(full, L, n, skip);
        assert_int_equal(dFactorCholesky(L, n), 1);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int k = 0; k <= i && k <= j; ++k)
                    sum += (double)L[i * skip + k] * L[j * skip + k];
                assert_near(sum, full[i * skip + j]);
                if (j > i)
                    assert_true(L[i * skip + j] == 777);
            }
        draw_many(b, MOST);
        memcpy(x, b, sizeof x);
        dSolveCholesky(L, x, n);
        for (int i = 0; i < n; ++i)
            assert_near(times(full, x, i, n, skip), b[i]);
    }
}

static void inverses_undo(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; ++n) {
        dReal full[ROOM], lower[ROOM], same[ROOM], inverse[ROOM];
        int skip = pad(n);
        make_definite(full, lower, n, skip);
        memcpy(same, lower, sizeof same);
        assert_int_equal(dIsPositiveDefinite(lower, n), 1);
        assert_int_equal(dInvertPDMatrix(lower, inverse, n), 1);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int k = 0; k < n; ++k)
                    sum += (double)inverse[i * skip + k] * full[k * skip + j];
                assert_near(sum, i == j);
                assert_true(lower[i * skip + j] == same[i * skip + j]);
            }
        assert_int_equal(dInvertPDMatrix(lower, lower, n), 1); /* in place */
        for (int i = 0; i < n; ++i)
            assert_memory_equal(lower + i * skip, inverse + i * skip, (size_t)n * sizeof(dReal));
    }
}

static void what_is_not_definite_is_told(void **state)
{
    (void)state;
    const dReal right[12] = {4, 777, 777, 0, 2, 5, 777, 0, 1, 3, 6, 0};
    const struct {
        int at;
        dReal value;
        int definite;
    } changes[] = {{0, 4, 1}, {5, (dReal)0.5, 0}, {5, 1, 0},     {0, -4, 0},
                   {0, 0, 0}, {0, dNaN, 0},       {10, dNaN, 0}, {9, dNaN, 0}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; ++i) {
        dReal A[12], inverse[12] = {9, 9, 9};
        memcpy(A, right, sizeof A);
        A[changes[i].at] = changes[i].value;
        assert_int_equal(dIsPositiveDefinite(A, 3), changes[i].definite);
        assert_int_equal(dInvertPDMatrix(A, inverse, 3), changes[i].definite);
        assert_true((inverse[0] == 9) == !changes[i].definite);
        assert_int_equal(dFactorCholesky(A, 3), changes[i].definite);
    }
}

static void ldlt_factors_and_solves(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; ++n) {
        dReal full[ROOM], L[ROOM], d[MOST + 1], b[MOST], x[MOST], y[MOST];
        make_definite(full, L, n, SKIP);
        d[n] = 9;
        dFactorLDLT(L, d, n, SKIP);
        assert_true(d[n] == 9);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                assert_near(of_ldlt(L, d, i, j, SKIP), full[i * SKIP + j]);
                if (j >= i)
                    assert_true(L[i * SKIP + j] == (i == j ? full[i * SKIP + i] : 777));
            }
        draw_many(b, MOST);
        memcpy(x, b, sizeof x);
        dSolveLDLT(L, d, x, n, SKIP);
        for (int i = 0; i < n; ++i)
            assert_near(times(full, x, i, n, SKIP), b[i]);
        memcpy(x, b, sizeof x);
        memcpy(y, b, sizeof y);
        dSolveL1(L, x, n, SKIP);
        dSolveL1T(L, y, n, SKIP);
        for (int i = 0; i < n; ++i) {
            double down = x[i], up = y[i];
            for (int j = 0; j < i; ++j)
                down += (double)L[i * SKIP + j] * x[j];
            for (int j = i + 1; j < n; ++j)
                up += (double)L[j * SKIP + i] * y[j];
            assert_near(down, b[i]);
            assert_near(up, b[i]);
        }
    }
}

/* An indefinite matrix has one too, with pivots below 0. */
static void ldlt_takes_negative_pivots(void **state)
{
    (void)state;
    dReal A[8] = {2, 777, 9, 9, 4, 3, 9, 9}, d[2];
    dFactorLDLT(A, d, 2, 4);
    assert_true(d[0] == (dReal)0.5 && A[4] == 2 && d[1] == (dReal)-0.2);
}

/* The factors' first row and column are those of before; the others' are of the new matrix. */
static void check_added(const dReal *full, const dReal *a, int n)
{
    dReal L[ROOM], d[MOST], want[ROOM], want_d[MOST], first[MOST];
    memcpy(L, full, sizeof L);
    dFactorLDLT(L, d, n, SKIP);
    dReal first_d = d[0];
    for (int i = 1; i < n; ++i)
        first[i] = L[i * SKIP];
    memcpy(want, full, sizeof want);
    for (int i = 0; i < n; ++i)
        want[i * SKIP] += a[i];
    dFactorLDLT(want, want_d, n, SKIP);
    dLDLTAddTL(L, d, a, n, SKIP);
    assert_true(d[0] == first_d);
    for (int i = 1; i < n; ++i) {
        assert_true(L[i * SKIP] == first[i]);
        assert_near(d[i], want_d[i]);
        for (int j = 1; j < i; ++j)
            assert_near(L[i * SKIP + j], want[i * SKIP + j]);
    }
}

static void first_rows_are_added_to(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; ++n) {
        dReal full[ROOM], lower[ROOM], a[MOST];
        make_definite(full, lower, n, SKIP);
        draw_many(a, n);
        for (int i = 0; i < n; ++i)
            a[i] *= (dReal)0.1;
        a[0] = 2;
        check_added(full, a, n); /* a general change */
        for (int i = 0; i < n; ++i)
            a[i] = (i == 0) - full[i * SKIP];
        check_added(full, a, n); /* the row is cut off */
        a[0] = -full[0] - 5;
        for (int i = 1; i < n; ++i)
            a[i] = 0;
        check_added(full, a, n); /* the matrix is no longer definite */
    }
}

/* Rows p of a larger matrix, one of which goes. */
static void check_removed(const dReal *large, int n1, int n2, int r)
{
    dReal L[ROOM] = {0}, d[MOST], want[ROOM], want_d[MOST], *rows[MOST];
    int p[MOST], stays[MOST];
    for (int i = 0; i < n1; ++i)
        rows[i] = (dReal *)large + i * SKIP;
    for (int i = 0; i < n2; ++i)
        p[i] = (i * 5 + 2) % n1;
    for (int i = 0; i < n2 - 1; ++i)
        stays[i] = p[i + (i >= r)];
    for (int i = 0; i < n2; ++i)
        for (int j = 0; j < n2; ++j) {
            L[i * SKIP + j] = large[p[i] * SKIP + p[j]];
            if (i < n2 - 1 && j < n2 - 1)
                want[i * SKIP + j] = large[stays[i] * SKIP + stays[j]];
        }
    dFactorLDLT(L, d, n2, SKIP);
    if (n2 > 1)
        dFactorLDLT(want, want_d, n2 - 1, SKIP);
    dLDLTRemove(rows, p, L, d, n1, n2, r, SKIP);
    for (int i = 0; i < n2 - 1; ++i) {
        assert_near(d[i], want_d[i]);
        for (int j = 0; j < i; ++j)
            assert_near(L[i * SKIP + j], want[i * SKIP + j]);
    }
}

static void rows_are_removed_from_factors(void **state)
{
    (void)state;
    dReal full[ROOM], lower[ROOM];
    for (int n1 = 1; n1 <= 9; ++n1) {
        if (n1 % 5 == 0)
            continue; /* steps of five would not reach each row */
        make_definite(full, lower, n1, SKIP);
        for (int n2 = 1; n2 <= n1; ++n2)
            for (int r = 0; r < n2; ++r)
                check_removed(full, n1, n2, r);
    }
}

static void bad_factorisations_write_nothing(void **state)
{
    (void)state;
    dReal A[4] = {9, 9, 9, 9}, b[2] = {9, 9}, d[2] = {9, 9}, *rows[2] = {A, A + 2};
    const int p[2] = {0, 2};
    EXPECT_REFUSAL(assert_int_equal(dFactorCholesky(A, 0), 0),
                   "dFactorCholesky: n must be above 0");
    EXPECT_REFUSAL(assert_int_equal(dFactorCholesky(NULL, 1), 0),
                   "dFactorCholesky: A must not be null");
    EXPECT_REFUSAL(dSolveCholesky(NULL, b, 1), "dSolveCholesky: L must not be null");
    EXPECT_REFUSAL(dSolveCholesky(A, b, -1), "dSolveCholesky: n must be above 0");
    EXPECT_REFUSAL(assert_int_equal(dInvertPDMatrix(A, NULL, 1), 0),
                   "dInvertPDMatrix: Ainv must not be null");
    EXPECT_REFUSAL(assert_int_equal(dInvertPDMatrix(A, A, 0), 0),
                   "dInvertPDMatrix: n must be above 0");
    EXPECT_REFUSAL(assert_int_equal(dIsPositiveDefinite(NULL, 1), 0),
                   "dIsPositiveDefinite: A must not be null");
    EXPECT_REFUSAL(assert_int_equal(dIsPositiveDefinite(A, 0), 0),
                   "dIsPositiveDefinite: n must be above 0");
    EXPECT_REFUSAL(dFactorLDLT(A, d, 2, 1), "dFactorLDLT: nskip must hold a row");
    EXPECT_REFUSAL(dFactorLDLT(A, NULL, 2, 2), "dFactorLDLT: d must not be null");
    EXPECT_REFUSAL(dSolveL1(A, b, 0, 2), "dSolveL1: n must be above 0");
    EXPECT_REFUSAL(dSolveL1T(A, NULL, 1, 2), "dSolveL1T: b must not be null");
    EXPECT_REFUSAL(dSolveLDLT(A, NULL, b, 1, 2), "dSolveLDLT: d must not be null");
    EXPECT_REFUSAL(dSolveLDLT(A, d, b, 2, 1), "dSolveLDLT: nskip must hold a row");
    EXPECT_REFUSAL(dLDLTAddTL(A, d, NULL, 2, 2), "dLDLTAddTL: a must not be null");
    EXPECT_REFUSAL(dLDLTAddTL(A, d, b, 0, 2), "dLDLTAddTL: n must be above 0");
    EXPECT_REFUSAL(dLDLTRemove(NULL, p, A, d, 2, 2, 0, 2), "dLDLTRemove: A must not be null");
    EXPECT_REFUSAL(dLDLTRemove(rows, p, A, d, 2, 3, 0, 3), "dLDLTRemove: n2 must be 1 to n1");
    EXPECT_REFUSAL(dLDLTRemove(rows, p, A, d, 2, 2, 2, 2), "dLDLTRemove: r must be 0 to n2 - 1");
    EXPECT_REFUSAL(dLDLTRemove(rows, p, A, d, 2, 2, 0, 2), "dLDLTRemove: p must have rows of A");
    for (int i = 0; i < 4; ++i)
        assert_true(A[i] == 9 && b[i / 2] == 9 && d[i / 2] == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(cholesky_factors_and_solves),   HEARING(inverses_undo),
        HEARING(what_is_not_definite_is_told),  HEARING(ldlt_factors_and_solves),
        HEARING(ldlt_takes_negative_pivots),    HEARING(first_rows_are_added_to),
        HEARING(rows_are_removed_from_factors), HEARING(bad_factorisations_write_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
