/* direct.h: the direct solver's part of the step: islands as mixed LCPs. */
#ifndef LODE_SOLVER_DIRECT_H
#define LODE_SOLVER_DIRECT_H

#include "solver/lcp.h"
#include "solver/rows.h"
#include "solver/state.h"

typedef struct lode__direct lode__direct;

/* direct_matrix.c: writes the panels of an island's matrix, for the plan that the problem is posed
 * with. `columns` is room for the rows' Jacobians number by number, by part and end (see rows.h);
 * gamma waits in w. */
typedef struct lode__direct_matrix {
    const lode__rows *rows;
    const lode__lcp *lcp;
    double *columns;
} lode__direct_matrix;

void lode__direct_build(const lode__direct_matrix *to, const lode__dense *lines,
                        const lode__row_island *it);

/* May a contact of the group lie on a cone? */
static inline bool lode__direct_has_cones(const lode__rows *rows)
{
    bool any = rows->cone;
    for (uint32_t i = 0; i < rows->part_count && !any; ++i)
        any = bucket_is_contact(rows->parts[i].bucket) && bucket_is_special(rows->parts[i].bucket);
    return any;
}

/* Lists the constraints of each island in groups that are solved directly, and takes the memory to
 * solve them; false when there is not enough. Comes after row prepare's kernels. Groups with
 * articulations have another: solver/articulation/limb_direct.h. */
bool lode__direct_take(lode__solver *solver, const lode__step *step);

/* Solves the refreshed rows of a group's islands to the end, from velocities without any of the
 * rows' impulses; writes impulses and velocities. */
void lode__direct_solve(const lode__solver *solver, lode__group *group);

/* Moves apart what overlaps where rows contradicted each other then, in a sub-step of h seconds. */
void lode__direct_part(const lode__solver *solver, lode__group *group, double h);

/* The same from velocities with the impulses that the rows have, refreshed for the relax pass: what
 * is soft keeps them, the others come to those of the whole sub-step, whose limits theirs are. */
void lode__direct_solve_again(const lode__solver *solver, lode__group *group);

#endif
