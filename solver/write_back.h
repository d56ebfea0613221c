/* write_back.h: what a step leaves of a body goes back to the pools. What does not change is not
 * written: a line of the cache that is only read need not be taken from another core. */
#ifndef LODE_SOLVER_WRITE_BACK_H
#define LODE_SOLVER_WRITE_BACK_H

#include "core/bodies.h"
#include "core/math.h"

#include <string.h>

static inline bool same_pose(const lode__pose *a, const lode__pose *b)
{
    if (a->position.x != b->position.x) /* all that move, but for few */
        return false;
    return (a->position.y == b->position.y) & (a->position.z == b->position.z) &
           (a->rotation.w == b->rotation.w) & (a->rotation.x == b->rotation.x) &
           (a->rotation.y == b->rotation.y) & (a->rotation.z == b->rotation.z);
}

/* Is it what a step leaves? */
static inline bool is_no_force(const lode__force *force)
{
    static const lode__force none;
    return memcmp(force, &none, sizeof none) == 0;
}

/* True when the body's pose is another than before. */
static inline bool write_body(const lode__pool *bodies, uint32_t slot, const lode__pose *now,
                              const lode__velocity *velocity)
{
    lode__pose *pose = LODE__AT(body, bodies, pose, slot);
    bool posed = !same_pose(pose, now);
    *pose = *now;
    *LODE__AT(body, bodies, velocity, slot) = *velocity;
    lode__force *force = LODE__AT(body, bodies, force, slot);
    if (!is_no_force(force))
        *force = (lode__force){0};
    return posed;
}

static inline void freeze_body(const lode__pool *bodies, uint32_t slot)
{
    *LODE__AT(body, bodies, velocity, slot) = (lode__velocity){0};
    *LODE__AT(body, bodies, force, slot) = (lode__force){0};
    *LODE__AT(body, bodies, flags, slot) |= LODE__BODY_FROZEN;
}

#endif
