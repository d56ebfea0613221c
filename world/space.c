/* space.c: spaces: sets of shapes that hold handles and nothing else; see lode/space.h.
 *
 * A space has the handles of its shapes, sorted by slot, and a list of the spaces within it. No
 * shape knows its spaces: one that was destroyed is in none, because its handle is stale, and is
 * left out when the array is next written to. Lists and pairs walk over the world's shapes and
 * ask who is in, so their order is that of slots whatever was added when. */
#include "world/space.h"

#include "collide/place.h"
#include "collide/touch.h"
#include "core/heap.h"
#include "core/memory.h"
#include "world/check.h"
#include "world/query.h"

#include <string.h>

struct lode_space {
    lode_world world;
    lode_space *parent, *first, *next; /* the first within, and the next beside it */
    lode_shape *shapes;                /* by slot; no two of one slot */
    uint32_t count, capacity;
};

lode_world lode__space_world(const lode_space *space)
{
    return space->world;
}

static lode_status open_space(lode__world **out, const lode_space *space, const char *function,
                              const char *argument)
{
    lode_status status = lode__check_not_null(space, function, argument);
    return status ? status : lode__open_world(out, space->world, function);
}

/* --- who is in */

/* The first that is not below the slot. */
static uint32_t place_of_slot(const lode_space *space, uint32_t slot)
{
    uint32_t begin = 0, end = space->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (id_slot(space->shapes[middle].id) < slot)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

bool lode__space_has(const lode_space *space, lode_shape shape)
{
    uint32_t at = place_of_slot(space, id_slot(shape.id));
    if (at < space->count && space->shapes[at].id == shape.id)
        return true;
    for (const lode_space *within = space->first; within; within = within->next)
        if (lode__space_has(within, shape))
            return true;
    return false;
}

bool lode_space_has(const lode_space *space, lode_shape shape)
{
    lode__world *w;
    lode__object s;
    return !open_space(&w, space, __func__, "space") && !lode__open_shape(&s, shape, __func__) &&
           lode__space_has(space, shape);
}

/* --- life */

lode_space *lode_space_create(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return NULL;
    lode_space *space = lode__alloc(sizeof *space);
    if (!space) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return NULL;
    }
    *space = (lode_space){.world = world};
    return space;
}

static void leave_parent(lode_space *space)
{
    lode_space **link = space->parent ? &space->parent->first : NULL;
    while (link && *link != space)
        link = &(*link)->next;
    if (link)
        *link = space->next;
    space->parent = space->next = NULL;
}

static void end_space(lode_space *space, lode__world *world, bool shapes_too)
{
    while (space->first)
        end_space(space->first, world, shapes_too);
    leave_parent(space);
    for (uint32_t i = 0; i < space->count && shapes_too; ++i)
        if (world && shape_is_of(world, space->shapes[i]))
            lode_shape_destroy(space->shapes[i]);
    lode__free(space->shapes, space->capacity * sizeof *space->shapes);
    lode__free(space, sizeof *space);
}

lode_status lode_space_destroy(lode_space *space, bool shapes_too)
{
    lode__world *w = NULL;
    if (space && lode_world_is_valid(space->world)) {
        lode_status status = lode__open_world(&w, space->world, __func__);
        if (status)
            return status;
    }
    if (space)
        end_space(space, w, shapes_too);
    return LODE_OK;
}

lode_status lode_space_set_parent(lode_space *space, lode_space *parent)
{
    lode__world *w;
    lode_status status = open_space(&w, space, __func__, "space");
    if (!status && parent)
        status = lode__check(parent->world.id == space->world.id, __func__, "parent",
                             "is of another world");
    for (const lode_space *up = parent; up && !status; up = up->parent)
        status = lode__check(up != space, __func__, "parent", "must not be within the space");
    if (status)
        return status;
    leave_parent(space);
    space->parent = parent;
    if (parent) {
        space->next = parent->first;
        parent->first = space;
    }
    return LODE_OK;
}

lode_space *lode_space_get_parent(const lode_space *space)
{
    return space ? space->parent : NULL;
}

/* --- shapes */

/* Opens both, which are of one world. */
static lode_status open_both(lode__world **out, const lode_space *space, lode_shape shape,
                             const char *function)
{
    lode__object s;
    lode_status status = open_space(out, space, function, "space");
    if (!status)
        status = lode__open_shape(&s, shape, function);
    return status ? status : lode__check(s.world == *out, function, "shape", "is of another world");
}

lode_status lode_space_add(lode_space *space, lode_shape shape)
{
    lode__world *w;
    lode_status status = open_both(&w, space, shape, __func__);
    if (status)
        return status;
    uint32_t slot = id_slot(shape.id), at = place_of_slot(space, slot);
    if (at < space->count && id_slot(space->shapes[at].id) == slot) {
        space->shapes[at] = shape; /* itself, or what had its slot before */
        return LODE_OK;
    }
    if (!lode__grow((void **)&space->shapes, &space->capacity, space->count + 1,
                    sizeof *space->shapes))
        return lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
    memmove(space->shapes + at + 1, space->shapes + at,
            (space->count - at) * sizeof *space->shapes);
    space->shapes[at] = shape;
    ++space->count;
    return LODE_OK;
}

