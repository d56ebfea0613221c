/* ahead.h: pairs that a near callback will be told of, collided before it is.
 *
 * Most callbacks call dCollide() for each pair. A kernel that takes eight pairs takes little longer
 * than one, so a walk through a space computes its pairs in blocks, and dCollide() finds what is
 * there. A pair that the program has moved or changed since is computed anew; where callbacks ask
 * for few of the pairs, nothing is computed ahead in the next walk. */
#ifndef LODE_ODE_COLLISION_AHEAD_H
#define LODE_ODE_COLLISION_AHEAD_H

#include "ode/collision/space.h"

#include "collide/pair_queue.h"
#include "collide/two.h"
#include "lode/collide.h"

/* As in a world whose lengths are metres. */
#define LODE__ODE_SPECULATIVE ((lode_real)0.008)

/* What touches without overlapping counts, and so does what rounding keeps apart: the gap, m, with
 * which two geoms are told to touch. It grows in powers of two with the farther one's distance from
 * the origin, so that most pairs have the same. */
static inline lode_real lode__ode_gap_of(const lode__pose *pose)
{
    const lode_real least = sizeof(dReal) == sizeof(float) ? (lode_real)1e-6 : (lode_real)1e-9;
    lode_vec3 far = v3_abs(pose->position);
    lode_real scale = r_power_of_two(r_max(r_max(far.x, 1), r_max(far.y, far.z)));
    return r_max(least, 128 * REAL_EPSILON * scale);
}

static inline lode_real lode__ode_gap(const lode__pose *a, const lode__pose *b)
{
    return r_max(lode__ode_gap_of(a), lode__ode_gap_of(b));
}

typedef struct lode__ode_ahead lode__ode_ahead;

/* What the walk through a space is about to tell of: pairs in this order. Null, where there is
 * nothing to compute or no memory: the other functions take that. Walks of one thread begin and
 * end in order. */
lode__ode_ahead *lode__ode_ahead_begin(dSpaceID space, dGeomID (*pairs)[2], uint32_t count);
void lode__ode_ahead_end(lode__ode_ahead *ahead);

/* The space goes: a walk that a callback has jumped out of has no end of its own. */
void lode__ode_ahead_forget(dSpaceID space);

/* The callback is told of this one now, the next or one farther on. */
void lode__ode_ahead_at(lode__ode_ahead *ahead, uint32_t at);

/* Where the two touch, which is the pair that the callback of this thread is told of: the points
 * that are all there are, at most `most`. Null: nothing is known. To be asked first of every pair:
 * walks learn from it whether to compute. */
const lode_collide_point *lode__ode_ahead_find(dGeomID a, dGeomID b, int most, int *out_count);

/* The same of a solid on a mesh: all points that there are to choose from, seen from where the
 * first body is. */
const lode__two_point *lode__ode_ahead_find_mesh(dGeomID a, dGeomID b, uint32_t *out_count);

/* collide.c: has the program nothing of its own to say about how the two collide? */
bool lode__ode_is_plain_pair(dGeomID a, dGeomID b);

/* collide.c: the cell of the kernel for both; null where dCollide() goes another way. And the
 * kernels of this machine. */
const lode__lane_cell *lode__ode_kernel_cell(dGeomID a, dGeomID b);
const lode__collide_kernels *lode__ode_kernels(void);

#endif
