/* memory.c: the allocator hook and the two calls that all heap memory passes through.
 *
 * The allocator is one of the two things in Lode that are global (the other is the error hook).
 * It may change only while no world or shared geometry exists, because memory must go back where it
 * came from: those count themselves here. A block's size is known to whoever frees it, so nothing
 * is stored beside a block.
 *
 * The default is mimalloc's mi_malloc_aligned and mi_free, or libc: sanitizers see the blocks of
 * libc only, and Debian's shared mimalloc replaces the host program's malloc. */
#include "core/memory.h"

#include "core/error.h"

#include <stdatomic.h>
#include <string.h>

#if defined(LODE_MIMALLOC)
#include <mimalloc.h>
#elif defined(_WIN32)
#include <malloc.h>
#else
#include <stdlib.h>
#endif

static void *default_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
#if defined(LODE_MIMALLOC)
    return mi_malloc_aligned(size, alignment);
#elif defined(_WIN32)
    return _aligned_malloc(size, alignment);
#else
    /* C asks for a multiple of the alignment */
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
#endif
}

static void default_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
#if defined(LODE_MIMALLOC)
    mi_free(memory);
#elif defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

static const lode_allocator default_allocator = {NULL, default_alloc, default_free};
static lode_allocator allocator = {NULL, default_alloc, default_free};
static atomic_int users;

void lode__memory_users(int change)
{
    atomic_fetch_add(&users, change);
}

lode_status lode_set_allocator(const lode_allocator *replacement)
{
    if (replacement && (!replacement->alloc || !replacement->free))
        return lode__error(LODE_ERROR_ARGUMENT, __func__, "allocator",
                           "must have both an alloc and a free function");
    if (atomic_load(&users) > 0)
        return lode__error(LODE_ERROR_STATE, __func__, "",
                           "not while a world or shared geometry exists");
    allocator = replacement ? *replacement : default_allocator;
    return LODE_OK;
}

void *lode__alloc(size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX - LODE__ALIGNMENT)
        return NULL;
    return allocator.alloc(allocator.user, size, LODE__ALIGNMENT);
}

void lode__free(void *memory, size_t size)
{
    if (memory)
        allocator.free(allocator.user, memory, size);
}

/* The array's pointer is read and written as bytes, since it is a pointer to some other type. */
bool lode__grow(void **array, uint32_t *capacity, uint32_t count, size_t element_size)
{
    if (count <= *capacity)
        return true;
    uint32_t larger = *capacity < 8 ? 16 : *capacity > UINT32_MAX / 2 ? UINT32_MAX : *capacity * 2;
    if (larger < count)
        larger = count;
    void *old, *grown = NULL;
    memcpy(&old, array, sizeof old);
    if (larger <= SIZE_MAX / element_size)
        grown = lode__alloc(larger * element_size);
    if (!grown)
        return false;
    if (old)
        memcpy(grown, old, *capacity * element_size);
    lode__free(old, *capacity * element_size);
    memcpy(array, &grown, sizeof grown);
    *capacity = larger;
    return true;
}
