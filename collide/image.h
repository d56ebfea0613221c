/* image.h: shapes, what the broad phase knows of them, and contacts, as a row of bytes and back.
 *
 * Kept are the shapes, the fat bounds of those that are in the tree, which shapes look for pairs,
 * all pairs, with the manifolds of those that touch, and the contacts of what is at rest. So a world that was set back looks for the
 * pairs that it would have looked for, and nothing is found anew. The form of the tree and the slots
 * of manifolds decide nothing and are made afresh. */
#ifndef LODE_COLLIDE_IMAGE_H
#define LODE_COLLIDE_IMAGE_H

#include "collide/collide.h"
#include "core/image.h"

typedef struct lode__collide_image {
    lode__pool_image shapes;
    const char *placed;                               /* bit set of shapes: those in the tree */
    const char *moved, *stirred, *returning; /* as in lode__collide */
    bool any_resting;
    const char *fat; /* six numbers of each shape, zeros for those not in the tree */
    uint32_t placed_count;
    uint32_t pair_count;
    const char *keys, *points; /* of each pair */
    lode__reader manifolds;    /* of pairs with points, one after the other */
    uint32_t resting_count;
    const char *keepers, *resting_keys; /* of each resting contact; sorted by both */
    lode__reader resting;               /* manifolds */
} lode__collide_image;

/* Drops first what removed shapes have left behind. */
void lode__collide_write(lode__collide *collide, lode__writer *out);

/* False: malformed. */
bool lode__collide_read(lode__collide_image *image, lode__reader *in);

/* Whether a world with these bodies can have these shapes and contacts. */
bool lode__collide_image_is_sound(const lode__collide_image *image, const lode__pool_image *bodies);

/* What lode__collide_restore() needs besides, in the arena. */
typedef struct lode__collide_scratch {
    uint32_t *shapes;
    lode__aabb *fat;
} lode__collide_scratch;

/* False: out of memory, nothing changed. */
bool lode__collide_reserve_image(const lode__collide_image *image, lode__collide *collide,
                                 lode__arena *arena, lode__collide_scratch *out_scratch);

/* Shapes are in no list of a body's, and none is active: both follow from the bodies. */
void lode__collide_restore(const lode__collide_image *image, lode__collide *collide,
                           lode__arena *arena, const lode__collide_scratch *scratch);

#endif
