/* cast.c: the public casts of solids. Many hits are kept and told as in ray.c. */
#include "core/heap.h"
#include "world/check.h"
#include "world/query.h"
#include "world/solid.h"

enum { PAGE = 16 };

/* --- arguments */

typedef struct checked_cast {
    lode__placed_solid solid;
    lode__cast cast;
} checked_cast;

static lode_status check_cast(const lode_cast *cast, checked_cast *out, const char *function)
{
    lode_status status = lode__check_not_null(cast, function, "cast");
    if (!status)
        status = lode__check_solid(&out->solid, &cast->solid, cast->pose, function, "cast.solid",
                                   "cast.pose");
    if (!status)
        status = lode__check_vec3(cast->translation, function, "cast.translation");
    if (!status)
        out->cast = lode__cast_make(out->solid.type, &out->solid.view, out->solid.position,
                                    cast->translation);
    return status;
}

static lode_status begin(lode__query *out, lode_world world, const lode_query_filter *filter,
                         const lode_cast *cast, checked_cast *out_cast, const char *function)
{
    lode_status status = lode__query_begin_lines(out, world, filter, 1, function);
    return status ? status : check_cast(cast, out_cast, function);
}

/* Where a single hit goes: nothing so far. */
static lode_status check_out(lode_cast_hit *out_hit, const char *function)
{
    lode_status status = lode__check_not_null(out_hit, function, "out_hit");
    if (!status)
        *out_hit = (lode_cast_hit){0};
    return status;
}

static lode_cast_hit show(const lode__world *world, const lode__cast_hit *hit)
{
    uint32_t body = SHAPE(world, geometry, hit->shape)->body;
    return (lode_cast_hit){.shape = shape_handle(world, hit->shape),
                           .body = body_handle(world, body),
                           .position = hit->position,
                           .normal = hit->normal,
                           .distance = hit->distance,
                           .fraction = hit->share,
                           .depth = hit->depth,
                           .child = hit->child,
                           .overlaps = hit->depth > 0};
}

/* --- the closest, or any */

bool lode_world_cast_shape(lode_world world, const lode_cast *cast, const lode_query_filter *filter,
                           lode_cast_hit *out_hit)
{
    lode__query query;
    checked_cast checked;
    lode__cast_hit hit;
    if (lode__query_begin_lines(&query, world, filter, 1, __func__) ||
        check_out(out_hit, __func__) || check_cast(cast, &checked, __func__) ||
        !lode__cast_closest(&query.scope, &checked.cast, &hit))
        return false;
    *out_hit = show(query.world, &hit);
    return true;
}

bool lode_world_test_shape(lode_world world, const lode_cast *cast, const lode_query_filter *filter)
{
    lode__query query;
    checked_cast checked;
    return !begin(&query, world, filter, cast, &checked, __func__) &&
           lode__cast_any(&query.scope, &checked.cast);
}

/* --- many hits */

typedef struct hit_list {
    const lode__world *world;
    const lode_cast_hit *after; /* or null: only hits behind this one count */
    lode__heap heap;
} hit_list;

static bool before(const void *pa, const void *pb)
{
    const lode_cast_hit *a = pa, *b = pb;
    return a->distance != b->distance ? a->distance < b->distance
                                      : id_slot(a->shape.id) < id_slot(b->shape.id);
}

static hit_list list_of(const lode__query *query, lode_cast_hit *hits, int capacity)
{
    _Static_assert(sizeof(lode_cast_hit) <= LODE__HEAP_ITEM, "hits fit a heap");
    return (hit_list){
        .world = query->world,
        .heap = {
            .items = (char *)hits, .size = sizeof *hits, .before = before, .capacity = capacity}};
}

static void add_hit(hit_list *list, const lode__cast_hit *hit)
{
    lode_cast_hit full = show(list->world, hit);
    if (!list->after || before(list->after, &full))
        lode__heap_offer(&list->heap, &full);
}

static lode_real count_hit(void *context, const lode__cast_hit *hit, lode_real most)
{
    add_hit(context, hit);
    return most;
}

/* A page that is full needs nothing farther than what it holds. */
static lode_real page_hit(void *context, const lode__cast_hit *hit, lode_real most)
{
    hit_list *list = context;
    const lode_cast_hit *farthest = (const lode_cast_hit *)(const void *)list->heap.items;
    add_hit(list, hit);
    return list->heap.kept == list->heap.capacity ? r_min(farthest->distance, most) : most;
}

