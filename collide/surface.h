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

/* Is what is beyond an edge one of several triangles, or has it other corners? */
static inline bool surface_is_junction(const lode__shape_data *surface, uint32_t triangle, int edge)
{
    return surface->type == LODE_MESH &&
           (mesh_of(surface)->flags[triangle] & LODE__TRIANGLE_JUNCTION) &&
           lode__mesh_is_junction(mesh_of(surface), triangle, edge);
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

/* Which of a shape's materials a triangle is made of. */
static inline uint32_t surface_material(const lode__shape_data *surface, uint32_t triangle)
{
    const uint8_t *of_mesh = surface->type == LODE_MESH ? mesh_of(surface)->materials : NULL;
    const uint8_t *of_field = surface->type == LODE_HEIGHTFIELD ? field_of(surface)->materials
                                                                : NULL;
    return of_mesh ? of_mesh[triangle] : of_field ? of_field[triangle >> 1] : 0;
}

static inline bool surface_two_sided(const lode__shape_data *surface)
{
    return surface->type == LODE_MESH && mesh_of(surface)->two_sided;
}

/* Does it enclose what is behind all of its faces? */
static inline bool surface_is_solid(const lode__shape_data *surface)
{
    return surface->type == LODE_MESH && mesh_is_solid(mesh_of(surface));
}

/* Calls `visit` for each triangle whose box may overlap the one from `lo` to `hi`, in the surface's
 * frame, with its corners as seen from `origin`. False: a visit ended the walk. */
bool lode__surface_walk(const lode__shape_data *surface, lode_vec3 origin, lode_vec3 lo,
                        lode_vec3 hi, lode__surface_visit_fn *visit, void *context);

/* Calls `visit` for each triangle that may be within `most` of the box from `lo` to `hi`, in the
 * surface's frame, near ones first, with its corners as seen from `origin`. */
void lode__surface_search(const lode__shape_data *surface, lode_vec3 origin, lode__double3 lo,
                          lode__double3 hi, double most, lode__field_near_fn *visit, void *context);

/* As lode__mesh_ray(). */
void lode__surface_ray(const lode__shape_data *surface, lode_vec3 origin, lode_vec3 direction,
                       lode_real length, lode__part_hit_fn *hear, void *context);

/* Calls `visit` for triangles that may reach farther along a direction than the limit, which each
 * visit sets anew; of a field that repeats itself for those of the first repetition. */
void lode__surface_reach(const lode__shape_data *surface, lode__double3 direction, double limit,
                         lode__reach_fn *visit, void *context);

/* The vertex farthest along a direction, of all repetitions. */
lode__double3 lode__surface_support(const lode__shape_data *surface, lode__double3 direction);

/* The place that is nearest to a point; both are seen from `origin`. False: it is farther away than
 * `most`. */
bool lode__surface_find_nearest(const lode__shape_data *surface, lode_vec3 origin,
                                lode__double3 point, double most, lode__mesh_nearest *out);

/* Is the point behind the place of the surface that is nearest to it: in a closed mesh, under a
 * height field? On the surface itself: no. Beside a height field, and in its holes, nothing is. */
bool lode__surface_is_behind(const lode__shape_data *surface, lode_vec3 origin,
                             const lode__mesh_nearest *nearest, lode__double3 point);

/* Is the point in what the surface encloses: a mesh that is a solid, or the thickness of a
 * field? */
bool lode__surface_holds(const lode__shape_data *surface, lode__double3 point);

/* The same as surface_normal(), in double and by number alone. */
static inline lode__double3 surface_normal_of(const lode__shape_data *surface, uint32_t triangle)
{
    return surface->type == LODE_MESH ? lode__mesh_normal(mesh_of(surface), triangle)
                                      : d3_from(lode__field_normal(field_of(surface), triangle));
}

/* The box around its triangles, in its frame. */
static inline lode_bounds surface_box(const lode__shape_data *surface)
{
    if (surface->type == LODE_MESH)
        return (lode_bounds){mesh_of(surface)->lower, mesh_of(surface)->upper};
    lode_bounds box = lode__field_bounds(field_of(surface));
    box.lower.z = field_of(surface)->lowest;
    return box;
}

#endif
