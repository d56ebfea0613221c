/* matrix.c: vectors, and products of matrices of any size. */
#include "ode/math/check.h"
#include "ode/matrix.h"

void dSetValue(dReal *a, int n, dReal value)
{
    if (!CHECK_NOT_NEGATIVE(n) || !CHECK_GIVEN_FOR(a, n))
        return;
    for (int i = 0; i < n; ++i)
        a[i] = value;
}

void dSetZero(dReal *a, int n)
{
    if (CHECK_NOT_NEGATIVE(n) && CHECK_GIVEN_FOR(a, n))
        dSetValue(a, n, 0);
}

void dScaleVector(dReal *a, const dReal *d, int n)
{
    if (!CHECK_NOT_NEGATIVE(n) || !CHECK_GIVEN_FOR(a, n) || !CHECK_GIVEN_FOR(d, n))
        return;
    for (int i = 0; i < n; ++i)
        a[i] *= d[i];
}

void dVectorScale(dReal *a, const dReal *d, int n)
{
    dScaleVector(a, d, n);
}

/* The sum of n products of elements that lie some way apart. */
static dReal dot(const dReal *a, size_t step_a, const dReal *b, size_t step_b, int n)
{
    dReal sum = 0;
    for (size_t i = 0; i < (size_t)n; ++i)
        sum += a[i * step_a] * b[i * step_b];
    return sum;
}

/* ODE says that no elements have the product 0, and that a number below 0 means none too. */
dReal dDot(const dReal *a, const dReal *b, int n)
{
    if (n <= 0 || !CHECK_GIVEN(a) || !CHECK_GIVEN(b))
        return 0;
    return dot(a, 1, b, 1, n);
}

#define CHECK_PRODUCT(A, B, C, p, q, r) \
    (CHECK_GIVEN(A) && CHECK_GIVEN(B) && CHECK_GIVEN(C) && CHECK_ABOVE_0(p) && CHECK_ABOVE_0(q) && \
     CHECK_ABOVE_0(r))

/* How far elements are apart along a row and down a column of a matrix. */
typedef struct steps {
    size_t along, down;
} steps;

static steps plain(int columns)
{
    return (steps){1, (size_t)dPAD(columns)};
}

static steps transposed(int columns)
{
    return (steps){(size_t)dPAD(columns), 1};
}

/* A = B C, p by q and q by r. The padding of A stays. */
static void multiply(dReal *A, const dReal *B, steps b, const dReal *C, steps c, int p, int q,
                     int r)
{
    for (size_t i = 0; i < (size_t)p; ++i)
        for (size_t j = 0; j < (size_t)r; ++j)
            A[i * (size_t)dPAD(r) + j] = dot(B + i * b.down, b.along, C + j * c.along, c.down, q);
}

void dMultiply0(dReal *A, const dReal *B, const dReal *C, int p, int q, int r)
{
    if (CHECK_PRODUCT(A, B, C, p, q, r))
        multiply(A, B, plain(q), C, plain(r), p, q, r);
}

void dMultiply1(dReal *A, const dReal *B, const dReal *C, int p, int q, int r)
{
    if (CHECK_PRODUCT(A, B, C, p, q, r))
        multiply(A, B, transposed(p), C, plain(r), p, q, r);
}

void dMultiply2(dReal *A, const dReal *B, const dReal *C, int p, int q, int r)
{
    if (CHECK_PRODUCT(A, B, C, p, q, r))
        multiply(A, B, plain(q), C, transposed(q), p, q, r);
}
