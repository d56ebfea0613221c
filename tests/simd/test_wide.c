/* Operations of simd/wide.h: the plain ones against C, every other set against plain, bit by bit;
 * loads and stores of lines by index against copying; vectors against long double. */
#include "tests/simd/probe.h"
#include "tests/simd/real.h"
#include "tests/support/test.h"

#include <stdio.h>

#define NAME(op) #op,
static const char *const row_names[PROBE_ROWS] = {PROBE_UNARY(NAME) PROBE_BINARY(NAME)
                                                      PROBE_COMPARE(NAME) "clamp",
                                                  "masked", "merge", "sincos s", "sincos c"};

static const lode_real special[] = {
    0,
    (lode_real)-0.0,
    1,
    -1,
    2,
    -2,
    (lode_real)0.5,
    (lode_real)-0.5,
    (lode_real)1.5,
    (lode_real)-1.5,
    (lode_real)2.5,
    (lode_real)-2.5,
    (lode_real)0.1,
    (lode_real)-0.1,
    (lode_real)INFINITY,
    (lode_real)-INFINITY,
    (lode_real)NAN,
    REAL_MAX,
    -REAL_MAX,
    REAL_MIN,
    -REAL_MIN,
    REAL_TINY,
    -REAL_TINY,
    REAL_MIN - REAL_TINY,
    REAL_TINY - REAL_MIN,
    /* around 2^22, 2^23, 2^24, 2^31, 2^51, 2^52, 2^53, 2^63: ends of fractions and of integers */
    (lode_real)4194303.5,
    (lode_real)-4194303.5,
    (lode_real)4194304.5,
    (lode_real)8388607.5,
    (lode_real)-8388607.5,
    8388608,
    -8388608,
    (lode_real)8388609,
    (lode_real)16777217,
    (lode_real)2147483648.0,
    (lode_real)-2147483649.0,
    (lode_real)2251799813685247.75,
    (lode_real)-2251799813685248.5,
    (lode_real)4503599627370495.5,
    (lode_real)-4503599627370495.5,
    (lode_real)4503599627370496.0,
    (lode_real)-9007199254740993.0,
    (lode_real)9223372036854775808.0,
    (lode_real)0.99999994,
    (lode_real)-0.99999994,
    (lode_real)1.0000001,
    (lode_real)-1.0000001,
    (lode_real)3.14159265358979323846,
    (lode_real)-1.57079632679489661923,
};
enum { SPECIAL = sizeof special / sizeof special[0] };

typedef struct results {
    _Alignas(64) lode_real rows[PROBE_ROWS * 8];
    unsigned masks[PROBE_MASKS];
} results;

typedef struct lanes3 {
    _Alignas(64) lode_real x[8], y[8], z[8];
} lanes3;

#ifdef LODE_DOUBLE
static const uint64_t golden = UINT64_C(0x9cd31a7c9bc8a7db);
#else
static const uint64_t golden = UINT64_C(0xa8287ce0ae39a46d);
#endif

static void check_sets(const lanes3 *in)
{
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    results plain, wide;
    sets[0]->ops(in->x, in->y, in->z, plain.rows, plain.masks);
    for (int s = 1; s < count; ++s) {
        sets[s]->ops(in->x, in->y, in->z, wide.rows, wide.masks);
        for (int row = 0; row < PROBE_ROWS; ++row)
            for (int i = 0; i < 8; ++i)
                if (!real_same(plain.rows[8 * row + i], wide.rows[8 * row + i]))
                    fail_msg("%s on %s: x %a y %a z %a gives %a, plain %a", row_names[row],
                             lode_simd_name(sets[s]->simd), in->x[i], in->y[i], in->z[i],
                             wide.rows[8 * row + i], plain.rows[8 * row + i]);
        for (int m = 0; m < PROBE_MASKS; ++m)
            assert_int_equal(plain.masks[m], wide.masks[m]);
    }
}

static void sets_agree_on_special_values(void **state)
{
    (void)state;
    for (int i = 0; i < SPECIAL; ++i)
        for (int j = 0; j < SPECIAL; j += 8) {
            lanes3 in;
            for (int lane = 0; lane < 8; ++lane) {
                in.x[lane] = special[i];
                in.y[lane] = special[(j + lane) % SPECIAL];
                in.z[lane] = special[(i + 3 * (j + lane)) % SPECIAL];
            }
            check_sets(&in);
        }
}

static void sets_agree_on_random_values(void **state)
{
    (void)state;
    test_random random = {1};
    for (int round = 0; round < 2000; ++round) {
        lanes3 in;
        for (int lane = 0; lane < 8; ++lane) {
            in.x[lane] = real_random(&random);
            in.y[lane] = real_random(&random);
            in.z[lane] = real_random(&random);
        }
        check_sets(&in);
    }
}

