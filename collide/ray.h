/* ray.h: rays against shapes, in the tree or one by one.
 *
 * A hit is known by its distance, then by the slot of its shape, then by which end of the solid it
 * is, then by the part of the shape; hits are equal in no two of these, so the closest, and the
 * order of many, depends on nothing else: not on the form of the tree, nor on the order in which
 * shapes are looked at.
 *
 * For that to hold to the last bit a distance is never less than where the ray enters the shape's
 * bounds, those it has now: else rounding could put a hit in front of a box that holds it, and a
 * tree of other boxes would find another shape closest. Far from the origin the two differ by
 * rounding, elsewhere the bounds are entered first anyway. A shape whose bounds the ray misses is
 * not hit. */
#ifndef LODE_COLLIDE_RAY_H
#define LODE_COLLIDE_RAY_H

#include "collide/walk.h"
#include "lode/query.h"

typedef struct lode__ray {
    lode__slabs slabs;
    lode_vec3 origin, direction; /* unit */
    lode_real length;            /* at most REAL_MAX */
    lode_faces faces;
} lode__ray;

typedef struct lode__hit {
    lode_real distance; /* by which hits are ordered */
    uint32_t shape;     /* LODE__NONE: no hit */
    const lode__placed *placed; /* the shape, if that lasts; else null */
    lode__part_hit on;          /* its distance unrounded by bounds */
} lode__hit;

static inline bool lode__hit_before(const lode__hit *a, const lode__hit *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->shape != b->shape)
        return a->shape < b->shape;
    return a->on.back != b->on.back ? a->on.back < b->on.back : a->on.part < b->on.part;
}

/* A ray from `origin` along `direction`, a unit vector. */
void lode__ray_make(lode__ray *out, lode_vec3 origin, lode_vec3 direction, lode_real length,
                    lode_faces faces);

/* Puts the first hit on a shape, whose bounds the ray enters at `enter`, in place of `best` if it
 * comes before that; true if it did. */
bool lode__ray_first(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode_real enter, lode__hit *best);

/* The same of up to eight rays, a bit for each, that enter the shape's bounds. */
void lode__rays_first(const lode__scope *scope, const lode__ray *rays, unsigned lanes,
                      const lode__placed *placed, const lode_real enter[LODE_LANES],
                      lode__hit best[LODE_LANES]);

/* Hears of hits, in no order, and says how far the ray is to be followed from now on; below 0 ends
 * the query. */
typedef lode_real lode__hit_fn(void *context, const lode__hit *hit, lode_real most);

/* Stands behind all hits. */
static inline void lode__hit_none(lode__hit *out)
{
    out->distance = (lode_real)__builtin_inf();
    out->shape = LODE__NONE;
    out->placed = NULL;
}

/* ray_batch.c: the closest hits of up to LODE_LANES rays, as lode__ray_closest() finds them. */
void lode__ray_closest_batch(const lode__scope *scope, const lode__ray *rays, int count,
                             lode__hit *out);

/* The first hit on one shape, if it comes before `best`. */
void lode__ray_on_shape(const lode__scope *scope, const lode__ray *ray, uint32_t shape,
                        lode__hit *best);

/* The closest of all shapes; true if there is one. */
bool lode__ray_closest(const lode__scope *scope, const lode__ray *ray, lode__hit *out);

/* True if there is any hit. */
bool lode__ray_any(const lode__scope *scope, const lode__ray *ray);

void lode__ray_each(const lode__scope *scope, const lode__ray *ray, lode__hit_fn *hear,
                    void *context);

/* Where on its shape a hit is, in world coordinates. */
void lode__ray_point(const lode__scope *scope, const lode__ray *ray, const lode__hit *hit,
                     lode__surface_point *out);

/* Where on their shapes the hits of up to LODE_LANES rays are; nothing where there is none. */
void lode__ray_points(const lode__scope *scope, const lode__ray *rays, const lode__hit *hits,
                      int count, lode__surface_point *out);

#endif
