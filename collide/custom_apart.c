/* custom_apart.c: how far shapes of the application's classes are from others, by their colliders.
 *
 * A collider tells points of contact with gaps up to a margin. With a margin as wide as the shapes
 * can be apart the point with the largest depth is where they are nearest, and so a class that has
 * nothing but colliders has distances, and what follows from these: points in it, overlaps, casts
 * (collide/cast.c) and continuous collision (collide/impact.c). */
#include "collide/custom.h"

enum { MOST_POINTS = 64 };

static bool has_only_colliders(uint32_t type, const void *data)
{
    return type == LODE_CUSTOM && !custom_of(data)->own->support;
}

bool lode__custom_is_asked(uint32_t type_a, const void *data_a, uint32_t type_b, const void *data_b)
{
    return has_only_colliders(type_a, data_a) || has_only_colliders(type_b, data_b);
}

static lode_real size_of(uint32_t type, const lode__shape_view *shape)
{
    if (!lode__shape_types[type].reach)
        return r_abs(shape->size[3]);
    lode__reach reach = lode__shape_types[type].reach(shape);
    return v3_length(reach.middle) + v3_length(reach.half);
}

lode_real lode__custom_farthest(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                                const lode__shape_view *b, lode_vec3 offset)
{
    lode_real sum = v3_length(offset) + size_of(type_a, a) + size_of(type_b, b);
    return r_min(sum * (lode_real)1.001, REAL_MAX);
}

/* The deepest of the points that are any; null if none is. */
static const lode_custom_point *deepest(const lode_custom_point *points, int count,
                                        lode_real margin)
{
    const lode_custom_point *best = NULL;
    for (int i = 0; i < count && i < MOST_POINTS; ++i)
        if (lode__custom_is_point(&points[i], margin) && (!best || points[i].depth > best->depth))
            best = &points[i];
    return best;
}

bool lode__custom_apart(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                        const lode__shape_view *b, lode_vec3 offset, lode_real most,
                        lode__apart *out)
{
    lode_custom_collide_fn *collide;
    bool is_a = lode__custom_select(type_a, a->data, type_b, b->data, &collide);
    const lode__shape_view *own = is_a ? a : b, *other = is_a ? b : a;
    lode_vec3 away = is_a ? offset : v3_neg(offset);
    lode_pose pose = {q_rotate_inv(own->rotation, away),
                      q_mul(q_conj(own->rotation), other->rotation)};
    lode_custom_other theirs = lode__custom_describe(is_a ? type_b : type_a, other->size,
                                                     other->data, pose);
    lode_custom_point points[MOST_POINTS];
    int count = collide ? collide(custom_of(own->data)->bytes, &theirs, most, points, MOST_POINTS)
                        : 0;
    const lode_custom_point *best = deepest(points, count, most);
    if (!best)
        return false;
    /* the normal leads from the own surface to the other's, across the gap */
    lode_vec3 normal = v3_normalize_or(best->normal, v3(0, 0, 1));
    lode_vec3 n = q_rotate(own->rotation, normal), half = v3_scale(n, best->depth / 2);
    lode_vec3 middle = q_rotate(own->rotation, best->position);
    middle = is_a ? middle : v3_add(offset, middle);
    lode_vec3 on_own = v3_add(middle, half), on_other = v3_sub(middle, half);
    *out = (lode__apart){.distance = -best->depth,
                         .normal = is_a ? v3_neg(n) : n,
                         .on_a = is_a ? on_own : on_other,
                         .on_b = is_a ? on_other : on_own};
    return true;
}

lode_real lode__nearest_custom(const lode__shape_view *shape, lode_vec3 point,
                               lode__surface_point *out)
{
    static const lode_real no_size[4];
    const lode__shape_view at = {no_size, q_identity(), NULL};
    lode__apart apart;
    if (lode__is_convex(LODE_CUSTOM, shape->data))
        return lode__custom_convex_nearest(shape, point, out);
    *out = (lode__surface_point){point, v3(0, 0, 1)};
    lode_real most = lode__custom_farthest(LODE_CUSTOM, shape, LODE_SPHERE, &at, point);
    if (!lode__custom_apart(LODE_CUSTOM, shape, LODE_SPHERE, &at, point, most, &apart))
        return (lode_real)__builtin_inf();
    *out = (lode__surface_point){apart.on_a, v3_neg(apart.normal)};
    return apart.distance;
}
