/* custom_convex.c: shapes of the application's classes that are convex: what their support function
 * says. With it they are solids like any other to the general methods (collide/convex.h), and what
 * else is asked of a shape follows from it: its box, the stretch of a line within it, the nearest
 * point of its surface, its contacts.
 *
 * The application is asked with unit vectors, and a point that is none, or beyond all measure,
 * counts as the centre: searches then end as they would with a solid that is dented. */
#include "collide/custom.h"
#include "collide/gjk.h"
#include "collide/mesh_touch.h"
#include "collide/sweep.h"
#include "collide/touch_convex.h"

#define FARTHEST 1e9

/* Of what is within a line's reach: how far outside a sweep begins. */
#define OUTSIDE 0.01

static const lode_real no_size[4];

/* --- the support function */

static bool is_measure(double x)
{
    return d_abs(x) <= FARTHEST;
}

bool lode__custom_support_at(const lode_custom *custom, lode__double3 direction, lode__double3 *out)
{
    lode__double3 unit = d3_normalize_or(direction, d3(0, 0, 1));
    const double along[3] = {unit.x, unit.y, unit.z};
    double at[3] = {0, 0, 0};
    custom->own->support(custom->bytes, along, at);
    bool good = is_measure(at[0]) && is_measure(at[1]) && is_measure(at[2]);
    *out = good ? d3(at[0], at[1], at[2]) : d3(0, 0, 0);
    return good;
}

lode__double3 lode__custom_support_point(const lode__convex *convex, lode__double3 direction)
{
    lode__double3 at;
    lode__custom_support_at(convex->data, direction, &at);
    return at;
}

/* What a class has along a direction is a vertex without a name. */
void lode__custom_face_along(const lode__convex *convex, lode__double3 direction, lode__face *out)
{
    out->count = 1;
    out->round = false;
    out->point[0] = lode__custom_support_point(convex, direction);
    out->vertex[0] = out->edge[0] = 0;
}

static lode__convex convex_of(const lode_custom *custom)
{
    return convex_make(&lode__convex_types[LODE_CUSTOM], no_size, custom);
}

static void reach_along(const lode_custom *custom, lode_vec3 axis, lode_real *out_lo,
                        lode_real *out_hi)
{
    lode__double3 n = d3_from(axis), lo, hi;
    lode__custom_support_at(custom, d3_neg(n), &lo);
    lode__custom_support_at(custom, n, &hi);
    *out_lo = (lode_real)d3_dot(n, lo);
    *out_hi = (lode_real)d3_dot(n, hi);
}

lode_bounds lode__custom_convex_bounds(const lode_custom *custom, lode_quat rotation)
{
    lode__mat3 m = m3_from_quat(rotation);
    lode_bounds box;
    reach_along(custom, m.r0, &box.lower.x, &box.upper.x);
    reach_along(custom, m.r1, &box.lower.y, &box.upper.y);
    reach_along(custom, m.r2, &box.lower.z, &box.upper.z);
    return box;
}

/* --- points: the radius of the largest ball around the middle too */

static void nearest_to(const lode_custom *custom, lode__double3 point, lode__nearest *out)
{
    lode__convex_pair pair = {convex_make(&lode__convex_types[LODE_SPHERE], no_size, NULL),
                              convex_of(custom), d33_from_parts(1, 0, 0, 0), d3_neg(point)};
    lode__gjk_nearest(&pair, __builtin_inf(), out);
}

void lode__custom_measure(lode_custom *custom)
{
    lode_bounds box = lode__custom_convex_bounds(custom, q_identity());
    lode__nearest nearest;
    custom->middle = d3_scale(d3_add(d3_from(box.lower), d3_from(box.upper)), 0.5);
    nearest_to(custom, custom->middle, &nearest);
    custom->inner = d_max(-nearest.gap, 0);
}

lode_real lode__custom_convex_nearest(const lode__shape_view *shape, lode_vec3 point,
                                      lode__surface_point *out)
{
    lode__nearest nearest;
    lode__double3 at = d3_from(q_rotate_inv(shape->rotation, point));
    nearest_to(custom_of(shape->data), at, &nearest);
    lode__double3 on = d3_madd(at, nearest.normal, -nearest.gap);
    *out = (lode__surface_point){q_rotate(shape->rotation, d3_to(on)),
                                 q_rotate(shape->rotation, d3_to(nearest.normal))};
    return (lode_real)nearest.gap;
}

