/* float_bounds.h: boxes of reals in single precision, rounded outwards. */
#ifndef LODE_COLLIDE_FLOAT_BOUNDS_H
#define LODE_COLLIDE_FLOAT_BOUNDS_H

#include "core/math.h"

#include <float.h>
#include <string.h>

/* The float next to `x` away from it, by its bits, which are in the order of floats. */
static inline float next_float(float x, bool up)
{
    uint32_t bits;
    if (x == 0)
        return up ? FLT_MIN : -FLT_MIN;
    memcpy(&bits, &x, sizeof bits);
    bits += (x > 0) == up ? 1u : UINT32_MAX;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline float float_below(lode_real x)
{
    float f = (float)x;
    return (lode_real)f > x ? next_float(f, false) : f;
}

static inline float float_above(lode_real x)
{
    float f = (float)x;
    return (lode_real)f < x ? next_float(f, true) : f;
}

#endif
