/* pair_truth.c: what is true about the two shapes of a pair: how far they are apart, and whether
 * they overlap so that no rounding can part them and none may pass over it. */
#include "tests/fuzz/pair.h"

static form_gap gap_of_plane(const subject *plane, const form *f)
{
    double down[3] = {-plane->normal[0], -plane->normal[1], -plane->normal[2]};
    double gap = fmax(-form_reach(f, down) - plane->offset, 0);
    return (form_gap){gap, gap, {plane->normal[0], plane->normal[1], plane->normal[2]}};
}

form_gap pair_gap(const subject *part_of, int part, const subject *other, int other_part)
{
    const form *f = &part_of->parts[part];
    if (other->type == LODE_PLANE)
        return gap_of_plane(other, f);
    if (part_of->type == LODE_PLANE)
        return gap_of_plane(part_of, &other->parts[other_part]);
    return form_distance(f, &other->parts[other_part]);
}

static int parts_of(const subject *s)
{
    return s->type == LODE_PLANE ? 1 : s->part_count;
}

form_gap pair_find_gap(const pair *p)
{
    form_gap best = {INFINITY, INFINITY, {0, 0, 1}};
    bool flat = p->a.type == LODE_PLANE || p->b.type == LODE_PLANE;
    for (int i = 0; i < parts_of(&p->a); ++i)
        for (int k = 0; k < parts_of(&p->b); ++k) {
            const form *a = &p->a.parts[i], *b = &p->b.parts[k];
            if (!flat && form_distance_at_least(a, b) > best.most)
                continue;
            form_gap gap = pair_gap(&p->a, i, &p->b, k);
            best.least = fmin(best.least, gap.least);
            if (!p->a.thin[i] && !p->b.thin[k])
                best.most = fmin(best.most, gap.most);
        }
    return best;
}

/* Of the triangle, in the world, as long as it may be. */
static void find_normal(const form *triangle, double out[3])
{
    double e[2][3];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            e[i][k] = 0;
            for (int m = 0; m < 3; ++m)
                e[i][k] += (triangle->points[i + 1][m] - triangle->points[0][m]) *
                           triangle->axis[m][k];
        }
    for (int k = 0; k < 3; ++k)
        out[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
}

/* Is the middle of the other before the plane, beyond rounding? */
static bool is_in_front(const form *triangle, const form *other, const double up[3])
{
    double from[3];
    for (int k = 0; k < 3; ++k)
        from[k] = other->middle[k] - triangle->middle[k];
    return form_dot(from, up) > 0.01 * sqrt(form_dot(up, up)) * form_span(other);
}

/* The middle of a long solid may be before the plane and its end beneath the triangle, where it has
 * passed the rim by: a one-sided one is not felt from there. So: if it grew from its middle to what
 * it is, would it touch the triangle's front or rim first, or its back? */
static bool comes_from_front(const form *triangle, const form *other, const double up[3])
{
    double apart = 0, meets = 1, rise = 0;
    for (int i = 0; i < 20; ++i) {
        double scale = (apart + meets) / 2;
        form core = form_shrunk(other, scale);
        form_gap gap = form_distance(&core, triangle);
        if (gap.least > 0) {
            apart = scale;
            rise = form_dot(gap.normal, up) / sqrt(form_dot(up, up));
        } else
            meets = scale;
    }
    return rise > 1e-3;
}

/* A one-sided surface need be felt only by what has its middle in front of all of it that it meets,
 * and comes from there: else it may be beneath. */
static bool faces_all(const subject *s, const form *other)
{
    if (!pair_is_surface(s) || s->two_sided)
        return true;
    for (int i = 0; i < s->part_count; ++i) {
        const form *triangle = &s->parts[i];
        double up[3];
        find_normal(triangle, up);
        if (form_distance_at_least(triangle, other) <= 0 &&
            form_distance(triangle, other).least == 0 &&
            (!is_in_front(triangle, other, up) || !comes_from_front(triangle, other, up)))
            return false;
    }
    return true;
}

static bool parts_surely_overlap(const pair *p, int i, int k)
{
    const subject *a = &p->a, *b = &p->b;
    if (a->type == LODE_PLANE || b->type == LODE_PLANE) {
        const subject *plane = a->type == LODE_PLANE ? a : b, *other = plane == a ? b : a;
        form whole = other->parts[plane == a ? k : i];
        double down[3] = {-plane->normal[0], -plane->normal[1], -plane->normal[2]};
        return -form_reach(&whole, down) < plane->offset - p->tolerance;
    }
    if (a->thin[i] || b->thin[k] || form_distance_at_least(&a->parts[i], &b->parts[k]) > 0 ||
        !faces_all(a, &b->parts[k]) || !faces_all(b, &a->parts[i]))
        return false;
    form fa = form_shrunk(&a->parts[i], 0.98), fb = form_shrunk(&b->parts[k], 0.98);
    double thin = fmin(form_thin(&fa), form_thin(&fb));
    if (p->tolerance > 0.002 && p->tolerance > 0.02 * thin)
        return false;
    return form_distance(&fa, &fb).most == 0;
}

bool pair_surely_overlap(const pair *p)
{
    for (int i = 0; i < parts_of(&p->a); ++i)
        for (int k = 0; k < parts_of(&p->b); ++k)
            if (parts_surely_overlap(p, i, k))
                return true;
    return false;
}
