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

/* The impulses of a point as one vector on body a. The solver's friction directions belong to the
 * normal into the body that moves, which is b where a is static. */
static lode_vec3 impulse_on_a(const lode__manifold *m, const lode__point *point, bool a_moves)
{
    lode_vec3 n = a_moves ? m->normal : v3_neg(m->normal), t = contact_tangent(n);
    lode_vec3 sum = v3_madd(v3_scale(n, point->impulse[0]), t, point->impulse[1]);
    sum = v3_madd(sum, v3_cross(n, t), point->impulse[2]);
    return a_moves ? sum : v3_neg(sum);
}

static void copy_contact(const lode__world *world, const lode__manifold *manifold,
                         lode_contact *out)
{
    lode_vec3 center = BODY(world, pose, manifold->body_a)->position;
    uint32_t flags_a = *BODY(world, flags, manifold->body_a);
    bool a_moves = (flags_a & (LODE__BODY_DYNAMIC | LODE__BODY_FROZEN)) == LODE__BODY_DYNAMIC;
    lode_real sub_steps = (lode_real)world->sub_steps;
    *out = (lode_contact){.shape_a = shape_handle(world, manifold->shape_a),
                          .shape_b = shape_handle(world, manifold->shape_b),
                          .normal = manifold->normal,
                          .point_count = manifold->point_count};
    for (int i = 0; i < manifold->point_count; ++i) {
        const lode__point *point = &manifold->points[i];
        out->points[i] = (lode_contact_point){
            .position = v3_add(center, point->position),
            .depth = point->depth,
            .impulse = v3_scale(impulse_on_a(manifold, point, a_moves), sub_steps),
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
