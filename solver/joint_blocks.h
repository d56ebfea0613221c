/* joint_blocks.h: what goes from joints to blocks of rows, and back. */
#ifndef LODE_SOLVER_JOINT_BLOCKS_H
#define LODE_SOLVER_JOINT_BLOCKS_H

#include "solver/state.h"

/* Fills a chunk of blocks and builds their rows. */
void lode__joints_fill(const lode__solver *solver, const lode__step *step,
                       const lode__solve_chunk *chunk, const lode__softness *softness);

/* Gives the impulses of a chunk back to the joints, and what is told of them if somebody asks. */
void lode__joints_keep(const lode__solver *solver, const lode__step *step,
                       const lode__solve_chunk *chunk, lode_real inv_dt);

/* Writes the rows of a chunk of joints anew for bodies that have moved within the step; does
 * nothing for contacts. The impulses stay. */
void lode__joints_turn(const lode__solver *solver, const lode__solve_chunk *chunk,
                       const lode__softness *softness);

/* The same of one block; errors are what they are now, not what they were as the step began, and
 * what follows from rows is not written. */
void lode__joint_block_turn(const lode__solver *solver, int bucket, lode__row_block *block,
                            const lode__softness *softness);

#endif
