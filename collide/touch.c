/* touch.c: the simple cells of the narrow phase's matrix, one pair at a time.
 *
 * Depth is along the normal: how far the shapes must part. Every normal is a unit vector, even
 * where the geometry leaves it open (concentric spheres, a centre inside a box). */
#include "collide/touch.h"

/* The only feature of a pair that touches in one point. */
enum { ONLY_FEATURE = 1 };

void lode__touch_sphere_sphere(const lode__shape_view *a, const lode__shape_view *b,
                               lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_real radius_a = a->size[0], radius_b = b->size[0];
    lode_real distance = v3_length(offset);
    lode_real depth = radius_a + radius_b - distance;
    if (!(depth > -speculative))
        return;
    out->normal = v3_normalize_or(v3_neg(offset), v3(0, 0, 1));
    touch_add(out, v3_scale(out->normal, depth / 2 - radius_a), depth, ONLY_FEATURE);
}

void lode__touch_sphere_box(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                            lode_real speculative, lode__touch *out)
{
    lode_real radius = a->size[0], inside;
    lode_vec3 half = view_extents(b), center = q_rotate_inv(b->rotation, v3_neg(offset));
    lode_vec3 nearest = v3_min(v3_max(center, v3_neg(half)), half);
    lode_vec3 apart = v3_sub(center, nearest);
    lode_vec3 normal = v3_normalize_or(apart, v3_zero());
    lode_real depth = radius - v3_dot(apart, normal);
    if (v3_dot(normal, normal) == 0) {
        normal = box_way_out(center, half, &inside);
        depth = radius + inside;
    }
    if (!(depth > -speculative))
        return;
    out->normal = q_rotate(b->rotation, normal);
    touch_add(out, v3_scale(out->normal, depth / 2 - radius), depth, ONLY_FEATURE);
}

void lode__touch_sphere_plane(const lode__shape_view *a, const lode__shape_view *b,
                              lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    lode_vec3 normal = view_normal(b);
    lode_real height = -v3_dot(normal, offset) - b->size[3]; /* of the sphere's centre */
    lode_real depth = a->size[0] - height;
    if (!(depth > -speculative))
        return;
    out->normal = normal;
    touch_add(out, v3_scale(normal, depth / 2 - a->size[0]), depth, ONLY_FEATURE);
}

/* The corners of the face that looks most straight at the plane. The deepest corner is always
 * among them. A corner is named by its signs: bit i is set where coordinate i is positive. */
void lode__touch_box_plane(const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                           lode_real speculative, lode__touch *out)
{
    lode_vec3 normal = view_normal(b), half = view_extents(a);
    lode_vec3 local = q_rotate_inv(a->rotation, normal), size = v3_abs(local);
    lode_real height = -v3_dot(normal, offset) - b->size[3]; /* of the box's centre */
    const lode_real n[3] = {local.x, local.y, local.z};
    int face = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    uint32_t face_bit = n[face] > 0 ? 0 : 1u << face;

    out->normal = normal;
    for (uint32_t corner = 0; corner < 8; ++corner) {
        if ((corner & 1u << face) != face_bit)
            continue;
        lode_vec3 at = v3(corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                          corner & 4 ? half.z : -half.z);
        lode_real depth = -(height + v3_dot(local, at));
        if (depth > -speculative)
            touch_add(out, v3_madd(q_rotate(a->rotation, at), normal, depth / 2), depth,
                      corner + 1);
    }
}
