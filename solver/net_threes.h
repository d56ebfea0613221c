/* net_threes.h: three numbers that are worked on together, in kernels of nets (solver/nets.inl): of
 * one net three doubles in the lanes of a quad, of four nets three quads. What is done to each of
 * the three is the same, in the same order. */
#ifndef LODE_SOLVER_NET_THREES_H
#define LODE_SOLVER_NET_THREES_H

#include "simd/quad.h"
#include "simd/wide.h"

/* --- doubles; what is in the last lane is nobody's */

typedef lode__quad one_three;

LODE__INLINE one_three one_make(double x, double y, double z)
{
    return (one_three){x, y, z, 0};
}

LODE__INLINE one_three one_load(const double *p)
{
    return (one_three){p[0], p[1], p[2], 0};
}

LODE__INLINE void one_store(double *p, one_three x)
{
    p[0] = x[0], p[1] = x[1], p[2] = x[2];
}

LODE__INLINE one_three one_plus(one_three a, one_three b)
{
    return a + b;
}

LODE__INLINE one_three one_minus(one_three a, one_three b)
{
    return a - b;
}

LODE__INLINE one_three one_by(one_three a, double x)
{
    return a * LODE__QUAD(x);
}

LODE__INLINE one_three one_cross(one_three a, one_three b)
{
    return one_make(a[1], a[2], a[0]) * one_make(b[2], b[0], b[1]) -
           one_make(a[2], a[0], a[1]) * one_make(b[1], b[2], b[0]);
}

/* --- quads */

typedef struct four_three {
    lode__quad x, y, z;
} four_three;

LODE__INLINE four_three four_make(lode__quad x, lode__quad y, lode__quad z)
{
    return (four_three){x, y, z};
}

LODE__INLINE four_three four_load(const lode__quad *p)
{
    return (four_three){p[0], p[1], p[2]};
}

LODE__INLINE void four_store(lode__quad *p, four_three a)
{
    p[0] = a.x, p[1] = a.y, p[2] = a.z;
}

LODE__INLINE four_three four_plus(four_three a, four_three b)
{
    return (four_three){a.x + b.x, a.y + b.y, a.z + b.z};
}

LODE__INLINE four_three four_minus(four_three a, four_three b)
{
    return (four_three){a.x - b.x, a.y - b.y, a.z - b.z};
}

LODE__INLINE four_three four_by(four_three a, lode__quad x)
{
    return (four_three){a.x * x, a.y * x, a.z * x};
}

LODE__INLINE four_three four_cross(four_three a, four_three b)
{
    return (four_three){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* --- both */

/* a x + b y + c z. */
LODE__INLINE one_three one_mix(one_three a, double x, one_three b, double y, one_three c, double z)
{
    return one_plus(one_plus(one_by(a, x), one_by(b, y)), one_by(c, z));
}

LODE__INLINE four_three four_mix(four_three a, lode__quad x, four_three b, lode__quad y,
                                 four_three c, lode__quad z)
{
    return four_plus(four_plus(four_by(a, x), four_by(b, y)), four_by(c, z));
}

#endif
