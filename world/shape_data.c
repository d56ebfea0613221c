/* shape_data.c: meshes, height fields and hulls of shapes: read, exchanged, and offered to worlds.
 *
 * A shape that gets another object is the same shape with another size: its body weighs what it
 * then weighs, or the exchange is refused and nothing has changed. */
#include "core/shape_data.h"

#include "collide/custom.h"
#include "collide/heightfield.h"
#include "collide/hull.h"
#include "collide/mesh.h"
#include "world/check.h"
#include "world/shape.h"

static lode_status open_typed(lode__object *out, lode_shape shape, lode_shape_type type,
                              const char *function)
{
    lode_status status = lode__open_shape(out, shape, function);
    if (!status)
        status = lode__check(SHAPE(out->world, geometry, out->slot)->type == (uint32_t)type,
                             function, "shape", "the shape is of another type");
    return status;
}

/* --- reading */

static lode__shape_data *read_data(lode_shape shape, lode_shape_type type, const char *function)
{
    lode__object s;
    return open_typed(&s, shape, type, function) ? NULL : *SHAPE(s.world, data, s.slot);
}

lode_hull *lode_shape_get_hull(lode_shape shape)
{
    return (lode_hull *)read_data(shape, LODE_HULL, __func__);
}

lode_mesh *lode_shape_get_mesh(lode_shape shape)
{
    return (lode_mesh *)read_data(shape, LODE_MESH, __func__);
}

lode_heightfield *lode_shape_get_heightfield(lode_shape shape)
{
    return (lode_heightfield *)read_data(shape, LODE_HEIGHTFIELD, __func__);
}

lode_custom *lode_shape_get_custom(lode_shape shape)
{
    return (lode_custom *)read_data(shape, LODE_CUSTOM, __func__);
}

/* --- exchanging */

static lode_status exchange(lode__object s, lode__shape_data *data, const char *function,
                            const char *argument)
{
    lode__collide *collide = &s.world->collide;
    lode__shape_data *before = *SHAPE(s.world, data, s.slot);
    lode__data_retain(before);
    lode__collide_set_data(collide, s.slot, data);
    lode_status status = lode__shape_remake(s, SHAPE(s.world, geometry, s.slot),
                                            SHAPE(s.world, surface, s.slot)->density, function,
                                            argument);
    if (status)
        lode__collide_set_data(collide, s.slot, before);
    lode__data_release(before);
    return status;
}

lode_status lode_shape_set_hull(lode_shape shape, lode_hull *hull)
{
    lode__object s;
    lode_status status = open_typed(&s, shape, LODE_HULL, __func__);
    if (!status)
        status = lode__check_not_null(hull, __func__, "hull");
    return status ? status : exchange(s, &hull->data, __func__, "hull");
}

lode_status lode_shape_set_mesh(lode_shape shape, lode_mesh *mesh)
{
    lode__object s;
    lode_status status = open_typed(&s, shape, LODE_MESH, __func__);
    if (!status)
        status = lode__check_not_null(mesh, __func__, "mesh");
    return status ? status : exchange(s, &mesh->data, __func__, "mesh");
}

lode_status lode_shape_set_heightfield(lode_shape shape, lode_heightfield *field)
{
    lode__object s;
    lode_status status = open_typed(&s, shape, LODE_HEIGHTFIELD, __func__);
    if (!status)
        status = lode__check_not_null(field, __func__, "field");
    if (!status)
        status = lode__check_field(s.world, SHAPE(s.world, geometry, s.slot)->body, field, __func__,
                                   "field");
    return status ? status : exchange(s, &field->data, __func__, "field");
}

lode_status lode_shape_set_custom(lode_shape shape, lode_custom *custom)
{
    lode__object s;
    lode_status status = open_typed(&s, shape, LODE_CUSTOM, __func__);
    if (!status)
        status = lode__check_not_null(custom, __func__, "custom");
    return status ? status : exchange(s, &custom->data, __func__, "custom");
}

/* --- offering */

static lode_status offer(lode_world world, lode__shape_data *data, const char *function,
                         const char *argument)
{
    lode__world *w;
    lode_status status = lode__open_world(&w, world, function);
    if (!status)
        status = lode__check_not_null(data, function, argument);
    if (status)
        return status;
    return lode__collide_offer(&w->collide, data)
               ? LODE_OK
               : lode__error(LODE_ERROR_MEMORY, function, "", "out of memory");
}

lode_status lode_world_offer_hull(lode_world world, lode_hull *hull)
{
    return offer(world, hull ? &hull->data : NULL, __func__, "hull");
}

lode_status lode_world_offer_mesh(lode_world world, lode_mesh *mesh)
{
    return offer(world, mesh ? &mesh->data : NULL, __func__, "mesh");
}

lode_status lode_world_offer_heightfield(lode_world world, lode_heightfield *field)
{
    return offer(world, field ? &field->data : NULL, __func__, "field");
}

lode_status lode_world_offer_custom(lode_world world, lode_custom *custom)
{
    return offer(world, custom ? &custom->data : NULL, __func__, "custom");
}
