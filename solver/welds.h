/* welds.h: contacts that hold, as rows without limits for solver/bonds.h.
 *
 * Where all points of a contact bear and none slides, its bodies do not move against each other
 * there but as the points' rows ask: it is a weld in the directions that they act in. One point
 * holds three, along n, t1 and t2; two hold the turns about n and about their line's normal in the
 * plane, too; three or four, not in line, hold all six. The rows of a weld act at the mean of the
 * points; those of a point at (x, y) from there, or at (p, q) along the principal axes of the
 * points, are sums of them, exactly:
 *
 *     n:  u_n + p s_p + q s_q,     t1:  u_1 - y w_n,     t2:  u_2 + x w_n,
 *
 * where s_p and s_q are the slopes at which the bodies close, turns about the other principal axis.
 * So a weld's impulses, shared out among the points with the least sum of squares, are a solution
 * of the contact's rows if every normal impulse pushes and every friction is within its limits; and
 * if not, the island is solved as the complementarity problem that it is.
 *
 * Where all normals are as soft, by gamma, the weld's rows are, by gamma over the points' number,
 * over the sum of p^2 and over that of q^2: the sum of p q is none, so they do not couple. What the
 * points ask for beside the plane c + s_p p + s_q q then goes into their springs, as impulses that
 * push the bodies nowhere. */
#ifndef LODE_SOLVER_WELDS_H
#define LODE_SOLVER_WELDS_H

#include "solver/bonds.h"
#include "solver/rows.h"

enum { LODE__WELD_ROWS = 6, LODE__WELD_IMPULSES = 3 * LODE__MANIFOLD_POINTS };

struct lode__weld {
    const lode__part *part;
    bool cone; /* friction of its points lies on cones */
    double x[LODE__MANIFOLD_POINTS], y[LODE__MANIFOLD_POINTS]; /* from their mean, m */
    double p[LODE__MANIFOLD_POINTS], q[LODE__MANIFOLD_POINTS]; /* the same along principal axes, */
    double axis[2];                                            /* of which the first is this */
    double pp, qq;                                             /* sums of their squares, m^2 */
    double gamma;                                              /* softness of the normals */
    double aside[LODE__MANIFOLD_POINTS]; /* impulses of the normals for what is not in the plane */
    double n[3], t1[3], t2[3];
    double arm[2][3];          /* from the centres of mass to the mean of the points, m */
    double c[LODE__WELD_ROWS]; /* velocities that the rows ask for */
    double impulses[LODE__WELD_IMPULSES]; /* the rows', or shared out: of each point n, t1, t2 */
};

/* How many rows a weld of so many points has. */
uint32_t lode__weld_rows(int points);

/* Makes a weld of a contact whose rows are those of its points' normals and friction along both
 * tangents. False where the rows of its points are not sums of the weld's: points that act on
 * nobody, are not as soft as the others, lie in a line, or are hard and ask for what no rigid
 * motion gives. */
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
