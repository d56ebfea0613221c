/* joined.h: which bodies are joined to which, by how many joints, in constant time.
 *
 * A table of pairs of bodies with counts, found by hash (open addressing, linear probing): of all
 * joints between the two, and of those that forbid them to touch; and for each type of joint that
 * there is between them one entry more, with the count of that type. So no question walks a list,
 * however many joints hang on a body. Nothing ever goes through the table from end to end, so no
 * result depends on where in it an entry is. */
#ifndef LODE_WORLD_JOINED_H
#define LODE_WORLD_JOINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lode__joined_entry {
    uint64_t key; /* 0: none */
    uint32_t count, forbid_count;
} lode__joined_entry;

typedef struct lode__joined {
    lode__joined_entry *entries;
    uint32_t capacity; /* 0, or a power of two, of which at most half is in use */
    uint32_t count;
    uint32_t forbid_count; /* joints that forbid their bodies to touch */
} lode__joined;

/* A joint as the table sees it. LODE__NONE, the world, may be one of the bodies. */
typedef struct lode__joined_by {
    uint32_t body_a, body_b, type;
    bool forbids; /* them to touch */
} lode__joined_by;

void lode__joined_free(lode__joined *joined);
size_t lode__joined_bytes(const lode__joined *joined);

/* Makes room for so many joints more. False: out of memory, nothing changed. */
bool lode__joined_reserve(lode__joined *joined, uint32_t joints);

void lode__joined_clear(lode__joined *joined);

/* Puts a joint in, for which there is room, and takes one out that is in. */
void lode__joined_add(lode__joined *joined, lode__joined_by joint);
void lode__joined_remove(lode__joined *joined, lode__joined_by joint);

/* How many joints there are between two bodies; and how many of a type. */
uint32_t lode__joined_count(const lode__joined *joined, uint32_t body_a, uint32_t body_b);
uint32_t lode__joined_count_of(const lode__joined *joined, uint32_t body_a, uint32_t body_b,
                               uint32_t type);

/* The sum of all counts: two for each joint. */
uint64_t lode__joined_total(const lode__joined *joined);

/* Whether one of them forbids the two to touch. */
bool lode__joined_forbid(const lode__joined *joined, uint32_t body_a, uint32_t body_b);

#endif
