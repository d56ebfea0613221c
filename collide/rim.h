/* rim.h: where a line or a circle comes nearest to the rim of a cylinder.
 *
 * A place x of the curve is as far from the rim as the point (|w|, z) is from (radius, height),
 * with z along the cylinder's axis and w what is across it:
 *
 *     D = (z - height)^2 + (|w| - radius)^2.
 *
 * Where D is least the way to the rim is across the curve and across the rim, and if that is within
 * the rim's corner, between outward and upward, it is a direction along which a solid with this
 * edge and the cylinder may part. Both kinds of such places count: inside the corner, behind both
 * the side and the end, and outside, before both. The slope of D is followed to where it changes
 * from falling to rising, by Newton's method between two bounds. The distance itself, which may be
 * nearly 0, takes no part in the direction: that follows from the curve's.
 *
 * Whoever asks knows how near a place must be to be of use, and that leaves most curves out before
 * anything is searched. */
#ifndef LODE_COLLIDE_RIM_H
#define LODE_COLLIDE_RIM_H

#include "core/double3.h"

typedef struct lode__rim {
    lode__double3 axis; /* unit, outward through the end */
    double radius, height;
    double within, before; /* how far behind side and end, and before them, places are of use */
} lode__rim;

/* x(t) = from + t step, seen from the cylinder's centre, with t from `lo` to `hi`. */
typedef struct lode__rim_line {
    lode__double3 from, step;
    double lo, hi;
} lode__rim_line;

/* x(C, S) = middle + a C + b S, with C^2 + S^2 = 1; b is across the rim's axis. */
typedef struct lode__rim_circle {
    lode__double3 middle, a, b;
} lode__rim_circle;

enum { LODE__RIM_WAYS = 16 };

/* Unit directions out of the cylinder's corner; returns how many. */
int lode__rim_line_ways(const lode__rim *rim, const lode__rim_line *line,
                        lode__double3 out[LODE__RIM_WAYS]);
int lode__rim_circle_ways(const lode__rim *rim, const lode__rim_circle *circle,
                          lode__double3 out[LODE__RIM_WAYS]);

#endif
