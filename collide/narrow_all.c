/* narrow_all.c: see narrow_all.h. */
#include "collide/narrow_all.h"

#include "collide/mix.h"
#include "collide/pair_lanes.h"
#include "collide/two.h"
#include "core/math.h"

#include <limits.h>

typedef lode__narrow_run narrow_run;

/* --- which pairs */

static bool cell_has(uint32_t cell, uint32_t type)
{
    return cell / LODE_SHAPE_TYPE_COUNT == type || cell % LODE_SHAPE_TYPE_COUNT == type;
}

static bool is_boxes(uint32_t cell)
{
    return cell == LODE_BOX * LODE_SHAPE_TYPE_COUNT + LODE_BOX;
}

/* Are the pair's points chosen from more, before a kernel tells how many? */
static bool has_more(uint32_t cell)
{
    bool flat = cell_has(cell, LODE_HULL) || cell_has(cell, LODE_CYLINDER);
    return flat && !cell_has(cell, LODE_SPHERE);
}

int lode__narrow_asked(const lode__lane_cell *cell)
{
    bool crosses = cell->kind == LODE__TOUCH_CAPSULE_BOX ||
                   cell->kind == LODE__TOUCH_CAPSULE_CAPSULE;
    return cell->boxes ? LODE__MANIFOLD_POINTS : crosses ? 1 : INT_MAX;
}

uint32_t lode__narrow_most(const narrow_run *run, const lode__pair *pair)
{
    return lode__material_contacts(run->collide, lode__pair_a(pair), lode__pair_b(pair));
}

static bool has_chain(const narrow_run *run, const lode__pair *pair)
{
    return run->collide->chains && pair->points > 0 &&
           *LODE__AT(manifold, &run->collide->manifolds, next, pair->manifold) != LODE__NONE;
}

bool lode__narrow_wants_all(const narrow_run *run, const lode__pair *pair, bool near)
{
    if (has_chain(run, pair))
        return true;
    if (!near || !run->limits || cell_has(pair->cell, LODE_SPHERE))
        return false;
    uint32_t most = lode__narrow_most(run, pair);
    return most <= LODE__MANIFOLD_POINTS || (most < UINT32_MAX && has_more(pair->cell));
}

/* --- writing down */

static lode_vec3 apart_of(const narrow_run *run, const lode__pair *pair)
{
    const lode__pool *shapes = &run->collide->shapes;
    uint32_t a = LODE__AT(shape, shapes, geometry, lode__pair_a(pair))->body;
    uint32_t b = LODE__AT(shape, shapes, geometry, lode__pair_b(pair))->body;
    return v3_sub(LODE__AT(body, run->bodies, pose, a)->position,
                  LODE__AT(body, run->bodies, pose, b)->position);
}

/* To the pair's one manifold, which has room. */
static void write_few(const narrow_run *run, lode__pair *pair, const lode__two_list *list)
{
    uint32_t feature[LODE__MANIFOLD_POINTS];
    lode__manifold *m = LODE__AT(manifold, &run->collide->manifolds, manifold, pair->manifold);
    if (list->count == 0) {
        lode__narrow_part(run, pair);
        return;
    }
    for (uint32_t k = 0; k < list->count; ++k)
        feature[k] = list->items[k].point.feature;
    if (!lode__narrow_name_points(run, m, feature, (int)list->count))
        return;
    m->idle = 0;
    m->offset = apart_of(run, pair);
    m->normal = list->items[0].normal;
    for (uint32_t k = 0; k < list->count; ++k) {
        m->points[k].position = list->items[k].point.position;
        m->points[k].depth = list->items[k].point.depth;
    }
    pair->points = (uint16_t)list->count;
}

/* To the block's list, in their order, with as many manifolds as it takes. */
static void write_many(const narrow_run *run, uint32_t i, const lode__pair *pair,
                       const lode__two_list *list)
{
    lode__many_pair *found = lode__many_add_pair(run->list, run->begin + i);
    lode__cluster *cluster = NULL;
    if (!found)
        return;
    found->apart = apart_of(run, pair);
    for (uint32_t k = 0; k < list->count; ++k) {
        if (k % LODE__MANIFOLD_POINTS == 0 && !(cluster = lode__many_add_cluster(run->list)))
            return;
        cluster->normal = list->items[k].normal;
        cluster->points[cluster->count++] = list->items[k].point;
    }
    found->count = run->list->cluster_count - found->first;
}

/* Of all points of the pair, the deepest; no more than a manifold has where materials do not say
 * any more how many count. */
