/* test_math_cooperative.c: matrix functions for several threads, of the ODE face: the same bits as
 * of those for one, whatever the number of threads. */
#include "tests/ode/refusals.h"

#include <ode/matrix.h>
#include <ode/matrix_coop.h>

#include <string.h>

enum { SIZE = 37, SKIP = 40 };

typedef struct problem {
    dReal A[SIZE * SKIP], d[SIZE], b[SIZE];
} problem;

static problem make_problem(void)
{
    problem p;
    draw_many(p.A, SIZE * SKIP);
    draw_many(p.b, SIZE);
    draw_many(p.d, SIZE);
    for (int i = 0; i < SIZE; ++i)
        p.A[i * SKIP + i] += 2 * SIZE; /* definite: the diagonal outweighs the rest */
    return p;
}

static dResourceContainerID acquire(unsigned threads)
{
    dCooperativeID cooperative = dCooperativeCreate(NULL, NULL);
    assert_non_null(cooperative);
    dResourceRequirementsID all = dResourceRequirementsCreate(cooperative);
    assert_non_null(all);
    dEstimateCooperativelyFactorLDLTResourceRequirements(all, threads, SIZE);
    dResourceRequirementsID copy = dResourceRequirementsClone(all);
    assert_true(copy && copy != all);
    dEstimateCooperativelySolveLDLTResourceRequirements(copy, threads, SIZE);
    dEstimateCooperativelySolveL1StraightResourceRequirements(copy, threads, SIZE);
    dEstimateCooperativelySolveL1TransposedResourceRequirements(copy, threads, SIZE);
    dEstimateCooperativelyScaleVectorResourceRequirements(copy, threads, SIZE);
    dResourceRequirementsMergeIn(all, copy);
    dResourceRequirementsDestroy(copy);
    dResourceContainerID resources = dResourceContainerAcquire(all);
    assert_non_null(resources);
    dResourceRequirementsDestroy(all);
    dCooperativeDestroy(cooperative);
    return resources;
}

static void many_threads_have_the_result_of_one(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        dResourceContainerID resources = acquire(threads);
        problem one = make_problem(), many = one;
        dReal b[SIZE];
        memcpy(b, one.b, sizeof b);

        dFactorLDLT(one.A, one.d, SIZE, SKIP);
        dCooperativelyFactorLDLT(resources, threads, many.A, many.d, SIZE, SKIP);
        assert_memory_equal(&many, &one, sizeof one);
        dSolveLDLT(one.A, one.d, one.b, SIZE, SKIP);
        dCooperativelySolveLDLT(resources, threads, many.A, many.d, many.b, SIZE, SKIP);
        assert_memory_equal(&many, &one, sizeof one);
        assert_true(memcmp(many.b, b, sizeof b) != 0);

        memcpy(one.b, b, sizeof b);
        memcpy(many.b, b, sizeof b);
        dSolveL1(one.A, one.b, SIZE, SKIP);
        dCooperativelySolveL1Straight(resources, threads, many.A, many.b, SIZE, SKIP);
        assert_memory_equal(&many, &one, sizeof one);
        dSolveL1T(one.A, one.b, SIZE, SKIP);
        dCooperativelySolveL1Transposed(resources, threads, many.A, many.b, SIZE, SKIP);
        assert_memory_equal(&many, &one, sizeof one);
        dScaleVector(one.b, one.d, SIZE);
        dCooperativelyScaleVector(resources, threads, many.b, many.d, SIZE);
        assert_memory_equal(&many, &one, sizeof one);
        dResourceContainerDestroy(resources);
    }
}

/* The bits above are those of matrix.h; that these are right is for test_math_factor.c. Once more,
 * from first principles. */
static void the_result_solves_the_equations(void **state)
{
    (void)state;
    dResourceContainerID resources = acquire(2);
    problem p = make_problem(), before = p;
    dCooperativelyFactorLDLT(resources, 2, p.A, p.d, SIZE, SKIP);
    dCooperativelySolveLDLT(resources, 2, p.A, p.d, p.b, SIZE, SKIP);
    for (int i = 0; i < SIZE; ++i) {
        double sum = 0;
        for (int j = 0; j < SIZE; ++j)
            sum += (double)before.A[(i > j ? i : j) * SKIP + (i > j ? j : i)] * p.b[j];
        assert_true(fabs(sum - before.b[i]) <= 10 * CLOSE);
    }
    dResourceContainerDestroy(resources);
}

static int living;

static void *count_alloc(size_t size)
{
    ++living;
    return malloc(size);
}

static void count_free(void *block, size_t size)
{
    assert_true(size > 0 && block != NULL);
    --living;
    free(block);
}

static void *no_alloc(size_t size)
{
    (void)size;
    return NULL;
}

