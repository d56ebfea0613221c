/* space.h: spaces as a pool of the world, and as queries see them; see lode/space.h.
 *
 * A space has the handles of its shapes, sorted by slot, and lists of the spaces within it, by slot
 * too. No shape knows its spaces: one that was destroyed is in none, because its handle is
 * stale, and is left out when the array is next written to. Lists and pairs walk over the
 * world's shapes and ask who is in, so their order is that of slots whatever was added when. */
#ifndef LODE_WORLD_SPACE_H
#define LODE_WORLD_SPACE_H

#include "lode/space.h"
#include "collide/place.h"
#include "world/world.h"

typedef struct lode__space {
    uint32_t parent, first, next; /* LODE__NONE: none; the first within, and the next beside it */
    uint32_t count, capacity;
    int32_t sublevel;
    lode_shape *shapes; /* by slot; no two of one slot */
    uint64_t category, mask;
    void *user_data;
} lode__space;

#define LODE__SPACE_COMPONENTS(X) X(space, lode__space, LODE__TRANSIENT, LODE__COLD)
LODE__POOL_DECLARE(space, LODE__SPACE_COMPONENTS)

#define SPACE(world, slot) LODE__AT(space, &(world)->spaces, space, slot)

static inline lode_space space_handle(const lode__world *world, uint32_t slot)
{
    return (lode_space){id_of_object(world->entry, &world->spaces, slot)};
}

/* Was the shape added to the space itself? */
bool lode__space_holds(const lode__space *space, lode_shape shape);

/* Is the shape in the space or in one within it? */
bool lode__space_has(const lode__world *world, uint32_t space, lode_shape shape);

/* The next shape of the space, or of one within it, from a slot on; LODE__NONE after the last. */
uint32_t lode__space_next(const lode__world *world, uint32_t space, uint32_t slot);

void lode__spaces_free(lode__world *world);
size_t lode__spaces_bytes(const lode__world *world);

/* space_pairs.c: does a box reach below a placed plane? */
bool lode__box_reaches(const lode__placed *plane, const lode__aabb *box);

#endif
