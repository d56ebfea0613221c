/* thrown.h: warm starts that throw bodies are taken back.
 *
 * Contacts that push against each other, as those of hollow bodies that hold one another, have no
 * velocity to agree on, and each sweep adds to their impulses: a body of 50 kg is held by 1e5 N s
 * from either side, until the next step finds one of its contacts gone, or turned. No number of
 * sweeps takes back what the others then start with: stools left at 77 m/s. What they start with
 * is right where it takes a body to about the velocity that it had: so one that it makes many
 * times as fast starts without what its contacts exerted, and so do those that this in turn
 * throws. */
#ifndef LODE_SOLVER_THROWN_H
#define LODE_SOLVER_THROWN_H

#include "solver/solvers.h"

/* Before the warm start: how fast the bodies of these lines go. */
void lode__thrown_note(const lode__dense *lines, const lode__stretch *stretch);

/* Adds the passes that follow it. */
void lode__thrown_add(lode__program *out);

#endif
