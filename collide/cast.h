/* cast.h: a convex solid pushed along a line, against shapes in the tree or one by one.
 *
 * As with rays (collide/ray.h) a hit is known by its distance, then by the slot of its shape, and
 * its distance is never less than where the solid's box enters the shape's own bounds; so which hit
 * is closest depends on nothing else. A shape whose bounds the box misses is not hit.
 *
 * A cast without a way to go asks what overlaps the solid where it is. */
#ifndef LODE_COLLIDE_CAST_H
#define LODE_COLLIDE_CAST_H

#include "collide/pieces.h"
#include "collide/ray.h"

typedef struct lode__cast {
    uint32_t type;
    lode__shape_view view; /* of the solid */
    lode_vec3 origin;      /* of its centre, world */
    lode_vec3 move;        /* to where it is pushed */
    lode_real length;      /* of that */
    lode__slabs slabs;     /* of its box */
} lode__cast;

typedef struct lode__cast_hit {
    lode_real distance; /* by which hits are ordered; 0 for what overlaps the solid at first */
    uint32_t shape;     /* LODE__NONE: no hit */
    int32_t child;
    lode_real share, depth;
    lode_vec3 position; /* world */
    lode_vec3 normal;   /* unit, world, from the shape to the solid */
} lode__cast_hit;

/* The view's rotation leads to world axes. */
lode__cast lode__cast_make(uint32_t type, const lode__shape_view *view, lode_vec3 origin,
                           lode_vec3 move);

static inline bool lode__cast_hit_before(const lode__cast_hit *a, const lode__cast_hit *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->shape < b->shape;
}

/* The hit on one shape, if it comes before `best`. */
void lode__cast_on_shape(const lode__scope *scope, const lode__cast *cast, uint32_t shape,
                         lode__cast_hit *best);

/* Stands behind all hits. */
static inline lode__cast_hit lode__no_cast_hit(void)
{
    return (lode__cast_hit){.distance = (lode_real)__builtin_inf(), .shape = LODE__NONE};
}

/* The closest of all shapes; true if there is one. */
bool lode__cast_closest(const lode__scope *scope, const lode__cast *cast, lode__cast_hit *out);

/* True if there is any hit. */
bool lode__cast_any(const lode__scope *scope, const lode__cast *cast);

/* Hears of hits, in no order, and says how far to look from now on; below 0 ends the query. */
typedef lode_real lode__cast_hit_fn(void *context, const lode__cast_hit *hit, lode_real most);

void lode__cast_each(const lode__scope *scope, const lode__cast *cast, lode__cast_hit_fn *hear,
                     void *context);

#endif
