/* shape.c: shapes: making and ending them, and what can be changed on them.
 *
 * A body's shapes hang in a list, highest slot first, so that walks over it, and with them the
 * sums of masses, depend on what lives and not on what came before. New shapes mostly have the
 * highest slot and enter at the head. */
#include "lode/shape.h"

#include "world/check.h"
#include "world/mass.h"

static const char not_negative[] = "must be finite and at least 0";
static const char fraction[] = "must be within 0 and 1";

lode_shape_def lode_shape_def_default(void)
{
    return (lode_shape_def){.pose.rotation = {1, 0, 0, 0},
                            .density = 1000,
                            .friction = (lode_real)0.6,
                            .category = 1,
                            .mask = UINT64_MAX};
}

static lode_status check_def(lode_shape_def *def, const char *function)
{
    lode_status status = lode__check_vec3(def->pose.position, function, "def.pose.position");
    if (!status)
        status = lode__check_quat(&def->pose.rotation, function, "def.pose.rotation");
    if (!status)
        status = lode__check(is_at_least(def->density, 0), function, "def.density", not_negative);
    if (!status)
        status = lode__check(is_at_least(def->friction, 0), function, "def.friction", not_negative);
    if (!status)
        status = lode__check(is_within(def->restitution, 0, 1), function, "def.restitution",
                             fraction);
    return status;
}

/* ---- the list on the body ---- */

/* Where the shape is, or would be, linked from. */
static uint32_t *link_to(lode__world *world, uint32_t body, uint32_t shape)
{
    uint32_t *link = &BODY(world, links, body)->first_shape;
    while (*link != LODE__NONE && *link > shape)
        link = &SHAPE(world, links, *link)->next_shape;
    return link;
}

static void link_shape(lode__world *world, uint32_t body, uint32_t shape)
{
    uint32_t *link = link_to(world, body, shape);
    SHAPE(world, links, shape)->next_shape = *link;
    *link = shape;
}

static void unlink_shape(lode__world *world, uint32_t body, uint32_t shape)
{
    *link_to(world, body, shape) = SHAPE(world, links, shape)->next_shape;
}

/* ---- making and ending ---- */

/* A shape in the making: the body it goes to, what it is, what it is made of. */
typedef struct draft {
    lode__object body;
    lode_shape_def def;
    lode__geometry geometry;
    const char *function;
} draft;

static lode_status begin(draft *draft, lode_body body, const lode_shape_def *def,
                         lode_shape_type type, const char *function)
{
    draft->function = function;
    lode_status status = lode__open_body(&draft->body, body, function);
    if (!status)
        status = lode__check_not_null(def, function, "def");
    if (status)
        return status;
    draft->def = *def;
    status = check_def(&draft->def, function);
    draft->geometry = (lode__geometry){
        .pose = draft->def.pose, .type = (uint32_t)type, .body = draft->body.slot};
    return status;
}

/* Would the body's mass still be one that can be computed with? */
static lode_status check_mass(const draft *draft)
{
    lode__world *world = draft->body.world;
    uint32_t flags = *BODY(world, flags, draft->body.slot);
    lode__local_mass local;
    if (!(flags & LODE__BODY_DYNAMIC))
        return LODE_OK;
    return lode__check(
        lode__mass_of_shapes(world, draft->body.slot, &draft->geometry, draft->def.density, &local),
        draft->function, "def.density",
        "with this shape the body's mass or inertia would not be finite");
}

static lode_shape finish(draft *draft)
{
    lode__world *world = draft->body.world;
    uint32_t body = draft->body.slot;
    if (check_mass(draft))
        return (lode_shape){0};
    draft->geometry.center = lode__mass_shape_center(&draft->geometry, BODY(world, local, body));
    uint32_t shape = lode__collide_add(&world->collide, &draft->geometry);
    if (shape == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, draft->function, "", "out of memory");
        return (lode_shape){0};
    }
    const lode_shape_def *def = &draft->def;
    *SHAPE(world, surface, shape) = (lode__surface){def->friction, def->restitution, def->density};
    *SHAPE(world, filter, shape) = (lode__filter){def->category, def->mask};
    *SHAPE(world, user_data, shape) = def->user_data;
    link_shape(world, body, shape);
    *BODY(world, flags, body) |= LODE__BODY_MOVED;
    lode__mass_refresh(world, body);
    return shape_handle(world, shape);
}

