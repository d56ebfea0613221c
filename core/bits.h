/* bits.h: growing bit sets. Bits beyond the size read as zero. */
#ifndef LODE_CORE_BITS_H
#define LODE_CORE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lode__bits {
    uint64_t *words;
    uint32_t word_count;
} lode__bits;

/* How many words hold as many bits. */
static inline uint32_t lode__words_of(uint32_t bits)
{
    return (bits >> 6) + ((bits & 63) != 0);
}

void lode__bits_free(lode__bits *bits);

/* Makes room for bits 0..count-1, new ones zero. False: out of memory, nothing changed. */
bool lode__bits_reserve(lode__bits *bits, uint32_t count);

/* Makes the set what the words of `count` bits say, and clears what is beyond. There must be room
 * for them; the words need no alignment, and none are needed for a count of 0. */
void lode__bits_assign(lode__bits *bits, const void *words, uint32_t count);

/* The lowest set bit at or after `from`, or UINT32_MAX. */
uint32_t lode__bits_next(const lode__bits *bits, uint32_t from);

/* Writes all bits that are set, ascending; returns how many. */
uint32_t lode__bits_list(const lode__bits *bits, uint32_t *out);

/* The lowest clear bit at or after `from`; may lie beyond the size. */
uint32_t lode__bits_next_clear(const lode__bits *bits, uint32_t from);

uint32_t lode__bits_count(const lode__bits *bits);

/* One past the highest set bit; 0 when there is none. */
uint32_t lode__bits_end(const lode__bits *bits);

static inline bool lode__bits_get(const lode__bits *bits, uint32_t i)
{
    return (i >> 6) < bits->word_count && (bits->words[i >> 6] >> (i & 63) & 1);
}

static inline void lode__bits_set(lode__bits *bits, uint32_t i)
{
    bits->words[i >> 6] |= (uint64_t)1 << (i & 63);
}

/* As above, while other threads set bits too. */
static inline void lode__bits_set_shared(lode__bits *bits, uint32_t i)
{
    __atomic_fetch_or(&bits->words[i >> 6], (uint64_t)1 << (i & 63), __ATOMIC_RELAXED);
}

static inline void lode__bits_clear(lode__bits *bits, uint32_t i)
{
    bits->words[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

#endif
