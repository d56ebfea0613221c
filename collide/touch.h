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

static inline void touch_add(lode__touch *out, lode_vec3 position, lode_real depth,
                             uint32_t feature)
{
    out->position[out->count] = position;
    out->depth[out->count] = depth;
    out->feature[out->count] = feature;
    ++out->count;
}

#endif
