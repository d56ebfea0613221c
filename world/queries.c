/* queries.c: what a world tells about itself: counts, stage times, contacts, a hash. */
#include "world/check.h"
#include "world/world.h"

lode_status lode_world_get_stats(lode_world world, lode_world_stats *out_stats)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, __func__);
    if (!status)
        status = lode__check_not_null(out_stats, __func__, "out_stats");
    if (status)
        return status;
    lode_world_stats stats = w->stats;
    stats.bodies = (int)w->bodies.count;
    stats.dynamic_bodies = (int)w->dynamic_count;
    stats.shapes = (int)w->collide.shapes.count;
    stats.joints = (int)w->joints.count;
    stats.bytes_bodies = lode__pool_bytes(&w->bodies) + lode__collide_bytes_shapes(&w->collide);
    stats.bytes_contacts = lode__collide_bytes_contacts(&w->collide);
    stats.bytes_scratch = lode__arena_bytes(&w->arena);
    stats.bytes = sizeof *w + stats.bytes_bodies + stats.bytes_contacts + stats.bytes_scratch +
                  lode__pool_bytes(&w->joints);
    *out_stats = stats;
    return LODE_OK;
}

int lode_world_get_stages(lode_world world, lode_stage_info *out_stages, int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_stages, capacity, __func__, "out_stages"))
        return 0;
    for (int i = 0; i < LODE__STAGE_COUNT && i < capacity; ++i) {
        const lode__stage *stage = &lode__stages[i];
        out_stages[i] = (lode_stage_info){stage->name,   stage->parent,       stage->reads,
                                          stage->writes, w->times[i].seconds, w->times[i].calls};
    }
    return LODE__STAGE_COUNT;
}

/* ---- contacts ---- */

static const lode__manifold *manifold_of(const lode__world *world, const lode__pair *pair)
{
    return LODE__AT(manifold, &world->collide.manifolds, manifold, pair->manifold);
}

static void copy_contact(const lode__world *world, const lode__manifold *manifold,
                         lode_contact *out)
{
    lode_vec3 center = BODY(world, pose, manifold->body_a)->position;
    *out = (lode_contact){.shape_a = shape_handle(world, manifold->shape_a),
                          .shape_b = shape_handle(world, manifold->shape_b),
                          .normal = manifold->normal,
                          .point_count = manifold->point_count};
    for (int i = 0; i < manifold->point_count; ++i) {
        const lode__point *point = &manifold->points[i];
        out->points[i] = (lode_contact_point){
            .position = v3_add(center, point->position),
            .depth = point->depth,
            .impulse = {point->impulse[0], point->impulse[1], point->impulse[2]},
            .feature = point->feature,
        };
    }
}

int lode_world_get_contacts(lode_world world, lode_contact *out_contacts, int capacity)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__) ||
        lode__check_capacity(out_contacts, capacity, __func__, "out_contacts"))
        return 0;
    int count = 0;
    lode__collide_settle(&w->collide);
    for (uint32_t i = 0; i < w->collide.pairs.count; ++i) {
        const lode__manifold *manifold = manifold_of(w, &w->collide.pairs.items[i]);
        if (manifold->point_count == 0)
            continue;
        if (count < capacity)
            copy_contact(w, manifold, &out_contacts[count]);
        ++count;
    }
    return count;
}

/* ---- hash ---- */

uint64_t lode_world_hash(lode_world world)
{
    lode__world *w;
    if (lode__open_world(&w, world, __func__))
        return 0;
    uint64_t hash = lode__pool_hash(&w->bodies, 0);
    hash = lode__pool_hash(&w->joints, hash);
    hash = lode__pool_hash(&w->collide.shapes, hash);
    return lode__collide_hash(&w->collide, hash);
}
