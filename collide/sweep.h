/* sweep.h: when a convex solid that is pushed along a line meets another. */
#ifndef LODE_COLLIDE_SWEEP_H
#define LODE_COLLIDE_SWEEP_H

#include "collide/gjk.h"

typedef struct lode__swept {
    double share;         /* of the way; 0 for solids that overlap from the start */
    double depth;         /* of those; else 0 */
    lode__double3 normal; /* unit, from b to a: the way to part */
    lode__double3 on_b;   /* where a meets b */
} lode__swept;

/* Moves a by `move` times 0..`most`, in the axes of a and from its centre as it stands at the
 * beginning; so are the answers. False if it does not meet b, or only touches it at the beginning
 * and leaves. */
bool lode__sweep(const lode__convex_pair *start, lode__double3 move, double most, lode__swept *out);

/* The same against the half-space below the plane normal . x = offset. */
bool lode__sweep_plane(const lode__convex *a, lode__double3 normal, double offset,
                       lode__double3 move, double most, lode__swept *out);

#endif
