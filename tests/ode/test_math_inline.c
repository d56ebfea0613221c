/* test_math_inline.c: the inline functions of odemath.h, held against plain formulas. Most may
 * store results over arguments. What has old names too has them in test_math_legacy.c. */
#include "tests/ode/refusals.h"

#include <ode/odemath.h>

#include <string.h>

enum { ROOM = 16 };
static dReal a[ROOM], b[ROOM], c[ROOM], to[ROOM];

static void draw_all(void)
{
    draw_many(a, ROOM);
    draw_many(b, ROOM);
    draw_many(c, ROOM);
    draw_many(to, ROOM);
}

/* Calls with the result in `to`, and asserts its elements 0 to 2 as `want`, of i, and that the next
 * stays. */
#define CHECK_3(call, want) \
    do { \
        draw_all(); \
        dReal before[ROOM]; \
        memcpy(before, to, sizeof to); \
        call; \
        for (int i = 0; i < 3; ++i) \
            ASSERT_CLOSE(to[i], want); \
        assert_true(to[3] == before[3]); \
    } while (0)

static void vectors_are_set_and_copied(void **state)
{
    (void)state;
    CHECK_3(dAssignVector3(to, 1, 2, 3), i + 1);
    CHECK_3(dZeroVector3(to), 0);
    CHECK_3(dCopyVector3(to, a), a[i]);
    CHECK_3(dCopyNegatedVector3(to, a), -a[i]);
    CHECK_3(dNegateVector3(to), -before[i]);
    CHECK_3(dCopyScaledVector3(to, a, 3), 3 * (double)a[i]);
    CHECK_3(dScaleVector3(to, 3), 3 * (double)before[i]);
    CHECK_3(dGetMatrixColumn3(to, a, 2), a[4 * i + 2]);
    dCopyVector4(to, b);
    assert_memory_equal(to, b, 4 * sizeof *to);
}

static void vectors_are_summed(void **state)
{
    (void)state;
    CHECK_3(dAddVectors3(to, a, b), (double)a[i] + b[i]);
    CHECK_3(dAddVectors3(to, a, to), (double)a[i] + before[i]);
    CHECK_3(dSubtractVectors3(to, a, b), (double)a[i] - b[i]);
    CHECK_3(dSubtractVectors3(to, a, to), (double)a[i] - before[i]);
    CHECK_3(dAddVectorScaledVector3(to, a, b, 2), a[i] + 2.0 * b[i]);
    CHECK_3(dAddScaledVectors3(to, a, b, 2, 3), 2.0 * a[i] + 3.0 * b[i]);
    CHECK_3(dAddThreeScaledVectors3(to, a, b, c, 2, 3, 4), 2.0 * a[i] + 3.0 * b[i] + 4.0 * c[i]);
}

static void matrices_are_set_and_copied(void **state)
{
    (void)state;
    dReal before[ROOM];
    draw_all();
    memcpy(before, to, sizeof to);
    dZeroMatrix3(to);
    for (int i = 0; i < ROOM; ++i)
        assert_true(to[i] == (i < 12 && i % 4 < 3 ? 0 : before[i]));
    dZeroMatrix4(to);
    for (int i = 0; i < ROOM; ++i)
        assert_true(to[i] == 0);
    dCopyMatrix4x3(to, a);
    for (int i = 0; i < ROOM; ++i)
        assert_true(to[i] == (i < 12 && i % 4 < 3 ? a[i] : 0));
    dCopyMatrix4x4(to, a);
    for (int i = 0; i < ROOM; ++i)
        assert_true(to[i] == (i < 12 ? a[i] : 0));
    assert_true(&dACCESS33(a, 1, 2) == &a[6]);
}

static double dot(const dReal *x, int step_x, const dReal *y, int step_y)
{
    double sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += (double)x[i * step_x] * y[i * step_y];
    return sum;
}

static double cross(const dReal *x, int q, const dReal *y, int r, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    return (double)x[j * q] * y[k * r] - (double)x[k * q] * y[j * r];
}

