/* stats.c: order statistics of timings. */
#include "bench/stats.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    if (count == 0)
        return 0;
    qsort(values, (size_t)count, sizeof *values, ascending);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

bench_spread bench_spread_of(double *values, int count)
{
    if (count == 0)
        return (bench_spread){0};
    double median = bench_median(values, count);
    int rank = (99 * count + 99) / 100; /* rounded up; 1 is the least */
    return (bench_spread){median, values[rank - 1], values[0]};
}
