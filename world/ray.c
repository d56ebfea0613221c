/* ray.c: the public rays.
 *
 * Many hits come from the tree in no order. The nearest are kept in the caller's array as a heap
 * with the farthest on top, which gives way to a nearer one; at the end the heap is sorted in
 * place. So no memory is taken, however many hits there are. A visitor hears of them page by page:
 * each page is a query for the nearest hits behind the last one heard of. */
#include "core/heap.h"
#include "world/check.h"
#include "world/query.h"

enum { PAGE = 16 };

/* --- arguments */

/* Most callers' directions are unit vectors, and need no root. */
static lode_vec3 unit_of(lode_vec3 direction)
{
    lode_real over = v3_dot(direction, direction) - 1;
    return r_abs(over) <= 2 * REAL_EPSILON ? direction : v3_normalize_or(direction, v3(0, 0, 1));
}

static void make_ray(const lode_ray *ray, lode__ray *out)
{
    lode_vec3 direction = unit_of(ray->direction);
    lode__ray_make(out, ray->origin, direction, ray->length, ray->faces);
}

static bool is_good(const lode_ray *ray)
{
    return ray && v3_finite(ray->origin) && v3_finite(ray->direction) &&
           !v3_is_zero(ray->direction) && ray->length >= 0 &&
           (unsigned)ray->faces <= LODE_BOTH_FACES;
}

/* What is wrong with it, if anything. */
static lode_status report_ray(const lode_ray *ray, const char *function)
{
    lode_status status = lode__check_not_null(ray, function, "ray");
    if (!status)
        status = lode__check_vec3(ray->origin, function, "ray.origin");
    if (!status)
        status = lode__check_vec3(ray->direction, function, "ray.direction");
    if (!status)
        status = lode__check(!v3_is_zero(ray->direction), function, "ray.direction",
                             "must not be zero");
    if (!status)
        status = lode__check(ray->length >= 0, function, "ray.length", "must be at least 0");
    if (!status)
        status = lode__check((unsigned)ray->faces <= LODE_BOTH_FACES, function, "ray.faces",
                             "must be one of lode_faces");
    return status;
}

/* Makes it, if it is good and is wanted. */
static lode_status check_ray(const lode_ray *ray, lode__ray *out, const char *function)
{
    if (!is_good(ray))
        return report_ray(ray, function);
    if (out)
        make_ray(ray, out);
    return LODE_OK;
}

static lode_status begin(lode__query *out, lode_world world, const lode_query_filter *filter,
                         const lode_ray *ray, lode__ray *out_ray, const char *function)
{
    lode_status status = lode__query_begin_lines(out, world, filter, 1, function);
    return status ? status : check_ray(ray, out_ray, function);
}

/* Where a single hit goes: nothing so far. */
static lode_status check_out(lode_ray_hit *out_hit, const char *function)
{
    lode_status status = lode__check_not_null(out_hit, function, "out_hit");
    if (!status)
        *out_hit = (lode_ray_hit){0};
    return status;
}

/* The part that is hit, -1 where the shape has none. */
static int child_of(const lode__query *query, const lode__hit *hit)
{
    uint32_t type = SHAPE(query->world, geometry, hit->shape)->type;
    return lode__query_types[type].cast ? hit->on.part : -1;
}

static void tell_hit(const lode__query *query, const lode__hit *hit, const lode__surface_point *at,
                     lode_ray_hit *out)
{
    uint32_t body = SHAPE(query->world, geometry, hit->shape)->body;
    *out = (lode_ray_hit){.shape = shape_handle(query->world, hit->shape),
                          .body = body_handle(query->world, body),
                          .position = at->position,
                          .normal = at->normal,
                          .distance = hit->distance,
                          .child = child_of(query, hit),
                          .u = hit->on.u,
                          .v = hit->on.v,
                          .back = hit->on.back};
}

static void show(const lode__query *query, const lode__ray *ray, const lode__hit *hit,
                 lode_ray_hit *out)
{
    lode__surface_point at;
    lode__ray_point(&query->scope, ray, hit, &at);
    tell_hit(query, hit, &at, out);
}

/* --- the closest, or any */

bool lode_world_cast_ray(lode_world world, const lode_ray *ray, const lode_query_filter *filter,
                         lode_ray_hit *out_hit)
{
    lode__query query;
    lode__ray r;
    lode__hit hit;
    if (lode__query_begin_lines(&query, world, filter, 1, __func__) ||
        check_out(out_hit, __func__) || check_ray(ray, &r, __func__) ||
        !lode__ray_closest(&query.scope, &r, &hit))
        return false;
    show(&query, &r, &hit, out_hit);
    return true;
}

bool lode_world_test_ray(lode_world world, const lode_ray *ray, const lode_query_filter *filter)
{
    lode__query query;
    lode__ray r;
    return !begin(&query, world, filter, ray, &r, __func__) && lode__ray_any(&query.scope, &r);
}

/* --- many hits */

typedef struct hit_list {
    const lode__query *query;
    const lode__ray *ray;
    const lode_ray_hit *after; /* or null: only hits behind this one count */
    lode__heap heap;
} hit_list;

static bool before(const void *pa, const void *pb)
{
    const lode_ray_hit *a = pa, *b = pb;
    if (a->distance != b->distance)
        return a->distance < b->distance;
    if (a->shape.id != b->shape.id)
        return id_slot(a->shape.id) < id_slot(b->shape.id);
    return a->back != b->back ? a->back < b->back : a->child < b->child;
}

static hit_list list_of(const lode__query *query, const lode__ray *ray, lode_ray_hit *hits,
                        int capacity)
{
    _Static_assert(sizeof(lode_ray_hit) <= LODE__HEAP_ITEM, "hits fit a heap");
    return (hit_list){
        .query = query,
        .ray = ray,
        .heap = {
            .items = (char *)hits, .size = sizeof *hits, .before = before, .capacity = capacity}};
}