static void write_deepest(const narrow_run *run, uint32_t i, lode__pair *pair)
{
    lode__two_list *list = &run->list->deepest;
    uint32_t most = lode__narrow_most(run, pair);
    most = most < UINT32_MAX ? most : LODE__MANIFOLD_POINTS;
    lode__keep_deepest(list, most, run->speculative);
    if (list->count > LODE__MANIFOLD_POINTS || has_chain(run, pair))
        write_many(run, i, pair, list);
    else
        write_few(run, pair, list);
}

/* --- one pair */

static void ask_one(const narrow_run *run, uint32_t i, lode__pair *pair)
{
    const lode__pool *shapes = &run->collide->shapes;
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    lode__two two = {.a = LODE__AT(shape, shapes, geometry, a),
                     .b = LODE__AT(shape, shapes, geometry, b),
                     .place_a = lode__place_of(run->collide, run->bodies, a),
                     .place_b = lode__place_of(run->collide, run->bodies, b),
                     .speculative = run->speculative};
    lode__two_list *list = &run->list->deepest;
    list->count = 0;
    if (lode__two_touch(&two, run->collide->kernels, LODE_COLLIDE_ALL, run->speculative, list))
        write_deepest(run, i, pair);
    else
        run->list->failed = true;
}

/* --- boxes */

static void push_boxes(const narrow_run *run, lode__pair_sources *from, uint32_t i,
                       const lode__pair *pair)
{
    const uint32_t shapes[2] = {lode__pair_a(pair), lode__pair_b(pair)};
    for (int x = 0; x < 2; ++x) {
        const lode__shape_chunk *chunk = lode__shape_chunk_of(&run->collide->shapes, shapes[x]);
        const lode__geometry *g = &chunk->geometry[shapes[x] & LODE__CHUNK_MASK];
        from->size[x][from->used] = g->size;
        from->body[x][from->used] = (const lode_real *)LODE__AT(body, run->bodies, pose, g->body);
        from->place[x][from->used] = (const lode_real *)&chunk->pose[shapes[x] & LODE__CHUNK_MASK];
    }
    from->name[from->used++] = i;
}

static bool list_lane(const lode__box_points *points, int lane, lode__two_list *out)
{
    lode_vec3 normal = lanes_get3(points->normal, lane);
    out->count = 0;
    for (int k = 0; k < LODE__BOX_POINTS; ++k) {
        lode__two_point p = {.normal = normal, .index = out->count};
        if (!(points->valid[k].x[lane] > 0))
            continue;
        p.point.position = lanes_get3(points->position[k], lane);
        p.point.depth = points->depth[k].x[lane];
        p.point.feature = (uint32_t)points->feature[k].x[lane];
        if (!lode__two_list_add(out, &p))
            return false;
    }
    return true;
}

static void ask_boxes(const narrow_run *run, lode__pair_queue *queue, lode__pair *pairs)
{
    lode__box_points points;
    const int used = queue->from.used;
    if (used == 0)
        return;
    lode__sources_fill_up(&queue->from);
    run->collide->kernels->gather(&queue->from, &queue->batch);
    run->collide->kernels->box_points(&queue->batch, false, &points);
    for (int lane = 0; lane < used; ++lane) {
        uint32_t i = queue->from.name[lane];
        if (list_lane(&points, lane, &run->list->deepest))
            write_deepest(run, i, &pairs[i]);
        else
            run->list->failed = true;
    }
    queue->from.used = 0;
}

/* --- all */

/* The bounds of a pair with a chain may have parted. */
static bool is_apart(const narrow_run *run, const lode__pair *pair)
{
    const lode__pool *shapes = &run->collide->shapes;
    return !boxes_overlap(LODE__AT(shape, shapes, bounds, lode__pair_a(pair)),
                          LODE__AT(shape, shapes, bounds, lode__pair_b(pair)));
}

void lode__narrow_all_run(const narrow_run *run, lode__pair *pairs)
{
    lode__pair_queue boxes;
    boxes.batch.speculative = run->speculative;
    boxes.batch.used = LODE_LANES;
    boxes.batch.swapped = boxes.from.swapped = boxes.from.centered = false;
    boxes.from.sizes = NULL;
    boxes.from.used = 0;
    for (uint32_t k = 0; k < run->all->count; ++k) {
        uint32_t i = run->all->items[k];
        lode__pair *pair = &pairs[i];
        if (is_apart(run, pair)) {
            run->list->deepest.count = 0;
            write_many(run, i, pair, &run->list->deepest);
        } else if (is_boxes(pair->cell)) {
            push_boxes(run, &boxes.from, i, pair);
        } else {
            ask_one(run, i, pair);
        }
        if (boxes.from.used == LODE_LANES)
            ask_boxes(run, &boxes, pairs);
    }
    ask_boxes(run, &boxes, pairs);
}
