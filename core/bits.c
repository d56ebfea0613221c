/* bits.c: growing bit sets, searched a word at a time. */
#include "core/bits.h"

#include "core/memory.h"

#include <string.h>

void lode__bits_free(lode__bits *bits)
{
    lode__free(bits->words, bits->word_count * sizeof *bits->words);
    *bits = (lode__bits){0};
}

bool lode__bits_reserve(lode__bits *bits, uint32_t count)
{
    uint32_t old = bits->word_count, needed = lode__words_of(count);
    if (!lode__grow((void **)&bits->words, &bits->word_count, needed, sizeof *bits->words))
        return false;
    if (bits->word_count > old)
        memset(bits->words + old, 0, (bits->word_count - old) * sizeof *bits->words);
    return true;
}

void lode__bits_assign(lode__bits *bits, const void *words, uint32_t count)
{
    uint32_t taken = lode__words_of(count);
    if (taken > 0)
        memcpy(bits->words, words, taken * sizeof *bits->words);
    if (bits->word_count > taken)
        memset(bits->words + taken, 0, (bits->word_count - taken) * sizeof *bits->words);
}

/* The lowest bit at or after `from` that is set in the words after `flip` was applied to them. */
static uint32_t search(const lode__bits *bits, uint32_t from, uint64_t flip, uint32_t none)
{
    uint32_t w = from >> 6;
    if (w >= bits->word_count)
        return none;
    uint64_t word = (bits->words[w] ^ flip) & (UINT64_MAX << (from & 63));
    while (!word) {
        if (++w == bits->word_count)
            return none;
        word = bits->words[w] ^ flip;
    }
    return w << 6 | (uint32_t)__builtin_ctzll(word);
}

uint32_t lode__bits_next(const lode__bits *bits, uint32_t from)
{
    return search(bits, from, 0, UINT32_MAX);
}

uint32_t lode__bits_next_clear(const lode__bits *bits, uint32_t from)
{
    uint32_t size = bits->word_count << 6;
    return search(bits, from, UINT64_MAX, from < size ? size : from);
}

uint32_t lode__bits_list(const lode__bits *bits, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < bits->word_count; ++w)
        for (uint64_t left = bits->words[w]; left; left &= left - 1)
            out[count++] = w << 6 | (uint32_t)__builtin_ctzll(left);
    return count;
}

uint32_t lode__bits_count(const lode__bits *bits)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < bits->word_count; ++w)
        if (bits->words[w]) /* most have none, and the count is a call */
            count += (uint32_t)__builtin_popcountll(bits->words[w]);
    return count;
}

uint32_t lode__bits_end(const lode__bits *bits)
{
    for (uint32_t w = bits->word_count; w-- > 0;)
        if (bits->words[w])
            return (w << 6) + 64 - (uint32_t)__builtin_clzll(bits->words[w]);
    return 0;
}