lode_status lode_space_remove(lode_space *space, lode_shape shape)
{
    lode__world *w;
    lode_status status = open_both(&w, space, shape, __func__);
    if (status)
        return status;
    uint32_t at = place_of_slot(space, id_slot(shape.id));
    if (at == space->count || space->shapes[at].id != shape.id)
        return LODE_OK;
    --space->count;
    memmove(space->shapes + at, space->shapes + at + 1,
            (space->count - at) * sizeof *space->shapes);
    return LODE_OK;
}

/* The next shape of the space from a slot on; LODE__NONE after the last. */
static uint32_t next_in(const lode_space *space, const lode__world *world, uint32_t slot)
{
    const lode__bits *alive = &world->collide.shapes.alive;
    for (slot = lode__bits_next(alive, slot); slot != UINT32_MAX;
         slot = lode__bits_next(alive, slot + 1))
        if (lode__space_has(space, shape_handle(world, slot)))
            return slot;
    return LODE__NONE;
}

int lode_space_get_shapes(const lode_space *space, lode_shape *out_shapes, int capacity)
{
    lode__world *w;
    int count = 0;
    if (open_space(&w, space, __func__, "space") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    for (uint32_t s = next_in(space, w, 0); s != LODE__NONE; s = next_in(space, w, s + 1)) {
        if (count < capacity)
            out_shapes[count] = shape_handle(w, s);
        ++count;
    }
    return count;
}

lode_status lode_space_set_enabled(lode_space *space, bool enabled)
{
    lode__world *w;
    lode_status status = open_space(&w, space, __func__, "space");
    if (status)
        return status;
    for (uint32_t s = next_in(space, w, 0); s != LODE__NONE && !status;
         s = next_in(space, w, s + 1))
        status = lode_shape_set_enabled(shape_handle(w, s), enabled);
    return status;
}

/* --- pairs */

typedef struct pair_search {
    const lode_space *a, *b;
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

static bool boxes_overlap(const lode__aabb *a, const lode__aabb *b)
{
    for (int i = 0; i < 3; ++i)
        if (!(a->lo[i] <= b->hi[i] && b->lo[i] <= a->hi[i]))
            return false;
    return true;
}

/* Does the box reach below the plane? */
static bool reaches(const lode__placed *plane, const lode__aabb *box)
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
           (a->category & b->mask) && (b->category & a->mask);
}

static void look_at(pair_search *s, uint32_t other)
{
    const lode__world *world = s->query->world;
    lode_shape one = shape_handle(world, s->one.shape), two = shape_handle(world, other);
    if (!may_pair(s, other))
        return;
    bool forward = s->in_a && lode__space_has(s->b, two);
    if (!forward && !(s->in_b && lode__space_has(s->a, two)))
        return;
    lode__placed placed = lode__placed_of(s->query->scope.collide, s->query->scope.bodies, other);
    bool bounded = lode__shape_types[placed.type].reach != NULL;
    if (bounded ? !boxes_overlap(&s->one.bounds, &placed.bounds)
                : !reaches(&placed, &s->one.bounds))
        return;
    lode_shape_pair pair = {forward ? one : two, forward ? two : one};
    lode__heap_offer(&s->heap, &pair);
}

/* Each pair is found from the lower slot, of a plane from the other. */
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

int lode_space_find_pairs(const lode_space *a, const lode_space *b, lode_shape_pair *out_pairs,
                          int capacity)
{
    lode__world *w;
    lode__query query;
    if (open_space(&w, a, __func__, "a") || open_space(&w, b, __func__, "b") ||
        lode__check(a->world.id == b->world.id, __func__, "b", "is of another world") ||
        lode__query_begin(&query, a->world, NULL, __func__) ||
        lode__check_capacity(out_pairs, capacity, __func__, "out_pairs"))
        return 0;
    pair_search s = {.a = a,
                     .b = b,
                     .query = &query,
                     .heap = {.items = (char *)out_pairs,
                              .size = sizeof *out_pairs,
                              .before = pair_before,
                              .capacity = capacity}};
    const lode__bits *alive = &w->collide.shapes.alive;
    for (uint32_t slot = lode__bits_next(alive, 0); slot != UINT32_MAX;
         slot = lode__bits_next(alive, slot + 1)) {
        lode_shape shape = shape_handle(w, slot);
        s.in_a = lode__space_has(a, shape);
        s.in_b = a == b ? s.in_a : lode__space_has(b, shape);
        if (!(s.in_a || s.in_b) || lode__bits_get(&w->collide.disabled, slot) ||
            !shape_is_bounded(SHAPE(w, geometry, slot)))
            continue;
        s.one = lode__placed_of(query.scope.collide, query.scope.bodies, slot);
        look_around(&s);
    }
    lode__heap_sort(&s.heap);
    return s.heap.offered;
}
