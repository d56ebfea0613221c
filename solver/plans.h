/* plans.h: plans of islands for the direct solver, kept from step to step. A plan follows from
 * which constraint of the island pushes which of its bodies, and how many rows it has. Islands
 * alike in that share one; and as most are in the next step what they were in the last, next to
 * none is made anew. What is kept decides about no result. */
#ifndef LODE_SOLVER_PLANS_H
#define LODE_SOLVER_PLANS_H

#include "solver/bonds.h"
#include "solver/lcp_plan.h"
#include "solver/rows.h"

typedef struct lode__island_plan {
    lode__lcp_plan lcp;
    lode__bond_plan bonds;
    struct lode__island_plan *next; /* of the same remainder of its hash */
    const uint32_t *key;            /* what it follows from */
    uint32_t length, hash;
    uint32_t step; /* that it was asked for last */
    size_t bytes;
} lode__island_plan;

/* bonds.c: solves an island of a plan that fits with this kernel: writes impulses and velocities.
 * False, and nothing is written, where that is not to be had so. */
bool lode__bonds_solve(const lode__bond_plan *plan, const lode__bonds *bonds,
                       lode__bonds_fn *kernel, const lode__dense *lines, const lode__rows *rows,
                       const lode__row_island *island);

/* The same of up to four islands of a small plan, to the bit: a bit for each that is solved. */
unsigned lode__bonds_solve_four(const lode__bond_plan *plan, const lode__bond_four *four,
                                const lode__bond_four_kernels *kernels, const lode__dense *lines,
                                const lode__rows *rows, const lode__row_island *islands,
                                uint32_t count);

/* To be called before a step's first plan; may forget those of steps before. */
void lode__plans_begin(lode__plans *plans);

/* The plan of an island; null when there is no memory. */
const lode__island_plan *lode__plans_of(lode__plans *plans, const lode__rows *rows,
                                        const lode__row_island *island, lode__arena *scratch);

/* The same of joints alone, of which no row is bounded, in any order that depends on them alone;
 * null when there is no memory. */
const lode__bond_plan *lode__plans_of_joints(lode__plans *plans, const lode__bond_joint *joints,
                                             uint32_t joint_count, uint32_t body_count,
                                             lode__arena *scratch);

#endif
