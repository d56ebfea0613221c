/* odemath.h: vectors. */
#ifndef LODE_ODE_ODEMATH_H
#define LODE_ODE_ODEMATH_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two directions of length 1 across the unit vector n, which they make a right-handed frame with. */
ODE_API void dPlaneSpace(const dVector3 n, dVector3 p, dVector3 q);

#ifdef __cplusplus
}
#endif

#endif