static void memory_comes_from_the_handlers(void **state)
{
    (void)state;
    living = 0;
    dSetAllocHandler(count_alloc);
    dSetFreeHandler(count_free);
    dResourceContainerID resources = acquire(2);
    assert_int_equal(living, 1);
    dResourceContainerDestroy(resources);
    assert_int_equal(living, 0);
    dCooperativeID cooperative = dCooperativeCreate(NULL, NULL);
    dResourceRequirementsID requirements = dResourceRequirementsCreate(cooperative);
    dSetAllocHandler(no_alloc);
    assert_null(dCooperativeCreate(NULL, NULL));
    assert_null(dResourceRequirementsCreate(cooperative));
    assert_null(dResourceRequirementsClone(requirements));
    assert_null(dResourceContainerAcquire(requirements));
    dSetAllocHandler(NULL);
    dResourceRequirementsDestroy(requirements);
    dCooperativeDestroy(cooperative);
    dSetFreeHandler(NULL);
    assert_int_equal(living, 0);
    dCooperativeDestroy(NULL);
    dResourceRequirementsDestroy(NULL);
    dResourceContainerDestroy(NULL);
}

static void bad_cooperation_is_refused(void **state)
{
    (void)state;
    dCooperativeID one = dCooperativeCreate(NULL, NULL), two = dCooperativeCreate(NULL, NULL);
    dResourceRequirementsID a = dResourceRequirementsCreate(one);
    dResourceRequirementsID b = dResourceRequirementsCreate(two);
    dResourceContainerID r = dResourceContainerAcquire(a);
    dReal v[4] = {9, 9, 9, 9};
    EXPECT_REFUSAL(assert_null(dResourceRequirementsCreate(NULL)),
                   "dResourceRequirementsCreate: cooperative must not be null");
    EXPECT_REFUSAL(assert_null(dResourceRequirementsClone(NULL)),
                   "dResourceRequirementsClone: requirements must not be null");
    EXPECT_REFUSAL(assert_null(dResourceContainerAcquire(NULL)),
                   "dResourceContainerAcquire: requirements must not be null");
    EXPECT_REFUSAL(dResourceRequirementsMergeIn(a, NULL),
                   "dResourceRequirementsMergeIn: extraRequirements must not be null");
    EXPECT_REFUSAL(dResourceRequirementsMergeIn(NULL, a),
                   "dResourceRequirementsMergeIn: summaryRequirements must not be null");
    EXPECT_REFUSAL(
        dResourceRequirementsMergeIn(a, b),
        "dResourceRequirementsMergeIn: extraRequirements must be of the same cooperative");
    EXPECT_REFUSAL(
        dEstimateCooperativelyFactorLDLTResourceRequirements(NULL, 1, 1),
        "dEstimateCooperativelyFactorLDLTResourceRequirements: requirements must not be null");
    EXPECT_REFUSAL(
        dEstimateCooperativelySolveLDLTResourceRequirements(NULL, 1, 1),
        "dEstimateCooperativelySolveLDLTResourceRequirements: requirements must not be null");
    EXPECT_REFUSAL(
        dEstimateCooperativelySolveL1StraightResourceRequirements(NULL, 1, 1),
        "dEstimateCooperativelySolveL1StraightResourceRequirements: requirements must not be null");
    EXPECT_REFUSAL(dEstimateCooperativelySolveL1TransposedResourceRequirements(NULL, 1, 1),
                   "dEstimateCooperativelySolveL1TransposedResourceRequirements: requirements must "
                   "not be null");
    EXPECT_REFUSAL(
        dEstimateCooperativelyScaleVectorResourceRequirements(NULL, 1, 1),
        "dEstimateCooperativelyScaleVectorResourceRequirements: requirements must not be null");
    EXPECT_REFUSAL(dCooperativelyFactorLDLT(NULL, 1, v, v, 1, 1),
                   "dCooperativelyFactorLDLT: resources must not be null");
    EXPECT_REFUSAL(dCooperativelyFactorLDLT(r, 1, v, v, 0, 1),
                   "dCooperativelyFactorLDLT: rowCount must be 1 to INT_MAX");
    EXPECT_REFUSAL(dCooperativelySolveLDLT(r, 1, v, NULL, v, 1, 1),
                   "dCooperativelySolveLDLT: d must not be null");
    EXPECT_REFUSAL(dCooperativelySolveLDLT(r, 1, v, v, v, 2, 1),
                   "dCooperativelySolveLDLT: rowSkip must hold a row");
    EXPECT_REFUSAL(dCooperativelySolveL1Straight(r, 1, NULL, v, 1, 1),
                   "dCooperativelySolveL1Straight: L must not be null");
    EXPECT_REFUSAL(dCooperativelySolveL1Transposed(r, 1, v, NULL, 1, 1),
                   "dCooperativelySolveL1Transposed: b must not be null");
    EXPECT_REFUSAL(dCooperativelyScaleVector(r, 1, v, NULL, 1),
                   "dCooperativelyScaleVector: scaleVector must not be null");
    EXPECT_REFUSAL(dCooperativelyScaleVector(r, 1, v, v, 0x80000000u),
                   "dCooperativelyScaleVector: elementCount must be 1 to INT_MAX");
    for (int i = 0; i < 4; ++i)
        assert_true(v[i] == 9);
    dResourceContainerDestroy(r);
    dResourceRequirementsDestroy(a);
    dResourceRequirementsDestroy(b);
    dCooperativeDestroy(one);
    dCooperativeDestroy(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(many_threads_have_the_result_of_one),
        HEARING(the_result_solves_the_equations),
        HEARING(memory_comes_from_the_handlers),
        HEARING(bad_cooperation_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
