/* narrow.c: the narrow phase.
 *
 * Pairs are worked through in blocks; within a block those whose bounds overlap are grouped by
 * their cell of the matrix below, and each group goes to its cell: one pair after another, or
 * eight at a time. A pair whose bounds are apart has no points, whatever its fat bounds say.
 *
 * A manifold is read and written only where its pair touches, or did: most do not.
 *
 * All geometry is relative: from body to body, never absolute. New points take over the impulses
 * of old ones with the same feature, right when the manifold is overwritten. */
#include "collide/narrow.h"

#include "collide/collide.h"
#include "collide/pair_lanes.h"
#include "core/math.h"

enum { NARROW_GRAIN = 256, CELLS = LODE_SHAPE_TYPE_COUNT * LODE_SHAPE_TYPE_COUNT };

typedef struct narrow_run {
    lode__collide *collide;
    const lode__pool *bodies;
    lode_real speculative;
} narrow_run;

/* What is between two shapes this step. */
typedef struct pair_view {
    lode__pair *pair;
    const lode__geometry *geometry_a, *geometry_b;
    const lode__pose *pose_a, *pose_b;
    lode_vec3 apart;  /* from b's centre of mass to a's */
    lode_vec3 offset; /* from the centre of a to that of b */
} pair_view;

typedef struct cell cell;
typedef void cell_fn(const narrow_run *run, const cell *cell, const uint16_t *list, uint32_t count,
                     lode__pair *pairs);

/* What becomes of the pairs of two types. */
struct cell {
    cell_fn *run;
    lode__touch_fn *touch;               /* one pair */
    lode__kernel_touch_fn *kernel_touch; /* or this */
    lode__touch_kind kind;               /* eight pairs: the kernel */
    bool swapped;                        /* touch and kernel take the shapes the other way round */
};

static cell_fn each, eight, box_box;

/* clang-format off */
#define ONE(touch) {each, lode__touch_##touch, NULL, 0, false}
#define ONE_SWAPPED(touch) {each, lode__touch_##touch, NULL, 0, true}
#define EIGHT(touch, KIND) {eight, lode__touch_##touch, NULL, LODE__TOUCH_##KIND, false}
#define EIGHT_SWAPPED(touch, KIND) {eight, lode__touch_##touch, NULL, LODE__TOUCH_##KIND, true}
#define BOXES {box_box, NULL, NULL, 0, false} /* eight too, in their own way */
#define WITH_KERNEL(touch) {each, NULL, lode__touch_##touch, 0, false}
#define WITH_KERNEL_SWAPPED(touch) {each, NULL, lode__touch_##touch, 0, true}
#define NEVER {NULL, NULL, NULL, 0, false} /* no points: two endless grounds */
#define MANY {NULL, NULL, NULL, 0, false}  /* by triangle or class, in collide/many_touch.c */

