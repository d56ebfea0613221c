/* mesh.c: definitions of meshes, and what meshes are; they are made in collide/mesh_build.c. */
#include "lode/mesh.h"

#include "collide/mesh.h"
#include "core/math.h"
#include "world/check.h"
#include "world/shape.h"

#include <string.h>

void lode_mesh_def_init(void *out_def, size_t size, uint32_t abi)
{
    lode_mesh_def def = {.abi = LODE_ABI, .double_vertices = sizeof(lode_real) == sizeof(double)};
    if (lode__check_init(out_def, size, sizeof def, abi, __func__))
        memcpy(out_def, &def, sizeof def);
}

lode_mesh_info lode_mesh_get_info(const lode_mesh *mesh)
{
    return lode__check_not_null(mesh, __func__, "mesh") ? (lode_mesh_info){0} : mesh->info;
}

lode_bounds lode_mesh_get_bounds(const lode_mesh *mesh)
{
    return lode__check_not_null(mesh, __func__, "mesh") ? (lode_bounds){0}
                                                        : (lode_bounds){mesh->lower, mesh->upper};
}

bool lode_mesh_is_two_sided(const lode_mesh *mesh)
{
    return !lode__check_not_null(mesh, __func__, "mesh") && mesh->two_sided;
}

/* ---- one triangle ---- */

static lode_status open_triangle(const lode_mesh *mesh, int triangle, const char *function)
{
    lode_status status = lode__check_not_null(mesh, function, "mesh");
    return status ? status
                  : lode__check(triangle >= 0 && triangle < mesh->info.triangle_count, function,
                                "triangle", "must be within 0 and the mesh's triangle_count - 1");
}

lode_status lode_mesh_get_triangle(const lode_mesh *mesh, int triangle, lode_vec3 out_corners[3])
{
    lode_status status = open_triangle(mesh, triangle, __func__);
    if (!status)
        status = lode__check_not_null(out_corners, __func__, "out_corners");
    if (status)
        return status;
    lode__triangle t = mesh_triangle(mesh, (uint32_t)triangle);
    memcpy(out_corners, t.v, sizeof t.v);
    return LODE_OK;
}

lode_vec3 lode_mesh_get_point(const lode_mesh *mesh, int triangle, lode_real u, lode_real v)
{
    if (open_triangle(mesh, triangle, __func__) ||
        lode__check(r_finite(u), __func__, "u", "must be finite") ||
        lode__check(r_finite(v), __func__, "v", "must be finite"))
        return v3_zero();
    lode__triangle t = mesh_triangle(mesh, (uint32_t)triangle);
    lode_vec3 p = v3_madd(t.v[0], v3_sub(t.v[1], t.v[0]), u);
    return v3_madd(p, v3_sub(t.v[2], t.v[0]), v);
}

/* ---- all of them ---- */

static lode_status open_list(const lode_mesh *mesh, const void *out, int capacity,
                             const char *function, const char *argument)
{
    lode_status status = lode__check_not_null(mesh, function, "mesh");
    return status ? status : lode__check_capacity(out, capacity, function, argument);
}

int lode_mesh_get_vertices(const lode_mesh *mesh, lode_vec3 *out_vertices, int capacity)
{
    if (open_list(mesh, out_vertices, capacity, __func__, "out_vertices"))
        return 0;
    for (uint32_t v = 0; v < mesh->vertex_count && (int)v < capacity; ++v)
        out_vertices[v] = mesh_vertex(mesh, v);
    return (int)mesh->vertex_count;
}

int lode_mesh_get_indices(const lode_mesh *mesh, int *out_indices, int capacity)
{
    if (open_list(mesh, out_indices, capacity, __func__, "out_indices"))
        return 0;
    for (uint32_t t = 0; t < mesh->triangle_count && (int)t < capacity; ++t) {
        uint32_t corner[3];
        mesh_corners(mesh, t, corner);
        for (int k = 0; k < 3; ++k)
            *out_indices++ = (int)corner[k];
    }
    return (int)mesh->triangle_count;
}

int lode_mesh_get_materials(const lode_mesh *mesh, uint8_t *out_materials, int capacity)
{
    if (open_list(mesh, out_materials, capacity, __func__, "out_materials") || !mesh->materials)
        return 0;
    for (uint32_t t = 0; t < mesh->triangle_count && (int)t < capacity; ++t)
        out_materials[t] = mesh->materials[t];
    return (int)mesh->triangle_count;
}

/* ---- mass ---- */

lode_status lode_mesh_get_mass(const lode_mesh *mesh, lode_real density, lode_mass *out_mass)
{
    lode_status status = lode__check_not_null(mesh, __func__, "mesh");
    if (!status)
        status = lode__check(mesh->info.closed, __func__, "mesh", "is not closed");
    if (!status)
        status = lode__check(is_at_least(density, 0), __func__, "density", lode__not_negative);
    if (!status)
        status = lode__check_not_null(out_mass, __func__, "out_mass");
    if (!status)
        *out_mass = lode__mesh_mass(mesh, density);
    return status;
}