lode_shape lode_shape_create_sphere(lode_body body, const lode_shape_def *def, lode_real radius)
{
    draft draft;
    if (begin(&draft, body, def, LODE_SPHERE, __func__) ||
        lode__check(is_above(radius, 0), __func__, "radius", "must be finite and above 0"))
        return (lode_shape){0};
    draft.geometry.size[0] = radius;
    return finish(&draft);
}

lode_shape lode_shape_create_box(lode_body body, const lode_shape_def *def, lode_vec3 half_extents)
{
    draft draft;
    if (begin(&draft, body, def, LODE_BOX, __func__) ||
        lode__check(is_above(half_extents.x, 0) && is_above(half_extents.y, 0) &&
                        is_above(half_extents.z, 0),
                    __func__, "half_extents", "must be finite and above 0"))
        return (lode_shape){0};
    draft.geometry.size[0] = half_extents.x;
    draft.geometry.size[1] = half_extents.y;
    draft.geometry.size[2] = half_extents.z;
    return finish(&draft);
}

static lode_status check_plane(const draft *draft, lode_vec3 normal, lode_real offset)
{
    lode_status status = lode__check(!body_is_dynamic(draft->body.world, draft->body.slot),
                                     draft->function, "body", "a plane belongs on a static body");
    if (!status)
        status = lode__check_vec3(normal, draft->function, "normal");
    if (!status)
        status = lode__check(normal.x != 0 || normal.y != 0 || normal.z != 0, draft->function,
                             "normal", "must not be zero");
    return status ? status
                  : lode__check(r_finite(offset), draft->function, "offset", "must be finite");
}

lode_shape lode_shape_create_plane(lode_body body, const lode_shape_def *def, lode_vec3 normal,
                                   lode_real offset)
{
    draft draft;
    if (begin(&draft, body, def, LODE_PLANE, __func__) || check_plane(&draft, normal, offset))
        return (lode_shape){0};
    normal = v3_normalize_or(normal, normal);
    draft.geometry.size[0] = normal.x;
    draft.geometry.size[1] = normal.y;
    draft.geometry.size[2] = normal.z;
    draft.geometry.size[3] = offset;
    return finish(&draft);
}

void lode__shape_remove(lode__world *world, uint32_t shape)
{
    unlink_shape(world, SHAPE(world, geometry, shape)->body, shape);
    lode__collide_remove(&world->collide, shape);
}

lode_status lode_shape_destroy(lode_shape shape)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (status)
        return status;
    uint32_t body = SHAPE(s.world, geometry, s.slot)->body;
    lode__shape_remove(s.world, s.slot);
    lode__mass_refresh(s.world, body);
    return LODE_OK;
}

/* ---- what it is ---- */

bool lode_shape_is_valid(lode_shape shape)
{
    lode__object s;
    return lode__find_shape(&s, shape);
}

lode_shape_type lode_shape_get_type(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return LODE_SPHERE;
    return (lode_shape_type)SHAPE(s.world, geometry, s.slot)->type;
}

lode_body lode_shape_get_body(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return (lode_body){0};
    return body_handle(s.world, SHAPE(s.world, geometry, s.slot)->body);
}

void *lode_shape_get_user_data(lode_shape shape)
{
    lode__object s;
    return lode__open_shape(&s, shape, __func__) ? NULL : *SHAPE(s.world, user_data, s.slot);
}

/* ---- what can change ---- */

lode_status lode_shape_set_friction(lode_shape shape, lode_real friction)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check(is_at_least(friction, 0), __func__, "friction", not_negative);
    if (!status)
        SHAPE(s.world, surface, s.slot)->friction = friction;
    return status;
}

lode_status lode_shape_set_restitution(lode_shape shape, lode_real restitution)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (!status)
        status = lode__check(is_within(restitution, 0, 1), __func__, "restitution", fraction);
    if (!status)
        SHAPE(s.world, surface, s.slot)->restitution = restitution;
    return status;
}

lode_status lode_shape_set_filter(lode_shape shape, uint64_t category, uint64_t mask)
{
    lode__object s;
    lode_status status = lode__open_shape(&s, shape, __func__);
    if (status)
        return status;
    *SHAPE(s.world, filter, s.slot) = (lode__filter){category, mask};
    lode__collide_refresh(&s.world->collide, s.slot);
    return LODE_OK;
}
