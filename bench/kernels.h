/* kernels.h: times the wide kernels against their scalar twins. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

void bench_kernels(void);

#endif
