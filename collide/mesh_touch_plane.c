/* mesh_touch_plane.c: meshes on half-spaces: the vertices below the plane.
 *
 * Boxes of the tree that are above the plane are left out. A vertex is visited once for each of its
 * triangles; those that are alike count once when points are reduced (many_touch.c). */
#include "collide/mesh_touch.h"

/* How far a child's box is above the plane, in lengths; less than it is by more than rounding. */
static double child_height(const lode__mesh_node *node, int k, const double n[3], double offset)
{
    double sum = -offset, size = d_abs(offset);
    for (int i = 0; i < 3; ++i) {
        double lo = (double)node->lo[i] + (double)node->step[i] * node->child_lo[i][k];
        double hi = (double)node->lo[i] + (double)node->step[i] * node->child_hi[i][k];
        double least = n[i] > 0 ? lo * n[i] : hi * n[i];
        sum += least;
        size += d_abs(least);
    }
    return sum - size * 1e-6;
}

static void touch_leaf(const lode__mesh_query *query, uint32_t leaf, lode_vec3 normal,
                       lode_real offset)
{
    const lode__mesh *mesh = mesh_of(query->surface);
    uint32_t first = leaf & (LODE__MESH_PLACES - 1), count = (leaf >> 28 & 7) + 1;
    for (uint32_t i = 0; i < 3 * count; ++i) {
        lode__mesh_side side = {.triangle = mesh->order[first + i / 3]};
        lode_vec3 at = mesh_triangle(mesh, side.triangle).v[i % 3];
        lode_real depth = offset - v3_dot(normal, at);
        lode__mesh_add(query, &side, v3_madd(at, normal, depth / 2), v3_neg(normal), depth,
                       lode__mesh_corner_feature(query->surface, side.triangle, (int)(i % 3)));
    }
}

void lode__mesh_touch_plane(const lode__mesh_query *query, lode_vec3 normal, lode_real offset)
{
    const double n[3] = {(double)normal.x, (double)normal.y, (double)normal.z};
    uint32_t stack[LODE__MESH_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const lode__mesh_node *node = &mesh_of(query->surface)->nodes[stack[--depth]];
        for (int k = 0; k < LODE__MESH_WIDE && node->child[k] != LODE__MESH_NO_CHILD; ++k) {
            uint32_t child = node->child[k];
            if (child_height(node, k, n, (double)offset) > (double)query->speculative)
                continue;
            if (child & LODE__MESH_LEAF_BIT)
                touch_leaf(query, child, normal, offset);
            else
                stack[depth++] = child;
        }
    }
}
