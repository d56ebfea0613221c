/* sort.h: sorting 64-bit keys by radix, least significant digit first. Digits that are equal in
 * all keys cost one look, so small keys are cheap in wide words. Stable, no comparisons, and the
 * same work for any order of arrival. */
#ifndef LODE_COLLIDE_SORT_H
#define LODE_COLLIDE_SORT_H

#include <stdint.h>

/* Sorts by bits `low_bit`..63, ascending. `scratch` holds `count` keys too. */
void lode__sort_keys(uint64_t *keys, uint64_t *scratch, uint32_t count, int low_bit);

#endif