/* --- lines: a point is pushed along, from outside, and back from the other side */

typedef struct line_walk {
    lode__convex_pair pair;
    lode__double3 origin, direction;
} line_walk;

/* Where the point that comes from `from` along the line towards `to` enters. */
static bool enter(line_walk *walk, double from, double to, lode_real *out_at, lode_vec3 *out_normal)
{
    lode__swept hit;
    walk->pair.offset = d3_neg(d3_madd(walk->origin, walk->direction, from));
    if (!lode__sweep(&walk->pair, d3_scale(walk->direction, to - from), 1, &hit))
        return false;
    *out_at = (lode_real)(from + hit.share * (to - from));
    *out_normal = d3_to(hit.normal);
    return true;
}

bool lode__custom_convex_span(const lode_custom *custom, lode_vec3 origin, lode_vec3 direction,
                              lode_custom_span *out)
{
    line_walk walk = {.pair = {.a = convex_make(&lode__convex_types[LODE_SPHERE], no_size, NULL),
                               .b = convex_of(custom),
                               .turn = d33_from_parts(1, 0, 0, 0)},
                      .origin = d3_from(origin),
                      .direction = d3_normalize_or(d3_from(direction), d3(0, 0, 1))};
    lode__double3 lo, hi;
    lode__custom_support_at(custom, d3_neg(walk.direction), &lo);
    lode__custom_support_at(custom, walk.direction, &hi);
    double at = d3_dot(walk.direction, walk.origin);
    double first = d3_dot(walk.direction, lo) - at, last = d3_dot(walk.direction, hi) - at;
    double grow = OUTSIDE * (last - first) + 1e-9 * (d_abs(first) + d_abs(last));
    return last > first &&
           enter(&walk, first - grow, last + grow, &out->enter, &out->enter_normal) &&
           enter(&walk, last + grow, first - grow, &out->leave, &out->leave_normal);
}

/* --- contacts */

static int touch_plane(const lode_custom *custom, const lode_custom_other *plane, lode_real margin,
                       lode_custom_point *out)
{
    lode__double3 low, n = d3_from(q_rotate(plane->pose.rotation, plane->normal));
    lode__custom_support_at(custom, d3_neg(n), &low);
    double height = d3_dot(n, d3_sub(low, d3_from(plane->pose.position))) - (double)plane->offset;
    if (height > (double)margin)
        return 0;
    *out = (lode_custom_point){.position = d3_to(d3_madd(low, n, -height / 2)),
                               .normal = v3_neg(d3_to(n)),
                               .depth = (lode_real)-height,
                               .feature = 1,
                               .child = -1};
    return 1;
}

/* The other solid's shared part. */
static const void *data_of(const lode_custom_other *other)
{
    return other->type == LODE_HULL ? (const void *)other->hull : other->custom;
}

int lode_custom_collide_convex(const void *data, const lode_custom_other *other, lode_real margin,
                               lode_custom_point *out_points, int capacity)
{
    const lode_custom *custom = lode__custom_from_bytes(data);
    if (capacity < 1 || !custom->own->support)
        return 0;
    if (other->type == LODE_PLANE)
        return touch_plane(custom, other, margin, out_points);
    if (!lode__is_convex((uint32_t)other->type, data_of(other)))
        return 0;
    lode_real size[4];
    lode__custom_other_size(other, size);
    lode__convex theirs = convex_make(&lode__convex_types[other->type], size, data_of(other));
    lode__touch touch = {.count = 0};
    lode__touch_convex(theirs, other->pose.rotation, convex_of(custom), q_identity(),
                       v3_neg(other->pose.position), margin, &touch);
    int count = touch.count < capacity ? touch.count : capacity;
    for (int k = 0; k < count; ++k)
        out_points[k] = (lode_custom_point){
            .position = v3_add(other->pose.position, touch.position[k]),
            .normal = touch.normal,
            .depth = touch.depth[k],
            .feature = touch.feature[k],
            .child = -1,
        };
    return count;
}