static void vectors_have_products(void **state)
{
    (void)state;
    draw_all();
    ASSERT_CLOSE(_dCalcVectorDot3(a, b, 2, 5), dot(a, 2, b, 5));
    ASSERT_CLOSE(dCalcVectorDot3(a, b), dot(a, 1, b, 1));
    ASSERT_CLOSE(dCalcVectorDot3_13(a, b), dot(a, 1, b, 3));
    ASSERT_CLOSE(dCalcVectorDot3_31(a, b), dot(a, 3, b, 1));
    ASSERT_CLOSE(dCalcVectorDot3_33(a, b), dot(a, 3, b, 3));
    ASSERT_CLOSE(dCalcVectorDot3_14(a, b), dot(a, 1, b, 4));
    ASSERT_CLOSE(dCalcVectorDot3_41(a, b), dot(a, 4, b, 1));
    ASSERT_CLOSE(dCalcVectorDot3_44(a, b), dot(a, 4, b, 4));
    ASSERT_CLOSE(dCalcVectorLengthSquare3(a), dot(a, 1, a, 1));
    ASSERT_CLOSE(dCalcVectorLength3(a), sqrt(dot(a, 1, a, 1)));
    dReal way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    ASSERT_CLOSE(dCalcPointsDistance3(a, b), sqrt(dot(way, 1, way, 1)));
    ASSERT_CLOSE(dCalcPointDepth3(a, b, c), dot(way, 1, c, 1)); /* of a, below b along c */
    CHECK_3(dCalcVectorCross3(to, a, b), cross(a, 1, b, 1, i));
    CHECK_3(dCalcVectorCross3(to, to, b), cross(before, 1, b, 1, i));
    CHECK_3(dAddVectorCross3(to, a, b), before[i] + cross(a, 1, b, 1, i));
    CHECK_3(dAddVectorCross3(to, to, b), before[i] + cross(before, 1, b, 1, i));
    CHECK_3(dSubtractVectorCross3(to, a, b), before[i] - cross(a, 1, b, 1, i));
}

typedef void cross_fn(dReal *res, const dReal *x, const dReal *y);

static void crosses_have_strides(void **state)
{
    (void)state;
    const struct {
        cross_fn *call;
        int p, q, r;
    } calls[] = {{dCalcVectorCross3_114, 1, 1, 4}, {dCalcVectorCross3_141, 1, 4, 1},
                 {dCalcVectorCross3_144, 1, 4, 4}, {dCalcVectorCross3_411, 4, 1, 1},
                 {dCalcVectorCross3_414, 4, 1, 4}, {dCalcVectorCross3_441, 4, 4, 1},
                 {dCalcVectorCross3_444, 4, 4, 4}, {dCalcVectorCross3, 1, 1, 1}};
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; ++k) {
        dReal before[ROOM];
        draw_all();
        memcpy(before, to, sizeof to);
        calls[k].call(to, a, b);
        for (int i = 0; i < ROOM; ++i)
            if (i % calls[k].p == 0 && i / calls[k].p < 3)
                ASSERT_CLOSE(to[i], cross(a, calls[k].q, b, calls[k].r, i / calls[k].p));
            else
                assert_true(to[i] == before[i]);
    }
    _dCalcVectorCross3(to, a, b, 5, 2, 3);
    for (int i = 0; i < 3; ++i)
        ASSERT_CLOSE(to[5 * i], cross(a, 2, b, 3, i));
}

static void cross_matrices_multiply(void **state)
{
    (void)state;
    for (unsigned skip = 3; skip <= 5; ++skip) {
        draw_all();
        dReal plus[15] = {0}, minus[15] = {0};
        dSetCrossMatrixPlus(plus, a, skip);
        dSetCrossMatrixMinus(minus, a, skip);
        for (unsigned i = 0; i < 3; ++i) {
            ASSERT_CLOSE(dot(plus + i * skip, 1, b, 1), cross(a, 1, b, 1, (int)i));
            ASSERT_CLOSE(dot(minus + i * skip, 1, b, 1), -cross(a, 1, b, 1, (int)i));
            assert_true(plus[i * skip + i] == 0 && minus[i * skip + i] == 0);
        }
    }
}

/* Of a matrix and a vector, either way around. */
static void matrices_multiply_vectors(void **state)
{
    (void)state;
    CHECK_3(dMultiplyHelper0_331(to, a, b), dot(a + 4 * i, 1, b, 1));
    CHECK_3(dMultiplyHelper1_331(to, a, b), dot(a + i, 4, b, 1));
    CHECK_3(dMultiplyHelper0_133(to, a, b), dot(b + i, 4, a, 1));
    CHECK_3(dMultiplyHelper1_133(to, a, b), dot(a + i, 4, b, 4));
    CHECK_3(dMultiply0_331(to, a, b), dot(a + 4 * i, 1, b, 1));
    CHECK_3(dMultiply1_331(to, a, b), dot(a + i, 4, b, 1));
    CHECK_3(dMultiply0_133(to, a, b), dot(b + i, 4, a, 1));
    CHECK_3(dMultiplyAdd0_331(to, a, b), before[i] + dot(a + 4 * i, 1, b, 1));
    CHECK_3(dMultiplyAdd1_331(to, a, b), before[i] + dot(a + i, 4, b, 1));
    CHECK_3(dMultiplyAdd0_133(to, a, b), before[i] + dot(b + i, 4, a, 1));
    CHECK_3(dMultiply0_331(to, a, to), dot(a + 4 * i, 1, before, 1));
    CHECK_3(dMultiply1_331(to, a, to), dot(a + i, 4, before, 1));
    CHECK_3(dMultiply0_133(to, to, b), dot(b + i, 4, before, 1));
}

