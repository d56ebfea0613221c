/* aggregate.h: aggregates as a pool of the world; see lode/aggregate.h. Who is in one says so
 * itself: bodies and articulations have a component with its slot plus 1, links that of their
 * articulation. For the broad phase it is the group of that number (collide/tree.h). */
#ifndef LODE_WORLD_AGGREGATE_H
#define LODE_WORLD_AGGREGATE_H

#include "lode/aggregate.h"
#include "world/world.h"

enum { LODE__AGGREGATE_SELF_TOUCHES = 1 };

/* clang-format off */
#define LODE__AGGREGATE_COMPONENTS(X) \
    X(flags,     uint32_t, LODE__SAVED,   LODE__COLD) \
    X(user_data, void *,   LODE__CARRIED, LODE__COLD)
/* clang-format on */
LODE__POOL_DECLARE(aggregate, LODE__AGGREGATE_COMPONENTS)

#define AGGREGATE(world, component, slot) LODE__AT(aggregate, &(world)->aggregates, component, slot)

/* May two bodies touch, as far as aggregates say? */
static inline bool lode__aggregates_let_touch(const lode__world *world, uint32_t body_a,
                                              uint32_t body_b)
{
    uint32_t in = world->aggregates.count > 0 ? *BODY(world, aggregate, body_a) : 0;
    return in == 0 || in != *BODY(world, aggregate, body_b) ||
           (*AGGREGATE(world, flags, in - 1) & LODE__AGGREGATE_SELF_TOUCHES);
}

/* The broad phase's group of a shape is that of its body's aggregate. */
static inline void lode__shape_group(lode__world *world, uint32_t shape)
{
    uint32_t in = *BODY(world, aggregate, SHAPE(world, geometry, shape)->body);
    lode__tree_set_group(&world->collide.tree, shape, in > 0 ? in - 1 : LODE__NONE);
}

uint64_t lode__aggregates_hash(const lode__world *world, uint64_t seed);
void lode__aggregates_validate(const lode__world *world);

#endif
