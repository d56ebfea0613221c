/* mover.c: shapes on their way: see impact.h.
 *
 * What a continuous body needs to know of a shape: how far its points are from the body's centre of
 * mass, which bounds how fast a turn moves them, and how large a ball there is within it, which
 * says what motion is slow for it. */
#include "collide/custom.h"
#include "collide/hull.h"
#include "collide/impact.h"
#include "collide/mesh.h"
#include "collide/shape_type.h"

#define UNBOUNDED 1e300

/* The smallest of the balls that are known to be within a mesh. */
static double core_of(const lode__mesh *mesh)
{
    double least = UNBOUNDED;
    for (uint32_t i = 0; i < mesh->core_count; ++i)
        least = d_min(least, mesh->cores[i].radius);
    return least;
}

/* The largest ball that is looked for: around the middle. */
static double inner_of(uint32_t type, const lode_real size[4], const lode__shape_data *data,
                       lode__double3 *out_middle)
{
    const lode_hull *hull;
    switch (type) {
    case LODE_SPHERE:
    case LODE_CAPSULE:
        return (double)size[0];
    case LODE_CYLINDER:
        return (double)r_min(size[0], size[1]);
    case LODE_BOX:
        return (double)r_min(size[0], r_min(size[1], size[2]));
    case LODE_HULL:
        hull = (const lode_hull *)(const void *)data;
        *out_middle = hull->center;
        return (double)hull->inner;
    case LODE_CUSTOM:
        if (!lode__is_convex(type, data))
            return 0;
        *out_middle = custom_of(data)->middle;
        return custom_of(data)->inner;
    case LODE_MESH:
        return core_of(mesh_of(data));
    default:
        return 0;
    }
}

lode__mover lode__mover_of(const lode__geometry *geometry, const lode__shape_data *data,
                           const lode__course *course)
{
    lode__mover m = {.course = course, .geometry = geometry, .data = data, .reach = UNBOUNDED};
    const lode__shape_type *type = &lode__shape_types[geometry->type];
    m.core_reach = m.reach;
    m.inner = inner_of(geometry->type, geometry->size, data, &m.middle);
    if (!type->reach)
        return m;
    lode__shape_view view = {geometry->size, q_identity(), data};
    lode__reach reach = type->reach(&view);
    double arm = d3_length(d3_from(geometry->center.position)) + d3_length(d3_from(reach.middle));
    double radius = lode__convex_types[geometry->type].has_radius ? (double)geometry->size[0] : 0;
    lode__double3 half = d3_from(reach.half);
    lode__double3 core = d3(half.x - radius, half.y - radius, half.z - radius);
    m.reach = (arm + d3_length(half)) * 1.00001;
    m.core_reach = (arm + d3_length(core)) * 1.00001;
    return m;
}

bool lode__may_go_ahead(uint32_t type, const lode__shape_data *data)
{
    return type == LODE_MESH || lode__is_convex(type, data);
}
