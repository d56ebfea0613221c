/* test_eliminate.c: the elimination of a front, bit by bit the same with every instruction set as
 * pivot by pivot in plain C, which is spelled out here. */
#include "lode/setup.h"
#include "solver/kernels.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <string.h>

enum { MOST = 43, STRIDE = 48 };

typedef struct front {
    _Alignas(64) double matrix[MOST * STRIDE], lower[MOST * STRIDE];
    double inverse[MOST], least[MOST];
} front;

static front original, should, is;

static lode__front view(front *f, uint32_t count, uint32_t own, bool symmetric)
{
    return (lode__front){f->matrix, f->lower, f->inverse,        f->least,
                         count,     own,      (count + 7) & ~7u, symmetric};
}

static void make(uint32_t count, bool symmetric, test_random *random)
{
    uint32_t stride = (count + 7) & ~7u;
    memset(&original, 0, sizeof original);
    for (uint32_t i = 0; i < count; ++i) {
        original.least[i] = 1e-11;
        for (uint32_t k = 0; k < count; ++k)
            original.matrix[i * stride + k] = random_between(random, -1, 1) + (i == k ? 3 : 0);
    }
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < i && symmetric; ++k)
            original.matrix[i * stride + k] = original.matrix[k * stride + i];
    uint32_t vanishes = random_below(random, count);
    if (random_below(random, 2) == 0)
        original.least[vanishes] = 100;
}

static void eliminate_one_by_one(const lode__front *f)
{
    for (uint32_t p = 0; p < f->own; ++p) {
        double *u = f->matrix + p * f->stride;
        double size = u[p] < 0 ? -u[p] : u[p];
        f->inverse[p] = size > f->least[p] ? 1 / u[p] : 0;
        for (uint32_t i = p + 1; i < f->count; ++i) {
            double *row = f->matrix + i * f->stride;
            double l = (f->symmetric ? u[i] : row[p]) * f->inverse[p];
            f->lower[p * f->stride + i] = l;
            for (uint32_t k = f->symmetric ? i : p + 1; k < f->count; ++k)
                row[k] -= l * u[k];
        }
    }
}

/* What counts, byte for byte. */
static void assert_same(const lode__front *a, const lode__front *b, const char *name)
{
    assert_memory_equal(a->inverse, b->inverse, a->own * sizeof *a->inverse);
    for (uint32_t i = 0; i < a->count; ++i) {
        uint32_t from = a->symmetric || i < a->own ? i : a->own;
        if (memcmp(a->matrix + i * a->stride + from, b->matrix + i * a->stride + from,
                   (a->count - from) * sizeof(double)) != 0)
            fail_msg("%s: row %u of %u, %u own, differs", name, (unsigned)i, (unsigned)a->count,
                     (unsigned)a->own);
        for (uint32_t k = i + 1; k < a->count && i < a->own; ++k)
            assert_memory_equal(a->lower + i * a->stride + k, b->lower + i * a->stride + k,
                                sizeof(double));
    }
}

static void every_instruction_set_eliminates_as_plain_c(void **state)
{
    (void)state;
    test_random random = {1};
    for (uint32_t round = 0; round < 2000; ++round) {
        uint32_t count = 1 + random_below(&random, MOST), own = random_below(&random, count + 1);
        bool symmetric = round % 2;
        make(count, symmetric, &random);
        should = original;
        lode__front a = view(&should, count, own, symmetric);
        eliminate_one_by_one(&a);
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            is = original;
            lode__front b = view(&is, count, own, symmetric);
            kernels->eliminate(&b);
            assert_same(&a, &b, lode_simd_name((lode_simd)simd));
            for (uint32_t i = 0; i < count; ++i)
                for (uint32_t k = count; k < a.stride; ++k)
                    assert_true(is.matrix[i * a.stride + k] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_eliminates_as_plain_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
