/* nearest.c: the point of a solid's surface that is nearest to a point, and how far it is.
 *
 * The distance is negative inside the solid: with its sign turned it is the depth of the point.
 * Where several points of the surface are equally near, as at a sphere's centre, one is chosen by a
 * fixed rule and the normal is a unit vector all the same. */
#include "collide/query_type.h"
#include "collide/touch.h"

/* Around a centre: of a sphere, or the nearest one on a capsule's axis. */
static lode_real nearest_ball(lode_vec3 center, lode_real radius, lode_vec3 point,
                              lode_vec3 fallback, lode__surface_point *out)
{
    lode_vec3 apart = v3_sub(point, center);
    out->normal = v3_normalize_or(apart, fallback);
    out->position = v3_madd(center, out->normal, radius);
    return v3_dot(apart, out->normal) - radius;
}

lode_real lode__nearest_sphere(const lode__shape_view *shape, lode_vec3 point,
                               lode__surface_point *out)
{
    return nearest_ball(v3_zero(), shape->size[0], point, v3(0, 0, 1), out);
}

lode_real lode__nearest_capsule(const lode__shape_view *shape, lode_vec3 point,
                                lode__surface_point *out)
{
    lode_vec3 axis = view_axis(shape);
    lode_vec3 center = v3_scale(axis, clamp_within(v3_dot(point, axis), shape->size[1]));
    return nearest_ball(center, shape->size[0], point, q_rotate(shape->rotation, v3(1, 0, 0)), out);
}

lode_real lode__nearest_plane(const lode__shape_view *shape, lode_vec3 point,
                              lode__surface_point *out)
{
    out->normal = view_normal(shape);
    lode_real height = v3_dot(out->normal, point) - shape->size[3];
    out->position = v3_madd(point, out->normal, -height);
    return height;
}

lode_real lode__nearest_box(const lode__shape_view *shape, lode_vec3 point,
                            lode__surface_point *out)
{
    lode_vec3 half = view_extents(shape), at = q_rotate_inv(shape->rotation, point);
    lode_vec3 nearest = v3_min(v3_max(at, v3_neg(half)), half), apart = v3_sub(at, nearest);
    lode_vec3 normal = v3_normalize_or(apart, v3_zero());
    lode_real distance = v3_dot(apart, normal);
    if (v3_is_zero(normal)) {
        normal = box_way_out(at, half, &distance);
        nearest = v3_madd(at, normal, distance);
        distance = -distance;
    }
    out->normal = q_rotate(shape->rotation, normal);
    out->position = q_rotate(shape->rotation, nearest);
    return distance;
}

lode_real lode__nearest_cylinder(const lode__shape_view *shape, lode_vec3 point,
                                 lode__surface_point *out)
{
    lode_real radius = shape->size[0], half = shape->size[1];
    lode_vec3 at = q_rotate_inv(shape->rotation, point);
    lode_vec3 outward = v3_normalize_or(v3(at.x, at.y, 0), v3(1, 0, 0));
    lode_real beyond = v3_length(v3(at.x, at.y, 0)) - radius, above = r_abs(at.z) - half, distance;
    lode_vec3 up = v3(0, 0, at.z < 0 ? -1 : 1), normal = above > beyond ? up : outward;
    if (beyond > 0 && above > 0) { /* the rim */
        lode_vec3 apart = v3_madd(v3_scale(outward, beyond), up, above);
        normal = v3_normalize_or(apart, up);
        distance = v3_dot(apart, normal);
    } else {
        distance = r_max(beyond, above);
    }
    out->normal = q_rotate(shape->rotation, normal);
    out->position = q_rotate(shape->rotation, v3_madd(at, normal, -distance));
    return distance;
}
