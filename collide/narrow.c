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
#include "collide/kernels.h"
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
    const lode__shape_data *data_a, *data_b;
    lode_vec3 apart;  /* from b's centre of mass to a's */
    lode_vec3 offset; /* from the centre of a to that of b */
} pair_view;

typedef void cell_fn(const narrow_run *run, const uint16_t *list, uint32_t count, lode__pair *pairs,
                     lode__touch_fn *touch);

static cell_fn each, each_swapped, box_box;

/* clang-format off */
#define ONE(touch) {each, lode__touch_##touch}
#define SWAPPED(touch) {each_swapped, lode__touch_##touch}
#define EIGHT(cell) {cell, NULL}
#define NEVER {NULL, NULL} /* no points: neither body is dynamic */
#define MANY {NULL, NULL}  /* by triangle or class, in collide/many_touch.c */

static const struct {
    cell_fn *run;
    lode__touch_fn *touch;
} matrix[LODE_SHAPE_TYPE_COUNT][LODE_SHAPE_TYPE_COUNT] = {
    /*                  b: sphere                 box                    plane                    capsule                    cylinder                    mesh   hull                   height field  custom */
    /* a: sphere   */ { ONE(sphere_sphere),       ONE(sphere_box),       ONE(sphere_plane),       ONE(sphere_capsule),       ONE(sphere_cylinder),       MANY, SWAPPED(hull_sphere), MANY, MANY },
    /*    box      */ { SWAPPED(sphere_box),      EIGHT(box_box),        ONE(box_plane),          SWAPPED(capsule_box),      SWAPPED(cylinder_box),      MANY, SWAPPED(hull_box), MANY, MANY },
    /*    plane    */ { SWAPPED(sphere_plane),    SWAPPED(box_plane),    NEVER,                   SWAPPED(capsule_plane),    SWAPPED(cylinder_plane),    MANY,  SWAPPED(hull_plane), NEVER, MANY },
    /*    capsule  */ { SWAPPED(sphere_capsule),  ONE(capsule_box),      ONE(capsule_plane),      ONE(capsule_capsule),      SWAPPED(cylinder_capsule),  MANY, SWAPPED(hull_capsule), MANY, MANY },
    /*    cylinder */ { SWAPPED(sphere_cylinder), ONE(cylinder_box),     ONE(cylinder_plane),     ONE(cylinder_capsule),     ONE(cylinder_cylinder),     MANY, SWAPPED(hull_cylinder), MANY, MANY },
    /*    mesh     */ { MANY,                     MANY,                  MANY,                    MANY,                      MANY,                       MANY, MANY, NEVER, MANY },
    /*    hull     */ { ONE(hull_sphere),         ONE(hull_box),         ONE(hull_plane),         ONE(hull_capsule),         ONE(hull_cylinder),         MANY, ONE(hull_hull), MANY, MANY },
    /*    field    */ { MANY,                     MANY,                  NEVER,                   MANY,                      MANY,                       NEVER, MANY, NEVER, MANY },
    /*    custom   */ { MANY,                     MANY,                  MANY,                    MANY,                      MANY,                       MANY, MANY, MANY, MANY },
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
        .data_a = *LODE__AT(shape, shapes, data, a),
        .data_b = *LODE__AT(shape, shapes, data, b),
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

static void each(const narrow_run *run, const uint16_t *list, uint32_t count, lode__pair *pairs,
                 lode__touch_fn *touch_pair)
{
    for (uint32_t i = 0; i < count; ++i) {
        pair_view view = view_pair(run, &pairs[list[i]]);
        lode__shape_view a = {view.geometry_a->size, view.pose_a->rotation, view.data_a};
        lode__shape_view b = {view.geometry_b->size, view.pose_b->rotation, view.data_b};
        lode__touch touch = {.count = 0};
        touch_pair(&a, &b, view.offset, run->speculative, &touch);
        write_touch(run, &view, &touch);
    }
}

static void touch_swapped(lode__touch_fn *touch_pair, const lode__shape_view *a,
                          const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                          lode__touch *out)
{
    touch_pair(b, a, v3_neg(offset), speculative, out);
    out->normal = v3_neg(out->normal);
    for (int k = 0; k < out->count; ++k)
        out->position[k] = v3_add(out->position[k], offset);
}

/* The function takes the shapes the other way round. */
static void each_swapped(const narrow_run *run, const uint16_t *list, uint32_t count,
                         lode__pair *pairs, lode__touch_fn *touch_pair)
{
    for (uint32_t i = 0; i < count; ++i) {
        pair_view view = view_pair(run, &pairs[list[i]]);
        lode__shape_view a = {view.geometry_a->size, view.pose_a->rotation, view.data_a};
        lode__shape_view b = {view.geometry_b->size, view.pose_b->rotation, view.data_b};
        lode__touch touch = {.count = 0};
        touch_swapped(touch_pair, &a, &b, view.offset, run->speculative, &touch);
        write_touch(run, &view, &touch);
    }
}

/* --- boxes, eight pairs at a time */

static void set_lane3(lode__lanes lanes[3], int lane, lode_real x, lode_real y, lode_real z)
{
    lanes[0].x[lane] = x;
    lanes[1].x[lane] = y;
    lanes[2].x[lane] = z;
}

static void set_lane4(lode__lanes lanes[4], int lane, lode_quat q)
{
    lanes[0].x[lane] = q.w;
    set_lane3(&lanes[1], lane, q.x, q.y, q.z);
}

/* Points are told from `arm` before the centre of a. */
static void fill_lane(lode__box_batch *batch, int lane, const lode__shape_view *a,
                      const lode__shape_view *b, lode_vec3 offset, lode_vec3 arm)
{
    set_lane3(batch->half_a, lane, a->size[0], a->size[1], a->size[2]);
    set_lane3(batch->half_b, lane, b->size[0], b->size[1], b->size[2]);
    set_lane4(batch->rotation_a, lane, a->rotation);
    set_lane4(batch->rotation_b, lane, b->rotation);
    set_lane3(batch->offset, lane, offset.x, offset.y, offset.z);
    set_lane3(batch->arm, lane, arm.x, arm.y, arm.z);
}

/* Two unit boxes far apart. */
static void fill_empty_lane(lode__box_batch *batch, int lane)
{
    set_lane3(batch->half_a, lane, 1, 1, 1);
    set_lane3(batch->half_b, lane, 1, 1, 1);
    set_lane4(batch->rotation_a, lane, q_identity());
    set_lane4(batch->rotation_b, lane, q_identity());
    set_lane3(batch->offset, lane, 1000, 0, 0);
    set_lane3(batch->arm, lane, 0, 0, 0);
}

static lode_vec3 lane3(const lode__lanes lanes[3], int lane)
{
    return v3(lanes[0].x[lane], lanes[1].x[lane], lanes[2].x[lane]);
}

/* Pairs that wait for their batch to be full. A batch costs what any of its pairs needs, and the
 * pairs of a heap need different things: most of them nothing once their axes are known. So there
 * is a queue for each way of touching. What a pair did last says where it is likely to belong, and
 * no more: every pair is computed in full, whatever batch it is in. */
typedef struct box_queue {
    lode__box_batch batch;
    lode__pair *pairs[LODE_LANES];
    lode_vec3 apart[LODE_LANES]; /* of their bodies */
    int used;
} box_queue;

/* Two points are always a face's. */
static int likely_way(const lode__pair *pair)
{
    return pair->points > 1 ? LODE__BOXES_BY_FACE : LODE__BOXES_APART;
}

/* True when the queue is full. */
static bool add_to_queue(const narrow_run *run, box_queue *queue, lode__pair *pair)
{
    pair_view view = view_pair(run, pair);
    lode__shape_view a = {view.geometry_a->size, view.pose_a->rotation, NULL};
    lode__shape_view b = {view.geometry_b->size, view.pose_b->rotation, NULL};
    fill_lane(&queue->batch, queue->used, &a, &b, view.offset, view.pose_a->position);
    queue->pairs[queue->used] = pair;
    queue->apart[queue->used] = view.apart;
    return ++queue->used == LODE_LANES;
}

static void fill_up(lode__box_batch *batch, int used)
{
    for (int lane = used; lane < LODE_LANES; ++lane)
        fill_empty_lane(batch, lane);
}

static void write_lane(const narrow_run *run, const box_queue *queue, int lane)
{
    const lode__box_batch *batch = &queue->batch;
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
    m->normal = lane3(batch->normal, lane);
    for (int k = 0; k < count; ++k) {
        lode__point *point = &m->points[k];
        point->position = lane3(batch->position[k], lane);
        point->depth = batch->depth[k].x[lane];
        point->feature = (uint32_t)batch->feature[k].x[lane];
        carry_impulses(point, old, m->point_count, k);
    }
    m->point_count = count;
    pair->points = (uint16_t)count;
}

static void touch_queue(const narrow_run *run, box_queue *queue)
{
    fill_up(&queue->batch, queue->used);
    run->collide->kernels->box_box(&queue->batch);
    for (int lane = 0; lane < queue->used; ++lane)
        write_lane(run, queue, lane);
    queue->used = 0;
}

/* Parts pairs that are apart and sends the others to their queues. */
static void sort_apart(const narrow_run *run, box_queue queues[LODE__BOX_WAYS])
{
    box_queue *apart = &queues[LODE__BOXES_APART];
    fill_up(&apart->batch, apart->used);
    run->collide->kernels->box_way(&apart->batch);
    for (int lane = 0; lane < apart->used; ++lane) {
        lode__pair *pair = apart->pairs[lane];
        int way = (int)apart->batch.count.x[lane];
        if (way == LODE__BOXES_APART)
            part(run, pair);
        else if (add_to_queue(run, &queues[way], pair))
            touch_queue(run, &queues[way]);
    }
    apart->used = 0;
}

static void box_box(const narrow_run *run, const uint16_t *list, uint32_t count, lode__pair *pairs,
                    lode__touch_fn *none)
{
    (void)none;
    box_queue queues[LODE__BOX_WAYS] = {0};
    for (int way = 0; way < LODE__BOX_WAYS; ++way)
        queues[way].batch.speculative = run->speculative;
    for (uint32_t i = 0; i < count; ++i) {
        lode__pair *pair = &pairs[list[i]];
        int way = likely_way(pair);
        if (!add_to_queue(run, &queues[way], pair))
            continue;
        if (way == LODE__BOXES_APART)
            sort_apart(run, queues);
        else
            touch_queue(run, &queues[way]);
    }
    sort_apart(run, queues);
    for (int way = LODE__BOXES_BY_FACE; way < LODE__BOX_WAYS; ++way)
        if (queues[way].used > 0)
            touch_queue(run, &queues[way]);
}

/* --- one pair, apart from any step */

static void touch_boxes(const lode__collide_kernels *kernels, const lode__shape_view *a,
                        const lode__shape_view *b, lode_vec3 offset, lode_real speculative,
                        lode__touch *out)
{
    lode__box_batch batch = {.speculative = speculative};
    fill_lane(&batch, 0, a, b, offset, v3_zero());
    fill_up(&batch, 1);
    kernels->box_box(&batch);
    out->count = (int)batch.count.x[0];
    out->normal = lane3(batch.normal, 0);
    for (int k = 0; k < out->count; ++k) {
        out->position[k] = lane3(batch.position[k], 0);
        out->depth[k] = batch.depth[k].x[0];
        out->feature[k] = (uint32_t)batch.feature[k].x[0];
    }
}

void lode__touch_solids(const lode__collide_kernels *kernels, uint32_t type_a,
                        const lode__shape_view *a, uint32_t type_b, const lode__shape_view *b,
                        lode_vec3 offset, lode_real speculative, lode__touch *out)
{
    cell_fn *run = matrix[type_a][type_b].run;
    lode__touch_fn *touch = matrix[type_a][type_b].touch;
    out->count = 0;
    if (run == each)
        touch(a, b, offset, speculative, out);
    else if (run == each_swapped)
        touch_swapped(touch, a, b, offset, speculative, out);
    else if (run == box_box)
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
            (&matrix[0][0])[cell].run(run, lists[cell], counts[cell], pairs,
                                      (&matrix[0][0])[cell].touch);
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
