/* body_type.c: what changes when a body becomes static, kinematic or dynamic.
 *
 * Its shapes look for pairs afresh, because two bodies of which none is dynamic do not touch. The
 * contacts it keeps forget their impulses: friction is kept along directions that belong to the
 * normal into the body that can be pushed, which may now be the other one. */
#include "lode/body.h"

#include "collide/shape_type.h"
#include "core/math.h"
#include "world/check.h"
#include "world/mass.h"
#include "world/wake.h"

uint32_t lode__type_flags(lode_body_type type)
{
    static const uint32_t flags[] = {
        [LODE_STATIC] = 0,
        [LODE_KINEMATIC] = LODE__BODY_KINEMATIC,
        [LODE_DYNAMIC] = LODE__BODY_DYNAMIC,
    };
    return flags[type];
}

static bool has_pinned_shape(const lode__world *world, uint32_t body)
{
    uint32_t shape = BODY(world, links, body)->first_shape;
    while (shape != LODE__NONE &&
           shape_may_move(SHAPE(world, geometry, shape), *SHAPE(world, data, shape)))
        shape = SHAPE(world, links, shape)->next_shape;
    return shape != LODE__NONE;
}

static lode_status check_dynamic(const lode__world *world, uint32_t body, const char *function)
{
    lode__local_mass local;
    lode_status status = lode__check(
        !has_pinned_shape(world, body), function, "type",
        "a body with a plane or an endless height field cannot be dynamic");
    return status ? status
                  : lode__check(lode__mass_of_shapes(world, body, NULL, &local), function,
                                "type", "the mass of its shapes would not be finite");
}

static lode_status check_pinned(const lode__world *world, uint32_t body, const char *function)
{
    return lode__check(v3_finite(lode__body_frame(world, body).position), function, "body",
                       "its origin would not be finite");
}

static void lose_mass(lode__world *world, uint32_t body)
{
    static const lode__local_mass none = {0};
    lode__mass_apply(world, body, &none);
    *BODY(world, force, body) = (lode__force){0};
    if (type_of_body(world, body) == LODE_STATIC)
        *BODY(world, velocity, body) = (lode__velocity){0};
}

static void change_type(lode__world *world, uint32_t body, lode_body_type type)
{
    const uint32_t lost = LODE__BODY_DYNAMIC | LODE__BODY_KINEMATIC | LODE__BODY_MASS_GIVEN;
    uint32_t *flags = BODY(world, flags, body);
    lode__wake_body(world, body);
    lode__body_set_awake(world, body, false);
    world->dynamic_count -= body_is_dynamic(world, body);
    world->kinematic_count -= type_of_body(world, body) == LODE_KINEMATIC;
    *flags = (*flags & ~lost) | lode__type_flags(type);
    world->dynamic_count += type == LODE_DYNAMIC;
    world->kinematic_count += type == LODE_KINEMATIC;
    if (type == LODE_DYNAMIC)
        lode__mass_refresh(world, body);
    else
        lose_mass(world, body);
    lode__body_placed(world, body);
    uint32_t shape = BODY(world, links, body)->first_shape;
    for (; shape != LODE__NONE; shape = SHAPE(world, links, shape)->next_shape)
        lode__collide_refresh(&world->collide, shape);
    lode__collide_forget(&world->collide, body);
}

lode_status lode_body_set_type(lode_body body, lode_body_type type)
{
    lode__object b;
    lode_status status = lode__open_body(&b, body, __func__);
    if (!status)
        status = lode__check((unsigned)type <= LODE_DYNAMIC, __func__, "type",
                             "must be LODE_STATIC, LODE_KINEMATIC or LODE_DYNAMIC");
    if (status || type == type_of_body(b.world, b.slot))
        return status;
    status = lode__check_no_link(b.world, b.slot, __func__);
    if (!status)
        status = type == LODE_DYNAMIC ? check_dynamic(b.world, b.slot, __func__)
                                      : check_pinned(b.world, b.slot, __func__);
    if (!status)
        change_type(b.world, b.slot, type);
    return status;
}
