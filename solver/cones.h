/* cones.h: mixed complementarity problems (solver/lcp.h) in which pairs of friction rows hold
 * together, on an ellipse:
 *
 *     |(x1 / mu1, x2 / mu2)| <= x_n,
 *
 * with the x of these that dissipates most: none slips inside, and on the ellipse w lies against
 * its outward normal. The LCP knows rows one by one. So a pair is posed in axes of its own, in
 * which the ellipse is a circle: the first axis is the way in which friction slides, where the row
 * follows its normal as the LCP's rows do; the second lies across, where nothing slips but for the
 * turning of that way. Newton's method finds the axes. */
#ifndef LODE_SOLVER_CONES_H
#define LODE_SOLVER_CONES_H

#include "solver/lcp.h"

/* Rows `row` and `row` + 1, which follow one master. */
typedef struct lode__cone {
    uint32_t row;
    double mu[2];
    double way[2]; /* the first axis on the circle, unit */
    double soft;   /* of the row across: what turning the way yields */
    double weight; /* of both rows on the circle: the sum of their diagonals */
} lode__cone;

typedef struct lode__cones {
    lode__cone *list;
    uint32_t count, most;
    uint32_t *at; /* by row: the number of the pair that begins there, from 1 on; 0 for others */
    double *a, *b, *lo, *hi, *ratio; /* the problem as it was posed */
    double *x, *best;
    double given_back; /* the LCP's softness, of which pairs are given back what it took; or 0 */
    double exact;      /* error that ends all rounds, and */
    double close;      /* from which on they must halve it, relative to the largest number */
} lode__cones;

/* Takes memory for problems up to this large. */
bool lode__cones_take(lode__cones *cones, lode__arena *arena, const lode__lcp_size *size);

/* Pairs are named after the problem is posed, from its first row on. */
void lode__cones_begin(lode__cones *cones, uint32_t rows);
void lode__cones_add(lode__cones *cones, const lode__lcp *lcp, uint32_t row);

/* As lode__lcp_solve(), with these pairs; without any it is the same. */
bool lode__cones_solve(lode__cones *cones, lode__lcp *lcp);

#endif
