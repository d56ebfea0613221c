/* pieces.h: a shape as convex pieces, for whoever moves a solid against it.
 *
 * A solid is one piece, a plane a half-space, a mesh or height field as many as it has triangles
 * near a place. A shape of an application's class is one, convex if it has a support function. What
 * asks a piece knows nothing of shapes: a new shape is a row in the table of
 * pieces.c. */
#ifndef LODE_COLLIDE_PIECES_H
#define LODE_COLLIDE_PIECES_H

#include "collide/convex.h"

/* In the shape's own axes, from its centre. */
typedef struct lode__piece {
    lode__convex solid;   /* its type is null for a half-space, and for a class */
    bool asked;           /* a class without a support function: its colliders say all */
    lode__double3 normal; /* unit; of a half-space, or of the front of a triangle */
    double offset;        /* of that plane: normal . x */
    bool one_sided;       /* only its front is there */
    int32_t child;        /* a triangle's number, else -1 */
} lode__piece;

/* False ends the walk. The piece lives during the call. */
typedef bool lode__piece_fn(void *context, const lode__piece *piece);

/* Visits the pieces whose boxes overlap that from `lo` to `hi`, in the shape's own axes from its
 * centre, and maybe others; in an order that depends on the shape alone. */
void lode__pieces_near(uint32_t type, const lode__shape_view *shape, lode_vec3 lo, lode_vec3 hi,
                       lode__piece_fn *visit, void *context);

#endif
