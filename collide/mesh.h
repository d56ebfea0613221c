/* mesh.h: triangle meshes: data made once, never changed, and shared by shapes.
 *
 * A mesh keeps the caller's vertices and indices, copied or by reference, and what is derived from
 * them:
 *
 *     order       triangles by their place in the tree's leaves; ignored ones are left out
 *     corners     their vertices, by place too: what is asked about together lies together
 *     neighbors   of each triangle's edges, the edge on the other side, or one of several
 *     flags       what each edge is like, and whether the triangle counts
 *     nodes       a tree of nodes with up to sixteen children each
 *
 * Edge e of a triangle leads from corner e to corner e + 1. Vertices at equal places are one vertex
 * to the neighbours, so a "soup" of triangles is as smooth as an indexed mesh.
 *
 * A node keeps its children's boxes in steps of 1/255 of its own box, rounded outwards: a child
 * costs six bytes and a word. All is computed from the input alone, in one order. */
#ifndef LODE_COLLIDE_MESH_H
#define LODE_COLLIDE_MESH_H

#include "collide/part_hit.h"
#include "core/double3.h"
#include "core/lines.h"
#include "core/math.h"
#include "core/pool.h"
#include "core/shape_data.h"
#include "lode/mesh.h"

enum { LODE__MESH_WIDE = 16, LODE__MESH_LEAF = 4, LODE__MESH_STACK = 720, LODE__MESH_CORES = 8 };

/* What is on the other side of an edge. */
enum {
    LODE__EDGE_FREE = 0,    /* nothing, or more than one triangle, or one that is turned over */
    LODE__EDGE_CONVEX = 1,  /* the surface falls away */
    LODE__EDGE_FLAT = 2,    /* it goes on */
    LODE__EDGE_CONCAVE = 3, /* it rises */
    LODE__TRIANGLE_IGNORED = 1 << 6,
    LODE__TRIANGLE_JUNCTION = 1 << 7 /* an edge of it lies along others: mesh_junctions.c */
};

/* Sine of the angle below which an edge is flat. */
#define LODE__FLAT_EDGE 0.0087

/* A child is empty, or a leaf: LEAF | (count - 1) << 28 | first place in `order`; or a node. */
#define LODE__MESH_NO_CHILD UINT32_MAX
#define LODE__MESH_LEAF_BIT (UINT32_C(1) << 31)
#define LODE__MESH_PLACES (UINT32_C(1) << 28)

typedef struct lode__mesh_node {
    float lo[3], step[3]; /* the box is lo + step * 0..255 */
    uint8_t child_lo[3][LODE__MESH_WIDE], child_hi[3][LODE__MESH_WIDE];
    uint32_t child[LODE__MESH_WIDE];
    uint32_t used;   /* a bit for each child */
    uint32_t unused; /* a node is three cache lines */
} lode__mesh_node;

_Static_assert(sizeof(lode__mesh_node) == 192, "a node is three cache lines");

/* Of a triangle, rounded outwards. Of four numbers the last says nothing: what is done to three is
 * done to a register's four. */
typedef struct lode__mesh_box {
    float lo[4], hi[4];
} lode__mesh_box;

/* 1 / step, exactly, by the exponents: steps are powers of two. */
static inline float mesh_step_inverse(float step)
{
    uint32_t bits;
    memcpy(&bits, &step, sizeof bits);
    bits = (UINT32_C(254) << 23) - bits;
    memcpy(&step, &bits, sizeof step);
    return step;
}

/* A ball within a mesh that encloses something; else a point on it, of radius 0. */
typedef struct lode__mesh_core {
    lode__double3 at;
    double radius;
} lode__mesh_core;

struct lode_mesh {
    lode__shape_data data; /* first: a mesh is one */
    const char *vertices, *indices;
    size_t vertex_stride, index_stride; /* bytes */
    bool doubles, shorts, two_sided;
    bool convex; /* a convex solid */
    uint32_t vertex_count, triangle_count, counted, node_count;
    uint32_t *order;
    uint32_t (*corners)[3]; /* more than there are triangles: what follows the last may be loaded */
    uint32_t (*neighbors)[3];         /* triangle << 2 | edge, or LODE__NONE */
    uint8_t *materials;               /* null: all triangles are of material 0 */
    uint8_t *flags;                   /* two bits for each edge, and LODE__TRIANGLE_IGNORED */
    lode__mesh_node *nodes;           /* the first is the root */
    void *own_vertices, *own_indices; /* null: referenced; vertices with one number more behind */
    lode_vec3 lower, upper;           /* of the triangles that count */
    lode_mesh_info info;
    double volume, center[3], inertia[6]; /* at density 1, about the centre; 0 if not closed */
    uint32_t core_count;                  /* at least one */
    lode__mesh_core cores[LODE__MESH_CORES];
};

