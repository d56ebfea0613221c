/* query.h: what is where: rays, solids pushed along lines, points, overlaps, distances.
 *
 * Queries see shapes where their bodies are now, also when the application has moved a body or
 * changed a shape since the last step. They change nothing that anyone can see and may be made
 * between steps and between the halves of one. The first query after a change first looks at what
 * moves, so a change for each query costs most.
 *
 * Queries of one world may run on several threads at once, if no other call on the world overlaps
 * with them. Filters and visitors may call queries and getters of bodies and shapes, and change
 * nothing in the world.
 *
 * An answer depends on what lives in the world and where, on nothing else: hits are ordered by
 * distance, where those are equal by the slot of the shape, which a shape keeps for life. */
#ifndef LODE_QUERY_H
#define LODE_QUERY_H

#include "custom.h"
#include "hull.h"

LODE_EXTERN_C_BEGIN

/* Is the shape to be seen? Called in no order, perhaps more than once for a shape, and not for
 * shapes that cannot matter. */
typedef bool lode_query_accept_fn(void *context, lode_shape shape);

/* Does a ray's hit on a triangle count, at the barycentric coordinates u (of corner 1) and v (of
 * corner 2)? As where a mesh's picture has holes. Called like the above. */
typedef bool lode_query_accept_part_fn(void *context, lode_shape shape, int child, lode_real u,
                                       lode_real v);

/* What a query sees: category and mask are held against a shape's as those of two shapes are, by
 * the world's filter_rule. Where a function takes a filter, null stands for the defaults; one whose
 * category and mask are both 0 is refused, since it was not made by lode_query_filter_default(). */
typedef struct lode_query_filter {
    uint64_t category;                      /* bits the query belongs to; default all */
    uint64_t mask;                          /* bits it looks for; default all */
    lode_query_accept_fn *accept;           /* default null: all of these */
    lode_query_accept_part_fn *accept_part; /* default null: all triangles that rays hit */
    void *context;
    lode_space space; /* default null; else shapes in it and in spaces within it alone */
} lode_query_filter;

/* The defaults named above. */
LODE_API lode_query_filter lode_query_filter_default(void);

/* ---- rays ---- */

/* Which faces of a solid a ray meets. One that begins inside a solid does not meet its front; with
 * LODE_BOTH_FACES it meets the back. Exactly on the surface it begins at distance 0 of it.
 *
 * Of a mesh or height field each triangle has a front and a back. A two-sided mesh is met from
 * behind as well whichever faces are asked for; the normal is then that of the side that is hit. A
 * ray through an edge meets one of its triangles at least, and may meet both. */
typedef enum lode_faces {
    LODE_FRONT_FACES, /* where it enters a solid */
    LODE_BACK_FACES,  /* where it leaves one */
    LODE_BOTH_FACES,
} lode_faces;

typedef struct lode_ray {
    lode_vec3 origin;
    lode_vec3 direction; /* world; normalised, not zero */
    lode_real length;    /* m, at least 0; may be infinite */
    lode_faces faces;
} lode_ray;

typedef struct lode_ray_hit {
    lode_shape shape; /* null: nothing was hit; then all is zero */
    lode_body body;
    lode_vec3 position; /* world, on the surface */
    lode_vec3 normal;   /* unit, world, outward: against the ray on a front face */
    lode_real distance; /* m, from the ray's origin */
    int child;          /* the triangle, counted from 0; -1 where the shape has none */
    lode_real u, v;     /* barycentric, of the triangle's corners 1 and 2; 0 where it has none */
    bool back;          /* a back face */
} lode_ray_hit;

/* The closest hit; true if there is one. Else `out_hit` is zeros, as on failure, where an argument
 * is refused. */
LODE_API bool lode_world_cast_ray(lode_world world, const lode_ray *ray,
                                  const lode_query_filter *filter, lode_ray_hit *out_hit);

/* Is anything hit? Cheaper than to ask for the closest hit. */
LODE_API bool lode_world_test_ray(lode_world world, const lode_ray *ray,
                                  const lode_query_filter *filter);

/* Copies the `capacity` closest hits to the array, in order, and returns how many there are; 0 on
 * failure. A solid has up to one hit for each kind of face. With `capacity` 0 the array may be
 * null. */
LODE_API int lode_world_cast_ray_all(lode_world world, const lode_ray *ray,
                                     const lode_query_filter *filter, lode_ray_hit *out_hits,
                                     int capacity);

/* Hears of a hit; false ends the query. */
typedef bool lode_ray_visit_fn(void *context, const lode_ray_hit *hit);

