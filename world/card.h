/* card.h: shapes by their handles, for calls that ask about pairs.
 *
 * Such a call does little with a shape, so finding it counts: is the handle good, of what type is
 * the shape, how large, and where is its body. All that stands on the shape's card (core/shapes.h),
 * one line of memory. Its key begins as the shape's handle does, with world and generation, and
 * ends with the shape's kind, which is never 0. A slot without a shape has the key 0. So one
 * comparison says whether a handle is of this world, not stale, and of a shape that lives.
 *
 * Whoever changes a shape's geometry, or where its body's centre of mass lies in it, renews the
 * card. */
#ifndef LODE_WORLD_CARD_H
#define LODE_WORLD_CARD_H

#include "collide/two_lanes.h"
#include "world/world.h"

enum { LODE__KINDS = 2 * LODE_SHAPE_TYPE_COUNT + 2, LODE__KIND_MASK = 0xff };

void lode__card_renew(lode__world *world, uint32_t shape);

/* Of all slots, after the pool was set back. */
void lode__cards_renew(lode__world *world);

void lode__cards_validate(const lode__world *world);

static inline uint32_t card_kind(const lode__card *card)
{
    return (uint32_t)card->key & LODE__KIND_MASK;
}

static inline uint32_t kind_type(uint32_t kind)
{
    return (kind >> 1) - 1;
}

/* It lies in the middle of its body and turns with it. */
static inline bool kind_is_centered(uint32_t kind)
{
    return kind & 1;
}

/* What it takes to find a shape, at hand: the compiler cannot know that nothing that is written
 * meanwhile changes it. */
typedef struct lode__card_finder {
    lode__chunk *const *chunks;
    uint32_t end;
} lode__card_finder;

static inline lode__card_finder make_finder(const lode__world *world)
{
    return (lode__card_finder){world->collide.shapes.chunks, world->collide.shapes.end};
}

/* Null: no shape of this world that lives. Ids that no world has ever given out may lead to a card
 * of kind 0. */
static inline const lode__card *find_card(const lode__card_finder *finder, uint64_t id)
{
    uint32_t slot = id_slot(id);
    if (slot >= finder->end)
        return NULL;
    const lode__shape_chunk *chunk =
        (const lode__shape_chunk *)finder->chunks[slot >> LODE__CHUNK_SHIFT];
    const lode__card *card = &chunk->card[slot & LODE__CHUNK_MASK];
    return (card->key ^ id) >> 24 == 0 ? card : NULL;
}

/* The shape of a slot whose card has been found. */
static inline lode__lane_shape lane_shape_of_card(const lode__card_finder *finder, uint64_t id,
                                                  const lode__card *card)
{
    uint32_t slot = id_slot(id);
    const lode__shape_chunk *chunk =
        (const lode__shape_chunk *)finder->chunks[slot >> LODE__CHUNK_SHIFT];
    return (lode__lane_shape){card->size, card->body, &chunk->geometry[slot & LODE__CHUNK_MASK]};
}

#endif
