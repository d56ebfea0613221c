/* triangles.c: see triangles.h. The surface's tree, or grid, gives the triangles near the
 * shape's box, and each is asked exactly: a convex solid whether it is out of it
 * (collide/triangle_apart.h); a plane by the triangle's lowest corner; another surface triangle by
 * triangle. All in the surface's axes from the shape's centre, so that nothing is lost far away. */
#include "collide/triangles.h"

#include "collide/custom.h"
#include "collide/touch.h"
#include "collide/triangle_apart.h"

typedef struct search {
    lode__convex solid; /* the shape, if it is convex, or a triangle of it */
    lode_quat rotation; /* from the shape's axes to the surface's */
    lode_vec3 center;   /* of the shape, in the surface's frame */
    lode_vec3 normal;   /* of a plane */
    lode_real offset;
    const lode__shape_data *other; /* another surface */
    lode__triangle_hear_fn *hear;
    void *context;
} search;

/* --- one triangle, with its corners as seen from the shape's centre */

static bool meets(const lode__convex *solid, lode_quat rotation, const lode_vec3 corners[3])
{
    return lode__triangle_apart(solid, rotation, corners, v3_zero()) <= 0;
}

static bool visit_by_solid(void *context, uint32_t triangle, const lode__triangle *t)
{
    const search *s = context;
    if (meets(&s->solid, s->rotation, t->v))
        s->hear(s->context, triangle);
    return true;
}

static bool visit_by_plane(void *context, uint32_t triangle, const lode__triangle *t)
{
    const search *s = context;
    lode_real low = REAL_MAX;
    for (int k = 0; k < 3; ++k)
        low = r_min(low, v3_dot(s->normal, t->v[k]));
    if (low <= s->offset)
        s->hear(s->context, triangle);
    return true;
}

/* --- another surface: its triangles near one of these, in its own axes from a corner of that
 * one */

typedef struct other_search {
    lode__triangle t;
    bool found;
} other_search;

static bool visit_other(void *context, uint32_t triangle, const lode__triangle *t)
{
    other_search *o = context;
    lode__convex own = convex_make(&lode__convex_triangle, NULL, o->t.v);
    (void)triangle;
    o->found = meets(&own, q_identity(), t->v);
    return !o->found;
}

static bool visit_by_surface(void *context, uint32_t triangle, const lode__triangle *t)
{
    const search *s = context;
    other_search o = {.found = false};
    lode_vec3 at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = q_rotate_inv(s->rotation, t->v[k]);
    lode_vec3 lo = v3_min(at[0], v3_min(at[1], at[2])), hi = v3_max(at[0], v3_max(at[1], at[2]));
    lode_vec3 far = v3_max(v3_abs(lo), v3_abs(hi));
    lode_real slack = 8 * REAL_EPSILON * (far.x + far.y + far.z);
    lode_vec3 grow = v3(slack, slack, slack);
    for (int k = 0; k < 3; ++k)
        o.t.v[k] = v3_sub(at[k], at[0]);
    lode__surface_walk(s->other, at[0], v3_sub(lo, grow), v3_add(hi, grow), visit_other, &o);
    if (o.found)
        s->hear(s->context, triangle);
    return true;
}

/* --- all of them */

static void walk_near(search *s, const lode__shape_view *surface, const lode__shape_view *turned,
                      uint32_t type, lode__surface_visit_fn *visit)
{
    lode__reach reach = lode__shape_types[type].reach(turned);
    lode_vec3 middle = v3_add(s->center, reach.middle), half = reach.half, far = v3_abs(middle);
    lode_real slack = 8 * REAL_EPSILON * (far.x + far.y + far.z + half.x + half.y + half.z);
    half = v3_add(half, v3(slack, slack, slack));
    lode__surface_walk(surface->data, s->center, v3_sub(middle, half), v3_add(middle, half), visit,
                       s);
}

static void walk_all(search *s, const lode__shape_view *surface)
{
    const lode__shape_data *data = surface->data;
    lode_bounds box = data->type == LODE_MESH
                          ? (lode_bounds){mesh_of(data)->lower, mesh_of(data)->upper}
                          : lode__field_bounds(field_of(data));
    lode__surface_walk(data, s->center, box.lower, box.upper, visit_by_plane, s);
}

/* Are there as many of its triangles as one likes? */
static bool is_endless(const lode__shape_data *surface)
{
    return surface->type == LODE_HEIGHTFIELD && field_of(surface)->wrap;
}

bool lode__triangles_touching(const lode__shape_view *surface, uint32_t type,
                              const lode__shape_view *shape, lode_vec3 offset,
                              lode__triangle_hear_fn *hear, void *context)
{
    const lode__shape_data *data = surface->data;
    search s = {.rotation = q_mul(q_conj(surface->rotation), shape->rotation),
                .center = q_rotate_inv(surface->rotation, offset),
                .other = shape->data,
                .hear = hear,
                .context = context};
    lode__shape_view turned = {shape->size, s.rotation, shape->data};
    if (lode__is_convex(type, shape->data)) {
        s.solid = convex_make(&lode__convex_types[type], shape->size, shape->data);
        walk_near(&s, surface, &turned, type, visit_by_solid);
    } else if (type == LODE_PLANE && !is_endless(data)) {
        s.normal = view_normal(&turned);
        s.offset = shape->size[3];
        walk_all(&s, surface);
    } else if (type_is_surface(type) && !(is_endless(data) && is_endless(s.other))) {
        walk_near(&s, surface, &turned, type, visit_by_surface);
    } else {
        return false;
    }
    return true;
}
