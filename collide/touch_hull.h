/* touch_hull.h: all points of two polyhedra, before some are chosen. */
#ifndef LODE_COLLIDE_TOUCH_HULL_H
#define LODE_COLLIDE_TOUCH_HULL_H

#include "collide/kernels.h"
#include "collide/narrow.h"
#include "collide/reduce.h"

enum { LODE__HULL_POINTS = 128 };

/* Of a hull and a hull or a box: those that lode__touch_hulls() or lode__touch_hull_and_box()
 * chooses from, named and placed as there, in world axes from the centre of a; or, if `least`,
 * those of the least way out, but for rounding. Returns how many they are. */
int lode__touch_hulls_all(const lode__collide_kernels *kernels, const lode__shape_view *a,
                          const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                          bool least, lode_vec3 *out_normal,
                          lode__candidate out[LODE__HULL_POINTS]);

#endif
