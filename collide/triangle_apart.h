/* triangle_apart.h: is a convex solid out of a triangle? */
#ifndef LODE_COLLIDE_TRIANGLE_APART_H
#define LODE_COLLIDE_TRIANGLE_APART_H

#include "collide/convex.h"

/* How far they are apart, at least; negative: they meet. What is 0 or more may be less than the
 * distance. `rotation` is from the solid's axes to the triangle's; the corners are seen from
 * `from`, that from the solid's centre. */
double lode__triangle_apart(const lode__convex *solid, lode_quat rotation,
                            const lode_vec3 corners[3], lode_vec3 from);

#endif
