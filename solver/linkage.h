/* linkage.h: joints over any number of bodies, *linkages*, in the solver: couplings of other
 * joints' axes, and rows that the application writes.
 *
 * Their rows are constraints one by one, in a list of their own, and a block has one row of eight
 * of them with as many bodies as the longest has room for, a power of two. They take no part in
 * the colours of pairs: a row over many bodies would take the same colour from all of them, and
 * every place that knows a constraint by its two ends would have to know of more. They are solved
 * with what found no colour, one block after another, and have colours of their own there, so that
 * lanes of a block have no body in common. So threads that share a large island meet for them; the
 * machines that have any are rarely that large. Rows with a link of an articulation among their
 * bodies have the colour of these, and are solved with the limbs' (solver/articulation/limbs.h). */
#ifndef LODE_SOLVER_LINKAGE_H
#define LODE_SOLVER_LINKAGE_H

#include "solver/state.h"

/* Bytes of a block with room for so many bodies. Behind the ends lies what rows are written in,
 * lane by lane: bodies, and the Jacobian's two arrays. */
size_t lode__linkage_block_size(int ends);

/* constraints.c calls it: lists the rows of linkages that hold, and notes
 * the buckets they may be of; false when out of memory. */
bool lode__linkages_list(lode__solver *solver, const lode__step *step, lode__bucket_set *seen);

/* Joins the places of all bodies that a linkage has (islands.c). */
void lode__linkages_join(const lode__solve_state *state, uint32_t *parent);

/* Places become lines, when these are known. */
void lode__linkages_find_lines(const lode__solve_state *state, const uint32_t *line_of_place);

/* Gives a row the lowest colour that none of its bodies has. */
void lode__linkage_colour(const lode__solve_state *state, uint32_t source);

/* Fills a chunk of blocks; and writes their rows anew for bodies that have moved in the step. */
void lode__linkages_fill(const lode__solver *solver, const lode__step *step,
                         const lode__solve_chunk *chunk, const lode__softness *softness);
void lode__linkages_turn(const lode__solver *solver, const lode__solve_chunk *chunk,
                         const lode__softness *softness);

/* Gives the impulses of a chunk back to the joints. */
void lode__linkages_keep(const lode__solver *solver, const lode__solve_chunk *chunk,
                         lode_real inv_dt);

#endif
