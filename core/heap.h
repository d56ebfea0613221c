/* heap.h: the first few of many things, in an array of the caller's.
 *
 * Things are offered in any order. The array holds those that come first, as a heap (Williams 1964)
 * with the last of them on top, which gives way to one before it; lode__heap_sort() then puts them
 * in order. No memory is taken. */
#ifndef LODE_CORE_HEAP_H
#define LODE_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Does *a come before *b? */
typedef bool lode__before_fn(const void *a, const void *b);

typedef struct lode__heap {
    char *items;
    size_t size; /* of an item, at most LODE__HEAP_ITEM */
    lode__before_fn *before;
    int capacity, kept;
    int offered; /* all that there were */
} lode__heap;

enum { LODE__HEAP_ITEM = 256 };

/* False if there is no room and nothing kept comes after the item. */
bool lode__heap_wants(const lode__heap *heap, const void *item);

/* Offers an item, which is copied if it is wanted. */
void lode__heap_offer(lode__heap *heap, const void *item);

/* The array is then in order, and no heap any more. */
void lode__heap_sort(lode__heap *heap);

#endif
