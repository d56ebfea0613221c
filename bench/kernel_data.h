/* kernel_data.h: random but valid input for the kernels: what they meet in a step, without the
 * step. One record holds everything, so that a copy puts it back between two timings. */
#ifndef BENCH_KERNEL_DATA_H
#define BENCH_KERNEL_DATA_H

#include "collide/kernels.h"
#include "solver/kernels.h"

enum {
    KERNEL_BLOCKS = 32,
    KERNEL_BODIES = KERNEL_BLOCKS * LODE_LANES * 2, /* every lane has bodies of its own */
    KERNEL_LINES = KERNEL_BODIES + 1,               /* line 0 is the dummy */
    KERNEL_POINTS = LODE__MANIFOLD_POINTS,
    KERNEL_ROWS = 3
};

#define KERNEL_CONTACT_STRIDE \
    (sizeof(lode__contact_block) + KERNEL_POINTS * sizeof(lode__contact_row))
#define KERNEL_ROW_STRIDE (sizeof(lode__row_block) + KERNEL_ROWS * sizeof(lode__row))

typedef struct kernel_data {
    lode__velocity velocity[KERNEL_LINES];
    lode__inv_mass inv_mass[KERNEL_LINES];
    lode__delta delta[KERNEL_LINES];
    lode__pose pose[KERNEL_LINES];
    lode__force force[KERNEL_LINES];
    lode__spinner spinner[KERNEL_BODIES];
    int32_t spinner_line[KERNEL_BODIES];
    _Alignas(64) lode_real gyro[KERNEL_BODIES];
    lode__joint_lanes joints[KERNEL_BLOCKS];
    lode__pair_batch boxes[KERNEL_BLOCKS];
    _Alignas(64) char contacts[KERNEL_BLOCKS * KERNEL_CONTACT_STRIDE];
    _Alignas(64) char rows[KERNEL_BLOCKS * KERNEL_ROW_STRIDE];
} kernel_data;

/* Views of the record, as the kernels take them. */
lode__dense kernel_dense(kernel_data *data);
lode__spinners kernel_spinners(kernel_data *data);
void *kernel_block(kernel_data *data, int kind, int index);
size_t kernel_stride(int kind);

/* A step of 1/60 s with PGS. */
lode__softness kernel_softness(void);

/* Bodies, joints, boxes and, for a kind of block, blocks that have gone through the stages before
 * the solver's iterations. `prepared` false leaves them as the prepare kernel finds them.
 * `stacked` boxes lie face on face; else they touch in any pose. */
void kernel_data_fill(kernel_data *out_data, int kind, bool prepared, bool stacked);

#endif
