/* registry.h: from handles to worlds.
 *
 * A handle is 64 bits by value. The world handle is (entry + 1) << 48 | serial; a handle of an
 * object is (entry + 1) << 48 | generation << 24 | slot. Zero is null. */
#ifndef LODE_WORLD_REGISTRY_H
#define LODE_WORLD_REGISTRY_H

#include "core/pool.h"

#include <stdatomic.h>

typedef struct lode__world lode__world;

enum { LODE__NO_ENTRY = 0xffff };

/* Takes the lowest free entry for a world in the making, which is not yet found by any handle.
 * Its pools must start at the generation returned. LODE__NO_ENTRY when all are in use. */
uint32_t lode__registry_reserve(uint32_t *out_first_generation);

/* From here on the world is found. Returns its handle's id. */
uint64_t lode__registry_publish(uint32_t entry, lode__world *world);

/* Gives the entry back; its handles are stale from here on. `top_generation` is the highest that
 * any pool of the world reached, or 0 when no object ever had a handle. */
void lode__registry_release(uint32_t entry, uint32_t top_generation);

/* One place of the table; registry.c says how it is used. */
typedef struct lode__registry_entry {
    _Atomic(lode__world *) world;      /* null: free or being made */
    _Atomic uint64_t id;               /* of the living world, or 0 */
    _Atomic uint32_t first_generation; /* of the present or next world; 0 means 1 */
    bool reserved;                     /* under the lock, like the rest */
    uint64_t serial;                   /* of the last world */
} lode__registry_entry;

extern lode__registry_entry lode__registry_entries[LODE__NO_ENTRY];

static inline uint32_t id_entry(uint64_t id)
{
    return (uint32_t)(id >> 48) - 1;
}
static inline uint32_t id_generation(uint64_t id)
{
    return (uint32_t)(id >> 24) & 0xffffff;
}
static inline uint32_t id_slot(uint64_t id)
{
    return (uint32_t)id & 0xffffff;
}

/* Null for ids of no living world. Neither reads the memory of a dead one. */
lode__world *lode__registry_world(uint64_t world_id);

static inline lode__world *lode__registry_world_of_object(uint64_t object_id)
{
    uint32_t index = id_entry(object_id);
    if (index >= LODE__NO_ENTRY)
        return NULL;
    lode__registry_entry *e = &lode__registry_entries[index];
    uint64_t id = atomic_load_explicit(&e->id, memory_order_acquire);
    uint32_t first = atomic_load_explicit(&e->first_generation, memory_order_relaxed);
    if (!id || id_generation(object_id) < (first ? first : 1))
        return NULL;
    return atomic_load_explicit(&e->world, memory_order_relaxed);
}

/* The living world of an entry, or null, for ids that are compared with those of its objects:
 * generations of two users of an entry have nothing in common. */
static inline lode__world *lode__registry_world_at(uint32_t index)
{
    if (index >= LODE__NO_ENTRY)
        return NULL;
    lode__registry_entry *e = &lode__registry_entries[index];
    return atomic_load_explicit(&e->id, memory_order_acquire)
               ? atomic_load_explicit(&e->world, memory_order_relaxed)
               : NULL;
}

static inline uint64_t id_of_object(uint32_t entry, const lode__pool *pool, uint32_t slot)
{
    return (uint64_t)(entry + 1) << 48 | (uint64_t)lode__pool_generation(pool, slot) << 24 | slot;
}

#endif
