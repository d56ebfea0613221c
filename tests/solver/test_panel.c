/* test_panel.c: products with the direct solver's panels against sums in long double, and bit by
 * bit the same with every instruction set. */
#include "lode/setup.h"
#include "solver/kernels.h"
#include "tests/support/random.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { ROWS = 24, WIDTH = 56, NUMBERS = 9, COLUMNS = 6 };

typedef struct products {
    _Alignas(64) double dots[WIDTH], pushed[WIDTH], scaled[ROWS * WIDTH], coupled[ROWS * WIDTH];
    _Alignas(64) double exchanged[ROWS * WIDTH];
} products;

static _Alignas(64) double a[ROWS * WIDTH], x[WIDTH], by_row[ROWS], by_column[WIDTH];
static _Alignas(64) double columns[COLUMNS * WIDTH], rows_of[ROWS * NUMBERS];
static _Alignas(64) double tableau[ROWS * WIDTH];
static uint32_t rows, width, tableau_width, from, count, pivot;
static products first, is;

static double any(test_random *random)
{
    return random_between(random, -1, 1);
}

/* A panel of `rows` rows, `count` columns that count and zeros behind them. */
static void make(test_random *random)
{
    rows = 1 + random_below(random, ROWS);
    count = rows + random_below(random, WIDTH - ROWS);
    width = (count + 3) & ~3u;
    tableau_width = (count + 7) & ~7u;
    from = rows;
    memset(a, 0, sizeof a);
    memset(x, 0, sizeof x);
    memset(columns, 0, sizeof columns);
    for (uint32_t i = 0; i < rows; ++i) {
        by_row[i] = random_below(random, 8) ? random_between(random, 0.1, 2) : 0;
        for (uint32_t j = 0; j < count; ++j)
            a[i * width + j] = any(random);
        for (int k = 0; k < NUMBERS; ++k)
            rows_of[i * NUMBERS + (uint32_t)k] = any(random);
    }
    pivot = random_below(random, rows);
    memset(tableau, 0, sizeof tableau);
    for (uint32_t i = 0; i < rows; ++i)
        memcpy(tableau + i * tableau_width, a + i * width, count * sizeof *a);
    tableau[random_below(random, rows) * tableau_width + pivot] = 0;
    tableau[pivot * tableau_width + pivot] = random_between(random, 0.5, 1.5);
    if (by_row[0] == 0)
        a[0] = (double)NAN;
    for (uint32_t j = 0; j < count; ++j) {
        x[j] = any(random);
        by_column[j] = random_below(random, 8) ? random_between(random, 0.1, 2) : 0;
        for (uint32_t k = 0; k < COLUMNS; ++k)
            columns[k * width + j] = any(random);
    }
}

static void multiply(const lode__panel_kernels *panel, products *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->scaled, a, sizeof a);
    panel->dots(a, width, rows, x, out->dots);
    panel->push(a, width, rows, from, x, out->pushed);
    panel->scale(out->scaled, width, rows, by_row, by_column);
    memcpy(out->exchanged, tableau, sizeof tableau);
    panel->exchange(out->exchanged, tableau_width, rows, pivot);
    panel->couple(rows_of, NUMBERS, rows, columns, count, 0.7, out->coupled, width);
    for (uint32_t j = 0; j < from; ++j) /* what it says it leaves open */
        out->pushed[j] = 0;
}

static void assert_is(double value, long double should)
{
    assert_true(fabs((double)(value - should)) < 1e-13);
}

static void check_couplings(void)
{
    for (uint32_t i = 0; i < rows; ++i)
        for (uint32_t j = 0; j < width; ++j) {
            const double *r = rows_of + i * NUMBERS;
            long double sum = 0;
            for (uint32_t k = 0; k < 3 && j < count; ++k) {
                sum += (long double)r[k] * columns[k * width + j] * 0.7L;
                sum += (long double)r[3 + k] * columns[(3 + k) * width + j];
            }
            assert_is(first.coupled[i * width + j], sum);
        }
}

/* y = T x, solved for x_p in place of y_p. */
static long double exchanged(uint32_t i, uint32_t j)
{
    const double *own = tableau + pivot * tableau_width, *row = tableau + i * tableau_width;
    long double p = own[pivot];
    if (i == pivot)
        return j == pivot ? 1 / p : -own[j] / p;
    return j == pivot ? row[pivot] / p : row[j] - row[pivot] * (own[j] / p);
}

static void check_exchange(void)
{
    for (uint32_t i = 0; i < rows; ++i)
        for (uint32_t j = 0; j < count; ++j)
            assert_is(first.exchanged[i * tableau_width + j], exchanged(i, j));
}

static void check_products(void)
{
    for (uint32_t i = 0; i < rows && !isnan(a[0]); ++i) {
        long double sum = 0;
        for (uint32_t j = 0; j < count; ++j)
            sum += (long double)a[i * width + j] * x[j];
        assert_is(first.dots[i], sum);
    }
    for (uint32_t j = from; j < count; ++j) {
        long double sum = 0;
        for (uint32_t i = 0; i < rows; ++i)
            sum += (long double)a[i * width + j] * x[i];
        assert_is(first.pushed[j], sum);
    }
    for (uint32_t i = 0; i < rows; ++i)
        for (uint32_t j = 0; j < count; ++j) {
            double s = by_row[i] * by_column[j];
            assert_true(first.scaled[i * width + j] == (s > 0 ? a[i * width + j] * s : 0));
        }
    check_couplings();
    check_exchange();
}

static void every_instruction_set_multiplies_alike(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 500; ++round) {
        make(&random);
        multiply(&lode__solver_kernels_for(LODE_SIMD_PLAIN)->panel, &first);
        check_products();
        for (int simd = 0; simd < LODE_SIMD_COUNT; ++simd) {
            const lode__solver_kernels *kernels = lode__solver_kernels_for((lode_simd)simd);
            if (!kernels || !lode_simd_available((lode_simd)simd))
                continue;
            multiply(&kernels->panel, &is);
            for (uint32_t i = 0; i < rows; ++i)
                assert_true(isnan(first.dots[i]) ? isnan(is.dots[i]) : is.dots[i] == first.dots[i]);
            assert_memory_equal(is.pushed, first.pushed, sizeof is.pushed);
            assert_memory_equal(is.scaled, first.scaled, sizeof is.scaled);
            assert_memory_equal(is.coupled, first.coupled, sizeof is.coupled);
            assert_memory_equal(is.exchanged, first.exchanged, sizeof is.exchanged);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_multiplies_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
