/* stats.h: order statistics of timings. Functions sort the array they are given. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

typedef struct bench_spread {
    double median, p99, min;
} bench_spread;

/* Zeros for an empty array. The 99th percentile is the smallest value that at least 99 of 100 do
 * not exceed, so of less than 100 values it is the largest. */
bench_spread bench_spread_of(double *values, int count);

double bench_median(double *values, int count);

#endif
