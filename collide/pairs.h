/* pairs.h: which shapes may touch.
 *
 * One array of all pairs that pass the filters and whose fat bounds overlap. Each pair owns a
 * manifold for as long as it lives. The order of keys, and so of everything that comes after,
 * follows from the shapes' slots alone.
 *
 * Each step the moved shapes ask the broad phase, in parallel, and their answers are sorted. When
 * many have moved, the answers are merged with the array in one pass, block by block. An old pair
 * of a moved shape that is not among the answers is dropped: its bounds have parted, or a filter, a
 * joint or a removal forbids it now.
 *
 * When few have moved, that pass would cost more than all else. Then new pairs gather at the end of
 * the array, sorted among themselves: the young. Pairs whose bounds have parted stay until the next
 * pass, which comes before they are many; they have no points meanwhile. So the array is two sorted
 * runs, and who needs the order walks over both at once (lode__pair_walk). */
#ifndef LODE_COLLIDE_PAIRS_H
#define LODE_COLLIDE_PAIRS_H

#include "core/arena.h"

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
    uint32_t young;    /* of them, the last: sorted among themselves */
    uint32_t unmerged; /* moved shapes since the last merge, counted with repetition */
    uint32_t added;    /* new pairs since then */
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

/* A walk over a range of the old pairs and a range of the young ones, in the order of keys. */
typedef struct lode__pair_walk {
    uint32_t old, old_end, young, young_end; /* indices */
} lode__pair_walk;

static inline lode__pair_walk lode__pairs_walk(const lode__pairs *pairs)
{
    uint32_t old = pairs->count - pairs->young;
    return (lode__pair_walk){0, old, old, pairs->count};
}

/* The next pair, or null at the end. */
static inline lode__pair *lode__pairs_next(const lode__pairs *pairs, lode__pair_walk *walk)
{
    bool more_old = walk->old < walk->old_end, more_young = walk->young < walk->young_end;
    if (more_old &&
        (!more_young || pairs->items[walk->old].key < pairs->items[walk->young].key))
        return &pairs->items[walk->old++];
    return more_young ? &pairs->items[walk->young++] : NULL;
}

/* The index of the first pair of begin..end-1, a sorted range, whose key is not below `least`;
 * `end` if there is none. */
static inline uint32_t lode__pairs_find(const lode__pairs *pairs, uint32_t begin, uint32_t end,
                                        uint64_t least)
{
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (pairs->items[middle].key < least)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* All keys of so many lists, in order, from the arena; null when one has failed, or out of memory.
 */
uint64_t *lode__pair_lists_sort(const lode__pair_list *lists, uint32_t count, lode__arena *arena,
                                uint32_t *out_total);

/* Sorts the young in among the others; `scratch` has room for them. */
void lode__pairs_fold(lode__pairs *pairs, lode__pair *scratch);

void lode__pairs_free(lode__pairs *pairs);
size_t lode__pairs_bytes(const lode__pairs *pairs);

#endif
