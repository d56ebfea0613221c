/* gjk.h: how far two convex solids are apart, and how deep they are in each other.
 *
 * Both are questions about one convex set, the differences
 *
 *     D = { y - x : x in core a, y in core b },
 *
 * and the origin. Outside D, its nearest point tells the distance and the normal; inside, the
 * nearest place of D's surface tells depth and normal. In both cases the answer is the unit vector
 * n along which convex_gap() is largest.
 *
 * All results are in the axes of a, from its centre, and about the cores: radii are the
 * caller's. */
#ifndef LODE_COLLIDE_GJK_H
#define LODE_COLLIDE_GJK_H

#include "collide/convex.h"

typedef struct lode__nearest {
    double gap;               /* between the cores; below zero: they overlap by so much */
    lode__double3 normal;     /* unit, from b to a */
    lode__double3 on_a, on_b; /* nearest points, or those that part last */
} lode__nearest;

/* A point of D and what it is the difference of. */
typedef struct lode__difference {
    lode__double3 w, a, b; /* w = b - a */
} lode__difference;

/* What a search for the nearest point of D ended with: up to four points of D, whose nearest point
 * to the origin is the sum of each times its share. */
typedef struct lode__simplex {
    int count;
    lode__difference vertex[4];
    double share[4];
} lode__simplex;

/* The distance by Gilbert, Johnson and Keerthi. True when the cores are apart; then `out` is
 * filled, or, when they are known to be farther apart than `beyond`, only its gap, a lower bound
 * above `beyond`. False when they touch or overlap; `out_simplex`, which may be null, then holds
 * points of D around the origin. */
bool lode__gjk_distance(const lode__convex_pair *pair, double beyond, lode__nearest *out,
                        lode__simplex *out_simplex);

/* The depth by expanding polytopes, of cores that touch or overlap. */
void lode__gjk_depth(const lode__convex_pair *pair, const lode__simplex *simplex,
                     lode__nearest *out);

/* A cylinder and a cylinder, box, capsule's axis, triangle or hull of few corners, at once
 * (collide/cylinder_depth.c). */
typedef enum lode__cylinder_answer {
    LODE__CYLINDER_UNKNOWN,    /* no such pair, or nothing was proved; `out` is void */
    LODE__CYLINDER_APART,      /* as lode__gjk_distance() says it */
    LODE__CYLINDER_OVERLAP,    /* `out` is filled */
    LODE__CYLINDER_IF_OVERLAP, /* the same if they overlap at all, which was not proved */
    LODE__CYLINDER_ANSWERS
} lode__cylinder_answer;

lode__cylinder_answer lode__cylinder_nearest(const lode__convex_pair *pair, double beyond,
                                             lode__nearest *out);

/* Whichever it takes. `out` holds the gap alone where that is more than `beyond`. */
void lode__gjk_nearest(const lode__convex_pair *pair, double beyond, lode__nearest *out);

/* Leaves the points of the simplex that its nearest point to the origin needs, with their
 * shares. */
void lode__simplex_nearest(lode__simplex *simplex);

/* The point of D farthest along the direction. */
lode__difference lode__gjk_support(const lode__convex_pair *pair, lode__double3 direction);

#endif
