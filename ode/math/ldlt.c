/* ldlt.c: A = L D L^T, where L has ones on its diagonal. What is kept of D are the inverses d. */
#include "ode/math/check.h"
#include "ode/matrix.h"

/* Row i of L D solves M L^T = A against the rows above it; then what A's diagonal has left over is
 * D. Only what is below the diagonal is written. */
void dFactorLDLT(dReal *A, dReal *d, int n, int nskip)
{
    if (!CHECK_ABOVE_0(n) || !CHECK_SKIP(nskip, n) || !CHECK_GIVEN(A) || !CHECK_GIVEN(d))
        return;
    for (int i = 0; i < n; ++i) {
        dReal *row = A + (size_t)i * (size_t)nskip;
        for (int j = 1; j < i; ++j)
            row[j] -= dDot(row, A + (size_t)j * (size_t)nskip, j);
        dReal pivot = row[i];
        for (int j = 0; j < i; ++j) {
            dReal scaled = row[j] * d[j];
            pivot -= row[j] * scaled;
            row[j] = scaled;
        }
        d[i] = 1 / pivot;
    }
}

static void solve_down(const dReal *L, dReal *b, int n, int nskip)
{
    for (int i = 1; i < n; ++i)
        b[i] -= dDot(L + (size_t)i * (size_t)nskip, b, i);
}

static void solve_up(const dReal *L, dReal *b, int n, int nskip)
{
    for (int i = n - 1; i > 0; --i) {
        const dReal *row = L + (size_t)i * (size_t)nskip;
        for (int j = 0; j < i; ++j)
            b[j] -= row[j] * b[i];
    }
}

void dSolveL1(const dReal *L, dReal *b, int n, int nskip)
{
    if (CHECK_ABOVE_0(n) && CHECK_SKIP(nskip, n) && CHECK_GIVEN(L) && CHECK_GIVEN(b))
        solve_down(L, b, n, nskip);
}

void dSolveL1T(const dReal *L, dReal *b, int n, int nskip)
{
    if (CHECK_ABOVE_0(n) && CHECK_SKIP(nskip, n) && CHECK_GIVEN(L) && CHECK_GIVEN(b))
        solve_up(L, b, n, nskip);
}

void dSolveLDLT(const dReal *L, const dReal *d, dReal *b, int n, int nskip)
{
    if (!CHECK_ABOVE_0(n) || !CHECK_SKIP(nskip, n) || !CHECK_GIVEN(L) || !CHECK_GIVEN(d) ||
        !CHECK_GIVEN(b))
        return;
    solve_down(L, b, n, nskip);
    dScaleVector(b, d, n);
    solve_up(L, b, n, nskip);
}
