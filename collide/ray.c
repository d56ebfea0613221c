/* ray.c: rays against shapes; see ray.h. */
#include "collide/ray.h"

bool lode__scope_sees(const lode__scope *scope, uint32_t shape)
{
    if (lode__bits_get(&scope->collide->disabled, shape))
        return false;
    if (scope->unfiltered)
        return true;
    const lode__filter *filter = LODE__AT(shape, &scope->collide->shapes, filter, shape);
    return (filter->category & scope->mask) && (scope->category & filter->mask) &&
           (!scope->accept || scope->accept(scope->context, shape));
}

lode__ray lode__ray_make(lode_vec3 origin, lode_vec3 direction, lode_real length, lode_faces faces)
{
    return (lode__ray){.slabs = lode__slabs_of(origin, direction),
                       .origin = origin,
                       .direction = direction,
                       .length = r_min(length, REAL_MAX),
                       .faces = faces};
}

/* --- one shape */

/* An end of the span, if the ray comes to it. */
static int add_end(const lode__ray *ray, lode_real t, lode_real bounds, lode__hit *hit)
{
    hit->t = t;
    hit->distance = r_max(t, bounds);
    return t >= 0 && hit->distance <= ray->length;
}

lode__placed lode__placed_of(const lode__scope *scope, uint32_t shape)
{
    lode__placed placed = {
        .shape = shape,
        .type = LODE__AT(shape, &scope->collide->shapes, geometry, shape)->type,
        .place = lode__place_of(scope->collide, scope->bodies, shape),
    };
    if (lode__shape_types[placed.type].reach)
        placed.bounds = lode__bounds_at(&placed.place, placed.type);
    return placed;
}

int lode__ray_placed(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode__hit out[2])
{
    const lode__query_type *row = &lode__query_types[placed->type];
    bool bounded = lode__shape_types[placed->type].reach != NULL;
    lode_real bounds = bounded ? lode__slabs_enter(&ray->slabs, &placed->bounds, ray->length) : 0;
    lode__line line = {lode__from_place(&placed->place, ray->origin), ray->direction};
    lode__span span;
    int count = 0;
    if (!row->span || !(bounds <= ray->length) || !row->span(&placed->place.view, &line, &span))
        return 0;
    if (ray->faces != LODE_BACK_FACES) {
        out[count] = (lode__hit){.shape = placed->shape, .part = span.enter_part};
        count += add_end(ray, span.enter, bounds, &out[count]);
    }
    if (ray->faces != LODE_FRONT_FACES) {
        out[count] = (lode__hit){.shape = placed->shape, .back = true, .part = span.leave_part};
        count += add_end(ray, span.leave, bounds, &out[count]);
    }
    return count > 0 && lode__scope_sees(scope, placed->shape) ? count : 0;
}

int lode__ray_shape(const lode__scope *scope, const lode__ray *ray, uint32_t shape,
                    lode__hit out[2])
{
    lode__placed placed = lode__placed_of(scope, shape);
    return lode__ray_placed(scope, ray, &placed, out);
}

lode__surface_point lode__ray_point(const lode__scope *scope, const lode__ray *ray,
                                    const lode__hit *hit)
{
    const lode__geometry *geometry = LODE__AT(shape, &scope->collide->shapes, geometry, hit->shape);
    lode__place place = lode__place_of(scope->collide, scope->bodies, hit->shape);
    lode__line line = {lode__from_place(&place, ray->origin), ray->direction};
    lode__surface_point at = lode__query_types[geometry->type].end(&place.view, &line, hit->t,
                                                                   hit->part);
    at.position = lode__to_world(&place, at.position);
    return at;
}

/* --- all shapes */

typedef struct ray_walk {
    const lode__scope *scope;
    const lode__ray *ray;
    lode__hit best;
    lode__hit_fn *hear;
    void *context;
} ray_walk;

static inline lode_real keep_closest(ray_walk *walk, uint32_t shape, lode_real most)
{
    lode__hit hits[2];
    if (lode__ray_shape(walk->scope, walk->ray, shape, hits) > 0 &&
        lode__hit_before(&hits[0], &walk->best)) {
        walk->best = hits[0];
        return hits[0].distance;
    }
    return most;
}

static lode_real visit_closest(void *context, uint32_t shape, lode_real most)
{
    return keep_closest(context, shape, most);
}

static lode_real visit_any(void *context, uint32_t shape, lode_real most)
{
    ray_walk *walk = context;
    lode__hit hits[2];
    if (lode__ray_shape(walk->scope, walk->ray, shape, hits) == 0)
        return most;
    walk->best = hits[0];
    return -1;
}

static lode_real visit_each(void *context, uint32_t shape, lode_real most)
{
    ray_walk *walk = context;
    lode__hit hits[2];
    int count = lode__ray_shape(walk->scope, walk->ray, shape, hits);
    for (int i = 0; i < count && most >= 0; ++i)
        most = r_min(most, walk->hear(walk->context, &hits[i], most));
    return most;
}

/* Shapes without bounds first: what they hide in the tree is never looked at. */
static inline void walk_shapes(ray_walk *walk, lode__leaf_fn *visit)
{
    const lode__collide *collide = walk->scope->collide;
    lode_real most = walk->ray->length;
    for (uint32_t i = 0; i < collide->unbounded_count && most >= 0; ++i)
        most = visit(walk, collide->unbounded[i], most);
    lode__tree_cast(&collide->tree, &walk->ray->slabs, most, visit, walk);
}

static ray_walk walk_of(const lode__scope *scope, const lode__ray *ray)
{
    return (ray_walk){.scope = scope, .ray = ray, .best = lode__no_hit()};
}

bool lode__ray_closest(const lode__scope *scope, const lode__ray *ray, lode__hit *out)
{
    ray_walk walk = walk_of(scope, ray);
    walk_shapes(&walk, visit_closest);
    *out = walk.best;
    return walk.best.shape != LODE__NONE;
}

bool lode__ray_any(const lode__scope *scope, const lode__ray *ray)
{
    ray_walk walk = walk_of(scope, ray);
    walk_shapes(&walk, visit_any);
    return walk.best.shape != LODE__NONE;
}

void lode__ray_each(const lode__scope *scope, const lode__ray *ray, lode__hit_fn *hear,
                    void *context)
{
    ray_walk walk = walk_of(scope, ray);
    walk.hear = hear;
    walk.context = context;
    walk_shapes(&walk, visit_each);
}
