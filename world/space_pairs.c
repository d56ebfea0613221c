/* space_pairs.c: which shapes of two spaces are near each other.
 *
 * Pairs come from the world's tree, like those of steps, with the bounds that shapes have now.
 * Each is found from its lower slot, of a plane, which has no bounds, from the other. As many as
 * are wanted are kept in the order of slots (core/heap.h). */
#include "world/space.h"

#include "collide/touch.h"
#include "core/heap.h"
#include "world/check.h"
#include "world/query.h"

typedef struct pair_search {
    uint32_t a, b; /* spaces; b LODE__NONE: the one shape that all are held against */
    const lode__query *query;
    lode__placed one; /* the shape whose pairs are looked for */
    bool in_a, in_b;
    lode__heap heap;
} pair_search;

static bool pair_before(const void *pa, const void *pb)
{
    const lode_shape_pair *p = pa, *q = pb;
    return p->a.id != q->a.id ? id_slot(p->a.id) < id_slot(q->a.id)
                              : id_slot(p->b.id) < id_slot(q->b.id);
}

bool lode__box_reaches(const lode__placed *plane, const lode__aabb *box)
{
    lode_vec3 n = view_normal(&plane->place.view);
    lode_vec3 low = v3(n.x > 0 ? box->lo[0] : box->hi[0], n.y > 0 ? box->lo[1] : box->hi[1],
                       n.z > 0 ? box->lo[2] : box->hi[2]);
    return v3_dot(n, lode__from_place(&plane->place, low)) <= plane->place.view.size[3];
}

static bool may_pair(const pair_search *s, uint32_t other)
{
    const lode__world *world = s->query->world;
    uint32_t one = s->one.shape;
    const lode__filter *a = SHAPE(world, filter, one), *b = SHAPE(world, filter, other);
    return !lode__bits_get(&world->collide.disabled, other) &&
           SHAPE(world, geometry, one)->body != SHAPE(world, geometry, other)->body &&
           lode__filters_agree(&world->collide, a, b);
}

static bool is_near(const pair_search *s, uint32_t other)
{
    lode__placed placed = lode__placed_of(s->query->scope.collide, s->query->scope.bodies, other);
    if (!lode__shape_types[s->one.type].reach)
        return lode__shape_types[placed.type].reach && lode__box_reaches(&s->one, &placed.bounds);
    return lode__shape_types[placed.type].reach
               ? boxes_overlap(&s->one.bounds, &placed.bounds)
               : lode__box_reaches(&placed, &s->one.bounds);
}

/* Of two spaces. */
static void look_at(pair_search *s, uint32_t other)
{
    const lode__world *world = s->query->world;
    lode_shape one = shape_handle(world, s->one.shape), two = shape_handle(world, other);
    if (!may_pair(s, other))
        return;
    bool forward = s->in_a && lode__space_has(world, s->b, two);
    if (!forward && !(s->in_b && lode__space_has(world, s->a, two)))
        return;
    if (!is_near(s, other))
        return;
    lode_shape_pair pair = {forward ? one : two, forward ? two : one};
    lode__heap_offer(&s->heap, &pair);
}

static void look_around(pair_search *s)
{
    const lode__collide *collide = &s->query->world->collide;
    const lode__aabb *box = &s->one.bounds;
    lode__node area = {.lo = {box->lo[0], box->lo[1], box->lo[2]},
                       .hi = {box->hi[0], box->hi[1], box->hi[2]}};
    uint32_t cursor = 0, other;
    while ((other = lode__tree_next(&collide->tree, &area, &cursor)) != LODE__NONE)
        if (other > s->one.shape)
            look_at(s, other);
    for (uint32_t i = 0; i < collide->unbounded_count; ++i)
        look_at(s, collide->unbounded[i]);
}

static lode__heap heap_of(lode_shape_pair *out_pairs, int capacity)
{
    return (lode__heap){.items = (char *)out_pairs,
                        .size = sizeof *out_pairs,
                        .before = pair_before,
                        .capacity = capacity};
}

int lode_space_find_pairs(lode_space a, lode_space b, lode_shape_pair *out_pairs, int capacity)
{
    lode__object sa, sb;
    lode__query query;
    if (lode__open_space(&sa, a, __func__, "a") ||
        lode__open_space_of(&sb, sa.world, b, __func__, "b") ||
        lode__query_begin(&query, (lode_world){sa.world->id}, NULL, __func__) ||
        lode__check_capacity(out_pairs, capacity, __func__, "out_pairs"))
        return 0;
    pair_search s = {
        .a = sa.slot, .b = sb.slot, .query = &query, .heap = heap_of(out_pairs, capacity)};
    const lode__bits *alive = &sa.world->collide.shapes.alive;
    for (uint32_t slot = lode__bits_next(alive, 0); slot != UINT32_MAX;
         slot = lode__bits_next(alive, slot + 1)) {
        lode_shape shape = shape_handle(sa.world, slot);
        s.in_a = lode__space_has(sa.world, s.a, shape);
        s.in_b = s.a == s.b ? s.in_a : lode__space_has(sa.world, s.b, shape);
        if (!(s.in_a || s.in_b) || lode__bits_get(&sa.world->collide.disabled, slot) ||
            !shape_is_bounded(SHAPE(sa.world, geometry, slot)))
            continue;
        s.one = lode__placed_of(query.scope.collide, query.scope.bodies, slot);
        look_around(&s);
    }
    lode__heap_sort(&s.heap);
    return s.heap.offered;
}

int lode_space_find_pairs_with(lode_space space, lode_shape shape, lode_shape_pair *out_pairs,
                               int capacity)
{
    lode__object s;
    lode__query query;
    if (lode__open_space(&s, space, __func__, "space"))
        return 0;
    if (!shape_is_of(s.world, shape)) {
        lode__refuse_shape(shape, __func__, "shape");
        return 0;
    }
    if (lode__query_begin(&query, (lode_world){s.world->id}, NULL, __func__) ||
        lode__check_capacity(out_pairs, capacity, __func__, "out_pairs"))
        return 0;
    uint32_t slot = id_slot(shape.id);
    pair_search search = {.a = s.slot,
                          .b = LODE__NONE,
                          .query = &query,
                          .one = lode__placed_of(query.scope.collide, query.scope.bodies, slot),
                          .heap = heap_of(out_pairs, capacity)};
    if (lode__bits_get(&s.world->collide.disabled, slot))
        return 0;
    for (uint32_t other = lode__space_next(s.world, s.slot, 0); other != LODE__NONE;
         other = lode__space_next(s.world, s.slot, other + 1)) {
        lode_shape_pair pair = {shape_handle(s.world, other), shape};
        if (other != slot && may_pair(&search, other) && is_near(&search, other))
            lode__heap_offer(&search.heap, &pair);
    }
    lode__heap_sort(&search.heap);
    return search.heap.offered;
}
