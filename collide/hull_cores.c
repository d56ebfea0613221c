/* hull_cores.c: places within a hull, whose own hull is its inner part (inner.h).
 *
 * For each of some vertices that lie far apart the place is found that is farther in than inner.h
 * asks from every face. Such places are a convex set, the planes moved inwards; the vertex is moved
 * onto them again and again (the method of alternating projections, Bregman 1965), which leads to a
 * place of the set near it. What is left after some rounds is made up for by going towards the
 * centre of mass, which is farther in than asked. */
#include "collide/hull.h"
#include "collide/inner.h"

enum { ROUNDS = 16 };

/* The plane of a face, moved inwards. */
static double inward(const lode_hull *hull, const lode__hull_face *face, double radius)
{
    double side = (double)face->offset - d3_dot(d3_from(face->normal), hull->center);
    return (double)face->offset - inner_depth(side, radius);
}

/* How far a place is above the plane of a face, moved inwards. */
static double above(const lode_hull *hull, uint32_t f, double radius, lode__double3 at)
{
    const lode__hull_face *face = &hull->faces[f];
    return d3_dot(d3_from(face->normal), at) - inward(hull, face, radius);
}

static lode__double3 move_in(const lode_hull *hull, double radius, lode__double3 at)
{
    for (int round = 0; round < ROUNDS; ++round) {
        bool moved = false;
        for (uint32_t f = 0; f < hull->face_count; ++f) {
            double over = above(hull, f, radius, at);
            if (over > 0) {
                at = d3_madd(at, d3_from(hull->faces[f].normal), -over);
                moved = true;
            }
        }
        if (!moved)
            break;
    }
    double share = 0; /* of the way to the centre */
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        double over = above(hull, f, radius, at), there = above(hull, f, radius, hull->center);
        if (over > 0)
            share = d_max(share, d_min(over / (over - there), 1));
    }
    return d3_madd(at, d3_sub(hull->center, at), share);
}

/* How far the nearest of the chosen vertices is; the centre of mass stands for them at first. */
static double apart(const lode_hull *hull, const uint32_t *chosen, uint32_t count, uint32_t vertex)
{
    lode__double3 at = d3_from(hull->vertices[vertex]);
    double least = count == 0 ? d3_length(d3_sub(at, hull->center)) : __builtin_inf();
    for (uint32_t i = 0; i < count; ++i)
        least = d_min(least, d3_length(d3_sub(at, d3_from(hull->vertices[chosen[i]]))));
    return least;
}

void lode__hull_find_cores(lode_hull *hull)
{
    uint32_t chosen[LODE__HULL_CORES];
    double radius = (double)hull->inner;
    hull->core_count = 0;
    while (radius > 0 && hull->core_count < LODE__HULL_CORES) {
        uint32_t best = 0;
        double most = 0;
        for (uint32_t v = 0; v < hull->vertex_count; ++v) {
            double far = apart(hull, chosen, hull->core_count, v);
            if (far > most) {
                most = far;
                best = v;
            }
        }
        if (!(most > 0))
            return;
        chosen[hull->core_count] = best;
        hull->cores[hull->core_count++] = move_in(hull, radius, d3_from(hull->vertices[best]));
    }
}
