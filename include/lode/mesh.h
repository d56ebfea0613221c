/* mesh.h: triangle meshes: terrain, buildings, anything with corners.
 *
 * A mesh is an object of its own, made once and never changed, which any number of shapes of any
 * worlds share. Its maker holds a reference until lode_mesh_release(); each shape holds one too. */
#ifndef LODE_MESH_H
#define LODE_MESH_H

#include "shape.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_mesh lode_mesh;

/* A triangle's front is where its corners turn left (counterclockwise). Vertices at exactly equal
 * places count as one, so triangles need not share indices to be neighbours. Triangles without area
 * (lower than four units of rounding of their longest side) and repeated ones (the same corners in
 * the same turn) are ignored and counted. Holes, and edges of three and more triangles, are
 * allowed; at such edges a mesh is as rough as it looks. */
typedef struct lode_mesh_def {
    uint32_t abi;         /* set by lode_mesh_def_default() */
    const void *vertices; /* three numbers each, finite and within 1e9 */
    int vertex_count;     /* at least 3 */
    int vertex_stride;    /* bytes from one to the next; 0: they follow one another */
    bool double_vertices; /* double in place of float; default: as lode_real */
    const void *indices;  /* three each triangle; from 0 to vertex_count - 1 */
    int triangle_count;   /* 1..2^28 */
    int index_stride;     /* bytes from one triangle's to the next; 0: they follow one another */
    bool short_indices;   /* 16 bits in place of 32 */
    bool two_sided;       /* touched from the back too; default: backs let things pass */
    bool reference;       /* do not copy: vertices and indices stay where they are, unchanged, while
                             the mesh lives */
    const uint8_t *materials; /* of each triangle, which of its shape's materials it is made of
                                 (lode_shape_set_materials()); copied; null, the default: all of
                                 the first */
} lode_mesh_def;

/* Fills `out_def`, of `size` bytes, with no triangles and the defaults named above; see
 * lode_world_def_init(). */
LODE_API void lode_mesh_def_init(void *out_def, size_t size, uint32_t abi);

/* No triangles, and the defaults named above; zeros when header and library disagree. */
static inline lode_mesh_def lode_mesh_def_default(void)
{
    lode_mesh_def def;
    lode_mesh_def_init(&def, sizeof def, LODE_ABI);
    return def;
}

/* What was found when the mesh was made. */
typedef struct lode_mesh_info {
    int triangle_count;             /* as given */
    int thin_count, repeated_count; /* ignored triangles */
    int open_edge_count;            /* of one triangle: rims of holes */
    int shared_edge_count;          /* of three or more */
    int turned_edge_count; /* of two that pass it in the same direction: one is turned over */
    bool closed;           /* no such edges, and it encloses a volume */
    bool inverted;         /* closed, but inside out: fronts look inwards, the volume is negative */
} lode_mesh_info;

/* Null after a report: LODE_ERROR_ARGUMENT for what the definition forbids, LODE_ERROR_ABI for one
 * that did not come from lode_mesh_def_default(), LODE_ERROR_MEMORY. Takes
 * about a second per million triangles, and 40 bytes of memory each beside the copy. */
LODE_API lode_mesh *lode_mesh_create(const lode_mesh_def *def);

/* Gives the maker's reference back; null is allowed. Call it once; the pointer is then no longer
 * yours to use. */
LODE_API void lode_mesh_release(lode_mesh *mesh);

/* These take a mesh that lives; zeros for null. */
LODE_API lode_mesh_info lode_mesh_get_info(const lode_mesh *mesh);
LODE_API lode_bounds lode_mesh_get_bounds(const lode_mesh *mesh);

/* The corners of a triangle, and the point of it with barycentric coordinates u (of corner 1) and v
 * (of corner 2). `triangle` from 0 to triangle_count - 1, ignored ones too. */
LODE_API lode_status lode_mesh_get_triangle(const lode_mesh *mesh, int triangle,
                                            lode_vec3 out_corners[3]);
LODE_API lode_vec3 lode_mesh_get_point(const lode_mesh *mesh, int triangle, lode_real u,
                                       lode_real v);

/* What it was made of, as it was given: all vertices, in lode_real, and of each triangle the
 * indices of its corners. At most `capacity` of either are copied, three indices of each triangle;
 * both return how many there are, 0 on failure. */
LODE_API int lode_mesh_get_vertices(const lode_mesh *mesh, lode_vec3 *out_vertices, int capacity);
LODE_API int lode_mesh_get_indices(const lode_mesh *mesh, int *out_indices, int capacity);

/* Of each triangle, at most `capacity` of them, which of its shape's materials it is made of.
 * Returns how many there are: as many as triangles, or 0 where all are of the first. */
LODE_API int lode_mesh_get_materials(const lode_mesh *mesh, uint8_t *out_materials, int capacity);

/* Is it touched from the back too? */
LODE_API bool lode_mesh_is_two_sided(const lode_mesh *mesh);

/* The mass of a closed mesh, solid and of this density, in its own frame, by exact integrals
 * (Mirtich 1996). LODE_ERROR_ARGUMENT if it is not closed; an inverted one weighs what its mirror
 * does. */
LODE_API lode_status lode_mesh_get_mass(const lode_mesh *mesh, lode_real density,
                                        lode_mass *out_mass);

/* A shape of these triangles. Null on failure, as in shape.h. On a dynamic body a closed mesh
 * weighs what lode_mesh_get_mass() says; any other weighs nothing, so give its body another shape
 * or a mass by hand. Contacts are those of the surface: what is within a mesh as a whole touches
 * nothing, but for other meshes. */
LODE_API lode_shape lode_shape_create_mesh(lode_body body, const lode_shape_def *def,
                                           lode_mesh *mesh);

/* Another mesh in place of the shape's, as when a shape is given another size: see
 * lode_shape_set_box(). */
LODE_API lode_status lode_shape_set_mesh(lode_shape shape, lode_mesh *mesh);

/* The mesh of a shape, null after a report; it is the shape's, and not yours to release. */
LODE_API lode_mesh *lode_shape_get_mesh(lode_shape shape);

/* Lets the world hold the mesh for snapshots that name it; see lode_world_offer_hull(). */
LODE_API lode_status lode_world_offer_mesh(lode_world world, lode_mesh *mesh);

LODE_EXTERN_C_END

#endif
