/* narrow.c: the narrow phase.
 *
 * Pairs are worked through in blocks; within a block those whose bounds overlap are grouped by
 * their cell of the matrix below, and each group goes to its cell: one pair after another, or
 * eight at a time. A pair whose bounds are apart has no points, whatever its fat bounds say.
 *
 * A manifold is read and written only where its pair touches, or did: most do not.
 *
 * Solids whose materials say how many points count go to collide/narrow_all.c, boxes only where
 * they have more points than a manifold.
 *
 * What each pair has found by itself is then looked at once more where shapes stand side by side
 * (collide/seams.h).
 *
 * All geometry is relative: from body to body, never absolute. New points take over the impulses
 * of old ones with the same feature, right when the manifold is overwritten. */
#include "collide/narrow_all.h"
#include "collide/pair_lanes.h"
#include "collide/seams.h"
#include "core/fetch.h"
#include "core/math.h"

#include <limits.h>

/* Memory is asked for so many pairs before it is needed. */
enum { FETCH_AHEAD = 8 };

enum { CELLS = LODE_SHAPE_TYPE_COUNT * LODE_SHAPE_TYPE_COUNT };

typedef lode__narrow_run narrow_run;

/* What is between two shapes this step. */
typedef struct pair_view {
    lode__pair *pair;
    const lode__geometry *geometry_a, *geometry_b;
    const lode__pose *pose_a, *pose_b;
    lode_vec3 apart;  /* from b's centre of mass to a's */
    lode_vec3 offset; /* from the centre of a to that of b */
} pair_view;

typedef lode__narrow_cell cell;

static lode__narrow_fn each, eight;

/* clang-format off */
#define ONE(touch) {each, lode__touch_##touch, NULL, false, {0}}
#define ONE_SWAPPED(touch) {each, lode__touch_##touch, NULL, true, {0}}
#define EIGHT(KIND) {eight, NULL, NULL, false, {true, true, false, false, LODE__MOST_##KIND, LODE__TOUCH_##KIND}}
#define EIGHT_SWAPPED(KIND) {eight, NULL, NULL, true, {true, true, false, true, LODE__MOST_##KIND, LODE__TOUCH_##KIND}}
#define BOXES {eight, NULL, NULL, false, {true, true, true, false, LODE__MOST_BOX_BOX, LODE__TOUCH_BOX_BOX}} /* sorted first */
#define WITH_KERNEL(touch) {each, NULL, lode__touch_##touch, false, {0}}
#define WITH_KERNEL_SWAPPED(touch) {each, NULL, lode__touch_##touch, true, {0}}
#define NEVER {NULL, NULL, NULL, false, {0}} /* no points: two endless grounds */
#define MANY {NULL, NULL, NULL, false, {0}}  /* by triangle or class, in collide/many_touch.c */

