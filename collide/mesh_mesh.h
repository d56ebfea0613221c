/* mesh_mesh.h: two surfaces that meet: which is which, and where; see mesh_mesh.c. */
#ifndef LODE_COLLIDE_MESH_MESH_H
#define LODE_COLLIDE_MESH_MESH_H

#include "collide/mesh_touch.h"

/* A face is against another if the cosine of their normals is below this. */
#define MEETING_AGAINST (-0.05)

/* Two surfaces, of which one is the query's and the other its shape. Places of a and b are seen
 * from `origin_a` and `origin_b`, in the axes of each; what is between both is in b's axes from
 * `origin_b`. A field's origin may be far away, so its places are seen from where the mesh is. */
typedef struct lode__meeting {
    const lode__shape_data *a, *b;
    lode_vec3 origin_a, origin_b;
    lode__double33 turn;        /* from a's axes to b's */
    lode__double3 offset;       /* origin_a, from origin_b, in b's axes */
    lode__double3 middle, half; /* of a's box: as places of b are, in a's axes */
    lode__double3 side_a;       /* as places of b are: on the side of b's faces where a is */
    lode__double3 side_b;       /* as places of a are, where b is */
    double size;                /* of a: nothing of it is deeper */
    double margin, slack;
    bool holds;         /* b is a solid, and a vertex of a that was asked about is in it */
    bool shape_on_mesh; /* a is the shape, b the surface of the query; else the other way */
    const lode__mesh_query *query;
} lode__meeting;

static inline lode__double3 meeting_to_b(const lode__meeting *m, lode_vec3 at)
{
    return d3_add(m->offset, d33_mul(&m->turn, d3_from(at)));
}

static inline lode__double3 meeting_to_a(const lode__meeting *m, lode__double3 at)
{
    return d33_mul_t(&m->turn, d3_sub(at, m->offset));
}

static inline lode_vec3 meeting_to_a_axes(const lode__meeting *m, lode__double3 n)
{
    return d3_to(d33_mul_t(&m->turn, n));
}

/* A triangle, with the side that counts where the other surface is. */
static inline lode__mesh_side meeting_side(const lode__shape_data *surface, uint32_t triangle,
                                           const lode__triangle *t, lode__double3 other)
{
    lode__mesh_side side = {.triangle = triangle, .t = *t};
    side.n = surface_normal(surface, triangle, t);
    side.back = surface_two_sided(surface) && v3_dot(side.n, v3_sub(d3_to(other), t->v[0])) < 0;
    if (side.back)
        side.n = v3_neg(side.n);
    return side;
}

/* `n` is in the surface's axes. */
static inline bool meeting_looks_against(const lode__shape_data *surface, uint32_t triangle,
                                         lode__double3 n)
{
    double along = d3_dot(surface_normal_of(surface, triangle), n);
    return along < MEETING_AGAINST || (surface_two_sided(surface) && along > -MEETING_AGAINST);
}

/* Adds a point. Position and normal, which leads into a, are as places of b; `doubtful` ones are
 * settled by lode__meeting_edges(). */
void lode__meeting_add(const lode__meeting *m, lode__double3 at, lode__double3 normal, double depth,
                       uint32_t feature, uint32_t triangle_a, uint32_t triangle_b, bool doubtful);

/* Calls `visit` for the triangles of a within `grow` of b's box. */
bool lode__meeting_walk_a(const lode__meeting *m, double grow, lode__surface_visit_fn *visit,
                          void *context);

/* mesh_mesh_cross.c: does an edge of either run through the other, or touch it, but for
 * rounding? */
bool lode__meeting_crosses(const lode__meeting *m);

/* mesh_mesh_edges.c: what edges touch with, when vertices have been looked at. */
void lode__meeting_edges(const lode__meeting *m);

#endif
