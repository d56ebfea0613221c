/* alloc_fail.c: see alloc_fail.h. Each block is preceded by its size and a mark. */
#include "tests/support/alloc_fail.h"

#include "lode/setup.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block_header {
    size_t size, alignment;
    uint64_t mark;
} block_header;

static const uint64_t MARK_LIVE = UINT64_C(0x11feb10c11feb10c);
static const uint64_t MARK_FREED = UINT64_C(0xdeadb10cdeadb10c);

static atomic_long calls, live, countdown;
static atomic_size_t live_bytes;
static atomic_bool happened;

static void defect(const char *what, size_t asked, size_t given)
{
    fprintf(stderr, "alloc_fail: %s (allocated as %zu bytes, freed as %zu)\n", what, asked, given);
    abort();
}

static void *counting_alloc(void *user, size_t size, size_t alignment)
{
    (void)user;
    if (size == 0 || alignment < 16 || (alignment & (alignment - 1)))
        defect("bad request", size, alignment);
    atomic_fetch_add(&calls, 1);
    if (atomic_fetch_sub(&countdown, 1) == 0) {
        atomic_store(&happened, true);
        return NULL;
    }
    size_t front = alignment < 32 ? 32 : alignment; /* keeps the alignment behind the header */
    if (size > SIZE_MAX - 2 * front)
        return NULL;
    char *base = aligned_alloc(front, front + ((size + front - 1) & ~(front - 1)));
    if (!base)
        return NULL;
    char *memory = base + front;
    *((block_header *)memory - 1) = (block_header){size, front, MARK_LIVE};
    memset(memory, 0xa5, size);
    atomic_fetch_add(&live, 1);
    atomic_fetch_add(&live_bytes, size);
    return memory;
}

static void counting_free(void *user, void *memory, size_t size)
{
    (void)user;
    block_header *header = (block_header *)memory - 1;
    if (header->mark != MARK_LIVE)
        defect(header->mark == MARK_FREED ? "freed twice" : "not ours", 0, size);
    if (header->size != size)
        defect("wrong size", header->size, size);
    header->mark = MARK_FREED;
    memset(memory, 0xdd, size);
    atomic_fetch_sub(&live, 1);
    atomic_fetch_sub(&live_bytes, size);
    free((char *)memory - header->alignment);
}

void alloc_fail_install(void)
{
    const lode_allocator allocator = {NULL, counting_alloc, counting_free};
    atomic_store(&live, 0);
    atomic_store(&live_bytes, 0);
    alloc_fail_nth(-1);
    if (lode_set_allocator(&allocator) != LODE_OK)
        abort();
}

void alloc_fail_remove(void)
{
    if (lode_set_allocator(NULL) != LODE_OK)
        abort();
}

void alloc_fail_nth(long n)
{
    atomic_store(&calls, 0);
    atomic_store(&happened, false);
    atomic_store(&countdown, n < 0 ? -1 : n);
}

bool alloc_fail_happened(void)
{
    return atomic_load(&happened);
}

long alloc_fail_calls(void)
{
    return atomic_load(&calls);
}

long alloc_fail_live(void)
{
    return atomic_load(&live);
}

size_t alloc_fail_live_bytes(void)
{
    return atomic_load(&live_bytes);
}
