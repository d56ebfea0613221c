/* surface.c: walks over meshes and height fields alike, and what of them is nearest; see
 * surface.h. */
#include "collide/surface.h"

/* --- near a box */

typedef struct mesh_walk {
    const lode__mesh *mesh;
    lode_vec3 origin;
    lode__surface_visit_fn *visit;
    void *context;
} mesh_walk;

static bool visit_triangle(void *context, uint32_t triangle)
{
    const mesh_walk *w = context;
    lode__triangle t = mesh_triangle_from(w->mesh, triangle, w->origin);
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

/* --- nearest to a box */

typedef struct mesh_near {
    const lode__mesh *mesh;
    lode_vec3 origin;
    lode__field_near_fn *visit;
    void *context;
} mesh_near;

static double visit_near(void *context, uint32_t triangle, double most)
{
    const mesh_near *n = context;
    lode__triangle t = mesh_triangle_from(n->mesh, triangle, n->origin);
    return n->visit(n->context, triangle, &t, most);
}

void lode__surface_search(const lode__shape_data *surface, lode_vec3 origin, lode__double3 lo,
                          lode__double3 hi, double most, lode__field_near_fn *visit, void *context)
{
    mesh_near n = {mesh_of(surface), origin, visit, context};
    if (surface->type == LODE_MESH)
        lode__mesh_search(n.mesh, lo, hi, most, visit_near, &n);
    else
        lode__field_search(field_of(surface), origin, lo, hi, most, visit, context);
}

/* --- nearest to a point */

typedef struct nearest_search {
    lode__double3 point;
    lode__mesh_nearest *out;
} nearest_search;

static double visit_nearest(void *context, uint32_t triangle, const lode__triangle *t, double most)
{
    const nearest_search *s = context;
    lode__double3 v[3] = {d3_from(t->v[0]), d3_from(t->v[1]), d3_from(t->v[2])};
    int where;
    lode__double3 at = lode__nearest_on(v, s->point, &where);
    double distance = d3_length(d3_sub(s->point, at));
    /* the first one counts also where the distance overflows */
    if (!(distance < most || (s->out->triangle == LODE__NONE && !(distance > most))))
        return most;
    *s->out = (lode__mesh_nearest){at, distance, triangle, where};
    return distance;
}

bool lode__surface_find_nearest(const lode__shape_data *surface, lode_vec3 origin,
                                lode__double3 point, double most, lode__mesh_nearest *out)
{
    nearest_search s = {point, out};
    lode__double3 at = d3_add(d3_from(origin), point);
    out->triangle = LODE__NONE;
    lode__surface_search(surface, origin, at, at, most, visit_nearest, &s);
    return out->triangle != LODE__NONE;
}

/* Meshes are seen from their own origin, so nothing is rounded. */
bool lode__surface_is_behind(const lode__shape_data *surface, lode_vec3 origin,
                             const lode__mesh_nearest *nearest, lode__double3 point)
{
    if (surface->type != LODE_MESH)
        return lode__field_is_over(field_of(surface), d3_add(d3_from(origin), point));
    lode__mesh_nearest own = *nearest;
    own.point = d3_add(d3_from(origin), own.point);
    return lode__mesh_is_behind(mesh_of(surface), &own, d3_add(d3_from(origin), point));
}

bool lode__surface_holds(const lode__shape_data *surface, lode__double3 point)
{
    lode__mesh_nearest nearest;
    if (surface->type != LODE_MESH)
        return lode__field_holds(field_of(surface), point);
    return mesh_is_solid(mesh_of(surface)) &&
           lode__surface_find_nearest(surface, v3_zero(), point, __builtin_inf(), &nearest) &&
           lode__mesh_is_behind(mesh_of(surface), &nearest, point);
}

/* --- along a line */

void lode__surface_ray(const lode__shape_data *surface, lode_vec3 origin, lode_vec3 direction,
                       lode_real length, lode__part_hit_fn *hear, void *context)
{
    if (surface->type == LODE_MESH)
        lode__mesh_ray(mesh_of(surface), origin, direction, length, hear, context);
    else
        lode__field_ray(field_of(surface), origin, direction, length, hear, context);
}

/* --- along a direction */

void lode__surface_reach(const lode__shape_data *surface, lode__double3 direction, double limit,
                         lode__reach_fn *visit, void *context)
{
    if (surface->type == LODE_MESH)
        lode__mesh_reach(mesh_of(surface), direction, limit, visit, context);
    else
        lode__field_reach(field_of(surface), direction, limit, visit, context);
}

typedef struct support {
    lode__double3 direction, best;
} support;

static double visit_farther(void *context, uint32_t triangle, const lode__triangle *t, double most)
{
    support *s = context;
    (void)triangle;
    for (int k = 0; k < 3; ++k) {
        lode__double3 v = d3_from(t->v[k]);
        if (d3_dot(v, s->direction) > most) {
            most = d3_dot(v, s->direction);
            s->best = v;
        }
    }
    return most;
}

lode__double3 lode__surface_support(const lode__shape_data *surface, lode__double3 direction)
{
    support s = {direction, {0, 0, 0}};
    lode__surface_reach(surface, direction, -__builtin_inf(), visit_farther, &s);
    return surface->type == LODE_MESH
               ? s.best
               : d3_add(s.best, lode__field_farthest_repetition(field_of(surface), direction));
}
