/* lcp.h: mixed linear complementarity problems, solved to the end. Find x and w = A x - b with
 *
 *     lo <= x <= hi,   w >= 0 where x = lo,   w <= 0 where x = hi,   w = 0 between,
 *
 * where A is symmetric and positive semidefinite, and the limits of some rows follow another row of
 * the same solution: -ratio x[master] <= x <= ratio x[master] (friction).
 * A master comes before its followers, in the same node.
 *
 * A is sparse: rows belong to nodes, and a plan (solver/lcp_plan.h) says in which order they are
 * numbered, which of them couple, and where the numbers of a node's panel lie. */
#ifndef LODE_SOLVER_LCP_H
#define LODE_SOLVER_LCP_H

#include "solver/kernels.h"
#include "solver/lcp_plan.h"

#include <math.h>

/* Rows that depend on others leave about the square of their rounding. */
#define LODE__LCP_LEAST_PIVOT 1e-11
#define LODE__LCP_NO_LIMIT 1e29 /* limits beyond are none */

enum { /* states; a fixed row's limits are equal */
       LODE__LCP_DROPPED,
       LODE__LCP_FIXED,
       LODE__LCP_LOW,
       LODE__LCP_HIGH,
       LODE__LCP_FREE
};

/* A front as it was factored last. */
typedef struct lode__lcp_factored {
    uint32_t own, count; /* free rows: its own, and with those above */
    bool symmetric, good;
} lode__lcp_factored;

typedef struct lode__lcp {
    const lode__lcp_plan *plan;
    const lode__solver_kernels *kernels;
    uint32_t count; /* rows */

    /* the problem; its numbers are scaled in place by the solution, but for x */
    double *a;           /* panels, node by node */
    double *b, *lo, *hi; /* lo <= hi */
    uint32_t *master;    /* LODE__LCP_NONE where lo and hi are what they are */
    double *ratio;
    double *x; /* in: a guess, from which the first set of free rows is made; out: the solution */

    /* what the solution works with */
    double *w, *y, *best, *from, *scale;
    double *slide;                /* of rows that slide: x / x[master] */
    double best_error, best_size; /* of best: its error and largest number */
    uint32_t *follower, *next;    /* the last row that follows a row; the one before it */
    uint8_t *state;
    bool *spare;        /* rows without limits that repeat others: not to be met */
    double least_pivot; /* of rows without limits */
    uint32_t pivots;    /* times that a set of free rows was solved */
    bool w_is_of_x;     /* w = A x - b */
    double exact;       /* error that ends all rounds, and */
    double signs;       /* tolerance of signs, relative to the largest number */
    bool sweeps_first;  /* whatever the error of the start */
    bool skew;          /* A is not symmetric; of one node, whose panel is the full square */

    double *cover;           /* what a path takes away, and */
    double *x_rate, *w_rate; /* how x and w move with it */

    /* the factor of the free rows, front by front (lcp_fronts.c) */
    lode__lcp_factored *factored;
    double *matrix, *lower, *inverse;
    size_t room;       /* in `matrix`, where tableaus lie too */
    uint8_t *rests;    /* rows of a tableau: which of their numbers rests */
    uint32_t *list;    /* rows of each front as it was factored */
    uint32_t *at;      /* of rows: their place in the front that is being factored */
    uint8_t *was_free; /* rows: when factored last */
    uint8_t *news;     /* nodes: since then */

    /* by column of a panel, or by row of a front */
    double *gathered, *pushed;
    uint32_t *to, *down, *run;
} lode__lcp;

/* Takes memory for problems up to this large. */
bool lode__lcp_take(lode__lcp *lcp, lode__arena *arena, const lode__lcp_size *size);

/* The problem that comes next is one of this plan. */
void lode__lcp_pose(lode__lcp *lcp, const lode__lcp_plan *plan);

/* False when the rounds did not suffice or rows contradict each other; x is then the best that was
 * found, within all limits. Rows without a positive, finite diagonal or with a b that is not finite
 * get x = 0. */
bool lode__lcp_solve(lode__lcp *lcp);

