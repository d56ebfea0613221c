/* Choosing the instruction set: names, the environment's word, what is refused. */
#include "simd/dispatch.h"
#include "tests/support/test.h"

#include <string.h>

static lode_simd by_name(const char *name)
{
    for (int i = 0; i < LODE_SIMD_COUNT; ++i)
        if (strcmp(lode_simd_name((lode_simd)i), name) == 0)
            return (lode_simd)i;
    return LODE_SIMD_COUNT;
}

static void names_are_those_of_the_variable(void **state)
{
    (void)state;
    assert_int_equal(by_name("auto"), LODE_SIMD_AUTO);
    assert_int_equal(by_name("plain"), LODE_SIMD_PLAIN);
    assert_int_equal(by_name("sse2"), LODE_SIMD_SSE2);
    assert_int_equal(by_name("avx2"), LODE_SIMD_AVX2);
    assert_int_equal(by_name("avx512"), LODE_SIMD_AVX512);
    assert_int_equal(by_name("neon"), LODE_SIMD_NEON);
    assert_null(lode_simd_name(LODE_SIMD_COUNT));
    assert_null(lode_simd_name((lode_simd)-1));
}

static void plain_is_always_there(void **state)
{
    (void)state;
    assert_true(lode_simd_available(LODE_SIMD_AUTO));
    assert_true(lode_simd_available(LODE_SIMD_PLAIN));
    assert_false(lode_simd_available(LODE_SIMD_COUNT));
    assert_false(lode_simd_available((lode_simd)-1));
    assert_true(lode_simd_available(lode__simd_detect()));
    assert_false(lode_simd_available(LODE_SIMD_SSE2) && lode_simd_available(LODE_SIMD_NEON));
}

static void what_is_wanted_is_taken_or_refused(void **state)
{
    (void)state;
    for (int i = LODE_SIMD_PLAIN; i < LODE_SIMD_COUNT; ++i) {
        for (int by_variable = 0; by_variable < 2; ++by_variable) {
            lode_simd simd = LODE_SIMD_COUNT;
            const char *message = NULL;
            lode_status status = lode__simd_choose(
                by_variable ? LODE_SIMD_AUTO : (lode_simd)i,
                by_variable ? lode_simd_name((lode_simd)i) : "plain", &simd, &message);
            if (lode_simd_available((lode_simd)i)) {
                assert_int_equal(status, LODE_OK);
                assert_int_equal(simd, i);
            } else {
                assert_int_equal(status, LODE_ERROR_SYSTEM);
                assert_int_equal(simd, LODE_SIMD_COUNT);
                assert_non_null(message);
                assert_int_equal(strstr(message, "LODE_SIMD") != NULL, by_variable);
            }
        }
    }
}

static void automatic_is_the_best(void **state)
{
    (void)state;
    const char *const words[] = {NULL, "", "auto"};
    for (int i = 0; i < 3; ++i) {
        lode_simd simd = LODE_SIMD_COUNT;
        const char *message = NULL;
        assert_int_equal(lode__simd_choose(LODE_SIMD_AUTO, words[i], &simd, &message), LODE_OK);
        assert_int_equal(simd, lode__simd_detect());
    }
}

static void nonsense_is_an_argument_error(void **state)
{
    (void)state;
    lode_simd simd = LODE_SIMD_COUNT;
    const char *message = NULL;
    assert_int_equal(lode__simd_choose(LODE_SIMD_COUNT, NULL, &simd, &message),
                     LODE_ERROR_ARGUMENT);
    assert_non_null(message);
    message = NULL;
    assert_int_equal(lode__simd_choose((lode_simd)-1, NULL, &simd, &message), LODE_ERROR_ARGUMENT);
    assert_non_null(message);
    message = NULL;
    assert_int_equal(lode__simd_choose(LODE_SIMD_AUTO, "AVX", &simd, &message),
                     LODE_ERROR_ARGUMENT);
    assert_non_null(strstr(message, "LODE_SIMD"));
    assert_int_equal(simd, LODE_SIMD_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_variable),
        cmocka_unit_test(plain_is_always_there),
        cmocka_unit_test(what_is_wanted_is_taken_or_refused),
        cmocka_unit_test(automatic_is_the_best),
        cmocka_unit_test(nonsense_is_an_argument_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
