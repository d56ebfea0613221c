/* two_lanes.c: see two_lanes.h. */
#include "collide/two_lanes.h"

#include "collide/pair_lanes.h"
#include "collide/two.h"

#include <string.h>

/* Where shapes are that do not lie in the middle of their bodies. */
typedef lode__pose lane_room[2];

/* --- in */

static bool is_centered(const lode__geometry *geometry)
{
    static const lode_pose middle = {{0, 0, 0}, {1, 0, 0, 0}};
    return memcmp(&geometry->center, &middle, sizeof middle) == 0;
}

static void add_shape(lode__pair_queue *queue, int x, const lode__lane_shape *shape,
                      lode__pose *room)
{
    static const lode_real zero[4];
    const lode__geometry *geometry = shape->geometry;
    const lode_real *arm = zero, *turn = &shape->body->rotation.w;
    if (!is_centered(geometry)) {
        room->position = q_rotate(shape->body->rotation, geometry->center.position);
        room->rotation = q_mul(shape->body->rotation, geometry->center.rotation);
        arm = &room->position.x;
        turn = &room->rotation.w;
    }
    queue_set(queue, x, geometry->size, arm, turn, &shape->body->position.x);
}

static void add_pair(lode__pair_queue *queue, const lode__lane_pair *pair, lane_room room)
{
    add_shape(queue, 0, &pair->a, &room[0]);
    add_shape(queue, 1, &pair->b, &room[1]);
}

/* --- out */

static lode__two_point point_at(const lode__pair_batch *batch, int lane, int k, lode_vec3 normal)
{
    return (lode__two_point){.point = {.position = lanes_get3(batch->position[k], lane),
                                       .depth = batch->depth[k].x[lane],
                                       .feature = (uint32_t)batch->feature[k].x[lane]},
                             .normal = normal};
}

static lode_vec3 body_a(const lode__pair_queue *queue, int lane)
{
    const lode_real *p = queue->from.body[0][lane];
    return v3(p[0], p[1], p[2]);
}

/* More than there is room for. */
static int write_chosen(const lode__lane_ask *ask, const lode__pair_queue *queue, int lane,
                        lode_collide_point *out)
{
    const lode__pair_batch *batch = &queue->batch;
    lode__two_point items[LODE__MANIFOLD_POINTS];
    lode__two_list list = {.items = items};
    lode_vec3 normal = lanes_get3(batch->normal, lane);
    for (int k = 0; k < (int)batch->count.x[lane]; ++k)
        if (batch->depth[k].x[lane] > -ask->margin)
            items[list.count++] = point_at(batch, lane, k, normal);
    if (ask->any && list.count > 0)
        list.count = 1;
    if (ask->capacity == 0)
        return (int)list.count;
    uint32_t count = lode__two_choose(&list, LODE_COLLIDE_REDUCED, (uint32_t)ask->capacity);
    for (uint32_t k = 0; k < count; ++k)
        out[k] = two_show(body_a(queue, lane), &items[k]);
    return (int)count;
}

static int write_all(const lode__lane_ask *ask, const lode__pair_queue *queue, int lane,
                     lode_collide_point *out)
{
    const lode__pair_batch *batch = &queue->batch;
    int found = (int)batch->count.x[lane], count = 0;
    lode_vec3 origin = body_a(queue, lane), normal = lanes_get3(batch->normal, lane);
    for (int k = 0; k < found; ++k) {
        lode_real depth = batch->depth[k].x[lane];
        if (!(depth > -ask->margin))
            continue;
        out[count++] = (lode_collide_point){
            .position = v3_add(origin, lanes_get3(batch->position[k], lane)),
            .normal = normal,
            .depth = depth,
            .feature = (uint32_t)batch->feature[k].x[lane],
            .child_a = -1,
            .child_b = -1};
    }
    return count;
}

static void write_lanes(void *context, const lode__pair_queue *queue, unsigned lanes)
{
    const lode__lane_ask *ask = context;
    for (; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes), found = (int)queue->batch.count.x[lane];
        uint32_t pair = queue->name[lane];
        lode_collide_point *out = lane_points(ask, pair);
        ask->counts[pair] = found > ask->capacity || ask->any ? write_chosen(ask, queue, lane, out)
                                                              : write_all(ask, queue, lane, out);
    }
}

/* --- one and many */

void lode__lane_ask_one(const lode__lane_ask *ask, const lode__lane_cell *cell,
                        const lode__lane_pair *pair)
{
    const lode__collide_kernels *plain = &lode__collide_kernels_plain;
    lode__pair_queue queue;
    lane_room room;
    queue.used = 0;
    queue.name[0] = 0;
    queue.batch.speculative = ask->speculative;
    queue.batch.used = 1;
    queue.batch.swapped = cell->swapped;
    add_pair(&queue, pair, room);
    plain->gather(&queue.from, &queue.batch);
    (cell->boxes ? plain->box_box : plain->touch[cell->kind])(&queue.batch);
    write_lanes((void *)ask, &queue, 1);
}

void lode__lane_ask_many(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                         const lode__lane_cell *cell, const lode__lane_pair *pairs,
                         const uint16_t *order, uint32_t count, uint32_t first)
{
    lode__pair_stream stream;
    lane_room rooms[LODE__LANE_BLOCK];
    lode__stream_begin(&stream, kernels, cell, ask->speculative, write_lanes, (void *)ask);
    for (uint32_t i = 0; i < count; ++i) {
        add_pair(&stream.queue[0], &pairs[order[i]], rooms[order[i]]);
        queue_push(&stream, &stream.queue[0], first + order[i]);
    }
    lode__stream_end(&stream);
}
