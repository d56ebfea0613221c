/* touch_cylinder.c: cylinders against spheres in closed form, against boxes, capsules and cylinders
 * by the general methods. Against planes: collide/touch_plane.h. */
#include "collide/touch.h"
#include "collide/touch_convex.h"

/* --- against a sphere */

/* The normal out of the cylinder, in its axes, and how far outside the point is. */
static lode_vec3 leave_cylinder(const lode_real size[4], lode_vec3 at, lode_real *out_distance)
{
    lode_real from_axis = r_sqrt(at.x * at.x + at.y * at.y);
    lode_real across = from_axis - size[0], along = r_abs(at.z) - size[1];
    lode_vec3 outward = v3_normalize_or(v3(at.x, at.y, 0), v3(1, 0, 0));
    lode_vec3 upward = v3(0, 0, at.z < 0 ? -1 : 1);
    if (across > 0 && along > 0) { /* the rim is nearest */
        lode_vec3 apart = v3_add(v3_scale(outward, across), v3_scale(upward, along));
        *out_distance = v3_length(apart);
        return v3_normalize_or(apart, upward);
    }
    *out_distance = r_max(across, along);
    return across > along ? outward : upward;
}

void lode__touch_sphere_cylinder(const lode__shape_view *a, const lode__shape_view *b,
                                 lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_real radius = a->size[0], distance;
    lode_vec3 at = q_rotate_inv(b->rotation, v3_neg(offset));
    lode_vec3 normal = leave_cylinder(b->size, at, &distance);
    lode_real depth = radius - distance;
    if (!(depth > -speculative))
        return;
    out->normal = q_rotate(b->rotation, normal);
    touch_add(out, v3_scale(out->normal, depth / 2 - radius), depth, 1);
}

/* --- by the general methods */

void lode__touch_cylinder_box(const lode__shape_view *a, const lode__shape_view *b,
                              lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_BOX], b->size, NULL), b->rotation,
                       offset, speculative, out);
}

void lode__touch_cylinder_capsule(const lode__shape_view *a, const lode__shape_view *b,
                                  lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_CAPSULE], b->size, NULL), b->rotation,
                       offset, speculative, out);
}

void lode__touch_cylinder_cylinder(const lode__shape_view *a, const lode__shape_view *b,
                                   lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode__touch_convex(convex_make(&lode__convex_types[LODE_CYLINDER], a->size, NULL), a->rotation,
                       convex_make(&lode__convex_types[LODE_CYLINDER], b->size, NULL), b->rotation,
                       offset, speculative, out);
}