/* What orders hits comes first; the rest is found only for those that are wanted. */
static void add_hit(hit_list *list, const lode__hit *hit)
{
    lode_ray_hit full = {.shape = shape_handle(list->query->world, hit->shape),
                         .distance = hit->distance,
                         .child = child_of(list->query, hit),
                         .back = hit->on.back};
    if (list->after && !before(list->after, &full))
        return;
    if (lode__heap_wants(&list->heap, &full))
        show(list->query, list->ray, hit, &full);
    lode__heap_offer(&list->heap, &full);
}

static lode_real count_hit(void *context, const lode__hit *hit, lode_real most)
{
    add_hit(context, hit);
    return most;
}

/* A page that is full needs nothing farther than what it holds. */
static lode_real page_hit(void *context, const lode__hit *hit, lode_real most)
{
    hit_list *list = context;
    const lode_ray_hit *farthest = (const lode_ray_hit *)(const void *)list->heap.items;
    add_hit(list, hit);
    return list->heap.kept == list->heap.capacity ? r_min(farthest->distance, most) : most;
}

int lode_world_cast_ray_all(lode_world world, const lode_ray *ray, const lode_query_filter *filter,
                            lode_ray_hit *out_hits, int capacity)
{
    lode__query query;
    lode__ray r;
    if (begin(&query, world, filter, ray, &r, __func__) ||
        lode__check_capacity(out_hits, capacity, __func__, "out_hits"))
        return 0;
    hit_list list = list_of(&query, &r, out_hits, capacity);
    lode__ray_each(&query.scope, &r, count_hit, &list);
    lode__heap_sort(&list.heap);
    return list.heap.offered;
}

int lode_world_visit_ray(lode_world world, const lode_ray *ray, const lode_query_filter *filter,
                         lode_ray_visit_fn *visit, void *context)
{
    lode__query query;
    lode__ray r;
    lode_ray_hit page[PAGE], last;
    int heard = 0;
    if (begin(&query, world, filter, ray, &r, __func__) ||
        lode__check(visit != NULL, __func__, "visit", "must not be null"))
        return 0;
    hit_list list = list_of(&query, &r, page, PAGE);
    do {
        list.heap.kept = 0;
        lode__ray_each(&query.scope, &r, page_hit, &list);
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

bool lode_body_cast_ray(lode_body body, const lode_ray *ray, lode_ray_hit *out_hit)
{
    lode__object b;
    lode__query query;
    lode__ray r;
    lode__hit best;
    if (lode__open_body(&b, body, __func__) || check_out(out_hit, __func__) ||
        check_ray(ray, &r, __func__))
        return false;
    lode__query_begin_in(&query, b.world);
    lode__hit_none(&best);
    for (uint32_t shape = BODY(b.world, links, b.slot)->first_shape; shape != LODE__NONE;
         shape = SHAPE(b.world, links, shape)->next_shape)
        if (!lode__bits_get(&b.world->collide.disabled, shape))
            lode__ray_on_shape(&query.scope, &r, shape, &best);
    if (best.shape == LODE__NONE)
        return false;
    show(&query, &r, &best, out_hit);
    return true;
}

bool lode_shape_cast_ray(lode_shape shape, const lode_ray *ray, lode_ray_hit *out_hit)
{
    lode__object s;
    lode__query query;
    lode__ray r;
    lode__hit best;
    if (lode__open_shape(&s, shape, __func__) || check_out(out_hit, __func__) ||
        check_ray(ray, &r, __func__))
        return false;
    lode__query_begin_in(&query, s.world);
    lode__hit_none(&best);
    lode__ray_on_shape(&query.scope, &r, s.slot, &best);
    if (best.shape == LODE__NONE)
        return false;
    show(&query, &r, &best, out_hit);
    return true;
}

/* --- many rays */

/* Of rays that have been checked, at least one. */
static int cast_batch(const lode__query *query, const lode_ray *rays, int count,
                      lode_ray_hit *out_hits)
{
    lode__ray batch[LODE_LANES];
    lode__hit hits[LODE_LANES];
    lode__surface_point at[LODE_LANES];
    int found = 0, made = 0;
    do
        make_ray(&rays[made], &batch[made]);
    while (++made < count);
    lode__ray_closest_batch(&query->scope, batch, count, hits);
    lode__ray_points(&query->scope, batch, hits, count, at);
    for (int i = 0; i < count; ++i) {
        bool any = hits[i].shape != LODE__NONE;
        found += any;
        if (any)
            tell_hit(query, &hits[i], &at[i], &out_hits[i]);
        else
            out_hits[i] = (lode_ray_hit){0};
    }
    return found;
}

int lode_world_cast_rays(lode_world world, const lode_ray *rays, int count,
                         const lode_query_filter *filter, lode_ray_hit *out_hits)
{
    lode__query query;
    int found = 0;
    lode_status status = lode__query_begin_lines(&query, world, filter, count, __func__);
    if (!status)
        status = lode__check(count >= 0, __func__, "count", "must be at least 0");
    if (!status)
        status = lode__check(rays || count == 0, __func__, "rays", "must not be null");
    if (!status)
        status = lode__check(out_hits || count == 0, __func__, "out_hits", "must not be null");
    for (int i = 0; i < count && !status; ++i)
        status = check_ray(&rays[i], NULL, __func__);
    for (int i = 0; i < count && !status; i += LODE_LANES)
        found += cast_batch(&query, rays + i, count - i < LODE_LANES ? count - i : LODE_LANES,
                            out_hits + i);
    return found;
}
