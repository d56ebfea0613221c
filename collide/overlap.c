/* overlap.c: whether shapes overlap, exactly; see overlap.h.
 *
 * Two convex solids overlap when their cores are no farther apart than both radii, which the walk
 * of collide/gjk.h decides as soon as its bounds do: how far, or how deep, need not be known. All
 * other pairs are asked for their distance. */
#include "collide/overlap.h"

#include "collide/custom.h"
#include "collide/gjk.h"

static lode__convex convex_of(uint32_t type, const lode__shape_view *shape)
{
    return convex_make(&lode__convex_types[type], shape->size, shape->data);
}

bool lode__shapes_overlap(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                          const lode__shape_view *b, lode_vec3 offset)
{
    lode__apart apart;
    if (lode__custom_is_asked(type_a, a->data, type_b, b->data))
        return lode__custom_apart(type_a, a, type_b, b, offset, 0, &apart);
    if (!lode__is_convex(type_a, a->data) || !lode__is_convex(type_b, b->data)) {
        return lode__find_apart(type_a, a, type_b, b, offset, &apart) && apart.distance <= 0;
    }
    lode__convex solid_a = convex_of(type_a, a), solid_b = convex_of(type_b, b);
    lode__convex_pair pair = lode__convex_pair_make(solid_a, a->rotation, solid_b, b->rotation,
                                                    offset);
    lode__nearest nearest;
    double reach = solid_a.radius + solid_b.radius;
    return !lode__gjk_distance(&pair, reach, &nearest, NULL) || nearest.gap <= reach;
}
