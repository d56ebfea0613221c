/* arena.h: per-step scratch. Memory is taken from the front and given back all at once; what one
 * step needed in several pieces, the next finds in one, so that after warm-up a step does not
 * touch the heap. Not thread-safe: one thread takes, others may use. */
#ifndef LODE_CORE_ARENA_H
#define LODE_CORE_ARENA_H

#include <stddef.h>

typedef struct lode__arena_block lode__arena_block;

typedef struct lode__arena {
    lode__arena_block *blocks; /* newest first */
    size_t used;               /* of the newest block */
    size_t taken, peak;        /* bytes since the last reset, and the most ever */
} lode__arena;

void lode__arena_free(lode__arena *arena);

/* Gives everything back. Merges several blocks into one; if that fails the newest stays. */
void lode__arena_reset(lode__arena *arena);

/* 64-byte aligned, not zeroed. Null when out of memory; size 0 returns a valid pointer. */
void *lode__arena_take(lode__arena *arena, size_t size);
void *lode__arena_take_zeroed(lode__arena *arena, size_t size);

/* A place in the order of taking. */
typedef struct lode__arena_mark {
    lode__arena_block *block;
    size_t used, taken;
} lode__arena_mark;

static inline lode__arena_mark lode__arena_mark_now(const lode__arena *arena)
{
    return (lode__arena_mark){arena->blocks, arena->used, arena->taken};
}

/* Gives back what was taken since the mark, which must be later than the last reset. */
void lode__arena_rollback(lode__arena *arena, lode__arena_mark mark);

size_t lode__arena_bytes(const lode__arena *arena);

#define LODE__TAKE(arena, type, count) \
    ((type *)lode__arena_take((arena), (size_t)(count) * sizeof(type)))
#define LODE__TAKE_ZEROED(arena, type, count) \
    ((type *)lode__arena_take_zeroed((arena), (size_t)(count) * sizeof(type)))

#endif
