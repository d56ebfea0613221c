/* find_pairs.h: moved shapes look for others; the first half of the broad phase, see pairs.h.
 *
 * A pair is found once, by one of its shapes, wherever a moved shape's fat bounds overlap another's
 * and filters, joints and groups let the two touch. Answers come in lists, in no order. */
#ifndef LODE_COLLIDE_FIND_PAIRS_H
#define LODE_COLLIDE_FIND_PAIRS_H

#include "collide/collide.h"

typedef struct lode__pair_query {
    const lode__collide *collide;
    const lode__pool *bodies;
    lode_real plane_reach; /* what bounds lack of the speculative margin where one side has none */
} lode__pair_query;

static inline lode__pair_query lode__pair_query_of(const lode__collide *collide,
                                                   const lode__pool *bodies,
                                                   const lode_world_def *settings)
{
    return (lode__pair_query){collide, bodies, LODE__SPECULATIVE(settings) / 2};
}

/* All that the `moved` moved shapes find, in so many of the lists of `pairs`. False: out of memory,
 * which may have shown in a list only. */
bool lode__pairs_ask(const lode__pair_query *query, lode__pairs *pairs, uint32_t moved,
                     const lode__step *step, uint32_t *out_lists);

/* What the queries of both shapes would say of their bounds. */
bool lode__bounds_meet(const lode__pair_query *query, const lode__pair *pair);

#endif
