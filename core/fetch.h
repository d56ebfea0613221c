/* fetch.h: asking the processor for lines of the cache before they are needed.
 *
 * A function that does nothing but __builtin_prefetch() has no effect that a compiler knows of: GCC
 * finds it pure, and leaves out each call that it has not inlined by then. So those are
 * LODE__FETCHER. tests/checks/prefetches.py finds those that are not. */
#ifndef LODE_CORE_FETCH_H
#define LODE_CORE_FETCH_H

#define LODE__FETCHER static inline __attribute__((always_inline))

#endif
