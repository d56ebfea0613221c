/* pair_gather.h: eight pairs from where they lie in memory into a batch; kernel text, see
 * simd/wide.h.
 *
 * What a pair needs lies in lines: the sizes of both shapes, their centres and rotations, and the
 * centres of mass of their bodies. Four numbers of eight lines are loaded and transposed in
 * registers; written one by one they would be read again before they have arrived, by loads of
 * another width.
 *
 * The offset is the difference of the shapes' centres, from the difference of the bodies' centres
 * of mass, so that it is exact for neighbours however far they are from the origin. */
#ifndef LODE_COLLIDE_PAIR_GATHER_H
#define LODE_COLLIDE_PAIR_GATHER_H

#include "collide/kernels.h"
#include "simd/wide.h"

LODE__INLINE wvec3 load_vectors(const lode_real *const *p)
{
    wfour four = w_load_fours(p);
    return (wvec3){four.r0, four.r1, four.r2};
}

LODE__INLINE void put_fours(lode__lanes out[4], int lane, wfour four)
{
    w_store(&out[0].x[lane], four.r0);
    w_store(&out[1].x[lane], four.r1);
    w_store(&out[2].x[lane], four.r2);
    w_store(&out[3].x[lane], four.r3);
}

LODE__INLINE void gather_pairs(const lode__pair_sources *from, lode__pair_batch *batch, int lane)
{
    bool swapped = batch->swapped;
    lode__lanes *size_a = swapped ? batch->size_b : batch->size_a;
    lode__lanes *size_b = swapped ? batch->size_a : batch->size_b;
    lode__lanes *turn_a = swapped ? batch->rotation_b : batch->rotation_a;
    lode__lanes *turn_b = swapped ? batch->rotation_a : batch->rotation_b;
    put_fours(size_a, lane, w_load_fours(&from->size[0][lane]));
    put_fours(size_b, lane, w_load_fours(&from->size[1][lane]));
    put_fours(turn_a, lane, w_load_fours(&from->turn[0][lane]));
    put_fours(turn_b, lane, w_load_fours(&from->turn[1][lane]));

    wvec3 arm_a = load_vectors(&from->arm[0][lane]), arm_b = load_vectors(&from->arm[1][lane]);
    wvec3 apart = wv_sub(load_vectors(&from->body[0][lane]), load_vectors(&from->body[1][lane]));
    wvec3 offset = wv_sub(wv_sub(arm_b, arm_a), apart);
    wv_store(&batch->arm[0].x[lane], arm_a);
    wv_store(&batch->apart[0].x[lane], apart);
    wv_store(&batch->offset[0].x[lane], swapped ? wv_neg(offset) : offset);
}

#endif
