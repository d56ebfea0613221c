/* hull_axes.h: the axis of least penetration of two polyhedra, and what touches along it. */
#ifndef LODE_COLLIDE_HULL_AXES_H
#define LODE_COLLIDE_HULL_AXES_H

#include "collide/hull.h"

/* Two polyhedra in the axes of the first, from its centre. */
typedef struct lode__hull_pair {
    const lode_hull *a, *b;
    lode__mat3 turn, back; /* from b's axes to a's, and back */
    lode_vec3 offset;      /* from a's centre to b's */
} lode__hull_pair;

/* The features that decide. */
typedef enum lode__hull_way {
    LODE__HULLS_APART,  /* by more than the speculative margin */
    LODE__HULLS_FACE_A, /* `face` of a */
    LODE__HULLS_FACE_B,
    LODE__HULLS_EDGES /* `edge_a` and `edge_b` */
} lode__hull_way;

typedef struct lode__hull_axis {
    lode__hull_way way;
    uint32_t face, vertex; /* of the other hull, the deepest below the face */
    uint32_t edge_a, edge_b;
    lode_real separation;
    lode_vec3 normal; /* of the edges, unit, from a to b */
} lode__hull_axis;

/* The axis that is preferred; and the one along which the separation is the largest, if `out_best` is
 * not null, which takes longer. The first is apart if a separation is not below the margin, and then
 * nothing else is said. A kernel: see collide/kernels.h. */
typedef lode__hull_axis lode__hull_axis_fn(const lode__hull_pair *pair, lode_real speculative,
                                           lode__hull_axis *out_best);

static inline lode_vec3 m3_apply(const lode__mat3 *m, lode_vec3 v)
{
    return v3(v3_dot(m->r0, v), v3_dot(m->r1, v), v3_dot(m->r2, v));
}

static inline lode_vec3 hull_edge_vector(const lode_hull *hull, uint32_t edge)
{
    return v3_sub(hull->vertices[hull_end(hull, edge)], hull->vertices[hull->edges[edge].origin]);
}

#endif
