/* near_list.h: the triangles near a pair, kept from step to step.
 *
 * A solid on a mesh moves little in a step, and half of the time that it takes to find its
 * triangles goes to the way down the tree. So a pair keeps those that come into a box somewhat
 * larger than its own. As long as its own lies within that, they are sifted and no tree is walked.
 *
 * What touches is the same with a list and without one, to the bit: the tree's order is that of the
 * list, and which triangles come near is decided by the sifting alone, after a walk too. So a list
 * is no state, and snapshots have none. It belongs to a manifold's slot and outlives the pair: what
 * it says is about a mesh, not about a shape, and it says which.
 *
 * Nor are they sifted while the solid has moved so little that none that was beside it can have
 * come near (collide/mesh_leeway.h): who rests is told those that were near before. Some of them
 * may be beside it by now, and say nothing: a box hears of no triangle that is farther than it
 * asks, a sphere and a capsule tell no point there.
 *
 * Who moves too fast to use a list twice makes none. */
#ifndef LODE_COLLIDE_NEAR_LIST_H
#define LODE_COLLIDE_NEAR_LIST_H

#include "collide/kernels.h"
#include "core/fetch.h"
#include "core/pool.h"

typedef enum lode__near_state {
    LODE__NEAR_WATCHED, /* nothing is listed: whoever is still in the box next time makes a list */
    LODE__NEAR_CROWDED, /* nothing either: there are too many */
    LODE__NEAR_NEW,     /* listed, and not used yet */
    LODE__NEAR_USED
} lode__near_state;

/* Who asks: a solid of this type on a mesh, and how far from itself. */
typedef struct lode__near_asker {
    const lode__solid_lines *lines;
    const lode__mesh *mesh;
    lode_real reach;
    uint32_t type;
} lode__near_asker;

/* What was left when the list was last sifted, and for whom. One who has not moved farther than
 * `leeway` is near no others; where nothing is known that is negative. */
typedef struct lode__near_stay {
    lode__solid_lines lines;
    lode_real reach, leeway, far; /* m */
    uint32_t type, left;          /* a bit for each of the list's triangles */
} lode__near_stay;

typedef struct lode__near_list {
    uint64_t hash; /* of the mesh; 0: of none */
    uint32_t triangle_count;
    float lo[3], hi[3]; /* the larger box, in the mesh's frame, less what rounding may do */
    uint16_t state, count;
    uint32_t triangles[LODE__NEAR_KEPT];
    lode__near_stay stay;
} lode__near_list;

typedef struct lode__near_lists {
    lode__near_list *items;
    uint32_t count, capacity;
    uint32_t *of_slot; /* of a manifold: its list's number plus 1, or 0 */
    uint32_t slot_capacity;
} lode__near_lists;

void lode__near_lists_free(lode__near_lists *lists);
size_t lode__near_lists_bytes(const lode__near_lists *lists);

/* Null: the slot has none. */
static inline lode__near_list *near_list_of(const lode__near_lists *lists, uint32_t slot)
{
    uint32_t number = slot < lists->slot_capacity ? lists->of_slot[slot] : 0;
    return number ? &lists->items[number - 1] : NULL;
}

/* Asks for the memory of a slot's list, if it has one. */
LODE__FETCHER void lode__near_fetch(const lode__near_lists *lists, uint32_t slot)
{
    const char *list = (const char *)near_list_of(lists, slot);
    for (size_t i = 0; list && i < sizeof(lode__near_list); i += 64)
        __builtin_prefetch(list + i);
}

/* Gives the slot a list if it has none; out of memory it goes without. */
void lode__near_lists_add(lode__near_lists *lists, uint32_t slot);

/* Of a walk that has not begun: lists all triangles that may come near a solid that is as good as
 * where it was, and ends it. False: they are to be sought. The list may be null. */
bool lode__near_again(const lode__near_list *list, const lode__near_asker *asker,
                      lode__mesh_near *near);

/* Of a walk that has just begun: lists all triangles that come near, and ends it. False: it is to
 * be gone. The list may be null. */
bool lode__near_take(lode__near_list *list, const lode__collide_kernels *kernels,
                     const lode__near_asker *asker, lode__mesh_near *near);

#endif
