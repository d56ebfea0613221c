/* span_hull.c: where a line runs through a hull, and the hull's point nearest to another.
 *
 * A hull is what lies below all of its planes: the line enters where it enters the last half-space
 * and leaves where it leaves the first (Cyrus and Beck 1978). A part is a face. Points outside ask
 * the general method for the distance (collide/gjk.h), points inside look for the nearest plane. */
#include "collide/gjk.h"
#include "collide/hull.h"
#include "collide/query_type.h"
#include "collide/touch.h"

#define INFINITE ((lode_real)__builtin_inf())

/* Of a point in the hull's axes, above the plane of a face: measured from one of the face's
 * corners, which has more digits than an offset far from the hull's origin. */
static lode_real height_above(const lode_hull *hull, const lode__hull_face *face, lode_vec3 point)
{
    lode_vec3 on = hull->vertices[hull->edges[face->first].origin];
    return v3_dot(face->normal, v3_sub(point, on));
}

bool lode__span_hull(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    const lode_hull *hull = shape->data;
    lode_vec3 origin = q_rotate_inv(shape->rotation, line->origin);
    lode_vec3 direction = q_rotate_inv(shape->rotation, line->direction);
    lode__span span = {-INFINITE, INFINITE, 0, 0};
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        lode_real height = height_above(hull, &hull->faces[f], origin);
        lode_real rise = v3_dot(hull->faces[f].normal, direction);
        if (rise == 0) {
            if (height > 0)
                return false;
            continue;
        }
        lode_real t = -(height / rise);
        if (rise < 0 && t > span.enter) {
            span.enter = t;
            span.enter_part = (int32_t)f;
        } else if (rise > 0 && t < span.leave) {
            span.leave = t;
            span.leave_part = (int32_t)f;
        }
    }
    *out = span;
    return span.enter <= span.leave;
}

void lode__end_hull(const lode__shape_view *shape, const lode__line *line,
                    const lode__part_hit *hit, lode__surface_point *out)
{
    const lode_hull *hull = shape->data;
    const lode__hull_face *face = &hull->faces[hit->part];
    lode_vec3 at = q_rotate_inv(shape->rotation, v3_madd(line->origin, line->direction, hit->t));
    at = v3_madd(at, face->normal, -height_above(hull, face, at));
    out->position = q_rotate(shape->rotation, at);
    out->normal = q_rotate(shape->rotation, face->normal);
}

/* The plane that is least below a point inside; above zero: it is outside. */
static lode_real nearest_plane(const lode_hull *hull, lode_vec3 point, uint32_t *out_face)
{
    lode_real most = -INFINITE;
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        lode_real height = height_above(hull, &hull->faces[f], point);
        if (height > most) {
            most = height;
            *out_face = f;
        }
    }
    return most;
}

lode_real lode__nearest_hull(const lode__shape_view *shape, lode_vec3 point,
                             lode__surface_point *out)
{
    static const lode_real no_size[4];
    const lode_hull *hull = shape->data;
    uint32_t face = 0;
    lode_vec3 at = q_rotate_inv(shape->rotation, point);
    lode_real distance = nearest_plane(hull, at, &face);
    lode_vec3 normal = hull->faces[face].normal, nearest = v3_madd(at, normal, -distance);
    if (distance > 0) {
        lode__convex_pair pair = lode__convex_pair_make(
            convex_make(&lode__convex_types[LODE_SPHERE], no_size, NULL), q_identity(),
            convex_make(&lode__convex_types[LODE_HULL], no_size, hull), q_identity(), v3_neg(at));
        lode__nearest found;
        lode__gjk_nearest(&pair, __builtin_inf(), &found);
        distance = (lode_real)found.gap;
        normal = d3_to(found.normal);
        nearest = v3_madd(at, normal, -distance);
    }
    *out = (lode__surface_point){q_rotate(shape->rotation, nearest),
                                 q_rotate(shape->rotation, normal)};
    return distance;
}
