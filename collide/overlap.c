/* overlap.c: whether shapes overlap, exactly; see overlap.h.
 *
 * Two convex solids overlap when their cores are no farther apart than both radii, which the walk of
 * collide/gjk.h decides as soon as its bounds do. A plane asks for the lowest point of the other. A
 * mesh is asked for the triangles in the other's box, each a convex solid of its own, until one
 * overlaps; all in the mesh's frame, from the other's centre. */
#include "collide/overlap.h"

#include "collide/apart.h"
#include "collide/gjk.h"
#include "collide/mesh.h"
#include "collide/shape_type.h"
#include "collide/touch.h"

static bool is_convex(uint32_t type)
{
    return lode__convex_types[type].support != NULL;
}

static bool cores_are_near(lode__convex a, lode_quat rotation_a, lode__convex b,
                           lode_quat rotation_b, lode_vec3 offset)
{
    lode__convex_pair pair = lode__convex_pair_make(a, rotation_a, b, rotation_b, offset);
    lode__nearest nearest;
    double reach = a.radius + b.radius;
    return !lode__gjk_distance(&pair, reach, &nearest, NULL) || nearest.gap <= reach;
}

/* --- meshes */

/* A solid in the mesh's frame. */
typedef struct mesh_search {
    const lode__mesh *mesh;
    lode__convex solid;
    lode_quat rotation;
    lode_vec3 center;
} mesh_search;

static bool is_apart(void *context, uint32_t triangle)
{
    const mesh_search *search = context;
    lode__triangle t = mesh_triangle(search->mesh, triangle);
    for (int k = 0; k < 3; ++k)
        t.v[k] = v3_sub(t.v[k], search->center);
    lode__convex flat = convex_make(&lode__convex_triangle, NULL, t.v);
    return !cores_are_near(search->solid, search->rotation, flat, q_identity(), v3_zero());
}

/* `offset` leads from the centre of the mesh to that of the solid. */
static bool mesh_overlaps(const lode__shape_view *mesh, uint32_t type,
                          const lode__shape_view *solid, lode_vec3 offset)
{
    mesh_search search = {
        .mesh = mesh_of(mesh->data),
        .solid = convex_make(&lode__convex_types[type], solid->size, solid->data),
        .rotation = q_mul(q_conj(mesh->rotation), solid->rotation),
        .center = q_rotate_inv(mesh->rotation, offset),
    };
    lode__shape_view turned = {solid->size, search.rotation, solid->data};
    lode__reach reach = lode__shape_types[type].reach(&turned);
    lode_vec3 middle = v3_add(search.center, reach.middle), half = reach.half;
    lode_vec3 far = v3_add(v3_abs(middle), half);
    lode_real grow = 8 * REAL_EPSILON * (far.x + far.y + far.z);
    half = v3_add(half, v3(grow, grow, grow));
    return !lode__mesh_walk(search.mesh, v3_sub(middle, half), v3_add(middle, half), is_apart,
                            &search);
}

/* `offset` leads from the centre of the plane to that of the mesh. */
static bool mesh_dips(const lode__shape_view *mesh, const lode__shape_view *plane, lode_vec3 offset)
{
    const lode__mesh *m = mesh_of(mesh->data);
    lode_vec3 normal = view_normal(plane), down = q_rotate_inv(mesh->rotation, normal);
    lode_real least = v3_dot(normal, offset) - plane->size[3];
    for (uint32_t t = 0; t < m->triangle_count; ++t) {
        lode__triangle triangle = mesh_triangle(m, t);
        for (int k = 0; k < 3 && !(m->flags[t] & LODE__TRIANGLE_IGNORED); ++k)
            if (v3_dot(down, triangle.v[k]) + least <= 0)
                return true;
    }
    return false;
}

/* --- all of them */

static bool with_mesh(const lode__shape_view *mesh, uint32_t type, const lode__shape_view *other,
                      lode_vec3 offset)
{
    if (type == LODE_PLANE)
        return mesh_dips(mesh, other, v3_neg(offset));
    return is_convex(type) && mesh_overlaps(mesh, type, other, offset);
}

bool lode__shapes_overlap(uint32_t type_a, const lode__shape_view *a, uint32_t type_b,
                          const lode__shape_view *b, lode_vec3 offset)
{
    lode__apart apart;
    if (type_a == LODE_MESH)
        return with_mesh(a, type_b, b, offset);
    if (type_b == LODE_MESH)
        return with_mesh(b, type_a, a, v3_neg(offset));
    if (is_convex(type_a) && is_convex(type_b))
        return cores_are_near(convex_make(&lode__convex_types[type_a], a->size, a->data),
                              a->rotation,
                              convex_make(&lode__convex_types[type_b], b->size, b->data),
                              b->rotation, offset);
    return lode__find_apart(type_a, a, type_b, b, offset, &apart) && apart.distance <= 0;
}
