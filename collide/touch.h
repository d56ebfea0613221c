/* touch.h: what the cells of the narrow phase's matrix share. */
#ifndef LODE_COLLIDE_TOUCH_H
#define LODE_COLLIDE_TOUCH_H

#include "collide/narrow.h"
#include "core/math.h"

static inline lode_vec3 view_extents(const lode__shape_view *box)
{
    return v3(box->size[0], box->size[1], box->size[2]);
}

static inline lode_vec3 view_normal(const lode__shape_view *plane)
{
    return q_rotate(plane->rotation, v3(plane->size[0], plane->size[1], plane->size[2]));
}

/* The unit direction of a capsule's axis. */
static inline lode_vec3 view_axis(const lode__shape_view *capsule)
{
    return q_rotate(capsule->rotation, v3(0, 0, 1));
}

static inline lode_real clamp_within(lode_real x, lode_real most)
{
    return r_max(-most, r_min(x, most));
}

static inline void touch_add(lode__touch *out, lode_vec3 position, lode_real depth,
                             uint32_t feature)
{
    out->position[out->count] = position;
    out->depth[out->count] = depth;
    out->feature[out->count] = feature;
    ++out->count;
}

/* The box's axis along which a point inside is nearest to the surface. */
static inline int nearest_axis(lode_vec3 point, lode_vec3 half)
{
    lode_real x = r_abs(point.x) - half.x, y = r_abs(point.y) - half.y;
    lode_real z = r_abs(point.z) - half.z;
    if (x >= y && x >= z)
        return 0;
    return y >= z ? 1 : 2;
}

/* Pushes a centre inside the box out through the nearest face: the normal in box axes, and by
 * how much. */
static inline lode_vec3 box_way_out(lode_vec3 center, lode_vec3 half, lode_real *out_distance)
{
    const lode_real c[3] = {center.x, center.y, center.z}, h[3] = {half.x, half.y, half.z};
    int axis = nearest_axis(center, half);
    lode_real n[3] = {0, 0, 0};
    n[axis] = c[axis] < 0 ? -1 : 1;
    *out_distance = h[axis] - r_abs(c[axis]);
    return v3(n[0], n[1], n[2]);
}

#endif
