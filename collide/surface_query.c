/* surface_query.c: what queries ask of meshes and height fields: see query_type.h.
 *
 * Rays are turned into the surface's frame and go through its tree, or its blocks. A surface has
 * fronts and backs as a solid has, those of a field above and below; of a two-sided mesh each side
 * is a front, its normal against the ray.
 *
 * The nearest point has a sign, and so an inside, only where a mesh is a solid, and within the
 * thickness of a thick field; else the normal leads from the surface to the point, as if the
 * surface were a thin sheet. */
#include "collide/kernels.h"
#include "collide/query_type.h"
#include "collide/surface.h"

/* --- rays */

typedef struct surface_cast {
    bool two_sided;
    lode_faces faces;
    lode__part_hit_fn *hear;
    void *context;
} surface_cast;

static bool is_wanted(bool two_sided, lode_faces faces, bool back)
{
    return back ? faces != LODE_FRONT_FACES || two_sided : faces != LODE_BACK_FACES;
}

static lode_real hear_triangle(void *context, const lode__part_hit *hit, lode_real most)
{
    const surface_cast *cast = context;
    return is_wanted(cast->two_sided, cast->faces, hit->back)
               ? cast->hear(cast->context, hit, most)
               : most;
}

/* A line in the surface's axes: itself, or `turned`. */
static const lode__line *line_on(const lode__shape_view *shape, const lode__line *line,
                                 lode__line *turned)
{
    const lode_quat q = shape->rotation;
    if (!view_is_turned(shape))
        return line;
    *turned = (lode__line){q_rotate_inv(q, line->origin), q_rotate_inv(q, line->direction)};
    return turned;
}

/* A place and a normal in the surface's axes, in those of the world. */
static lode__surface_point point_of(const lode__shape_view *shape, lode_vec3 at, lode_vec3 normal)
{
    if (!view_is_turned(shape))
        return (lode__surface_point){at, normal};
    return (lode__surface_point){q_rotate(shape->rotation, at), q_rotate(shape->rotation, normal)};
}

void lode__cast_surface(const lode__collide_kernels *kernels, const lode__shape_view *shape,
                        const lode__line *line, lode_faces faces, lode_real most,
                        lode__part_hit_fn *hear, void *context)
{
    const lode__shape_data *surface = shape->data;
    surface_cast cast = {surface_two_sided(surface), faces, hear, context};
    lode__line turned;
    const lode__line *own = line_on(shape, line, &turned);
    if (surface->type == LODE_MESH)
        kernels->mesh_ray(mesh_of(surface), own->origin, own->direction, most, hear_triangle,
                          &cast);
    else
        lode__field_ray(field_of(surface), own->origin, own->direction, most, hear_triangle, &cast);
}

/* --- eight rays at a mesh */

typedef struct mesh_casts {
    bool two_sided;
    const lode__line_set *lines;
    lode__part_hits_fn *hear;
    void *context;
} mesh_casts;

static lode_real hear_triangles(void *context, int lane, const lode__part_hit *hit, lode_real most)
{
    const mesh_casts *casts = context;
    return is_wanted(casts->two_sided, casts->lines->faces[lane], hit->back)
               ? casts->hear(casts->context, lane, hit, most)
               : most;
}

void lode__casts_mesh(const lode__collide_kernels *kernels, const lode__shape_view *shape,
                      const lode__line_set *lines, lode__part_hits_fn *hear, void *context)
{
    const lode__mesh *mesh = mesh_of(shape->data);
    mesh_casts casts = {mesh->two_sided, lines, hear, context};
    lode__mesh_rays rays; /* of other lanes there are none */
    rays.lanes = lines->lanes;
    for (unsigned left = lines->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        lode__line turned;
        const lode__line *own = line_on(shape, &lines->line[lane], &turned);
        rays.origin[lane] = own->origin;
        rays.direction[lane] = own->direction;
        rays.most[lane] = lines->most[lane];
    }
    kernels->mesh_rays(mesh, &rays, hear_triangles, &casts);
}

void lode__end_mesh(const lode__shape_view *shape, const lode__line *line,
                    const lode__part_hit *hit, lode__surface_point *out)
{
    const lode__mesh *mesh = mesh_of(shape->data);
    const uint32_t *corner = mesh->corners[hit->place];
    lode__triangle corners = {
        {mesh_vertex(mesh, corner[0]), mesh_vertex(mesh, corner[1]), mesh_vertex(mesh, corner[2])}};
    lode_vec3 *v = corners.v, e = v3_sub(v[1], v[0]), f = v3_sub(v[2], v[0]), normal;
    lode_vec3 at = v3_madd(v3_madd(v[0], e, hit->u), f, hit->v);
    if (!v3_normalize_plain(v3_cross(e, f), &normal))
        normal = triangle_normal(&corners);
    (void)line;
    if (mesh->two_sided && hit->back)
        normal = v3_neg(normal);
    *out = point_of(shape, at, normal);
}

void lode__ends_mesh(const lode__collide_kernels *kernels, const lode__shape_view *shape,
                     const lode__part_hit hits[LODE_LANES], unsigned lanes,
                     lode__surface_point out[LODE_LANES])
{
    for (unsigned left = kernels->mesh_ends(shape, hits, lanes, out); left; left &= left - 1) {
        int i = __builtin_ctz(left);
        lode__end_mesh(shape, NULL, &hits[i], &out[i]);
    }
}

void lode__end_heightfield(const lode__shape_view *shape, const lode__line *line,
                           const lode__part_hit *hit, lode__surface_point *out)
{
    const lode__field *field = field_of(shape->data);
    lode_vec3 at;
    lode__line turned;
    const lode__line *own = line_on(shape, line, &turned);
    lode__field_meet(field, own->origin, own->direction, hit->t, (uint32_t)hit->part, &at);
    *out = point_of(shape, at, lode__field_normal(field, (uint32_t)hit->part));
}

/* --- points */

static bool holds(const lode__shape_data *surface, const lode__mesh_nearest *nearest,
                  lode__double3 at)
{
    if (surface->type != LODE_MESH)
        return lode__field_holds(field_of(surface), at);
    return mesh_is_solid(mesh_of(surface)) && lode__mesh_is_behind(mesh_of(surface), nearest, at);
}

lode_real lode__nearest_surface(const lode__shape_view *shape, lode_vec3 point,
                                lode__surface_point *out)
{
    const lode__shape_data *surface = shape->data;
    lode__double33 turn = d33_from_quat(shape->rotation);
    lode__double3 at = d33_mul_t(&turn, d3_from(point));
    lode__mesh_nearest nearest;
    lode__surface_find_nearest(surface, v3_zero(), at, __builtin_inf(), &nearest);
    double sign = holds(surface, &nearest, at) ? -1 : 1;
    lode__double3 away = d3_scale(d3_sub(at, nearest.point), sign);
    lode__double3 normal = d3_normalize_or(away, surface_normal_of(surface, nearest.triangle));
    out->position = d3_to(d33_mul(&turn, nearest.point));
    out->normal = d3_to(d33_mul(&turn, normal));
    return (lode_real)(sign * nearest.distance);
}
