/* mesh_settle_capsule.c: what triangles have said of a capsule, seen together.
 *
 * Each says what is so if the surface goes on as it is beyond its flat edges. Where it ends there,
 *
 *     too much     an end of the axis that is behind a face has come through it, or beyond flat
 *                  edges through another; but the capsule may have passed the rim by;
 *     too little   a triangle leaves the ends of what is above it to neighbours in its plane, and
 *                  these may be farther from the capsule than triangles are looked at. */
#include "collide/mesh_touch.h"
#include "collide/triangle_apart.h"

static bool visit_apart(void *context, uint32_t triangle, const lode__triangle *t)
{
    const lode__mesh_query *query = context;
    return !gate_opens(&query->gate, triangle) ||
           lode__triangle_apart(&query->solid, query->rotation, t->v, v3_zero()) >= 0;
}

/* Does the solid meet no triangle at all? */
static bool is_apart(const lode__mesh_query *query)
{
    const lode_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lode_vec3 lo = query->center, hi = query->center;
    for (int k = 0; k < 3; ++k) {
        lo = v3_madd(lo, axes[k], -lode__mesh_reach_along(query, v3_neg(axes[k])));
        hi = v3_madd(hi, axes[k], lode__mesh_reach_along(query, axes[k]));
    }
    return lode__surface_walk(query->surface, query->center, lo, hi, visit_apart, (void *)query);
}

static void drop_passed_by(const lode__mesh_query *query)
{
    lode__mesh_points *points = query->out;
    uint32_t kept = 0;
    bool behind = false;
    for (uint32_t i = 0; i < points->count; ++i)
        behind |= points->items[i].depth > query->solid.radius;
    if (!behind || !is_apart(query))
        return;
    for (uint32_t i = 0; i < points->count; ++i)
        if (points->items[i].depth <= 0)
            points->items[kept++] = points->items[i];
    points->count = kept;
}

void lode__mesh_settle_capsule(const lode__mesh_query *query)
{
    if (query->out->count > 0)
        drop_passed_by(query);
    else if (query->out->silent.any)
        lode__mesh_add_point(query, &query->out->silent.point);
}
