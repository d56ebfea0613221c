/* segments.c: the closest points of two segments.
 *
 * The least distance is at an end of one of them, or between two inner points where the line
 * between them is square to both. All five candidates are computed, in double, and the least
 * counts, ends first: so parallel segments and such without length need no rules of their own.
 * Lengths are scaled so that products neither overflow nor vanish. */
#include "lode/query.h"

#include "core/double3.h"
#include "core/math.h"
#include "world/check.h"

typedef struct two_segments {
    lode__double3 w, u, v; /* from the begin of b to that of a, and the ways, none above 1 */
    double least, s, t;    /* squared distance, shares of the ways */
} two_segments;

static void try_points(two_segments *two, double s, double t)
{
    lode__double3 apart = d3_sub(d3_madd(two->w, two->u, s), d3_scale(two->v, t));
    double distance2 = d3_dot(apart, apart);
    if (distance2 < two->least) {
        two->least = distance2;
        two->s = s;
        two->t = t;
    }
}

/* The share of a way nearest to a point that is `along` from its begin, times its length
 * squared. */
static double share_of(double along, double length2)
{
    return along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
}

static void find_closest(two_segments *two)
{
    lode__double3 w = two->w;
    double uu = d3_dot(two->u, two->u), vv = d3_dot(two->v, two->v), uv = d3_dot(two->u, two->v);
    double uw = d3_dot(two->u, w), vw = d3_dot(two->v, w), det = uu * vv - uv * uv;
    two->least = 100; /* no distance is more than the sum of all three */
    try_points(two, 0, share_of(vw, vv));
    try_points(two, 1, share_of(vw + uv, vv));
    try_points(two, share_of(-uw, uu), 0);
    try_points(two, share_of(uv - uw, uu), 1);
    double s = uv * vw - vv * uw, t = uu * vw - uv * uw; /* times det */
    if (det > 0 && s > 0 && s < det && t > 0 && t < det)
        try_points(two, s / det, t / det);
}

static lode_vec3 point_on(lode__double3 from, lode__double3 way, double share)
{
    return d3_to(d3_madd(from, way, share));
}

lode_real lode_segments_find_closest(const lode_vec3 a[2], const lode_vec3 b[2],
                                     lode_vec3 *out_on_a, lode_vec3 *out_on_b)
{
    if (out_on_a)
        *out_on_a = v3_zero();
    if (out_on_b)
        *out_on_b = v3_zero();
    if (lode__check_not_null(a, __func__, "a") || lode__check_not_null(b, __func__, "b") ||
        lode__check_not_null(out_on_a, __func__, "out_on_a") ||
        lode__check_not_null(out_on_b, __func__, "out_on_b") ||
        lode__check_vec3(a[0], __func__, "a") || lode__check_vec3(a[1], __func__, "a") ||
        lode__check_vec3(b[0], __func__, "b") || lode__check_vec3(b[1], __func__, "b"))
        return -1;
    lode__double3 from_a = d3_from(a[0]), from_b = d3_from(b[0]);
    lode__double3 u = d3_sub(d3_from(a[1]), from_a), v = d3_sub(d3_from(b[1]), from_b);
    lode__double3 w = d3_sub(from_a, from_b);
    double most = d_max(d3_most(w), d_max(d3_most(u), d3_most(v)));
    double down = most > 0 ? 1 / most : 1;
    two_segments two = {d3_scale(w, down), d3_scale(u, down), d3_scale(v, down), 0, 0, 0};
    find_closest(&two);
    *out_on_a = point_on(from_a, u, two.s);
    *out_on_b = point_on(from_b, v, two.t);
    return (lode_real)(d_sqrt(two.least) * most);
}
