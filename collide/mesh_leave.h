/* mesh_leave.h: how far a shape must go along a direction to have left a surface. */
#ifndef LODE_COLLIDE_MESH_LEAVE_H
#define LODE_COLLIDE_MESH_LEAVE_H

#include "collide/mesh_touch.h"

/* Where a shape is out; what it left last says the rest. */
typedef struct lode__left {
    double length;        /* of the way */
    lode__double3 normal; /* unit, from that triangle to the shape */
    lode__double3 on;     /* the place on that triangle, from the shape's centre before it went */
    uint32_t triangle, other; /* other: of the shape, if that is a mesh, plus 1; else 0 */
} lode__left;

/* A shape at a surface, to be asked about several directions. */
typedef struct lode__leaving {
    const lode__mesh_query *query;
    lode__double33 turn;  /* of the shape, to the surface's axes */
    lode__double3 lo, hi; /* its box, from its centre in the surface's axes */
    lode__double3 within; /* a point of it, likewise; well within a solid */
    double size, slack;   /* slack: what is nearer than this is left */
} lode__leaving;

lode__leaving lode__leaving_make(const lode__mesh_query *query);

/* The least way along a direction, of unit length and in the surface's axes, after which the shape
 * meets no triangle and is not behind the surface. False: none is as short as `most`. */
bool lode__leave(const lode__leaving *l, lode__double3 direction, double most, lode__left *out);

#endif
