/* test_math_random.c: the generator of random numbers of the ODE face, and misc.h's helpers. */
#include "tests/ode/refusals.h"

#include <ode/misc.h>

#include <string.h>

static uint32_t next_of(uint32_t s)
{
    return (uint32_t)((1664525ull * s + 1013904223ull) & 0xffffffffull);
}

static void the_sequence_is_odes(void **state)
{
    (void)state;
    static const unsigned long from_5[] = {0x3cedf1a0, 0xbb69f87f, 0x3e3a2bd2, 0xda5ad909};
    dRandSetSeed(5);
    assert_int_equal(dRandGetSeed(), 5);
    for (int i = 0; i < 4; ++i)
        assert_int_equal(dRand(), from_5[i]);
    assert_int_equal(dRandGetSeed(), from_5[3]);
    dRandSetSeed(0xffffffff);
    assert_int_equal(dRand(), 0x3c558d52);
    if (sizeof(unsigned long) > 4) {
        dRandSetSeed((unsigned long)0x10000000005ull);
        assert_int_equal(dRandGetSeed(), 5);
    }
    uint32_t s = 77;
    dRandSetSeed(77);
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(dRand(), s = next_of(s));
    assert_int_equal(dTestRand(), 1);
    assert_int_equal(dRandGetSeed(), s);
}

/* The bits of a number are added without carry, half by half, down to the fewest whose square holds
 * the range. */
static int int_of(uint32_t r, int n)
{
    if (n <= 0x10000)
        r = (r >> 16) ^ (r & 0xffff);
    if (n <= 0x100)
        r = (r >> 8) ^ (r & 0xff);
    if (n <= 0x10)
        r = (r >> 4) ^ (r & 0xf);
    if (n <= 4)
        r = (r >> 2) ^ (r & 3);
    if (n <= 2)
        r = (r >> 1) ^ (r & 1);
    double numbers = n <= 2       ? 2
                     : n <= 4     ? 4
                     : n <= 0x10  ? 16
                     : n <= 0x100 ? 256
                     : n <= 65536 ? 65536
                                  : 4294967296.0;
    return (int)floor((double)r * n / numbers);
}

static void integers_are_below_their_range(void **state)
{
    (void)state;
    static const int ranges[] = {0,  1,   2,   3,   4,    5,     8,     16,    17,
                                 31, 256, 257, 258, 1000, 65535, 65536, 65537, 1 << 20};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        uint32_t s = 12345;
        dRandSetSeed(s);
        for (int j = 0; j < 2000; ++j) {
            int got = dRandInt(ranges[i]);
            s = next_of(s);
            assert_int_equal(got, int_of(s, ranges[i]));
            assert_true(got >= 0 && (got < ranges[i] || ranges[i] == 0));
        }
        assert_int_equal(dRandGetSeed(), s);
    }
    dRandSetSeed(77); /* what libode gives */
    assert_int_equal(dRandInt(10), 0);
    assert_int_equal(dRandInt(1000), 293);
    dRandSetSeed(77);
    assert_int_equal(dRandInt(INT_MAX), 571036323);
    EXPECT_REFUSAL(assert_int_equal(dRandInt(-1), 0), "dRandInt: n must not be negative");
}

static void reals_reach_both_ends(void **state)
{
    (void)state;
    dRandSetSeed(77);
    ASSERT_CLOSE(dRandReal(), 0x4412a548 / 4294967295.0);
    /* the seed whose next number is all ones, and the one of zero, by the inverse of the factor */
    uint32_t inverse = 1;
    for (int i = 0; i < 5; ++i)
        inverse *= 2 - 1664525u * inverse;
    dRandSetSeed((0xffffffffu - 1013904223u) * inverse);
    assert_true(dRandReal() == 1);
    dRandSetSeed((0u - 1013904223u) * inverse);
    assert_true(dRandReal() == 0);
}

static void random_matrices_leave_their_padding(void **state)
{
    (void)state;
    dReal A[16], row[8];
    for (int i = 0; i < 16; ++i)
        A[i] = 9;
    dRandSetSeed(3);
    dMakeRandomMatrix(A, 3, 3, 2);
    uint32_t s = 3;
    for (int i = 0; i < 16; ++i) {
        if (i < 12 && i % 4 < 3)
            ASSERT_CLOSE(A[i], ((s = next_of(s)) / 4294967295.0 * 2 - 1) * 2);
        else
            assert_true(A[i] == 9);
    }
    for (int i = 0; i < 8; ++i)
        row[i] = 9;
    dRandSetSeed(3);
    dMakeRandomVector(row, 5, 2);
    assert_memory_equal(row, A, 3 * sizeof(dReal));
    assert_true(row[3] == A[4] && row[4] == A[5] && row[5] == 9);
    dRandSetSeed(3);
    dMakeRandomMatrix(row, 2, 1, 2); /* a column has no padding */
    assert_true(row[1] == A[1] && row[2] == A[2]);
}

