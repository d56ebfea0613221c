/* hash.c: see hash.h. */
#include "core/hash.h"

#include <string.h>

static uint64_t load_word(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

uint64_t lode__hash_bytes(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    size_t left = size;
    uint64_t h = lode__hash_word(seed, size);
    if (left >= 32) {
        uint64_t a = h, b = h + 1, c = h + 2, d = h + 3;
        for (; left >= 32; left -= 32, p += 32) {
            a = lode__hash_word(a, load_word(p));
            b = lode__hash_word(b, load_word(p + 8));
            c = lode__hash_word(c, load_word(p + 16));
            d = lode__hash_word(d, load_word(p + 24));
        }
        h = lode__hash_word(lode__hash_word(lode__hash_word(a, b), c), d);
    }
    for (; left >= 8; left -= 8, p += 8)
        h = lode__hash_word(h, load_word(p));
    if (left) {
        uint64_t word = 0;
        memcpy(&word, p, left);
        h = lode__hash_word(h, word);
    }
    return h;
}
