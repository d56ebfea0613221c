/* held.h: what a joint's type holds, row by row, where its bodies are: for what is asked of a joint
 * outside of a step. Free axes, their motors and stops are solver/joints/axes.h. */
#ifndef LODE_SOLVER_JOINTS_HELD_H
#define LODE_SOLVER_JOINTS_HELD_H

#include "core/joints.h"
#include "core/lines.h"

struct lode__solver_kernels; /* solver/kernels.h */

enum { LODE__HELD_ROWS = 6 }; /* most rows that a type holds */

/* A row's Jacobian, world axes about the centres of mass; of b's linear velocity it is -lin. */
typedef struct lode__held_row {
    lode_vec3 lin, ang_a, ang_b;
} lode__held_row;

/* Bytes of scratch, aligned for lanes. */
size_t lode__held_scratch_size(void);

/* Of a joint of two bodies with these poses, or of one and, with null for `b`, the world. Returns
 * how many rows there are: those of its type. */
int lode__joint_held(const struct lode__solver_kernels *kernels, const lode__joint *joint,
                     const lode__pose *a, const lode__pose *b, void *scratch,
                     lode__held_row out[LODE__HELD_ROWS]);

#endif
