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

typedef struct mesh_near {
    const lode__mesh *mesh;
    lode__field_near_fn *visit;
    void *context;
} mesh_near;

static double visit_near(void *context, uint32_t triangle, double most)
{
    const mesh_near *n = context;
    lode__triangle t = mesh_triangle(n->mesh, triangle);
    return n->visit(n->context, triangle, &t, most);
}

void lode__surface_search(const lode__shape_data *surface, lode__double3 lo, lode__double3 hi,
                          double most, lode__field_near_fn *visit, void *context)
{
    mesh_near n = {mesh_of(surface), visit, context};
    if (surface->type == LODE_MESH)
        lode__mesh_search(n.mesh, lo, hi, most, visit_near, &n);
    else
        lode__field_search(field_of(surface), lo, hi, most, visit, context);
}
