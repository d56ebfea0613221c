/* hull.h: convex hulls, as geometry that shapes share.
 *
 * A hull is made once, from points or from faces, and used by any number of shapes, also of several
 * worlds in several threads. It never changes. Whoever made it holds it until lode_hull_release();
 * each shape holds it too, so it may be released as soon as its shapes are made. Its axes are those
 * of the points, and its centre of mass is wherever their hull has it. */
#ifndef LODE_HULL_H
#define LODE_HULL_H

#include "shape.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_hull lode_hull;

typedef struct lode_hull_def {
    uint32_t abi; /* set by lode_hull_def_default() */
    const lode_real *points; /* three numbers each, finite and within 1e12 */
    int point_count;         /* at least 4 */
    int point_stride;        /* bytes from one to the next; 0: they follow one another */
    /* Null: the hull of the points is found, points inside of it or all but on its sides are left
     * out, and flat sides become one face each. Otherwise the faces are these: polygons with
     * face_sizes[i] corners, one after the other in `face_corners`, all anticlockwise seen from
     * outside or all clockwise. */
    const int *face_sizes;
    const int *face_corners; /* indices of points */
    int face_count;
} lode_hull_def;

/* Fills `out_def`, of `size` bytes, with no points and no faces; see lode_world_def_init(). */
LODE_API void lode_hull_def_init(void *out_def, size_t size, uint32_t abi);

/* A definition with no points and no faces; zeros when header and library disagree. */
static inline lode_hull_def lode_hull_def_default(void)
{
    lode_hull_def def;
    lode_hull_def_init(&def, sizeof def, LODE_ABI);
    return def;
}

/* Null on failure. LODE_ERROR_ARGUMENT names the field: points that are not finite, fewer than
 * four, or that lie in a point, a line or a plane but for rounding (of single precision, some 1e-6
 * of the largest coordinate); faces that are not plane and convex (within 1e-5 of the size), do not
 * enclose one solid, or not a convex one. LODE_ERROR_ABI for a definition that did not come from
 * lode_hull_def_default(), LODE_ERROR_MEMORY. From points: quickhull (Barber, Dobkin and Huhdanpaa
 * 1996). Finding the hull of n points takes about n log n steps; nothing of the definition is
 * kept. */
LODE_API lode_hull *lode_hull_create(const lode_hull_def *def);

/* Gives up what lode_hull_create() gave; null is allowed. The hull goes with its last shape. */
LODE_API void lode_hull_release(lode_hull *hull);

/* Of a solid of this density, in the frame of the points: exact integrals (Mirtich 1996). */
LODE_API lode_mass lode_hull_get_mass(const lode_hull *hull, lode_real density);

/* The vertices, at most `capacity` of them to `out_vertices`; returns how many there are. */
LODE_API int lode_hull_get_vertices(const lode_hull *hull, lode_vec3 *out_vertices, int capacity);

/* How many faces there are; and the corners of one, as indices of vertices, anticlockwise seen from
 * outside, at most `capacity` of them: returns how many there are. */
LODE_API int lode_hull_get_face_count(const lode_hull *hull);
LODE_API int lode_hull_get_face(const lode_hull *hull, int face, int *out_corners, int capacity);

/* A shape with this geometry, which lies in the shape's frame as the points were given. Returns the
 * null handle on failure. */
LODE_API lode_shape lode_shape_create_hull(lode_body body, const lode_shape_def *def,
                                           lode_hull *hull);

/* Another hull in place of the shape's, as when it is given another size: see lode_shape_set_box().
 * A hull that would leave the body without a finite mass is refused. */
LODE_API lode_status lode_shape_set_hull(lode_shape shape, lode_hull *hull);

/* The hull of a shape, null after a report; it is the shape's, and not yours to release. */
LODE_API lode_hull *lode_shape_get_hull(lode_shape shape);

/* Lets the world hold the hull for snapshots that name it. They hold no geometry, but what tells
 * one from another, and setting back takes it from the shapes that are there; in a world that has
 * none with the same hull, or no longer, it is found here. The world holds it until it is
 * destroyed. */
LODE_API lode_status lode_world_offer_hull(lode_world world, lode_hull *hull);

LODE_EXTERN_C_END

#endif