/* Calls `visit` for one hit after the other, in order; returns how many it has heard of. */
LODE_API int lode_world_visit_ray(lode_world world, const lode_ray *ray,
                                  const lode_query_filter *filter, lode_ray_visit_fn *visit,
                                  void *context);

/* The closest hits of `count` rays, to an array of as many; returns how many rays hit something.
 * Gives what as many calls of lode_world_cast_ray() give, to the bit, and faster: eight at a time,
 * most of all if rays that begin near each other and run alike stand side by side in the array. One
 * that is refused refuses all, and leaves `out_hits` as it was. */
LODE_API int lode_world_cast_rays(lode_world world, const lode_ray *rays, int count,
                                  const lode_query_filter *filter, lode_ray_hit *out_hits);

/* The closest hit on the shapes of one body, disabled ones and sensors left out; or on one shape,
 * also if it is disabled or a sensor. Their filters are not asked. */
LODE_API bool lode_body_cast_ray(lode_body body, const lode_ray *ray, lode_ray_hit *out_hit);
LODE_API bool lode_shape_cast_ray(lode_shape shape, const lode_ray *ray, lode_ray_hit *out_hit);

/* ---- solids ---- */

/* A convex solid that need not be a shape of any body. Only the fields of its type count. */
typedef struct lode_solid {
    lode_shape_type type;      /* LODE_SPHERE, LODE_BOX, LODE_CAPSULE, LODE_CYLINDER, LODE_HULL or
                               LODE_CUSTOM, of a class with a support function */
    lode_real radius;          /* of sphere, capsule, cylinder; above 0 */
    lode_real half_length;     /* of capsule and cylinder, along z; as with their shapes */
    lode_vec3 half_extents;    /* of a box, each above 0 */
    const lode_hull *hull;     /* borrowed: it must live while the solid is used */
    const lode_custom *custom; /* borrowed too */
} lode_solid;

/* Solids of each type, as lode_solid_sphere(), lode_solid_box(), lode_solid_capsule(),
 * lode_solid_cylinder(), lode_solid_hull() and lode_solid_custom() make them; nothing is checked
 * until a query takes one. */
static inline lode_solid lode_solid_sphere(lode_real radius)
{
    lode_solid solid = {LODE_SPHERE, radius, 0, {0, 0, 0}, NULL, NULL};
    return solid;
}
static inline lode_solid lode_solid_box(lode_vec3 half_extents)
{
    lode_solid solid = {LODE_BOX, 0, 0, half_extents, NULL, NULL};
    return solid;
}
static inline lode_solid lode_solid_capsule(lode_real radius, lode_real half_length)
{
    lode_solid solid = {LODE_CAPSULE, radius, half_length, {0, 0, 0}, NULL, NULL};
    return solid;
}
static inline lode_solid lode_solid_cylinder(lode_real radius, lode_real half_length)
{
    lode_solid solid = {LODE_CYLINDER, radius, half_length, {0, 0, 0}, NULL, NULL};
    return solid;
}
static inline lode_solid lode_solid_hull(const lode_hull *hull)
{
    lode_solid solid = {LODE_HULL, 0, 0, {0, 0, 0}, hull, NULL};
    return solid;
}
static inline lode_solid lode_solid_custom(const lode_custom *custom)
{
    lode_solid solid = {LODE_CUSTOM, 0, 0, {0, 0, 0}, NULL, custom};
    return solid;
}

/* A solid of the shape's form, to be asked about anywhere; zeros, as on failure, for a plane, mesh,
 * height field or a class without a support function, which are refused. A hull, or an object of a
 * class, is the shape's own and lives as long. */
LODE_API lode_solid lode_shape_get_solid(lode_shape shape);

typedef struct lode_closest {
    lode_real distance;   /* m; below 0: as far must they be moved to part; see below for meshes */
    lode_vec3 normal;     /* unit, world, from b to a: the way to part */
    lode_vec3 on_a, on_b; /* world: the closest points, or those that part last */
} lode_closest;

/* How far two solids are apart, as lode_shape_find_closest() has it of shapes; and whether they
 * have a point in common, which is found sooner. What only touches counts. Both false on
 * failure. */
LODE_API bool lode_solid_find_closest(const lode_solid *a, lode_pose pose_a, const lode_solid *b,
                                      lode_pose pose_b, lode_closest *out_closest);
LODE_API bool lode_solid_overlaps(const lode_solid *a, lode_pose pose_a, const lode_solid *b,
                                  lode_pose pose_b);

