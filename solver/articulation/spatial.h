/* spatial.h: pairs of vectors of articulations' dynamics: motions (v, w), forces (f, n), and the
 * inertia of several links as one (solver/articulation/multibody.h says about which point). */
#ifndef LODE_SOLVER_ARTICULATION_SPATIAL_H
#define LODE_SOLVER_ARTICULATION_SPATIAL_H

#include "core/math.h"
#include "solver/articulation/multibody.h"

typedef struct lode__mb_wrench {
    lode_vec3 f, n;
} lode__mb_wrench;

typedef struct lode__mb_motion {
    lode_vec3 v, w;
} lode__mb_motion;

/* Links that move as one: mass, its centre from the point of reference, the moment about that
 * centre. Only sums of what is positive are taken, so that no digits are lost. */
typedef struct lode__mb_composite {
    lode_real mass;
    lode_vec3 center;
    lode_real moment[6];
} lode__mb_composite;

static inline lode__mb_motion mb_axis(const lode__mb_dof *dof)
{
    return (lode__mb_motion){mb_v3(dof->s_v), mb_v3(dof->s_w)};
}

static inline lode_real mb_power(lode__mb_motion m, lode__mb_wrench p)
{
    return v3_dot(m.v, p.f) + v3_dot(m.w, p.n);
}

/* What a force on a link is to a degree of freedom of its joint, and to its parent. */
static inline lode_real mb_along(const lode__mb_dof *dof, lode__mb_wrench p)
{
    return mb_power(mb_axis(dof), p);
}

static inline lode__mb_wrench mb_shifted(lode__mb_wrench p, lode_vec3 arm)
{
    return (lode__mb_wrench){p.f, v3_add(p.n, v3_cross(arm, p.f))};
}

static inline lode__mb_wrench mb_plus(lode__mb_wrench a, lode__mb_wrench b)
{
    return (lode__mb_wrench){v3_add(a.f, b.f), v3_add(a.n, b.n)};
}

static inline lode__mb_motion mb_further(lode__mb_motion a, lode__mb_motion b, lode_real by)
{
    return (lode__mb_motion){v3_madd(a.v, b.v, by), v3_madd(a.w, b.w, by)};
}

/* The momentum of links that move as one, or the force that a motion as acceleration takes. */
static inline lode__mb_wrench mb_momentum(const lode__mb_composite *c, lode__mb_motion m)
{
    lode_vec3 f = v3_scale(v3_add(m.v, v3_cross(m.w, c->center)), c->mass);
    return (lode__mb_wrench){f, v3_add(s3_mul(c->moment, m.w), v3_cross(c->center, f))};
}

static inline lode__mb_composite mb_composite_of(const lode__mb_link *link, lode_vec3 center)
{
    lode__mb_composite c = {.mass = link->mass[0], .center = center};
    for (int i = 0; i < 6; ++i)
        c.moment[i] = link->moment[i];
    return c;
}

/* Adds `other`, whose point of reference is at `arm` from that of `sum`. The masses are positive.
 * */
static inline void mb_composite_add(lode__mb_composite *sum, const lode__mb_composite *other,
                                    lode_vec3 arm)
{
    lode_real mass = sum->mass + other->mass, share = other->mass / mass;
    lode_vec3 d = v3_sub(v3_add(other->center, arm), sum->center);
    lode_real by = sum->mass * share;
    lode_real xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    lode_real apart[6] = {yy + zz, xx + zz, xx + yy, -(d.x * d.y), -(d.x * d.z), -(d.y * d.z)};
    for (int i = 0; i < 6; ++i)
        sum->moment[i] += other->moment[i] + by * apart[i];
    sum->center = v3_madd(sum->center, d, share);
    sum->mass = mass;
}

#endif
