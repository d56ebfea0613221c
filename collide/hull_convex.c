/* hull_convex.c: hulls as the general methods see them (collide/convex.h), and their contacts by
 * those.
 *
 * Vertices are named by their number, edges by the lower one of their two. A face with more corners
 * than a lode__face holds gives every second, every third and so on. */
#include "collide/hull.h"
#include "collide/gjk.h"
#include "collide/touch.h"
#include "collide/touch_convex.h"

static double reach_of(const lode_hull *hull, uint32_t vertex, lode__double3 direction)
{
    return d3_dot(d3_from(hull->vertices[vertex]), direction);
}

/* From a good vertex uphill to the best: what single precision finds is near it. */
static uint32_t climb(const lode_hull *hull, lode__double3 direction, uint32_t best)
{
    double most = reach_of(hull, best, direction);
    for (uint32_t from = UINT32_MAX; from != best;) {
        uint32_t first = hull->leaving[best], edge = first;
        from = best;
        do {
            uint32_t end = hull_end(hull, edge);
            double reach = reach_of(hull, end, direction);
            if (reach > most) {
                most = reach;
                best = end;
            }
            edge = hull_next(hull, hull->edges[edge].twin);
        } while (edge != first);
    }
    return best;
}

static uint32_t support(const lode_hull *hull, lode__double3 direction)
{
    lode__double3 unit = d3_normalize_or(direction, d3(0, 0, 1));
    return climb(hull, unit, lode__hull_support(hull, d3_to(unit), 0));
}

lode__double3 lode__hull_support_point(const lode__convex *convex, lode__double3 direction)
{
    const lode_hull *hull = convex->data;
    return d3_from(hull->vertices[support(hull, direction)]);
}

/* Of the faces at a vertex the one that looks most along the direction. */
static const lode__hull_face *face_at(const lode_hull *hull, uint32_t vertex,
                                      lode__double3 direction)
{
    uint32_t first = hull->leaving[vertex], edge = first, best = first;
    double most = -2;
    do {
        double facing = d3_dot(d3_from(hull->faces[hull->edges[edge].face].normal), direction);
        best = facing > most ? edge : best;
        most = d_max(facing, most);
        edge = hull_next(hull, hull->edges[edge].twin);
    } while (edge != first);
    return &hull->faces[hull->edges[best].face];
}

static uint16_t name_of(uint32_t number)
{
    return (uint16_t)(number % LODE__FACE_NAMES);
}

void lode__hull_face_along(const lode__convex *convex, lode__double3 direction, lode__face *out)
{
    const lode_hull *hull = convex->data;
    const lode__hull_face *face = face_at(hull, support(hull, direction), direction);
    uint32_t step = (face->count + LODE__FACE_POINTS - 1) / LODE__FACE_POINTS;
    out->count = 0;
    out->round = step > 1;
    out->normal = d3_normalize_or(d3_from(face->normal), direction);
    for (uint32_t i = 0; i < face->count; i += step) {
        const lode__hull_edge *edge = &hull->edges[face->first + i];
        uint32_t number = face->first + i < edge->twin ? face->first + i : edge->twin;
        out->point[out->count] = d3_from(hull->vertices[edge->origin]);
        out->vertex[out->count] = name_of(edge->origin);
        out->edge[out->count++] = name_of(number);
    }
}

/* --- contacts */

static void touch_other(const lode__shape_view *a, const lode__shape_view *b, lode_shape_type type,
                        lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_HULL], a->size, a->data), a->rotation,
                       convex_make(&lode__convex_types[type], b->size, b->data), b->rotation,
                       offset, speculative, out);
}

/* A sphere touches in one point, where its centre is nearest to the hull or comes out of it
 * first. */
void lode__touch_hull_sphere(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                             lode_real speculative, lode__touch *out)
{
    lode__convex_pair pair = lode__convex_pair_make(
        convex_make(&lode__convex_types[LODE_HULL], a->size, a->data), a->rotation,
        convex_make(&lode__convex_types[LODE_SPHERE], b->size, NULL), b->rotation, offset);
    lode__nearest nearest;
    double radius = (double)b->size[0], reach = radius + (double)speculative;
    lode__gjk_nearest(&pair, reach, &nearest);
    if (!(nearest.gap < reach))
        return;
    double depth = radius - nearest.gap;
    lode__double3 at = d3_madd(pair.offset, nearest.normal, radius - depth / 2);
    out->normal = q_rotate(a->rotation, d3_to(nearest.normal));
    touch_add(out, q_rotate(a->rotation, d3_to(at)), (lode_real)depth, 1);
}

void lode__touch_hull_capsule(const lode__shape_view *a, const lode__shape_view *b,
                              lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    touch_other(a, b, LODE_CAPSULE, offset, speculative, out);
}

void lode__touch_hull_cylinder(const lode__shape_view *a, const lode__shape_view *b,
                               lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    touch_other(a, b, LODE_CYLINDER, offset, speculative, out);
}