const cell lode__narrow_matrix[LODE_SHAPE_TYPE_COUNT][LODE_SHAPE_TYPE_COUNT] = {
    /*               b: sphere                         box                        plane
     *               capsule                       cylinder                       mesh   hull
     *               field  custom */
    /* a: sphere   */ { EIGHT(SPHERE_SPHERE),          EIGHT(SPHERE_BOX),         EIGHT(SPHERE_PLANE),  EIGHT(SPHERE_CAPSULE),        ONE(sphere_cylinder),          MANY,  ONE_SWAPPED(hull_sphere),          MANY,  MANY },
    /*    box      */ { EIGHT_SWAPPED(SPHERE_BOX),     BOXES,                     EIGHT(BOX_PLANE),     EIGHT_SWAPPED(CAPSULE_BOX),   ONE_SWAPPED(cylinder_box),     MANY,  WITH_KERNEL_SWAPPED(hull_and_box), MANY,  MANY },
    /*    plane    */ { EIGHT_SWAPPED(SPHERE_PLANE),   EIGHT_SWAPPED(BOX_PLANE),  NEVER,                EIGHT_SWAPPED(CAPSULE_PLANE), EIGHT_SWAPPED(CYLINDER_PLANE), MANY,  ONE_SWAPPED(hull_plane),           MANY,  MANY },
    /*    capsule  */ { EIGHT_SWAPPED(SPHERE_CAPSULE), EIGHT(CAPSULE_BOX),        EIGHT(CAPSULE_PLANE), EIGHT(CAPSULE_CAPSULE),       ONE_SWAPPED(cylinder_capsule), MANY,  ONE_SWAPPED(hull_capsule),         MANY,  MANY },
    /*    cylinder */ { ONE_SWAPPED(sphere_cylinder),  ONE(cylinder_box),         EIGHT(CYLINDER_PLANE), ONE(cylinder_capsule),       ONE(cylinder_cylinder),        MANY,  ONE_SWAPPED(hull_cylinder),        MANY,  MANY },
    /*    mesh     */ { MANY,                          MANY,                      MANY,                 MANY,                         MANY,                          MANY,  MANY,                              MANY,  MANY },
    /*    hull     */ { ONE(hull_sphere),              WITH_KERNEL(hull_and_box), ONE(hull_plane),      ONE(hull_capsule),            ONE(hull_cylinder),            MANY,  WITH_KERNEL(hulls),                MANY,  MANY },
    /*    field    */ { MANY,                          MANY,                      MANY,                 MANY,                         MANY,                          MANY,  MANY,                              NEVER, MANY },
    /*    custom   */ { MANY,                          MANY,                      MANY,                 MANY,                         MANY,                          MANY,  MANY,                              MANY,  MANY },
};
/* clang-format on */

/* --- from pair to geometry and back */

static pair_view view_pair(const narrow_run *run, lode__pair *pair)
{
    const lode__pool *shapes = &run->collide->shapes;
    uint32_t a = lode__pair_a(pair), b = lode__pair_b(pair);
    pair_view view = {
        .pair = pair,
        .geometry_a = LODE__AT(shape, shapes, geometry, a),
        .geometry_b = LODE__AT(shape, shapes, geometry, b),
        .pose_a = LODE__AT(shape, shapes, pose, a),
        .pose_b = LODE__AT(shape, shapes, pose, b),
    };
    view.apart = v3_sub(LODE__AT(body, run->bodies, pose, view.geometry_a->body)->position,
                        LODE__AT(body, run->bodies, pose, view.geometry_b->body)->position);
    view.offset = v3_sub(v3_sub(view.pose_b->position, view.pose_a->position), view.apart);
    return view;
}

static lode__manifold *manifold_of(const narrow_run *run, const lode__pair *pair)
{
    return LODE__AT(manifold, &run->collide->manifolds, manifold, pair->manifold);
}

/* It is about to be written to: its first point and what is before it. */
LODE__FETCHER void fetch_manifold(const narrow_run *run, const lode__pair *pair)
{
    const char *m = (const char *)manifold_of(run, pair);
    __builtin_prefetch(m, 1);
    __builtin_prefetch(m + 64, 1);
}

/* Notes what the points bore that are not among these features. False: no memory; the step fails,
 * and the manifold is to stay as it is. */
static bool note_estates(const narrow_run *run, const lode__manifold *m, const uint32_t *feature,
                         int count)
{
    lode__many_list *list = run->list;
    if (!run->inherits)
        return true;
    if (!lode__estates_reserve(&list->estates, LODE__MANIFOLD_POINTS))
        list->failed = true;
    for (int k = 0; k < m->point_count && !list->failed; ++k) {
        int i = 0;
        while (i < count && feature[i] != m->points[k].feature)
            ++i;
        if (i == count)
            lode__estates_add(&list->estates, run->bodies, m, k);
    }
    return !list->failed;
}

/* The pair does not touch. */
static void part(const narrow_run *run, lode__pair *pair)
{
    if (pair->points > 0 && note_estates(run, manifold_of(run, pair), NULL, 0)) {
        manifold_of(run, pair)->point_count = 0;
        pair->points = 0;
    }
}

