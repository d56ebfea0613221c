/* queries.c: what a world tells about itself: counts, stage times, a hash, pairs to be filtered. */
#include <string.h>

#include "world/check.h"
#include "world/aggregate.h"
#include "world/joint_group.h"
#include "world/sleep.h"
#include "world/space.h"
#include "world/surface.h"
#include "world/articulation.h"
#include "world/world.h"

lode_status lode_world_get_stats(lode_world world, lode_world_stats *out_stats)
{
    lode__world *w;
    lode_status status = lode__open_world_staged(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(out_stats, __func__, "out_stats");
    if (status)
        return status;
    lode_world_stats stats = w->stats;
    stats.bodies = (int)w->bodies.count;
    stats.dynamic_bodies = (int)w->dynamic_count;
    stats.shapes = (int)w->collide.shapes.count;
    stats.joints = (int)w->joints.count;
    stats.awake_bodies = (int)lode__bits_count(&w->awake);
    stats.sleeping_islands = (int)w->sleeping_islands;
    stats.bytes_bodies = lode__pool_bytes(&w->bodies) + lode__pool_bytes(&w->samples) +
                         w->bytes_names + lode__collide_bytes_shapes(&w->collide);
    stats.bytes_contacts = lode__collide_bytes_contacts(&w->collide) + lode__made_bytes(&w->made);
    stats.bytes_scratch = lode__arena_bytes(&w->arena) + lode__plans_bytes(&w->solver.plans);
    stats.bytes = sizeof *w + lode__pool_bytes(&w->aggregates) + lode__moved_bytes(w) + lode__systems_bytes(w) +
                  lode__events_bytes(&w->events) + lode__sounds_bytes(&w->sounds) +
                  lode__tree_bytes(&w->continuous.tree) + stats.bytes_bodies +
                  stats.bytes_contacts + stats.bytes_scratch + lode__pool_bytes(&w->joints) +
                  lode__joined_bytes(&w->joined) + lode__joint_groups_bytes(w) +
                  lode__articulations_bytes(w) + lode__spaces_bytes(w) +
                  lode__materials_bytes(&w->collide.materials);
    *out_stats = stats;
    return LODE_OK;
}

/* Rows that are copied as far as there is room and counted all the same. */
typedef struct stage_list {
    const lode__world *world;
    lode_stage_info *out;
    int capacity, count;
} stage_list;

static void put_row(stage_list *list, const lode__stage *row, const lode__stage_time *time)
{
    if (list->count < list->capacity)
        list->out[list->count] = (lode_stage_info){
            row->name,
            row->parent,
            row->reads,
            row->writes,
            lode__profile_seconds(&list->world->profile, time->count),
            time->calls};
    ++list->count;
}

static void put_systems(stage_list *list, int stage, bool after)
{
    const lode__systems *systems = &list->world->systems;
    for (uint32_t i = 0; i < systems->count; ++i) {
        const lode__system *system = systems->items[i];
        lode__stage row = {system->name, lode__stages[stage].parent,
                           "lines, deltas, poses, inverse mass", "velocities, forces"};
        if (system->stage == stage && system->after == after)
            put_row(list, &row, &system->time);
    }
}

/* A stage with the sub-stages that follow it; what comes after it comes after them. */
static int put_stage(stage_list *list, int stage)
{
    int next = stage + 1;
    put_systems(list, stage, false);
    put_row(list, &lode__stages[stage], &list->world->times[stage]);
    while (next < LODE__STAGE_COUNT &&
           strcmp(lode__stages[next].parent, lode__stages[stage].name) == 0)
        next = put_stage(list, next);
    put_systems(list, stage, true);
    return next;
}

int lode_world_get_stages(lode_world world, lode_stage_info *out_stages, int capacity)
{
    lode__world *w;
    if (lode__open_world_staged(&w, world, __func__) ||
        lode__check_capacity(out_stages, capacity, __func__, "out_stages"))
        return 0;
    stage_list list = {w, out_stages, capacity, 0};
    for (int stage = 0; stage < LODE__STAGE_COUNT;)
        stage = put_stage(&list, stage);
    return list.count;
}

/* ---- hash ---- */

uint64_t lode_world_hash(lode_world world)
{
    lode__world *w;
    if (lode__open_world_staged(&w, world, __func__))
        return 0;
    uint64_t hash = lode__pool_hash(&w->bodies, 0);
    hash = lode__pool_hash(&w->joints, hash);
    hash = lode__aggregates_hash(w, lode__articulations_hash(w, hash));
    hash = lode__pool_hash(&w->collide.shapes, hash);
    hash = lode__surfaces_hash(w, lode__collide_hash(&w->collide, hash));
    hash = lode__breaks_hash(w, lode__made_hash(&w->made, hash));
    return lode__sleep_hash(w, lode__materials_hash(w, hash));
}

/* ---- the filters ---- */

/* Asked on any thread, between stages that open nothing: so it looks handles up by itself. */
static bool triangle_is_accepted(const void *context, uint32_t surface, uint32_t other,
                                 uint32_t triangle)
{
    const lode__world *world = context;
    const lode_triangle_filter *filter = &world->def.triangle_filter;
    lode_near_triangle near = {
        .surface = shape_handle(world, surface),
        .surface_data = *SHAPE(world, user_data, surface),
        .child = (int)triangle,
    };
    if (other != LODE__NONE) {
        near.other = shape_handle(world, other);
        near.other_data = *SHAPE(world, user_data, other);
    }
    return filter->accepts(filter->user, &near);
}

static lode_mixed_pair mixed_pair(const lode__world *world, uint32_t a, uint32_t b, lode_real of_a,
                                  lode_real of_b)
{
    return (lode_mixed_pair){.shape_a = shape_handle(world, a),
                             .shape_b = shape_handle(world, b),
                             .user_data_a = *SHAPE(world, user_data, a),
                             .user_data_b = *SHAPE(world, user_data, b),
                             .a = of_a,
                             .b = of_b};
}

static lode_real mix_friction(const void *context, uint32_t a, uint32_t b, lode_real of_a,
                              lode_real of_b)
{
    const lode__world *world = context;
    lode_mixed_pair pair = mixed_pair(world, a, b, of_a, of_b);
    return world->def.mixer.friction(world->def.mixer.user, &pair);
}

static lode_real mix_restitution(const void *context, uint32_t a, uint32_t b, lode_real of_a,
                                 lode_real of_b)
{
    const lode__world *world = context;
    lode_mixed_pair pair = mixed_pair(world, a, b, of_a, of_b);
    return world->def.mixer.restitution(world->def.mixer.user, &pair);
}

void lode__world_set_gate(lode__world *world)
{
    world->collide.mix_friction = world->def.mixer.friction ? mix_friction : NULL;
    world->collide.mix_restitution = world->def.mixer.restitution ? mix_restitution : NULL;
    world->collide.mix_context = world;
    world->collide.edit = world->def.editor.edit ? lode__contact_edit : NULL;
    world->collide.edit_context = world;
    world->collide.accepts_triangle = world->def.triangle_filter.accepts ? triangle_is_accepted
                                                                         : NULL;
    world->collide.accepts_triangle_context = world;
}

bool lode__pair_is_accepted(const void *context, uint32_t shape_a, uint32_t shape_b)
{
    const lode__world *world = context;
    const lode_pair_filter *filter = &world->def.pair_filter;
    uint32_t body_a = SHAPE(world, geometry, shape_a)->body;
    uint32_t body_b = SHAPE(world, geometry, shape_b)->body;
    lode_near_pair pair = {
        .shape_a = shape_handle(world, shape_a),
        .shape_b = shape_handle(world, shape_b),
        .body_a = body_handle(world, body_a),
        .body_b = body_handle(world, body_b),
        .shape_data_a = *SHAPE(world, user_data, shape_a),
        .shape_data_b = *SHAPE(world, user_data, shape_b),
        .body_data_a = *BODY(world, user_data, body_a),
        .body_data_b = *BODY(world, user_data, body_b),
    };
    return filter->accepts(filter->user, &pair);
}
