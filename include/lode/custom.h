/* custom.h: shapes of your own classes.
 *
 * A class says by functions what Lode must know of its shapes; an object of it is data of a fixed
 * size that never changes, is shared by any number of shapes and is kept alive by them, as hulls
 * and meshes are. To change a shape, give it another object with lode_shape_set_custom(). Snapshots
 * tell objects apart by the name of their class and their bytes: keep no pointers in these, nor
 * padding.
 *
 * Two ways lead to a class that all of Lode knows: contacts, rays, casts, overlaps, distances,
 * points, sensors and continuous collision. Of a convex solid the *support function* says all, and
 * nothing else need be given. Of any other solid its *colliders* do: queries ask them with wide
 * margins and take the deepest point for the distance. What has a collider against no type is seen
 * by none.
 *
 * The functions are called during steps by several threads at once, and by queries on the thread
 * that asks; they may read what they are given, and call nothing of the world. Equal input must
 * give equal output, or steps are not reproducible. What they give that is no number is left out.
 *
 * All is in the shape's own frame, from its centre, unless said. */
#ifndef LODE_CUSTOM_H
#define LODE_CUSTOM_H

#include "heightfield.h"
#include "hull.h"
#include "mesh.h"
#include "shape.h"

LODE_EXTERN_C_BEGIN

typedef struct lode_custom lode_custom;
typedef struct lode_custom_class lode_custom_class;

/* The other shape of a pair. Only the fields of its type count. */
typedef struct lode_custom_other {
    lode_shape_type type;
    lode_pose pose;         /* in the own frame */
    lode_real radius;       /* of sphere, capsule and cylinder */
    lode_real half_length;  /* of capsule and cylinder, along its z */
    lode_vec3 half_extents; /* of a box */
    lode_vec3 normal;       /* of a plane, in the plane's frame; solid below `offset` along it */
    lode_real offset;
    const lode_hull *hull; /* these too in the other's frame */
    const lode_mesh *mesh;
    const lode_heightfield *heightfield;
    const lode_custom *custom;
} lode_custom_other;

typedef struct lode_custom_point {
    lode_vec3 position; /* midway between the surfaces */
    lode_vec3 normal;   /* pointing into the other shape; normalised */
    lode_real depth;    /* m; below 0: a gap */
    uint32_t feature;   /* stable while the same features touch; impulses are carried over by it */
    int child;          /* told as the contact's child of this shape; -1: none */
} lode_custom_point;

/* Points of contact with gaps up to `margin`; returns how many, at most `capacity`, which is 64.
 * They are grouped by their normals and reduced as those of meshes are.
 *
 * In steps the margin is small. Queries of shapes without a support function ask with a margin
 * that may be as wide as the two shapes are apart, and the point with the largest depth stands
 * for the distance: tell it with the true gap, or the true depth, whatever the margin. The other
 * shape is then a shape, the solid of a cast, or for a point a sphere of radius 0. */
typedef int lode_custom_collide_fn(const void *data, const lode_custom_other *other,
                                   lode_real margin, lode_custom_point *out_points, int capacity);

/* The stretch of a line within the shape, in lengths of `direction` from `origin`. */
typedef struct lode_custom_span {
    lode_real enter, leave;
    lode_vec3 enter_normal, leave_normal; /* outward; normalised */
} lode_custom_span;

/* The record belongs to the caller and must stay as it is while there are objects of it. */
struct lode_custom_class {
    const char *name;
    int data_size; /* bytes of each object, at least 0 */
    /* Optional, of a convex solid: its farthest point along a unit vector, finite and within 1e9.
     * Always in double, for searches end where rounding does. */
    void (*support)(const void *data, const double direction[3], double out_point[3]);
    /* The box along the axes of a frame in which the shape is turned by `rotation`. Optional with a
     * support function. Of a shape without end sides may be infinite: then it reaches 1e9 m that
     * way, and its colliders are asked about whatever lies there. In single precision the side
     * across from an infinite one is rounded by some 500 m; lesser sides are sharper. */
    lode_bounds (*bounds)(const void *data, lode_quat rotation);
    /* Names the collider against a type, and of LODE_CUSTOM against a class, the own one too.
     * Null: they pass through each other, no sensor tells of them and no continuous body stops.
     * Of two classes that of the shape with the lower slot is asked first (of two shapes that a
     * query is about, that of the first), and the other if it answers null. Optional with a
     * support function: it is then lode_custom_collide_convex() against all. */
    lode_custom_collide_fn *(*select)(lode_shape_type type, const lode_custom_class *other);
    /* Optional: does the shape at `pose` reach into the box around that pose's origin? Asked by
     * lode_world_overlap_bounds() once bounds overlap. */
    bool (*overlaps_box)(const void *data, lode_pose pose, lode_vec3 half_extents);
    /* Optional: false where the line misses. Rays do not meet a shape without it, unless it has a
     * support function: then they find it by that. */
    bool (*ray)(const void *data, lode_vec3 origin, lode_vec3 direction, lode_custom_span *out);
    /* Optional; without it shapes weigh nothing. */
    lode_mass (*mass)(const void *data, lode_real density);
    /* Optional: the last holder has released the object. */
    void (*destroy)(void *data);
};

/* The general method of convex solids as a collider (GJK, and expanding polytopes where they
 * overlap), for classes with a support function to name in `select`. One point against round
 * things and planes; against flat faces as many as those of the other tell. Called by you it
 * serves solids and planes; named in `select` meshes, height fields and other classes with a
 * support function too. */
LODE_API int lode_custom_collide_convex(const void *data, const lode_custom_other *other,
                                        lode_real margin, lode_custom_point *out_points,
                                        int capacity);

/* An object with a copy of `data_size` bytes; the maker holds it. Null on failure: a class without
 * name, without bounds or select where it has no support function, a size below 0, bounds or points
 * of support that are none, LODE_ERROR_MEMORY. */
LODE_API lode_custom *lode_custom_create(const lode_custom_class *custom_class, const void *data);
LODE_API void lode_custom_release(lode_custom *custom); /* null is allowed */

/* What it is; null for null. */
LODE_API const lode_custom_class *lode_custom_get_class(const lode_custom *custom);
LODE_API const void *lode_custom_get_data(const lode_custom *custom);

/* As for hulls: see hull.h. */
LODE_API lode_shape lode_shape_create_custom(lode_body body, const lode_shape_def *def,
                                             lode_custom *custom);
LODE_API lode_status lode_shape_set_custom(lode_shape shape, lode_custom *custom);
LODE_API lode_custom *lode_shape_get_custom(lode_shape shape);
LODE_API lode_status lode_world_offer_custom(lode_world world, lode_custom *custom);

LODE_EXTERN_C_END

#endif
