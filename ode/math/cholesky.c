/* cholesky.c: A = L L^T, for matrices of rows of dPAD(n) elements, of which the lower triangle is
 * read. A is positive definite if and only if no pivot is 0 or less, or NaN. */
#include "ode/math/check.h"
#include "ode/matrix.h"
#include "ode/memory.h"

static size_t skip_of(int n)
{
    return (size_t)dPAD(n);
}

static size_t bytes_of(int n)
{
    return (size_t)n * skip_of(n) * sizeof(dReal);
}

static bool factor(dReal *A, int n)
{
    size_t skip = skip_of(n);
    for (int i = 0; i < n; ++i) {
        dReal *row = A + (size_t)i * skip;
        dReal pivot = row[i];
        for (int j = 0; j < i; ++j) {
            const dReal *above = A + (size_t)j * skip;
            row[j] = (row[j] - dDot(row, above, j)) / above[j];
            pivot -= row[j] * row[j];
        }
        if (!(pivot > 0))
            return false;
        row[i] = dSqrt(pivot);
    }
    return true;
}

int dFactorCholesky(dReal *A, int n)
{
    return CHECK_ABOVE_0(n) && CHECK_GIVEN(A) && factor(A, n);
}

/* L y = b from above, then L^T x = y from below. */
static void solve(const dReal *L, dReal *b, int n)
{
    size_t skip = skip_of(n);
    for (int i = 0; i < n; ++i)
        b[i] = (b[i] - dDot(L + (size_t)i * skip, b, i)) / L[(size_t)i * skip + (size_t)i];
    for (int i = n - 1; i >= 0; --i) {
        const dReal *row = L + (size_t)i * skip;
        b[i] /= row[i];
        for (int j = 0; j < i; ++j)
            b[j] -= row[j] * b[i];
    }
}

void dSolveCholesky(const dReal *L, dReal *b, int n)
{
    if (CHECK_ABOVE_0(n) && CHECK_GIVEN(L) && CHECK_GIVEN(b))
        solve(L, b, n);
}

/* Leaves A as it is. */
static bool factor_apart(const dReal *A, int n, dReal *L)
{
    memcpy(L, A, bytes_of(n));
    return factor(L, n);
}

/* Column by column, each as a row of the inverse, which is symmetric. */
int dInvertPDMatrix(const dReal *A, dReal *Ainv, int n)
{
    if (!CHECK_ABOVE_0(n) || !CHECK_GIVEN(A) || !CHECK_GIVEN(Ainv))
        return 0;
    dReal *L = dAlloc(bytes_of(n));
    if (!CHECK_MEMORY(L))
        return 0;
    bool definite = factor_apart(A, n, L);
    for (int i = 0; definite && i < n; ++i) {
        dReal *row = Ainv + (size_t)i * skip_of(n);
        memset(row, 0, skip_of(n) * sizeof *row);
        row[i] = 1;
        solve(L, row, n);
    }
    dFree(L, bytes_of(n));
    return definite;
}

int dIsPositiveDefinite(const dReal *A, int n)
{
    if (!CHECK_ABOVE_0(n) || !CHECK_GIVEN(A))
        return 0;
    dReal *L = dAlloc(bytes_of(n));
    if (!CHECK_MEMORY(L))
        return 0;
    bool definite = factor_apart(A, n, L);
    dFree(L, bytes_of(n));
    return definite;
}
