/* triangles.c: single triangles of shapes, and the public lists of those that are touched. As many
 * as are wanted are kept in the caller's array as a heap with the highest number on top, which is
 * sorted at the end. */
#include "collide/triangles.h"

#include "collide/heightfield.h"
#include "collide/mesh.h"
#include "collide/surface.h"
#include "core/heap.h"
#include "world/check.h"
#include "world/query.h"
#include "world/solid.h"

static bool number_before(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b;
}

static void list_triangle(void *context, uint32_t triangle)
{
    int number = (int)triangle;
    lode__heap_offer(context, &number);
}

static lode__heap heap_of(int *out, int capacity)
{
    return (lode__heap){
        .items = (char *)out, .size = sizeof *out, .before = number_before, .capacity = capacity};
}

static lode_status open_surface(lode__object *out, lode_shape shape, const char *function)
{
    lode_status status = lode__open_shape(out, shape, function);
    return status ? status
                  : lode__check(type_is_surface(SHAPE(out->world, geometry, out->slot)->type),
                                function, "shape", "must be a mesh or a height field");
}

static lode__place place_of(lode__object s)
{
    return lode__place_of(&s.world->collide, &s.world->bodies, s.slot);
}

lode_status lode_shape_get_triangle(lode_shape shape, int triangle, lode_vec3 out_corners[3])
{
    lode__object s;
    lode_status status = open_surface(&s, shape, __func__);
    if (!status)
        status = lode__check_not_null(out_corners, __func__, "out_corners");
    if (status)
        return status;
    const lode__shape_data *data = *SHAPE(s.world, data, s.slot);
    bool mesh = SHAPE(s.world, geometry, s.slot)->type == LODE_MESH;
    int count = mesh ? lode_mesh_get_info(mesh_of(data)).triangle_count
                     : lode_heightfield_get_triangle_count(field_of(data));
    status = lode__check(triangle >= 0 && triangle < count, __func__, "triangle",
                         "must be one of the shape's");
    if (!status)
        status = mesh ? lode_mesh_get_triangle(mesh_of(data), triangle, out_corners)
                      : lode_heightfield_get_triangle(field_of(data), triangle, out_corners);
    lode__place place = place_of(s);
    for (int i = 0; i < 3 && !status; ++i)
        out_corners[i] = lode__to_world(&place, q_rotate(place.view.rotation, out_corners[i]));
    return status;
}

int lode_shape_find_triangles(lode_shape shape, lode_shape other, int *out_triangles, int capacity)
{
    lode__object s, o;
    if (open_surface(&s, shape, __func__) || lode__open_shape(&o, other, __func__) ||
        lode__check_capacity(out_triangles, capacity, __func__, "out_triangles"))
        return 0;
    lode__place surface = place_of(s), place = place_of(o);
    lode_vec3 offset = v3_sub(v3_add(v3_sub(place.body, surface.body), place.arm), surface.arm);
    lode__heap heap = heap_of(out_triangles, capacity);
    uint32_t type = SHAPE(o.world, geometry, o.slot)->type;
    if (lode__check(lode__triangles_touching(&surface.view, type, &place.view, offset,
                                             list_triangle, &heap),
                    __func__, "other", "is not held against triangles of this shape"))
        return 0;
    lode__heap_sort(&heap);
    return heap.offered;
}

int lode_shape_find_triangles_in(lode_shape shape, const lode_solid *solid, lode_pose pose,
                                 int *out_triangles, int capacity)
{
    lode__object s;
    lode__placed_solid placed;
    if (open_surface(&s, shape, __func__) || lode__check_not_null(solid, __func__, "solid") ||
        lode__check_solid(&placed, solid, pose, __func__, "solid", "pose") ||
        lode__check_capacity(out_triangles, capacity, __func__, "out_triangles"))
        return 0;
    lode__place surface = place_of(s);
    lode__heap heap = heap_of(out_triangles, capacity);
    lode__triangles_touching(&surface.view, placed.type, &placed.view,
                             lode__from_place(&surface, placed.position), list_triangle, &heap);
    lode__heap_sort(&heap);
    return heap.offered;
}
