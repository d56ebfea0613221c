/* ray.c: rays against shapes; see ray.h. */
#include "collide/ray.h"

void lode__ray_make(lode__ray *out, lode_vec3 origin, lode_vec3 direction, lode_real length,
                    lode_faces faces)
{
    lode__slabs_set_ray(&out->slabs, origin, direction);
    out->origin = origin;
    out->direction = direction;
    out->length = r_min(length, REAL_MAX);
    out->faces = faces;
}

/* --- one shape */

static lode__line line_from(const lode__ray *ray, const lode__place *place)
{
    return (lode__line){lode__from_place(place, ray->origin), ray->direction};
}

static lode__line line_of(const lode__ray *ray, const lode__placed *placed)
{
    return line_from(ray, &placed->place);
}

/* A place on the ray that belongs to a shape, whose bounds the ray enters at `bounds`. False: the
 * ray does not come to it. */
static bool set_hit(lode__hit *hit, const lode__ray *ray, const lode__placed *placed,
                    lode_real bounds, const lode__part_hit *part)
{
    hit->distance = r_max(part->t, bounds);
    hit->shape = placed->shape;
    hit->placed = placed->lasts ? placed : NULL;
    hit->on = *part;
    return part->t >= 0 && hit->distance <= ray->length;
}

/* Both ends of a span, of which those that count are told of: 0, 1 or 2, by distance. */
static int span_hits(const lode__ray *ray, const lode__placed *placed, lode_real bounds,
                     const lode__span *span, lode__hit out[2])
{
    const lode__part_hit enter = {.t = span->enter, .part = span->enter_part};
    const lode__part_hit leave = {.t = span->leave, .part = span->leave_part, .back = true};
    int count = 0;
    if (ray->faces != LODE_BACK_FACES)
        count += set_hit(&out[count], ray, placed, bounds, &enter);
    if (ray->faces != LODE_FRONT_FACES)
        count += set_hit(&out[count], ray, placed, bounds, &leave);
    return count;
}

/* Puts the first end of a span that counts in place of `best` if it comes before that. */
static bool keep_end(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode_real bounds, const lode__span *span, lode__hit *best)
{
    lode__hit hits[2];
    if (span_hits(ray, placed, bounds, span, hits) == 0 ||
        !lode__scope_sees(scope, placed->shape) || !lode__hit_before(&hits[0], best))
        return false;
    *best = hits[0];
    return true;
}

/* Where the ray runs through a convex solid. */
static bool ray_solid(const lode__ray *ray, const lode__placed *placed, lode__span *out)
{
    lode__line line = line_of(ray, placed);
    return lode__query_types[placed->type].span(&placed->place.view, &line, out);
}

/* Whether a shape is seen, once somebody asked. */
typedef enum seen { UNASKED, SEEN, UNSEEN } seen;

/* A walk over the parts of one shape. */
typedef struct part_walk {
    const lode__scope *scope;
    const lode__ray *ray;
    const lode__placed *placed;
    lode_real bounds; /* where they are entered */
    lode__gate gate;  /* of triangles */
    seen *seen;       /* of all walks over the shape */
    lode__hit_fn *hear;
    void *context;
} part_walk;

/* The shape's own filter is asked once, and only if it matters. */
static lode_real hear_part(void *context, const lode__part_hit *part, lode_real most)
{
    part_walk *walk = context;
    lode__hit hit;
    if (!set_hit(&hit, walk->ray, walk->placed, walk->bounds, part))
        return most;
    if (*walk->seen == UNASKED)
        *walk->seen = lode__scope_sees(walk->scope, walk->placed->shape) ? SEEN : UNSEEN;
    if (*walk->seen == UNSEEN)
        return -1;
    if (!gate_opens(&walk->gate, (uint32_t)part->part))
        return most;
    if (walk->scope->accept_part &&
        !walk->scope->accept_part(walk->scope->context, walk->placed->shape, part))
        return most;
    return walk->hear(walk->context, &hit, most);
}

static void ray_parts(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                      lode_real bounds, lode_real most, lode__hit_fn *hear, void *context)
{
    lode__gate gate = lode__gate_of(scope->collide, placed->shape, LODE__NONE);
    seen seen = UNASKED;
    part_walk walk = {scope, ray, placed, bounds, gate, &seen, hear, context};
    lode__line line = line_of(ray, placed);
    lode__query_types[placed->type].cast(scope->collide->kernels, &placed->place.view, &line,
                                         ray->faces, r_min(most, ray->length), hear_part, &walk);
}

typedef struct keeper {
    lode__hit *best;
    bool kept; /* a hit that came before */
} keeper;

