/* arena.c: blocks in a chain, the newest in front; memory is taken from the newest.
 *
 * A new block holds at least half of what all others hold together, so a step that needs more and
 * more makes few of them. The reset that follows puts one block of their total size in their
 * place, or of all that was ever taken at a time, since a rollback may have freed some: a step like
 * the last one then runs in a single block and leaves the heap alone. */
#include "core/arena.h"

#include "core/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 64, MIN_BLOCK = 64 * 1024 };

struct lode__arena_block {
    _Alignas(ALIGNMENT) lode__arena_block *next; /* older */
    size_t size;                                 /* of the memory that follows */
};

static lode__arena_block *block_create(size_t size)
{
    if (size > SIZE_MAX - sizeof(lode__arena_block))
        return NULL;
    lode__arena_block *block = lode__alloc(sizeof *block + size);
    if (block)
        *block = (lode__arena_block){.size = size};
    return block;
}

/* Frees this block and all older ones up to `end`, which stays. */
static void blocks_free(lode__arena_block *block, const lode__arena_block *end)
{
    while (block != end) {
        lode__arena_block *next = block->next;
        lode__free(block, sizeof *block + block->size);
        block = next;
    }
}

/* Of the memory that can be taken, headers excluded. */
static size_t capacity(const lode__arena *arena)
{
    size_t bytes = 0;
    for (const lode__arena_block *block = arena->blocks; block; block = block->next)
        bytes += block->size;
    return bytes;
}

void lode__arena_free(lode__arena *arena)
{
    blocks_free(arena->blocks, NULL);
    *arena = (lode__arena){0};
}

void lode__arena_reset(lode__arena *arena)
{
    lode__arena_block *newest = arena->blocks;
    if (newest && (newest->next || newest->size < arena->peak)) {
        size_t size = capacity(arena);
        lode__arena_block *merged = block_create(size < arena->peak ? arena->peak : size);
        if (merged) {
            blocks_free(newest, NULL);
            arena->blocks = merged;
        } else {
            blocks_free(newest->next, NULL);
            newest->next = NULL;
        }
    }
    arena->used = 0;
    arena->taken = 0;
}

void lode__arena_rollback(lode__arena *arena, lode__arena_mark mark)
{
    blocks_free(arena->blocks, mark.block);
    arena->blocks = mark.block;
    arena->used = mark.used;
    arena->taken = mark.taken;
}

static bool add_block(lode__arena *arena, size_t needed)
{
    size_t size = capacity(arena) / 2;
    if (size < MIN_BLOCK)
        size = MIN_BLOCK;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    lode__arena_block *block = block_create(size < needed ? needed : size);
    if (!block)
        return false;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    return true;
}

void *lode__arena_take(lode__arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    size_t whole = size ? (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1) : ALIGNMENT;
    if (!arena->blocks || arena->blocks->size - arena->used < whole)
        if (!add_block(arena, whole))
            return NULL;
    void *memory = (char *)(arena->blocks + 1) + arena->used;
    arena->used += whole;
    arena->taken += whole;
    if (arena->peak < arena->taken)
        arena->peak = arena->taken;
#if LODE_CHECKS >= 3
    memset(memory, 0xa5, whole); /* whoever reads it before writing it will notice */
#endif
    return memory;
}

void *lode__arena_take_zeroed(lode__arena *arena, size_t size)
{
    void *memory = lode__arena_take(arena, size);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

size_t lode__arena_bytes(const lode__arena *arena)
{
    size_t bytes = capacity(arena);
    for (const lode__arena_block *block = arena->blocks; block; block = block->next)
        bytes += sizeof *block;
    return bytes;
}
