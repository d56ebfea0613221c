/* heap.c: see heap.h. */
#include "core/heap.h"

#include <string.h>

static char *at(const lode__heap *heap, int i)
{
    return heap->items + (size_t)i * heap->size;
}

static void put(lode__heap *heap, int i, const void *item)
{
    memcpy(at(heap, i), item, heap->size);
}

/* Puts `item` where the place `i` of the first `count` leads to, downwards. */
static void sift_down(lode__heap *heap, int count, int i, const void *item)
{
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap->before(at(heap, child), at(heap, child + 1)))
            ++child;
        if (!heap->before(item, at(heap, child)))
            break;
        put(heap, i, at(heap, child));
    }
    put(heap, i, item);
}

static void sift_up(lode__heap *heap, int i, const void *item)
{
    for (; i > 0 && heap->before(at(heap, (i - 1) / 2), item); i = (i - 1) / 2)
        put(heap, i, at(heap, (i - 1) / 2));
    put(heap, i, item);
}

bool lode__heap_wants(const lode__heap *heap, const void *item)
{
    return heap->kept < heap->capacity || (heap->capacity > 0 && heap->before(item, heap->items));
}

void lode__heap_offer(lode__heap *heap, const void *item)
{
    ++heap->offered;
    if (heap->kept < heap->capacity) {
        ++heap->kept;
        sift_up(heap, heap->kept - 1, item);
    } else if (lode__heap_wants(heap, item)) {
        sift_down(heap, heap->kept, 0, item);
    }
}

void lode__heap_sort(lode__heap *heap)
{
    char last[LODE__HEAP_ITEM];
    for (int end = heap->kept - 1; end > 0; --end) {
        memcpy(last, at(heap, end), heap->size);
        put(heap, end, heap->items);
        sift_down(heap, end, 0, last);
    }
}
