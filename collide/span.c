/* span.c: where a line runs through a solid, in closed form.
 *
 * Round surfaces are met from the point of the line that is nearest to their centre: its distance
 * from there is found by subtraction of the part along the line, which keeps the digits that the
 * usual discriminant loses when the line begins far away (Haines, Guenther, Akenine-Moeller 2019,
 * "Precision improvements for ray/sphere intersection").
 *
 * Flat surfaces are met one pair of parallel planes, a slab, after the other: the line enters the
 * solid where it enters the last slab and leaves it where it leaves the first (Kay and Kajiya
 * 1986). A direction that is zero along a slab is asked about by itself, so nothing is divided by
 * zero.
 *
 * An end's point is put onto the surface, not only where the rounded distance says. */
#include "collide/kernels.h"
#include "collide/query_type.h"
#include "collide/touch.h"

#define INFINITE ((lode_real)__builtin_inf())

/* --- spheres */

/* Within `radius` of the origin; false where the line passes by. */
static bool span_ball(lode_vec3 origin, lode_vec3 direction, lode_real radius, lode__span *out)
{
    lode_real middle = -v3_dot(origin, direction);
    lode_vec3 nearest = v3_madd(origin, direction, middle);
    lode_real square = radius * radius - v3_dot(nearest, nearest);
    if (!(square >= 0))
        return false;
    lode_real half = r_sqrt(square);
    *out = (lode__span){middle - half, middle + half, 0, 0};
    return true;
}

bool lode__span_sphere(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    return span_ball(line->origin, line->direction, shape->size[0], out);
}

void lode__end_sphere(const lode__shape_view *shape, const lode__line *line,
                      const lode__part_hit *hit, lode__surface_point *out)
{
    lode_vec3 at = v3_madd(line->origin, line->direction, hit->t);
    lode_vec3 normal = v3_normalize_or(at, v3_neg(line->direction));
    out->position = v3_scale(normal, shape->size[0]);
    out->normal = normal;
}

/* --- boxes; a part is the axis of the face */

bool lode__span_box(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    lode_vec3 o = q_rotate_inv(shape->rotation, line->origin);
    lode_vec3 d = q_rotate_inv(shape->rotation, line->direction);
    const lode_real origin[3] = {o.x, o.y, o.z}, direction[3] = {d.x, d.y, d.z};
    lode__span span = {-INFINITE, INFINITE, 0, 0};
    for (int32_t i = 0; i < 3; ++i) {
        lode_real half = shape->size[i], side = direction[i] < 0 ? -half : half;
        if (direction[i] == 0) {
            if (!(r_abs(origin[i]) <= half))
                return false;
            continue;
        }
        lode_real enter = (-side - origin[i]) / direction[i];
        lode_real leave = (side - origin[i]) / direction[i];
        bool later = enter > span.enter, sooner = leave < span.leave;
        span.enter = later ? enter : span.enter;
        span.enter_part = later ? i : span.enter_part;
        span.leave = sooner ? leave : span.leave;
        span.leave_part = sooner ? i : span.leave_part;
    }
    *out = span;
    return span.enter <= span.leave;
}

unsigned lode__spans_box(const lode__collide_kernels *kernels, const lode__shape_view *shape,
                         const lode__line_set *lines, lode__span out[LODE_LANES])
{
    return kernels->span_boxes(shape, lines, out);
}

