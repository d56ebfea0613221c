/* Random numbers, and small helpers to try matrix functions with. Matrices are stored by rows of
   dPAD(columns) elements. */
#ifndef _ODE_MISC_H_
#define _ODE_MISC_H_

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One generator for the whole process, linear congruential. dRand() gives 32 bits, dRandInt() an
   integer of 0 to n-1, dRandReal() a number of 0 to 1, both included; dTestRand() is 1 if it works.
   No simulation depends on it. */
ODE_API int dTestRand(void);
ODE_API unsigned long dRand(void);
ODE_API unsigned long dRandGetSeed(void);
ODE_API void dRandSetSeed(unsigned long s);
ODE_API int dRandInt(int n);
ODE_API dReal dRandReal(void);

/* Prints n rows of m elements, each with the format fmt. */
ODE_API void dPrintMatrix(const dReal *A, int n, int m, const char *fmt, FILE *f);

/* Fill with random elements of -range to range. */
ODE_API void dMakeRandomVector(dReal *A, int n, dReal range);
ODE_API void dMakeRandomMatrix(dReal *A, int n, int m, dReal range);

/* Sets to zero what is above the diagonal of an n by n matrix. */
ODE_API void dClearUpperTriangle(dReal *A, int n);

/* The largest difference of two elements, of n by m matrices or of the lower triangles (with the
   diagonals) of n by n ones; NaN if one is. */
ODE_API dReal dMaxDifference(const dReal *A, const dReal *B, int n, int m);
ODE_API dReal dMaxDifferenceLowerTriangle(const dReal *A, const dReal *B, int n);

#ifdef __cplusplus
}

/* To the standard output. */
static inline void dPrintMatrix(const dReal *A, int n, int m, const char *fmt = "%10.4f ")
{
    dPrintMatrix(A, n, m, fmt, stdout);
}
#endif

#endif
