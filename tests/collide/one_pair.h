/* one_pair.h: the pairs that have kernels, one at a time: a batch of one, done by the scalar
 * twin. */
#ifndef LODE_TESTS_COLLIDE_ONE_PAIR_H
#define LODE_TESTS_COLLIDE_ONE_PAIR_H

#include "collide/narrow.h"

lode__touch_fn lode__touch_sphere_sphere;
lode__touch_fn lode__touch_sphere_plane;
lode__touch_fn lode__touch_sphere_box;
lode__touch_fn lode__touch_sphere_capsule;
lode__touch_fn lode__touch_box_plane;
lode__touch_fn lode__touch_capsule_plane;
lode__touch_fn lode__touch_cylinder_plane;
lode__touch_fn lode__touch_capsule_capsule;
lode__touch_fn lode__touch_capsule_box;

#endif
