/* error.h: refusing a call. Every public function that fails reports exactly once. */
#ifndef LODE_CORE_ERROR_H
#define LODE_CORE_ERROR_H

#include "lode/setup.h"

/* Calls the hook and returns `status`, so that a caller can write
 * return lode__error(LODE_ERROR_ARGUMENT, __func__, "dt", "must be above 0"); */
lode_status lode__error(lode_status status, const char *function, const char *argument,
                        const char *message);

/* Assertions: always on; in debug builds; and in builds with -Dexpensive_checks=true (LODE_CHECKS
 * is 1, 2 or 3). A failed one prints and aborts: it is a defect of the library, not of its use. */
void lode__assert_failed(const char *expression, const char *file, int line);

#define LODE__ASSERT(x) ((x) ? (void)0 : lode__assert_failed(#x, __FILE__, __LINE__))
#if LODE_CHECKS >= 2
#define LODE__DEBUG_ASSERT(x) LODE__ASSERT(x)
#else
#define LODE__DEBUG_ASSERT(x) ((void)0)
#endif
#if LODE_CHECKS >= 3
#define LODE__EXPENSIVE_ASSERT(x) LODE__ASSERT(x)
#else
#define LODE__EXPENSIVE_ASSERT(x) ((void)0)
#endif

#endif
