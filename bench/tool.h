/* tool.h: memory, time and messages for a command-line tool. A benchmark that runs out of memory
 * has nothing to report, so these functions end the program instead of returning an error. */
#ifndef BENCH_TOOL_H
#define BENCH_TOOL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed; never null. */
void *bench_alloc(size_t count, size_t size);

/* Makes room for one element after `count`; returns the array, which may have moved. */
void *bench_grow(void *array, int count, int *capacity, size_t size);

/* Seconds since some moment, monotonic. */
double bench_now(void);

/* Prints "lode-bench: ..." and ends the program with status 2. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
void bench_fail(const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
