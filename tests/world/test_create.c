/* Making worlds: the definition's fields, the header it came from, the instruction set, and the
 * setters, which refuse what creation refuses. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "tests/world/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const lode_real nan_real = (lode_real)NAN, infinite = (lode_real)INFINITY;

static int set_up(void **state)
{
    (void)state;
    report_install();
    return 0;
}

/* ---- precision and version of the header ---- */

static void expect_abi_error(uint32_t abi, size_t size, const char *argument, const char *word)
{
    unsigned char bytes[2 * sizeof(lode_world_def)], zeros[sizeof bytes] = {0};
    memset(bytes, 0xee, sizeof bytes);
    report_clear();
    lode_world_def_init(bytes, size, abi);
    EXPECT_REPORT(LODE_ERROR_ABI, "lode_world_def_init", argument);
    assert_non_null(strstr(report.message, word));
    assert_memory_equal(bytes, zeros, size);
    assert_true(size >= sizeof bytes || bytes[size] == 0xee);
}

static void a_header_of_another_precision_is_refused(void **state)
{
    (void)state;
    uint32_t single = 0x4c530001u, twice = 0x4c440001u;
    uint32_t other = LODE_ABI == single ? twice : single;
    const char *library = LODE_ABI == single ? "liblode," : "liblode-double;";
    size_t size = LODE_ABI == single ? 2 * sizeof(lode_world_def) - 64
                                     : sizeof(lode_world_def) / 2 + 32;
    expect_abi_error(other, size, "abi", library);
    expect_abi_error(other, sizeof(lode_world_def), "abi", "LODE_DOUBLE");
}

static void a_header_of_another_version_is_refused(void **state)
{
    (void)state;
    expect_abi_error(LODE_ABI + 1, sizeof(lode_world_def), "abi", "version");
    expect_abi_error(LODE_ABI, sizeof(lode_world_def) - 8, "size", "version");
    report_clear();
    lode_world_def_init(NULL, sizeof(lode_world_def), LODE_ABI);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_def_init", "out_def");
}

