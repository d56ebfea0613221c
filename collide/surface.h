/* surface.h: what meshes and height fields have in common: triangles that know their neighbours.
 *
 * A surface is shared geometry of one of the two types. Its triangles are numbered; edge e of one
 * leads from corner e to corner e + 1. Of a height field that repeats itself the triangles of one
 * repetition are numbered, and stand for those of all: only a walk says where each copy lies. */
#ifndef LODE_COLLIDE_SURFACE_H
#define LODE_COLLIDE_SURFACE_H

#include "collide/heightfield.h"
#include "collide/mesh.h"

/* Do shapes of this type consist of triangles? */
static inline bool type_is_surface(uint32_t type)
{
    return type == LODE_MESH || type == LODE_HEIGHTFIELD;
}

static inline lode__triangle surface_triangle(const lode__shape_data *surface, uint32_t triangle)
{
    return surface->type == LODE_MESH ? mesh_triangle(mesh_of(surface), triangle)
                                      : field_triangle(field_of(surface), triangle);
}

/* The unit normal of the triangle's front. */
static inline lode_vec3 surface_normal(const lode__shape_data *surface, uint32_t triangle,
                                       const lode__triangle *t)
{
    return surface->type == LODE_MESH ? triangle_normal(t)
                                      : lode__field_normal(field_of(surface), triangle);
}

/* The edge on the other side of an edge, as triangle << 2 | edge, or LODE__NONE. */
static inline uint32_t surface_neighbor(const lode__shape_data *surface, uint32_t triangle,
                                        int edge)
{
    return surface->type == LODE_MESH ? mesh_of(surface)->neighbors[triangle][edge]
                                      : lode__field_neighbor(field_of(surface), triangle, edge);
}

/* What an edge is like, seen from the front. */
static inline int surface_edge_kind(const lode__shape_data *surface, uint32_t triangle, int edge)
{
    return surface->type == LODE_MESH ? mesh_edge_kind(mesh_of(surface), triangle, edge)
                                      : lode__field_edge_kind(field_of(surface), triangle, edge);
}

/* The number of a corner's vertex. */
static inline uint32_t surface_vertex(const lode__shape_data *surface, uint32_t triangle,
                                      int corner)
{
    uint32_t corners[3];
    if (surface->type != LODE_MESH)
        return field_vertex(field_of(surface), triangle, corner);
    mesh_corners(mesh_of(surface), triangle, corners);
    return corners[corner];
}

static inline bool surface_two_sided(const lode__shape_data *surface)
{
    return surface->type == LODE_MESH && mesh_of(surface)->two_sided;
}

/* Calls `visit` for each triangle whose box may overlap the one from `lo` to `hi`, in the surface's
 * frame, with its corners as seen from `origin`. False: a visit ended the walk. */
bool lode__surface_walk(const lode__shape_data *surface, lode_vec3 origin, lode_vec3 lo,
                        lode_vec3 hi, lode__surface_visit_fn *visit, void *context);

/* Calls `visit` for each triangle that may be within `most` of the box, with its corners in the surface's
 * frame. */
void lode__surface_search(const lode__shape_data *surface, lode__double3 lo, lode__double3 hi,
                          double most, lode__field_near_fn *visit, void *context);

#endif
