/* query_type.h: what queries ask of a shape's type, as a table beside that of collide/shape_type.h.
 *
 * All is said from the centre of the shape, in world axes: the view says how the shape is turned,
 * so no digit is lost far from the origin. A type without a row is not seen by queries.
 *
 * A line meets a convex solid in one stretch, so two functions say all: `span` and `end`. What is
 * made of many parts, as a mesh of triangles, may be met anywhere and often: it has `cast` in place
 * of `span`, and its parts are numbered. */
#ifndef LODE_COLLIDE_QUERY_TYPE_H
#define LODE_COLLIDE_QUERY_TYPE_H

#include "collide/narrow.h"
#include "collide/part_hit.h"
#include "lode/query.h"

struct lode__collide_kernels; /* collide/kernels.h */

/* Most surfaces are ground, which is not turned. */
static inline bool view_is_turned(const lode__shape_view *shape)
{
    const lode_quat q = shape->rotation;
    return q.x != 0 || q.y != 0 || q.z != 0;
}

/* A line; the direction is a unit vector. */
typedef struct lode__line {
    lode_vec3 origin, direction;
} lode__line;

/* The stretch of a line within a convex solid, in distances from its origin; either end may be
 * infinite. Which part of the surface each end lies on is a number that only the type knows. */
typedef struct lode__span {
    lode_real enter, leave;
    int32_t enter_part, leave_part;
} lode__span;

/* A point of the surface. */
typedef struct lode__surface_point {
    lode_vec3 position;
    lode_vec3 normal; /* unit, outward */
} lode__surface_point;

/* False where the line misses. A line that only touches may do either. */
typedef bool lode__span_fn(const lode__shape_view *shape, const lode__line *line, lode__span *out);

/* The point of the surface that is nearest to `point`; where several are, the normal is a unit
 * vector still. Returns the distance, negative inside the solid. */
typedef lode_real lode__nearest_fn(const lode__shape_view *shape, lode_vec3 point,
                                   lode__surface_point *out);

/* The place of a hit, or of the end of a span, of which `t` and `part` count. */
typedef void lode__end_fn(const lode__shape_view *shape, const lode__line *line,
                          const lode__part_hit *hit, lode__surface_point *out);

/* Tells of each hit on wanted faces within `most`, all of them that `hear` does not cut off: what
 * is exactly as far as the closest too. */
typedef void lode__cast_fn(const struct lode__collide_kernels *kernels,
                           const lode__shape_view *shape, const lode__line *line, lode_faces faces,
                           lode_real most, lode__part_hit_fn *hear, void *context);

/* Up to eight lines that are asked together. */
typedef struct lode__line_set {
    lode__line line[LODE_LANES];
    lode_faces faces[LODE_LANES];
    lode_real most[LODE_LANES];
    unsigned lanes; /* those that count, a bit for each */
} lode__line_set;

/* What `span` says of each line: a bit for those that run through the solid. */
typedef unsigned lode__spans_fn(const struct lode__collide_kernels *kernels,
                                const lode__shape_view *shape, const lode__line_set *lines,
                                lode__span out[LODE_LANES]);

/* Tells of each line what `cast` tells of it alone. */
typedef void lode__casts_fn(const struct lode__collide_kernels *kernels,
                            const lode__shape_view *shape, const lode__line_set *lines,
                            lode__part_hits_fn *hear, void *context);

/* The places of hits on one shape whose bits are set, as `end` says them of types of which hits say
 * all: no line is needed. */
typedef void lode__ends_fn(const struct lode__collide_kernels *kernels,
                           const lode__shape_view *shape, const lode__part_hit hits[LODE_LANES],
                           unsigned lanes, lode__surface_point out[LODE_LANES]);

typedef struct lode__query_type {
    lode__span_fn *span; /* null: `cast` */
    lode__end_fn *end;
    lode__nearest_fn *nearest;
    lode__cast_fn *cast;
    lode__spans_fn *spans; /* of many lines; null: one by one */
    lode__casts_fn *casts;
    lode__ends_fn *ends; /* of many hits; null: one by one */
} lode__query_type;

extern const lode__query_type lode__query_types[LODE_SHAPE_TYPE_COUNT];

lode__span_fn lode__span_sphere, lode__span_box, lode__span_plane, lode__span_capsule;
lode__spans_fn lode__spans_box;
lode__end_fn lode__end_sphere, lode__end_box, lode__end_plane, lode__end_capsule;
lode__nearest_fn lode__nearest_sphere, lode__nearest_box, lode__nearest_plane,
    lode__nearest_capsule;

lode__span_fn lode__span_cylinder;
lode__end_fn lode__end_cylinder;
lode__nearest_fn lode__nearest_cylinder;

/* span_hull.c */
lode__span_fn lode__span_hull;
lode__end_fn lode__end_hull;
lode__nearest_fn lode__nearest_hull;

/* surface_query.c */
lode__cast_fn lode__cast_surface;
lode__end_fn lode__end_mesh, lode__end_heightfield;
lode__nearest_fn lode__nearest_surface;
lode__casts_fn lode__casts_mesh;
lode__ends_fn lode__ends_mesh;

#endif
