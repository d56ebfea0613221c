/* hull.h: a convex polyhedron as shared geometry: what is behind lode_hull.
 *
 * Faces are polygons. Their edges lie one after the other, anticlockwise seen from outside, so edge
 * `i` of a face ends where the next one begins. Each edge has a twin on the neighbouring face,
 * which runs the other way. A ridge is an edge and its twin, once.
 *
 *     faces[f].first .. first + count - 1      its edges
 *     edges[e].origin, twin, face              where it begins, its other side, whose it is
 *     edges[e].beyond, ridge                   whose the twin is, the ridge of both
 *     leaving[v]                               some edge that begins at vertex v
 *
 * Planes touch the outermost of their face's vertices. The hull lies in its own frame, where the
 * caller's points were; its centre of mass is wherever it is. */
#ifndef LODE_COLLIDE_HULL_H
#define LODE_COLLIDE_HULL_H

#include "core/double3.h"
#include "core/lines.h"
#include "core/shape_data.h"
#include "lode/hull.h"

typedef struct lode__hull_face {
    lode_vec3 normal; /* unit, outward */
    lode_real offset; /* of the plane: normal . x */
    uint32_t first, count;
} lode__hull_face;

typedef struct lode__hull_edge {
    uint32_t origin, twin, face;
    uint32_t beyond, ridge;
} lode__hull_edge;

/* All that a search among axes asks about a ridge in one place: the normals of the faces beside it,
 * that of its edge first; the edge's direction and length; and where it begins. */
typedef struct lode__hull_ridge {
    _Alignas(LODE__LINE_ALIGN) lode_real x[12];
    uint32_t edge; /* the lower one of the two */
} lode__hull_ridge;

/* The side of a face along an edge: the unit vector out of it, in the face's plane. */
typedef struct lode__hull_side {
    lode_vec3 out;
    lode_real offset; /* out . x */
} lode__hull_side;

/* Eight planes and eight vertices side by side, for loops that look at all of them. The last ones
 * are filled up with the first of all. */
typedef struct lode__hull_planes {
    _Alignas(LODE__LINE_ALIGN) lode_real x[8];
    lode_real y[8], z[8], offset[8];
} lode__hull_planes;

typedef struct lode__hull_corners {
    _Alignas(LODE__LINE_ALIGN) lode_real x[8];
    lode_real y[8], z[8];
} lode__hull_corners;

/* So many places within the hull are known at most, whose own hull is its inner part. */
enum { LODE__HULL_CORES = 24 };

struct lode_hull {
    lode__shape_data data;
    size_t bytes; /* of all */
    uint32_t vertex_count, face_count, edge_count, ridge_count;
    lode_vec3 *vertices;
    lode__hull_face *faces;
    lode__hull_edge *edges;
    lode__hull_planes *planes; /* the faces' and the vertices again */
    lode__hull_corners *corners;
    lode__hull_ridge *ridges;
    lode__hull_planes *beside; /* of eight ridges the planes of one side, and then of the other */
    lode__hull_side *sides; /* of edges; null: to be computed */
    uint32_t *leaving;      /* edges */
    lode_vec3 middle;           /* of the box along its own axes */
    lode_real size;             /* the largest side of that */
    lode_real inner;            /* radius of a ball around the centre of mass that lies within */
    double volume;
    lode__double3 center; /* of mass */
    double inertia[6];    /* about it, of density 1 */
    lode__double3 cores[LODE__HULL_CORES];
    uint32_t core_count;
};

/* Polygons before it is known that they are a hull. */
typedef struct lode__polygons {
    const lode__double3 *points;
    uint32_t point_count, face_count, corner_count;
    uint32_t *sizes;   /* of each face */
    uint32_t *corners; /* of all faces, points, anticlockwise from outside */
    double slack;      /* how far they may be from plane and convex */
    bool given;        /* by a caller: they are checked throughout, and may all look inward */
} lode__polygons;

/* What became of it: a null reason is success, LODE_ERROR_MEMORY or LODE_ERROR_ARGUMENT goes with
 * the others. */
typedef struct lode__hull_result {
    lode_status status;
    const char *reason;
} lode__hull_result;

/* hull_build.c: the hull of `points`, finite; frees nothing of `out` on failure. */
lode__hull_result lode__hull_build(const lode__double3 *points, uint32_t count, lode_hull **out);

/* hull_finish.c: makes a hull of polygons. Points that no face uses are left out. `from` may be
 * turned inside out. */
lode__hull_result lode__hull_finish(lode__polygons *from, lode_hull **out);

/* hull_mass.c: fills volume, centre and inertia; and what they are at some density. */
lode_mass lode__mass_hull(lode_real density, const lode_hull *hull);
void lode__hull_integrate(lode_hull *hull);

/* hull_cores.c: fills the places within, when planes and the centre are known. */
void lode__hull_find_cores(lode_hull *hull);

/* How far points that are given in lode_real may lie off, for rounding: in units of the sum of the
 * largest coordinates. */
#define LODE__HULL_ROUNDING (4 * (double)REAL_EPSILON)

/* The sum of the largest coordinates of some points, without signs. */
double lode__hull_scale(const lode__double3 *points, uint32_t count);

/* hull_finish.c: fills planes, corners, ridges and the ball, when all else is known; but which
 * faces and edges are beside which. */
void lode__hull_set_blocks(lode_hull *hull);

/* hull_finish.c: the side of a face from where one of its edges begins to where another one
 * does. */
lode__hull_side lode__hull_side_of(const lode_hull *hull, uint32_t edge, uint32_t to);

static inline uint32_t hull_blocks(uint32_t count)
{
    return (count + 7) / 8;
}

/* Up to so many vertices looking at all is faster than to climb. */
enum { LODE__HULL_FEW = 48 };

/* hull_support.c: the vertex farthest along `direction`, in the hull's frame. The search on a large
 * hull starts from the vertex `hint`. */
uint32_t lode__hull_support(const lode_hull *hull, lode_vec3 direction, uint32_t hint);

/* By masks: a branch would not be foreseen. */
static inline uint32_t hull_next(const lode_hull *hull, uint32_t edge)
{
    const lode__hull_face *face = &hull->faces[hull->edges[edge].face];
    uint32_t next = edge + 1, is_last = next == face->first + face->count;
    return next ^ ((next ^ face->first) & (0 - is_last));
}

static inline uint32_t hull_end(const lode_hull *hull, uint32_t edge)
{
    return hull->edges[hull->edges[edge].twin].origin;
}

#endif
