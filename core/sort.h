/* sort.h: sorting 64-bit keys, alone or with a 32-bit value each, in linear time and without memory
 * of its own. Stable: equal keys keep their order, so the result depends on the input alone. */
#ifndef LODE_CORE_SORT_H
#define LODE_CORE_SORT_H

#include <stdint.h>

/* Sorts ascending by key. The scratch arrays hold `count` elements each; their content is lost.
 * Without values both arrays of them are null. */
void lode__sort(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                uint32_t count);

#endif
