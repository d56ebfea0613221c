/* shape_size.c: how large shapes are: what each type accepts, and its size read and set again. */
#include "lode/shape.h"

#include "collide/shape_type.h"
#include "world/shape.h"

static const char above_zero[] = "must be finite and above 0";

/* ---- what each type accepts ---- */

lode_status lode__size_sphere(lode_real out_size[4], lode_real radius, const char *function)
{
    out_size[0] = radius;
    return lode__check(is_above(radius, 0), function, "radius", above_zero);
}

lode_status lode__size_box(lode_real out_size[4], lode_vec3 half_extents, const char *function)
{
    out_size[0] = half_extents.x;
    out_size[1] = half_extents.y;
    out_size[2] = half_extents.z;
    return lode__check(is_above(half_extents.x, 0) && is_above(half_extents.y, 0) &&
                           is_above(half_extents.z, 0),
                       function, "half_extents", above_zero);
}

lode_status lode__size_capsule(lode_real out_size[4], lode_real radius, lode_real half_length,
                               const char *function)
{
    out_size[0] = radius;
    out_size[1] = half_length;
    lode_status status = lode__check(is_above(radius, 0), function, "radius", above_zero);
    return status ? status
                  : lode__check(is_at_least(half_length, 0), function, "half_length",
                                lode__not_negative);
}

lode_status lode__size_cylinder(lode_real out_size[4], lode_real radius, lode_real half_length,
                                const char *function)
{
    out_size[0] = radius;
    out_size[1] = half_length;
    lode_status status = lode__check(is_above(radius, 0), function, "radius", above_zero);
    return status ? status
                  : lode__check(is_above(half_length, 0), function, "half_length", above_zero);
}

lode_status lode__size_plane(lode_real out_size[4], lode_vec3 normal, lode_real offset,
                             const char *function)
{
    lode_status status = lode__check_vec3(normal, function, "normal");
    if (!status)
        status = lode__check(normal.x != 0 || normal.y != 0 || normal.z != 0, function, "normal",
                             "must not be zero");
    if (!status)
        status = lode__check(r_finite(offset), function, "offset", "must be finite");
    if (status)
        return status;
    normal = v3_normalize_or(normal, normal);
    out_size[0] = normal.x;
    out_size[1] = normal.y;
    out_size[2] = normal.z;
    out_size[3] = offset;
    return LODE_OK;
}

/* ---- set ---- */

static lode_status check_type(lode__object shape, unsigned types, const char *function)
{
    uint32_t type = SHAPE(shape.world, geometry, shape.slot)->type;
    return lode__check(types & 1u << type, function, "shape", "the shape is of another type");
}

/* Opens a shape whose size is to be set; `out_geometry` is a copy of what it is. */
static lode_status open_typed(lode__object *out, lode__geometry *out_geometry, lode_shape shape,
                              lode_shape_type type, const char *function)
{
    lode_status status = lode__open_shape(out, shape, function);
    if (!status)
        status = check_type(*out, 1u << type, function);
    if (!status)
        *out_geometry = *SHAPE(out->world, geometry, out->slot);
    return status;
}

static lode_status resize(lode__object s, const lode__geometry *geometry, const char *function,
                          const char *argument)
{
    return lode__shape_remake(s, geometry, SHAPE(s.world, surface, s.slot)->density, function,
                              argument);
}

lode_status lode_shape_set_sphere(lode_shape shape, lode_real radius)
{
    lode__object s;
    lode__geometry g;
    lode_status status = open_typed(&s, &g, shape, LODE_SPHERE, __func__);
    if (!status)
        status = lode__size_sphere(g.size, radius, __func__);
    return status ? status : resize(s, &g, __func__, "radius");
}

lode_status lode_shape_set_box(lode_shape shape, lode_vec3 half_extents)
{
    lode__object s;
    lode__geometry g;
    lode_status status = open_typed(&s, &g, shape, LODE_BOX, __func__);
    if (!status)
        status = lode__size_box(g.size, half_extents, __func__);
    return status ? status : resize(s, &g, __func__, "half_extents");
}

lode_status lode_shape_set_capsule(lode_shape shape, lode_real radius, lode_real half_length)
{
    lode__object s;
    lode__geometry g;
    lode_status status = open_typed(&s, &g, shape, LODE_CAPSULE, __func__);
    if (!status)
        status = lode__size_capsule(g.size, radius, half_length, __func__);
    return status ? status : resize(s, &g, __func__, "radius");
}

lode_status lode_shape_set_cylinder(lode_shape shape, lode_real radius, lode_real half_length)
{
    lode__object s;
    lode__geometry g;
    lode_status status = open_typed(&s, &g, shape, LODE_CYLINDER, __func__);
    if (!status)
        status = lode__size_cylinder(g.size, radius, half_length, __func__);
    return status ? status : resize(s, &g, __func__, "radius");
}

lode_status lode_shape_set_plane(lode_shape shape, lode_vec3 normal, lode_real offset)
{
    lode__object s;
    lode__geometry g;
    lode_status status = open_typed(&s, &g, shape, LODE_PLANE, __func__);
    if (!status)
        status = lode__size_plane(g.size, normal, offset, __func__);
    return status ? status : resize(s, &g, __func__, "normal");
}

/* ---- read ---- */

/* The size of a shape of one of `types`; zeros after a report. */
static const lode_real *read_size(lode_shape shape, unsigned types, const char *function)
{
    static const lode_real none[4];
    lode__object s;
    if (lode__open_shape(&s, shape, function) || check_type(s, types, function))
        return none;
    return SHAPE(s.world, geometry, s.slot)->size;
}

lode_real lode_shape_get_radius(lode_shape shape)
{
    return read_size(shape, 1u << LODE_SPHERE | 1u << LODE_CAPSULE | 1u << LODE_CYLINDER,
                     __func__)[0];
}

lode_real lode_shape_get_half_length(lode_shape shape)
{
    return read_size(shape, 1u << LODE_CAPSULE | 1u << LODE_CYLINDER, __func__)[1];
}

lode_vec3 lode_shape_get_half_extents(lode_shape shape)
{
    const lode_real *size = read_size(shape, 1u << LODE_BOX, __func__);
    return v3(size[0], size[1], size[2]);
}

lode_vec3 lode_shape_get_plane(lode_shape shape, lode_real *out_offset)
{
    const lode_real *size = read_size(shape, 1u << LODE_PLANE, __func__);
    if (out_offset)
        *out_offset = size[3];
    return v3(size[0], size[1], size[2]);
}
