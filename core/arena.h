/* arena.h: per-step scratch. Memory is taken from the front and given back all at once; what one
 * step needed in several pieces, the next finds in one, so that after warm-up a step does not
 * touch the heap. Not thread-safe: one thread takes, others may use. */
#ifndef LODE_CORE_ARENA_H
#define LODE_CORE_ARENA_H

#include <stddef.h>
#include <string.h>

enum { LODE__ARENA_ALIGNMENT = 64 };

typedef struct lode__arena_block lode__arena_block;

/* Sizes are whole multiples of the alignment. */
typedef struct lode__arena {
    lode__arena_block *blocks; /* newest first */
    char *memory;              /* of the newest block, */
    size_t size, used;         /* all of it, and what was taken */
    size_t older;              /* taken of blocks before it since the last reset */
    size_t peak;               /* the most ever taken before a reset or rollback */
} lode__arena;

/* Bytes since the last reset. */
static inline size_t lode__arena_taken(const lode__arena *arena)
{
    return arena->older + arena->used;
}

void lode__arena_free(lode__arena *arena);

/* Gives everything back. Merges several blocks into one; if that fails the newest stays. */
void lode__arena_reset(lode__arena *arena);

/* From a new block. */
void *lode__arena_take_more(lode__arena *arena, size_t size);

/* 64-byte aligned, not zeroed. Null when out of memory; size 0 returns a valid pointer. */
static inline void *lode__arena_take(lode__arena *arena, size_t size)
{
    const size_t least = size + (size == 0);
    if (__builtin_expect(arena->size - arena->used < least, 0))
        return lode__arena_take_more(arena, least);
    const size_t whole = (least + LODE__ARENA_ALIGNMENT - 1) & ~(size_t)(LODE__ARENA_ALIGNMENT - 1);
    void *memory = arena->memory + arena->used;
    arena->used += whole;
#if LODE_CHECKS >= 3
    memset(memory, 0xa5, whole); /* whoever reads it before writing it will notice */
#endif
    return memory;
}

static inline void *lode__arena_take_zeroed(lode__arena *arena, size_t size)
{
    void *memory = lode__arena_take(arena, size);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

/* A place in the order of taking. */
typedef struct lode__arena_mark {
    lode__arena_block *block;
    size_t used, older;
} lode__arena_mark;

static inline lode__arena_mark lode__arena_mark_now(const lode__arena *arena)
{
    return (lode__arena_mark){arena->blocks, arena->used, arena->older};
}

/* Gives back what was taken since the mark, which must be later than the last reset. */
void lode__arena_rollback(lode__arena *arena, lode__arena_mark mark);

size_t lode__arena_bytes(const lode__arena *arena);

#define LODE__TAKE(arena, type, count) \
    ((type *)lode__arena_take((arena), (size_t)(count) * sizeof(type)))
#define LODE__TAKE_ZEROED(arena, type, count) \
    ((type *)lode__arena_take_zeroed((arena), (size_t)(count) * sizeof(type)))

#endif