/* --- between the files of the solution */

typedef struct lode__lcp_range {
    double lo, hi;
} lode__lcp_range;

/* Limits of a row as x has them now. */
static inline lode__lcp_range lode__lcp_limits(const lode__lcp *lcp, uint32_t i)
{
    uint32_t master = lcp->master[i];
    if (master == LODE__LCP_NONE)
        return (lode__lcp_range){lcp->lo[i], lcp->hi[i]};
    double most = lcp->x[master] > 0 ? lcp->ratio[i] * lcp->x[master] : 0;
    return (lode__lcp_range){-most, most};
}

static inline double lode__lcp_clamp(double x, lode__lcp_range to)
{
    x = x > to.lo ? x : to.lo;
    return x < to.hi ? x : to.hi;
}

/* Of a scaled problem: has row i no limits, fixed or of friction? */
static inline bool lode__lcp_is_unlimited(const lode__lcp *lcp, uint32_t i)
{
    return lcp->master[i] == LODE__LCP_NONE && lcp->lo[i] == -INFINITY && lcp->hi[i] == INFINITY;
}

/* How a row at its limit follows its master's x, where that is not known yet. */
static inline double lode__lcp_slide_of(const lode__lcp *lcp, uint32_t i)
{
    uint32_t master = lcp->master[i];
    if (master == LODE__LCP_NONE || lcp->state[master] != LODE__LCP_FREE)
        return 0;
    if (lcp->state[i] == LODE__LCP_LOW)
        return -lcp->ratio[i];
    return lcp->state[i] == LODE__LCP_HIGH ? lcp->ratio[i] : 0;
}

/* The largest number of b and x. */
static inline double lode__lcp_largest(const lode__lcp *lcp)
{
    double size = 0;
    for (uint32_t i = 0; i < lcp->count; ++i)
        if (lcp->state[i] != LODE__LCP_DROPPED) {
            double b = fabs(lcp->b[i]), x = fabs(lcp->x[i]);
            size = b > size ? b : size;
            size = x > size ? x : size;
        }
    return size;
}

/* lcp_matrix.c: scales A and all that goes with it; to = A x; w = A x - b; one sweep of projected
 * Gauss-Seidel; many, each of which goes on the way of those before by as much as it was shorter
 * (nonlinear conjugate gradients, Silcowitz, Niebe and Erleben 2010), the last of them plain. */
void lode__lcp_scale(lode__lcp *lcp, double softness);
void lode__lcp_times(lode__lcp *lcp, const double *x, double *to);
void lode__lcp_residual(lode__lcp *lcp);
void lode__lcp_sweep(lode__lcp *lcp);
void lode__lcp_sweep_on(lode__lcp *lcp, int sweeps);
double lode__lcp_dot(const double *a, const double *b, uint32_t count);

/* lcp_fronts.c: factors the equations of the free rows, of which some followers slide; solves them
 * for y, in place. All fronts are factored anew after `forget`. */
void lode__lcp_factor(lode__lcp *lcp, const double *slide);
void lode__lcp_solve_factor(lode__lcp *lcp);
void lode__lcp_forget(lode__lcp *lcp);

/* Scales the problem; x becomes a guess within all limits, and nothing is factored yet. */
void lode__lcp_begin(lode__lcp *lcp);

/* lcp_path.c: goes from x to about a solution; the states tell its set of free rows. The path
 * starts with the contacts as x has them, or with all of them open. False: it ends nowhere, or not
 * within so many pivots. */
bool lode__lcp_follow_path(lode__lcp *lcp, bool open, uint32_t pivots);

/* lcp_tableau.c: makes the tableau of x and the cover, for the sets that rows are in, or returns
 * false if there is no room or the problem has none; takes over the set that row i has come to,
 * with those of its followers; writes the rates. */
bool lode__lcp_tableau_begin(lode__lcp *lcp);
void lode__lcp_tableau_turn(lode__lcp *lcp, uint32_t i);
void lode__lcp_tableau_rates(lode__lcp *lcp);

#endif