/* The points of two segments, from a[0] to a[1] and from b[0] to b[1], that are closest to each
 * other; returns their distance. Segments without length are points. Where several pairs are
 * closest, as of parallel segments, an end is among the two. -1 and zeros on failure. */
LODE_API lode_real lode_segments_find_closest(const lode_vec3 a[2], const lode_vec3 b[2],
                                              lode_vec3 *out_on_a, lode_vec3 *out_on_b);

/* ---- casts ---- */

/* A solid that is pushed along a line without turning, until it meets something. */
typedef struct lode_cast {
    lode_solid solid;
    lode_pose pose; /* of the solid at the beginning, as of a shape on a body at the origin */
    lode_vec3 translation; /* m, world: the way it is pushed; zero asks what overlaps it */
} lode_cast;

typedef struct lode_cast_hit {
    lode_shape shape; /* null: nothing was hit; then all is zero */
    lode_body body;
    lode_vec3 position; /* world, on the surface of the shape, where the solid meets it */
    lode_vec3 normal;   /* unit, world, from the shape to the solid: the way to part */
    lode_real distance; /* m, that the solid can be pushed */
    lode_real fraction; /* the same as a share of the translation, 0..1 */
    lode_real depth;    /* m, above 0 if they overlap from the beginning; then the distance is 0. As
                           far along the normal they part; of a mesh the deepest triangle from it */
    int child;          /* the triangle, counted from 0; -1 where the shape has none */
    bool overlaps;      /* from the beginning */
} lode_cast_hit;

/* The closest hit; true if there is one. Else `out_hit` is zeros, as on failure, where an argument
 * is refused. What the solid only touches at the beginning, to some 1e-9 of the sizes and within
 * the rounding of positions, is hit if it is pushed against it, and not if it is pushed along or
 * away. One-sided triangles are met from their front alone. By conservative advancement on
 * distances in double (Mirtich 1996): exact but for rounding; where a solid just grazes another,
 * either answer may come. Shapes of a class without a support function are asked by their
 * colliders, and passed by where there is none. */
LODE_API bool lode_world_cast_shape(lode_world world, const lode_cast *cast,
                                    const lode_query_filter *filter, lode_cast_hit *out_hit);

/* Is anything hit? Cheaper than to ask for the closest hit. */
LODE_API bool lode_world_test_shape(lode_world world, const lode_cast *cast,
                                    const lode_query_filter *filter);

/* Copies the `capacity` closest hits to the array, in order, and returns how many there are; 0 on
 * failure. A shape has one hit. With `capacity` 0 the array may be null. */
LODE_API int lode_world_cast_shape_all(lode_world world, const lode_cast *cast,
                                       const lode_query_filter *filter, lode_cast_hit *out_hits,
                                       int capacity);

/* Hears of a hit; false ends the query. */
typedef bool lode_cast_visit_fn(void *context, const lode_cast_hit *hit);

/* Calls `visit` for one hit after the other, in order; returns how many it has heard of. */
LODE_API int lode_world_visit_shape(lode_world world, const lode_cast *cast,
                                    const lode_query_filter *filter, lode_cast_visit_fn *visit,
                                    void *context);

/* The closest hit on the shapes of one body, disabled ones and sensors left out; or on one shape,
 * also if it is disabled or a sensor. Their filters are not asked. */
LODE_API bool lode_body_cast_shape(lode_body body, const lode_cast *cast, lode_cast_hit *out_hit);
LODE_API bool lode_shape_cast_shape(lode_shape shape, const lode_cast *cast,
                                    lode_cast_hit *out_hit);

/* ---- points ---- */

typedef struct lode_nearest {
    lode_vec3 position; /* world, the point of the surface nearest to the point asked about */
    lode_vec3 normal;   /* unit, world, outward */
    lode_real depth; /* m: above 0 inside the solid, 0 on its surface, minus the distance outside */
} lode_nearest;

/* Where the surface is nearest to a point, and so whether and how deep the point is inside. Of
 * several nearest points one is chosen. A mesh has an inside if it is closed, neither inverted nor
 * two-sided; any other is a sheet: then the depth is never above 0, and the normal leads from the
 * sheet to the point. A height field is a sheet too, but what is within its thickness is inside. A
 * class without a support function is asked by its collider against spheres, and refused if it has
 * none. False on failure. */
LODE_API bool lode_shape_find_nearest(lode_shape shape, lode_vec3 point, lode_nearest *out_nearest);

/* ---- overlaps ---- */

