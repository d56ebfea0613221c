/* contact_blocks.h: what goes from manifolds to blocks of contacts, and back. */
#ifndef LODE_SOLVER_CONTACT_BLOCKS_H
#define LODE_SOLVER_CONTACT_BLOCKS_H

#include "solver/state.h"

/* Fills a chunk of blocks, special ones too. */
void lode__contacts_fill(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk, const lode__softness *softness);

/* Gives the impulses of a chunk back to the manifolds. */
void lode__contacts_keep(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk);

/* A manifold whose impulses are no start for the next step. */
void lode__contact_forget(const lode__solver *solver, lode__manifold *m);

#endif
