/* touch_capsule.c: capsules against spheres, planes and capsules.
 *
 * A capsule is what lies within a radius of a segment, its axis, from -h to h along the shape's z
 * axis. So each of these asks for the nearest points of a segment and something else, and takes the
 * radii off their distance. Lines of contact: collide/capsule_line.h. */
#include "collide/capsule_line.h"

/* Cosine squared above which two axes may touch along a line. */
#define ALONG ((lode_real)0.9)

/* Sine squared below which two axes count as parallel. */
#define PARALLEL ((lode_real)1e-6)

/* A centre on the axis is pushed out across it, which is never farther than past an end. */
void lode__touch_sphere_capsule(const lode__shape_view *a, const lode__shape_view *b,
                                lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_vec3 axis = view_axis(b);
    lode_real s = clamp_within(-v3_dot(offset, axis), b->size[1]);
    lode_vec3 nearest = v3_madd(offset, axis, s); /* from the sphere's centre */
    lode_real distance = v3_length(nearest), reach = a->size[0] + b->size[0];
    lode_real depth = reach - distance;
    if (!(depth > -speculative))
        return;
    out->normal = distance > reach * LINE_MEETS ? v3_normalize_or(v3_neg(nearest), axis)
                                                : contact_tangent(axis);
    touch_add(out, v3_scale(out->normal, depth / 2 - a->size[0]), depth, LINE_LOWER);
}

void lode__touch_capsule_plane(const lode__shape_view *a, const lode__shape_view *b,
                               lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    contact_line line = {.axis = view_axis(a), .normal = view_normal(b), .radius = a->size[0]};
    lode_real height = -v3_dot(line.normal, offset) - b->size[3]; /* of the capsule's centre */
    lode_real half = a->size[1], rise = v3_dot(line.normal, line.axis) * half;
    line.lower = (line_station){-half, line.radius - (height - rise), true};
    line.upper = (line_station){half, line.radius - (height + rise), true};
    add_line(&line, speculative, out);
}

/* --- against a capsule */

/* Two axes; b's centre lies at `offset` from a's. */
typedef struct two_axes {
    lode_vec3 offset, a, b; /* unit directions */
    lode_real half_a, half_b;
    lode_real reach;     /* both radii */
    lode_real dot, p, q; /* a.b, offset.a, offset.b */
} two_axes;

/* The station on b nearest to station s on a. */
static lode_real nearest_on_b(const two_axes *axes, lode_real s)
{
    return clamp_within(axes->dot * s - axes->q, axes->half_b);
}

/* From b's axis to station s on a's, the shortest way. */
static lode_vec3 apart_at(const two_axes *axes, lode_real s)
{
    lode_vec3 on_b = v3_madd(axes->offset, axes->b, nearest_on_b(axes, s));
    return v3_sub(v3_scale(axes->a, s), on_b);
}

/* The station on a nearest to b. The distance is convex in both stations, so the nearest points of
 * the lines, clamped one after the other, are those of the segments (Ericson, "Real-Time Collision
 * Detection", 2005, section 5.1.9). Where the lines are parallel any station beside b will do. */
static lode_real nearest_on_a(const two_axes *axes, lode_vec3 cross)
{
    lode_real square = v3_dot(cross, cross), s = axes->p;
    if (square > PARALLEL)
        s = (axes->p - axes->dot * axes->q) / square;
    lode_real t = nearest_on_b(axes, clamp_within(s, axes->half_a));
    return clamp_within(axes->p + axes->dot * t, axes->half_a);
}

/* The stretch of a that lies beside b. */
static void find_ends(const two_axes *axes, contact_line *line)
{
    lode_real width = r_abs(axes->dot) * axes->half_b;
    lode_real lower = r_max(axes->p - width, -axes->half_a);
    lode_real upper = r_min(axes->p + width, axes->half_a);
    if (axes->dot * axes->dot < ALONG || !(upper - lower > axes->reach * LINE_SHORT))
        return;
    line->lower = line_end(lower, apart_at(axes, lower), line->normal, axes->reach);
    line->upper = line_end(upper, apart_at(axes, upper), line->normal, axes->reach);
}

/* Where the axes meet they are pushed apart across both, which is never farther than past an end.
 * The side is that of their nearest points as far as these tell, else that of the centres. */
static lode_vec3 way_out(const two_axes *axes, lode_vec3 cross, lode_vec3 apart)
{
    lode_vec3 normal = v3_normalize_or(cross, v3_zero());
    if (!(v3_dot(cross, cross) > PARALLEL))
        normal = contact_tangent(axes->a);
    lode_real side = v3_dot(normal, apart);
    if (side == 0)
        side = -v3_dot(normal, axes->offset);
    return side < 0 ? v3_neg(normal) : normal;
}

void lode__touch_capsule_capsule(const lode__shape_view *a, const lode__shape_view *b,
                                 lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    two_axes axes = {.offset = offset,
                     .a = view_axis(a),
                     .b = view_axis(b),
                     .half_a = a->size[1],
                     .half_b = b->size[1],
                     .reach = a->size[0] + b->size[0]};
    axes.dot = v3_dot(axes.a, axes.b);
    axes.p = v3_dot(offset, axes.a);
    axes.q = v3_dot(offset, axes.b);
    lode_vec3 cross = v3_cross(axes.a, axes.b);
    lode_real s = nearest_on_a(&axes, cross);
    lode_vec3 apart = apart_at(&axes, s);
    lode_real distance = v3_length(apart);
    if (!(axes.reach - distance > -speculative))
        return;

    contact_line line = {.axis = axes.a, .radius = a->size[0]};
    line.normal = distance > axes.reach * LINE_MEETS ? v3_normalize_or(apart, axes.a)
                                                     : way_out(&axes, cross, apart);
    line.middle = (line_station){s, axes.reach - distance, true};
    find_ends(&axes, &line);
    add_line(&line, speculative, out);
}
