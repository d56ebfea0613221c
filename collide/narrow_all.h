/* narrow_all.h: solids whose materials say how many of their points count.
 *
 * Of such a pair the narrow phase wants all points, before any are chosen, and keeps the deepest.
 * If these are more than a manifold has, the pair gets several of one normal: it is written down as
 * pairs with surfaces are (collide/many.h), and has a chain of manifolds until it has fewer points.
 *
 * Two boxes have up to eight points, of which their kernel tells four. Where it tells fewer there
 * are no more; so only those with four are asked again, eight pairs at a time. Capsules, whose
 * kernels tell one point where they cross, are asked again where they touch. */
#ifndef LODE_COLLIDE_NARROW_ALL_H
#define LODE_COLLIDE_NARROW_ALL_H

#include "collide/collide.h"
#include "collide/pair_queue.h"

enum { LODE__NARROW_GRAIN = 256 /* pairs of a block */ };

/* Pairs of a block that are to be asked for all points, by their places in it. */
typedef struct lode__narrow_all {
    uint16_t items[LODE__NARROW_GRAIN];
    uint32_t count;
} lode__narrow_all;

typedef struct lode__narrow_run {
    lode__collide *collide;
    const lode__pool *bodies;
    lode_real speculative;
    lode__many_list *list; /* of the block */
    lode__narrow_all *all; /* likewise */
    uint32_t begin;        /* the block's first pair */
    bool inherits;
    bool limits; /* some shapes have materials */
} lode__narrow_run;

/* --- narrow.c */

/* Gives the points these features, and each the impulses that its feature had. False: no memory. */
bool lode__narrow_name_points(const lode__narrow_run *run, lode__manifold *m,
                              const uint32_t *feature, int count);

/* The pair, which has one manifold, does not touch. */
void lode__narrow_part(const lode__narrow_run *run, lode__pair *pair);

/* --- narrow_all.c */

/* How many points of two solids count; UINT32_MAX where their materials do not say. */
uint32_t lode__narrow_most(const lode__narrow_run *run, const lode__pair *pair);

/* Is the pair to be asked for all points, whatever its kernel tells? `near`: its bounds overlap,
 * and it can touch. */
bool lode__narrow_wants_all(const lode__narrow_run *run, const lode__pair *pair, bool near);

/* From how many points on, that a kernel tells, there may be more; INT_MAX: there never are. */
int lode__narrow_asked(const lode__lane_cell *cell);

/* Asks those of the block, whose pairs begin at `pairs`. */
void lode__narrow_all_run(const lode__narrow_run *run, lode__pair *pairs);

#endif
