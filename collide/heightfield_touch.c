/* heightfield_touch.c: shapes under a height field.
 *
 * The triangles of a field hold what is on them or reaches through them. What has got under the
 * surface as a whole, by a jump of the application or at great speed, touches none; a thick field
 * pushes it up all the same. One point under the shape's middle is enough, on the line through its
 * centre, so that it rises without being turned; what reaches through the surface again touches
 * triangles. */
#include "collide/mesh_touch.h"

/* The name of such a point. */
enum { UNDER = 14 };

void lode__field_lift(const lode__mesh_query *query, lode_vec3 middle)
{
    const lode__field *field = field_of(query->surface);
    lode__mesh_side side;
    if (!(field->thickness > 0) ||
        !lode__field_at(field, v3_add(query->center, middle), &side.triangle, &side.t) ||
        !gate_opens(&query->gate, side.triangle))
        return;
    side.n = lode__field_normal(field, side.triangle);
    lode_real above = field_above(&side.t, side.n);
    if (!(above > 0 && above <= field->thickness))
        return;
    lode_real reach = lode__mesh_reach_along(query, v3_neg(side.n));
    lode_real depth = reach + v3_dot(side.n, v3_add(side.t.v[0], middle));
    lode__mesh_add(query, &side, v3_scale(side.n, depth / 2 - reach), side.n, depth, UNDER);
}
