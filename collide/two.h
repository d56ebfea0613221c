/* two.h: what two shapes touch with, asked apart from any step. */
#ifndef LODE_COLLIDE_TWO_H
#define LODE_COLLIDE_TWO_H

#include "collide/collide.h"
#include "collide/deepest.h"
#include "collide/place.h"
#include "lode/collide.h"

/* Two placed shapes. */
typedef struct lode__two {
    const lode__geometry *a, *b;
    lode__place place_a, place_b;
    lode_real speculative; /* of a step of the world */
    lode_real reach;       /* of points with surfaces, the widest gap that counts; 0: this margin */
    lode__gate gate_a, gate_b;
    lode__parts parts; /* of surfaces */
} lode__two;

/* Fills an empty list with all points of depth above -margin that the choice is made from, or is.
 * Reduced points and any one of pairs that have kernels are not its matter: see
 * collide/two_lanes.h. False: out of memory. On any thread. */
bool lode__two_touch(const lode__two *two, const struct lode__collide_kernels *kernels,
                     lode_collide_choice choice, lode_real margin, lode__two_list *out);

/* The reduced points of two solids, whose gates are not asked: no more than LODE__MANIFOLD_POINTS,
 * straight to the caller's array. */
int lode__two_tell(const lode__two *two, const struct lode__collide_kernels *kernels,
                   lode_real margin, lode_collide_point *out_points);

/* As the caller sees it; `body_a` is the centre of mass of a's body. */
static inline lode_collide_point two_show(lode_vec3 body_a, const lode__two_point *from)
{
    return (lode_collide_point){.position = v3_add(body_a, from->point.position),
                                .normal = from->normal,
                                .depth = from->point.depth,
                                .feature = from->point.feature,
                                .child_a = (int)from->point.child_a - 1,
                                .child_b = (int)from->point.child_b - 1};
}

/* Moves those that are chosen to the front and returns how many they are, at most `most`. */
uint32_t lode__two_choose(lode__two_list *list, lode_collide_choice choice, uint32_t most);

#endif
