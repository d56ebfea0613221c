/* surface.c: walks over meshes and height fields alike; see surface.h. */
#include "collide/surface.h"

typedef struct mesh_walk {
    const lode__mesh *mesh;
    lode_vec3 origin;
    lode__surface_visit_fn *visit;
    void *context;
} mesh_walk;

static bool visit_triangle(void *context, uint32_t triangle)
{
    const mesh_walk *w = context;
    lode__triangle t = mesh_triangle(w->mesh, triangle);
    for (int k = 0; k < 3; ++k)
        t.v[k] = v3_sub(t.v[k], w->origin);
    return w->visit(w->context, triangle, &t);
}

bool lode__surface_walk(const lode__shape_data *surface, lode_vec3 origin, lode_vec3 lo,
                        lode_vec3 hi, lode__surface_visit_fn *visit, void *context)
{
    if (surface->type != LODE_MESH)
        return lode__field_walk(field_of(surface), origin, lo, hi, visit, context);
    mesh_walk w = {mesh_of(surface), origin, visit, context};
    return lode__mesh_walk(w.mesh, lo, hi, visit_triangle, &w);
}
