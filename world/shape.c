/* shape.c: shapes: making and ending them. Their sizes are in shape_size.c, what can be changed on
 * them in shape_change.c.
 *
 * A body's shapes hang in a list, highest slot first, so that walks over it, and with them the
 * sums of masses, depend on what lives and not on what came before. New shapes mostly have the
 * highest slot and enter at the head. */
#include "lode/shape.h"

#include "collide/heightfield.h"
#include "collide/custom.h"
#include "collide/hull.h"
#include "collide/mesh.h"
#include "world/aggregate.h"
#include "world/card.h"
#include "world/mass.h"
#include "world/shape.h"
#include "world/surface.h"
#include "world/wake.h"

const char lode__not_negative[] = "must be finite and at least 0";
const char lode__fraction[] = "must be within 0 and 1";

lode_shape_def lode_shape_def_default(void)
{
    return (lode_shape_def){.pose.rotation = {1, 0, 0, 0},
                            .density = 1000,
                            .friction = (lode_real)0.6,
                            .category = 1,
                            .mask = UINT64_MAX,
                            .enabled = true,
                            .surface = lode_surface_default()};
}

static lode_status check_def(lode_shape_def *def, const char *function)
{
    lode_status status = lode__check_arm(def->pose.position, function, "def.pose.position");
    if (!status)
        status = lode__check_local_quat(&def->pose.rotation, function, "def.pose.rotation");
    if (!status)
        status = lode__check(is_at_least(def->density, 0), function, "def.density",
                             lode__not_negative);
    if (!status)
        status = lode__check(def->friction >= 0, function, "def.friction", "must be at least 0");
    if (!status)
        status = lode__check_surface(&def->surface, LODE__SURFACE_OF_DEF, function);
    if (!status)
        status = lode__check(is_within(def->restitution, 0, 1), function, "def.restitution",
                             lode__fraction);
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

void lode__shape_link(lode__world *world, uint32_t shape)
{
    uint32_t body = SHAPE(world, geometry, shape)->body;
    uint32_t *link = link_to(world, body, shape);
    SHAPE(world, links, shape)->next_shape = *link;
    *link = shape;
    lode__shape_group(world, shape);
    uint32_t first = BODY(world, links, body)->first_shape;
    uint32_t second = SHAPE(world, links, first)->next_shape;
    if (second == LODE__NONE)
        return;
    lode__bits_set(&world->collide.joined, first);
    lode__bits_set(&world->collide.joined, second);
    lode__bits_set(&world->collide.joined, shape);
}

void lode__shape_unlink(lode__world *world, uint32_t shape)
{
    uint32_t body = SHAPE(world, geometry, shape)->body;
    lode__bits_clear(&world->collide.joined, shape);
    *link_to(world, body, shape) = SHAPE(world, links, shape)->next_shape;
    uint32_t first = BODY(world, links, body)->first_shape;
    if (first != LODE__NONE && SHAPE(world, links, first)->next_shape == LODE__NONE)
        lode__bits_clear(&world->collide.joined, first);
}

/* ---- making and ending ---- */

/* A shape in the making: the body it goes to, what it is, what it is made of. */
typedef struct draft {
    lode__object body;
    lode_shape_def def;
    lode__geometry geometry;
    lode__shape_data *data; /* or null */
    const char *function;
} draft;

static lode_status begin(draft *draft, lode_body body, const lode_shape_def *def,
                         lode_shape_type type, const char *function)
{
    draft->function = function;
    draft->data = NULL;
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
    lode__matter matter = {&draft->geometry, draft->data, draft->def.density};
    return lode__check(lode__mass_of_shapes(world, draft->body.slot, &matter, &local),
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
    uint32_t shape = lode__collide_add(&world->collide, &draft->geometry, draft->data);
    if (shape == LODE__NONE) {
        lode__error(LODE_ERROR_MEMORY, draft->function, "", "out of memory");
        return (lode_shape){0};
    }
    const lode_shape_def *def = &draft->def;
    *SHAPE(world, surface, shape) = (lode__surface){r_min(def->friction, REAL_MAX),
                                                    def->restitution, def->density};
    *SHAPE(world, filter, shape) = (lode__filter){def->category, def->mask};
    *SHAPE(world, user_data, shape) = def->user_data;
    lode__shape_link(world, shape);
    lode__card_renew(world, shape);
    lode__mass_refresh(world, body);
    lode__shape_touched(world, shape); /* a new shape looks for pairs anyway */
    lode__shape_begin_flags(world, shape, def);
    lode__surface_give(world, shape, &def->surface);
    return shape_handle(world, shape);
}

lode_shape lode_shape_create_sphere(lode_body body, const lode_shape_def *def, lode_real radius)
{
    draft draft;
    if (begin(&draft, body, def, LODE_SPHERE, __func__) ||
        lode__size_sphere(draft.geometry.size, radius, __func__))
        return (lode_shape){0};
    return finish(&draft);
}

lode_shape lode_shape_create_box(lode_body body, const lode_shape_def *def, lode_vec3 half_extents)
{
    draft draft;
    if (begin(&draft, body, def, LODE_BOX, __func__) ||
        lode__size_box(draft.geometry.size, half_extents, __func__))
        return (lode_shape){0};
    return finish(&draft);
}

lode_shape lode_shape_create_capsule(lode_body body, const lode_shape_def *def, lode_real radius,
                                     lode_real half_length)
{
    draft draft;
    if (begin(&draft, body, def, LODE_CAPSULE, __func__) ||
        lode__size_capsule(draft.geometry.size, radius, half_length, __func__))
        return (lode_shape){0};
    return finish(&draft);
}

lode_shape lode_shape_create_cylinder(lode_body body, const lode_shape_def *def, lode_real radius,
                                      lode_real half_length)
{
    draft draft;
    if (begin(&draft, body, def, LODE_CYLINDER, __func__) ||
        lode__size_cylinder(draft.geometry.size, radius, half_length, __func__))
        return (lode_shape){0};
    return finish(&draft);
}

lode_shape lode_shape_create_plane(lode_body body, const lode_shape_def *def, lode_vec3 normal,
                                   lode_real offset)
{
    draft draft;
    if (begin(&draft, body, def, LODE_PLANE, __func__) ||
        lode__check(!body_is_dynamic(draft.body.world, draft.body.slot), __func__, "body",
                    "a plane belongs on a static or kinematic body") ||
        lode__size_plane(draft.geometry.size, normal, offset, __func__))
        return (lode_shape){0};
    return finish(&draft);
}

lode_shape lode_shape_create_mesh(lode_body body, const lode_shape_def *def, lode_mesh *mesh)
{
    draft draft;
    if (begin(&draft, body, def, LODE_MESH, __func__) ||
        lode__check_not_null(mesh, __func__, "mesh"))
        return (lode_shape){0};
    draft.data = &mesh->data;
    return finish(&draft);
}

lode_status lode__check_field(const lode__world *world, uint32_t body,
                              const lode_heightfield *field, const char *function,
                              const char *argument)
{
    return lode__check(!field->wrap || !body_is_dynamic(world, body), function, argument,
                       "a height field that repeats itself belongs on a static or kinematic body");
}

lode_shape lode_shape_create_heightfield(lode_body body, const lode_shape_def *def,
                                         lode_heightfield *field)
{
    draft draft;
    if (begin(&draft, body, def, LODE_HEIGHTFIELD, __func__) ||
        lode__check_not_null(field, __func__, "field") ||
        lode__check_field(draft.body.world, draft.body.slot, field, __func__, "body"))
        return (lode_shape){0};
    draft.data = &field->data;
    return finish(&draft);
}

lode_shape lode_shape_create_hull(lode_body body, const lode_shape_def *def, lode_hull *hull)
{
    draft draft;
    if (begin(&draft, body, def, LODE_HULL, __func__) ||
        lode__check_not_null(hull, __func__, "hull"))
        return (lode_shape){0};
    draft.data = &hull->data;
    return finish(&draft);
}

lode_shape lode_shape_create_custom(lode_body body, const lode_shape_def *def, lode_custom *custom)
{
    draft draft;
    if (begin(&draft, body, def, LODE_CUSTOM, __func__) ||
        lode__check_not_null(custom, __func__, "custom"))
        return (lode_shape){0};
    draft.data = &custom->data;
    return finish(&draft);
}

void lode__shape_remove(lode__world *world, uint32_t shape)
{
    lode__shape_touched(world, shape);
    lode__shape_count_flags(world, shape, false);
    lode__shape_unlink(world, shape);
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
