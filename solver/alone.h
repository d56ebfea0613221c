/* alone.h: constraints looked at one by one, in double precision: the solver that solves each joint
 * or contact to the end when its turn comes, and the residual of a step. */
#ifndef LODE_SOLVER_ALONE_H
#define LODE_SOLVER_ALONE_H

#include "solver/state.h"

typedef struct lode__alone lode__alone;

/* True when the step asks for either. */
bool lode__alone_is_wanted(const lode_world_def *settings);

/* Takes what a group's threads need for it; false when there is no memory. */
bool lode__alone_take(const lode__solver *solver, const lode__step *step);

/* Solves the rows of each lane of a chunk as one problem, lane by lane, and pushes its bodies. */
void lode__alone_solve(const lode__solver *solver, const lode__group *group,
                       const lode__solve_chunk *chunk, const lode__softness *softness);

/* Measures by how much velocity the rows of a chunk are missed. */
void lode__alone_measure(const lode__group *group, const lode__dense *lines,
                         const lode__solve_chunk *chunk, const lode__softness *softness);

/* The most that was measured in any group. */
double lode__alone_residual(const lode__solve_state *state);

#endif
