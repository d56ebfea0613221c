/* joined.c: see joined.h. */
#include "world/joined.h"

#include "core/memory.h"

#include <string.h>

/* Slots are 24 bits. A pair's own entry is of kind 0, that of a type of kind type + 1. */
static uint64_t key_of(uint32_t body_a, uint32_t body_b, uint32_t kind)
{
    uint64_t low = body_a < body_b ? body_a : body_b, high = body_a < body_b ? body_b : body_a;
    return high << 40 | low << 16 | kind; /* not 0: the higher slot is above another */
}

static uint32_t place_of(const lode__joined *joined, uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio, odd */
    return (uint32_t)(mixed >> 32) & (joined->capacity - 1);
}

/* The entry of the key, or the one that it would get; there must be some. */
static lode__joined_entry *find(const lode__joined *joined, uint64_t key)
{
    uint32_t at = place_of(joined, key);
    while (joined->entries[at].key && joined->entries[at].key != key)
        at = (at + 1) & (joined->capacity - 1);
    return &joined->entries[at];
}

/* ---- memory ---- */

void lode__joined_free(lode__joined *joined)
{
    lode__free(joined->entries, joined->capacity * sizeof *joined->entries);
}

size_t lode__joined_bytes(const lode__joined *joined)
{
    return joined->capacity * sizeof *joined->entries;
}

bool lode__joined_reserve(lode__joined *joined, uint32_t joints)
{
    uint64_t wanted = 2 * (joined->count + 2 * (uint64_t)joints), capacity = 16;
    if (wanted <= joined->capacity)
        return true;
    while (capacity < wanted)
        capacity *= 2;
    lode__joined to = *joined;
    to.capacity = (uint32_t)capacity;
    to.entries = capacity <= UINT32_MAX ? lode__alloc(to.capacity * sizeof *to.entries) : NULL;
    if (!to.entries)
        return false;
    memset(to.entries, 0, to.capacity * sizeof *to.entries);
    for (uint32_t i = 0; i < joined->capacity; ++i)
        if (joined->entries[i].key)
            *find(&to, joined->entries[i].key) = joined->entries[i];
    lode__joined_free(joined);
    *joined = to;
    return true;
}

void lode__joined_clear(lode__joined *joined)
{
    if (joined->count > 0)
        memset(joined->entries, 0, joined->capacity * sizeof *joined->entries);
    joined->count = joined->forbid_count = 0;
}

/* ---- in and out ---- */

static void count_up(lode__joined *joined, uint64_t key, bool forbids)
{
    lode__joined_entry *entry = find(joined, key);
    joined->count += entry->key == 0;
    entry->key = key;
    ++entry->count;
    entry->forbid_count += forbids;
}

/* Closes the gap at an entry: those behind it that could be nearer to their places come up. */
static void drop(lode__joined *joined, uint32_t gap)
{
    uint32_t mask = joined->capacity - 1;
    for (uint32_t at = (gap + 1) & mask; joined->entries[at].key; at = (at + 1) & mask) {
        uint32_t place = place_of(joined, joined->entries[at].key);
        if (((at - place) & mask) < ((at - gap) & mask))
            continue;
        joined->entries[gap] = joined->entries[at];
        gap = at;
    }
    joined->entries[gap] = (lode__joined_entry){0};
    --joined->count;
}

static void count_down(lode__joined *joined, uint64_t key, bool forbids)
{
    lode__joined_entry *entry = find(joined, key);
    --entry->count;
    entry->forbid_count -= forbids;
    if (entry->count == 0)
        drop(joined, (uint32_t)(entry - joined->entries));
}

void lode__joined_add(lode__joined *joined, lode__joined_by joint)
{
    count_up(joined, key_of(joint.body_a, joint.body_b, 0), joint.forbids);
    count_up(joined, key_of(joint.body_a, joint.body_b, joint.type + 1), false);
    joined->forbid_count += joint.forbids;
}

void lode__joined_remove(lode__joined *joined, lode__joined_by joint)
{
    count_down(joined, key_of(joint.body_a, joint.body_b, 0), joint.forbids);
    count_down(joined, key_of(joint.body_a, joint.body_b, joint.type + 1), false);
    joined->forbid_count -= joint.forbids;
}

/* ---- questions ---- */

uint32_t lode__joined_count(const lode__joined *joined, uint32_t body_a, uint32_t body_b)
{
    return joined->count > 0 ? find(joined, key_of(body_a, body_b, 0))->count : 0;
}

uint32_t lode__joined_count_of(const lode__joined *joined, uint32_t body_a, uint32_t body_b,
                               uint32_t type)
{
    return joined->count > 0 ? find(joined, key_of(body_a, body_b, type + 1))->count : 0;
}

uint64_t lode__joined_total(const lode__joined *joined)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < joined->capacity; ++i)
        total += joined->entries[i].count;
    return total;
}

bool lode__joined_forbid(const lode__joined *joined, uint32_t body_a, uint32_t body_b)
{
    return joined->forbid_count > 0 && find(joined, key_of(body_a, body_b, 0))->forbid_count > 0;
}
