/* mesh_touch_inside.c: convex solids wholly inside a closed mesh.
 *
 * The triangles of a mesh hold what reaches through them. What is inside as a whole, by a jump of
 * the application or at great speed, touches none. A mesh that is a solid (closed, not inverted,
 * one-sided) pushes it out all the same: towards the place of the surface that is nearest to a
 * point well within the solid, until its last point is there. Whether that point is inside says the
 * nearest place too (mesh_search.c, after Baerentzen and Aanaes 2005). Between both there is
 * nothing of the mesh, so that is a way out; where the mesh is convex and the solid a ball, the
 * shortest.
 *
 * One point on the line through the middle, so that it comes out without being turned. */
#include "collide/mesh_touch.h"

/* The name of such a point, as of one under a height field. */
enum { WITHIN = 14 };

/* The mean of what reaches farthest along the axes: deeper in the solid than a fraction of its
 * size. */
static lode__double3 middle_of(const lode__convex *solid)
{
    lode__double3 sum = {0, 0, 0};
    for (int i = 0; i < 6; ++i) {
        double turn = i % 2 ? -1 : 1;
        lode__double3 way = d3(i / 2 == 0 ? turn : 0, i / 2 == 1 ? turn : 0, i / 2 == 2 ? turn : 0);
        sum = d3_add(sum, solid->type->support(solid, way));
    }
    return d3_scale(sum, 1.0 / 6);
}

static bool has_depth(const lode__mesh_points *points)
{
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].depth > 0)
            return true;
    return false;
}

void lode__mesh_push_out(const lode__mesh_query *query)
{
    lode__mesh_nearest near;
    if (!surface_is_solid(query->surface) || has_depth(query->out))
        return;
    lode__double33 turn = d33_from_quat(query->rotation);
    lode__double3 middle = d33_mul(&turn, middle_of(&query->solid));
    lode__double3 center = d3_from(query->center), at = d3_add(center, middle);
    if (!lode__surface_find_nearest(query->surface, v3_zero(), at, __builtin_inf(), &near) ||
        !lode__surface_is_behind(query->surface, v3_zero(), &near, at) ||
        !gate_opens(&query->gate, near.triangle))
        return;
    lode__double3 n = d3_normalize_or(d3_sub(near.point, at),
                                      surface_normal_of(query->surface, near.triangle));
    lode_vec3 normal = d3_to(n);
    lode_real reach = lode__mesh_reach_along(query, v3_neg(normal));
    lode_real depth = reach + (lode_real)d3_dot(n, d3_sub(near.point, center));
    lode__mesh_side side = {.triangle = near.triangle};
    lode_vec3 position = v3_madd(d3_to(middle), normal,
                                 depth / 2 - reach - (lode_real)d3_dot(n, middle));
    lode__mesh_add(query, &side, position, normal, depth, WITHIN);
}
