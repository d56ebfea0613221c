/* kernels_one.c: the simple pairs one at a time; compiled once for each instruction set.
 *
 * The text of the kernels with one lane, and vectors that fill a register: what a single pair costs
 * is instructions, and a vector's three numbers, or the four edges of a box's face, go through one
 * where they would take three or four. In plain C, and in double precision, whose vectors take two
 * registers, the plain kernels do. */
#include "collide/kernels.h"

#if !defined(LODE_VARIANT_PLAIN) && !defined(LODE_DOUBLE)

#define LODE_ONE_PAIR 1

#include "collide/box_box.h"
#include "collide/pair_tell.h"
#include "collide/touch_capsule.h"
#include "collide/touch_plane.h"
#include "collide/touch_sphere.h"

#define TELL(text, NAME, MOST) \
    static void tell_##text(const lode__pair_sources *from, const lode__lane_ask *ask) \
    { \
        wplace place = gather_place(from, 0); \
        wpair in = gather_pair(from, &place, ask->speculative, 0); \
        wtouch touch = text(&in); \
        tell_touch(from, ask, 0, &place, &in, &touch, MOST); \
    }
LODE__TOUCH_KERNELS(TELL)

#define ROW(text, NAME, MOST) [LODE__TOUCH_##NAME] = tell_##text,
lode__tell_fn *const LODE_KERNEL(lode__tell_one)[LODE__TOUCH_KINDS] = {LODE__TOUCH_KERNELS(ROW)};

#endif
