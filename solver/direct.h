/* direct.h: the direct solver's part of the step: islands as mixed LCPs. */
#ifndef LODE_SOLVER_DIRECT_H
#define LODE_SOLVER_DIRECT_H

#include "solver/state.h"

typedef struct lode__direct lode__direct;

/* Lists the constraints of each island in groups that are solved directly, and takes the memory to
 * solve them; false when there is not enough. Comes after row prepare's kernels. */
bool lode__direct_take(lode__solver *solver, const lode__step *step);

/* Solves the refreshed rows of a group's islands to the end, from velocities without any of the
 * rows' impulses; writes impulses and velocities. */
void lode__direct_solve(const lode__solver *solver, lode__group *group);

/* The same from velocities with the impulses that the rows have, refreshed for the relax pass: what
 * is soft keeps them, the others come to those of the whole sub-step, whose limits theirs are. */
void lode__direct_solve_again(const lode__solver *solver, lode__group *group);

#endif
