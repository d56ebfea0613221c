/* test_math_legacy.c: the old names of odemath_legacy.h, held against plain formulas. */
#include "tests/ode/refusals.h"

#include <ode/odemath.h>

#include <string.h>

static void operators_work_on_three_elements(void **state)
{
    (void)state;
    dVector3 a = {9, 9, 9, 9}, b = {1, 2, 3, 4}, c = {5, 7, 11, 13};
    dOP(a, -, b, c);
    assert_true(a[0] == -4 && a[1] == -5 && a[2] == -8 && a[3] == 9);
    dOP(a, *, b + 0, c + 1);
    assert_true(a[0] == 7 && a[1] == 22 && a[2] == 39);
    dOPC(a, *, b, 1 + 1);
    assert_true(a[0] == 2 && a[1] == 4 && a[2] == 6 && a[3] == 9);
    dOPE(a, +=, c);
    assert_true(a[0] == 7 && a[1] == 11 && a[2] == 17 && a[3] == 9);
    dOPE(a, = -, b);
    assert_true(a[0] == -1 && a[1] == -2 && a[2] == -3);
    dOPEC(a, -=, 3 - 1);
    assert_true(a[0] == -3 && a[1] == -4 && a[2] == -5 && a[3] == 9);
    dOPE2(a, +=, b, -, c);
    assert_true(a[0] == -7 && a[1] == -9 && a[2] == -13 && a[3] == 9);
    if (a[3] != 9)
        dOPEC(a, =, 0);
    else
        dOPEC(a, =, 1);
    assert_true(a[0] == 1 && a[2] == 1);
}

/* Element i of b x c, of vectors with elements q and r apart. */
static double cross(const dReal *b, const dReal *c, int i, int q, int r)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    return (double)b[j * q] * c[k * r] - (double)b[k * q] * c[j * r];
}

#define CHECK_CROSS(macro, p, q, r) \
    do { \
        dReal to[12]; \
        memcpy(to, a, sizeof to); \
        macro(to, +=, b, c); \
        for (int i = 0; i < 12; ++i) { \
            int at = i % p == 0 && i / p < 3; \
            ASSERT_CLOSE(to[i], a[i] + (at ? cross(b, c, i / p, q, r) : 0)); \
        } \
    } while (0)

static void crosses_have_strides(void **state)
{
    (void)state;
    dReal a[12], b[12], c[12];
    draw_many(a, 12);
    draw_many(b, 12);
    draw_many(c, 12);
    CHECK_CROSS(dCROSS, 1, 1, 1);
    CHECK_CROSS(dCROSS114, 1, 1, 4);
    CHECK_CROSS(dCROSS141, 1, 4, 1);
    CHECK_CROSS(dCROSS144, 1, 4, 4);
    CHECK_CROSS(dCROSS411, 4, 1, 1);
    CHECK_CROSS(dCROSS414, 4, 1, 4);
    CHECK_CROSS(dCROSS441, 4, 4, 1);
    CHECK_CROSS(dCROSS444, 4, 4, 4);
    dReal far[12] = {0};
    dCROSSpqr(far, =, b, c, 5, 2, 3);
    for (int i = 0; i < 3; ++i)
        ASSERT_CLOSE(far[5 * i], cross(b, c, i, 2, 3));
    dReal over[3] = {b[0], b[1], b[2]};
    dCROSS(over, =, over, c);
    for (int i = 0; i < 3; ++i)
        ASSERT_CLOSE(over[i], cross(b, c, i, 1, 1));
}

static void cross_matrices_multiply(void **state)
{
    (void)state;
    dReal a[3], b[3];
    draw_many(a, 3);
    draw_many(b, 3);
    for (int skip = 3; skip <= 5; ++skip)
        for (int sign = -1; sign <= 1; sign += 2) {
            dReal A[15] = {0};
            if (sign > 0)
                dCROSSMAT(A, a, skip, +, -);
            else
                dCROSSMAT(A, a, skip, -, +);
            for (int i = 0; i < 3; ++i) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += (double)A[i * skip + k] * b[k];
                ASSERT_CLOSE(sum, sign * cross(a, b, i, 1, 1));
                assert_true(A[i * skip + i] == 0);
            }
            assert_true(skip == 3 || A[3] == 0);
        }
}

