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

/* One hull, the points of the other in its frame, and what its faces are known to say. */
typedef struct lode__hull_facing {
    const lode__hull_pair *pair;
    const lode_hull *hull, *other;
    lode_vec3 center; /* of the other: a ball of radius `inner` around it lies within */
    uint32_t best, vertex; /* the best face, and what is deepest below it */
    uint32_t second;       /* another face, or the same */
    lode_vec3 low[2];      /* the vertices that are deepest below both */
    lode_real separation;
} lode__hull_facing;

typedef struct lode__hull_search {
    lode__hull_facing a, b;
    bool searched;         /* all edges that are better than faces, */
    lode__hull_axis edges; /* the best of which this is, if there is one; else by something else */
} lode__hull_search;

/* The axis that is preferred. It is apart if a separation is not below the margin. A kernel: see
 * collide/kernels.h. */
typedef lode__hull_axis lode__hull_axis_fn(const lode__hull_pair *pair, lode_real speculative,
                                           lode__hull_search *out);

/* The axis along which the separation is the largest, after a search for the preferred one that was
 * not apart; the pair must be where it was. A kernel. */
typedef lode__hull_axis lode__hull_best_axis_fn(lode__hull_search *found);

static inline lode_vec3 m3_apply(const lode__mat3 *m, lode_vec3 v)
{
    return v3(v3_dot(m->r0, v), v3_dot(m->r1, v), v3_dot(m->r2, v));
}

static inline lode_vec3 hull_edge_vector(const lode_hull *hull, uint32_t edge)
{
    return v3_sub(hull->vertices[hull_end(hull, edge)], hull->vertices[hull->edges[edge].origin]);
}

#endif
