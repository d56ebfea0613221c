/* query.c: how queries begin; see query.h.
 *
 * A query opens its world like any other call: one inside a step, or between single stages, is
 * refused. It writes nothing but what collide/fresh.c guards, so several may run at once. */
#include "world/query.h"

#include "world/check.h"
#include "world/space.h"

lode_query_filter lode_query_filter_default(void)
{
    return (lode_query_filter){.category = UINT64_MAX, .mask = UINT64_MAX};
}

static bool ask_caller(const void *context, uint32_t shape)
{
    const lode__query *query = context;
    lode_shape handle = shape_handle(query->world, shape);
    return (query->space == LODE__NONE || lode__space_has(query->world, query->space, handle)) &&
           (!query->filter.accept || query->filter.accept(query->filter.context, handle));
}

static bool ask_about_part(const void *context, uint32_t shape, const lode__part_hit *hit)
{
    const lode__query *query = context;
    return query->filter.accept_part(query->filter.context, shape_handle(query->world, shape),
                                     hit->part, hit->u, hit->v);
}

static void set_filter(lode__query *query, const lode_query_filter *filter)
{
    query->filter = *filter;
    query->scope.category = filter->category;
    query->scope.mask = filter->mask;
    query->scope.accept = filter->accept || filter->space.id ? ask_caller : NULL;
    query->scope.accept_part = filter->accept_part ? ask_about_part : NULL;
}

lode_status lode__query_begin(lode__query *out, lode_world world, const lode_query_filter *filter,
                              const char *function)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, function);
    lode__object space = {.slot = LODE__NONE};
    if (!status && filter)
        status = lode__check(filter->category || filter->mask, function, "filter",
                             "sees nothing: it did not come from lode_query_filter_default()");
    if (!status && filter && filter->space.id)
        status = lode__open_space_of(&space, w, filter->space, function, "filter.space");
    if (status)
        return status;
    if (!lode__collide_is_placed(&w->collide))
        lode__collide_place(&w->collide, &w->bodies, &w->arena, &w->def);
    out->world = w;
    out->space = space.slot;
    /* without a filter that of lode_query_filter_default() */
    out->scope = (lode__scope){.collide = &w->collide,
                               .bodies = &w->bodies,
                               .category = UINT64_MAX,
                               .mask = UINT64_MAX,
                               .context = out};
    if (filter)
        set_filter(out, filter);
    return LODE_OK;
}

lode_status lode__query_begin_lines(lode__query *out, lode_world world,
                                    const lode_query_filter *filter, int lines,
                                    const char *function)
{
    lode_status status = lode__query_begin(out, world, filter, function);
    if (!status && !lode__collide_is_wide(&out->world->collide))
        lode__collide_widen(&out->world->collide, &out->world->bodies, lines);
    return status;
}

void lode__query_begin_in(lode__query *out, lode__world *world)
{
    *out = (lode__query){.world = world};
    out->scope = (lode__scope){
        .collide = &world->collide, .bodies = &world->bodies, .unfiltered = true};
}

lode_status lode__check_direction(lode_vec3 *direction, const char *function, const char *argument)
{
    lode_status status = lode__check_vec3(*direction, function, argument);
    if (!status)
        status = lode__check(!v3_is_zero(*direction), function, argument, "must not be zero");
    *direction = v3_normalize_or(*direction, v3(0, 0, 1));
    return status;
}
