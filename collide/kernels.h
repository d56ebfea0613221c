/* kernels.h: the table of collision kernels that each instruction set exports.
 *
 * A batch is eight pairs, lane-interleaved. Unused lanes hold any finite boxes; what comes out of
 * them is ignored. */
#ifndef LODE_COLLIDE_KERNELS_H
#define LODE_COLLIDE_KERNELS_H

#include "core/contact.h"
#include "core/lines.h"

typedef struct lode__lanes {
    _Alignas(LODE__LINE_ALIGN) lode_real x[LODE_LANES];
} lode__lanes;

/* Eight pairs of boxes. Lengths in m, vectors in world axes. */
typedef struct lode__box_batch {
    /* in */
    lode__lanes half_a[3], half_b[3];         /* extents */
    lode__lanes rotation_a[4], rotation_b[4]; /* w x y z, unit */
    lode__lanes offset[3];                    /* centre of b from centre of a */
    lode__lanes arm[3];                       /* centre of a from a's centre of mass */
    lode_real speculative;                    /* points with a wider gap are left out */

    /* out */
    lode__lanes count;                              /* points, 0..4; of box_way, that */
    lode__lanes normal[3];                          /* into a */
    lode__lanes position[LODE__MANIFOLD_POINTS][3]; /* from a's centre of mass */
    lode__lanes depth[LODE__MANIFOLD_POINTS];
    lode__lanes feature[LODE__MANIFOLD_POINTS]; /* a small whole number */
} lode__box_batch;

/* What decides about a pair of boxes. */
enum { LODE__BOXES_APART, LODE__BOXES_BY_FACE, LODE__BOXES_BY_EDGES, LODE__BOX_WAYS };

/* Eight rays whose directions have the same signs, as lode__slabs of collide/tree_cast.h has one. */
typedef struct lode__ray_batch {
    lode__lanes origin[3], inverse[3];
    lode__lanes most; /* how far each is followed; below 0: not at all */
    uint8_t near[3], far[3];
} lode__ray_batch;

typedef struct lode__collide_kernels {
    lode_simd simd;
    /* Which of the rays enter the box, eight reals from its lower corner on: a bit for each lane. */
    unsigned (*enter_box)(const lode__ray_batch *batch, const lode_real *box);
    void (*box_way)(lode__box_batch *batch); /* writes only to `count` which of the above */
    void (*box_box)(lode__box_batch *batch);
} lode__collide_kernels;

extern const lode__collide_kernels lode__collide_kernels_plain;
extern const lode__collide_kernels lode__collide_kernels_sse2;
extern const lode__collide_kernels lode__collide_kernels_avx2;
extern const lode__collide_kernels lode__collide_kernels_avx512;
extern const lode__collide_kernels lode__collide_kernels_neon;

/* The table of an instruction set that this build has; null for one it has not. */
const lode__collide_kernels *lode__collide_kernels_for(lode_simd simd);

#endif
