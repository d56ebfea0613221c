/* lcp_factor.c: the equations of the free rows, M x = y, by an LU factor within the envelope.
 *
 * M is A of the free rows and columns, plus, in the column of a row that others follow, what their
 * sliding adds: M[r][c] += slide_f A[r][f]. That stays within the envelope, because a follower has
 * its master's. L has a diagonal of ones; of U the columns are stored, so that all loops are dot
 * products of two stretches of memory. As far as nothing slides, M is symmetric and L follows
 * from U. Rows before the first change are kept from one factor to the next. No rows are exchanged:
 * a pivot that vanishes belongs to a row that others make superfluous, and its x stays 0. */
#include "solver/lcp.h"

#include <math.h>

/* Eight sums in turn: as fast as the machine, the same on all of them. */
double lode__lcp_dot(const double *a, const double *b, uint32_t count)
{
    double s[8] = {0};
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (uint32_t k = 0; k < 8; ++k)
            s[k] += a[i + k] * b[i + k];
    for (uint32_t k = 0; i + k < count; ++k)
        s[k] += a[i + k] * b[i + k];
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

bool lode__lcp_is_unlimited(const lode__lcp *lcp, uint32_t i)
{
    return lcp->master[i] == LODE__LCP_NONE && lcp->lo[i] == -INFINITY && lcp->hi[i] == INFINITY;
}

static double entry(const lode__lcp *lcp, uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    return low < lcp->first[high] ? 0 : lcp->a[lcp->start[high] + (low - lcp->first[high])];
}

/* M, by rows of the problem. */
static double coefficient(const lode__lcp *lcp, uint32_t i, uint32_t j)
{
    double m = entry(lcp, i, j);
    for (uint32_t f = lcp->follower[j]; f != LODE__LCP_NONE; f = lcp->next[f])
        if (lcp->slide[f] != 0)
            m += lcp->slide[f] * entry(lcp, i, f);
    return m;
}

static bool has_sliders(const lode__lcp *lcp, uint32_t i)
{
    bool any = false;
    for (uint32_t f = lcp->follower[i]; f != LODE__LCP_NONE; f = lcp->next[f])
        any = any || lcp->slide[f] != 0;
    return any;
}

/* Takes over how followers slide; true when one of row i's does so otherwise than before. */
static bool set_slides(lode__lcp *lcp, uint32_t i, const double *slide)
{
    bool changed = false;
    for (uint32_t f = lcp->follower[i]; f != LODE__LCP_NONE; f = lcp->next[f]) {
        changed = changed || lcp->slide[f] != slide[f];
        lcp->slide[f] = slide[f];
    }
    return changed;
}

/* Lists the free rows; the factor's rows before the first that differs are kept. */
static void list_free(lode__lcp *lcp, const double *slide)
{
    uint32_t count = 0, kept = lcp->kept;
    lcp->symmetric = lcp->count;
    for (uint32_t i = 0; i < lcp->count; ++i) {
        lcp->before[i] = count;
        bool changed = set_slides(lcp, i, slide);
        if (lcp->state[i] != LODE__LCP_FREE)
            continue;
        if (count < kept && (changed || lcp->free[count] != i))
            kept = count;
        if (count < lcp->symmetric && has_sliders(lcp, i))
            lcp->symmetric = count;
        lcp->free[count++] = i;
    }
    lcp->free_count = count;
    lcp->kept = kept < count ? kept : count;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void factor_row(lode__lcp *lcp, uint32_t r)
{
    uint32_t i = lcp->free[r], first = lcp->before[lcp->first[i]];
    double *lower = lcp->lower + lcp->start[i], *upper = lcp->upper + lcp->start[i];
    bool symmetric = r < lcp->symmetric, slides = has_sliders(lcp, i);
    const double *a = lcp->a + lcp->start[i];
    for (uint32_t c = first; c < r; ++c) {
        uint32_t j = lcp->free[c], first_c = lcp->before[lcp->first[j]],
                 from = most(first, first_c);
        const double *l = lcp->lower + lcp->start[j] + (from - first_c);
        const double *u = lcp->upper + lcp->start[j] + (from - first_c);
        double above = slides ? coefficient(lcp, j, i) : a[j - lcp->first[i]];
        upper[c - first] = above - lode__lcp_dot(upper + (from - first), l, c - from);
        double below = upper[c - first];
        if (!symmetric)
            below = coefficient(lcp, i, j) - lode__lcp_dot(lower + (from - first), u, c - from);
        lower[c - first] = below * lcp->inverse[c];
    }
    double pivot = coefficient(lcp, i, i) - lode__lcp_dot(lower, upper, r - first);
    double least = lode__lcp_is_unlimited(lcp, i) ? lcp->least_pivot : LODE__LCP_LEAST_PIVOT;
    lcp->inverse[r] = fabs(pivot) > least ? 1 / pivot : 0;
}

void lode__lcp_factor(lode__lcp *lcp, const double *slide)
{
    list_free(lcp, slide);
    for (uint32_t r = lcp->kept; r < lcp->free_count; ++r)
        factor_row(lcp, r);
    lcp->kept = lcp->free_count;
}

void lode__lcp_solve_factor(lode__lcp *lcp)
{
    double *y = lcp->y;
    for (uint32_t r = 0; r < lcp->free_count; ++r) {
        uint32_t i = lcp->free[r], first = lcp->before[lcp->first[i]];
        y[r] -= lode__lcp_dot(lcp->lower + lcp->start[i], y + first, r - first);
    }
    for (uint32_t r = lcp->free_count; r-- > 0;) {
        uint32_t i = lcp->free[r], first = lcp->before[lcp->first[i]];
        const double *column = lcp->upper + lcp->start[i];
        y[r] *= lcp->inverse[r];
        for (uint32_t c = first; c < r; ++c)
            y[c] -= column[c - first] * y[r];
    }
}
