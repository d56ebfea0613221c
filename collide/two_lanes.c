/* two_lanes.c: see two_lanes.h. */
#include "collide/two_lanes.h"

#include "collide/pair_lanes.h"
#include "collide/two.h"

/* Where shapes are that do not lie in the middle of their bodies. */
typedef lode__pose lane_room[2];

/* --- in */

static void place_shape(const lode__lane_shape *shape, lode__pose *out)
{
    const lode_pose *center = &shape->geometry->center;
    out->position = q_rotate(shape->body->rotation, center->position);
    out->rotation = q_mul(shape->body->rotation, center->rotation);
}

static inline void set_shape(lode__pair_sources *from, int x, const lode__lane_shape *shape,
                             lode__pose *room)
{
    from->size[x][from->used] = shape->size;
    from->body[x][from->used] = (const lode_real *)shape->body;
    if (from->centered)
        return;
    place_shape(shape, room);
    from->place[x][from->used] = (const lode_real *)room;
}

static inline void set_pair(lode__pair_sources *from, const lode__lane_pair *pair, uint32_t name,
                            lane_room room)
{
    set_shape(from, 0, &pair->a, &room[0]);
    set_shape(from, 1, &pair->b, &room[1]);
    from->name[from->used] = name;
}

static void begin_sources(lode__pair_sources *out, const lode__lane_cell *cell, bool centered)
{
    out->used = 0;
    out->sizes = NULL;
    out->swapped = cell->swapped;
    out->centered = centered;
}

/* --- out */

static lode__two_point point_at(const lode__pair_batch *batch, int lane, int k, lode_vec3 normal)
{
    return (lode__two_point){.point = {.position = lanes_get3(batch->position[k], lane),
                                       .depth = batch->depth[k].x[lane],
                                       .feature = (uint32_t)batch->feature[k].x[lane]},
                             .normal = normal};
}

/* Not told by a kernel, for want of room or since one point will do. */
static void write_lane(const lode__lane_ask *ask, const lode__pair_sources *from,
                       const lode__pair_batch *batch, int lane)
{
    lode__two_point items[LODE__MANIFOLD_POINTS];
    lode__two_list list = {.items = items};
    lode_vec3 normal = lanes_get3(batch->normal, lane);
    for (int k = 0; k < (int)batch->count.x[lane]; ++k)
        if (batch->depth[k].x[lane] > -ask->margin)
            items[list.count++] = point_at(batch, lane, k, normal);
    if (ask->any && list.count > 0)
        list.count = 1;
    uint32_t pair = from->name[lane], count = list.count;
    if (ask->capacity > 0)
        count = lode__two_choose(&list, LODE_COLLIDE_REDUCED, (uint32_t)ask->capacity);
    ask->counts[pair] = (int)count;
    const lode__pose *body = (const lode__pose *)from->body[0][lane];
    for (uint32_t k = 0; k < count && ask->capacity > 0; ++k)
        lane_points(ask, pair)[k] = two_show(body->position, &items[k]);
}

static void write_lanes(void *context, const lode__pair_queue *queue, unsigned lanes)
{
    for (; lanes; lanes &= lanes - 1)
        write_lane(context, &queue->from, &queue->batch, __builtin_ctz(lanes));
}

/* --- one and many */

/* A pair alone, in a batch. */
__attribute__((noinline)) static void ask_one_batch(const lode__lane_ask *ask,
                                                    const lode__lane_cell *cell,
                                                    const lode__pair_sources *from)
{
    const lode__collide_kernels *plain = &lode__collide_kernels_plain;
    lode__pair_batch batch;
    batch.speculative = ask->speculative;
    batch.used = 1;
    batch.swapped = cell->swapped;
    plain->gather(from, &batch);
    plain->touch[cell->kind](&batch);
    write_lane(ask, from, &batch, 0);
}

/* One of several pairs, alone. */
static void ask_lane(const lode__lane_ask *ask, const lode__lane_cell *cell,
                     const lode__pair_sources *from, int lane)
{
    lode__pair_sources one;
    for (int x = 0; x < 2; ++x) {
        one.size[x][0] = from->size[x][lane];
        one.body[x][0] = from->body[x][lane];
        if (!from->centered)
            one.place[x][0] = from->place[x][lane];
    }
    one.sizes = NULL;
    one.name[0] = from->name[lane];
    one.used = 1;
    one.swapped = from->swapped;
    one.centered = from->centered;
    ask_one_batch(ask, cell, &one);
}