static const cell matrix[LODE_SHAPE_TYPE_COUNT][LODE_SHAPE_TYPE_COUNT] = {
    /*               b: sphere                                         box                                  plane                                capsule                                      cylinder                       mesh   hull                        height field  custom */
    /* a: sphere   */ { EIGHT(sphere_sphere, SPHERE_SPHERE),           EIGHT(sphere_box, SPHERE_BOX),       EIGHT(sphere_plane, SPHERE_PLANE),   EIGHT(sphere_capsule, SPHERE_CAPSULE),       ONE(sphere_cylinder),          MANY,  ONE_SWAPPED(hull_sphere),   MANY, MANY },
    /*    box      */ { EIGHT_SWAPPED(sphere_box, SPHERE_BOX),         BOXES,                               EIGHT(box_plane, BOX_PLANE),         ONE_SWAPPED(capsule_box),                    ONE_SWAPPED(cylinder_box),     MANY,  WITH_KERNEL_SWAPPED(hull_and_box),      MANY, MANY },
    /*    plane    */ { EIGHT_SWAPPED(sphere_plane, SPHERE_PLANE),     EIGHT_SWAPPED(box_plane, BOX_PLANE), NEVER,                               EIGHT_SWAPPED(capsule_plane, CAPSULE_PLANE), ONE_SWAPPED(cylinder_plane),   MANY,  ONE_SWAPPED(hull_plane),    MANY, MANY },
    /*    capsule  */ { EIGHT_SWAPPED(sphere_capsule, SPHERE_CAPSULE), ONE(capsule_box),                    EIGHT(capsule_plane, CAPSULE_PLANE), EIGHT(capsule_capsule, CAPSULE_CAPSULE),     ONE_SWAPPED(cylinder_capsule), MANY,  ONE_SWAPPED(hull_capsule),  MANY, MANY },
    /*    cylinder */ { ONE_SWAPPED(sphere_cylinder),                  ONE(cylinder_box),                   ONE(cylinder_plane),                 ONE(cylinder_capsule),                       ONE(cylinder_cylinder),        MANY,  ONE_SWAPPED(hull_cylinder), MANY, MANY },
    /*    mesh     */ { MANY,                                          MANY,                                MANY,                                MANY,                                        MANY,                          MANY,  MANY,                       MANY, MANY },
    /*    hull     */ { ONE(hull_sphere),                              WITH_KERNEL(hull_and_box),           ONE(hull_plane),                     ONE(hull_capsule),                           ONE(hull_cylinder),            MANY,  WITH_KERNEL(hulls),         MANY, MANY },
    /*    field    */ { MANY,                                          MANY,                                MANY,                               MANY,                                        MANY,                          MANY, MANY,                       NEVER, MANY },
    /*    custom   */ { MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY },
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

/* The pair does not touch. */
static void part(const narrow_run *run, lode__pair *pair)
{
    if (pair->points > 0)
        manifold_of(run, pair)->point_count = 0;
    pair->points = 0;
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

static void keep_old(const lode__manifold *m, lode__point old[LODE__MANIFOLD_POINTS])
{
    for (int k = 0; k < m->point_count; ++k)
        old[k] = m->points[k];
}

static void write_touch(const narrow_run *run, const pair_view *view, const lode__touch *touch)
{
    if (touch->count == 0) {
        part(run, view->pair);
        return;
    }
    lode__manifold *m = manifold_of(run, view->pair);
    lode__point old[LODE__MANIFOLD_POINTS];
    keep_old(m, old);
    m->offset = view->apart;
    m->normal = touch->normal;
    for (int k = 0; k < touch->count; ++k) {
        lode__point *point = &m->points[k];
        point->position = v3_add(touch->position[k], view->pose_a->position);
        point->depth = touch->depth[k];
        point->feature = touch->feature[k];
        carry_impulses(point, old, m->point_count, k);
    }
    m->point_count = touch->count;
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

/* Two unit shapes far apart. */
static void fill_empty_lane(lode__pair_batch *batch, int lane)
{
    static const lode_real size[4] = {1, 1, 1, 1};
    const lode__shape_view unit = {size, q_identity(), NULL};
    lanes_set_pair(batch, lane, &unit, &unit, v3(1000, 0, 0), v3_zero());
}

static void fill_up(lode__pair_batch *batch, int used)
{
    for (int lane = used; lane < LODE_LANES; ++lane)
        fill_empty_lane(batch, lane);
}

/* Pairs that wait for their batch to be full. That a pair is in one batch or another changes none of
 * its bits. */
typedef struct pair_queue {
    lode__pair_batch batch;
    lode__pair *pairs[LODE_LANES];
    lode_vec3 apart[LODE_LANES]; /* of their bodies */
    int used;
} pair_queue;

static void begin_queue(const narrow_run *run, bool swapped, pair_queue *out)
{
    out->batch.speculative = run->speculative;
    out->batch.used = LODE_LANES;
    out->batch.swapped = swapped;
    out->used = 0;
}

/* True when the queue is full. */
static bool add_to_queue(const narrow_run *run, pair_queue *queue, lode__pair *pair)
{
    pair_view view = view_pair(run, pair);
    lode__shape_view a = {view.geometry_a->size, view.pose_a->rotation, NULL};
    lode__shape_view b = {view.geometry_b->size, view.pose_b->rotation, NULL};
    lode_vec3 arm = view.pose_a->position;
    if (queue->batch.swapped)
        lanes_set_pair(&queue->batch, queue->used, &b, &a, v3_neg(view.offset), arm);
    else
        lanes_set_pair(&queue->batch, queue->used, &a, &b, view.offset, arm);
    queue->pairs[queue->used] = pair;
    queue->apart[queue->used] = view.apart;
    return ++queue->used == LODE_LANES;
}

static void write_lane(const narrow_run *run, const pair_queue *queue, int lane)
{
    const lode__pair_batch *batch = &queue->batch;
    lode__pair *pair = queue->pairs[lane];
    int count = (int)batch->count.x[lane];
    if (count == 0) {
        part(run, pair);
        return;
    }
    lode__manifold *m = manifold_of(run, pair);
    lode__point old[LODE__MANIFOLD_POINTS];
    keep_old(m, old);
    m->offset = queue->apart[lane];
    m->normal = lanes_get3(batch->normal, lane);
    for (int k = 0; k < count; ++k) {
        lode__point *point = &m->points[k];
        point->position = lanes_get3(batch->position[k], lane);
        point->depth = batch->depth[k].x[lane];
        point->feature = (uint32_t)batch->feature[k].x[lane];
        carry_impulses(point, old, m->point_count, k);
    }
    m->point_count = count;
    pair->points = (uint16_t)count;
}

static void touch_queue(const narrow_run *run, lode__batch_fn *kernel, pair_queue *queue)
{
    fill_up(&queue->batch, queue->used);
    kernel(&queue->batch);
    for (int lane = 0; lane < queue->used; ++lane)
        write_lane(run, queue, lane);
    queue->used = 0;
}

static void eight(const narrow_run *run, const cell *cell, const uint16_t *list, uint32_t count,
                  lode__pair *pairs)
{
    lode__batch_fn *kernel = run->collide->kernels->touch[cell->kind];
    pair_queue queue;
    begin_queue(run, cell->swapped, &queue);
    for (uint32_t i = 0; i < count; ++i)
        if (add_to_queue(run, &queue, &pairs[list[i]]))
            touch_queue(run, kernel, &queue);
    if (queue.used > 0)
        touch_queue(run, kernel, &queue);
}

/* --- boxes */

/* A batch of boxes costs what any of its pairs needs, and the pairs of a heap need different things:
 * most of them nothing once their axes are known. So there is a queue for each way of touching. What a
 * pair did last says where it is likely to belong, and no more: every pair is computed in full. Two
 * points are always a face's. */
static int likely_way(const lode__pair *pair)
{
    return pair->points > 1 ? LODE__BOXES_BY_FACE : LODE__BOXES_APART;
}

/* Parts pairs that are apart and sends the others to their queues. */
static void sort_apart(const narrow_run *run, pair_queue queues[LODE__BOX_WAYS])
{
    pair_queue *apart = &queues[LODE__BOXES_APART];
    fill_up(&apart->batch, apart->used);
    run->collide->kernels->box_way(&apart->batch);
    for (int lane = 0; lane < apart->used; ++lane) {
        lode__pair *pair = apart->pairs[lane];
        int way = (int)apart->batch.count.x[lane];
        if (way == LODE__BOXES_APART)
            part(run, pair);
        else if (add_to_queue(run, &queues[way], pair))
            touch_queue(run, run->collide->kernels->box_box, &queues[way]);
    }
    apart->used = 0;
}

static void box_box(const narrow_run *run, const cell *cell, const uint16_t *list, uint32_t count,
                    lode__pair *pairs)
{
    pair_queue queues[LODE__BOX_WAYS];
    for (int way = 0; way < LODE__BOX_WAYS; ++way)
        begin_queue(run, cell->swapped, &queues[way]);
    for (uint32_t i = 0; i < count; ++i) {
        lode__pair *pair = &pairs[list[i]];
        int way = likely_way(pair);
        if (!add_to_queue(run, &queues[way], pair))
            continue;
        if (way == LODE__BOXES_APART)
            sort_apart(run, queues);
        else
            touch_queue(run, run->collide->kernels->box_box, &queues[way]);
    }
    sort_apart(run, queues);
    for (int way = LODE__BOXES_BY_FACE; way < LODE__BOX_WAYS; ++way)
        if (queues[way].used > 0)
            touch_queue(run, run->collide->kernels->box_box, &queues[way]);
}

/* --- one pair, apart from any step */

static void touch_boxes(const lode__collide_kernels *kernels, const lode__shape_view *a,
                        const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                        lode__touch *out)
{
    lode__pair_batch batch;
    batch.speculative = speculative;
    lanes_set_pair(&batch, 0, a, b, offset, v3_zero());
    fill_up(&batch, 1);
    kernels->box_box(&batch);
    lanes_get_touch(&batch, out);
}

void lode__touch_solids(const lode__collide_kernels *kernels, uint32_t type_a,
                        const lode__shape_view *a, uint32_t type_b, const lode__shape_view *b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    const cell *cell = &matrix[type_a][type_b];
    out->count = 0;
    if (cell->touch || cell->kernel_touch)
        touch_one(kernels, cell, a, b, offset, speculative, out);
    else if (cell->run == box_box)
        touch_boxes(kernels, a, b, offset, speculative, out);
}

/* --- the stage */

static bool bounds_overlap(const lode__aabb *a, const lode__aabb *b)
{
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) &
           (b->lo[1] <= a->hi[1]) & (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

/* A pair with many manifolds: what it touches with is written down, and put into the manifolds when
 * all blocks are done. */
static void touch_many(const narrow_run *run, uint32_t pair, bool near)
{
    lode__many_list *list = &run->collide->many.lists[pair / NARROW_GRAIN];
    if (near)
        lode__many_touch(run->collide, run->bodies, run->speculative, list, pair);
    else
        lode__many_part(run->collide, list, pair);
}

static void narrow_block(void *context, uint32_t begin, uint32_t end)
{
    const narrow_run *run = context;
    const lode__pool *shapes = &run->collide->shapes;
    lode__pair *pairs = &run->collide->pairs.items[begin];
    uint16_t lists[CELLS][NARROW_GRAIN];
    uint32_t counts[CELLS] = {0};
    for (uint32_t i = 0; i < end - begin; ++i) {
        const lode__aabb *a = LODE__AT(shape, shapes, bounds, lode__pair_a(&pairs[i]));
        const lode__aabb *b = LODE__AT(shape, shapes, bounds, lode__pair_b(&pairs[i]));
        uint32_t cell = pairs[i].cell;
        bool near = bounds_overlap(a, b);
        if (cell_is_many(cell)) {
            touch_many(run, begin + i, near);
            continue;
        }
        if (near && (&matrix[0][0])[cell].run)
            lists[cell][counts[cell]++] = (uint16_t)i;
        else
            part(run, &pairs[i]);
    }
    for (uint32_t cell = 0; cell < CELLS; ++cell)
        if (counts[cell] > 0)
            (&matrix[0][0])[cell].run(run, &(&matrix[0][0])[cell], lists[cell], counts[cell],
                                      pairs);
}

bool lode__narrow_phase_run(lode__collide *collide, const lode__pool *bodies,
                            const lode__step *step)
{
    narrow_run run = {collide, bodies, LODE__SPECULATIVE(step->settings)};
    uint32_t blocks = (collide->pairs.count + NARROW_GRAIN - 1) / NARROW_GRAIN;
    if (!lode__many_begin(&collide->many, blocks))
        return false;
    lode__tasks_run(step->tasks, collide->pairs.count, NARROW_GRAIN, narrow_block, &run);
    return lode__many_finish(collide, blocks);
}
