/* lcp.h: mixed linear complementarity problems, solved to the end. Find x and w = A x - b with
 *
 *     lo <= x <= hi,   w >= 0 where x = lo,   w <= 0 where x = hi,   w = 0 between,
 *
 * where A is symmetric and positive semidefinite, and the limits of some rows follow another row of
 * the same solution: -ratio x[master] <= x <= ratio x[master] (friction).
 * A master comes before its followers and starts with them: they have the same first[], and no
 * other row's first[] lies behind a master and not behind its followers.
 *
 * A is stored by its envelope: of row i the columns first[i]..i, from a[start[i]] on. A Cholesky
 * factor fills nothing outside of it (George and Liu 1981), so rows in a good order cost far less
 * than the m^3 / 6 of a full matrix. */
#ifndef LODE_SOLVER_LCP_H
#define LODE_SOLVER_LCP_H

#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define LODE__LCP_NONE UINT32_MAX

/* Rows that depend on others leave about the square of their rounding. */
#define LODE__LCP_LEAST_PIVOT 1e-11

enum { /* states; a fixed row's limits are equal */
       LODE__LCP_DROPPED,
       LODE__LCP_FIXED,
       LODE__LCP_LOW,
       LODE__LCP_HIGH,
       LODE__LCP_FREE
};

typedef struct lode__lcp {
    uint32_t count; /* rows */

    /* the problem; its numbers are scaled in place by the solution, but for x */
    uint32_t *first;
    size_t *start;
    double *a;
    double *b, *lo, *hi; /* limits beyond 1e29 are none; lo <= hi */
    uint32_t *master;    /* LODE__LCP_NONE where lo and hi are what they are */
    double *ratio;
    double *x; /* in: a guess, from which the first set of free rows is made; out: the solution */

    /* what the solution works with */
    double *lower, *upper; /* factor of the free rows, each in its row's place in the envelope */
    double *w, *y, *best, *from, *scale, *inverse;
    double *slide;                /* of rows that slide: x / x[master] */
    double best_error, best_size; /* of best: its error and largest number */
    uint32_t *free, *before;
    uint32_t *follower, *next; /* the last row that follows a row; the one before it */
    uint8_t *state;
    bool *spare;               /* rows without limits that repeat others: not to be met */
    double least_pivot;        /* of rows without limits */
    uint32_t free_count, kept; /* rows of the factor that are still good */
    uint32_t symmetric;        /* free rows before the first that sliding rows follow */
    uint32_t pivots;           /* times that a set of free rows was solved */
} lode__lcp;

/* Takes memory for problems of up to `rows` rows and `entries` envelope entries. */
bool lode__lcp_take(lode__lcp *lcp, lode__arena *arena, uint32_t rows, size_t entries);

/* False when the rounds did not suffice or rows contradict each other; x is then the best that was
 * found, within all limits. Rows without a positive, finite diagonal or with a b that is not finite
 * get x = 0. */
bool lode__lcp_solve(lode__lcp *lcp);

/* lcp_factor.c: factors the equations of the free rows, of which some followers slide; solves them
 * for y, by number of the free row, in place. */
void lode__lcp_factor(lode__lcp *lcp, const double *slide);
void lode__lcp_solve_factor(lode__lcp *lcp);

/* Of a scaled problem: has row i no limits, fixed or of friction? */
bool lode__lcp_is_unlimited(const lode__lcp *lcp, uint32_t i);

double lode__lcp_dot(const double *a, const double *b, uint32_t count);

#endif
