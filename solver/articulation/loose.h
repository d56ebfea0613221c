/* loose.h: *loose* limbs: nothing touches them in this step or is joined to them, so they are
 * islands by themselves, and no kernel, contact or joint asks what lines they have.
 *
 * Where nobody looks at anything between row prepare and finalise (solver/through.c) such a limb
 * goes from the pools to the pools in one go: its links have lines, which number them, but nothing
 * is gathered to these or written back from them, and what its joints ask for is swept only where
 * some of it does something. Nothing of that shows: each of its numbers is made by the operations
 * that other limbs' are made by, in that order. Several loose limbs are one group. */
#ifndef LODE_SOLVER_ARTICULATION_LOOSE_H
#define LODE_SOLVER_ARTICULATION_LOOSE_H

#include "solver/articulation/limbs.h"
#include "solver/kernels.h"

/* Kernels of a step of one, beside those of its tree (solver/articulation/multibody.h).
 *
 * weigh: forces on the links: gravity, those of the application, damping.
 * keep:  where it has come to, how fast it is and what has changed goes to the pools. False, and
 *        nothing is written: some of it may be no finite number, or no rotation. */
typedef struct lode__loose_kernels {
    void (*weigh)(const lode__solve_work *work, const lode__limb *limb);
    bool (*keep)(const lode__solver *solver, const lode__step *step, const lode__limb *limb);
} lode__loose_kernels;

/* Of plain numbers; and of an instruction set, where it has others (solver/kernels.h). */
extern const lode__loose_kernels lode__loose_kernels_one;

static inline const lode__loose_kernels *loose_kernels(const lode__solver *solver)
{
    const lode__loose_kernels *own = *solver->kernels->loose;
    return own ? own : &lode__loose_kernels_one;
}

/* Could it be loose, given all flags that its links have? */
bool lode__limb_may_be_loose(const lode__solver *solver, const lode__step *step,
                             const lode__limb *limb, uint32_t flags);

/* Marks the lines of loose limbs; and takes what workers need for them. False: out of memory. */
bool lode__loose_lines_take(lode__solve_state *state, lode__arena *arena);
bool lode__loose_take(lode__solver *solver, const lode__step *step);

/* Chooses for good, while lists stand (solver/standing.h), which limbs are stepped together, and
 * finds where the pools have them. False: out of memory. */
bool lode__loose_hold(const lode__solver *solver, lode__arena *arena);

/* Most islands of a group of loose limbs, of so many that there are. */
uint32_t lode__loose_share(const lode__step *step, uint32_t limbs);

/* All of a step of the limbs of a group that is loose. */
void lode__loose_go(const lode__solve_work *work, const lode__group *group, uint32_t worker);

#endif