static lode_real keep_first(void *context, const lode__hit *hit, lode_real most)
{
    keeper *k = context;
    if (!lode__hit_before(hit, k->best))
        return most;
    *k->best = *hit;
    k->kept = true;
    return hit->distance;
}

bool lode__ray_first(const lode__scope *scope, const lode__ray *ray, const lode__placed *placed,
                     lode_real enter, lode__hit *best)
{
    const lode__query_type *row = &lode__query_types[placed->type];
    keeper k = {best, false};
    lode__span span;
    if (row->cast)
        ray_parts(scope, ray, placed, enter, best->distance, keep_first, &k);
    else if (row->span && ray_solid(ray, placed, &span))
        return keep_end(scope, ray, placed, enter, &span, best);
    return k.kept;
}

static lode_real hear_parts(void *context, int lane, const lode__part_hit *part, lode_real most)
{
    part_walk *walks = context;
    return hear_part(&walks[lane], part, most);
}

/* --- several rays at one shape */

typedef struct rays_at {
    const lode__scope *scope;
    const lode__ray *rays;
    const lode__placed *placed;
    const lode_real *enter;
    lode__line_set lines;
} rays_at;

static void rays_parts(const rays_at *at, lode__hit best[LODE_LANES])
{
    part_walk walks[LODE_LANES];
    keeper keepers[LODE_LANES];
    lode__gate gate = lode__gate_of(at->scope->collide, at->placed->shape, LODE__NONE);
    seen seen = UNASKED;
    for (unsigned left = at->lines.lanes; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        keepers[i] = (keeper){&best[i], false};
        walks[i] = (part_walk){at->scope, &at->rays[i], at->placed, at->enter[i],
                               gate,      &seen,        keep_first, &keepers[i]};
    }
    lode__query_types[at->placed->type].casts(at->scope->collide->kernels, &at->placed->place.view,
                                              &at->lines, hear_parts, walks);
}

static void rays_solid(const rays_at *at, lode__hit best[LODE_LANES])
{
    lode__span spans[LODE_LANES];
    unsigned through = lode__query_types[at->placed->type].spans(
        at->scope->collide->kernels, &at->placed->place.view, &at->lines, spans);
    for (; through; through &= through - 1) {
        int i = __builtin_ctz(through);
        keep_end(at->scope, &at->rays[i], at->placed, at->enter[i], &spans[i], &best[i]);
    }
}

void lode__rays_first(const lode__scope *scope, const lode__ray *rays, unsigned lanes,
                      const lode__placed *placed, const lode_real enter[LODE_LANES],
                      lode__hit best[LODE_LANES])
{
    const lode__query_type *row = &lode__query_types[placed->type];
    bool together = (row->casts || row->spans) && lanes_are_many(lanes);
    rays_at at; /* lines of other rays are nobody's */
    at.scope = scope;
    at.rays = rays;
    at.placed = placed;
    at.enter = enter;
    at.lines.lanes = lanes;
    for (; lanes; lanes &= lanes - 1) {
        int i = __builtin_ctz(lanes);
        if (!together) {
            lode__ray_first(scope, &rays[i], placed, enter[i], &best[i]);
            continue;
        }
        at.lines.line[i] = line_of(&rays[i], placed);
        at.lines.faces[i] = rays[i].faces;
        at.lines.most[i] = r_min(best[i].distance, rays[i].length);
    }
    if (together && row->casts)
        rays_parts(&at, best);
    else if (together)
        rays_solid(&at, best);
}

/* --- places of hits */

void lode__ray_point(const lode__scope *scope, const lode__ray *ray, const lode__hit *hit,
                     lode__surface_point *out)
{
    const uint32_t type = LODE__AT(shape, &scope->collide->shapes, geometry, hit->shape)->type;
    const lode__place *place = hit->placed ? &hit->placed->place : NULL;
    lode__place now;
    if (!place) {
        now = lode__place_of(scope->collide, scope->bodies, hit->shape);
        place = &now;
    }
    lode__line line = line_from(ray, place);
    lode__query_types[type].end(&place->view, &line, &hit->on, out);
    out->position = lode__to_world(place, out->position);
}

typedef struct hit_places {
    const lode__collide *collide;
    const lode__placed *placed[LODE_LANES];
    lode__line lines[LODE_LANES];
    lode__part_hit parts[LODE_LANES];
    lode__surface_point *out;
} hit_places;

/* Those on the shape of the first, if its type takes many; a bit for each that is done. */
static unsigned end_together(hit_places *h, unsigned lanes)
{
    const lode__placed *placed = h->placed[__builtin_ctz(lanes)];
    const lode__query_type *row = &lode__query_types[placed->type];
    unsigned alike = 0;
    if (!row->ends)
        return 0;
    for (unsigned left = lanes; left; left &= left - 1)
        alike |= h->placed[__builtin_ctz(left)] == placed ? left & -left : 0;
    if (!lanes_are_many(alike))
        return 0;
    row->ends(h->collide->kernels, &placed->place.view, h->parts, alike, h->out);
    return alike;
}