static void bad_random_calls_take_no_number(void **state)
{
    (void)state;
    dReal a[1] = {9};
    dRandSetSeed(1);
    dMakeRandomVector(NULL, 0, 1);
    dMakeRandomMatrix(NULL, 0, 3, 1);
    EXPECT_REFUSAL(dMakeRandomVector(NULL, 1, 1), "dMakeRandomVector: A must not be null");
    EXPECT_REFUSAL(dMakeRandomVector(a, -1, 1), "dMakeRandomVector: n must not be negative");
    EXPECT_REFUSAL(dMakeRandomVector(a, 1, dInfinity), "dMakeRandomVector: range must be finite");
    EXPECT_REFUSAL(dMakeRandomMatrix(a, 1, -1, 1), "dMakeRandomMatrix: m must not be negative");
    EXPECT_REFUSAL(dMakeRandomMatrix(a, -1, 1, 1), "dMakeRandomMatrix: n must not be negative");
    EXPECT_REFUSAL(dMakeRandomMatrix(NULL, 1, 1, 1), "dMakeRandomMatrix: A must not be null");
    EXPECT_REFUSAL(dMakeRandomMatrix(a, 1, 1, dNaN), "dMakeRandomMatrix: range must be finite");
    assert_int_equal(dRandGetSeed(), 1);
    assert_true(a[0] == 9);
}

static void matrices_are_printed_by_rows(void **state)
{
    (void)state;
    const dReal A[8] = {1, 2, (dReal)-0.5, 9, 3, 4, 5, 9};
    char text[100] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    dPrintMatrix(A, 2, 3, "%g,", file);
    dPrintMatrix(A, 2, 1, "%.1f", file);
    dPrintMatrix(A, 0, 3, "%g", file);
    dPrintMatrix(A, 1, 0, "%g", file);
    EXPECT_REFUSAL(dPrintMatrix(NULL, 1, 1, "%g", file), "dPrintMatrix: A must not be null");
    EXPECT_REFUSAL(dPrintMatrix(A, 1, 1, NULL, file), "dPrintMatrix: fmt must not be null");
    EXPECT_REFUSAL(dPrintMatrix(A, 1, 1, "%g", NULL), "dPrintMatrix: f must not be null");
    EXPECT_REFUSAL(dPrintMatrix(A, -1, 1, "%g", file), "dPrintMatrix: n must not be negative");
    rewind(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "1,2,-0.5,\n3,4,5,\n1.0\n2.0\n\n");
}

static void upper_triangles_are_cleared(void **state)
{
    (void)state;
    dReal A[40];
    for (int i = 0; i < 40; ++i)
        A[i] = 9;
    dClearUpperTriangle(A, 5);
    for (int i = 0; i < 40; ++i)
        assert_true(A[i] == (i % 8 < 5 && i % 8 > i / 8 ? 0 : 9));
    dClearUpperTriangle(NULL, 0);
    EXPECT_REFUSAL(dClearUpperTriangle(NULL, 1), "dClearUpperTriangle: A must not be null");
    EXPECT_REFUSAL(dClearUpperTriangle(A, -1), "dClearUpperTriangle: n must not be negative");
}

static void the_largest_difference_is_found(void **state)
{
    (void)state;
    dReal A[16] = {0}, B[16] = {0};
    A[3] = 1000; /* padding */
    A[2] = -50;
    B[9] = 7;
    assert_true(dMaxDifference(A, B, 3, 3) == 50);
    assert_true(dMaxDifference(B, A, 3, 3) == 50);
    assert_true(dMaxDifferenceLowerTriangle(A, B, 3) == 7);
    B[10] = -8;
    assert_true(dMaxDifferenceLowerTriangle(A, B, 3) == 8);
    assert_true(dMaxDifference(A, B, 0, 3) == 0);
    B[4] = dNaN;
    assert_true(dMaxDifference(A, B, 3, 3) != dMaxDifference(A, B, 3, 3));
    assert_true(isnan(dMaxDifferenceLowerTriangle(A, B, 3)));
    EXPECT_REFUSAL(assert_true(dMaxDifference(A, NULL, 1, 1) == 0),
                   "dMaxDifference: B must not be null");
    EXPECT_REFUSAL(assert_true(dMaxDifferenceLowerTriangle(NULL, B, 1) == 0),
                   "dMaxDifferenceLowerTriangle: A must not be null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(the_sequence_is_odes),
        HEARING(integers_are_below_their_range),
        HEARING(reals_reach_both_ends),
        HEARING(random_matrices_leave_their_padding),
        HEARING(bad_random_calls_take_no_number),
        HEARING(matrices_are_printed_by_rows),
        HEARING(upper_triangles_are_cleared),
        HEARING(the_largest_difference_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
