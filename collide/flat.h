/* flat.h: where two flat convex sets meet that lie across a common normal.
 *
 * What of a solid lies farthest along a direction is a point, a segment, a disc or a polygon. Two
 * solids part last where such sets of both lie above each other: seen along the normal the sets
 * have a point in common. It is found by going from one to the other, always to the nearest point,
 * which comes nearer with every step (von Neumann 1933, alternating projections); where one set is
 * a point, the first step says all. */
#ifndef LODE_COLLIDE_FLAT_H
#define LODE_COLLIDE_FLAT_H

#include "core/double3.h"

enum { LODE__FLAT_CORNERS = 32 };

typedef enum lode__flat_kind {
    LODE__FLAT_POINT,
    LODE__FLAT_SEGMENT,
    LODE__FLAT_DISC,
    LODE__FLAT_POLYGON
} lode__flat_kind;

typedef struct lode__flat {
    lode__flat_kind kind;
    lode__double3 at;   /* the point, or the middle */
    lode__double3 half; /* of the segment */
    double radius;      /* of the disc */
    int count;          /* of the polygon, in order around it */
    lode__double3 corner[LODE__FLAT_CORNERS];
} lode__flat;

/* Sets `out_a` and `out_b`, a point of each, as near to each other as they come seen along the unit
 * vector `n`, and returns how far apart they then are, across n. Ends when that is `enough`. */
double lode__flat_meet(const lode__flat *a, const lode__flat *b, lode__double3 n, double enough,
                       lode__double3 *out_a, lode__double3 *out_b);

#endif