/* Copy up to `capacity` shapes to the array, those with the smallest slots in rising order, and
 * return how many there are; 0 on failure. With `capacity` 0 the array may be null.
 *
 * Of a box along the world's axes: shapes whose own bounds, as lode_shape_get_bounds() has them,
 * overlap it, up to rounding, and planes whose half-space it enters. What only touches counts. */
LODE_API int lode_world_overlap_bounds(lode_world world, lode_bounds bounds,
                                       const lode_query_filter *filter, lode_shape *out_shapes,
                                       int capacity);

/* Of a sphere, exactly: shapes with a point no farther than `radius`, at least 0, from its centre.
 * A mesh that has an inside, see above, counts as a solid, a thick height field too. */
LODE_API int lode_world_overlap_sphere(lode_world world, lode_vec3 center, lode_real radius,
                                       const lode_query_filter *filter, lode_shape *out_shapes,
                                       int capacity);

/* Of a point: solids that it is in or on. */
LODE_API int lode_world_overlap_point(lode_world world, lode_vec3 point,
                                      const lode_query_filter *filter, lode_shape *out_shapes,
                                      int capacity);

/* Of a solid at a pose, exactly but for rounding: shapes that have more in common with it than a
 * point or a face; of a mesh or a height field its triangles. */
LODE_API int lode_world_overlap_solid(lode_world world, const lode_solid *solid, lode_pose pose,
                                      const lode_query_filter *filter, lode_shape *out_shapes,
                                      int capacity);

/* ---- triangles ---- */

/* The corners of a triangle of a mesh or height field, where the shape is now, in the world. As
 * lode_mesh_get_triangle() and lode_heightfield_get_triangle() have them in the shape's frame. */
LODE_API lode_status lode_shape_get_triangle(lode_shape shape, int triangle,
                                             lode_vec3 out_corners[3]);

/* Copy up to `capacity` triangles of a mesh or height field to the array, those with the lowest
 * numbers in rising order, and return how many there are; 0 on failure. With `capacity` 0 the array
 * may be null. Sides, filters and thickness have no say. Of a field that repeats itself a triangle
 * is told as often as a copy of it is touched.
 *
 * Triangles that have a point in common with another shape, which may be any but a class without a
 * support function; a height field that repeats itself is not held against planes and other such
 * fields. */
LODE_API int lode_shape_find_triangles(lode_shape shape, lode_shape other, int *out_triangles,
                                       int capacity);

/* With a solid at a pose. */
LODE_API int lode_shape_find_triangles_in(lode_shape shape, const lode_solid *solid, lode_pose pose,
                                          int *out_triangles, int capacity);

/* ---- distances ---- */

/* How far two shapes are apart. False on failure: two planes are refused, two height fields that
 * repeat themselves. Between a plane and another shape exact; else by searches that end in double
 * precision. Meshes and height fields have no depth but below a plane: where the surface is met,
 * and where one that has an inside holds the other shape, the distance is 0, and normal and points
 * are those of one place where they meet. Classes without a support function say by their colliders
 * how far they are; without one the pair is refused.
 *
 * Swapped shapes get the very same distance and points, `on_a` and `on_b` exchanged, and the normal
 * turned over. Of a shape and itself the answer is that of two shapes in one place. They may be of
 * different worlds. */
LODE_API bool lode_shape_find_closest(lode_shape a, lode_shape b, lode_closest *out_closest);

/* The same of a shape, which is a, and a solid at a pose. */
LODE_API bool lode_shape_find_closest_to(lode_shape shape, const lode_solid *solid, lode_pose pose,
                                         lode_closest *out_closest);

/* What is closest to a solid at a pose (to a point), of all that the filter sees no farther than
 * `reach`, at least 0, which may be infinite; of a space, if the filter has one. The shape comes
 * first in `out_closest`, as a. Of several at one distance it is that with the lowest slot, and
 * what overlaps is the closer the deeper it does. Shapes that have no distance to the solid, or no
 * inside, are passed by. False if there is none, and on failure; the outputs are zeros then. */
LODE_API bool lode_world_find_closest(lode_world world, const lode_solid *solid, lode_pose pose,
                                      lode_real reach, const lode_query_filter *filter,
                                      lode_shape *out_shape, lode_closest *out_closest);
LODE_API bool lode_world_find_nearest(lode_world world, lode_vec3 point, lode_real reach,
                                      const lode_query_filter *filter, lode_shape *out_shape,
                                      lode_nearest *out_nearest);

LODE_EXTERN_C_END

#endif
