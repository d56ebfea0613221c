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

/* Where the ray enters the shape's bounds; NaN or beyond its length if it does not. */
static lode_real enter_bounds(const lode__ray *ray, const lode__placed *placed)
{
    bool bounded = lode__shape_types[placed->type].reach != NULL;
    return bounded ? lode__slabs_enter(&ray->slabs, &placed->bounds, ray->length) : 0;
}

static lode__line line_of(const lode__ray *ray, const lode__placed *placed)
{
    return (lode__line){lode__from_place(&placed->place, ray->origin), ray->direction};
}

/* A convex solid's hits, by distance: 0, 1 or 2. */
static int ray_solid(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode_real bounds, lode__hit out[2])
{
    lode__line line = line_of(ray, placed);
    lode__span span;
    int count = 0;
    if (!lode__query_types[placed->type].span(&placed->place.view, &line, &span))
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

/* A walk over the parts of one shape. */
typedef struct part_walk {
    const lode__scope *scope;
    const lode__ray *ray;
    uint32_t shape;
    lode_real bounds; /* where they are entered */
    bool asked;       /* whether the shape is seen */
    lode__gate gate;  /* of triangles */
    lode__hit_fn *hear;
    void *context;
} part_walk;

/* The shape's own filter is asked once, and only if it matters. */
static lode_real hear_part(void *context, const lode__part_hit *part, lode_real most)
{
    part_walk *walk = context;
    lode__hit hit = {
        .shape = walk->shape, .back = part->back, .part = part->part, .u = part->u, .v = part->v};
    if (!add_end(walk->ray, part->t, walk->bounds, &hit))
        return most;
    if (!walk->asked && !lode__scope_sees(walk->scope, walk->shape))
        return -1;
    walk->asked = true;
    if (!gate_opens(&walk->gate, (uint32_t)part->part))
        return most;
    if (walk->scope->accept_part &&
        !walk->scope->accept_part(walk->scope->context, walk->shape, part))
        return most;
    return walk->hear(walk->context, &hit, most);
}

static void ray_parts(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                      lode_real bounds, lode_real most, lode__hit_fn *hear, void *context)
{
    lode__gate gate = lode__gate_of(scope->collide, placed->shape, LODE__NONE);
    part_walk walk = {scope, ray, placed->shape, bounds, false, gate, hear, context};
    lode__line line = line_of(ray, placed);
    lode__query_types[placed->type].cast(&placed->place.view, &line, ray->faces,
                                         r_min(most, ray->length), hear_part, &walk);
}

static lode_real keep_first(void *context, const lode__hit *hit, lode_real most)
{
    lode__hit *best = context;
    if (!lode__hit_before(hit, best))
        return most;
    *best = *hit;
    return hit->distance;
}

bool lode__ray_first(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode__hit *best)
{
    const lode__query_type *row = &lode__query_types[placed->type];
    lode_real bounds = enter_bounds(ray, placed);
    if (!(bounds <= ray->length))
        return false;
    if (row->cast) {
        lode__hit before = *best;
        if (bounds <= best->distance)
            ray_parts(scope, ray, placed, bounds, best->distance, keep_first, best);
        return lode__hit_before(best, &before);
    }
    lode__hit hits[2];
    if (!row->span || ray_solid(scope, ray, placed, bounds, hits) == 0 ||
        !lode__hit_before(&hits[0], best))
        return false;
    *best = hits[0];
    return true;
}

/* Keeps what the listener says, which is not known when a walk over parts ends. */
typedef struct shortened {
    lode_real most;
    lode__hit_fn *hear;
    void *context;
} shortened;

static lode_real hear_shortened(void *context, const lode__hit *hit, lode_real most)
{
    shortened *s = context;
    (void)most;
    s->most = r_min(s->most, s->hear(s->context, hit, s->most));
    return s->most;
}

lode_real lode__ray_shape(const lode__scope *scope, const lode__ray *ray, uint32_t shape,
                          lode_real most, lode__hit_fn *hear, void *context)
{
    lode__placed placed = lode__placed_of(scope, shape);
    const lode__query_type *row = &lode__query_types[placed.type];
    lode_real bounds = enter_bounds(ray, &placed);
    shortened s = {most, hear, context};
    if (!(bounds <= ray->length))
        return most;
    if (row->cast) {
        ray_parts(scope, ray, &placed, bounds, most, hear_shortened, &s);
        return s.most;
    }
    lode__hit hits[2];
    int count = row->span ? ray_solid(scope, ray, &placed, bounds, hits) : 0;
    for (int i = 0; i < count && s.most >= 0; ++i)
        hear_shortened(&s, &hits[i], s.most);
    return s.most;
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

static lode_real visit_closest(void *context, uint32_t shape, lode_real most)
{
    ray_walk *walk = context;
    lode__placed placed = lode__placed_of(walk->scope, shape);
    return lode__ray_first(walk->scope, walk->ray, &placed, &walk->best) ? walk->best.distance
                                                                         : most;
}

static lode_real stop(void *context, const lode__hit *hit, lode_real most)
{
    (void)most;
    *(lode__hit *)context = *hit;
    return -1;
}

static lode_real visit_any(void *context, uint32_t shape, lode_real most)
{
    ray_walk *walk = context;
    return lode__ray_shape(walk->scope, walk->ray, shape, most, stop, &walk->best);
}

static lode_real visit_each(void *context, uint32_t shape, lode_real most)
{
    ray_walk *walk = context;
    return lode__ray_shape(walk->scope, walk->ray, shape, most, walk->hear, walk->context);
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
