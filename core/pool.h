/* pool.h: slots for life, components in chunks that never move.
 *
 * A pool holds objects of one kind. Each object is a slot; each of its components lies in an
 * array of its own. Arrays come in chunks of 256 lines, and a chunk never moves, so a pointer to
 * a line stays valid until its slot is freed.
 *
 * A kind is declared once, by a list macro; the typed chunk, its accessors and the table that
 * growth, hash, comparison, snapshot and memory reports walk all come from that list:
 *
 *     #define LODE__BODY_COMPONENTS(X) \
 *         X(pose,     lode__pose,     LODE__SAVED,     LODE__HOT) \
 *         X(name,     const char *,   LODE__TRANSIENT, LODE__COLD)
 *     LODE__POOL_DECLARE(body, LODE__BODY_COMPONENTS)
 *
 * gives the chunk's type, and LODE__AT(body, pool, pose, slot), the address of one line.
 *
 * Invariants. A new object gets the lowest free slot, so which slots are used depends on what
 * lives, not on the order in which others died. A slot's generation, 24 bits and never zero,
 * rises each time the slot is freed; a slot whose generation would wrap is never used again. */
#ifndef LODE_CORE_POOL_H
#define LODE_CORE_POOL_H

#include "core/bits.h"
#include "core/memory.h"
#include "lode/types.h"

enum {
    LODE__CHUNK_SHIFT = 8,
    LODE__CHUNK = 1 << LODE__CHUNK_SHIFT,
    LODE__CHUNK_MASK = LODE__CHUNK - 1,
    LODE__NONE = 0xffffff, /* no slot: the largest 24-bit value is never handed out */
    LODE__MAX_GENERATION = 0xffffff
};

/* What becomes of a component: saved ones are state, hashed and in snapshots; carried ones are in
 * snapshots only; transient ones are the business of a step, or follow from the others. */
enum { LODE__TRANSIENT, LODE__SAVED, LODE__CARRIED };
enum { LODE__COLD, LODE__HOT, LODE__LEFT }; /* few have one: left as it was in a new slot */

typedef struct lode__component {
    const char *name;
    uint32_t offset; /* of the array in the chunk */
    uint32_t size;   /* of one line */
    uint8_t keeping, hot;
} lode__component;

typedef struct lode__pool_kind {
    const char *name;
    const lode__component *components;
    int component_count;
    size_t chunk_size;
} lode__pool_kind;

/* Every chunk begins with this. */
typedef struct lode__chunk {
    _Alignas(64) uint32_t generation[LODE__CHUNK];
} lode__chunk;

typedef struct lode__pool {
    const lode__pool_kind *kind;
    lode__chunk **chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t count;            /* live objects */
    uint32_t end;              /* one past the highest live slot */
    uint32_t first_free;       /* no slot below it is free */
    uint32_t first_generation; /* of slots never used before */
    uint32_t past_generation;  /* the highest handed out before the pool was set back */
    lode__bits alive;
    lode__bits retired; /* slots whose generations are used up */
    uint32_t retired_count;
} lode__pool;

void lode__pool_init(lode__pool *pool, const lode__pool_kind *kind, uint32_t first_generation);
void lode__pool_free(lode__pool *pool);

/* Makes room so that the next `count` additions cannot fail. False: out of memory, nothing
 * changed. */
bool lode__pool_reserve(lode__pool *pool, uint32_t count);

/* Makes room for slots 0..count-1. False: out of memory, nothing changed. */
bool lode__pool_reserve_slots(lode__pool *pool, uint32_t count);

/* Takes the lowest free slot with all components zeroed but those that are left; LODE__NONE when
 * out of memory. */
uint32_t lode__pool_add(lode__pool *pool);

/* The same for many at once, in rising order, whose lines still hold anything: each slot's must be
 * cleared before they are used, on any thread. Room for them must be reserved. */
void lode__pool_add_many(lode__pool *pool, uint32_t count, uint32_t *out_slots);
void lode__pool_clear(const lode__pool *pool, uint32_t slot);

/* Frees a live slot; its handles become stale. */
void lode__pool_remove(lode__pool *pool, uint32_t slot);

/* The highest generation that was ever handed out, one below the first if none was: the next user
 * of these ids starts above it. */
uint32_t lode__pool_top_generation(const lode__pool *pool);

/* Folds all saved components of all live slots, slots and generations into `seed`. */
uint64_t lode__pool_hash(const lode__pool *pool, uint64_t seed);

size_t lode__pool_bytes(const lode__pool *pool);

/* Aborts when counts, bits and generations contradict each other. */
void lode__pool_validate(const lode__pool *pool);

static inline uint32_t lode__pool_generation(const lode__pool *pool, uint32_t slot)
{
    return pool->chunks[slot >> LODE__CHUNK_SHIFT]->generation[slot & LODE__CHUNK_MASK];
}

/* True when `slot` is live and of this generation; any values are safe to ask about. */
static inline bool lode__pool_holds(const lode__pool *pool, uint32_t slot, uint32_t generation)
{
    return slot < pool->end && lode__bits_get(&pool->alive, slot) &&
           lode__pool_generation(pool, slot) == generation;
}

#define LODE__POOL_FIELD(name, type, keeping, heat) type name[LODE__CHUNK];
#define LODE__POOL_ROW_(chunk, name, type, keeping, heat) \
    {#name, (uint32_t)offsetof(chunk, name), (uint32_t)sizeof(type), keeping, heat},

/* The typed chunk of a kind, and the chunk that holds a slot. */
#define LODE__POOL_DECLARE(kind, LIST) \
    typedef struct lode__##kind##_chunk { \
        lode__chunk chunk; \
        LIST(LODE__POOL_FIELD) \
    } lode__##kind##_chunk; \
    extern const lode__pool_kind lode__##kind##_kind; \
    static inline lode__##kind##_chunk *lode__##kind##_chunk_of(const lode__pool *pool, \
                                                                uint32_t slot) \
    { \
        return (lode__##kind##_chunk *)pool->chunks[slot >> LODE__CHUNK_SHIFT]; \
    }

/* LODE__AT(kind, pool, component, slot): the address of one line. */
#define LODE__AT(kind, pool, component, slot) \
    (&lode__##kind##_chunk_of(pool, slot)->component[(slot)&LODE__CHUNK_MASK])

/* Defines the table of a declared kind, in one .c file: the list's rows need the chunk's type, so
 * the caller names a row macro of its own:
 *     #define ROW(...) LODE__POOL_ROW_(lode__body_chunk, __VA_ARGS__)
 *     LODE__POOL_DEFINE(body, LODE__BODY_COMPONENTS, ROW) */
#define LODE__POOL_DEFINE(kind, LIST, ROW) \
    _Static_assert(_Alignof(lode__##kind##_chunk) <= LODE__ALIGNMENT, "as memory comes"); \
    static const lode__component kind##_components[] = {LIST(ROW)}; \
    const lode__pool_kind lode__##kind##_kind = { \
        #kind, kind##_components, (int)(sizeof kind##_components / sizeof kind##_components[0]), \
        sizeof(lode__##kind##_chunk)};

#endif
