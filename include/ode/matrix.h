/* Vectors and matrices of any size. Matrices lie row by row; a row of n elements is dPAD(n) long,
   or nskip where that is an argument. */
#ifndef _ODE_MATRIX_H_
#define _ODE_MATRIX_H_

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

ODE_API void dSetZero(dReal *a, int n);
ODE_API void dSetValue(dReal *a, int n, dReal value);
/* 0 if n is 0 or less. */
ODE_API dReal dDot(const dReal *a, const dReal *b, int n);

/* A (p by r) = B C, B^T C, B C^T; the sum over each element has q terms. */
ODE_API void dMultiply0(dReal *A, const dReal *B, const dReal *C, int p, int q, int r);
ODE_API void dMultiply1(dReal *A, const dReal *B, const dReal *C, int p, int q, int r);
ODE_API void dMultiply2(dReal *A, const dReal *B, const dReal *C, int p, int q, int r);

/* A = L L^T in place, in the lower triangle; 0 if A is not positive definite. Then solve for b. */
ODE_API int dFactorCholesky(dReal *A, int n);
ODE_API void dSolveCholesky(const dReal *L, dReal *b, int n);

/* Of matrices that should be positive definite: 0 if this one is not. */
ODE_API int dInvertPDMatrix(const dReal *A, dReal *Ainv, int n);
ODE_API int dIsPositiveDefinite(const dReal *A, int n);

/* A = L D L^T in place, where L has ones on its diagonal and d holds the inverses of D's elements.
   Then solve L x = b, L^T x = b, L D L^T x = b in place of b. */
ODE_API void dFactorLDLT(dReal *A, dReal *d, int n, int nskip);
ODE_API void dSolveL1(const dReal *L, dReal *b, int n, int nskip);
ODE_API void dSolveL1T(const dReal *L, dReal *b, int n, int nskip);
ODE_API void dSolveLDLT(const dReal *L, const dReal *d, dReal *b, int n, int nskip);

/* Multiply a by d, element by element; the second one is an old name. */
ODE_API void dScaleVector(dReal *a, const dReal *d, int n);
ODE_API_DEPRECATED ODE_API void dVectorScale(dReal *a, const dReal *d, int n);

/* Bring a factorisation up to date: when a is added to the first row and column of the matrix,
   where L's first column and d[0] are left as they are; when row and column r are taken out of the
   n2 by n2 matrix of A's rows p[], which is part of an n1 by n1 one, where L's last row and d's
   last element mean nothing afterwards. */
ODE_API void dLDLTAddTL(dReal *L, dReal *d, const dReal *a, int n, int nskip);
ODE_API void dLDLTRemove(dReal **A, const int *p, dReal *L, dReal *d, int n1, int n2, int r,
                         int nskip);

/* Takes row and column r out of A and closes the gap. */
ODE_API void dRemoveRowCol(dReal *A, int n, int nskip, int r);

#ifdef __cplusplus
}
#endif

#endif
