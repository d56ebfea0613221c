/* kernels_one.c: the simple pairs one at a time; compiled once for each instruction set.
 *
 * The text of the kernels with one lane, and vectors that fill a register: what a single pair costs
 * is instructions, and a vector's three numbers, or the four edges of a box's face, go through one
 * where they would take three or four. In double precision, whose vectors take two registers, the
 * plain ones serve everywhere.
 *
 * Addresses come and the count goes in registers: what stands below in records is in none, since
 * all is one function with its text. */
#include "collide/kernels.h"

#if defined(LODE_VARIANT_PLAIN) || !defined(LODE_DOUBLE)

#ifndef LODE_VARIANT_PLAIN
#define LODE_ONE_PAIR 1
#endif

#include "collide/box_box.h"
#include "collide/pair_tell.h"
#include "collide/touch_capsule.h"
#include "collide/touch_capsule_box.h"
#include "collide/touch_plane.h"
#include "collide/touch_sphere.h"

LODE__INLINE lode__pair_sources one_source(const lode_real *size_a, const lode_real *body_a,
                                           const lode_real *size_b, const lode_real *body_b,
                                           bool swapped)
{
    lode__pair_sources from;
    from.size[0][0] = size_a;
    from.body[0][0] = body_a;
    from.size[1][0] = size_b;
    from.body[1][0] = body_b;
    from.sizes = NULL;
    from.name[0] = 0;
    from.used = 1;
    from.swapped = swapped;
    from.centered = true;
    return from;
}

#define TELL(name, text, MOST, swapped) \
    static int LODE_KERNEL(name)(const lode_real *size_a, const lode_real *body_a, \
                                 const lode_real *size_b, const lode_real *body_b, \
                                 lode_real speculative, lode_real margin, lode_collide_point *out) \
    { \
        int count; \
        lode__pair_sources from = one_source(size_a, body_a, size_b, body_b, swapped); \
        lode__lane_ask ask = {false, margin, speculative, out, &count, MOST}; \
        TELL_LANES(text, MOST, &from, &ask, true, swapped, 0); \
        return count; \
    }
#define TELL_ALIKE(text, NAME, MOST) TELL(tell_one_##text, text, MOST, false)
#define TELL_MIXED(text, NAME, MOST) \
    TELL_ALIKE(text, NAME, MOST) TELL(tell_swapped_##text, text, MOST, true)
LODE__TOUCH_ALIKE(TELL_ALIKE)
LODE__TOUCH_MIXED(TELL_MIXED)

#define ROW_ALIKE(text, NAME, MOST) [LODE__TOUCH_##NAME] = {LODE_KERNEL(tell_one_##text), NULL},
#define ROW_MIXED(text, NAME, MOST) \
    [LODE__TOUCH_##NAME] = {LODE_KERNEL(tell_one_##text), LODE_KERNEL(tell_swapped_##text)},
extern lode__tell_one_fn *const LODE_KERNEL(lode__tell_one)[LODE__TOUCH_KINDS][2];
lode__tell_one_fn *const LODE_KERNEL(lode__tell_one)[LODE__TOUCH_KINDS][2] = {
    LODE__TOUCH_ALIKE(ROW_ALIKE) LODE__TOUCH_MIXED(ROW_MIXED)};

#endif
