/* What the other headers rest on: standard headers, visibility, integers of fixed width, infinity.
   The integer types are spelled as on Debian, where names of C++ functions depend on them. */
#ifndef _ODE_ODECONFIG_H_
#define _ODE_ODECONFIG_H_

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ode/precision.h>

/* By this a program can tell these headers from ODE's. */
#define LODE_ODE 1

#if defined(ODE_DLL) || defined(ODE_LIB)
#define __ODE__
#endif

/* Marks what the library exports. A program may define it beforehand. */
#if !defined(ODE_API)
#if defined(_WIN32)
#if defined(ODE_DLL)
#define ODE_API __declspec(dllexport)
#else
#define ODE_API
#endif
#elif defined(__GNUC__)
#define ODE_API __attribute__((visibility("default")))
#else
#define ODE_API
#endif
#endif

#if defined(__GNUC__)
#define ODE_API_DEPRECATED __attribute__((__deprecated__))
#define ODE_NORETURN __attribute__((noreturn))
#elif defined(_MSC_VER)
#define ODE_API_DEPRECATED __declspec(deprecated)
#define ODE_NORETURN __declspec(noreturn)
#else
#define ODE_API_DEPRECATED
#define ODE_NORETURN
#endif

#define ODE_INLINE __inline
#define ODE_PURE_INLINE static __inline

#if defined(__cplusplus)
#define ODE_EXTERN_C extern "C"
#else
#define ODE_EXTERN_C
#endif

#if defined(__x86_64__) && !defined(__ILP32__)
#define X86_64_SYSTEM 1
#endif

typedef signed char dint8;
typedef unsigned char duint8;
typedef short dint16;
typedef unsigned short duint16;
typedef int dint32;
typedef unsigned int duint32;
typedef int64_t dint64;
typedef uint64_t duint64;

/* As wide as a pointer. */
typedef intptr_t dintptr;
typedef uintptr_t duintptr;
typedef ptrdiff_t ddiffint;
typedef size_t dsizeint;

#if defined(INFINITY)
#define _dINFINITY INFINITY
#else /* C89 */
#define _dINFINITY HUGE_VAL
#endif
#if defined(dSINGLE)
#define dInfinity ((float)_dINFINITY)
#else
#define dInfinity ((double)_dINFINITY)
#endif

#if defined(NAN)
#define dNaN NAN
#else
#define dNaN (dInfinity - dInfinity)
#endif

#define _ode_copysignf(x, y) copysignf(x, y)
#define _ode_copysign(x, y) copysign(x, y)
#define _ode_nextafterf(x, y) nextafterf(x, y)
#define _ode_nextafter(x, y) nextafter(x, y)

#endif
