/* test_math_matrix.c: vectors and products of matrices of any size, of the ODE face. */
#include "tests/ode/refusals.h"

#include <ode/matrix.h>

#include <string.h>

enum { MOST = 9, ROOM = MOST * 12 + 4 };

static void fill(dReal *a, int n, dReal value)
{
    for (int i = 0; i < n; ++i)
        a[i] = value;
}

static void vectors_are_set_and_scaled(void **state)
{
    (void)state;
    dReal a[6], d[6] = {2, 3, 4, 5, 6, 7};
    fill(a, 6, 9);
    dSetZero(a, 3);
    dSetValue(a + 3, 2, (dReal)1.5);
    const dReal set[6] = {0, 0, 0, (dReal)1.5, (dReal)1.5, 9};
    assert_memory_equal(a, set, sizeof a);
    dScaleVector(a + 1, d, 4);
    const dReal scaled[6] = {0, 0, 0, 6, (dReal)7.5, 9};
    for (int i = 0; i < 6; ++i)
        assert_true(a[i] == scaled[i]);
    dSetZero(NULL, 0);
    dSetValue(NULL, 0, 1);
    dScaleVector(NULL, NULL, 0);
    EXPECT_REFUSAL(dSetZero(NULL, 1), "dSetZero: a must not be null");
    EXPECT_REFUSAL(dSetZero(a, -1), "dSetZero: n must not be negative");
    EXPECT_REFUSAL(dSetValue(NULL, 1, 1), "dSetValue: a must not be null");
    EXPECT_REFUSAL(dSetValue(a, -1, 1), "dSetValue: n must not be negative");
    EXPECT_REFUSAL(dScaleVector(a, NULL, 1), "dScaleVector: d must not be null");
    EXPECT_REFUSAL(dScaleVector(a, d, -1), "dScaleVector: n must not be negative");
    for (int i = 0; i < 6; ++i)
        assert_true(a[i] == scaled[i]);
}

static void the_old_name_scales_too(void **state)
{
    (void)state;
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
    void (*scale)(dReal *, const dReal *, int) = dVectorScale;
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    dReal a[3] = {1, 2, 9};
    const dReal d[2] = {5, 7};
    scale(a, d, 2);
    assert_true(a[0] == 5 && a[1] == 14 && a[2] == 9);
}

static void dot_products_of_nothing_are_zero(void **state)
{
    (void)state;
    dReal a[20], b[20];
    assert_true(dDot(NULL, NULL, 0) == 0 && dDot(NULL, NULL, -3) == 0);
    for (int n = 1; n <= 20; ++n) {
        double sum = 0;
        draw_many(a, n);
        draw_many(b, n);
        for (int i = 0; i < n; ++i)
            sum += (double)a[i] * b[i];
        ASSERT_CLOSE(dDot(a, b, n), sum);
    }
    EXPECT_REFUSAL(assert_true(dDot(NULL, b, 1) == 0), "dDot: a must not be null");
    EXPECT_REFUSAL(assert_true(dDot(a, NULL, 1) == 0), "dDot: b must not be null");
}

typedef void multiply_fn(dReal *A, const dReal *B, const dReal *C, int p, int q, int r);

/* Element (i, j) of a matrix of so many columns, or (j, i). */
static double element(const dReal *A, int columns, int i, int j, int turned)
{
    int row = turned ? j : i, column = turned ? i : j;
    int skip = columns == 1 ? 1 : (columns + 3) & ~3;
    return A[row * skip + column];
}

static void check_product(multiply_fn *multiply, int turn_b, int turn_c, int p, int q, int r)
{
    dReal A[ROOM], B[ROOM], C[ROOM];
    int skip = r == 1 ? 1 : (r + 3) & ~3;
    fill(A, ROOM, 9);
    draw_many(B, ROOM);
    draw_many(C, ROOM);
    multiply(A, B, C, p, q, r);
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < r; ++j) {
            double sum = 0;
            for (int k = 0; k < q; ++k)
                sum += element(B, turn_b ? p : q, i, k, turn_b) *
                       element(C, turn_c ? q : r, k, j, turn_c);
            ASSERT_CLOSE(A[i * skip + j], sum);
            A[i * skip + j] = 9;
        }
    for (int i = 0; i < ROOM; ++i)
        assert_true(A[i] == 9); /* nothing else was written */
}

static void products_are_sums_of_products(void **state)
{
    (void)state;
    for (int p = 1; p <= MOST; ++p)
        for (int q = 1; q <= MOST; ++q)
            for (int r = 1; r <= MOST; ++r) {
                check_product(dMultiply0, 0, 0, p, q, r);
                check_product(dMultiply1, 1, 0, p, q, r);
                check_product(dMultiply2, 0, 1, p, q, r);
            }
}

static void bad_products_write_nothing(void **state)
{
    (void)state;
    dReal A[4] = {9, 9, 9, 9}, B[4] = {1, 2, 3, 4};
    EXPECT_REFUSAL(dMultiply0(NULL, B, B, 1, 1, 1), "dMultiply0: A must not be null");
    EXPECT_REFUSAL(dMultiply0(A, B, B, 0, 1, 1), "dMultiply0: p must be above 0");
    EXPECT_REFUSAL(dMultiply1(A, NULL, B, 1, 1, 1), "dMultiply1: B must not be null");
    EXPECT_REFUSAL(dMultiply1(A, B, B, 1, 0, 1), "dMultiply1: q must be above 0");
    EXPECT_REFUSAL(dMultiply2(A, B, NULL, 1, 1, 1), "dMultiply2: C must not be null");
    EXPECT_REFUSAL(dMultiply2(A, B, B, 1, 1, -2), "dMultiply2: r must be above 0");
    for (int i = 0; i < 4; ++i)
        assert_true(A[i] == 9);
}

static void rows_and_columns_are_taken_out(void **state)
{
    (void)state;
    for (int n = 1; n <= 6; ++n)
        for (int r = 0; r < n; ++r) {
            dReal A[48], before[48];
            draw_many(A, 48);
            memcpy(before, A, sizeof A);
            dRemoveRowCol(A, n, 7, r);
            for (int i = 0; i < 48; ++i) {
                int row = i / 7, column = i % 7;
                int moved = row < n - 1 && column < n - 1;
                int from = (row + (row >= r)) * 7 + column + (column >= r);
                assert_true(A[i] == before[moved ? from : i]);
            }
        }
    dReal A[4] = {1, 2, 3, 4};
    EXPECT_REFUSAL(dRemoveRowCol(NULL, 2, 2, 0), "dRemoveRowCol: A must not be null");
    EXPECT_REFUSAL(dRemoveRowCol(A, 0, 2, 0), "dRemoveRowCol: n must be above 0");
    EXPECT_REFUSAL(dRemoveRowCol(A, 2, 1, 0), "dRemoveRowCol: nskip must hold a row");
    EXPECT_REFUSAL(dRemoveRowCol(A, 2, 2, 2), "dRemoveRowCol: r must be 0 to n - 1");
    EXPECT_REFUSAL(dRemoveRowCol(A, 2, 2, -1), "dRemoveRowCol: r must be 0 to n - 1");
    assert_true(A[0] == 1 && A[1] == 2 && A[2] == 3 && A[3] == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(vectors_are_set_and_scaled),       HEARING(the_old_name_scales_too),
        HEARING(dot_products_of_nothing_are_zero), HEARING(products_are_sums_of_products),
        HEARING(bad_products_write_nothing),       HEARING(rows_and_columns_are_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
