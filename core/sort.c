/* sort.c: radix sort from the least significant byte up (Knuth, The Art of Computer Programming,
 * volume 3, section 5.2.5), each pass a stable counting sort.
 *
 * A byte that is the same in all keys needs no pass: a first reading finds those that differ. Keys
 * made of two 24-bit slots take six passes at most, and few when the slots are small. A handful
 * of keys is sorted by insertion. */
#include "core/sort.h"

#include <stdbool.h>
#include <string.h>

enum { BYTE = 8, RADIX = 1 << BYTE, FEW = 48 };

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

/* The bits in which not all keys agree. */
static uint64_t differing_bits(const uint64_t *keys, uint32_t count)
{
    uint64_t differing = 0;
    for (uint32_t i = 1; i < count; ++i)
        differing |= keys[i] ^ keys[0];
    return differing;
}

/* Finds for each value of the byte at `shift` where its keys begin in the sorted array. */
static void find_places(uint32_t place[RADIX], const uint64_t *keys, uint32_t count, int shift)
{
    memset(place, 0, RADIX * sizeof *place);
    for (uint32_t i = 0; i < count; ++i)
        place[keys[i] >> shift & (RADIX - 1)]++;
    uint32_t begin = 0;
    for (int i = 0; i < RADIX; ++i) {
        uint32_t size = place[i];
        place[i] = begin;
        begin += size;
    }
}

static void sort_by_byte(uint64_t *restrict out_keys, uint32_t *restrict out_values,
                         const uint64_t *restrict keys, const uint32_t *restrict values,
                         uint32_t count, int shift)
{
    uint32_t place[RADIX];
    find_places(place, keys, count, shift);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at = place[keys[i] >> shift & (RADIX - 1)]++;
        out_keys[at] = keys[i];
        out_values[at] = values[i];
    }
}

void lode__sort(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                uint32_t count)
{
    if (count <= FEW) {
        insertion_sort(keys, values, count);
        return;
    }
    uint64_t differing = differing_bits(keys, count);
    bool moved = false; /* they lie in the scratch arrays */
    for (int shift = 0; shift < 64; shift += BYTE) {
        if (!(differing >> shift & (RADIX - 1)))
            continue;
        if (moved)
            sort_by_byte(keys, values, scratch_keys, scratch_values, count, shift);
        else
            sort_by_byte(scratch_keys, scratch_values, keys, values, count, shift);
        moved = !moved;
    }
    if (moved) {
        memcpy(keys, scratch_keys, count * sizeof *keys);
        memcpy(values, scratch_values, count * sizeof *values);
    }
}
