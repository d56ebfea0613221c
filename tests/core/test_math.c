/* test_math.c: unit vectors of vectors of any length, and of what is no vector. */
#include "core/double3.h"
#include "core/math.h"
#include "tests/support/test.h"

#include <math.h>

#define INF ((lode_real)INFINITY)
#define NOT ((lode_real)NAN)

static lode_vec3 put(int k, lode_real x, lode_real others)
{
    lode_vec3 v = {others, others, others};
    *(k == 0 ? &v.x : k == 1 ? &v.y : &v.z) = x;
    return v;
}

/* Wherever they are, and however large what is beside them. */
static void what_is_no_vector_has_no_direction(void **state)
{
    (void)state;
    const lode_real others[] = {0, 1, REAL_MAX, NOT, INF, (lode_real)1e-30};
    const lode_vec3 fallback = {2, 3, 4};
    for (int k = 0; k < 3; ++k)
        for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
            for (int endless = 0; endless < 2; ++endless) {
                lode_vec3 v = put(k, endless ? INF : NOT, others[i]);
                lode_vec3 unit = v3_normalize_or(v, fallback);
                assert_true(unit.x == 2 && unit.y == 3 && unit.z == 4);
                lode__double3 d = d3_normalize_or(d3((double)v.x, (double)v.y, (double)v.z),
                                                  d3(2, 3, 4));
                assert_true(d.x == 2 && d.y == 3 && d.z == 4);
            }
    lode_vec3 none = v3_normalize_or(v3_zero(), fallback);
    assert_true(none.x == 2 && none.y == 3 && none.z == 4);
}

static void vectors_of_any_length_have_one(void **state)
{
    (void)state;
    const lode_real lengths[] = {REAL_MAX, 1, (lode_real)1e-20, REAL_MAX * (lode_real)1e-30,
                                 (lode_real)1e-44};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i)
        for (int k = 0; k < 3; ++k) {
            lode_vec3 unit = v3_normalize_or(put(k, -lengths[i], lengths[i]), v3_zero());
            lode_real wanted = 1 / r_sqrt(3), tolerance = 4 * REAL_EPSILON;
            assert_true(r_abs(r_abs(unit.x) - wanted) < tolerance);
            assert_true(r_abs(r_abs(unit.y) - wanted) < tolerance);
            assert_true(r_abs(r_abs(unit.z) - wanted) < tolerance);
            assert_true((k == 0 ? unit.x : k == 1 ? unit.y : unit.z) < 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_vector_has_no_direction),
        cmocka_unit_test(vectors_of_any_length_have_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
