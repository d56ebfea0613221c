/* sin, cos, atan2, acos: within the bounds that simd/elementary.inl states, measured against long
 * double; special cases; and the scalar functions have the kernels' bits. */
#include "simd/scalar_math.h"
#include "tests/simd/probe.h"
#include "tests/simd/real.h"
#include "tests/support/test.h"

#include <stdio.h>

#ifdef LODE_DOUBLE
static const lode_real range = 1048576;
#else
static const lode_real range = 8192;
#endif
static const long double pi = 3.14159265358979323846264338327950288L;

/* long double is as short as double on some machines and emulated on others */
enum { SAMPLES = LDBL_MANT_DIG == 64 ? 200000 : 5000 };

typedef struct worst {
    double ulps;
    lode_real at;
} worst;

static void measure(worst *w, lode_real at, lode_real got, long double want)
{
    double ulps = real_ulps(got, want);
    if (ulps > w->ulps)
        *w = (worst){ulps, at};
}

static void below(const char *name, worst w, double bound)
{
    printf("           %-24s %.3f units at %.17g (bound %g)\n", name, w.ulps, (double)w.at, bound);
    assert_true(w.ulps < bound);
}

static void sine_and_cosine_are_within_bounds(void **state)
{
    (void)state;
    test_random random = {1};
    worst near_sin = {0}, near_cos = {0}, far_sin = {0}, far_cos = {0};
    for (int i = 0; i < SAMPLES; ++i) {
        lode_real x = (lode_real)random_between(&random, -0.785398, 0.785398);
        x *= (lode_real)ldexp(1, i % 8 ? 0 : -(int)random_below(&random, 100));
        measure(&near_sin, x, lode__sin(x), sinl(x));
        measure(&near_cos, x, lode__cos(x), cosl(x));
        x = (lode_real)random_between(&random, (double)-range, (double)range);
        if (i & 1) /* next to a multiple of pi/2, where sine or cosine is small */
            x = (lode_real)(floorl(x * 2 / pi) * pi / 2);
        measure(&far_sin, x, lode__sin(x), sinl(x));
        measure(&far_cos, x, lode__cos(x), cosl(x));
    }
    below("sin up to pi/4", near_sin, 1.6);
    below("cos up to pi/4", near_cos, 1.6);
    below("sin in its range", far_sin, 2.5);
    below("cos in its range", far_cos, 2.5);
}

static lode_real any_size(test_random *random)
{
    return (lode_real)ldexp(random_between(random, -1, 1), (int)random_below(random, 60) - 30);
}

static void arcs_are_within_bounds(void **state)
{
    (void)state;
    test_random random = {2};
    worst arc = {0}, cosine = {0};
    for (int i = 0; i < SAMPLES; ++i) {
        lode_real y = any_size(&random), x = any_size(&random);
        if (i & 1) /* all angles alike */
            x = y * (lode_real)tan(random_between(&random, -1.57, 1.57));
        measure(&arc, y, lode__atan2(y, x), atan2l(y, x));
        lode_real c = (lode_real)random_between(&random, -1, 1);
        if (i % 4 == 0)
            c = (lode_real)(i & 4 ? 1 : -1) * (1 - (lode_real)fabs((double)any_size(&random)));
        if (c >= -1 && c <= 1)
            measure(&cosine, c, lode__acos(c), acosl(c));
    }
    below("atan2", arc, 2.5);
    below("acos", cosine, 3.5);
}

static void special_cases_are_as_stated(void **state)
{
    (void)state;
    lode_real inf = (lode_real)INFINITY, nan = (lode_real)NAN, minus = (lode_real)-0.0;
    assert_true(real_same(lode__sin(0), 0));
    assert_true(real_same(lode__sin(minus), minus));
    assert_true(real_same(lode__sin(REAL_TINY), REAL_TINY));
    assert_true(real_same(lode__cos(0), 1));
    assert_true(real_same(lode__cos(minus), 1));
    assert_true(isnan(lode__sin(inf)) && isnan(lode__sin(-inf)) && isnan(lode__sin(nan)));
    assert_true(isnan(lode__cos(inf)) && isnan(lode__cos(-inf)) && isnan(lode__cos(nan)));
    assert_true(real_same(lode__acos(1), 0));
    assert_true(real_same(lode__acos(2), 0));
    assert_true(real_same(lode__acos(inf), 0));
    assert_true(real_same(lode__acos(-1), (lode_real)pi));
    assert_true(real_same(lode__acos(-2), (lode_real)pi));
    assert_true(real_same(lode__acos(0), (lode_real)(pi / 2)));
    assert_true(isnan(lode__acos(nan)));
    for (lode_real x = range; x < inf; x *= 3) {
        assert_true(lode__sin(x) >= -1 && lode__sin(x) <= 1);
        assert_true(lode__cos(x) >= -1 && lode__cos(x) <= 1);
        assert_true(real_same(lode__sin(-x), -lode__sin(x)));
        assert_true(real_same(lode__cos(-x), lode__cos(x)));
    }
}

/* On axes and diagonals, of zeros, infinities and the ends of the range, as C says, to one unit. */
static void atan2_of_special_values_is_as_in_c(void **state)
{
    (void)state;
    const lode_real values[] = {
        0,
        (lode_real)-0.0,
        1,
        -1,
        2,
        REAL_TINY,
        -REAL_TINY,
        REAL_MIN,
        REAL_MAX,
        -REAL_MAX,
        REAL_MAX / 2,
        REAL_MAX / 3,
        (lode_real)INFINITY,
        (lode_real)-INFINITY,
        (lode_real)NAN,
    };
    int count = sizeof values / sizeof values[0];
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            lode_real got = lode__atan2(values[i], values[j]);
            long double want = atan2l(values[i], values[j]);
            assert_true(real_ulps(got, want) < 1);
            assert_true(isnan(got) || !signbit(got) == !signbit((lode_real)want));
        }
}

static void scalars_have_the_bits_of_kernels(void **state)
{
    (void)state;
    const probe *sets[PROBE_SETS];
    int count = probe_sets(sets);
    test_random random = {3};
    for (int round = 0; round < 2000; ++round) {
        _Alignas(64) lode_real x[8], y[8], out[PROBE_ROWS * 8];
        unsigned masks[PROBE_MASKS];
        for (int i = 0; i < 8; ++i) {
            x[i] = real_random(&random) / (lode_real)(round % 3 ? 1 : 16);
            y[i] = real_random(&random);
        }
        const probe *set = sets[round % count];
        set->ops(x, y, y, out, masks);
        for (int i = 0; i < 8; ++i) {
            assert_true(real_same(out[8 * ROW_sin + i], lode__sin(x[i])));
            assert_true(real_same(out[8 * ROW_cos + i], lode__cos(x[i])));
            assert_true(real_same(out[8 * ROW_atan2 + i], lode__atan2(x[i], y[i])));
            assert_true(real_same(out[8 * ROW_acos + i], lode__acos(x[i])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_within_bounds),
        cmocka_unit_test(arcs_are_within_bounds),
        cmocka_unit_test(special_cases_are_as_stated),
        cmocka_unit_test(atan2_of_special_values_is_as_in_c),
        cmocka_unit_test(scalars_have_the_bits_of_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
