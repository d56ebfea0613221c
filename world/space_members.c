/* space_members.c: spaces whose members are taken as they are: shapes, and spaces as one thing
 * each, with the box around all that is in them.
 *
 * That is how a scene is searched in levels: two cars of many shapes whose boxes are apart cost one
 * comparison. Members are few where that pays, so all of one side are held against all of the
 * other, sorted along x, as far as their intervals overlap (sort and sweep, Baraff 1992). */
#include "world/space.h"

#include "collide/broad.h"
#include "core/heap.h"
#include "core/memory.h"
#include "core/sort.h"
#include "world/check.h"

typedef struct member {
    uint32_t slot;
    bool is_space, in_a, in_b;
    bool plane; /* without bounds: `placed` says where */
    lode__filter filter;
    lode__aabb box;
    lode__placed placed; /* of a shape */
} member;

typedef struct member_list {
    member *items;
    uint32_t count, capacity;
} member_list;

static lode__aabb nothing(void)
{
    lode__aabb box = {0};
    for (int i = 0; i < 3; ++i) {
        box.lo[i] = REAL_MAX;
        box.hi[i] = -REAL_MAX;
    }
    return box;
}

static lode__aabb everything(void)
{
    lode__aabb box = nothing();
    for (int i = 0; i < 3; ++i) {
        lode_real lo = box.lo[i];
        box.lo[i] = box.hi[i];
        box.hi[i] = lo;
    }
    return box;
}

static void grow_box(lode__aabb *box, const lode__aabb *by)
{
    for (int i = 0; i < 3; ++i) {
        box->lo[i] = r_min(box->lo[i], by->lo[i]);
        box->hi[i] = r_max(box->hi[i], by->hi[i]);
    }
}

/* Around the shapes of a space and of those within it; `active` ones are neither disabled nor
 * sensors. */
static lode__aabb box_of_space(const lode__world *world, uint32_t space, bool active)
{
    lode__aabb box = nothing();
    for (uint32_t s = lode__space_next(world, space, 0); s != LODE__NONE;
         s = lode__space_next(world, space, s + 1)) {
        if (active && lode__bits_get(&world->collide.disabled, s))
            continue;
        if (!shape_is_bounded(SHAPE(world, geometry, s)))
            return everything();
        lode__placed placed = lode__placed_of(&world->collide, &world->bodies, s);
        grow_box(&box, &placed.bounds);
    }
    return box;
}

lode_bounds lode_space_get_bounds(lode_space space)
{
    lode__object s;
    if (lode__open_space(&s, space, __func__, "space"))
        return (lode_bounds){{0, 0, 0}, {0, 0, 0}};
    lode__aabb box = box_of_space(s.world, s.slot, false);
    if (box.lo[0] > box.hi[0])
        return (lode_bounds){{0, 0, 0}, {0, 0, 0}};
    return (lode_bounds){v3(box.lo[0], box.lo[1], box.lo[2]), v3(box.hi[0], box.hi[1], box.hi[2])};
}

/* --- the members of both sides, each once: shapes by slot, then spaces by slot */

typedef struct member_search {
    const lode__world *world;
    member_list list[2], both; /* of a, of b; and of both, each once */
    uint64_t *keys;
    uint32_t *order;
    lode__heap heap;
} member_search;

