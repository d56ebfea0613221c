/* slabs.c: see slabs.h.
 *
 * What was given back waits in a list of its size. The first region is small: many worlds are. All
 * regions go when nothing is left in them. Sanitizers see each object by itself. */
#include "ode/slabs.h"

#include "core/memory.h"
#include "core/os.h"
#include "ode/memory.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define ALONE true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALONE true
#endif
#endif
#ifndef ALONE
#define ALONE false
#endif

enum { LINE = 64, SIZES = 24 };
enum { SMALL = 64 * 1024, PAGE = 2 * 1024 * 1024, LARGE = 2 * PAGE };

/* It lies at the beginning of its block, before what it gives. */
typedef struct region {
    struct region *next;
    size_t block; /* bytes, this record among them */
    char *at, *begin, *end;
} region;

/* One that was given back. */
typedef struct vacancy {
    struct vacancy *next;
} vacancy;

static struct {
    region *regions; /* the newest first */
    size_t sizes[SIZES];
    vacancy *vacant[SIZES]; /* of a size */
    int size_count;
    size_t living;
} slabs;

/* --- regions */

static char *round_up(const void *at, size_t to)
{
    return (char *)(((uintptr_t)at + to - 1) / to * to);
}

static region *add_region(void)
{
    const bool first = !slabs.regions;
    const size_t bytes = first ? SMALL : LARGE, alignment = first ? LINE : PAGE;
    const size_t block = bytes + alignment + sizeof(region);
    region *made = lode__alloc(block);
    if (!made)
        return NULL;
    char *begin = round_up(made + 1, alignment);
    *made = (region){slabs.regions, block, begin, begin, begin + bytes};
    if (first)
        lode__memory_users(1);
    else
        lode__os_large_pages(begin, bytes);
    return slabs.regions = made;
}

static void free_regions(void)
{
    for (region *r = slabs.regions, *next; r; r = next) {
        next = r->next;
        lode__free(r, r->block);
    }
    slabs.regions = NULL;
    slabs.size_count = 0;
    lode__memory_users(-1);
}

static bool is_ours(const void *memory)
{
    const char *at = memory;
    for (const region *r = slabs.regions; r; r = r->next)
        if (at >= r->begin && at < r->end)
            return true;
    return false;
}

/* --- sizes */

static size_t whole_lines(size_t size)
{
    return (size + LINE - 1) / LINE * LINE;
}

/* The number of a size, given in whole lines; -1: there are too many. */
static int number_of(size_t size)
{
    int i = 0;
    while (i < slabs.size_count && slabs.sizes[i] != size)
        ++i;
    if (i == SIZES)
        return -1;
    if (i == slabs.size_count) {
        slabs.sizes[i] = size;
        slabs.vacant[i] = NULL;
        ++slabs.size_count;
    }
    return i;
}

static void *take(size_t size)
{
    const int number = size <= SMALL / 2 ? number_of(size) : -1;
    if (number < 0)
        return NULL;
    vacancy *vacant = slabs.vacant[number];
    if (vacant) {
        slabs.vacant[number] = vacant->next;
        return vacant;
    }
    region *r = slabs.regions;
    if ((!r || (size_t)(r->end - r->at) < size) && !(r = add_region()))
        return NULL;
    void *memory = r->at;
    r->at += size;
    return memory;
}

/* --- all */

void *lode__ode_slab_take(size_t size)
{
    if (ALONE || dGetAllocHandler())
        return dAlloc(size);
    lode__os_lock();
    void *memory = take(whole_lines(size));
    slabs.living += memory != NULL;
    lode__os_unlock();
    return memory ? memory : dAlloc(size);
}

void lode__ode_slab_give(void *memory, size_t size)
{
    lode__os_lock();
    const bool ours = is_ours(memory);
    if (ours) {
        vacancy **vacant = &slabs.vacant[number_of(whole_lines(size))];
        vacancy *own = memory;
        own->next = *vacant;
        *vacant = own;
        if (--slabs.living == 0)
            free_regions();
    }
    lode__os_unlock();
    if (!ours)
        dFree(memory, size);
}
