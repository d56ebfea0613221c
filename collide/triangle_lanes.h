/* triangle_lanes.h: triangles of one shape in a batch, in and out. */
#ifndef LODE_COLLIDE_TRIANGLE_LANES_H
#define LODE_COLLIDE_TRIANGLE_LANES_H

#include "collide/mesh_touch.h"
#include "collide/pair_lanes.h"

static inline void triangle_lanes_set_shape(lode__triangle_batch *batch, int lane,
                                            const lode_real size[3], const lode_vec3 axis[3])
{
    for (int i = 0; i < 3; ++i) {
        batch->size[i].x[lane] = size[i];
        lanes_set3(batch->axis[i], lane, axis[i]);
    }
}

static inline void triangle_lanes_set(lode__triangle_batch *batch, int lane,
                                      const lode__triangle *t)
{
    for (int k = 0; k < 3; ++k)
        lanes_set3(batch->v[k], lane, t->v[k]);
}

/* The unit axes of a query's shape, in the surface's. */
static inline void query_axes(const lode__mesh_query *query, lode_vec3 axis[3])
{
    lode__mat3 r = m3_from_quat(query->rotation);
    axis[0] = v3(r.r0.x, r.r1.x, r.r2.x);
    axis[1] = v3(r.r0.y, r.r1.y, r.r2.y);
    axis[2] = v3(r.r0.z, r.r1.z, r.r2.z);
}

static inline lode__solid_lines query_lines(const lode__mesh_query *query)
{
    lode_vec3 a[3], c = query->center;
    query_axes(query, a);
    return (lode__solid_lines){{c.x, c.y, c.z, 0},
                               {{a[0].x, a[0].y, a[0].z, query->size[0]},
                                {a[1].x, a[1].y, a[1].z, query->size[1]},
                                {a[2].x, a[2].y, a[2].z, query->size[2]}}};
}

/* An empty batch for the shape of a query. */
static inline void triangle_lanes_begin(lode__triangle_batch *batch, const lode__mesh_query *query)
{
    lode_vec3 axis[3];
    query_axes(query, axis);
    for (int lane = 0; lane < LODE_LANES; ++lane)
        triangle_lanes_set_shape(batch, lane, query->size, axis);
    batch->speculative = query->speculative;
    batch->two_sided = surface_two_sided(query->surface);
    batch->used = 0;
}

/* Unused lanes take the first triangle; what comes out of them is ignored. */
static inline void triangle_lanes_run(lode__triangle_batch_fn *kernel, lode__triangle_batch *batch)
{
    const lode__triangle first = {{lanes_get3(batch->v[0], 0), lanes_get3(batch->v[1], 0),
                                   lanes_get3(batch->v[2], 0)}};
    for (int lane = batch->used; lane < LODE_LANES; ++lane)
        triangle_lanes_set(batch, lane, &first);
    kernel(batch);
}

/* A bit for each of the first `used` lanes that touches. */
static inline unsigned triangle_lanes_touching(const lode__triangle_batch *batch, int used)
{
    unsigned lanes = 0;
    for (int lane = 0; lane < LODE_LANES; ++lane)
        lanes |= (unsigned)(batch->touches.x[lane] != 0) << lane;
    return lanes & ((1u << used) - 1);
}

static inline lode__mesh_side triangle_lanes_side(const lode__triangle_batch *batch, int lane,
                                                  uint32_t triangle)
{
    return (lode__mesh_side){
        .triangle = triangle,
        .t = {{lanes_get3(batch->v[0], lane), lanes_get3(batch->v[1], lane),
               lanes_get3(batch->v[2], lane)}},
        .n = lanes_get3(batch->normal, lane),
        .height = batch->height.x[lane],
        .back = batch->back.x[lane] != 0,
    };
}

#endif
