/* kernels.h: times the wide kernels against their scalar twins. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdbool.h>

/* True: nothing can go wrong. */
bool bench_kernels(void);

#endif
