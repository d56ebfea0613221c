/* odeconfig.h: how this build of the ODE face counts and exports. */
#ifndef LODE_ODE_ODECONFIG_H
#define LODE_ODE_ODECONFIG_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The library is double precision unless the program asks for single before it includes anything:
 * one of the two must be the library's that it is linked with. */
#if defined(dIDESINGLE)
#define dSINGLE 1
#elif !defined(dSINGLE)
#define dDOUBLE 1
#endif

#if defined(_WIN32) || !defined(__GNUC__)
#define ODE_API
#else
#define ODE_API __attribute__((visibility("default")))
#endif
#define ODE_PURE_INLINE static inline

#define dInfinity ((dReal)INFINITY)

#endif