int lode_world_cast_shape_all(lode_world world, const lode_cast *cast,
                              const lode_query_filter *filter, lode_cast_hit *out_hits,
                              int capacity)
{
    lode__query query;
    checked_cast checked;
    if (begin(&query, world, filter, cast, &checked, __func__) ||
        lode__check_capacity(out_hits, capacity, __func__, "out_hits"))
        return 0;
    hit_list list = list_of(&query, out_hits, capacity);
    lode__cast_each(&query.scope, &checked.cast, count_hit, &list);
    lode__heap_sort(&list.heap);
    return list.heap.offered;
}

int lode_world_visit_shape(lode_world world, const lode_cast *cast, const lode_query_filter *filter,
                           lode_cast_visit_fn *visit, void *context)
{
    lode__query query;
    checked_cast checked;
    lode_cast_hit page[PAGE], last;
    int heard = 0;
    if (begin(&query, world, filter, cast, &checked, __func__) ||
        lode__check(visit != NULL, __func__, "visit", "must not be null"))
        return 0;
    hit_list list = list_of(&query, page, PAGE);
    do {
        list.heap.kept = 0;
        lode__cast_each(&query.scope, &checked.cast, page_hit, &list);
        lode__heap_sort(&list.heap);
        for (int i = 0; i < list.heap.kept; ++i, ++heard)
            if (!visit(context, &page[i]))
                return heard + 1;
        last = page[PAGE - 1];
        list.after = &last;
    } while (list.heap.kept == PAGE);
    return heard;
}

/* --- on one body or shape */

bool lode_body_cast_shape(lode_body body, const lode_cast *cast, lode_cast_hit *out_hit)
{
    lode__object b;
    lode__query query;
    checked_cast checked;
    lode__cast_hit best = lode__no_cast_hit();
    if (lode__open_body(&b, body, __func__) || check_out(out_hit, __func__) ||
        check_cast(cast, &checked, __func__))
        return false;
    lode__query_begin_in(&query, b.world);
    for (uint32_t shape = BODY(b.world, links, b.slot)->first_shape; shape != LODE__NONE;
         shape = SHAPE(b.world, links, shape)->next_shape)
        if (!lode__bits_get(&b.world->collide.disabled, shape))
            lode__cast_on_shape(&query.scope, &checked.cast, shape, &best);
    if (best.shape == LODE__NONE)
        return false;
    *out_hit = show(b.world, &best);
    return true;
}

bool lode_shape_cast_shape(lode_shape shape, const lode_cast *cast, lode_cast_hit *out_hit)
{
    lode__object s;
    lode__query query;
    checked_cast checked;
    lode__cast_hit best = lode__no_cast_hit();
    if (lode__open_shape(&s, shape, __func__) || check_out(out_hit, __func__) ||
        check_cast(cast, &checked, __func__))
        return false;
    lode__query_begin_in(&query, s.world);
    lode__cast_on_shape(&query.scope, &checked.cast, s.slot, &best);
    if (best.shape == LODE__NONE)
        return false;
    *out_hit = show(s.world, &best);
    return true;
}

/* --- overlaps of a solid */

typedef struct overlap_list {
    const lode__world *world;
    lode__heap heap;
} overlap_list;

static bool slot_before(const void *a, const void *b)
{
    return id_slot(((const lode_shape *)a)->id) < id_slot(((const lode_shape *)b)->id);
}

static lode_real list_overlap(void *context, const lode__cast_hit *hit, lode_real most)
{
    overlap_list *list = context;
    lode_shape shape = shape_handle(list->world, hit->shape);
    lode__heap_offer(&list->heap, &shape);
    return most;
}

int lode_world_overlap_solid(lode_world world, const lode_solid *solid, lode_pose pose,
                             const lode_query_filter *filter, lode_shape *out_shapes, int capacity)
{
    lode__query query;
    lode__placed_solid placed;
    if (lode__query_begin_lines(&query, world, filter, 1, __func__) ||
        lode__check_not_null(solid, __func__, "solid") ||
        lode__check_solid(&placed, solid, pose, __func__, "solid", "pose") ||
        lode__check_capacity(out_shapes, capacity, __func__, "out_shapes"))
        return 0;
    lode__cast cast = lode__cast_make(placed.type, &placed.view, placed.position, v3_zero());
    overlap_list list = {.world = query.world,
                         .heap = {.items = (char *)out_shapes,
                                  .size = sizeof *out_shapes,
                                  .before = slot_before,
                                  .capacity = capacity}};
    lode__cast_each(&query.scope, &cast, list_overlap, &list);
    lode__heap_sort(&list.heap);
    return list.heap.offered;
}
