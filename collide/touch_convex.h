/* touch_convex.h: the contact of any two convex solids, by the general methods. */
#ifndef LODE_COLLIDE_TOUCH_CONVEX_H
#define LODE_COLLIDE_TOUCH_CONVEX_H

#include "collide/convex.h"

/* As a lode__touch_fn. Features: 1 where the solids are deepest; from there on two names of vertices
 * or edges each, see LODE__FACE_NAMES. */
void lode__touch_convex(lode__convex a, lode_quat rotation_a, lode__convex b, lode_quat rotation_b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out);

#endif
