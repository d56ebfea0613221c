/* bytes.h: a row of bytes, written and read from front to back. Nothing in it is aligned: what has
 * a type is copied out before it is looked at. */
#ifndef LODE_CORE_BYTES_H
#define LODE_CORE_BYTES_H

#include "core/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Counts what does not fit and drops it: with no room at all it measures. */
typedef struct lode__writer {
    char *bytes;
    size_t room, used;
} lode__writer;

/* The place of the next `size` bytes, or null where they do not fit. */
static inline char *lode__put_space(lode__writer *out, size_t size)
{
    bool fits = out->used <= out->room && size <= out->room - out->used;
    char *place = fits ? out->bytes + out->used : NULL;
    out->used += size;
    return place;
}

static inline void lode__put(lode__writer *out, const void *data, size_t size)
{
    char *place = lode__put_space(out, size);
    if (place && size > 0)
        memcpy(place, data, size);
}

static inline void lode__put_u32(lode__writer *out, uint32_t value)
{
    lode__put(out, &value, sizeof value);
}

static inline void lode__put_u64(lode__writer *out, uint64_t value)
{
    lode__put(out, &value, sizeof value);
}

/* Reading beyond the end gives zeros and says so. */
typedef struct lode__reader {
    const char *bytes;
    size_t left;
    bool failed;
} lode__reader;

/* The next `count` elements of `size` bytes, or null when there are not as many. */
static inline const char *lode__get_array(lode__reader *in, uint64_t count, size_t size)
{
    if (in->failed || count > in->left / size) {
        in->failed = true;
        return NULL;
    }
    const char *array = in->bytes;
    in->bytes += count * size;
    in->left -= count * size;
    return array;
}

static inline void lode__get(lode__reader *in, void *out, size_t size)
{
    const char *bytes = lode__get_array(in, 1, size);
    if (bytes)
        memcpy(out, bytes, size);
    else
        memset(out, 0, size);
}

static inline uint32_t lode__get_u32(lode__reader *in)
{
    uint32_t value;
    lode__get(in, &value, sizeof value);
    return value;
}

static inline uint64_t lode__get_u64(lode__reader *in)
{
    uint64_t value;
    lode__get(in, &value, sizeof value);
    return value;
}

/* Copies element `i` of an unaligned array to `*out`. */
#define LODE__LOAD(array, i, out) \
    memcpy((out), (array) + (size_t)(i) * sizeof *(out), sizeof *(out))

/* --- bit sets, by words */

/* The words of the set's first `count` bits, for which it must have room. */
static inline void lode__put_bits(lode__writer *out, const lode__bits *bits, uint32_t count)
{
    lode__put(out, bits->words, lode__words_of(count) * sizeof(uint64_t));
}

static inline bool lode__word_bit(const char *words, uint32_t i)
{
    return ((unsigned char)words[i >> 3] >> (i & 7)) & 1; /* little-endian words */
}

#endif