static void bytes_are_numbers_sixteen_at_a_time(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    test_random random = {2};
    for (int count = probe_sets(sets), round = 0; round < 1000; ++round) {
        const lode_real step = real_random(&random);
        uint8_t in[32];
        for (int i = 0; i < 32; ++i)
            in[i] = (uint8_t)random_below(&random, 256);
        for (int s = 0; s < count; ++s) {
            _Alignas(64) lode_real out[64];
            unsigned less;
            sets[s]->sixteen(in, step, out, &less);
            for (int i = 0; i < 16; ++i) {
                const lode_real x = (lode_real)in[i] * step, y = (lode_real)in[16 + i];
                assert_true(real_same(out[i], x + y) && real_same(out[16 + i], x - y));
                assert_true(real_same(out[32 + i], x < y ? x : y));
                assert_true(real_same(out[48 + i], x > y ? x : y));
                assert_int_equal(less >> i & 1, x <= y && y >= 1);
            }
        }
    }
}

/* FNV-1a over the bits of the numbers, all NaN alike. */
static uint64_t hash_reals(uint64_t hash, const lode_real *x, int count)
{
    for (int i = 0; i < count; ++i) {
        unsigned char bytes[sizeof *x] = {0};
        if (!isnan(x[i]))
            memcpy(bytes, &x[i], sizeof bytes);
        for (size_t k = 0; k < sizeof bytes; ++k)
            hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Sets of different machines never meet in one test, so they are held to a number. */
static void results_are_equal_on_all_machines(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    for (int s = 0; s < count; ++s) {
        test_random random = {6};
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        for (int round = 0; round < 400; ++round) {
            lanes3 in;
            for (int lane = 0; lane < 8; ++lane) {
                in.x[lane] = real_random(&random);
                in.y[lane] = real_random(&random);
                in.z[lane] = real_random(&random);
            }
            results r;
            sets[s]->ops(in.x, in.y, in.z, r.rows, r.masks);
            hash = hash_reals(hash, r.rows, PROBE_ROWS * 8);
            _Alignas(64) lode_real rows[PROBE_IN * 8], out[PROBE_OUT * 8];
            for (int i = 0; i < PROBE_IN * 8; ++i)
                rows[i] = (lode_real)random_between(&random, -2, 2);
            sets[s]->vectors(rows, out);
            hash = hash_reals(hash, out, PROBE_OUT * 8);
        }
        if (hash != golden)
            fail_msg("%s: hash 0x%016llx", lode_simd_name(sets[s]->simd), (unsigned long long)hash);
    }
}

static lode_real row(const results *r, int op, int i)
{
    return r->rows[8 * op + i];
}

static void check_lane(const results *r, int i, lode_real x, lode_real y, lode_real z)
{
    lode_real zero = 0;
    assert_true(real_same(row(r, ROW_add, i), x + y));
    assert_true(real_same(row(r, ROW_sub, i), x - y));
    assert_true(real_same(row(r, ROW_mul, i), x * y));
    assert_true(real_same(row(r, ROW_div, i), x / y));
    assert_true(real_same(row(r, ROW_neg, i), -x));
    assert_true(real_same(row(r, ROW_abs, i), (lode_real)fabs((double)x)));
    assert_true(real_same(row(r, ROW_sqrt, i), (lode_real)sqrt((double)x)));
    assert_true(real_same(row(r, ROW_floor, i), (lode_real)floor((double)x)));
    assert_true(real_same(row(r, ROW_min, i), x < y ? x : y));
    assert_true(real_same(row(r, ROW_max, i), x > y ? x : y));
    assert_true(real_same(row(r, ROW_flip, i), signbit(y) ? -x : x));
    assert_true(real_same(row(r, ROW_lt, i), x < y ? x : z));
    assert_true(real_same(row(r, ROW_le, i), x <= y ? x : z));
    assert_true(real_same(row(r, ROW_gt, i), x > y ? x : z));
    assert_true(real_same(row(r, ROW_ge, i), x >= y ? x : z));
    assert_true(real_same(row(r, ROW_eq, i), x == y ? x : z));
    lode_real raised = x > y ? x : y;
    assert_true(real_same(row(r, ROW_clamp, i), raised < z ? raised : z));
    assert_true(real_same(row(r, ROW_masked, i), x < y ? x : zero));
    assert_true(real_same(row(r, ROW_merge, i), x < y ? x : z));
    assert_true(real_same(row(r, ROW_sincos_s, i), row(r, ROW_sin, i)));
    assert_true(real_same(row(r, ROW_sincos_c, i), row(r, ROW_cos, i)));
    bool a = x < y, b = y < z;
    assert_int_equal(r->masks[MASK_lt] >> i & 1, a);
    assert_int_equal(r->masks[MASK_and] >> i & 1, a && b);
    assert_int_equal(r->masks[MASK_or] >> i & 1, a || b);
    assert_int_equal(r->masks[MASK_not] >> i & 1, !a);
    assert_int_equal(r->masks[MASK_andnot] >> i & 1, a && !b);
}

static void plain_is_what_c_says(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    probe_sets(sets);
    test_random random = {2};
    for (int round = 0; round < 3000; ++round) {
        lanes3 in;
        for (int lane = 0; lane < 8; ++lane) {
            in.x[lane] = round < SPECIAL ? special[round] : real_random(&random);
            in.y[lane] = round < SPECIAL ? special[random_below(&random, SPECIAL)]
                                         : real_random(&random);
            in.z[lane] = real_random(&random);
        }
        results r;
        sets[0]->ops(in.x, in.y, in.z, r.rows, r.masks);
        for (int lane = 0; lane < 8; ++lane)
            check_lane(&r, lane, in.x[lane], in.y[lane], in.z[lane]);
        assert_int_equal(r.masks[MASK_any], r.masks[MASK_lt] != 0);
        assert_int_equal(r.masks[MASK_all], r.masks[MASK_lt] == 255);
    }
}

enum { LINES = 40, BELOW = 8 }; /* lines from -BELOW on */

typedef struct line_memory {
    _Alignas(64) lode_real numbers[(BELOW + LINES) * 8];
} line_memory;

/* Loads repeat lines, negative ones and the dummy too; stores of the first `numbers` go to distinct
 * lines and, masked, to the dummy or below it. */
static void check_lines(const probe *set, test_random *random, uint32_t zeros, int numbers)
{
    static line_memory in, out, want;
    lode_real *in_line = in.numbers + BELOW * 8, *want_line = want.numbers + BELOW * 8;
    for (int i = 0; i < (BELOW + LINES) * 8; ++i) {
        in.numbers[i] = (lode_real)random_between(random, -9, 9);
        out.numbers[i] = want.numbers[i] = (lode_real)(i % 8 < numbers ? 1000 + i : 0);
    }
    int32_t from[8], to[8];
    int32_t start = (int32_t)random_below(random, LINES);
    for (int i = 0; i < 8; ++i) {
        from[i] = (int32_t)random_below(random, random_below(random, 2) ? 3 : LINES + BELOW) -
                  BELOW * (int)random_below(random, 2);
        from[i] = from[i] < LINES ? from[i] : 0;
        to[i] = zeros >> i & 1 ? -(int32_t)random_below(random, BELOW + 1)
                               : 1 + (start + 5 * i) % (LINES - 1);
        for (int k = 0; k < numbers && to[i] > 0; ++k)
            want_line[8 * to[i] + k] = in_line[8 * from[i] + k] + (lode_real)k;
    }
    (numbers == 8 ? set->lines : set->sixes)(in_line, from, out.numbers + BELOW * 8, to);
    assert_memory_equal(&out, &want, sizeof out);
}

/* Addresses of every alignment, repeated ones too. */
static void fours_come_from_any_address(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    test_random random = {11};
    lode_real numbers[64];
    for (int i = 0; i < 64; ++i)
        numbers[i] = (lode_real)(i + 1);
    for (int round = 0; round < 100 * count; ++round) {
        _Alignas(64) lode_real out[32];
        const lode_real *from[8];
        for (int lane = 0; lane < 8; ++lane)
            from[lane] = &numbers[random_below(&random, 61)];
        sets[round % count]->fours(from, out);
        for (int i = 0; i < 32; ++i)
            assert_true(out[i] == from[i % 8][i / 8]);
    }
}

static void lines_go_where_their_index_says(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    test_random random = {3};
    for (int s = 0; s < count; ++s)
        for (uint32_t zeros = 0; zeros < 256; ++zeros)
            for (int numbers = 6; numbers <= 8; numbers += 2) {
                check_lines(sets[s], &random, zeros, numbers);
                check_lines(sets[s], &random, 0, numbers);
            }
}

static void vectors_agree(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    test_random random = {4};
    for (int round = 0; round < 500; ++round) {
        _Alignas(64) lode_real in[PROBE_IN * 8], plain[PROBE_OUT * 8], wide[PROBE_OUT * 8];
        for (int i = 0; i < PROBE_IN * 8; ++i)
            in[i] = round & 1 ? real_random(&random) : (lode_real)random_between(&random, -2, 2);
        sets[0]->vectors(in, plain);
        for (int s = 1; s < count; ++s) {
            sets[s]->vectors(in, wide);
            for (int i = 0; i < PROBE_OUT * 8; ++i)
                assert_true(real_same(plain[i], wide[i]));
        }
    }
}

/* --- vectors against textbook formulas in long double */

typedef long double big;

static void matrix_of(const big *q, big m[3][3])
{
    big w = q[0], x = q[1], y = q[2], z = q[3];
    big rows[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z},
    };
    memcpy(m, rows, sizeof rows);
}

static void near(lode_real got, big want)
{
    big tolerance = 64 * (sizeof(lode_real) == 4 ? (big)FLT_EPSILON : (big)DBL_EPSILON);
    if (!(fabsl(got - want) <= tolerance * (1 + fabsl(want))))
        fail_msg("%.17g should be %.17Lg", (double)got, want);
}

static void check_products(const big *in, const lode_real *out)
{
    const big *u = in, *v = in + 3, *p = in + 6, *q = in + 10;
    big s[3][3] = {{in[14], in[17], in[18]}, {in[17], in[15], in[19]}, {in[18], in[19], in[16]}};
    big r[3][3], t[3][3];
    matrix_of(q, r);
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        near(out[8 * k], u[k] + v[k]);
        near(out[8 * (3 + k)], u[k] - v[k]);
        near(out[8 * (6 + k)], -u[k]);
        near(out[8 * (9 + k)], u[k] * in[20]);
        near(out[8 * (12 + k)], u[k] + v[k] * in[20]);
        near(out[8 * (15 + k)], u[l] * v[m] - u[m] * v[l]);
        near(out[8 * (18 + k)], in[20] < 0 ? u[k] : v[k]);
        near(out[8 * (21 + k)], k + 1);
        near(out[8 * (24 + k)], r[k][0] * u[0] + r[k][1] * u[1] + r[k][2] * u[2]);
        near(out[8 * (27 + k)], r[0][k] * u[0] + r[1][k] * u[1] + r[2][k] * u[2]);
        near(out[8 * (30 + k)], s[k][0] * u[0] + s[k][1] * u[1] + s[k][2] * u[2]);
        near(out[8 * (53 + k)], r[k][2]);
        for (int j = 0; j < 3; ++j)
            t[k][j] = r[k][0] * s[0][j] + r[k][1] * s[1][j] + r[k][2] * s[2][j];
    }
    near(out[8 * 33], p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3]);
    near(out[8 * 34], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2]);
    near(out[8 * 35], p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3]);
    near(out[8 * 36], p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]);
    big length = sqrtl(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int k = 0; k < 4; ++k) {
        near(out[8 * (37 + k)], k ? -p[k] : p[k]);
        near(out[8 * (41 + k)], p[k] / length);
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; ++k) {
        const big *a = t[row[k]], *b = r[column[k]];
        near(out[8 * (45 + k)], a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    }
    near(out[8 * 51], u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
    near(out[8 * 52], sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
}

static void vectors_are_what_the_textbook_says(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    probe_sets(sets);
    test_random random = {5};
    for (int round = 0; round < 200; ++round) {
        _Alignas(64) lode_real in[PROBE_IN * 8], out[PROBE_OUT * 8];
        for (int i = 0; i < PROBE_IN * 8; ++i)
            in[i] = (lode_real)random_between(&random, -2, 2);
        for (int lane = 0; lane < 8; ++lane) { /* q is a unit quaternion */
            double square = 0;
            for (int k = 10; k < 14; ++k)
                square += (double)in[8 * k + lane] * (double)in[8 * k + lane];
            for (int k = 10; k < 14; ++k)
                in[8 * k + lane] = (lode_real)((double)in[8 * k + lane] / sqrt(square));
        }
        sets[0]->vectors(in, out);
        for (int lane = 0; lane < 8; ++lane) {
            big column[PROBE_IN];
            for (int k = 0; k < PROBE_IN; ++k)
                column[k] = in[8 * k + lane];
            check_products(column, out + lane);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_is_what_c_says),
        cmocka_unit_test(sets_agree_on_special_values),
        cmocka_unit_test(sets_agree_on_random_values),
        cmocka_unit_test(bytes_are_numbers_sixteen_at_a_time),
        cmocka_unit_test(results_are_equal_on_all_machines),
        cmocka_unit_test(lines_go_where_their_index_says),
        cmocka_unit_test(fours_come_from_any_address),
        cmocka_unit_test(vectors_agree),
        cmocka_unit_test(vectors_are_what_the_textbook_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
