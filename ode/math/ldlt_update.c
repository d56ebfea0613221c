/* ldlt_update.c: factorisations L D L^T after a change of one row and column.
 *
 * The rows of L above the changed one stay, and what they take away from the rest of the matrix
 * too. What changes is the share of the row itself: D_r l l^T, where l is its column of L. So the
 * rest is the factorisation of a matrix with one or two terms of rank one more, which is brought up
 * to date column by column (P. E. Gill, G. H. Golub, W. Murray and M. A. Saunders, Methods for
 * Modifying Matrix Factorizations, 1974, method C1). */
#include "ode/math/check.h"
#include "ode/matrix.h"
#include "ode/memory.h"

/* To L D L^T + alpha w w^T; w is used up. */
static void add_square(dReal *L, dReal *d, dReal *w, dReal alpha, int n, int nskip)
{
    for (int j = 0; j < n; ++j) {
        dReal p = w[j], grown = 1 + alpha * p * p * d[j];
        d[j] /= grown;
        dReal part = alpha * p * d[j];
        alpha /= grown;
        for (int i = j + 1; i < n; ++i) {
            dReal *l = L + (size_t)i * (size_t)nskip + j;
            w[i] -= p * *l;
            *l += part * w[i];
        }
    }
}

/* The first column of L, l, becomes l' = (D_0 l + a) / (D_0 + a_0), but is not written. */
void dLDLTAddTL(dReal *L, dReal *d, const dReal *a, int n, int nskip)
{
    if (!CHECK_ABOVE_0(n) || !CHECK_SKIP(nskip, n) || !CHECK_GIVEN(L) || !CHECK_GIVEN(d) ||
        !CHECK_GIVEN(a) || n < 2)
        return;
    size_t rest = (size_t)n - 1, bytes = 2 * rest * sizeof(dReal);
    dReal *before = dAlloc(bytes);
    if (!CHECK_MEMORY(before))
        return;
    dReal *after = before + rest, pivot = 1 / d[0], new_pivot = pivot + a[0];
    for (size_t i = 0; i < rest; ++i) {
        before[i] = L[(i + 1) * (size_t)nskip];
        after[i] = (pivot * before[i] + a[i + 1]) / new_pivot;
    }
    dReal *corner = L + nskip + 1;
    add_square(corner, d + 1, before, pivot, n - 1, nskip);
    add_square(corner, d + 1, after, -new_pivot, n - 1, nskip);
    dFree(before, bytes);
}

/* Whether each of p names a row of A. */
static bool are_rows(const int *p, int count, int rows)
{
    for (int i = 0; i < count; ++i)
        if (p[i] < 0 || p[i] >= rows)
            return false;
    return true;
}

/* L and d say all that is needed of A. */
void dLDLTRemove(dReal **A, const int *p, dReal *L, dReal *d, int n1, int n2, int r, int nskip)
{
    if (!CHECK_GIVEN(A) || !CHECK_GIVEN(p) || !CHECK_GIVEN(L) || !CHECK_GIVEN(d) ||
        !CHECK(n2 > 0 && n2 <= n1, "n2", "must be 1 to n1") ||
        !CHECK(r >= 0 && r < n2, "r", "must be 0 to n2 - 1") || !CHECK_SKIP(nskip, n2) ||
        !CHECK(are_rows(p, n2, n1), "p", "must have rows of A") || r == n2 - 1)
        return;
    int rest = n2 - 1 - r;
    size_t bytes = (size_t)rest * sizeof(dReal);
    dReal *column = dAlloc(bytes), pivot = 1 / d[r];
    if (!CHECK_MEMORY(column))
        return;
    for (int i = 0; i < rest; ++i)
        column[i] = L[(size_t)(r + 1 + i) * (size_t)nskip + (size_t)r];
    dRemoveRowCol(L, n2, nskip, r);
    memmove(d + r, d + r + 1, bytes);
    add_square(L + (size_t)r * (size_t)nskip + r, d + r, column, pivot, rest, nskip);
    dFree(column, bytes);
}

void dRemoveRowCol(dReal *A, int n, int nskip, int r)
{
    if (!CHECK_GIVEN(A) || !CHECK_ABOVE_0(n) || !CHECK_SKIP(nskip, n) ||
        !CHECK(r >= 0 && r < n, "r", "must be 0 to n - 1"))
        return;
    size_t behind = (size_t)(n - 1 - r);
    for (int i = 0; i < n - 1; ++i) {
        dReal *to = A + (size_t)i * (size_t)nskip;
        const dReal *from = i < r ? to : to + nskip;
        memmove(to, from, (size_t)r * sizeof(dReal));
        memmove(to + r, from + r + 1, behind * sizeof(dReal));
    }
}
