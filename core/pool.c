/* pool.c: slots, generations and chunks of any kind; see pool.h.
 *
 * Which slots are in use is two bit sets: alive, and retired (their generations are used up). A
 * chunk, its place in the list of chunks and its bits are all there before a slot of it is handed
 * out, so removing never needs memory and a failed growth leaves nothing behind. */
#include "core/pool.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

void lode__pool_init(lode__pool *pool, const lode__pool_kind *kind, uint32_t first_generation)
{
    LODE__ASSERT(first_generation > 0 && first_generation <= LODE__MAX_GENERATION);
    *pool = (lode__pool){.kind = kind, .first_generation = first_generation};
}

/* Frees the chunks from the given one on. */
static void drop_chunks(lode__pool *pool, uint32_t from)
{
    for (uint32_t i = from; i < pool->chunk_count; ++i)
        lode__free(pool->chunks[i], pool->kind->chunk_size);
    pool->chunk_count = from;
}

void lode__pool_free(lode__pool *pool)
{
    drop_chunks(pool, 0);
    lode__free(pool->chunks, pool->chunk_capacity * sizeof(lode__chunk *));
    lode__bits_free(&pool->alive);
    lode__bits_free(&pool->retired);
    *pool = (lode__pool){.kind = pool->kind, .first_generation = pool->first_generation};
}

static bool add_chunk(lode__pool *pool)
{
    lode__chunk *chunk = lode__alloc(pool->kind->chunk_size);
    if (!chunk)
        return false;
    memset(chunk, 0, pool->kind->chunk_size);
    for (int i = 0; i < LODE__CHUNK; ++i)
        chunk->generation[i] = pool->first_generation;
    pool->chunks[pool->chunk_count++] = chunk;
    return true;
}

static bool grow_chunks(lode__pool *pool, uint32_t chunk_count)
{
    if (!lode__grow((void **)&pool->chunks, &pool->chunk_capacity, chunk_count,
                    sizeof(lode__chunk *)) ||
        !lode__bits_reserve(&pool->alive, chunk_count << LODE__CHUNK_SHIFT) ||
        !lode__bits_reserve(&pool->retired, chunk_count << LODE__CHUNK_SHIFT))
        return false;
    uint32_t before = pool->chunk_count;
    while (pool->chunk_count < chunk_count)
        if (!add_chunk(pool)) {
            drop_chunks(pool, before);
            return false;
        }
    return true;
}

bool lode__pool_reserve_slots(lode__pool *pool, uint32_t count)
{
    uint32_t chunk_count = (count + LODE__CHUNK_MASK) >> LODE__CHUNK_SHIFT;
    return chunk_count <= pool->chunk_count || grow_chunks(pool, chunk_count);
}

bool lode__pool_reserve(lode__pool *pool, uint32_t count)
{
    uint64_t slots = (uint64_t)pool->count + pool->retired_count + count;
    return slots <= LODE__NONE && lode__pool_reserve_slots(pool, (uint32_t)slots);
}

static uint32_t lowest_free(const lode__pool *pool)
{
    uint32_t slot = lode__bits_next_clear(&pool->alive, pool->first_free);
    while (lode__bits_get(&pool->retired, slot))
        slot = lode__bits_next_clear(&pool->alive, slot + 1);
    return slot;
}

void lode__pool_clear(const lode__pool *pool, uint32_t slot)
{
    char *chunk = (char *)pool->chunks[slot >> LODE__CHUNK_SHIFT];
    for (int i = 0; i < pool->kind->component_count; ++i) {
        const lode__component *component = &pool->kind->components[i];
        size_t line = (size_t)(slot & LODE__CHUNK_MASK) * component->size;
        if (component->hot != LODE__LEFT)
            memset(chunk + component->offset + line, 0, component->size);
    }
}

static void take_slot(lode__pool *pool, uint32_t slot)
{
    lode__bits_set(&pool->alive, slot);
    pool->count++;
    pool->first_free = slot + 1;
    if (pool->end <= slot)
        pool->end = slot + 1;
}

uint32_t lode__pool_add(lode__pool *pool)
{
    uint32_t slot = lowest_free(pool), chunk = slot >> LODE__CHUNK_SHIFT;
    if (slot >= LODE__NONE || (chunk >= pool->chunk_count && !grow_chunks(pool, chunk + 1)))
        return LODE__NONE;
    take_slot(pool, slot);
    lode__pool_clear(pool, slot);
    return slot;
}