typedef void multiply_fn(dReal *res, const dReal *x, const dReal *y);

/* step[0] from row to row of the first factor, step[1] along it, step[2] along a column of the
 * second one, step[3] from column to column. Results may lie over either. */
static void check_product(multiply_fn *multiply, multiply_fn *add, const int step[4])
{
    dReal before[ROOM], over_a[ROOM], over_b[ROOM], sum[ROOM];
    draw_all();
    memcpy(before, to, sizeof to);
    memcpy(sum, to, sizeof to);
    memcpy(over_a, a, sizeof a);
    memcpy(over_b, b, sizeof b);
    multiply(to, a, b);
    add(sum, a, b);
    multiply(over_a, over_a, b);
    multiply(over_b, a, over_b);
    for (int i = 0; i < ROOM; ++i) {
        if (i >= 12 || i % 4 == 3) {
            assert_true(to[i] == before[i] && sum[i] == before[i]);
            continue;
        }
        double want = dot(a + i / 4 * step[0], step[1], b + i % 4 * step[3], step[2]);
        ASSERT_CLOSE(to[i], want);
        ASSERT_CLOSE(sum[i], before[i] + want);
        assert_true(over_a[i] == to[i] && over_b[i] == to[i]);
    }
}

static void matrices_multiply(void **state)
{
    (void)state;
    for (int round = 0; round < 5; ++round) {
        check_product(dMultiply0_333, dMultiplyAdd0_333, (const int[]){4, 1, 4, 1});
        check_product(dMultiply1_333, dMultiplyAdd1_333, (const int[]){1, 4, 4, 1});
        check_product(dMultiply2_333, dMultiplyAdd2_333, (const int[]){4, 1, 1, 4});
    }
}

static void matrices_are_inverted(void **state)
{
    (void)state;
    for (int round = 0; round < 20; ++round) {
        draw_all();
        for (int i = 0; i < 3; ++i)
            a[5 * i] += 3; /* so that the inverse is not large */
        double det = 0;
        for (int k = 0; k < 3; ++k)
            det += a[k] * cross(a + 4, 1, a + 8, 1, k);
        ASSERT_CLOSE(dCalcMatrix3Det(a), det);
        ASSERT_CLOSE(dInvertMatrix3(to, a), det);
        for (int i = 0; i < 9; ++i)
            ASSERT_CLOSE(dot(to + 4 * (i / 3), 1, a + i % 3, 4), i / 3 == i % 3);
        dReal own[ROOM];
        memcpy(own, a, sizeof own);
        dInvertMatrix3(own, own);
        for (int i = 0; i < 11; ++i)
            assert_true(i % 4 == 3 || own[i] == to[i]);
    }
    const dReal flat[12] = {1, 2, 3, 0, 2, 4, 6, 0, 0, 0, 1, 0};
    to[0] = 9;
    assert_true(dInvertMatrix3(to, flat) == 0 && to[0] == 9);
    assert_true(dCalcMatrix3Det(flat) == 0);
}

static void numbers_that_are_none_are_found(void **state)
{
    (void)state;
    draw_all();
    assert_true(dVALIDVEC3(a) && dVALIDVEC4(a) && dVALIDMAT3(a) && dVALIDMAT4(a));
    a[1] = dInfinity;
    assert_true(dVALIDVEC3(a) && dVALIDVEC4(a) && dVALIDMAT3(a) && dVALIDMAT4(a));
    a[15] = dNaN;
    assert_true(dVALIDVEC3(a) && dVALIDVEC4(a) && dVALIDMAT3(a) && !dVALIDMAT4(a));
    a[11] = dNaN;
    assert_true(dVALIDVEC4(a) && !dVALIDMAT3(a));
    a[3] = dNaN;
    assert_true(dVALIDVEC3(a) && !dVALIDVEC4(a));
    a[2] = dNaN;
    assert_true(!dVALIDVEC3(a));
}

static void the_least_and_the_most_are_found(void **state)
{
    (void)state;
    assert_true(dMin(1, 2) == 1 && dMin(2, 1) == 1 && dMin(-3, 3) == -3);
    assert_true(dMax(1, 2) == 2 && dMax(2, 1) == 2 && dMax(-3, 3) == 3);
    assert_true(dPAD(0) == 0 && dPAD(1) == 1 && dPAD(2) == 4 && dPAD(4) == 4 && dPAD(5) == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(vectors_are_set_and_copied),
        HEARING(vectors_are_summed),
        HEARING(matrices_are_set_and_copied),
        HEARING(vectors_have_products),
        HEARING(crosses_have_strides),
        HEARING(cross_matrices_multiply),
        HEARING(matrices_multiply_vectors),
        HEARING(matrices_multiply),
        HEARING(matrices_are_inverted),
        HEARING(numbers_that_are_none_are_found),
        HEARING(the_least_and_the_most_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
