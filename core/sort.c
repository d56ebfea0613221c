/* sort.c: radix sort from the least significant byte up (Knuth, The Art of Computer Programming,
 * volume 3, section 5.2.5), each pass a stable counting sort.
 *
 * All eight histograms are counted in one reading. A byte that is the same in all keys needs no
 * pass: keys made of two 24-bit slots take six passes at most, and few when the slots are small.
 * A handful of keys is sorted by insertion. */
#include "core/sort.h"

#include <string.h>

enum { DIGITS = 8, RADIX = 256, FEW = 48 };

static void insertion_sort(uint64_t *keys, uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        uint32_t value = values[i], at = i;
        for (; at > 0 && keys[at - 1] > key; --at) {
            keys[at] = keys[at - 1];
            values[at] = values[at - 1];
        }
        keys[at] = key;
        values[at] = value;
    }
}

static void count_digits(uint32_t counts[DIGITS][RADIX], const uint64_t *keys, uint32_t count)
{
    memset(counts, 0, sizeof(uint32_t[DIGITS][RADIX]));
    for (uint32_t i = 0; i < count; ++i)
        for (int digit = 0; digit < DIGITS; ++digit)
            counts[digit][keys[i] >> (8 * digit) & (RADIX - 1)]++;
}

/* Turns a histogram into the place where each bucket starts. */
static void counts_to_starts(uint32_t counts[RADIX])
{
    uint32_t start = 0;
    for (int i = 0; i < RADIX; ++i) {
        uint32_t count = counts[i];
        counts[i] = start;
        start += count;
    }
}

void lode__sort(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                uint32_t count)
{
    if (count <= FEW) {
        insertion_sort(keys, values, count);
        return;
    }
    uint32_t counts[DIGITS][RADIX];
    count_digits(counts, keys, count);
    uint64_t *from = keys, *to = scratch_keys;
    uint32_t *from_values = values, *to_values = scratch_values;
    for (int digit = 0; digit < DIGITS; ++digit) {
        int shift = 8 * digit;
        uint32_t *place = counts[digit];
        if (place[from[0] >> shift & (RADIX - 1)] == count)
            continue;
        counts_to_starts(place);
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t at = place[from[i] >> shift & (RADIX - 1)]++;
            to[at] = from[i];
            to_values[at] = from_values[i];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
        uint32_t *swap_values = from_values;
        from_values = to_values;
        to_values = swap_values;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
        memcpy(values, from_values, count * sizeof *values);
    }
}