static bool add_member(member_list *list, const member *m)
{
    if (!lode__grow((void **)&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = *m;
    return true;
}

/* A space without shapes that could touch is left out. */
static bool add_space(member_list *list, const lode__world *world, uint32_t slot)
{
    const lode__space *space = SPACE(world, slot);
    member m = {.slot = slot, .is_space = true, .filter = {space->category, space->mask}};
    m.box = box_of_space(world, slot, true);
    return m.box.lo[0] > m.box.hi[0] || add_member(list, &m);
}

static bool add_shape(member_list *list, const lode__world *world, uint32_t slot)
{
    if (lode__bits_get(&world->collide.disabled, slot))
        return true;
    member m = {.slot = slot, .filter = *SHAPE(world, filter, slot)};
    m.placed = lode__placed_of(&world->collide, &world->bodies, slot);
    m.plane = !lode__shape_types[m.placed.type].reach;
    m.box = m.plane ? everything() : m.placed.bounds;
    return add_member(list, &m);
}

static bool add_members(member_list *list, const lode__world *world, uint32_t space)
{
    const lode__space *here = SPACE(world, space);
    for (uint32_t i = 0; i < here->count; ++i)
        if (shape_is_of(world, here->shapes[i]) &&
            !add_shape(list, world, id_slot(here->shapes[i].id)))
            return false;
    for (uint32_t in = here->first; in != LODE__NONE; in = SPACE(world, in)->next)
        if (!add_space(list, world, in))
            return false;
    return true;
}

static uint64_t key_of(const member *m)
{
    return (uint64_t)m->is_space << 32 | m->slot;
}

static bool merge(member_search *s)
{
    const member_list *a = &s->list[0], *b = &s->list[1];
    for (uint32_t i = 0, k = 0; i < a->count || k < b->count;) {
        uint64_t key_a = i < a->count ? key_of(&a->items[i]) : UINT64_MAX;
        uint64_t key_b = k < b->count ? key_of(&b->items[k]) : UINT64_MAX;
        member m = key_a <= key_b ? a->items[i] : b->items[k];
        m.in_a = key_a <= key_b;
        m.in_b = key_b <= key_a;
        i += m.in_a;
        k += m.in_b;
        if (!add_member(&s->both, &m))
            return false;
    }
    return true;
}

/* --- their pairs */

static lode_space_member handle_of(const lode__world *world, const member *m)
{
    lode_space_member out = {{0}, {0}};
    if (m->is_space)
        out.space = space_handle(world, m->slot);
    else
        out.shape = shape_handle(world, m->slot);
    return out;
}

/* Handles of one kind rise with their slots, but for their generations. */
static uint64_t order_of(const lode_space_member *m)
{
    return m->space.id ? (uint64_t)1 << 32 | id_slot(m->space.id) : id_slot(m->shape.id);
}

static bool pair_before(const void *pa, const void *pb)
{
    const lode_member_pair *p = pa, *q = pb;
    uint64_t first_p = order_of(&p->a), first_q = order_of(&q->a);
    return first_p != first_q ? first_p < first_q : order_of(&p->b) < order_of(&q->b);
}

static bool may_pair(const lode__world *world, const member *m, const member *n)
{
    bool shapes = !m->is_space && !n->is_space;
    return !(shapes &&
             SHAPE(world, geometry, m->slot)->body == SHAPE(world, geometry, n->slot)->body) &&
           lode__filters_agree(&world->collide, &m->filter, &n->filter);
}

static bool is_near(const member *m, const member *n)
{
    if (m->plane && n->plane)
        return false;
    if (m->plane)
        return lode__box_reaches(&m->placed, &n->box);
    if (n->plane)
        return lode__box_reaches(&n->placed, &m->box);
    return boxes_overlap(&m->box, &n->box);
}

static void look_at(member_search *s, const member *one, const member *two)
{
    const member *m = key_of(one) < key_of(two) ? one : two, *n = m == one ? two : one;
    bool forward = m->in_a && n->in_b;
    if ((!forward && !(m->in_b && n->in_a)) || !may_pair(s->world, m, n) || !is_near(m, n))
        return;
    lode_space_member first = handle_of(s->world, m), second = handle_of(s->world, n);
    lode_member_pair pair = {forward ? first : second, forward ? second : first};
    lode__heap_offer(&s->heap, &pair);
}

static bool sweep(member_search *s)
{
    uint32_t n = s->both.count;
    const member *items = s->both.items;
    if (n == 0)
        return true;
    s->keys = lode__alloc(2 * n * sizeof *s->keys);
    s->order = lode__alloc(2 * n * sizeof *s->order);
    if (!s->keys || !s->order)
        return false;
    for (uint32_t i = 0; i < n; ++i) {
        s->keys[i] = lode__real_key(items[i].box.lo[0]);
        s->order[i] = i;
    }
    lode__sort(s->keys, s->order, s->keys + n, s->order + n, n);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t k = i + 1;
             k < n && items[s->order[k]].box.lo[0] <= items[s->order[i]].box.hi[0]; ++k)
            look_at(s, &items[s->order[i]], &items[s->order[k]]);
    return true;
}

/* The side of a pair of spaces: the members of one, or the space itself. */
static bool add_side(member_search *s, int side, uint32_t space, bool whole)
{
    return whole ? add_space(&s->list[side], s->world, space)
                 : add_members(&s->list[side], s->world, space);
}

static void free_list(member_list *list)
{
    lode__free(list->items, list->capacity * sizeof *list->items);
}

int lode_space_find_member_pairs(lode_space a, lode_space b, lode_member_pair *out_pairs,
                                 int capacity)
{
    lode__object sa, sb;
    if (lode__open_space(&sa, a, __func__, "a") ||
        lode__open_space_of(&sb, sa.world, b, __func__, "b") ||
        lode__check_capacity(out_pairs, capacity, __func__, "out_pairs"))
        return 0;
    int level_a = SPACE(sa.world, sa.slot)->sublevel, level_b = SPACE(sa.world, sb.slot)->sublevel;
    member_search s = {.world = sa.world,
                       .heap = {.items = (char *)out_pairs,
                                .size = sizeof *out_pairs,
                                .before = pair_before,
                                .capacity = capacity}};
    bool ok = add_side(&s, 0, sa.slot, level_a < level_b) &&
              add_side(&s, 1, sb.slot, level_b < level_a) && merge(&s) && sweep(&s);
    lode__free(s.keys, 2 * s.both.count * sizeof *s.keys);
    lode__free(s.order, 2 * s.both.count * sizeof *s.order);
    free_list(&s.list[0]);
    free_list(&s.list[1]);
    free_list(&s.both);
    if (!ok) {
        lode__error(LODE_ERROR_MEMORY, __func__, "", "out of memory");
        return 0;
    }
    lode__heap_sort(&s.heap);
    return s.heap.offered;
}
