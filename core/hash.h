/* hash.h: a fast hash of memory, for comparing states. Not for tables an attacker can fill.
 *
 * The bytes are folded as 64-bit words, four independent chains wide, by h = (h ^ word) * odd
 * followed by h ^= h >> 32. Each step is one-to-one both in h and in the word, so two memories that
 * differ in one word never hash equal. Equal on every little-endian machine. */
#ifndef LODE_CORE_HASH_H
#define LODE_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t lode__hash_word(uint64_t seed, uint64_t word)
{
    uint64_t h = (seed ^ word) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */
    return h ^ (h >> 32);
}

uint64_t lode__hash_bytes(uint64_t seed, const void *bytes, size_t size);

#endif