static void lengths_and_products_have_old_names(void **state)
{
    (void)state;
    dReal a[9], b[9];
    draw_many(a, 9);
    draw_many(b, 9);
    ASSERT_CLOSE(dLENGTHSQUARED(a),
                 (double)a[0] * a[0] + (double)a[1] * a[1] + (double)a[2] * a[2]);
    ASSERT_CLOSE(dLENGTH(a) * dLENGTH(a), dLENGTHSQUARED(a));
    double off = 0;
    for (int i = 0; i < 3; ++i)
        off += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    ASSERT_CLOSE(dDISTANCE(a, b), sqrt(off));
    const struct {
        double got;
        int q, r;
    } dots[] = {{dDOT(a, b), 1, 1},   {dDOT13(a, b), 1, 3}, {dDOT31(a, b), 3, 1},
                {dDOT33(a, b), 3, 3}, {dDOT14(a, b), 1, 4}, {dDOT41(a, b), 4, 1},
                {dDOT44(a, b), 4, 4}};
    for (size_t i = 0; i < sizeof dots / sizeof dots[0]; ++i) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += (double)a[k * dots[i].q] * b[k * dots[i].r];
        ASSERT_CLOSE(dots[i].got, sum);
    }
}

/* Element (i, j) of a 3 by 3 matrix, or of its transpose, or of one row or column. */
typedef struct view {
    const dReal *at;
    int down, along;
} view;

static double product(view b, view c, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (double)b.at[i * b.down + k * b.along] * c.at[k * c.down + j * c.along];
    return sum;
}

#define CHECK_PRODUCT(set, add, rows, columns, ...) \
    do { \
        const view views[2] = {__VA_ARGS__}; \
        dReal A[12] = {0}, sum[12]; \
        draw_many(sum, 12); \
        const dReal first[2] = {sum[0], sum[(rows - 1) * 4 + columns - 1]}; \
        set(A, B, C); \
        add(sum, B, C); \
        for (int i = 0; i < rows; ++i) \
            for (int j = 0; j < columns; ++j) \
                ASSERT_CLOSE(A[rows == 3 && columns == 1 ? i : 4 * i + j], \
                             product(views[0], views[1], i, j)); \
        ASSERT_CLOSE(sum[0], first[0] + A[0]); \
        if (columns == 3) \
            ASSERT_CLOSE(sum[(rows - 1) * 4 + 2], first[1] + A[(rows - 1) * 4 + 2]); \
    } while (0)

static void matrix_products_have_old_names(void **state)
{
    (void)state;
    dReal B[12], C[12];
    draw_many(B, 12);
    draw_many(C, 12);
    CHECK_PRODUCT(dMULTIPLY0_331, dMULTIPLYADD0_331, 3, 1, {B, 4, 1}, {C, 1, 0});
    CHECK_PRODUCT(dMULTIPLY1_331, dMULTIPLYADD1_331, 3, 1, {B, 1, 4}, {C, 1, 0});
    CHECK_PRODUCT(dMULTIPLY0_133, dMULTIPLYADD0_133, 1, 3, {B, 0, 1}, {C, 4, 1});
    CHECK_PRODUCT(dMULTIPLY0_333, dMULTIPLYADD0_333, 3, 3, {B, 4, 1}, {C, 4, 1});
    CHECK_PRODUCT(dMULTIPLY1_333, dMULTIPLYADD1_333, 3, 3, {B, 1, 4}, {C, 4, 1});
    CHECK_PRODUCT(dMULTIPLY2_333, dMULTIPLYADD2_333, 3, 3, {B, 4, 1}, {C, 1, 4});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(operators_work_on_three_elements), HEARING(crosses_have_strides),
        HEARING(cross_matrices_multiply),          HEARING(lengths_and_products_have_old_names),
        HEARING(matrix_products_have_old_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
