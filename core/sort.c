/* sort.c: radix sort from the least significant digit up (Knuth, The Art of Computer Programming,
 * volume 3, section 5.2.5), each pass a stable counting sort.
 *
 * Bits that are the same in all keys need no pass: a first reading finds those that differ, and
 * each digit begins at the lowest of them that is left. So keys made of two slots take two passes
 * while the slots have no more bits than a digit. Digits of many keys are longer: there a pass less
 * is worth more counters. A handful of keys is sorted by insertion. */
#include "core/sort.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 48, MANY = 2048, DIGIT = 8, LONG_DIGIT = 11, MOST_PLACES = 1 << LONG_DIGIT };

static void insertion_sort(uint64_t *keys, uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        uint32_t value = values ? values[i] : 0, at = i;
        for (; at > 0 && keys[at - 1] > key; --at) {
            keys[at] = keys[at - 1];
            if (values)
                values[at] = values[at - 1];
        }
        keys[at] = key;
        if (values)
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

/* Where each value of a digit, `bits` bits from `shift` on, begins in the sorted array. */
static void find_places(uint32_t place[MOST_PLACES], const uint64_t *keys, uint32_t count,
                        int shift, int bits)
{
    uint32_t values = 1u << bits, mask = values - 1, begin = 0;
    memset(place, 0, values * sizeof *place);
    for (uint32_t i = 0; i < count; ++i)
        place[(uint32_t)(keys[i] >> shift) & mask]++;
    for (uint32_t i = 0; i < values; ++i) {
        uint32_t size = place[i];
        place[i] = begin;
        begin += size;
    }
}

static void sort_by_digit(uint64_t *restrict out_keys, uint32_t *restrict out_values,
                          const uint64_t *restrict keys, const uint32_t *restrict values,
                          uint32_t count, int shift, int bits)
{
    uint32_t place[MOST_PLACES], mask = (1u << bits) - 1;
    find_places(place, keys, count, shift, bits);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t at = place[(uint32_t)(keys[i] >> shift) & mask]++;
        out_keys[at] = keys[i];
        if (values)
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
    int bits = count < MANY ? DIGIT : LONG_DIGIT;
    uint64_t left = differing_bits(keys, count);
    bool moved = false; /* they lie in the scratch arrays */
    while (left) {
        int shift = __builtin_ctzll(left);
        left &= ~((((uint64_t)1 << bits) - 1) << shift);
        if (moved)
            sort_by_digit(keys, values, scratch_keys, scratch_values, count, shift, bits);
        else
            sort_by_digit(scratch_keys, scratch_values, keys, values, count, shift, bits);
        moved = !moved;
    }
    if (moved) {
        memcpy(keys, scratch_keys, count * sizeof *keys);
        if (values)
            memcpy(values, scratch_values, count * sizeof *values);
    }
}
