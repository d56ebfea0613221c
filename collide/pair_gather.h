/* pair_gather.h: eight pairs from where they lie in memory; kernel text, see simd/wide.h.
 *
 * What a pair needs lies in lines: the sizes of both shapes, their centres and rotations, and the
 * centres of mass of their bodies. Four numbers of eight lines are loaded and transposed in
 * registers; written one by one they would be read again before they have arrived, by loads of
 * another width. What a kernel has no use for is not loaded, where the text is one function with
 * it.
 *
 * The offset is the difference of the shapes' centres, from the difference of the bodies' centres
 * of mass, so that it is exact for neighbours however far they are from the origin. Shapes that lie
 * in the middle of their bodies go through the same sums, with arms of zero.
 *
 * Whether they do is the caller's to say, who may know it while the text is compiled. */
#ifndef LODE_COLLIDE_PAIR_GATHER_H
#define LODE_COLLIDE_PAIR_GATHER_H

#include "collide/pair_batch.h"

/* Of both, as the pair has them. */
typedef struct wplace {
    wvec3 arm_a, arm_b; /* from their bodies' centres of mass to the shapes' centres */
    wvec3 body_a;       /* a's centre of mass, in the world */
    wvec3 apart;        /* from b's to a's */
    wvec3 offset;       /* from a's centre to b's */
} wplace;

LODE__INLINE wvec3 load_vectors(const lode_real *const *p)
{
    return wf_vector(w_load_fours(p));
}

LODE__INLINE wplace gather_place(const lode__pair_sources *from, bool centered, int lane)
{
    wplace out = {.arm_a = wv_zero(), .arm_b = wv_zero()};
    wvec3 body_b = load_vectors(&from->body[1][lane]);
    out.body_a = load_vectors(&from->body[0][lane]);
    out.apart = wv_sub(out.body_a, body_b);
    out.offset = wv_sub(body_b, out.body_a);
    if (!centered) {
        out.arm_a = load_vectors(&from->place[0][lane]);
        out.arm_b = load_vectors(&from->place[1][lane]);
        out.offset = wv_sub(wv_sub(out.arm_b, out.arm_a), out.apart);
    }
    return out;
}

/* The rotation of a shape: the second four numbers of a pose. */
LODE__INLINE wquat gather_turn(const lode__pair_sources *from, int x, bool centered, int lane)
{
    const lode_real *const *pose = centered ? from->body[x] : from->place[x];
    return wf_quat(w_load_fours_at(pose + lane, LODE__POSE_TURN));
}

/* All but the sizes. */
LODE__INLINE wpair gather_pair(const lode__pair_sources *from, const wplace *place,
                               wreal speculative, bool centered, bool swapped, int lane)
{
    return (wpair){.turn_a = gather_turn(from, swapped, centered, lane),
                   .turn_b = gather_turn(from, !swapped, centered, lane),
                   .offset = swapped ? wv_neg(place->offset) : place->offset,
                   .speculative = speculative};
}

LODE__INLINE wfour load_size(const lode__pair_sources *from, int x, int lane)
{
    return w_load_fours(&from->size[x][lane]);
}

#ifndef LODE_ONE_PAIR

/* --- into a batch */

LODE__INLINE void put_fours(lode__lanes out[4], int lane, wfour four)
{
    w_store(&out[0].x[lane], four.r0);
    w_store(&out[1].x[lane], four.r1);
    w_store(&out[2].x[lane], four.r2);
    w_store(&out[3].x[lane], four.r3);
}

LODE__INLINE void put_turn(lode__lanes out[4], int lane, wquat q)
{
    put_fours(out, lane, (wfour){q.w, q.x, q.y, q.z});
}

LODE__INLINE void gather_pairs(const lode__pair_sources *from, lode__pair_batch *batch, int lane)
{
    wplace place = gather_place(from, from->centered, lane);
    wreal speculative = w_splat(batch->speculative);
    wpair pair = gather_pair(from, &place, speculative, from->centered, from->swapped, lane);
    put_fours(batch->size_a, lane, load_size(from, from->swapped, lane));
    put_fours(batch->size_b, lane, load_size(from, !from->swapped, lane));
    put_turn(batch->rotation_a, lane, pair.turn_a);
    put_turn(batch->rotation_b, lane, pair.turn_b);
    wv_store(&batch->arm[0].x[lane], place.arm_a);
    wv_store(&batch->apart[0].x[lane], place.apart);
    wv_store(&batch->offset[0].x[lane], pair.offset);
}

#endif /* LODE_ONE_PAIR */

#endif