/* Gives `point` the impulses that the same feature had. */
static void carry_impulses(lode__point *point, const lode__point *old, int old_count, int guess)
{
    int k = guess < old_count && old[guess].feature == point->feature ? guess : 0;
    while (k < old_count && old[k].feature != point->feature)
        ++k;
    for (int i = 0; i < 3; ++i) {
        point->impulse[i] = k < old_count ? old[k].impulse[i] : 0;
        point->exerted[i] = k < old_count ? old[k].exerted[i] : 0;
    }
}

/* Mostly the features are those of the last step in the same order, and nothing need be written. */
static bool name_points(const narrow_run *run, lode__manifold *m, const uint32_t *feature,
                        int count)
{
    bool same = m->point_count == count;
    for (int k = 0; k < count && same; ++k)
        same = m->points[k].feature == feature[k];
    if (same)
        return true;
    if (!note_estates(run, m, feature, count))
        return false;
    lode__point old[LODE__MANIFOLD_POINTS];
    int old_count = m->point_count;
    for (int k = 0; k < old_count; ++k)
        old[k] = m->points[k];
    for (int k = 0; k < count; ++k) {
        m->points[k].feature = feature[k];
        carry_impulses(&m->points[k], old, old_count, k);
    }
    m->point_count = count;
    return true;
}

bool lode__narrow_name_points(const narrow_run *run, lode__manifold *m, const uint32_t *feature,
                              int count)
{
    return name_points(run, m, feature, count);
}

void lode__narrow_part(const narrow_run *run, lode__pair *pair)
{
    part(run, pair);
}

static void write_touch(const narrow_run *run, const pair_view *view, const lode__touch *touch)
{
    if (touch->count == 0) {
        part(run, view->pair);
        return;
    }
    lode__manifold *m = manifold_of(run, view->pair);
    if (!name_points(run, m, touch->feature, touch->count))
        return;
    m->idle = 0;
    m->offset = view->apart;
    m->normal = touch->normal;
    for (int k = 0; k < touch->count; ++k) {
        m->points[k].position = v3_add(touch->position[k], view->pose_a->position);
        m->points[k].depth = touch->depth[k];
    }
    view->pair->points = (uint16_t)touch->count;
}

/* --- cells that take one pair after another */

static void touch_one(const lode__collide_kernels *kernels, const cell *cell,
                      const lode__shape_view *a, const lode__shape_view *b, lode_vec3 offset,
                      lode_real speculative, lode__touch *out)
{
    const lode__shape_view *one = cell->swapped ? b : a, *other = cell->swapped ? a : b;
    lode_vec3 apart = cell->swapped ? v3_neg(offset) : offset;
    if (cell->kernel_touch)
        cell->kernel_touch(kernels, one, other, apart, speculative, out);
    else
        cell->touch(one, other, apart, speculative, out);
    if (!cell->swapped)
        return;
    out->normal = v3_neg(out->normal);
    for (int k = 0; k < out->count; ++k)
        out->position[k] = v3_add(out->position[k], offset);
}

static void each(const narrow_run *run, const cell *cell, const uint16_t *list, uint32_t count,
                 lode__pair *pairs)
{
    const lode__pool *shapes = &run->collide->shapes;
    for (uint32_t i = 0; i < count; ++i) {
        lode__pair *pair = &pairs[list[i]];
        pair_view view = view_pair(run, pair);
        lode__shape_view a = {view.geometry_a->size, view.pose_a->rotation,
                              *LODE__AT(shape, shapes, data, lode__pair_a(pair))};
        lode__shape_view b = {view.geometry_b->size, view.pose_b->rotation,
                              *LODE__AT(shape, shapes, data, lode__pair_b(pair))};
        lode__touch touch = {.count = 0};
        touch_one(run->collide->kernels, cell, &a, &b, view.offset, run->speculative, &touch);
        write_touch(run, &view, &touch);
    }
}

/* --- eight pairs at a time */

/* Whom a batch is told to. */
typedef struct lane_writer {
    const narrow_run *run;
    lode__pair *pairs;
    int asked; /* where so many points are told there may be more */
} lane_writer;

