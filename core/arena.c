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

enum { ALIGNMENT = LODE__ARENA_ALIGNMENT, MIN_BLOCK = 64 * 1024 };

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

/* The newest block is another, of which so much has been taken. */
static void turn_to(lode__arena *arena, lode__arena_block *block, size_t used)
{
    arena->blocks = block;
    arena->memory = block ? (char *)(block + 1) : NULL;
    arena->size = block ? block->size : 0;
    arena->used = used;
}

/* Before what was taken is given back. */
static void keep_peak(lode__arena *arena)
{
    size_t taken = lode__arena_taken(arena);
    arena->peak = taken > arena->peak ? taken : arena->peak;
}

void lode__arena_free(lode__arena *arena)
{
    blocks_free(arena->blocks, NULL);
    *arena = (lode__arena){0};
}

void lode__arena_reset(lode__arena *arena)
{
    lode__arena_block *newest = arena->blocks;
    keep_peak(arena);
    if (newest && (newest->next || newest->size < arena->peak)) {
        size_t size = capacity(arena);
        lode__arena_block *merged = block_create(size < arena->peak ? arena->peak : size);
        blocks_free(merged ? newest : newest->next, NULL);
        newest = merged ? merged : newest;
        newest->next = NULL;
    }
    turn_to(arena, newest, 0);
    arena->older = 0;
}

void lode__arena_rollback(lode__arena *arena, lode__arena_mark mark)
{
    keep_peak(arena);
    blocks_free(arena->blocks, mark.block);
    turn_to(arena, mark.block, mark.used);
    arena->older = mark.older;
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
    arena->older += arena->used;
    turn_to(arena, block, 0);
    return true;
}

void *lode__arena_take_more(lode__arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT ||
        !add_block(arena, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT))
        return NULL;
    return lode__arena_take(arena, size);
}

size_t lode__arena_bytes(const lode__arena *arena)
{
    size_t bytes = capacity(arena);
    for (const lode__arena_block *block = arena->blocks; block; block = block->next)
        bytes += sizeof *block;
    return bytes;
}
