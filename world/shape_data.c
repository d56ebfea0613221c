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

/* --- exchanging */

static lode_status exchange(lode_shape shape, lode_shape_type type, lode__shape_data *data,
                            const char *function, const char *argument)
{
    lode__object s;
    lode_status status = open_typed(&s, shape, type, function);
    if (!status)
        status = lode__check_not_null(data, function, argument);
    if (!status && type == LODE_HEIGHTFIELD)
        status = lode__check_field(s.world, SHAPE(s.world, geometry, s.slot)->body, field_of(data),
                                   function, argument);
    if (status)
        return status;
    lode__collide *collide = &s.world->collide;
    lode__shape_data *before = *SHAPE(s.world, data, s.slot);
    lode__data_retain(before);
    lode__collide_set_data(collide, s.slot, data);
    status = lode__shape_remake(s, SHAPE(s.world, geometry, s.slot),
                                SHAPE(s.world, surface, s.slot)->density, function, argument);
    if (status)
        lode__collide_set_data(collide, s.slot, before);
    lode__data_release(before);
    return status;
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

/* --- the functions of each kind: its name, its type, and what the argument is called */

#define KIND(name, TYPE, argument) \
    lode_##name *lode_shape_get_##name(lode_shape shape) \
    { \
        return (lode_##name *)read_data(shape, TYPE, __func__); \
    } \
    lode_status lode_shape_set_##name(lode_shape shape, lode_##name *argument) \
    { \
        return exchange(shape, TYPE, argument ? &argument->data : NULL, __func__, #argument); \
    } \
    lode_status lode_world_offer_##name(lode_world world, lode_##name *argument) \
    { \
        return offer(world, argument ? &argument->data : NULL, __func__, #argument); \
    }

KIND(hull, LODE_HULL, hull)
KIND(mesh, LODE_MESH, mesh)
KIND(heightfield, LODE_HEIGHTFIELD, field)
KIND(custom, LODE_CUSTOM, custom)
