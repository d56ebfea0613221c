/* pair_queries.c: holds what queries say about a pair against the oracle: distances, nearest
 * points, rays, casts, overlaps. */
#include "tests/fuzz/pair.h"

static void to_doubles(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static double norm(lode_vec3 v)
{
    double d[3];
    to_doubles(v, d);
    return sqrt(form_dot(d, d));
}

static bool is_unit(lode_vec3 v)
{
    return fabs(norm(v) - 1) < 1e-5;
}

/* What rounding does to a place in the world; to places about a shape. */
static double rounding_at(lode_vec3 at)
{
    return 8 * (sizeof(lode_real) == sizeof(float) ? 0x1p-23 : 0x1p-52) * norm(at);
}

static double rounding_of(const pair *p, const subject *s)
{
    return p->tolerance + rounding_at(lode_shape_get_world_pose(s->shape).position);
}

static void check_closest(const pair *p)
{
    lode_closest c;
    fuzz_quiet();
    if (!lode_shape_find_closest(p->a.shape, p->b.shape, &c)) {
        fuzz_expect_refused("closest points");
        FUZZ_CHECK(p->a.type == p->b.type &&
                       (p->a.type == LODE_PLANE || p->a.type == LODE_HEIGHTFIELD),
                   "closest points refused: %s", fuzz_last.argument);
        return;
    }
    form_gap gap = p->gap;
    double slack = 4 * p->tolerance + 1e-6 * (p->a.span + p->b.span), d = (double)c.distance;
    FUZZ_CHECK(isfinite(d) && is_unit(c.normal), "distance %g", d);
    FUZZ_CHECK(isfinite(norm(c.on_a)) && isfinite(norm(c.on_b)), "closest points");
    bool solids = pair_is_solid(&p->a) && pair_is_solid(&p->b);
    FUZZ_CHECK(d <= gap.most + slack + 1e-6 * gap.most, "distance %g, but %g", d, gap.most);
    if (gap.least > slack)
        FUZZ_CHECK(d >= gap.least - slack - 1e-6 * gap.least, "distance %g, but %g", d, gap.least);
    if (!solids)
        return;
    double n[3];
    to_doubles(c.normal, n);
    double along = form_gap_along(&p->a.parts[0], &p->b.parts[0], n);
    FUZZ_CHECK(fabs(along - d) <= slack + 1e-3 * fabs(d), "distance %g, but %g along its normal", d,
               along);
}

/* The nearest part of a subject to a point. */
static form_gap gap_to_point(const subject *s, const double at[3])
{
    form point = {.kind = FORM_BALL};
    form_place(&point, at, (lode_quat){1, 0, 0, 0});
    form_gap best = {INFINITY, INFINITY, {0, 0, 1}};
    subject alone = {.type = LODE_SPHERE, .part_count = 1, .parts = {point}};
    for (int i = 0; i < (s->type == LODE_PLANE ? 1 : s->part_count); ++i) {
        if (s->type != LODE_PLANE && form_distance_at_least(&point, &s->parts[i]) > best.most)
            continue;
        form_gap gap = pair_gap(&alone, 0, s, i);
        best.least = fmin(best.least, gap.least);
        if (!s->thin[i])
            best.most = fmin(best.most, gap.most);
    }
    return best;
}

/* What rounding does to the height of a point above a plane, beside what it does to its place. With
 * u, half a unit of the last digit: a quaternion made a unit is too long or short by 4 u, so the
 * normal, which has it twice, by 8 u; turning it adds 4 u, the products with the point and their
 * sum 3 u: 15 u of how far the point is from the origin, since a plane goes on to wherever that is.
 * That is below 8 units. Other shapes are met near their own place, which rounding_of() knows. */
static double rounding_above(const subject *s, lode_vec3 point)
{
    return s->type == LODE_PLANE ? rounding_at(point) : 0;
}

static lode_vec3 point_about(const subject *s, fuzz_bytes *in)
{
    lode_vec3 at = lode_shape_get_world_pose(s->shape).position;
    double size = (s->span > 0 ? s->span : 1) * 1.5;
    double x = size * fuzz_coarse(in), y = size * fuzz_coarse(in), z = size * fuzz_coarse(in);
    return fuzz_vec((double)at.x + x, (double)at.y + y, (double)at.z + z);
}

static void check_nearest(const pair *p, const subject *s, fuzz_bytes *in)
{
    lode_nearest nearest;
    lode_vec3 point = point_about(s, in);
    double at[3], slack = 2 * rounding_of(p, s) + rounding_above(s, point) + 1e-5 * s->span;
    to_doubles(point, at);
    FUZZ_CHECK(lode_shape_find_nearest(s->shape, point, &nearest), "nearest refused");
    double depth = (double)nearest.depth;
    FUZZ_CHECK(isfinite(depth) && is_unit(nearest.normal) && isfinite(norm(nearest.position)),
               "nearest: depth %g", depth);
    form_gap gap = gap_to_point(s, at);
    slack += 1e-6 * gap.most;
    FUZZ_CHECK(-depth <= gap.most + slack, "depth %g, but outside by %g (slack %g)", depth,
               gap.most, slack);
    if (!pair_is_surface(s))
        FUZZ_CHECK(-depth >= gap.least - slack || gap.least == 0, "depth %g, but outside by %g",
                   depth, gap.least);
    to_doubles(nearest.position, at);
    FUZZ_CHECK(gap_to_point(s, at).least <= slack, "nearest point off the surface by %g",
               gap_to_point(s, at).least);
}

static void check_ray(const pair *p, const subject *s, fuzz_bytes *in)
{
    lode_ray_hit hit;
    lode_ray ray = {.length = fuzz_below(in, 2) ? INFINITY : fuzz_length(in)};
    ray.faces = (lode_faces)fuzz_below(in, 3);
    ray.origin = point_about(s, in);
    lode_vec3 to = point_about(s, in);
    ray.direction = fuzz_vec((double)to.x - (double)ray.origin.x,
                             (double)to.y - (double)ray.origin.y,
                             (double)to.z - (double)ray.origin.z);
    if (norm(ray.direction) == 0)
        ray.direction.x = 1;
    fuzz_quiet();
    bool found = lode_shape_cast_ray(s->shape, &ray, &hit);
    FUZZ_CHECK(fuzz_last.count == 0, "ray refused: %s", fuzz_last.argument);
    FUZZ_CHECK(found == (hit.shape.id != 0), "ray");
    lode_ray_hit again;
    bool world = lode_world_cast_ray(p->world, &ray, NULL, &again);
    FUZZ_CHECK(!found || world, "the world misses what the shape meets");
    if (!found)
        return;
    FUZZ_CHECK(again.distance <= hit.distance, "the world meets later than the shape");
    FUZZ_CHECK(is_unit(hit.normal) && hit.distance >= 0 && hit.distance <= ray.length, "ray's hit");
    double at[3], slack = 4 * rounding_of(p, s) + 1e-5 * (s->span + (double)hit.distance);
    to_doubles(hit.position, at);
    form_gap gap = gap_to_point(s, at);
    FUZZ_CHECK(gap.least <= slack, "ray's hit is off the surface by %g", gap.least);
}

/* The least gap between all parts of `s` and a form. */
static double gap_to_form(const subject *s, const form *f)
{
    subject alone = {.type = LODE_BOX, .part_count = 1, .parts = {*f}};
    double best = INFINITY;
    for (int i = 0; i < (s->type == LODE_PLANE ? 1 : s->part_count); ++i)
        if (s->type == LODE_PLANE || form_distance_at_least(f, &s->parts[i]) < best)
            best = fmin(best, pair_gap(&alone, 0, s, i).least);
    return best;
}

static bool surely_overlaps(const subject *s, const form *f)
{
    subject alone = {.type = LODE_BOX, .part_count = 1, .parts = {form_shrunk(f, 0.95)}};
    for (int i = 0; i < (s->type == LODE_PLANE ? 1 : s->part_count); ++i) {
        if (s->thin[i] || (s->type != LODE_PLANE && form_distance_at_least(f, &s->parts[i]) > 0))
            continue;
        subject part = {.type = s->type, .offset = s->offset, .part_count = 1};
        memcpy(part.normal, s->normal, sizeof part.normal);
        part.parts[0] = form_shrunk(&s->parts[i], 0.95);
        if (pair_gap(&alone, 0, &part, 0).most == 0)
            return true;
    }
    return false;
}

/* The solid of one subject is pushed at the other. */
static void check_cast(const pair *p, const subject *s, const subject *mover, fuzz_bytes *in)
{
    lode_cast cast = {.solid = lode_shape_get_solid(mover->shape)};
    cast.pose = lode_shape_get_world_pose(mover->shape);
    lode_vec3 to = point_about(s, in);
    cast.translation = fuzz_vec((double)to.x - (double)cast.pose.position.x,
                                (double)to.y - (double)cast.pose.position.y,
                                (double)to.z - (double)cast.pose.position.z);
    double way[3];
    to_doubles(cast.translation, way);
    lode_cast_hit hit;
    fuzz_quiet();
    bool found = lode_shape_cast_shape(s->shape, &cast, &hit);
    FUZZ_CHECK(fuzz_last.count == 0, "cast refused: %s", fuzz_last.argument);
    double share = found ? (double)hit.fraction : 1;
    double slack = 4 * (rounding_of(p, s) + rounding_of(p, mover)) +
                   1e-5 * (s->span + mover->span + norm(cast.translation));
    FUZZ_CHECK(share >= 0 && share <= 1, "cast's fraction %g", share);
    if (found) {
        FUZZ_CHECK(is_unit(hit.normal) && isfinite(norm(hit.position)) && hit.depth >= 0 &&
                       hit.distance >= 0,
                   "cast's hit");
        form moved = mover->parts[0];
        for (int k = 0; k < 3; ++k)
            moved.center[k] += share * way[k], moved.middle[k] += share * way[k];
        double gap = gap_to_form(s, &moved);
        FUZZ_CHECK(gap <= slack, "cast ends %g before the shape", gap);
    }
    if (slack > 0.02 * form_thin(&mover->parts[0]) || (pair_is_surface(s) && !s->two_sided))
        return;
    for (int i = 0; i < 8; ++i) {
        form moved = mover->parts[0];
        for (int k = 0; k < 3; ++k)
            moved.center[k] += i / 8.0 * share * way[k],
                moved.middle[k] += i / 8.0 * share * way[k];
        FUZZ_CHECK(!surely_overlaps(s, &moved) || (found && hit.overlaps && share == 0),
                   "cast overlaps %d/8 before its end %g", i, share);
    }
}

static void check_overlap(const pair *p, const subject *s, const subject *other)
{
    lode_solid solid = lode_shape_get_solid(other->shape);
    lode_shape found[4];
    int count = lode_world_overlap_solid(p->world, &solid, lode_shape_get_world_pose(other->shape),
                                         NULL, found, 4);
    FUZZ_CHECK(count >= 0 && count <= 2, "%d overlaps", count);
    bool met = false;
    for (int i = 0; i < count; ++i)
        met = met || found[i].id == s->shape.id;
    double slack = 4 * (rounding_of(p, s) + rounding_of(p, other)) + 1e-6 * (s->span + other->span);
    double gap = gap_to_form(s, &other->parts[0]);
    FUZZ_CHECK(!met || gap <= slack, "overlaps what is %g apart", gap);
    if (slack < 0.02 * form_thin(&other->parts[0]))
        FUZZ_CHECK(met || !surely_overlaps(s, &other->parts[0]), "overlap missed");
}

void pair_check_queries(const pair *p, fuzz_bytes *in)
{
    check_closest(p);
    check_nearest(p, &p->a, in);
    check_nearest(p, &p->b, in);
    check_ray(p, &p->a, in);
    check_ray(p, &p->b, in);
    if (pair_is_solid(&p->b)) {
        check_cast(p, &p->a, &p->b, in);
        check_overlap(p, &p->a, &p->b);
    }
    if (pair_is_solid(&p->a)) {
        check_cast(p, &p->b, &p->a, in);
        check_overlap(p, &p->b, &p->a);
    }
}