static void a_definition_of_unknown_origin_is_refused(void **state)
{
    (void)state;
    lode_world_def def;
    memset(&def, 0, sizeof def);
    assert_true(lode_world_create(&def).id == 0);
    EXPECT_REPORT(LODE_ERROR_ABI, "lode_world_create", "def");
    report_clear();
    assert_true(lode_world_create(NULL).id == 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_create", "def");
}

/* ---- fields ---- */

static void expect_bad_field(const lode_world_def *def, const char *argument, int line)
{
    report_clear();
    assert_true(lode_world_create(def).id == 0);
    report_expect(LODE_ERROR_ARGUMENT, "lode_world_create", argument, __FILE__, line);
}

#define BAD_FIELD(field, value) \
    do { \
        lode_world_def spoilt = lode_world_def_default(); \
        spoilt.field = value; \
        expect_bad_field(&spoilt, "def." #field, __LINE__); \
    } while (0)

static void fields_out_of_range_are_refused(void **state)
{
    (void)state;
    BAD_FIELD(gravity, vec(0, nan_real, 0));
    BAD_FIELD(gravity, vec(0, 0, infinite));
    BAD_FIELD(solver, (lode_solver)LODE_SOLVER_COUNT);
    BAD_FIELD(integrator, (lode_integrator)LODE_INTEGRATOR_COUNT);
    BAD_FIELD(iterations, 0);
    BAD_FIELD(exit_below, -1);
    BAD_FIELD(exit_below, (lode_real)NAN);
    BAD_FIELD(direct_rows, -1);
    BAD_FIELD(stiff_joints, (lode_stiff)LODE_STIFF_COUNT);
    BAD_FIELD(sub_steps, -1);
    BAD_FIELD(sub_step_length, 0);
    BAD_FIELD(sub_step_length, nan_real);
    BAD_FIELD(over_relaxation, 0);
    BAD_FIELD(over_relaxation, 2);
    BAD_FIELD(over_relaxation, nan_real);
    BAD_FIELD(erp, (lode_real)-0.1);
    BAD_FIELD(erp, (lode_real)1.1);
    BAD_FIELD(erp, nan_real);
    BAD_FIELD(cfm, (lode_real)-0.1);
    BAD_FIELD(cfm, infinite);
    BAD_FIELD(contact_frequency, 0);
    BAD_FIELD(contact_frequency, nan_real);
    BAD_FIELD(contact_damping, -1);
    BAD_FIELD(contact_damping, infinite);
    BAD_FIELD(max_correcting_velocity, 0);
    BAD_FIELD(max_correcting_velocity, nan_real);
    BAD_FIELD(max_correcting_velocity, -infinite);
    BAD_FIELD(surface_layer, (lode_real)-0.001);
    BAD_FIELD(surface_layer, nan_real);
    BAD_FIELD(surface_layer, infinite);
    BAD_FIELD(friction_mix, (lode_mix)LODE_MIX_COUNT);
    BAD_FIELD(restitution_mix, (lode_mix)-1);
    BAD_FIELD(friction_model, (lode_friction)LODE_FRICTION_COUNT);
    BAD_FIELD(friction_model, (lode_friction)-1);
    BAD_FIELD(restitution_threshold, -1);
    BAD_FIELD(impact_threshold, -1);
    BAD_FIELD(impact_threshold, nan_real);
    BAD_FIELD(restitution_threshold, nan_real);
    BAD_FIELD(length_unit, 0);
    BAD_FIELD(length_unit, infinite);
    BAD_FIELD(threads, 0);
    BAD_FIELD(threads, 65);
    BAD_FIELD(simd, (lode_simd)LODE_SIMD_COUNT);
    BAD_FIELD(simd, (lode_simd)-1);
}

static void run_tasks(void *user, int count, void (*task)(void *context, int index), void *context)
{
    *(int *)user += count;
    for (int i = count - 1; i >= 0; --i)
        task(context, i);
}

static void a_task_system_replaces_the_threads(void **state)
{
    (void)state;
    int calls = 0;
    lode_world_def def = lode_world_def_default();
    def.tasks = (lode_task_system){&calls, 0, run_tasks};
    expect_bad_field(&def, "def.tasks.worker_count", __LINE__);
    report_clear();
    def.tasks.worker_count = 2;
    def.threads = 0; /* not looked at */
    scene s = scene_create(&def);
    scene plain = scene_create(NULL);
    assert_true(lode_world_hash(s.world) == lode_world_hash(plain.world));
    lode_world_destroy(s.world);
    lode_world_destroy(plain.world);
    assert_int_equal(report.count, 0);
}

/* ---- setters ---- */

static lode_world world;

static void expect_setter(lode_status status, lode_status wanted, const char *function,
                          const char *argument, int line)
{
    assert_int_equal(status, wanted);
    if (wanted)
        report_expect(wanted, function, argument, __FILE__, line);
    else
        assert_int_equal(report.count, 0);
    report_clear();
}

/* `bad` is refused and changes nothing, `good` is then in force. */
#define SETTER(field, argument, good, bad) \
    do { \
        lode_world_def before = lode_world_get_def(world); \
        expect_setter(lode_world_set_##field(world, bad), LODE_ERROR_ARGUMENT, \
                      "lode_world_set_" #field, argument, __LINE__); \
        assert_true(lode_world_get_def(world).field == before.field); \
        expect_setter(lode_world_set_##field(world, good), LODE_OK, "", "", __LINE__); \
        assert_true(lode_world_get_def(world).field == (good)); \
    } while (0)

static void setters_refuse_what_creation_refuses(void **state)
{
    (void)state;
    lode_world_def def = lode_world_def_default();
    world = lode_world_create(&def);
    SETTER(solver, "solver", LODE_SOLVER_SOFT_STEP, (lode_solver)LODE_SOLVER_COUNT);
    SETTER(integrator, "integrator", LODE_INTEGRATOR_SECOND_ORDER,
           (lode_integrator)LODE_INTEGRATOR_COUNT);
    SETTER(iterations, "iterations", 7, 0);
    SETTER(exit_below, "speed", 1, -1);
    SETTER(direct_rows, "rows", 7, -1);
    SETTER(stiff_joints, "stiff_joints", LODE_STIFF_AUTOMATIC, (lode_stiff)LODE_STIFF_COUNT);
    SETTER(sub_steps, "sub_steps", 3, -1);
    SETTER(sub_step_length, "length", (lode_real)0.25, 0);
    SETTER(over_relaxation, "over_relaxation", (lode_real)1.5, 2);
    SETTER(over_relaxation, "over_relaxation", (lode_real)0.5, nan_real);
    SETTER(erp, "erp", 1, (lode_real)1.01);
    SETTER(erp, "erp", 0, nan_real);
    SETTER(cfm, "cfm", 1, -1);
    SETTER(cfm, "cfm", 0, infinite);
    SETTER(restitution_threshold, "speed", 0, -1);
    SETTER(impact_threshold, "speed", 0, -1);
    SETTER(impact_threshold, "speed", 2, nan_real);
    SETTER(restitution_threshold, "speed", 2, nan_real);
    SETTER(max_correcting_velocity, "speed", 2, 0);
    SETTER(max_correcting_velocity, "speed", 3, nan_real);
    SETTER(max_correcting_velocity, "speed", infinite, -infinite);
    SETTER(surface_layer, "depth", 0, (lode_real)-0.001);
    SETTER(surface_layer, "depth", (lode_real)0.02, nan_real);
    SETTER(surface_layer, "depth", (lode_real)0.001, infinite);
    SETTER(friction_mix, "mix", LODE_MIX_PRODUCT, (lode_mix)LODE_MIX_COUNT);
    SETTER(restitution_mix, "mix", LODE_MIX_PRODUCT, (lode_mix)-1);
    SETTER(friction_model, "model", LODE_FRICTION_CONE, (lode_friction)LODE_FRICTION_COUNT);
    assert_int_equal(lode_world_set_friction_per_manifold(world, true), LODE_OK);
    assert_true(lode_world_get_def(world).friction_per_manifold);
    expect_setter(lode_world_set_gravity(world, vec(0, 0, nan_real)), LODE_ERROR_ARGUMENT,
                  "lode_world_set_gravity", "gravity", __LINE__);
    assert_true(near_vec(lode_world_get_def(world).gravity, def.gravity, 0));
    expect_setter(lode_world_set_gravity(world, vec(1, 2, 3)), LODE_OK, "", "", __LINE__);
    assert_true(near_vec(lode_world_get_def(world).gravity, vec(1, 2, 3), 0));
    lode_world_destroy(world);
}

/* ---- instruction sets ---- */

/* The set a world gets with this environment variable and this field, LODE_SIMD_AUTO if none. */
static lode_simd simd_of(const char *environment, lode_simd field)
{
    lode_world_def def = lode_world_def_default();
    report_clear();
    if (environment)
        setenv("LODE_SIMD", environment, 1);
    else
        unsetenv("LODE_SIMD");
    def.simd = field;
    lode_world made = lode_world_create(&def);
    lode_simd simd = made.id ? lode_world_get_def(made).simd : LODE_SIMD_AUTO;
    unsetenv("LODE_SIMD");
    if (made.id)
        lode_world_destroy(made);
    return simd;
}

static void each_available_set_can_be_forced(void **state)
{
    (void)state;
    for (int i = LODE_SIMD_PLAIN; i < LODE_SIMD_COUNT; ++i) {
        lode_simd simd = (lode_simd)i;
        if (!lode_simd_available(simd))
            continue;
        assert_int_equal(simd_of(NULL, simd), simd);
        assert_int_equal(simd_of(lode_simd_name(simd), LODE_SIMD_AUTO), simd);
        assert_int_equal(simd_of("nonsense", simd), simd); /* the field comes first */
        assert_int_equal(report.count, 0);
    }
    assert_int_not_equal(simd_of(NULL, LODE_SIMD_AUTO), LODE_SIMD_AUTO);
    assert_int_equal(simd_of("auto", LODE_SIMD_AUTO), simd_of("", LODE_SIMD_AUTO));
}

static void a_set_that_is_not_there_is_an_error_that_says_so(void **state)
{
    (void)state;
    for (int i = LODE_SIMD_PLAIN; i < LODE_SIMD_COUNT; ++i) {
        lode_simd simd = (lode_simd)i;
        if (lode_simd_available(simd))
            continue;
        for (int by_name = 0; by_name < 2; ++by_name) {
            const char *environment = by_name ? lode_simd_name(simd) : NULL;
            assert_int_equal(simd_of(environment, by_name ? LODE_SIMD_AUTO : simd), 0);
            EXPECT_REPORT(LODE_ERROR_SYSTEM, "lode_world_create", "def.simd");
            assert_non_null(strstr(report.message, lode_simd_name(simd)));
            assert_non_null(strstr(report.message, "available: plain"));
        }
    }
    assert_int_equal(simd_of("sse9", LODE_SIMD_AUTO), 0);
    EXPECT_REPORT(LODE_ERROR_ARGUMENT, "lode_world_create", "def.simd");
    assert_non_null(strstr(report.message, "LODE_SIMD"));
    assert_non_null(strstr(report.message, "sse9"));
}

static void the_version_names_the_precision(void **state)
{
    (void)state;
    const char *precision = sizeof(lode_real) == sizeof(float) ? " single" : " double";
    assert_non_null(strstr(lode_version(), precision));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_header_of_another_precision_is_refused, set_up),
        cmocka_unit_test_setup(a_header_of_another_version_is_refused, set_up),
        cmocka_unit_test_setup(a_definition_of_unknown_origin_is_refused, set_up),
        cmocka_unit_test_setup(fields_out_of_range_are_refused, set_up),
        cmocka_unit_test_setup(a_task_system_replaces_the_threads, set_up),
        cmocka_unit_test_setup(setters_refuse_what_creation_refuses, set_up),
        cmocka_unit_test_setup(each_available_set_can_be_forced, set_up),
        cmocka_unit_test_setup(a_set_that_is_not_there_is_an_error_that_says_so, set_up),
        cmocka_unit_test_setup(the_version_names_the_precision, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
