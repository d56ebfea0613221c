/* memory.h: the one door to the heap. */
#ifndef LODE_CORE_MEMORY_H
#define LODE_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LODE__ALIGNMENT = 64 };

/* Aligned to that at least, not zeroed; null when out of memory. Size 0 returns null. */
void *lode__alloc(size_t size);

/* Null is allowed. `size` is what was asked for. */
void lode__free(void *memory, size_t size);

/* Grows an array of `*capacity` elements to hold at least `count`, doubling, keeping its content.
 * Usable from any thread. False: out of memory, nothing changed. */
bool lode__grow(void **array, uint32_t *capacity, uint32_t count, size_t element_size);

/* Counts what holds memory, worlds and shared geometry: lode_set_allocator() refuses while there is
 * any. What outlives its allocator would be freed by another one than it came from. */
void lode__memory_users(int change);

#endif
