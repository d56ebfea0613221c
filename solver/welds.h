/* welds.h: contacts that hold, as rows without limits for solver/bonds.h.
 *
 * Where all points of a contact bear and none slides, its bodies do not move against each other
 * there but as the points' rows ask: it is a weld in the directions that they act in. One point
 * holds three, along n, t1 and t2; two hold the turns about n and about their line's normal in the
 * plane, too; three or four, not in line, hold all six. The rows of a weld act at the mean of the
 * points; those of a point at (x, y) from there are sums of them, exactly:
 *
 *     n:  u_n + y w_1 - x w_2,     t1:  u_1 - y w_n,     t2:  u_2 + x w_n,
 *
 * with w_1, w_2 and w_n about t2 x n, n x t1 and t1 x t2. So a weld's impulses, shared out among
 * the points with the least sum of squares, are a solution of the contact's rows if every normal
 * impulse pushes and every friction is within its limits; and if not, the island is solved as the
 * complementarity problem that it is. */
#ifndef LODE_SOLVER_WELDS_H
#define LODE_SOLVER_WELDS_H

#include "solver/bonds.h"
#include "solver/rows.h"

enum { LODE__WELD_ROWS = 6, LODE__WELD_IMPULSES = 3 * LODE__MANIFOLD_POINTS };

struct lode__weld {
    const lode__part *part;
    bool cone; /* friction of its points lies on cones */
    double x[LODE__MANIFOLD_POINTS], y[LODE__MANIFOLD_POINTS]; /* from their mean, m */
    double xx, xy, yy;                                         /* sums of their products, m^2 */
    double along[2]; /* of two points: the direction from one to the other */
    double n[3], t1[3], t2[3];
    double arm[2][3];          /* from the centres of mass to the mean of the points, m */
    double c[LODE__WELD_ROWS]; /* velocities that the rows ask for */
    double impulses[LODE__WELD_IMPULSES]; /* the rows', or shared out: of each point n, t1, t2 */
};

/* How many rows a weld of so many points has. */
uint32_t lode__weld_rows(int points);

/* Makes a weld of a contact whose rows are those of its points' normals and friction along both
 * tangents. False where the rows of its points are not sums of the weld's: points that are soft or
 * act on nobody, that lie in a line or ask for what no rigid motion gives. */
bool lode__weld_make(lode__weld *weld, const lode__part *contact, bool cone);

/* Is it likely to hold, by the impulses of the step before? One without any counts as new and is
 * likely to, if its points touch. */
bool lode__weld_is_likely(const lode__weld *weld);

/* Writes those rows of the weld that a node has. */
void lode__weld_read(const lode__weld *weld, const lode__bond_node *node, lode__bond_rows *out);

/* Shares the rows' impulses out among the points; false where a point would have to pull, or its
 * friction be more than `share` of what its limits allow. */
bool lode__weld_share(lode__weld *weld, double share);

#endif
