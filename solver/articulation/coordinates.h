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

/* How the position of a dof changes by the speeds of dofs of its joint, `count` of them from
 * `first` on. That of a slide or of an only turn does by its own speed; of several turns it is not
 * the speed's integral: the angular velocity w along the axes of the child's frame changes the
 * rotation vector v, a long, by
 *     v' = w + v x w / 2 + (1 / a^2 - (1 + cos a) / (2 a sin a)) v x (v x w)
 * (the inverse of its right Jacobian: Sola, Deray and Atchuthan, A micro Lie theory for state
 * estimation in robotics, 2018). `along` is what the link's angular velocity against its parent has
 * to be multiplied by, or its velocity along a slide, in the world. The tree is placed.
 *
 * `longer`: of the rotation vector that goes the other way round, -(2 pi - a) v / a, which turns by
 * as much. */
typedef struct lode__mb_rate {
    uint32_t first, count;
    lode_real by[3];
    lode_vec3 along;
} lode__mb_rate;

/* Of a dof by itself, along no line; in place, number by number: a copy of the whole would wait for
 * them. What `speed`, by dof, makes of the position. */
static inline lode__mb_rate lode__mb_rate_alone(uint32_t k)
{
    return (lode__mb_rate){.first = k, .count = 1, .by = {1}};
}

static inline void lode__mb_rate_put_alone(lode__mb_rate *out, uint32_t k)
{
    out->first = k;
    out->count = 1;
    out->by[0] = 1;
}

static inline lode_real lode__mb_rate_by(const lode__mb_rate *rate, const lode_real *speed)
{
    lode_real sum = 0;
    for (uint32_t t = 0; t < rate->count; ++t)
        sum += rate->by[t] * speed[rate->first + t];
    return sum;
}

lode__mb_rate lode__mb_rate_of(const lode__multibody *tree, uint32_t k, bool longer);

/* The position of one of several turns the other way round, where they turn by more than a quarter
 * of a whole turn. */
bool lode__mb_other_position(const lode__multibody *tree, uint32_t k, lode_real *out);

#endif
