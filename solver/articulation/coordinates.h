/* coordinates.h: positions of an articulation's degrees of freedom, which its links do not hold
 * (solver/articulation/multibody.h): they hold a turn and a slide of each joint. */
#ifndef LODE_SOLVER_ARTICULATION_COORDINATES_H
#define LODE_SOLVER_ARTICULATION_COORDINATES_H

#include "solver/articulation/multibody.h"

/* How a joint's only turn counts. */
typedef enum lode__mb_winding {
    LODE__MB_WRAPPED,  /* within -2 pi..2 pi: what leaves that comes back by 4 pi */
    LODE__MB_UNWRAPPED /* on and on */
} lode__mb_winding;

/* The position of a joint's only turn, by how it counts: one that is no more than 2 pi beyond. */
static inline lode_real lode__mb_wound(lode_real q, lode__mb_winding winding)
{
    const lode_real two_pi = (lode_real)6.28318530717958647692;
    if (winding == LODE__MB_UNWRAPPED)
        return q;
    return q > two_pi ? q - 2 * two_pi : q < -two_pi ? q + 2 * two_pi : q;
}

/* The rotation of a rotation vector, and the rotation vector of a rotation, the shorter way: no
 * longer than pi. Of half a turn exactly either way is one; q and -q give the same. */
lode_quat lode__turn_by_vector(lode_vec3 v);
lode_vec3 lode__vector_of_turn(lode_quat q);

/* The positions of a link's joint, by dof of the tree, from its turn and slide. A single turn is an
 * angle known up to whole turns: it becomes that nearest to what `positions` holds, which is to be
 * where it was, or is expected, within half a turn; then it is wrapped. Several turns are the
 * rotation vector, of which two leave the third number out. Links but the root. */
void lode__mb_read_positions(const lode__multibody *tree, uint32_t link, lode__mb_winding winding,
                             lode_real *positions);

/* The turn and the slide of a link's joint from its positions; numbers of axes it has not are 0.
 * Links but the root. */
void lode__mb_write_positions(const lode__multibody *tree, uint32_t link,
                              const lode_real *positions);

#endif
