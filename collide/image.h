/* image.h: shapes, what the broad phase knows of them, and contacts, as a row of bytes and back.
 *
 * Kept are the shapes, the fat bounds of those that are in the tree, which shapes look for pairs,
 * all pairs, with the manifolds of those that touch, and the contacts of what is at rest. So a
 * world that was set back looks for the pairs that it would have looked for, and nothing is found
 * anew. The form of the tree and the slots of manifolds decide nothing and are made afresh. */
#ifndef LODE_COLLIDE_IMAGE_H
#define LODE_COLLIDE_IMAGE_H

#include "collide/collide.h"
#include "core/image.h"

typedef struct lode__collide_image {
    lode__pool_image shapes;
    const char *placed; /* bit set of shapes: those in the tree */
    /* as in lode__collide */
    const char *moved, *lagging, *refreshed, *disabled, *stirred, *returning;
    bool any_resting;
    const char *fat; /* six numbers of each shape, zeros for those not in the tree */
    uint32_t placed_count;
    uint32_t unmerged, added; /* as in lode__pairs */
    uint32_t pair_count;
    const char *keys, *points; /* of each manifold; a pair has several behind one another */
    lode__reader manifolds;    /* of pairs with points, one after the other */
    uint32_t resting_count;
    const char *keepers, *resting_keys; /* of each resting contact; sorted by both */
    lode__reader resting;               /* manifolds */
} lode__collide_image;

/* Drops first what removed shapes have left behind. */
void lode__collide_write(lode__collide *collide, lode__writer *out);

/* False: malformed. */
bool lode__collide_read(lode__collide_image *image, lode__reader *in);

/* Whether a world with these bodies, of which those of a bit set are awake, can have these shapes
 * and contacts. */
bool lode__collide_image_is_sound(const lode__collide_image *image, const lode__pool_image *bodies,
                                  const char *awake);

/* What lode__collide_restore() needs besides, in the arena. */
typedef struct lode__collide_scratch {
    uint32_t *shapes;
    lode__aabb *fat;
    lode__shape_data **data; /* of each shape of the image */
} lode__collide_scratch;

/* False: out of memory, nothing changed. */
bool lode__collide_reserve_image(const lode__collide_image *image, lode__collide *collide,
                                 lode__arena *arena, lode__collide_scratch *out_scratch);

/* data.c: finds the shared geometry that the image names: what the shape of the same slot has, what
 * another shape has, or what was offered. Asks `arena` for room for `out_data`, which stays null
 * where nothing is named. */
typedef enum lode__found { LODE__FOUND, LODE__NOT_FOUND, LODE__NO_MEMORY } lode__found;
lode__found lode__collide_find_data(const lode__collide_image *image,
                                    const lode__collide *collide, lode__arena *arena,
                                    lode__shape_data ***out_data);

/* data.c: takes a reference of each of `data`, if that is not null, and gives back those of the
 * shapes that are. After that the pool may be overwritten, and `place` gives the new ones out. */
void lode__collide_exchange_data(const lode__collide_image *image, lode__collide *collide,
                                 lode__shape_data *const *data);
void lode__collide_place_data(lode__collide *collide, lode__shape_data *const *data);

/* Shapes are in no list of a body's, none is active and none joined: all follow from the bodies. */
void lode__collide_restore(const lode__collide_image *image, lode__collide *collide,
                           lode__arena *arena, const lode__collide_scratch *scratch);

#endif
