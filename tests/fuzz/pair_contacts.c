/* pair_contacts.c: holds the contacts of a pair against the oracle: whether there are any, their
 * normals and depths, and that moving apart by the deepest parts convex solids. */
#include "tests/fuzz/pair.h"

static void to_doubles(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static bool is_finite(lode_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

void pair_check_numbers(const pair *p, const lode_contact *c)
{
    double n[3];
    to_doubles(c->normal, n);
    FUZZ_CHECK(is_finite(c->normal) && fabs(form_dot(n, n) - 1) < 1e-5, "normal %g %g %g", n[0],
               n[1], n[2]);
    FUZZ_CHECK(c->point_count >= 1 && c->point_count <= 4, "%d points", c->point_count);
    bool straight = c->shape_a.id == p->a.shape.id && c->shape_b.id == p->b.shape.id;
    bool swapped = c->shape_a.id == p->b.shape.id && c->shape_b.id == p->a.shape.id;
    FUZZ_CHECK(straight || swapped, "shapes of a contact");
    for (int i = 0; i < c->point_count; ++i) {
        FUZZ_CHECK(is_finite(c->points[i].position) && isfinite(c->points[i].depth), "point %d", i);
        int child_a = straight ? c->points[i].child_a : c->points[i].child_b;
        int child_b = straight ? c->points[i].child_b : c->points[i].child_a;
        FUZZ_CHECK((child_a >= 0) == pair_is_surface(&p->a), "triangle %d", child_a);
        FUZZ_CHECK((child_b >= 0) == pair_is_surface(&p->b), "triangle %d", child_b);
    }
}

/* A plane's own normal is taken for n, which is the same but for rounding: that would count for
 * much far from the origin. */
double pair_gap_along(const pair *p, const double n[3])
{
    const subject *plane = p->a.type == LODE_PLANE ? &p->a : &p->b;
    if (plane->type != LODE_PLANE)
        return form_gap_along(&p->a.parts[0], &p->b.parts[0], n);
    double side = plane == &p->b ? 1 : -1, down[3];
    FUZZ_CHECK(side * form_dot(n, plane->normal) > 1 - 1e-5, "a plane has another normal");
    for (int k = 0; k < 3; ++k)
        down[k] = -plane->normal[k];
    return -form_reach(side > 0 ? &p->a.parts[0] : &p->b.parts[0], down) - plane->offset;
}

/* Do they still overlap once a has moved by `way`? */
static bool overlap_after(const pair *p, const double way[3])
{
    form moved = p->a.parts[0];
    for (int k = 0; k < 3; ++k)
        moved.center[k] += way[k];
    return form_distance(&moved, &p->b.parts[0]).most == 0;
}

/* Of two convex solids, or one and a plane. */
static void check_depths(const pair *p, const lode_contact *c)
{
    double n[3], way[3], deepest = -INFINITY,
                         slack = 2 * p->tolerance + 1e-6 * (p->a.span + p->b.span);
    bool swapped = c->shape_a.id != p->a.shape.id;
    to_doubles(c->normal, n);
    for (int k = 0; k < 3; ++k)
        n[k] = swapped ? -n[k] : n[k];
    for (int i = 0; i < c->point_count; ++i)
        deepest = fmax(deepest, (double)c->points[i].depth);
    double gap = pair_gap_along(p, n);
    FUZZ_CHECK(deepest <= -gap + slack + 1e-4 * fabs(gap),
               "depth %g, but they overlap by %g (slack %g)", deepest, -gap, slack);
    if (gap + deepest > -slack || deepest <= 0 || p->a.type == LODE_PLANE ||
        p->b.type == LODE_PLANE)
        return;
    for (int k = 0; k < 3; ++k)
        way[k] = n[k] * (deepest * 1.001 + slack);
    FUZZ_CHECK(!overlap_after(p, way), "%g apart along %g %g %g they still overlap (slack %g)",
               deepest, n[0], n[1], n[2], slack);
}

/* The same points, asked for on the spot: however chosen and in either order of the shapes. */
void pair_check_collide(const pair *p)
{
    static lode_collide_point points[512];
    bool exact = !pair_is_surface(&p->a) && !pair_is_surface(&p->b);
    double deepest[LODE_COLLIDE_CHOICE_COUNT];
    form_gap gap = p->gap;
    for (int choice = 0; choice < LODE_COLLIDE_CHOICE_COUNT; ++choice) {
        lode_collide_options options = {(lode_collide_choice)choice, 0};
        int count = lode_shape_collide(p->a.shape, p->b.shape, &options, points, 512);
        int swapped = lode_shape_collide(p->b.shape, p->a.shape, &options, NULL, 0);
        deepest[choice] = -INFINITY;
        FUZZ_CHECK(count >= 0 && count <= 512, "%d points", count);
        for (int i = 0; i < count; ++i) {
            double n[3], depth = (double)points[i].depth;
            to_doubles(points[i].normal, n);
            FUZZ_CHECK(is_finite(points[i].normal) && fabs(form_dot(n, n) - 1) < 1e-5 &&
                           is_finite(points[i].position) && isfinite(depth),
                       "point %d of choice %d", i, choice);
            double slack = 2 * p->tolerance + 1e-6 * (p->a.span + p->b.span) + 1e-4 * depth;
            FUZZ_CHECK(!exact || depth <= -pair_gap_along(p, n) + slack,
                       "depth %g, but they overlap by %g (slack %g)", depth, -pair_gap_along(p, n),
                       slack);
            deepest[choice] = fmax(deepest[choice], depth);
        }
        FUZZ_CHECK(count == 0 || gap.least <= p->tolerance + 1e-6 * (p->a.span + p->b.span),
                   "%d points of choice %d, but %g apart", count, choice, gap.least);
        FUZZ_CHECK((count > 0) == (swapped > 0) || deepest[choice] <= 4 * p->tolerance,
                   "%d points, swapped %d", count, swapped);
    }
    FUZZ_CHECK((deepest[LODE_COLLIDE_ANY] > -INFINITY) ==
                   (deepest[LODE_COLLIDE_REDUCED] > -INFINITY),
               "any point, but none reduced, or the other way round");
    /* out of a surface the deepest leads as a whole, which no contact need do; of boxes and hulls
     * it is that of the least way out */
    bool whole = (pair_is_surface(&p->a) || pair_is_surface(&p->b)) &&
                 deepest[LODE_COLLIDE_ALL] > 0 && deepest[LODE_COLLIDE_DEEPEST] > 0;
    double rounding = p->tolerance + 1e-6 * (p->a.span + p->b.span);
    bool least = pair_is_polyhedron(&p->a) && pair_is_polyhedron(&p->b) &&
                 deepest[LODE_COLLIDE_ALL] > -INFINITY &&
                 deepest[LODE_COLLIDE_DEEPEST] <= deepest[LODE_COLLIDE_ALL] + rounding;
    FUZZ_CHECK(whole || least || deepest[LODE_COLLIDE_DEEPEST] == deepest[LODE_COLLIDE_ALL],
               "deepest %g of %g", deepest[LODE_COLLIDE_DEEPEST], deepest[LODE_COLLIDE_ALL]);
}

void pair_check_contacts(const pair *p)
{
    static lode_contact contacts[256];
    const double margin = 0.008;
    bool felt = !((p->a.type == LODE_PLANE || pair_is_surface(&p->a)) &&
                  (p->b.type == LODE_PLANE || pair_is_surface(&p->b)));
    FUZZ_CHECK(lode_world_collide(p->world, (lode_real)1 / 60) == LODE_OK, "collide");
    int count = lode_world_get_contacts(p->world, contacts, 256);
    for (int i = 0; i < count && i < 256; ++i) {
        pair_check_numbers(p, &contacts[i]);
        if (pair_is_surface(&p->a) || pair_is_surface(&p->b))
            continue;
        check_depths(p, &contacts[i]);
    }
    form_gap gap = p->gap;
    if (count > 0)
        FUZZ_CHECK(gap.least <= margin * 1.01 + p->tolerance, "%d contacts, but %g apart", count,
                   gap.least);
    else if (felt)
        FUZZ_CHECK(!pair_surely_overlap(p), "they overlap without a contact");
}
