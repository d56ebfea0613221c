/* heightfield_query.c: what queries ask of height fields: see query_type.h.
 *
 * To rays a field is its surface, with a front above and a back below. To points it is a sheet too, and
 * the normal leads from it to the point; but what is within the thickness of a thick field is inside of
 * it. */
#include "collide/heightfield.h"
#include "collide/query_type.h"
#include "core/double3.h"

/* --- rays */

typedef struct field_cast {
    bool fronts, backs;
    lode__part_hit_fn *hear;
    void *context;
} field_cast;

static lode_real hear_triangle(void *context, const lode__mesh_hit *hit, lode_real most)
{
    const field_cast *cast = context;
    lode__part_hit part = {hit->t, hit->u, hit->v, (int32_t)hit->triangle, hit->back};
    bool wanted = hit->back ? cast->backs : cast->fronts;
    return wanted ? cast->hear(cast->context, &part, most) : most;
}

void lode__cast_heightfield(const lode__shape_view *shape, const lode__line *line, lode_faces faces,
                            lode_real most, lode__part_hit_fn *hear, void *context)
{
    field_cast cast = {faces != LODE_BACK_FACES, faces != LODE_FRONT_FACES, hear, context};
    lode__field_ray(field_of(shape->data), q_rotate_inv(shape->rotation, line->origin),
                    q_rotate_inv(shape->rotation, line->direction), most, hear_triangle, &cast);
}

lode__surface_point lode__end_heightfield(const lode__shape_view *shape, const lode__line *line,
                                          lode_real t, int32_t part)
{
    const lode__field *field = field_of(shape->data);
    lode_vec3 at;
    lode__field_meet(field, q_rotate_inv(shape->rotation, line->origin),
                     q_rotate_inv(shape->rotation, line->direction), t, (uint32_t)part, &at);
    return (lode__surface_point){
        q_rotate(shape->rotation, at),
        q_rotate(shape->rotation, lode__field_normal(field, (uint32_t)part))};
}

/* --- points */

lode_real lode__nearest_heightfield(const lode__shape_view *shape, lode_vec3 point,
                                    lode__surface_point *out)
{
    const lode__field *field = field_of(shape->data);
    lode__double33 turn = d33_from_quat(shape->rotation);
    lode__double3 at = d33_mul_t(&turn, d3_from(point));
    lode__field_nearest nearest;
    lode__field_find_nearest(field, at, __builtin_inf(), &nearest);
    double sign = lode__field_holds(field, at) ? -1 : 1;
    lode__double3 away = d3_scale(d3_sub(at, nearest.point), sign);
    lode__double3 normal = d3_normalize_or(away,
                                           d3_from(lode__field_normal(field, nearest.triangle)));
    out->position = d3_to(d33_mul(&turn, nearest.point));
    out->normal = d3_to(d33_mul(&turn, normal));
    return (lode_real)(sign * nearest.distance);
}
