/* ray_box.h: eight rays against a box; kernel text, see simd/wide.h. The same operations, in the same
 * order, as lode__slabs_enter() of collide/tree_cast.h. */
#ifndef LODE_COLLIDE_RAY_BOX_H
#define LODE_COLLIDE_RAY_BOX_H

#include "collide/kernels.h"
#include "core/math.h"
#include "simd/wide.h"

/* Which of the rays from `lane` on enter the box within their length, a bit for each. */
LODE__INLINE unsigned enter_box(const lode__ray_batch *batch, const lode_real *box, int lane)
{
    wreal longer = w_splat(1 + 4 * REAL_EPSILON);
    wreal enter = w_zero(), leave = w_load(batch->most.x + lane);
    for (int i = 0; i < 3; ++i) {
        wreal origin = w_load(batch->origin[i].x + lane);
        wreal inverse = w_load(batch->inverse[i].x + lane);
        wreal to_near = w_mul(w_sub(w_splat(box[batch->near[i]]), origin), inverse);
        wreal to_far = w_mul(w_sub(w_splat(box[batch->far[i]]), origin), inverse);
        enter = w_max(to_near, enter);
        leave = w_min(w_mul(to_far, longer), leave);
    }
    return m_bits(w_le(enter, leave));
}

#endif
