/* card.c: see card.h. */
#include "world/card.h"

#include "core/error.h"

#include <string.h>

static uint64_t key_of(const lode__world *world, uint32_t shape)
{
    const lode__pool *shapes = &world->collide.shapes;
    const lode__geometry *geometry = SHAPE(world, geometry, shape);
    uint64_t id = id_of_object(world->entry, shapes, shape);
    return (id >> 24 << 24) | (2 * (geometry->type + 1) + geometry_is_centered(geometry));
}

void lode__card_renew(lode__world *world, uint32_t shape)
{
    const lode__geometry *geometry = SHAPE(world, geometry, shape);
    lode__card *card = SHAPE(world, card, shape);
    memcpy(card->size, geometry->size, sizeof card->size);
    card->body = BODY(world, pose, geometry->body);
    card->key = key_of(world, shape);
}

void lode__cards_renew(lode__world *world)
{
    const lode__pool *shapes = &world->collide.shapes;
    for (uint32_t slot = 0; slot < shapes->chunk_count << LODE__CHUNK_SHIFT; ++slot)
        if (lode__bits_get(&shapes->alive, slot))
            lode__card_renew(world, slot);
        else
            SHAPE(world, card, slot)->key = 0;
}

void lode__cards_validate(const lode__world *world)
{
    const lode__pool *shapes = &world->collide.shapes;
    for (uint32_t slot = 0; slot < shapes->chunk_count << LODE__CHUNK_SHIFT; ++slot) {
        const lode__card *card = SHAPE(world, card, slot);
        if (!lode__bits_get(&shapes->alive, slot)) {
            LODE__ASSERT(card->key == 0);
            continue;
        }
        const lode__geometry *geometry = SHAPE(world, geometry, slot);
        LODE__ASSERT(card->key == key_of(world, slot));
        LODE__ASSERT(card->body == BODY(world, pose, geometry->body));
        LODE__ASSERT(memcmp(card->size, geometry->size, sizeof card->size) == 0);
    }
}
