/* place.h: where a shape is now, as queries ask it: by its body's pose, whatever the last step
 * knew. */
#ifndef LODE_COLLIDE_PLACE_H
#define LODE_COLLIDE_PLACE_H

#include "collide/collide.h"
#include "collide/shape_type.h"

/* Where a shape is: its centre lies `arm` from its body's centre of mass, in world axes. */
typedef struct lode__place {
    lode__shape_view view;
    lode_vec3 body, arm;
} lode__place;

/* It lies in the middle of its body and turns with it, as most shapes do. */
static inline bool geometry_is_centered(const lode__geometry *geometry)
{
    const lode_vec3 p = geometry->center.position;
    const lode_quat q = geometry->center.rotation;
    return (p.x == 0) & (p.y == 0) & (p.z == 0) & (q.w == 1) & (q.x == 0) & (q.y == 0) & (q.z == 0);
}

static inline lode__place lode__place_on(const lode__geometry *geometry, const lode__pose *body,
                                         const void *data)
{
    if (geometry_is_centered(geometry))
        return (lode__place){.view = {geometry->size, body->rotation, data},
                             .body = body->position};
    return (lode__place){
        .view = {geometry->size, q_mul(body->rotation, geometry->center.rotation), data},
        .body = body->position,
        .arm = q_rotate(body->rotation, geometry->center.position),
    };
}

static inline lode__place lode__place_of(const lode__collide *collide, const lode__pool *bodies,
                                         uint32_t shape)
{
    const lode__geometry *geometry = LODE__AT(shape, &collide->shapes, geometry, shape);
    return lode__place_on(geometry, LODE__AT(body, bodies, pose, geometry->body),
                          *LODE__AT(shape, &collide->shapes, data, shape));
}

/* From the centre of a placed shape to a point of the world. */
static inline lode_vec3 lode__from_place(const lode__place *place, lode_vec3 point)
{
    return v3_sub(v3_sub(point, place->body), place->arm);
}

static inline lode_vec3 lode__to_world(const lode__place *place, lode_vec3 position)
{
    return v3_add(place->body, v3_add(place->arm, position));
}

/* The box around a placed shape that has bounds, for rounding. */
static inline lode__aabb lode__bounds_at(const lode__place *place, uint32_t type)
{
    lode__reach reach = lode__shape_types[type].reach(&place->view);
    return lode__make_bounds(lode__to_world(place, reach.middle), reach.half, 0);
}

/* A shape, ready to be asked. */
typedef struct lode__placed {
    uint32_t shape, type;
    lode__place place;
    bool lasts;        /* where it is, until something moves */
    lode__aabb bounds; /* of one that has bounds */
} lode__placed;

static inline lode__placed lode__placed_of(const lode__collide *collide, const lode__pool *bodies,
                                           uint32_t shape)
{
    lode__placed placed = {
        .shape = shape,
        .type = LODE__AT(shape, &collide->shapes, geometry, shape)->type,
        .place = lode__place_of(collide, bodies, shape),
    };
    if (lode__shape_types[placed.type].reach)
        placed.bounds = lode__bounds_at(&placed.place, placed.type);
    return placed;
}

#endif