/* Few pairs have more points than one, so what does not fit is computed again. */
void lode__lane_tell_cut(const lode__lane_ask *ask, lode__tell_fn *tell,
                         const lode__lane_cell *cell, const lode__pair_sources *from)
{
    lode_collide_point points[LODE_LANES * LODE__MANIFOLD_POINTS];
    int counts[LODE_LANES];
    lode__pair_sources all = *from;
    lode__lane_ask ask_all = {.margin = ask->margin,
                              .speculative = ask->speculative,
                              .points = points,
                              .counts = counts,
                              .capacity = LODE__MANIFOLD_POINTS};
    for (int lane = 0; lane < LODE_LANES; ++lane)
        all.name[lane] = (uint32_t)lane;
    tell(&all, 1, 0, &ask_all);
    for (int lane = 0; lane < from->used; ++lane) {
        uint32_t pair = from->name[lane];
        int count = ask->any && counts[lane] > 1 ? 1 : counts[lane];
        if (ask->capacity > 0 && count > ask->capacity) {
            ask_lane(ask, cell, from, lane);
            continue;
        }
        ask->counts[pair] = count;
        for (int k = 0; k < count && ask->capacity > 0; ++k)
            lane_points(ask, pair)[k] = points[lane * LODE__MANIFOLD_POINTS + k];
    }
}

void lode__lane_ask_one(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                        const lode__lane_cell *cell, const lode__lane_pair *pair)
{
    lode__pair_sources from;
    lane_room room;
    begin_sources(&from, cell,
                  geometry_is_centered(pair->a.geometry) && geometry_is_centered(pair->b.geometry));
    set_pair(&from, pair, 0, room);
    from.used = 1;
    if (from.centered && lanes_have_room(ask, cell))
        ask->counts[0] = lanes_tell_one(kernels, cell)(from.size[0][0], from.body[0][0],
                                                       from.size[1][0], from.body[1][0],
                                                       ask->speculative, ask->margin, ask->points);
    else if (lanes_can_tell(ask, cell))
        lanes_tell(ask, lode__collide_kernels_plain.tell[cell->kind], cell, &from);
    else
        ask_one_batch(ask, cell, &from);
}

/* The pairs that are asked about at once. */
typedef struct lane_run {
    const lode__lane_pair *pairs;
    const uint32_t *names;
    const uint16_t *order;
    uint32_t count;
} lane_run;

/* Puts pairs of boxes that may touch beside others, eight of which are told; those that are apart
 * have no points. */
static void tell_near(const lode__lane_ask *ask, lode__tell_fn *tell, const lode__lane_cell *cell,
                      const lode__pair_sources *all, unsigned bits, lode__pair_sources *near)
{
    for (int lane = 0; lane < all->used; ++lane) {
        const int to = near->used;
        for (int x = 0; x < 2; ++x) {
            near->size[x][to] = all->size[x][lane];
            near->body[x][to] = all->body[x][lane];
        }
        near->name[to] = all->name[lane];
        ask->counts[all->name[lane]] = 0;
        near->used += bits >> lane & 1;
        if (near->used < LODE_LANES)
            continue;
        lanes_tell(ask, tell, cell, near);
        near->used = 0;
    }
}

/* The bounds of boxes overlap more often than boxes touch, and eight pairs cost what any of them
 * needs: so those that may touch are brought together first, until eight come that all may. */
static void tell_run(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                     const lode__lane_cell *cell, bool centered, const lane_run *run)
{
    enum { ALL = (1 << LODE_LANES) - 1 };
    lode__tell_fn *const tell = kernels->tell[cell->kind];
    lode__pair_sources from, near;
    lane_room rooms[LODE_LANES];
    bool parts = cell->boxes && centered && run->count > LODE_LANES;
    begin_sources(&from, cell, centered);
    begin_sources(&near, cell, centered);
    for (uint32_t i = 0; i < run->count; ++i) {
        uint32_t k = run->order[i];
        set_pair(&from, &run->pairs[k], run->names[k], rooms[from.used]);
        if (++from.used < LODE_LANES && i + 1 < run->count)
            continue;
        lode__sources_fill_up(&from);
        const unsigned bits = parts ? kernels->boxes_near(&from, ask->speculative) : ALL;
        parts = bits != ALL;
        if (parts)
            tell_near(ask, tell, cell, &from, bits, &near);
        else
            lanes_tell(ask, tell, cell, &from);
        from.used = 0;
    }
    if (near.used == 0)
        return;
    lode__sources_fill_up(&near);
    lanes_tell(ask, tell, cell, &near);
}

