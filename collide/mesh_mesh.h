/* mesh_mesh.h: two meshes that meet: which is which, and where; see mesh_mesh.c. */
#ifndef LODE_COLLIDE_MESH_MESH_H
#define LODE_COLLIDE_MESH_MESH_H

#include "collide/mesh_touch.h"

/* A face is against another if the cosine of their normals is below this. */
#define MEETING_AGAINST (-0.05)

/* Two meshes, of which one is the query's and the other its shape. All in the frame of b, in double. */
typedef struct lode__meeting {
    const lode__mesh *a, *b;
    lode__double33 turn;        /* from a's axes to b's */
    lode__double3 offset;       /* a's origin, in b's frame */
    lode__double3 middle, half; /* of a's box: in b's frame, in a's axes */
    double size;                /* of a: nothing of it is deeper */
    double margin, slack;
    bool shape_on_mesh; /* a is the shape, b the mesh of the query; else the other way */
    const lode__mesh_query *query;
} lode__meeting;

static inline lode__double3 meeting_to_b(const lode__meeting *m, lode_vec3 at)
{
    return d3_add(m->offset, d33_mul(&m->turn, d3_from(at)));
}

static inline lode_vec3 meeting_to_a_axes(const lode__meeting *m, lode__double3 n)
{
    return d3_to(d33_mul_t(&m->turn, n));
}

/* A triangle, with the side that counts where the other mesh has its middle there. */
static inline lode__mesh_side meeting_side(const lode__mesh *mesh, uint32_t triangle,
                                           lode_vec3 other_middle)
{
    lode__mesh_side side = {.triangle = triangle, .t = mesh_triangle(mesh, triangle)};
    side.n = triangle_normal(&side.t);
    side.back = mesh->two_sided && v3_dot(side.n, v3_sub(other_middle, side.t.v[0])) < 0;
    if (side.back)
        side.n = v3_neg(side.n);
    return side;
}

/* `n` is in the mesh's axes. */
static inline bool meeting_looks_against(const lode__mesh *mesh, uint32_t triangle, lode__double3 n)
{
    double along = d3_dot(lode__mesh_normal(mesh, triangle), n);
    return along < MEETING_AGAINST || (mesh->two_sided && along > -MEETING_AGAINST);
}

/* Adds a point. Position and normal, which leads into a, are in b's frame; `doubtful` ones are settled
 * by lode__meeting_edges(). */
void lode__meeting_add(const lode__meeting *m, lode__double3 at, lode__double3 normal, double depth,
                       uint32_t feature, uint32_t triangle_a, uint32_t triangle_b, bool doubtful);

/* mesh_mesh_edges.c: what edges touch with, when vertices have been looked at. */
void lode__meeting_edges(const lode__meeting *m);

#endif
