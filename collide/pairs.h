/* pairs.h: which shapes may touch.
 *
 * One array, sorted by key, of all pairs that pass the filters and whose fat bounds overlap. Each
 * pair owns a manifold for as long as it lives. The order of keys, and so of everything that
 * comes after, follows from the shapes' slots alone.
 *
 * Each step the moved shapes ask the tree, in parallel; their answers are sorted and merged with
 * the array in one pass, block by block. An old pair of a moved shape that is not among the answers
 * is dropped: its bounds have parted, or a filter, a joint or a removal forbids it now. */
#ifndef LODE_COLLIDE_PAIRS_H
#define LODE_COLLIDE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lode__pair {
    uint64_t key;      /* shape_a << 32 | shape_b, shape_a < shape_b */
    uint32_t manifold; /* slot */
    uint16_t cell;     /* of the narrow phase's matrix */
    uint16_t points;   /* of the manifold */
} lode__pair;

/* What one block of queries found. Kept from step to step for its memory. */
typedef struct lode__pair_list {
    uint64_t *keys;
    uint32_t count, capacity;
    bool failed; /* out of memory */
} lode__pair_list;

typedef struct lode__pairs {
    lode__pair *items;
    uint32_t count, capacity;
    lode__pair_list *lists;
    uint32_t list_count; /* that exist */
} lode__pairs;

static inline uint64_t lode__pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static inline uint32_t lode__pair_a(const lode__pair *pair)
{
    return (uint32_t)(pair->key >> 32);
}
static inline uint32_t lode__pair_b(const lode__pair *pair)
{
    return (uint32_t)pair->key;
}

void lode__pairs_free(lode__pairs *pairs);
size_t lode__pairs_bytes(const lode__pairs *pairs);

#endif
