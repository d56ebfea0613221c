/* solid.c: solids that queries are asked with, and those that shapes have. */
#include "world/solid.h"

#include "core/math.h"
#include "world/check.h"

static bool read_size(const lode_solid *solid, lode_real size[4])
{
    lode_vec3 h = solid->half_extents;
    switch (solid->type) {
    case LODE_SPHERE:
        size[0] = solid->radius;
        break;
    case LODE_BOX:
        size[0] = h.x, size[1] = h.y, size[2] = h.z;
        break;
    case LODE_CAPSULE:
    case LODE_CYLINDER:
        size[0] = solid->radius, size[1] = solid->half_length;
        break;
    default:
        break;
    }
    return lode__shape_types[solid->type].is_size(size);
}

lode_status lode__check_solid(lode__placed_solid *out, const lode_solid *solid, lode_pose pose,
                              const char *function, const char *solid_name, const char *pose_name)
{
    *out = (lode__placed_solid){.type = (uint32_t)solid->type};
    lode_status status = lode__check(out->type != LODE_CUSTOM || solid->custom, function,
                                     solid_name, "its object must not be null");
    if (!status)
        status = lode__check(lode__is_convex(out->type, solid->custom), function, solid_name,
                             "must be a sphere, box, capsule, cylinder, hull, or of a class with a "
                             "support function");
    if (!status)
        status = lode__check(solid->type != LODE_HULL || solid->hull, function, solid_name,
                             "its hull must not be null");
    if (!status)
        status = lode__check(read_size(solid, out->size), function, solid_name,
                             "its sizes must be finite and above 0");
    if (!status)
        status = lode__check_pose(&pose, function, pose_name);
    if (status)
        return status;
    const void *data = solid->type == LODE_HULL     ? (const void *)solid->hull
                       : solid->type == LODE_CUSTOM ? solid->custom
                                                    : NULL;
    out->view = (lode__shape_view){out->size, pose.rotation, data};
    out->position = pose.position;
    return LODE_OK;
}

lode_solid lode_shape_get_solid(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return (lode_solid){.type = LODE_SPHERE};
    const lode__geometry *geometry = SHAPE(s.world, geometry, s.slot);
    const lode_real *size = geometry->size;
    const void *data = *SHAPE(s.world, data, s.slot);
    if (lode__check(lode__is_convex(geometry->type, data), __func__, "shape", "is no convex solid"))
        return (lode_solid){.type = LODE_SPHERE};
    switch (geometry->type) {
    case LODE_SPHERE:
        return lode_solid_sphere(size[0]);
    case LODE_BOX:
        return lode_solid_box(v3(size[0], size[1], size[2]));
    case LODE_CAPSULE:
        return lode_solid_capsule(size[0], size[1]);
    case LODE_CYLINDER:
        return lode_solid_cylinder(size[0], size[1]);
    case LODE_CUSTOM:
        return lode_solid_custom(data);
    default:
        return lode_solid_hull(data);
    }
}
