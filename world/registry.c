/* registry.c: the table of worlds, the only global state besides allocator and error hook.
 *
 * A handle must be recognised as stale without touching memory that its world may have given
 * back, from any thread, while other threads create and destroy worlds of their own. So the table
 * is static; lookups read three atomics and take no lock; the lock serialises creation and
 * destruction alone.
 *
 * Entries are used again, and the objects of the next world get the same slots. Handles of the
 * old ones stay stale because generations go on where the old world stopped: each entry knows
 * the first generation of its present (or next) world, which lies above all that were handed out
 * before. A lookup refuses lower generations before it reads the world, so that a stale handle
 * never makes one thread look into a world that another thread is changing. An entry whose
 * generations run low is not used again; half of them are left for its last world to churn
 * through, and slots of a pool that run out retire one by one. */
#include "world/registry.h"

#include "core/os.h"

enum { LAST_FIRST_GENERATION = LODE__MAX_GENERATION / 2 };

lode__registry_entry lode__registry_entries[LODE__NO_ENTRY];
static uint32_t lowest_free; /* no entry below it is free */

static uint32_t first_generation_of(lode__registry_entry *e)
{
    uint32_t first = atomic_load_explicit(&e->first_generation, memory_order_relaxed);
    return first ? first : 1;
}

static bool is_free(lode__registry_entry *e)
{
    return !e->reserved && first_generation_of(e) <= LAST_FIRST_GENERATION;
}

uint32_t lode__registry_reserve(uint32_t *out_first_generation)
{
    lode__os_lock();
    while (lowest_free < LODE__NO_ENTRY && !is_free(&lode__registry_entries[lowest_free]))
        ++lowest_free;
    uint32_t taken = lowest_free;
    if (taken < LODE__NO_ENTRY) {
        lode__registry_entries[taken].reserved = true;
        *out_first_generation = first_generation_of(&lode__registry_entries[taken]);
    }
    lode__os_unlock();
    return taken;
}

uint64_t lode__registry_publish(uint32_t index, lode__world *world)
{
    lode__registry_entry *e = &lode__registry_entries[index];
    lode__os_lock();
    uint64_t id = (uint64_t)(index + 1) << 48 | ++e->serial;
    atomic_store_explicit(&e->world, world, memory_order_relaxed);
    atomic_store_explicit(&e->id, id, memory_order_release);
    lode__os_unlock();
    return id;
}

void lode__registry_release(uint32_t index, uint32_t top_generation)
{
    lode__registry_entry *e = &lode__registry_entries[index];
    lode__os_lock();
    atomic_store_explicit(&e->id, 0, memory_order_relaxed);
    atomic_store_explicit(&e->world, NULL, memory_order_relaxed);
    if (top_generation >= first_generation_of(e))
        atomic_store_explicit(&e->first_generation, top_generation + 1, memory_order_release);
    e->reserved = false;
    if (index < lowest_free)
        lowest_free = index;
    lode__os_unlock();
}

lode__world *lode__registry_world(uint64_t world_id)
{
    uint32_t index = id_entry(world_id);
    if (index >= LODE__NO_ENTRY ||
        atomic_load_explicit(&lode__registry_entries[index].id, memory_order_acquire) != world_id)
        return NULL;
    return atomic_load_explicit(&lode__registry_entries[index].world, memory_order_relaxed);
}
