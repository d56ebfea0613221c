/* trials.c: helpers for who tries matrix functions. */
#include "ode/math/check.h"
#include "ode/misc.h"

void dPrintMatrix(const dReal *A, int n, int m, const char *fmt, FILE *f)
{
    if (!CHECK_MATRIX(A, n, m) || !CHECK_GIVEN(fmt) || !CHECK_GIVEN(f))
        return;
    for (int i = 0; i < n; ++i) {
        const dReal *row = A + (size_t)i * (size_t)dPAD(m);
        for (int j = 0; j < m; ++j)
            fprintf(f, fmt, (double)row[j]);
        fputc('\n', f);
    }
}

void dClearUpperTriangle(dReal *A, int n)
{
    if (!CHECK_MATRIX(A, n, n))
        return;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            A[(size_t)i * (size_t)dPAD(n) + (size_t)j] = 0;
}

/* A difference that is NaN is the largest. */
static dReal larger(dReal most, dReal a, dReal b)
{
    dReal off = dFabs(a - b);
    return off <= most || isnan(most) ? most : off;
}

dReal dMaxDifference(const dReal *A, const dReal *B, int n, int m)
{
    dReal most = 0;
    if (!CHECK_MATRIX(A, n, m) || !CHECK_GIVEN_FOR(B, n))
        return 0;
    for (int i = 0; i < n; ++i) {
        size_t row = (size_t)i * (size_t)dPAD(m);
        for (int j = 0; j < m; ++j)
            most = larger(most, A[row + (size_t)j], B[row + (size_t)j]);
    }
    return most;
}

dReal dMaxDifferenceLowerTriangle(const dReal *A, const dReal *B, int n)
{
    dReal most = 0;
    if (!CHECK_MATRIX(A, n, n) || !CHECK_GIVEN_FOR(B, n))
        return 0;
    for (int i = 0; i < n; ++i) {
        size_t row = (size_t)i * (size_t)dPAD(n);
        for (int j = 0; j <= i; ++j)
            most = larger(most, A[row + (size_t)j], B[row + (size_t)j]);
    }
    return most;
}