typedef struct lode_mesh lode__mesh;

typedef struct lode__triangle {
    lode_vec3 v[3];
} lode__triangle;

static inline lode_vec3 mesh_vertex(const lode__mesh *mesh, uint32_t vertex)
{
    const char *at = mesh->vertices + vertex * mesh->vertex_stride;
    if (mesh->doubles) {
        double x[3];
        memcpy(x, at, sizeof x);
        return v3((lode_real)x[0], (lode_real)x[1], (lode_real)x[2]);
    }
    float x, y, z; /* one by one: a copy of all three is shuffled about */
    memcpy(&x, at, sizeof x);
    memcpy(&y, at + sizeof x, sizeof y);
    memcpy(&z, at + 2 * sizeof x, sizeof z);
    return v3(x, y, z);
}

static inline void mesh_corners(const lode__mesh *mesh, uint32_t triangle, uint32_t out[3])
{
    const char *at = mesh->indices + triangle * mesh->index_stride;
    if (!mesh->shorts) {
        for (int k = 0; k < 3; ++k)
            memcpy(&out[k], at + (size_t)k * sizeof *out, sizeof *out);
        return;
    }
    uint16_t corner[3];
    memcpy(corner, at, sizeof corner);
    for (int k = 0; k < 3; ++k)
        out[k] = corner[k];
}

static inline lode__triangle mesh_triangle(const lode__mesh *mesh, uint32_t triangle)
{
    uint32_t corner[3];
    mesh_corners(mesh, triangle, corner);
    return (lode__triangle){
        {mesh_vertex(mesh, corner[0]), mesh_vertex(mesh, corner[1]), mesh_vertex(mesh, corner[2])}};
}

/* Its corners, as seen from `origin`. */
static inline lode__triangle mesh_triangle_from(const lode__mesh *mesh, uint32_t triangle,
                                                lode_vec3 origin)
{
    lode__triangle t = mesh_triangle(mesh, triangle);
    for (int k = 0; k < 3; ++k)
        t.v[k] = v3_sub(t.v[k], origin);
    return t;
}

static inline int mesh_edge_kind(const lode__mesh *mesh, uint32_t triangle, int edge)
{
    return mesh->flags[triangle] >> 2 * edge & 3;
}

/* Of a triangle that counts: the unit normal of its front, towards which its corners turn left. */
static inline lode_vec3 triangle_normal(const lode__triangle *t)
{
    lode_vec3 n = v3_cross(v3_normalize_or(v3_sub(t->v[1], t->v[0]), v3(1, 0, 0)),
                           v3_normalize_or(v3_sub(t->v[2], t->v[0]), v3(0, 1, 0)));
    return v3_normalize_or(n, v3(0, 0, 1));
}

static inline const lode__mesh *mesh_of(const void *data)
{
    return data; /* a lode__shape_data of this type */
}

/* --- building: each part fills its own fields; false: out of memory */

bool lode__mesh_join_edges(lode__mesh *mesh);

/* Finds `lower` and `upper` too. There is room for a box of each triangle; they come to lie as
 * `order` does. */
bool lode__mesh_build_tree(lode__mesh *mesh, lode__mesh_box *boxes);

/* Needs the tree, and its boxes. */
bool lode__mesh_join_junctions(lode__mesh *mesh, const lode__mesh_box *boxes);

void lode__mesh_integrate(lode__mesh *mesh);
bool lode__mesh_is_convex(const lode__mesh *mesh); /* after all else */
void lode__mesh_find_cores(lode__mesh *mesh);      /* the same */

/* How the surface goes on from one triangle to another beyond an edge, which is edge `edge` of the
 * other. */
int lode__mesh_bend(const lode__mesh *mesh, uint32_t here, uint32_t there, int edge);

/* Is what is beyond the edge one of several, or has it other ends? */
bool lode__mesh_is_junction(const lode__mesh *mesh, uint32_t triangle, int edge);

/* In its own frame; zero for one that is not closed. */
lode_mass lode__mesh_mass(const lode__mesh *mesh, lode_real density);

/* --- looking */

/* Called for each triangle whose box may overlap the one asked for, in the tree's order. False ends
 * the walk. */
typedef bool lode__mesh_visit_fn(void *context, uint32_t triangle);

/* Also told where its corners are. */
typedef bool lode__surface_visit_fn(void *context, uint32_t triangle, const lode__triangle *t);

/* Visits all triangles whose boxes overlap the one from `lo` to `hi`, in the mesh's frame, and
 * maybe some beside it. False: a visit ended it. */
bool lode__mesh_walk(const lode__mesh *mesh, lode_vec3 lo, lode_vec3 hi, lode__mesh_visit_fn *visit,
                     void *context);

