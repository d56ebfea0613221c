/* many_flow.c: pairs of a block that have many manifolds, one after another or several together.
 *
 * A solid on a mesh is near a few triangles, which leaves lanes of a kernel empty that takes eight.
 * So pairs wait until some are there, and their triangles are looked at in full batches, each lane
 * with its own solid. Then pair by pair hears of its triangles in their order, as if it had been
 * alone: lanes know nothing of each other, so not a bit depends on who waited together.
 *
 * Those wait that a kernel takes, on one mesh without a filter of triangles; all others are looked
 * at when it is their turn, after those that wait. So what is found is written down in the order
 * of the pairs. */
#include "collide/collide.h"
#include "collide/many_touch.h"
#include "collide/triangle_lanes.h"

/* --- one pair */

/* It has no points; if it had some, they are to end. */
static void part(lode__many_flow *flow, uint32_t pair)
{
    if (flow->collide && flow->collide->pairs.items[pair].points > 0)
        lode__many_add_pair(flow->list, pair);
}

/* What has been found becomes clusters. */
static void write_down(lode__many_flow *flow, const lode__many_view *v, uint32_t pair)
{
    lode__many_list *list = flow->list;
    list->failed = list->failed || list->points.failed;
    if (list->points.count == 0) {
        part(flow, pair);
        return;
    }
    lode__many_pair *found = lode__many_add_pair(list, pair);
    if (!found)
        return;
    found->apart = v->apart;
    lode__many_clusters(v, flow->speculative, list);
    found->count = list->cluster_count - found->first;
}

/* --- several */

static uint32_t type_of(const lode__many_view *v)
{
    return (v->mesh_is_a ? v->b : v->a)->type;
}

static const lode__shape_data *surface_of(const lode__many_view *v)
{
    return v->mesh_is_a ? v->data_a : v->data_b;
}

static bool may_wait(const lode__many_view *v)
{
    const lode__gate *gate = v->mesh_is_a ? &v->gate_a : &v->gate_b;
    const lode__shape_data *surface = surface_of(v);
    return surface && surface->type == LODE_MESH && lode__triangle_rows[type_of(v)].lane &&
           !gate->accepts;
}

/* Its triangles go behind those of the others. False: there is no room, nothing has changed. */
static bool list_triangles(lode__many_flow *flow, lode__many_waiting *w)
{
    const lode__collide_kernels *kernels = w->query.kernels;
    const lode__near_asker asker = {&w->lines, mesh_of(w->query.surface), query_reach(&w->query),
                                    flow->type};
    w->begin = w->end = flow->triangle_count;
    lode__mesh_near near;
    lode__many_narrow(&w->query, flow->type, &near);
    bool more = lode__near_again(w->near, &asker, &near);
    if (!more) {
        lode__many_near(&w->query, flow->type, &near);
        more = lode__near_take(w->near, kernels, &asker, &near) || kernels->mesh_near(&near);
    }
    for (; more; more = near.depth > 0 && kernels->mesh_near(&near)) {
        if (w->end + near.count > LODE__FLOW_TRIANGLES)
            return false;
        for (uint32_t i = 0; i < near.count; ++i, ++w->end) {
            flow->triangles[w->end] = near.triangles[i];
            flow->solids[w->end] = &w->lines;
        }
    }
    flow->triangle_count = w->end;
    return true;
}

/* Unused lanes take the last triangle. */
static void run_batches(lode__many_flow *flow)
{
    uint32_t count = flow->triangle_count;
    const lode__mesh_query *query = &flow->waiting[0].query;
    for (uint32_t i = count; i % LODE_LANES != 0; ++i) {
        flow->triangles[i] = flow->triangles[count - 1];
        flow->solids[i] = flow->solids[count - 1];
    }
    for (uint32_t i = 0; i < count; i += LODE_LANES) {
        lode__triangle_batch *batch = &flow->batches[i / LODE_LANES];
        batch->speculative = query->speculative;
        batch->two_sided = surface_two_sided(query->surface);
        batch->used = LODE_LANES;
        query->kernels->gather_triangles(mesh_of(query->surface), &flow->triangles[i],
                                         &flow->solids[i], batch);
        query->kernels->triangle[lode__triangle_rows[flow->type].kind](batch);
    }
}

/* Unused lanes take the last face. */
static void cut_eight(lode__many_flow *flow, uint32_t first)
{
    const lode__mesh_query *query = &flow->waiting[0].query;
    lode__triangle_batch batch;
    uint32_t triangles[LODE_LANES], count = flow->cut_count - first;
    const lode__solid_lines *solids[LODE_LANES];
    for (uint32_t k = 0; k < LODE_LANES; ++k) {
        uint32_t i = flow->cut_triangles[first + (k < count ? k : count - 1)];
        const lode__triangle_batch *from = &flow->batches[i / LODE_LANES];
        uint32_t lane = i % LODE_LANES;
        triangles[k] = flow->triangles[i];
        solids[k] = flow->solids[i];
        lanes_set3(batch.normal, (int)k, lanes_get3(from->normal, (int)lane));
        batch.height.x[k] = from->height.x[lane];
        batch.back.x[k] = from->back.x[lane];
    }
    batch.speculative = query->speculative;
    batch.used = (int)(count < LODE_LANES ? count : LODE_LANES);
    query->kernels->gather_triangles(mesh_of(query->surface), triangles, solids, &batch);
    query->kernels->cut_faces(&batch, &flow->cuts[first]);
}