void lode__pool_add_many(lode__pool *pool, uint32_t count, uint32_t *out_slots)
{
    for (uint32_t i = 0; i < count; ++i) {
        out_slots[i] = lowest_free(pool);
        take_slot(pool, out_slots[i]);
    }
}

void lode__pool_remove(lode__pool *pool, uint32_t slot)
{
    LODE__ASSERT(slot < pool->end && lode__bits_get(&pool->alive, slot));
    uint32_t *generation =
        &pool->chunks[slot >> LODE__CHUNK_SHIFT]->generation[slot & LODE__CHUNK_MASK];
    lode__bits_clear(&pool->alive, slot);
    pool->count--;
    if (++*generation > LODE__MAX_GENERATION) {
        lode__bits_set(&pool->retired, slot);
        pool->retired_count++;
    } else if (slot < pool->first_free) {
        pool->first_free = slot;
    }
    if (slot + 1 == pool->end)
        pool->end = lode__bits_end(&pool->alive);
}

uint32_t lode__pool_top_generation(const lode__pool *pool)
{
    uint32_t top = pool->first_generation - 1;
    top = top < pool->past_generation ? pool->past_generation : top;
    for (uint32_t slot = 0; slot < pool->chunk_count << LODE__CHUNK_SHIFT; ++slot) {
        bool alive = lode__bits_get(&pool->alive, slot);
        uint32_t generation = lode__pool_generation(pool, slot) - !alive;
        top = top < generation ? generation : top;
    }
    return top;
}

/* Generations count from the pool's first, so that equal worlds hash equal wherever the registry
 * has put them. */
static uint64_t hash_generations(const lode__pool *pool, uint64_t seed, const uint32_t *generation,
                                 uint32_t count)
{
    uint32_t age[LODE__CHUNK];
    for (uint32_t i = 0; i < count; ++i)
        age[i] = generation[i] - pool->first_generation;
    return lode__hash_bytes(seed, age, count * sizeof *age);
}

/* A run is a row of live slots within one chunk: its lines lie side by side. */
static uint64_t hash_run(const lode__pool *pool, uint64_t seed, uint32_t slot, uint32_t count)
{
    const lode__chunk *chunk = pool->chunks[slot >> LODE__CHUNK_SHIFT];
    size_t first = slot & LODE__CHUNK_MASK;
    uint64_t h = lode__hash_word(seed, (uint64_t)slot << 32 | count);
    h = hash_generations(pool, h, chunk->generation + first, count);
    for (int i = 0; i < pool->kind->component_count; ++i) {
        const lode__component *component = &pool->kind->components[i];
        const char *lines = (const char *)chunk + component->offset + first * component->size;
        if (component->keeping == LODE__SAVED)
            h = lode__hash_bytes(h, lines, (size_t)count * component->size);
    }
    return h;
}

uint64_t lode__pool_hash(const lode__pool *pool, uint64_t seed)
{
    uint64_t h = lode__hash_word(seed, pool->count);
    uint32_t slot = lode__bits_next(&pool->alive, 0);
    while (slot < pool->end) {
        uint32_t chunk_end = (slot | LODE__CHUNK_MASK) + 1;
        uint32_t end = lode__bits_next_clear(&pool->alive, slot);
        if (end > chunk_end)
            end = chunk_end;
        h = hash_run(pool, h, slot, end - slot);
        slot = lode__bits_next(&pool->alive, end);
    }
    return h;
}

size_t lode__pool_bytes(const lode__pool *pool)
{
    return pool->chunk_count * pool->kind->chunk_size +
           pool->chunk_capacity * sizeof(lode__chunk *) +
           ((size_t)pool->alive.word_count + pool->retired.word_count) * sizeof(uint64_t);
}

void lode__pool_validate(const lode__pool *pool)
{
    uint32_t slots = pool->chunk_count << LODE__CHUNK_SHIFT;
    LODE__ASSERT(pool->count == lode__bits_count(&pool->alive));
    LODE__ASSERT(pool->end == lode__bits_end(&pool->alive) && pool->end <= slots);
    LODE__ASSERT(pool->retired_count == lode__bits_count(&pool->retired));
    for (uint32_t slot = 0; slot < slots; ++slot) {
        uint32_t generation = lode__pool_generation(pool, slot);
        bool alive = lode__bits_get(&pool->alive, slot),
             over = lode__bits_get(&pool->retired, slot);
        LODE__ASSERT(!(alive && over) && (alive || over || slot >= pool->first_free));
        LODE__ASSERT(generation > 0 && generation <= (uint32_t)LODE__MAX_GENERATION + over);
    }
}