static void write_lane(const narrow_run *run, lode__pair *pair, const lode__pair_batch *batch,
                       int lane)
{
    int count = (int)batch->count.x[lane];
    if (count == 0) {
        part(run, pair);
        return;
    }
    lode__manifold *m = manifold_of(run, pair);
    uint32_t feature[LODE__MANIFOLD_POINTS];
    for (int k = 0; k < count; ++k)
        feature[k] = (uint32_t)batch->feature[k].x[lane];
    if (!name_points(run, m, feature, count))
        return;
    m->idle = 0;
    m->offset = lanes_get3(batch->apart, lane);
    m->normal = lanes_get3(batch->normal, lane);
    for (int k = 0; k < count; ++k) {
        m->points[k].position = lanes_get3(batch->position[k], lane);
        m->points[k].depth = batch->depth[k].x[lane];
    }
    pair->points = (uint16_t)count;
}

static void write_lanes(void *context, const lode__pair_queue *queue, unsigned lanes)
{
    const lane_writer *to = context;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        uint32_t i = queue->from.name[lane];
        if ((int)queue->batch.count.x[lane] >= to->asked &&
            lode__narrow_most(to->run, &to->pairs[i]) < UINT32_MAX)
            to->run->all->items[to->run->all->count++] = (uint16_t)i;
        else
            write_lane(to->run, &to->pairs[i], &queue->batch, lane);
    }
}

static void add_shape(const narrow_run *run, lode__pair_queue *queue, int x, uint32_t shape)
{
    const lode__shape_chunk *chunk = lode__shape_chunk_of(&run->collide->shapes, shape);
    const lode__geometry *geometry = &chunk->geometry[shape & LODE__CHUNK_MASK];
    const lode__pose *pose = &chunk->pose[shape & LODE__CHUNK_MASK];
    const lode__pose *body = LODE__AT(body, run->bodies, pose, geometry->body);
    queue_set_placed(queue, x, geometry->size, body, pose);
}

/* What a pair of boxes did last says where it is likely to belong, and no more: every pair is
 * computed in full. Two points are always a face's. */
static int likely_way(const lode__lane_cell *lanes, const lode__pair *pair)
{
    return lanes->boxes && pair->points > 1 ? LODE__BOXES_BY_FACE : 0;
}

static void eight(const narrow_run *run, const cell *cell, const uint16_t *list, uint32_t count,
                  lode__pair *pairs)
{
    lode__pair_stream stream;
    lane_writer writer = {run, pairs, run->limits ? lode__narrow_asked(&cell->lanes) : INT_MAX};
    lode__stream_begin(&stream, run->collide->kernels, &cell->lanes, false, run->speculative,
                       write_lanes, &writer);
    for (uint32_t i = 0; i < count; ++i) {
        lode__pair *pair = &pairs[list[i]];
        lode__pair_queue *queue = &stream.queue[likely_way(&cell->lanes, pair)];
        if (pair->points > 0)
            fetch_manifold(run, pair);
        add_shape(run, queue, 0, lode__pair_a(pair));
        add_shape(run, queue, 1, lode__pair_b(pair));
        queue_push(&stream, queue, list[i]);
    }
    lode__stream_end(&stream);
}

/* --- apart from any step */

void lode__touch_solids(const lode__collide_kernels *kernels, uint32_t type_a,
                        const lode__shape_view *a, uint32_t type_b, const lode__shape_view *b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    const cell *cell = &lode__narrow_matrix[type_a][type_b];
    out->count = 0;
    if (cell->touch || cell->kernel_touch)
        touch_one(kernels, cell, a, b, offset, speculative, out);
}

/* --- the stage */

/* Asks for the memory of a pair that is soon looked at. */
LODE__FETCHER void fetch_shape(const narrow_run *run, uint32_t shape)
{
    const lode__shape_chunk *chunk = lode__shape_chunk_of(&run->collide->shapes, shape);
    __builtin_prefetch(&chunk->bounds[shape & LODE__CHUNK_MASK]);
    __builtin_prefetch(&chunk->geometry[shape & LODE__CHUNK_MASK]);
    __builtin_prefetch(&chunk->pose[shape & LODE__CHUNK_MASK]);
}

