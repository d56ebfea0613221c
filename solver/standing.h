/* standing.h: what a step has found out of islands, kept for the next one while it *stands*.
 *
 * Islands, groups, blocks and lines are made anew in each step, for contacts come and go. Where
 * there are only loose limbs (solver/articulation/loose.h) and nothing touches any, all of that
 * hangs on very little: which bodies are awake and by which flags, which articulations there are,
 * how the world is set. A step that ends so keeps its lists; the next one compares what they were
 * made of with what it finds, and where nothing differs it begins with solve. Nobody who changes a
 * world need know of it.
 *
 * The lists lie in the step's arena, which a step that may use them does not empty but takes from
 * behind them. */
#ifndef LODE_SOLVER_STANDING_H
#define LODE_SOLVER_STANDING_H

#include "solver/solver.h"

/* The arena for a step that begins: empty, or with the last one's lists. */
void lode__standing_begin(lode__solver *solver, lode__arena *arena);

/* The lists, if there are any, are given up; before their memory is. */
void lode__standing_drop(lode__solver *solver);

/* Does all that the lists were made of stand? Then solver->state is ready for solve, else they are
 * given up. */
bool lode__standing_holds(lode__solver *solver, const lode__step *step);

/* Keeps the lists of this step, which are complete, where they can be kept. */
void lode__standing_keep(lode__solver *solver, const lode__step *step);

#endif
