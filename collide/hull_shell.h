/* hull_shell.h: the surface of a hull while it grows.
 *
 * A closed surface of polygons, as half-edges: each belongs to one face, knows the next and the one
 * before around it, and its twin on the other side. Faces are merged where the surface is not
 * clearly convex, so that rounding makes no slivers and flat sides come out as one polygon, however
 * many points lie on them (Barber, Dobkin and Huhdanpaa 1996, "The quickhull algorithm for convex
 * hulls").
 *
 * A merge can leave what is no surface of polygons any more, such as a face that meets itself. That
 * is noticed and reported as `tangled`; the builder then begins again with a wider tolerance. So it
 * does if a vertex that merging took out is above what is left. */
#ifndef LODE_COLLIDE_HULL_SHELL_H
#define LODE_COLLIDE_HULL_SHELL_H

#include "core/double3.h"

enum { LODE__NO_INDEX = UINT32_MAX };

typedef struct lode__shell_edge {
    uint32_t next, prev, twin, face, origin;
} lode__shell_edge;

typedef struct lode__shell_face {
    lode__double3 normal, center;
    double offset, area;
    uint32_t edge;    /* one of its edges; of a face that is gone: the next that is */
    uint32_t outside; /* the first of the points above it, linked by `next_point` */
    bool alive, visible;
} lode__shell_face;

typedef struct lode__shell {
    const lode__double3 *points;
    uint32_t *next_point;
    double tolerance;
    lode__shell_edge *edges;
    lode__shell_face *faces;
    uint32_t edge_count, edge_capacity, free_edge;
    uint32_t face_count, face_capacity, free_face;
    uint32_t orphans; /* points whose face is gone, or LODE__NO_INDEX */
    uint32_t lost;    /* vertices that merging took out, linked by `next_point` too */
    bool no_memory, tangled;
} lode__shell;

void lode__shell_init(lode__shell *shell, const lode__double3 *points, uint32_t *next_point,
                      double tolerance);
void lode__shell_free(lode__shell *shell);

/* A triangle without twins; LODE__NO_INDEX when out of memory. Its edges follow each other from
 * `a`, which `edge` of the face is. */
uint32_t lode__shell_add_triangle(lode__shell *shell, uint32_t a, uint32_t b, uint32_t c);
void lode__shell_join(lode__shell *shell, uint32_t edge, uint32_t twin);

/* Takes a face and its edges away; its points become orphans. */
void lode__shell_remove(lode__shell *shell, uint32_t face);

/* Merges `face` with neighbours until all its edges are clearly convex. What is left of it, or
 * LODE__NO_INDEX when tangled. */
uint32_t lode__shell_settle(lode__shell *shell, uint32_t face);

static inline double shell_height(const lode__shell_face *face, lode__double3 point)
{
    return d3_dot(face->normal, point) - face->offset;
}

#endif
