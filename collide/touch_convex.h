/* touch_convex.h: the contact of any two convex solids, by the general methods. */
#ifndef LODE_COLLIDE_TOUCH_CONVEX_H
#define LODE_COLLIDE_TOUCH_CONVEX_H

#include "collide/convex.h"
#include "collide/reduce.h"

/* Features: 1 where the solids are deepest; else one of these << 28, and the name of the vertex, or
 * that of a's edge << 14 and that of b's; see LODE__FACE_NAMES. */
enum { LODE__TOUCH_VERTEX_A = 1, LODE__TOUCH_VERTEX_B, LODE__TOUCH_EDGES };

/* As a lode__touch_fn. */
void lode__touch_convex(lode__convex a, lode_quat rotation_a, lode__convex b, lode_quat rotation_b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out);

/* The same with all points, as many as there are, in world axes from the centre of a; returns their
 * number. */
enum { LODE__TOUCH_ALL = 2 * LODE__FACE_POINTS + 1 };
int lode__touch_convex_all(lode__convex a, lode_quat rotation_a, lode__convex b,
                           lode_quat rotation_b, lode_vec3 offset, lode_real speculative,
                           lode_vec3 *out_normal, lode__candidate out[LODE__TOUCH_ALL]);

/* The contact along a polygon of b with this normal, of unit length and in world axes, whether or
 * not that is the least way out: where a is above the polygon, or below it. None if a is beside
 * it. */
void lode__touch_convex_onto(lode__convex a, lode_quat rotation_a, lode__convex b,
                             lode_quat rotation_b, lode_vec3 offset, lode_vec3 normal,
                             lode_real speculative, lode__touch *out);

#endif