/* Faces of boxes that a triangle's normal decides about. */
static void cut_faces(lode__many_flow *flow)
{
    flow->cut_count = 0;
    if (flow->triangle_count == 0 || !lode__triangle_rows[flow->type].cuts)
        return;
    for (uint32_t i = 0; i < flow->triangle_count && flow->cut_count < LODE__FLOW_CUTS; ++i) {
        const lode__triangle_batch *batch = &flow->batches[i / LODE_LANES];
        uint32_t lane = i % LODE_LANES;
        flow->cut_triangles[flow->cut_count] = i;
        flow->cut_count += (batch->touches.x[lane] != 0) &
                           (batch->what.x[lane] == LODE__BOX_BY_FACE);
    }
    for (uint32_t first = 0; first < flow->cut_count; first += LODE_LANES)
        cut_eight(flow, first);
}

static void hear(lode__many_flow *flow, lode__many_waiting *w, uint32_t *cut)
{
    const lode__triangle_row *row = &lode__triangle_rows[flow->type];
    lode__mesh_points *out = w->query.out;
    out->count = 0;
    out->failed = false;
    mesh_words_begin(out);
    for (uint32_t i = w->begin; i < w->end && !out->failed; ++i) {
        const lode__triangle_batch *batch = &flow->batches[i / LODE_LANES];
        int lane = (int)(i % LODE_LANES);
        bool is_cut = *cut < flow->cut_count && flow->cut_triangles[*cut] == i;
        w->query.cut = is_cut ? &flow->cuts[*cut] : NULL;
        *cut += is_cut;
        if (batch->touches.x[lane] != 0)
            lode__many_lane(&w->query, row->lane, flow->triangles[i], batch, lane);
    }
    w->query.cut = NULL;
    if (!out->failed) {
        lode__many_settle(&w->query, row->face);
        lode__many_whole(&w->query, flow->type);
    }
    write_down(flow, &w->view, w->pair);
    if (out->count > 0 && !flow->list->failed)
        flow->list->pairs[flow->list->pair_count - 1].wants_list = true;
}

void lode__many_flush(lode__many_flow *flow)
{
    uint32_t cut = 0;
    run_batches(flow);
    cut_faces(flow);
    for (int i = 0; i < flow->count; ++i)
        hear(flow, &flow->waiting[i], &cut);
    flow->count = 0;
    flow->triangle_count = 0;
}

/* Those that wait are of one type, and on one surface. */
static bool is_alike(const lode__many_flow *flow, const lode__many_view *v)
{
    return flow->count == 0 ||
           (flow->type == type_of(v) && surface_of(&flow->waiting[0].view) == surface_of(v));
}

/* It has been flushed: the first that waits is `w`. */
static lode__many_waiting *be_first(lode__many_flow *flow, const lode__many_waiting *w)
{
    lode__many_waiting *first = &flow->waiting[0];
    first->view = w->view;
    first->near = w->near;
    first->pair = w->pair;
    return first;
}

/* `w`, which lies behind those that wait, comes to them. False: it is to be looked at by itself. */
static bool wait_for_others(lode__many_flow *flow, lode__many_waiting *w)
{
    if (!may_wait(&w->view))
        return false;
    if (!is_alike(flow, &w->view)) {
        lode__many_flush(flow);
        w = be_first(flow, w);
    }
    flow->type = type_of(&w->view);
    lode__many_ask(&w->query, &w->view, flow->speculative, &flow->list->points);
    w->lines = query_lines(&w->query);
    w->query.lines = &w->lines;
    bool room = list_triangles(flow, w);
    if (!room && flow->count > 0) {
        lode__many_flush(flow);
        return wait_for_others(flow, be_first(flow, w));
    }
    flow->count += room;
    return room;
}

/* --- all */

void lode__many_flow_begin(lode__many_flow *flow, const lode__collide *collide,
                           const lode__pool *bodies, lode_real speculative, lode__many_list *list)
{
    flow->collide = collide;
    flow->bodies = bodies;
    flow->speculative = speculative;
    flow->list = list;
    flow->count = 0;
    flow->triangle_count = 0;
}

void lode__many_part(lode__many_flow *flow, uint32_t pair)
{
    if (flow->collide->pairs.items[pair].points == 0)
        return; /* nor did it touch before */
    lode__many_flush(flow);
    part(flow, pair);
}

static lode__many_waiting *next_waiting(lode__many_flow *flow)
{
    if (flow->count == LODE__FLOW_PAIRS)
        lode__many_flush(flow);
    return &flow->waiting[flow->count];
}

static void touch(lode__many_flow *flow, lode__many_waiting *w)
{
    const uint32_t pair = w->pair;
    if (wait_for_others(flow, w))
        return;
    lode__many_view view = w->view;
    lode__many_flush(flow);
    lode__many_points(&view, flow->speculative, REAL_MAX, &flow->list->points);
    write_down(flow, &view, pair);
}

void lode__many_touch(lode__many_flow *flow, uint32_t pair)
{
    const lode__collide *collide = flow->collide;
    lode__many_waiting *w = next_waiting(flow);
    lode__many_look(&w->view, collide, flow->bodies, &collide->pairs.items[pair]);
    w->near = near_list_of(&collide->many.near, collide->pairs.items[pair].manifold);
    w->pair = pair;
    touch(flow, w);
}

bool lode__many_touch_view(lode__many_flow *flow, const lode__many_view *view, uint32_t pair,
                           lode__near_list *near)
{
    if (!may_wait(view))
        return false;
    lode__many_waiting *w = next_waiting(flow);
    w->view = *view;
    w->near = near;
    w->pair = pair;
    touch(flow, w);
    return true;
}