/* Step by step for all: what a step has just stored is not there yet for the next one. */
void lode__ray_points(const lode__scope *scope, const lode__ray *rays, const lode__hit *hits,
                      int count, lode__surface_point *out)
{
    lode__placed now[LODE_LANES];
    hit_places h;
    unsigned lanes = 0;
    h.collide = scope->collide;
    h.out = out;
    for (int i = 0; i < count; ++i) {
        const lode__hit *hit = &hits[i];
        if (hit->shape == LODE__NONE)
            continue;
        if (!hit->placed)
            now[i] = lode__placed_of(scope->collide, scope->bodies, hit->shape);
        h.placed[i] = hit->placed ? hit->placed : &now[i];
        h.lines[i] = line_of(&rays[i], h.placed[i]);
        h.parts[i] = hit->on;
        lanes |= 1u << i;
    }
    unsigned left = lanes ? lanes & ~end_together(&h, lanes) : 0;
    for (; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        const lode__placed *placed = h.placed[i];
        lode__query_types[placed->type].end(&placed->place.view, &h.lines[i], &h.parts[i], &out[i]);
    }
    for (; lanes; lanes &= lanes - 1) {
        int i = __builtin_ctz(lanes);
        out[i].position = lode__to_world(&h.placed[i]->place, out[i].position);
    }
}

/* --- all shapes */

typedef struct ray_walk {
    const lode__scope *scope;
    const lode__ray *ray;
    lode__hit *best;
    lode_real most;
    lode__hit_fn *hear;
    void *context;
} ray_walk;

static lode_real look_closest(void *context, const lode__placed *placed, lode_real enter,
                              lode_real most)
{
    ray_walk *walk = context;
    return lode__ray_first(walk->scope, walk->ray, placed, enter, walk->best) ? walk->best->distance
                                                                              : most;
}

static lode_real stop(void *context, const lode__hit *hit, lode_real most)
{
    (void)hit;
    (void)most;
    *(bool *)context = true;
    return -1;
}

/* Keeps what the listener says, which is not known when a walk over parts ends. */
static lode_real hear_shortened(void *context, const lode__hit *hit, lode_real most)
{
    ray_walk *walk = context;
    (void)most;
    walk->most = r_min(walk->most, walk->hear(walk->context, hit, walk->most));
    return walk->most;
}

static lode_real look_each(void *context, const lode__placed *placed, lode_real enter,
                           lode_real most)
{
    ray_walk *walk = context;
    const lode__query_type *row = &lode__query_types[placed->type];
    lode__hit hits[2];
    lode__span span;
    int count = 0;
    walk->most = most;
    if (row->cast)
        ray_parts(walk->scope, walk->ray, placed, enter, most, hear_shortened, walk);
    else if (row->span && ray_solid(walk->ray, placed, &span))
        count = span_hits(walk->ray, placed, enter, &span, hits);
    if (count > 0 && !lode__scope_sees(walk->scope, placed->shape))
        count = 0;
    for (int i = 0; i < count && walk->most >= 0; ++i)
        hear_shortened(walk, &hits[i], walk->most);
    return walk->most;
}

static void walk_all(ray_walk *walk, lode__placed_fn *look)
{
    lode__walk_shapes(walk->scope, &walk->ray->slabs, walk->ray->length, look, walk);
}

void lode__ray_on_shape(const lode__scope *scope, const lode__ray *ray, uint32_t shape,
                        lode__hit *best)
{
    ray_walk walk = {.scope = scope, .ray = ray, .best = best};
    lode_real most = r_min(ray->length, best->distance);
    lode__walk_shape(scope, &ray->slabs, shape, most, look_closest, &walk);
}

bool lode__ray_closest(const lode__scope *scope, const lode__ray *ray, lode__hit *out)
{
    ray_walk walk = {.scope = scope, .ray = ray, .best = out};
    lode__hit_none(out);
    walk_all(&walk, look_closest);
    return out->shape != LODE__NONE;
}

void lode__ray_each(const lode__scope *scope, const lode__ray *ray, lode__hit_fn *hear,
                    void *context)
{
    ray_walk walk = {.scope = scope, .ray = ray, .hear = hear, .context = context};
    walk_all(&walk, look_each);
}

bool lode__ray_any(const lode__scope *scope, const lode__ray *ray)
{
    bool any = false;
    lode__ray_each(scope, ray, stop, &any);
    return any;
}
