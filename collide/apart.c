/* apart.c: see apart.h.
 *
 * A solid is a core and a radius: the cores' distance comes from collide/gjk.h, and the radii are
 * taken off along the normal. Where a core is deep inside the other that stays right, since a solid
 * parts from another when its core is as far away as both radii. Against a plane the solid's lowest
 * point decides, which its support function finds at once. */
#include "collide/apart.h"

#include "collide/custom.h"
#include "collide/gjk.h"
#include "collide/surface.h"
#include "collide/touch.h"

static lode__convex convex_of(uint32_t type, const lode__shape_view *shape)
{
    return convex_make(&lode__convex_types[type], shape->size, shape->data);
}

static void between_convex(lode__convex a, lode_quat rotation_a, lode__convex b,
                           lode_quat rotation_b, lode_vec3 offset, lode__apart *out)
{
    lode__convex_pair pair = lode__convex_pair_make(a, rotation_a, b, rotation_b, offset);
    lode__nearest nearest;
    lode__gjk_nearest(&pair, __builtin_inf(), &nearest);
    lode__double3 on_a = d3_madd(nearest.on_a, nearest.normal, -a.radius);
    lode__double3 on_b = d3_madd(nearest.on_b, nearest.normal, b.radius);
    *out = (lode__apart){.distance = (lode_real)(nearest.gap - a.radius - b.radius),
                         .normal = q_rotate(rotation_a, d3_to(nearest.normal)),
                         .on_a = q_rotate(rotation_a, d3_to(on_a)),
                         .on_b = q_rotate(rotation_a, d3_to(on_b))};
}

/* a is convex, b the plane. */
static void above_plane(lode__convex a, lode_quat rotation, const lode__shape_view *plane,
                        lode_vec3 offset, lode__apart *out)
{
    out->normal = view_normal(plane);
    lode__double3 down = d3_from(q_rotate_inv(rotation, v3_neg(out->normal)));
    lode_vec3 core = q_rotate(rotation, d3_to(a.type->support(&a, down)));
    out->on_a = v3_madd(core, out->normal, -(lode_real)a.radius);
    out->distance = v3_dot(out->normal, v3_sub(out->on_a, offset)) - plane->size[3];
    out->on_b = v3_madd(out->on_a, out->normal, -out->distance);
}

bool lode__find_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                      const lode__shape_view *b, lode_vec3 offset, lode__apart *out)
{
    bool convex_a = lode__is_convex(type_a, a->data), convex_b = lode__is_convex(type_b, b->data);
    if (lode__custom_is_asked(type_a, a->data, type_b, b->data))
        return lode__custom_apart(type_a, a, type_b, b, offset,
                                  lode__custom_farthest(type_a, a, type_b, b, offset), out);
    if (convex_a && convex_b) {
        between_convex(convex_of(type_a, a), a->rotation, convex_of(type_b, b), b->rotation, offset,
                       out);
        return true;
    }
    if (convex_a && type_b == LODE_PLANE) {
        above_plane(convex_of(type_a, a), a->rotation, b, offset, out);
        return true;
    }
    if (type_is_surface(type_a))
        return lode__surface_apart(type_a, a, type_b, b, offset, out);
    if (!(type_a == LODE_PLANE && convex_b) && !type_is_surface(type_b))
        return false;
    lode__apart swapped;
    if (!lode__find_apart(type_b, b, type_a, a, v3_neg(offset), &swapped))
        return false;
    *out = apart_swapped(&swapped, offset);
    return true;
}
