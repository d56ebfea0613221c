/* validate.c: whether all tables of a world agree with each other; for tests, and for builds with
 * expensive checks. Rooms below check what is theirs (lode__collide_validate and the like). */
#include "world/validate.h"

#include "core/error.h"
#include "solver/joints/joint_type.h"
#include "world/aggregate.h"
#include "world/articulation.h"
#include "world/card.h"
#include "world/edges.h"
#include "world/wake.h"

#include <string.h>

static uint32_t validate_shapes(const lode__world *world, uint32_t body)
{
    uint32_t count = 0, shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape) {
        LODE__ASSERT(lode__bits_get(&world->collide.shapes.alive, shape));
        LODE__ASSERT(SHAPE(world, geometry, shape)->body == body);
        LODE__ASSERT(++count <= world->collide.shapes.count);
    }
    for (shape = BODY(world, links, body)->first_shape; shape != LODE__NONE;
         shape = SHAPE(world, links, shape)->next_shape)
        LODE__ASSERT(lode__bits_get(&world->collide.joined, shape) == (count > 1));
    return count;
}

static uint32_t validate_edges(const lode__world *world, uint32_t body)
{
    uint32_t count = 0, last = LODE__NO_EDGE;
    for (uint32_t edge = BODY(world, links, body)->first_edge; edge != LODE__NO_EDGE;
         edge = lode__next_edge(world, edge), ++count) {
        LODE__ASSERT(edge < last);
        LODE__ASSERT(lode__bits_get(&world->joints.alive, edge >> 1));
        LODE__ASSERT(lode__joint_body(world, edge >> 1, edge & 1) == body);
        LODE__ASSERT(JOINT(world, links, edge >> 1)->last_edge[edge & 1] == last);
        last = edge;
    }
    return count;
}

/* Each joint with bodies is counted once among what is joined. */
static void validate_joined(const lode__world *world)
{
    const lode__bits *joints = &world->joints.alive;
    const lode__joined *joined = &world->joined;
    uint32_t all = 0, forbid = 0;
    for (uint32_t j = lode__bits_next(joints, 0); j != UINT32_MAX;
         j = lode__bits_next(joints, j + 1)) {
        const lode__joint *joint = JOINT(world, joint, j);
        if (joint_in_limbo(joint) || joint_is_linkage(joint))
            continue;
        ++all;
        forbid += !(joint->flags & LODE__JOINT_COLLIDE_CONNECTED);
        LODE__ASSERT(lode__joined_count_of(joined, joint->body_a, joint->body_b, joint->type) > 0);
    }
    LODE__ASSERT(lode__joined_total(joined) == 2 * (uint64_t)all && joined->forbid_count == forbid);
}

static uint32_t count_ends(const lode__world *world)
{
    const lode__bits *joints = &world->joints.alive;
    uint32_t count = 0;
    for (uint32_t j = lode__bits_next(joints, 0); j != UINT32_MAX;
         j = lode__bits_next(joints, j + 1))
        count += (lode__joint_body(world, j, 0) != LODE__NONE) +
                 (lode__joint_body(world, j, 1) != LODE__NONE);
    return count;
}

static void validate_bodies(const lode__world *world)
{
    const lode__bits *alive = &world->bodies.alive;
    uint32_t dynamic = 0, kinematic = 0, may_sleep = 0, rings = 0, shapes = 0, edges = 0;
    for (uint32_t b = lode__bits_next(alive, 0); b != UINT32_MAX;
         b = lode__bits_next(alive, b + 1)) {
        const lode__idle *idle = BODY(world, idle, b);
        dynamic += type_of_body(world, b) == LODE_DYNAMIC;
        kinematic += type_of_body(world, b) == LODE_KINEMATIC;
        may_sleep += idle->enabled;
        rings += idle->samples > 1;
        shapes += validate_shapes(world, b);
        edges += validate_edges(world, b);
    }
    LODE__ASSERT(dynamic == world->dynamic_count && kinematic == world->kinematic_count);
    LODE__ASSERT(may_sleep == world->may_sleep_count && rings == world->samples.count);
    LODE__ASSERT(shapes == world->collide.shapes.count && edges == count_ends(world));
}

/* What a model says that no link has, none has: steps do not look. */
static void validate_model(const lode__world *world, const lode__model *model)
{
    static const lode__force no_force;
    static const lode_real no_hand[LODE_LINK_AXES];
    for (uint32_t i = 0; i < model->body.plan->link_count; ++i) {
        const void *force = BODY(world, force, model->bodies[i]);
        const void *hand = LINK(world, extra, model->link[i])->force;
        bool moves = i > 0 || model->body.plan->root_dofs > 0;
        LODE__ASSERT(!moves || model->pushed || memcmp(force, &no_force, sizeof no_force) == 0);
        LODE__ASSERT(model->handed || memcmp(hand, no_hand, sizeof no_hand) == 0);
    }
}

static void validate_models(const lode__world *world)
{
    const lode__bits *alive = &world->articulations.alive;
    for (uint32_t a = lode__bits_next(alive, 0); a != UINT32_MAX; a = lode__bits_next(alive, a + 1))
        if (*ARTICULATION(world, model, a))
            validate_model(world, *ARTICULATION(world, model, a));
}

void lode__world_validate(const lode__world *world)
{
    lode__pool_validate(&world->bodies);
    lode__pool_validate(&world->joints);
    lode__pool_validate(&world->samples);
    lode__pool_validate(&world->collide.shapes);
    lode__pool_validate(&world->collide.manifolds);
    validate_bodies(world);
    validate_joined(world);
    lode__aggregates_validate(world);
    lode__collide_validate(&world->collide, &world->bodies);
    lode__cards_validate(world);
    lode__awake_validate(world);
    validate_models(world);
}
