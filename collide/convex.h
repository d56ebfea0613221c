/* convex.h: a convex solid as the general methods see it.
 *
 * A solid is a core and a radius around it: a sphere is a point with a radius, a capsule a segment
 * with one; boxes, cylinders, hulls and triangles are cores with radius 0. Two functions say all
 * about a core, in its own frame:
 *
 *     support   its farthest point in a direction: enough for distances and depths (collide/gjk.h)
 *     face      what it has most along a direction, a polygon, an edge or a vertex, with names that
 *               last: what manifolds are cut from (collide/touch_convex.c)
 *
 * A new solid is a row in the table of convex.c, or a lode__convex_type of its own.
 *
 * All is in double. Iterations on rims end far below the rounding of single precision, and so what
 * they find is as good as a closed form there. */
#ifndef LODE_COLLIDE_CONVEX_H
#define LODE_COLLIDE_CONVEX_H

#include "collide/narrow.h"
#include "core/double3.h"

/* A face with more corners gives as many of them, spread evenly. */
enum { LODE__FACE_POINTS = 32 };

/* Names of vertices and of edges are below this. */
enum { LODE__FACE_NAMES = 1 << 14 };

typedef struct lode__face {
    int count;  /* 1: a vertex, 2: an edge, more: a polygon, anticlockwise seen from outside */
    bool round; /* stands for a curve: its edges are chords */
    lode__double3 normal; /* of a polygon: unit, outward */
    lode__double3 point[LODE__FACE_POINTS];
    uint16_t vertex[LODE__FACE_POINTS]; /* names of the points */
    uint16_t edge[LODE__FACE_POINTS];   /* names of the edges from point i to the next */
} lode__face;

typedef struct lode__convex lode__convex;

typedef struct lode__convex_type {
    /* The farthest point of the core; `direction` has any length, zero too. */
    lode__double3 (*support)(const lode__convex *convex, lode__double3 direction);
    /* `direction` is a unit vector. A solid without polygons leaves `normal` alone. */
    void (*face)(const lode__convex *convex, lode__double3 direction, lode__face *out);
    bool has_radius; /* size[0] is the radius around the core */
} lode__convex_type;

struct lode__convex {
    const lode__convex_type *type;
    const lode_real *size; /* as in lode__geometry */
    const void *data;      /* what the type needs besides, or null */
    double radius;
};

/* By lode_shape_type; null functions where a type is no convex solid. */
extern const lode__convex_type lode__convex_types[LODE_SHAPE_TYPE_COUNT];

/* Is a shape of this type, any number, a convex solid? Of the application's classes those are that
 * have a support function, which `data` tells. */
bool lode__is_convex(uint32_t type, const void *data);

/* A triangle, its corners at `data` (lode_vec3[3]), with both sides. Names: corners 0, 1, 2, edges
 * likewise from each to the next. */
extern const lode__convex_type lode__convex_triangle;

static inline lode__convex convex_make(const lode__convex_type *type, const lode_real *size,
                                       const void *data)
{
    return (lode__convex){type, size, data, type->has_radius ? (double)size[0] : 0};
}

/* hull_convex.c: of hulls, the row of their type. */
lode__double3 lode__hull_support_point(const lode__convex *hull, lode__double3 direction);
void lode__hull_face_along(const lode__convex *hull, lode__double3 direction, lode__face *out);

/* custom_convex.c: of shapes of the application's classes. */
lode__double3 lode__custom_support_point(const lode__convex *convex, lode__double3 direction);
void lode__custom_face_along(const lode__convex *convex, lode__double3 direction, lode__face *out);

/* Two solids, in the axes of a, from its centre. */
typedef struct lode__convex_pair {
    lode__convex a, b;
    lode__double33 turn;  /* from b's axes to a's */
    lode__double3 offset; /* from a's centre to b's */
} lode__convex_pair;

/* `offset` is from the centre of a to that of b in world axes; rotations are to world axes. */
lode__convex_pair lode__convex_pair_make(lode__convex a, lode_quat rotation_a, lode__convex b,
                                         lode_quat rotation_b, lode_vec3 offset);

static inline lode__double3 convex_support_a(const lode__convex_pair *p, lode__double3 direction)
{
    return p->a.type->support(&p->a, direction);
}

static inline lode__double3 convex_support_b(const lode__convex_pair *p, lode__double3 direction)
{
    lode__double3 at = p->b.type->support(&p->b, d33_mul_t(&p->turn, direction));
    return d3_add(p->offset, d33_mul(&p->turn, at));
}

/* How far apart the cores are along the unit vector n, which points from b to a; below zero, how
 * far a must move along n to part from b. */
static inline double convex_gap(const lode__convex_pair *p, lode__double3 n)
{
    return d3_dot(n, d3_sub(convex_support_a(p, d3_neg(n)), convex_support_b(p, n)));
}

/* The face of each solid that looks at the other, when n points from b to a; in a's axes. */
void lode__convex_face_a(const lode__convex_pair *pair, lode__double3 n, lode__face *out);
void lode__convex_face_b(const lode__convex_pair *pair, lode__double3 n, lode__face *out);

#endif
