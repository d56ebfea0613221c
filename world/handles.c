/* handles.c: opening handles. The only place that decides what a bad handle is and how it is
 * reported: null, stale or foreign ones with LODE_ERROR_HANDLE, a world inside its own step with
 * LODE_ERROR_STATE. */
#include "core/error.h"
#include "world/tendon.h"

static bool find(lode__object *out, uint64_t id, size_t pool_offset)
{
    lode__world *world = lode__registry_world_of_object(id);
    if (!world)
        return false;
    const lode__pool *pool = (const lode__pool *)((const char *)world + pool_offset);
    out->world = world;
    out->slot = id_slot(id);
    return lode__pool_holds(pool, id_slot(id), id_generation(id));
}

bool lode__find_body(lode__object *out, lode_body body)
{
    return find(out, body.id, offsetof(lode__world, bodies));
}

bool lode__find_shape(lode__object *out, lode_shape shape)
{
    return find(out, shape.id, offsetof(lode__world, collide.shapes));
}

bool lode__find_joint(lode__object *out, lode_joint joint)
{
    return find(out, joint.id, offsetof(lode__world, joints));
}

bool lode__find_space(lode__object *out, lode_space space)
{
    return find(out, space.id, offsetof(lode__world, spaces));
}

bool lode__find_joint_group(lode__object *out, lode_joint_group group)
{
    return find(out, group.id, offsetof(lode__world, joint_groups));
}

bool lode__find_aggregate(lode__object *out, lode_aggregate aggregate)
{
    return find(out, aggregate.id, offsetof(lode__world, aggregates));
}

bool lode__find_articulation(lode__object *out, lode_articulation articulation)
{
    return find(out, articulation.id, offsetof(lode__world, articulations));
}

bool lode__find_tendon(lode__object *out, lode_tendon tendon)
{
    return find(out, tendon.id, offsetof(lode__world, tendons));
}

bool lode__find_mimic(lode__object *out, lode_mimic mimic)
{
    return find(out, mimic.id, offsetof(lode__world, mimics));
}

static lode_status refuse(uint64_t id, const char *function, const char *argument)
{
    return lode__error(LODE_ERROR_HANDLE, function, argument,
                       id ? "the handle is stale: what it named was destroyed"
                          : "the handle is null");
}

static lode_status check_state(const lode__world *world, const char *function, const char *argument)
{
    if (world->in_step)
        return lode__error(LODE_ERROR_STATE, function, argument,
                           "the world is inside a step; wait until it returns");
    if (lode__is_between_stages(world))
        return lode__error(LODE_ERROR_STATE, function, argument,
                           "a step is open between single stages; run it to its end first");
    return LODE_OK;
}

lode_status lode__open_world(lode__world **out, lode_world world, const char *function)
{
    *out = lode__registry_world(world.id);
    return *out ? check_state(*out, function, "world") : refuse(world.id, function, "world");
}

lode_status lode__open_world_staged(lode__world **out, lode_world world, const char *function)
{
    *out = lode__registry_world(world.id);
    if (*out && !(*out)->in_step)
        return LODE_OK;
    return lode__open_world(out, world, function);
}

lode_status lode__open_body(lode__object *out, lode_body body, const char *function)
{
    return lode__open_member(out, NULL, body, function, "body");
}

lode_status lode__open_shape(lode__object *out, lode_shape shape, const char *function)
{
    return lode__find_shape(out, shape) ? check_state(out->world, function, "shape")
                                        : refuse(shape.id, function, "shape");
}

void lode__refuse_shape(lode_shape shape, const char *function, const char *argument)
{
    lode__object found;
    if (lode__find_shape(&found, shape))
        lode__error(LODE_ERROR_HANDLE, function, argument, "the shape belongs to another world");
    else
        refuse(shape.id, function, argument);
}

lode_status lode__open_joint(lode__object *out, lode_joint joint, const char *function)
{
    return lode__open_joint_of(out, NULL, joint, function, "joint");
}

lode_status lode__open_joint_of(lode__object *out, const lode__world *world, lode_joint joint,
                                const char *function, const char *argument)
{
    if (!lode__find_joint(out, joint))
        return refuse(joint.id, function, argument);
    if (world && out->world != world)
        return lode__error(LODE_ERROR_HANDLE, function, argument,
                           "the joint belongs to another world");
    return check_state(out->world, function, argument);
}

lode_status lode__open_joint_group(lode__object *out, lode_joint_group group, const char *function)
{
    return lode__find_joint_group(out, group) ? check_state(out->world, function, "group")
                                              : refuse(group.id, function, "group");
}

lode_status lode__open_aggregate(lode__object *out, lode_aggregate aggregate, const char *function)
{
    return lode__open_aggregate_of(out, NULL, aggregate, function);
}

lode_status lode__open_aggregate_of(lode__object *out, const lode__world *world,
                                    lode_aggregate aggregate, const char *function)
{
    if (!lode__find_aggregate(out, aggregate))
        return refuse(aggregate.id, function, "aggregate");
    if (world && out->world != world)
        return lode__error(LODE_ERROR_HANDLE, function, "aggregate",
                           "the aggregate belongs to another world");
    return check_state(out->world, function, "aggregate");
}

lode_status lode__open_articulation(lode__object *out, lode_articulation articulation,
                                    const char *function)
{
    return lode__find_articulation(out, articulation)
               ? check_state(out->world, function, "articulation")
               : refuse(articulation.id, function, "articulation");
}

lode_status lode__open_tendon(lode__object *out, lode_tendon tendon, const char *function)
{
    return lode__find_tendon(out, tendon) ? check_state(out->world, function, "tendon")
                                          : refuse(tendon.id, function, "tendon");
}

lode_status lode__open_mimic(lode__object *out, lode_mimic mimic, const char *function)
{
    return lode__find_mimic(out, mimic) ? check_state(out->world, function, "mimic")
                                        : refuse(mimic.id, function, "mimic");
}

lode_status lode__open_space(lode__object *out, lode_space space, const char *function,
                             const char *argument)
{
    return lode__find_space(out, space) ? check_state(out->world, function, argument)
                                        : refuse(space.id, function, argument);
}

lode_status lode__open_space_of(lode__object *out, const lode__world *world, lode_space space,
                                const char *function, const char *argument)
{
    if (lode__find_space(out, space) && out->world != world)
        return lode__error(LODE_ERROR_HANDLE, function, argument,
                           "the space belongs to another world");
    return lode__open_space(out, space, function, argument);
}

lode_status lode__open_member(lode__object *out, const lode__world *world, lode_body body,
                              const char *function, const char *argument)
{
    if (!lode__find_body(out, body))
        return refuse(body.id, function, argument);
    if (world && out->world != world)
        return lode__error(LODE_ERROR_HANDLE, function, argument,
                           "the body belongs to another world");
    return check_state(out->world, function, argument);
}