/* The same leaf by leaf: called for several triangles, of which some may lie beside the box. */
typedef bool lode__mesh_leaf_fn(void *context, const uint32_t *triangles, uint32_t count);
bool lode__mesh_walk_leaves(const lode__mesh *mesh, lode_vec3 lo, lode_vec3 hi,
                            lode__mesh_leaf_fn *visit, void *context);

/* A node lists no more triangles than this, and a list has room for those of two nodes and what is
 * looked at beside them. */
enum { LODE__NEAR_NODE = LODE__MESH_WIDE * LODE__MESH_LEAF, LODE__NEAR_MOST = 2 * LODE__NEAR_NODE };

/* The same in lists, by a kernel (collide/mesh_near.h): a walk that goes on where it stopped. */
typedef struct lode__mesh_near {
    const lode__mesh *mesh;
    lode_vec3 center, lo, hi; /* the box, from there */
    lode_vec3 axis[3];        /* a narrower box around the centre: unit axes, */
    lode_real half[3], slack; /* its half extents; who is farther away may be left out */
    float from[3], to[3];     /* the first in the mesh's frame, rounded outwards */
    uint32_t depth, stack[LODE__MESH_STACK];
    uint32_t count; /* of the triangles in the list */
    uint32_t triangles[LODE__NEAR_MOST + LODE_LANES];
} lode__mesh_near;

/* A list that is kept has no more than so many (collide/near_list.h). */
enum { LODE__NEAR_KEPT = 24 };

/* How far the solid may move, m: until each of them may come near, where it has been left out, and
 * until it may leave the box in the mesh's axes, where it has not; negative: not at all. */
typedef struct lode__near_leeway {
    _Alignas(LODE__LINE_ALIGN) lode_real beside[LODE__NEAR_KEPT];
    _Alignas(LODE__LINE_ALIGN) lode_real near[LODE__NEAR_KEPT];
    lode_real far; /* the solid and all corners are no farther from its centre, m */
} lode__near_leeway;

/* A box in the mesh's frame, of which triangles are seen from `center`. The narrower box is the
 * caller's to set. */
void lode__mesh_near_begin(lode__mesh_near *near, const lode__mesh *mesh, lode_vec3 center,
                           lode_vec3 lo, lode_vec3 hi);

/* --- what is nearest; all in the mesh's frame */

/* Called for triangles whose boxes come within `most` of the one asked for, near ones first; says
 * how far to look from now on, below 0 to end. */
typedef double lode__mesh_near_fn(void *context, uint32_t triangle, double most);

void lode__mesh_search(const lode__mesh *mesh, lode__double3 lo, lode__double3 hi, double most,
                       lode__mesh_near_fn *visit, void *context);

/* Called for triangles that may reach farther along a direction than `limit`; says how far they
 * must reach from now on. */
typedef double lode__reach_fn(void *context, uint32_t triangle, const lode__triangle *t,
                              double limit);

void lode__mesh_reach(const lode__mesh *mesh, lode__double3 direction, double limit,
                      lode__reach_fn *visit, void *context);

/* The point of a triangle nearest to x: as lode__triangle_nearest(), which is in reals and for
 * points that are near. */
lode__double3 lode__nearest_on(const lode__double3 v[3], lode__double3 x, int *out_where);

lode__double3 lode__mesh_normal(const lode__mesh *mesh, uint32_t triangle); /* unit */

/* The place of a mesh, or a height field, that is nearest to a point; surface.h finds it. */
typedef struct lode__mesh_nearest {
    lode__double3 point;
    double distance;   /* never below 0 */
    uint32_t triangle; /* LODE__NONE: nothing is near enough */
    int where;         /* as lode__triangle_nearest() says it */
} lode__mesh_nearest;

/* Is the point behind the surface that is nearest to it? Of a closed mesh: inside, or outside if
 * the mesh is inverted. On the surface itself: no. */
bool lode__mesh_is_behind(const lode__mesh *mesh, const lode__mesh_nearest *nearest,
                          lode__double3 point);

/* Does the mesh enclose what is within it? Then it is a solid: what is behind all of its faces is
 * in it. */
static inline bool mesh_is_solid(const lode__mesh *mesh)
{
    return mesh->info.closed && !mesh->info.inverted && !mesh->two_sided;
}

/* --- rays */

/* A ray in the mesh's frame; the direction, not zero, may have any length. Hears of fronts and
 * backs, whether the mesh is two-sided or not; of an edge's triangles of one at least. */
void lode__mesh_ray(const lode__mesh *mesh, lode_vec3 origin, lode_vec3 direction, lode_real length,
                    lode__part_hit_fn *hear, void *context);

/* Eight such rays, each with its length. */
typedef struct lode__mesh_rays {
    lode_vec3 origin[8], direction[8];
    lode_real most[8];
    unsigned lanes; /* the rays that count, a bit for each */
} lode__mesh_rays;

#endif
