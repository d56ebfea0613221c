/* check.h: bad arguments of functions on vectors and matrices of any size. A null pointer is as
 * good as any where there is nothing to read. Elements are not looked at: NaN goes where the
 * arithmetic takes it. */
#ifndef LODE_ODE_MATH_CHECK_H
#define LODE_ODE_MATH_CHECK_H

#include "ode/check.h"

#define CHECK_ABOVE_0(n) CHECK((n) > 0, #n, "must be above 0")
#define CHECK_NOT_NEGATIVE(n) CHECK((n) >= 0, #n, "must not be negative")
#define CHECK_GIVEN_FOR(pointer, n) \
    CHECK((pointer) != NULL || (n) == 0, #pointer, "must not be null")
#define CHECK_MATRIX(A, n, m) \
    (CHECK_NOT_NEGATIVE(n) && CHECK_NOT_NEGATIVE(m) && CHECK_GIVEN_FOR(A, n))
#define CHECK_SKIP(skip, n) CHECK((skip) >= (n), #skip, "must hold a row")
#define CHECK_MEMORY(pointer) CHECK((pointer) != NULL, #pointer, "finds no memory")

/* Nine elements of a matrix of three rows of four. */
static inline bool lode__ode_finite_matrix(const dReal *R)
{
    for (int i = 0; i < 11; ++i)
        if (i % 4 != 3 && !isfinite(R[i]))
            return false;
    return true;
}
#define CHECK_FINITE_MATRIX(R) CHECK(lode__ode_finite_matrix(R), #R, "must be finite")

#endif