void lode__end_box(const lode__shape_view *shape, const lode__line *line, const lode__part_hit *hit,
                   lode__surface_point *out)
{
    lode_vec3 at = q_rotate_inv(shape->rotation, v3_madd(line->origin, line->direction, hit->t));
    lode_real p[3] = {at.x, at.y, at.z}, n[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        p[i] = clamp_within(p[i], shape->size[i]);
    n[hit->part] = (lode_real)(1 - 2 * (p[hit->part] < 0));
    p[hit->part] = n[hit->part] * shape->size[hit->part];
    out->position = q_rotate(shape->rotation, v3(p[0], p[1], p[2]));
    out->normal = q_rotate(shape->rotation, v3(n[0], n[1], n[2]));
}

/* --- planes */

bool lode__span_plane(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    lode_vec3 normal = view_normal(shape);
    lode_real height = v3_dot(normal, line->origin) - shape->size[3];
    lode_real rise = v3_dot(normal, line->direction);
    *out = (lode__span){-INFINITE, INFINITE, 0, 0};
    if (rise < 0)
        out->enter = -(height / rise);
    else if (rise > 0)
        out->leave = -(height / rise);
    else
        return height < 0;
    return true;
}

void lode__end_plane(const lode__shape_view *shape, const lode__line *line,
                     const lode__part_hit *hit, lode__surface_point *out)
{
    lode_vec3 normal = view_normal(shape), at = v3_madd(line->origin, line->direction, hit->t);
    lode_real height = v3_dot(normal, at) - shape->size[3];
    out->position = v3_madd(at, normal, -height);
    out->normal = normal;
}

/* --- capsules: two balls and the cylinder between them */

/* What of the line is within `radius` of the z axis and between -half and half along it. */
static bool span_tube(lode_vec3 o, lode_vec3 d, lode_real radius, lode_real half, lode__span *out)
{
    lode_real across = d.x * d.x + d.y * d.y;
    lode_real middle = across > 0 ? -(o.x * d.x + o.y * d.y) / across : 0;
    lode_real x = o.x + d.x * middle, y = o.y + d.y * middle;
    lode_real square = radius * radius - (x * x + y * y);
    if (!(square >= 0))
        return false;
    lode_real width = across > 0 ? r_sqrt(square / across) : INFINITE;
    *out = (lode__span){middle - width, middle + width, 0, 0};
    if (d.z == 0)
        return r_abs(o.z) <= half;
    lode_real side = d.z < 0 ? -half : half;
    out->enter = r_max(out->enter, (-side - o.z) / d.z);
    out->leave = r_min(out->leave, (side - o.z) / d.z);
    return out->enter <= out->leave;
}

static bool unite(bool found, const lode__span *part, lode__span *out)
{
    if (!found)
        return false;
    out->enter = r_min(out->enter, part->enter);
    out->leave = r_max(out->leave, part->leave);
    return true;
}

bool lode__span_capsule(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    lode_real radius = shape->size[0], half = shape->size[1];
    lode_vec3 o = q_rotate_inv(shape->rotation, line->origin);
    lode_vec3 d = q_rotate_inv(shape->rotation, line->direction);
    lode__span part;
    bool found = false;
    *out = (lode__span){INFINITE, -INFINITE, 0, 0};
    found |= unite(span_tube(o, d, radius, half, &part), &part, out);
    found |= unite(span_ball(v3(o.x, o.y, o.z - half), d, radius, &part), &part, out);
    found |= unite(span_ball(v3(o.x, o.y, o.z + half), d, radius, &part), &part, out);
    return found;
}

void lode__end_capsule(const lode__shape_view *shape, const lode__line *line,
                       const lode__part_hit *hit, lode__surface_point *out)
{
    lode_vec3 axis = view_axis(shape), at = v3_madd(line->origin, line->direction, hit->t);
    lode_vec3 center = v3_scale(axis, clamp_within(v3_dot(at, axis), shape->size[1]));
    lode_vec3 normal = v3_normalize_or(v3_sub(at, center), v3_neg(line->direction));
    out->position = v3_madd(center, normal, shape->size[0]);
    out->normal = normal;
}

/* --- cylinders: the tube alone */

bool lode__span_cylinder(const lode__shape_view *shape, const lode__line *line, lode__span *out)
{
    lode_vec3 o = q_rotate_inv(shape->rotation, line->origin);
    lode_vec3 d = q_rotate_inv(shape->rotation, line->direction);
    return span_tube(o, d, shape->size[0], shape->size[1], out);
}

/* The end lies on a cap where it is farther out along the axis than across it. */
void lode__end_cylinder(const lode__shape_view *shape, const lode__line *line,
                        const lode__part_hit *hit, lode__surface_point *out)
{
    lode_real radius = shape->size[0], half = shape->size[1];
    lode_vec3 at = q_rotate_inv(shape->rotation, v3_madd(line->origin, line->direction, hit->t));
    lode_vec3 across = v3(at.x, at.y, 0), normal = v3(0, 0, at.z < 0 ? -1 : 1);
    if (r_abs(at.z) - half > v3_length(across) - radius) {
        at.z = normal.z * half;
    } else {
        normal = v3_normalize_or(across, v3(1, 0, 0));
        at = v3(normal.x * radius, normal.y * radius, clamp_within(at.z, half));
    }
    out->position = q_rotate(shape->rotation, at);
    out->normal = q_rotate(shape->rotation, normal);
}