static void stream_run(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                       const lode__lane_cell *cell, bool centered, const lane_run *run)
{
    lode__pair_stream stream;
    lane_room rooms[LODE__LANE_BLOCK];
    lode__stream_begin(&stream, kernels, cell, centered, ask->speculative, write_lanes,
                       (void *)ask);
    for (uint32_t i = 0; i < run->count; ++i) {
        uint32_t k = run->order[i];
        set_pair(&stream.queue[0].from, &run->pairs[k], 0, rooms[k]);
        queue_push(&stream, &stream.queue[0], run->names[k]);
    }
    lode__stream_end(&stream);
}

void lode__lane_ask_many(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                         const lode__lane_cell *cell, bool centered, const lode__lane_pair *pairs,
                         const uint32_t *names, const uint16_t *order, uint32_t count)
{
    lane_run run = {pairs, names, order, count};
    if (lanes_can_tell(ask, cell))
        tell_run(ask, kernels, cell, centered, &run);
    else
        stream_run(ask, kernels, cell, centered, &run);
}

/* --- groups */

static lode__lane_pair pair_of(const lode__pair_sources *group, int lane)
{
    lode__lane_shape shape[2];
    for (int x = 0; x < 2; ++x) {
        _Static_assert(offsetof(lode__geometry, size) == 0, "a size begins its geometry");
        shape[x].size = group->size[x][lane];
        shape[x].geometry = (const lode__geometry *)(const void *)shape[x].size;
        shape[x].body = (const lode__pose *)(const void *)group->body[x][lane];
    }
    return (lode__lane_pair){shape[0], shape[1]};
}

static void tell_placed(const lode__lane_ask *ask, lode__tell_fn *tell, const lode__lane_cell *cell,
                        const lode__pair_sources *group)
{
    lane_room rooms[LODE_LANES];
    lode__pair_sources from = *group;
    for (from.used = 0; from.used < group->used; ++from.used) {
        lode__lane_pair pair = pair_of(group, from.used);
        set_pair(&from, &pair, group->name[from.used], rooms[from.used]);
    }
    lanes_tell(ask, tell, cell, &from);
}

static void tell_groups(const lode__lane_ask *ask, lode__tell_fn *tell, const lode__lane_cell *cell,
                        const lode__pair_group *groups, uint32_t count)
{
    bool centered = groups->from.centered;
    if (centered && lanes_have_room(ask, cell)) {
        tell(&groups->from, count, sizeof *groups, ask);
        return;
    }
    for (uint32_t g = 0; g < count; ++g)
        if (centered)
            lanes_tell(ask, tell, cell, &groups[g].from);
        else
            tell_placed(ask, tell, cell, &groups[g].from);
}

enum { BLOCK_GROUPS = LODE__LANE_BLOCK / LODE_LANES };

/* Of at most so many groups. */
static void stream_groups(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                          const lode__lane_cell *cell, const lode__pair_group *groups,
                          uint32_t count)
{
    lode__pair_stream stream;
    lane_room rooms[LODE__LANE_BLOCK];
    lode__stream_begin(&stream, kernels, cell, groups->from.centered, ask->speculative, write_lanes,
                       (void *)ask);
    for (uint32_t g = 0; g < count; ++g)
        for (int lane = 0; lane < groups[g].from.used; ++lane) {
            lode__lane_pair pair = pair_of(&groups[g].from, lane);
            set_pair(&stream.queue[0].from, &pair, 0, rooms[g * LODE_LANES + (uint32_t)lane]);
            queue_push(&stream, &stream.queue[0], groups[g].from.name[lane]);
        }
    lode__stream_end(&stream);
}

void lode__lane_ask_groups(const lode__lane_ask *ask, const lode__collide_kernels *kernels,
                           const lode__lane_cell *cell, const lode__pair_group *groups,
                           uint32_t count)
{
    if (lanes_can_tell(ask, cell)) {
        tell_groups(ask, kernels->tell[cell->kind], cell, groups, count);
        return;
    }
    for (uint32_t g = 0; g < count; g += BLOCK_GROUPS)
        stream_groups(ask, kernels, cell, &groups[g],
                      count - g < BLOCK_GROUPS ? count - g : BLOCK_GROUPS);
}
