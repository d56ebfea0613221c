/* pair_lanes.h: one pair in a lane of a batch, in and out. */
#ifndef LODE_COLLIDE_PAIR_LANES_H
#define LODE_COLLIDE_PAIR_LANES_H

#include "collide/kernels.h"
#include "collide/narrow.h"
#include "core/math.h"

static inline void lanes_set3(lode__lanes lanes[3], int lane, lode_vec3 v)
{
    lanes[0].x[lane] = v.x;
    lanes[1].x[lane] = v.y;
    lanes[2].x[lane] = v.z;
}

static inline void lanes_set4(lode__lanes lanes[4], int lane, const lode_real x[4])
{
    for (int i = 0; i < 4; ++i)
        lanes[i].x[lane] = x[i];
}

static inline void lanes_set_quat(lode__lanes lanes[4], int lane, lode_quat q)
{
    lanes[0].x[lane] = q.w;
    lanes_set3(&lanes[1], lane, v3(q.x, q.y, q.z));
}

static inline lode_vec3 lanes_get3(const lode__lanes lanes[3], int lane)
{
    return v3(lanes[0].x[lane], lanes[1].x[lane], lanes[2].x[lane]);
}

/* In the kernel's order. `offset` is from the centre of a to that of b. */
static inline void lanes_set_pair(lode__pair_batch *batch, int lane, const lode__shape_view *a,
                                  const lode__shape_view *b, lode_vec3 offset, lode_vec3 arm)
{
    lanes_set4(batch->size_a, lane, a->size);
    lanes_set4(batch->size_b, lane, b->size);
    lanes_set_quat(batch->rotation_a, lane, a->rotation);
    lanes_set_quat(batch->rotation_b, lane, b->rotation);
    lanes_set3(batch->offset, lane, offset);
    lanes_set3(batch->arm, lane, arm);
}

/* What came out of the first lane, from its arm. */
static inline void lanes_get_touch(const lode__pair_batch *batch, lode__touch *out)
{
    out->count = (int)batch->count.x[0];
    out->normal = out->count > 0 ? lanes_get3(batch->normal, 0) : v3_zero();
    for (int k = 0; k < out->count; ++k) {
        out->position[k] = lanes_get3(batch->position[k], 0);
        out->depth[k] = batch->depth[k].x[0];
        out->feature[k] = (uint32_t)batch->feature[k].x[0];
    }
}

#endif
