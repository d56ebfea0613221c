/* ray_box.h: eight rays against a box; kernel text, see simd/wide.h. The same operations, in the
 * same order, as lode__slabs_enter() of collide/tree_cast.h. */
#ifndef LODE_COLLIDE_RAY_BOX_H
#define LODE_COLLIDE_RAY_BOX_H

#include "collide/kernels.h"
#include "core/math.h"
#include "simd/wide.h"

/* Of eight numbers, two by two: a chain of comparisons one after another takes twice as long. */
LODE__INLINE lode_real least_of(const lode__lanes *lanes)
{
    const lode_real *x = lanes->x;
    return r_min(r_min(r_min(x[0], x[1]), r_min(x[2], x[3])),
                 r_min(r_min(x[4], x[5]), r_min(x[6], x[7])));
}
LODE__INLINE lode_real greatest_of(const lode__lanes *lanes)
{
    const lode_real *x = lanes->x;
    return r_max(r_max(r_max(x[0], x[1]), r_max(x[2], x[3])),
                 r_max(r_max(x[4], x[5]), r_max(x[6], x[7])));
}

/* What eight rays have in common: between which numbers their origins and inverse directions lie.
 * Each step from there to a distance is monotonic, in floating point too, so a box that the bounds
 * of all do not enter is entered by none. */
typedef struct ray_sheaf {
    lode_real origin[3][2], inverse[3][2]; /* least and greatest */
    bool up[3];
    bool any; /* false: an inverse is infinite, and nothing can be said */
} ray_sheaf;

LODE__INLINE void sheaf_set(ray_sheaf *sheaf, const lode__lanes origin[3],
                            const lode__lanes inverse[3])
{
    sheaf->any = true;
    for (int i = 0; i < 3; ++i) {
        lode_real least = least_of(&inverse[i]), most = greatest_of(&inverse[i]);
        sheaf->origin[i][0] = least_of(&origin[i]);
        sheaf->origin[i][1] = greatest_of(&origin[i]);
        sheaf->inverse[i][0] = least;
        sheaf->inverse[i][1] = most;
        sheaf->up[i] = most > 0;
        sheaf->any = sheaf->any && r_finite(least) && r_finite(most);
    }
}

/* The least distance along axis `i` at which a ray of the sheaf may come to planes. */
LODE__INLINE wreal sheaf_least(const ray_sheaf *sheaf, int i, wreal plane)
{
    wreal way = w_sub(plane, w_splat(sheaf->origin[i][sheaf->up[i]]));
    return w_min(w_mul(way, w_splat(sheaf->inverse[i][0])),
                 w_mul(way, w_splat(sheaf->inverse[i][1])));
}

/* The greatest. */
LODE__INLINE wreal sheaf_most(const ray_sheaf *sheaf, int i, wreal plane)
{
    wreal way = w_sub(plane, w_splat(sheaf->origin[i][!sheaf->up[i]]));
    return w_max(w_mul(way, w_splat(sheaf->inverse[i][0])),
                 w_mul(way, w_splat(sheaf->inverse[i][1])));
}

/* Which of the rays from `lane` on enter a box within their length, and where. Box and rays have
 * the same signs: `near` is the corner at which the rays enter. */
LODE__INLINE wmask enter_corners(const lode__ray_batch *batch, const lode_real near[3],
                                 const lode_real far[3], int lane, wreal *out_enter)
{
    wreal longer = w_splat(1 + 4 * REAL_EPSILON);
    wreal enter = w_zero(), leave = w_load(batch->most.x + lane);
    for (int i = 0; i < 3; ++i) {
        wreal origin = w_load(batch->origin[i].x + lane);
        wreal inverse = w_load(batch->inverse[i].x + lane);
        wreal to_near = w_mul(w_sub(w_splat(near[i]), origin), inverse);
        wreal to_far = w_mul(w_sub(w_splat(far[i]), origin), inverse);
        enter = w_max(to_near, enter);
        leave = w_min(w_mul(to_far, longer), leave);
    }
    *out_enter = enter;
    return w_le(enter, leave);
}

/* Of all rays, and a box as an array. */
LODE__INLINE unsigned enter_box(const lode__ray_batch *batch, const lode_real *box,
                                lode__lanes *out_enter)
{
    const lode_real near[3] = {box[batch->near[0]], box[batch->near[1]], box[batch->near[2]]};
    const lode_real far[3] = {box[batch->far[0]], box[batch->far[1]], box[batch->far[2]]};
    unsigned bits = 0;
    for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
        wreal enter;
        bits |= m_bits(enter_corners(batch, near, far, lane, &enter)) << lane;
        w_store(out_enter->x + lane, enter);
    }
    return bits;
}

#endif
