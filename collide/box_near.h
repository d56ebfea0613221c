/* box_near.h: which pairs of boxes may touch, before any is computed; kernel text, see simd/wide.h.
 *
 * Six of the fifteen axes (box_axes.h) are cheap, and keep nearly all that are apart from each
 * other. What is asked of each lane does not depend on the others. */
#ifndef LODE_COLLIDE_BOX_NEAR_H
#define LODE_COLLIDE_BOX_NEAR_H

#include "collide/box_axes.h"
#include "collide/pair_gather.h"

/* From one lane on, a bit for each pair, all centered, that no face's normal keeps apart. */
LODE__INLINE unsigned boxes_near(const lode__pair_sources *from, wreal speculative, int lane)
{
    wplace place = gather_place(from, true, lane);
    wpair in = gather_pair(from, &place, speculative, true, false, lane);
    in.size_a = load_size(from, 0, lane);
    in.size_b = load_size(from, 1, lane);
    const wbox_axes axes = find_face_axes(&in);
    return m_bits(w_lt(w_max(axes.face_a, axes.face_b), speculative));
}

#endif
