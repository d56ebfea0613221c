/* inner.h: inner parts of convex solids: what of a continuous body never passes through anything.
 *
 * What touches is the contacts' business, and what rolls or slides touches all the time, up to the
 * surface layer deep. So a part within the solid is what is guarded. It must be large, or an end of
 * a long solid gets through a thin wall, where the contact pushes that end and leaves the middle's
 * speed; and it must be well within the solid on all sides.
 *
 * A side that is d away from the middle of a solid with a ball of radius r in it is d - e away in
 * the inner part,
 *
 *     e = min(d / 2, max(r / 2, d / 16)):
 *
 * half of what is as broad as thick, and all of long and flat ones but a sixteenth at their ends.
 * Solids that are so deep in another that this part is in it too try smaller ones, the solid shrunk
 * about its middle. */
#ifndef LODE_COLLIDE_INNER_H
#define LODE_COLLIDE_INNER_H

#include "collide/convex.h"

enum { LODE__INNER_PARTS = 3 };

/* A solid shrunk about a point of its own. */
typedef struct lode__shrunk {
    const lode__convex *whole;
    lode__double3 middle;
    double share;
} lode__shrunk;

/* In the axes of the whole. It points into itself: it stays where it was made. */
typedef struct lode__inner {
    lode__convex solid;
    lode__shrunk shrunk;
    lode_real size[3];
    double within; /* at least so far from the surface of the whole */
    double margin; /* how near to another it should not come */
} lode__inner;

/* The part of a number below LODE__INNER_PARTS, the largest first; false: a solid of that type has
 * none. `middle` is that of a ball of `radius` within the whole. */
bool lode__inner_part(int number, uint32_t type, const lode__convex *whole, lode__double3 middle,
                      double radius, lode__inner *out);

/* How much farther in a side is. */
static inline double inner_depth(double side, double radius)
{
    return d_min(side / 2, d_max(radius / 2, side / 16));
}

#endif