LODE__FETCHER void fetch_bodies(const narrow_run *run, const lode__pair *pair)
{
    const lode__pool *shapes = &run->collide->shapes;
    uint32_t a = LODE__AT(shape, shapes, geometry, lode__pair_a(pair))->body;
    uint32_t b = LODE__AT(shape, shapes, geometry, lode__pair_b(pair))->body;
    __builtin_prefetch(LODE__AT(body, run->bodies, pose, a));
    __builtin_prefetch(LODE__AT(body, run->bodies, pose, b));
}

LODE__FETCHER void fetch_later(const narrow_run *run, const lode__pair *pairs, uint32_t i,
                               uint32_t count)
{
    if (i + FETCH_AHEAD < count) {
        fetch_shape(run, lode__pair_a(&pairs[i + FETCH_AHEAD]));
        fetch_shape(run, lode__pair_b(&pairs[i + FETCH_AHEAD]));
    }
    if (i + FETCH_AHEAD / 2 < count) {
        fetch_bodies(run, &pairs[i + FETCH_AHEAD / 2]);
        lode__near_fetch(&run->collide->many.near, pairs[i + FETCH_AHEAD / 2].manifold);
    }
}

static void narrow_block(void *context, uint32_t begin, uint32_t end)
{
    narrow_run block = *(const narrow_run *)context;
    const narrow_run *run = &block;
    const cell *cells = &lode__narrow_matrix[0][0];
    const lode__pool *shapes = &run->collide->shapes;
    lode__pair *pairs = &run->collide->pairs.items[begin];
    uint16_t lists[CELLS][LODE__NARROW_GRAIN];
    uint32_t counts[CELLS] = {0};
    lode__many_flow flow;
    lode__narrow_all all = {.count = 0};
    block.list = &run->collide->many.lists[begin / LODE__NARROW_GRAIN];
    block.all = &all;
    block.begin = begin;
    lode__many_flow_begin(&flow, run->collide, run->bodies, run->speculative, block.list);
    for (uint32_t i = 0; i < end - begin; ++i) {
        fetch_later(run, pairs, i, end - begin);
        const lode__aabb *a = LODE__AT(shape, shapes, bounds, lode__pair_a(&pairs[i]));
        const lode__aabb *b = LODE__AT(shape, shapes, bounds, lode__pair_b(&pairs[i]));
        uint32_t cell = pairs[i].cell;
        bool near = boxes_overlap(a, b);
        if (cell_is_many(cell)) { /* noted, and put into manifolds when all blocks are done */
            (near ? lode__many_touch : lode__many_part)(&flow, begin + i);
            continue;
        }
        near = near && cells[cell].run;
        if (lode__narrow_wants_all(run, &pairs[i], near))
            all.items[all.count++] = (uint16_t)i;
        else if (near)
            lists[cell][counts[cell]++] = (uint16_t)i;
        else
            part(run, &pairs[i]);
    }
    lode__many_flush(&flow);
    for (uint32_t cell = 0; cell < CELLS; ++cell)
        if (counts[cell] > 0)
            cells[cell].run(run, &cells[cell], lists[cell], counts[cell], pairs);
    lode__narrow_all_run(run, pairs);
}

bool lode__narrow_phase_run(lode__collide *collide, const lode__pool *bodies,
                            const lode__step *step)
{
    bool inherits = lode__inherit_is_on(collide);
    narrow_run run = {.collide = collide,
                      .bodies = bodies,
                      .speculative = LODE__SPECULATIVE(step->settings),
                      .inherits = inherits,
                      .limits = collide->materials.names.count > 0};
    uint32_t blocks = (collide->pairs.count + LODE__NARROW_GRAIN - 1) / LODE__NARROW_GRAIN;
    if (!lode__many_begin(&collide->many, blocks))
        return false;
    lode__tasks_run(step->tasks, collide->pairs.count, LODE__NARROW_GRAIN, narrow_block, &run);
    return lode__many_finish(collide, bodies, blocks, inherits) &&
           lode__seams_run(collide, bodies, step) && lode__inherit_run(collide, bodies, step);
}
