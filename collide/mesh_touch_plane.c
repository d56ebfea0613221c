/* mesh_touch_plane.c: meshes and height fields on half-spaces: the vertices below the plane.
 *
 * Boxes of the tree, or blocks, that are above the plane are left out. A vertex is visited once for
 * each of its triangles; those that are alike count once when points are reduced (many_touch.c). */
#include "collide/mesh_touch.h"

typedef struct landing {
    const lode__mesh_query *query;
    lode_vec3 normal;
    lode_real offset;
} landing;

static double touch_triangle(void *context, uint32_t triangle, const lode__triangle *t,
                             double limit)
{
    const landing *l = context;
    lode__mesh_side side = {.triangle = triangle};
    for (int k = 0; k < 3; ++k) {
        lode_real depth = l->offset - v3_dot(l->normal, t->v[k]);
        lode__mesh_add(l->query, &side, v3_madd(t->v[k], l->normal, depth / 2), v3_neg(l->normal),
                       depth, lode__mesh_corner_feature(l->query->surface, triangle, k));
    }
    return limit;
}

void lode__mesh_touch_plane(const lode__mesh_query *query, lode_vec3 normal, lode_real offset)
{
    landing l = {query, normal, offset};
    lode__double3 down = d3_neg(d3_from(normal));
    lode_bounds box = surface_box(query->surface);
    lode_vec3 far = v3_max(v3_abs(box.lower), v3_abs(box.upper));
    double rounding = 8 * (double)REAL_EPSILON * (double)(far.x + far.y + far.z + r_abs(offset));
    lode__surface_reach(query->surface, down,
                        -(double)offset - (double)query->speculative - rounding, touch_triangle,
                        &l);
}
