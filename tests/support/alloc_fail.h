/* alloc_fail.h: an allocator that counts, fails on request, and watches.
 *
 * It counts calls and living blocks, so a test can prove that nothing leaks and that a step does
 * not touch the heap. It can make one allocation fail. It fills new memory with 0xa5 and freed
 * memory with 0xdd, so that reading either shows, and aborts when a block comes back with another
 * size than it was asked for, or twice. Safe from many threads.
 *
 * To let every allocation of an operation fail once:
 *
 *     alloc_fail_install();
 *     for (long n = 0;; ++n) {
 *         alloc_fail_nth(n);
 *         result = operation();
 *         if (!alloc_fail_happened())
 *             break;
 *         ... assert that it reported failure and changed nothing ...
 *     }
 *     alloc_fail_nth(-1);
 *     ... destroy everything ...
 *     assert_int_equal(alloc_fail_live(), 0);
 *     alloc_fail_remove(); */
#ifndef LODE_TESTS_ALLOC_FAIL_H
#define LODE_TESTS_ALLOC_FAIL_H

#include <stdbool.h>
#include <stddef.h>

/* Makes it Lode's allocator with all counts zero, and back to the default. No world may exist. */
void alloc_fail_install(void);
void alloc_fail_remove(void);

/* The n-th allocation from now returns null, 0 being the next; negative: none does. Restarts
 * alloc_fail_calls() and alloc_fail_happened(). */
void alloc_fail_nth(long n);
bool alloc_fail_happened(void);

/* Allocations since the last alloc_fail_nth() or the start, the failed one included. */
long alloc_fail_calls(void);

/* Blocks and bytes that are allocated now. */
long alloc_fail_live(void);
size_t alloc_fail_live_bytes(void);

#endif
