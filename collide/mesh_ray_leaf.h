/* mesh_ray_leaf.h: a ray and the triangles of a mesh's leaf, all at once, by the operations of
 * ray_meets() in ray_triangle.h; kernel text, see simd/wide.h and simd/quad.h.
 *
 * Corners are loaded once for all rays that come to the leaf, in lines of four numbers where the
 * mesh has its own copy of the vertices: behind the last of these there is one number more. Which
 * triangles a ray meets is told as bits, so that nothing branches on those that it passes by. */
#ifndef LODE_COLLIDE_MESH_RAY_LEAF_H
#define LODE_COLLIDE_MESH_RAY_LEAF_H

#include "collide/kernels.h"
#include "collide/ray_triangle.h"
#include "simd/quad.h"
#include "simd/wide.h"

enum { MESH_GROUP = LODE__MESH_LEAF };

_Static_assert(2 * MESH_GROUP == LODE_LANES, "eight lanes are two corners of a leaf's triangles");
_Static_assert((int)MESH_GROUP == (int)LODE__QUAD_LANES, "a number of each triangle is a quad");

/* Of a leaf's triangles: corners 0 and 1 side by side, then corner 2, by axis. */
typedef struct mesh_group {
    const uint32_t *triangles;
    uint32_t place, count;
    lode__lanes at[2][3];
} mesh_group;

/* What ray_meets() computes of them: where is `along` / `sum`. */
typedef struct mesh_meets {
    lode__quad v, s, sum, along;
} mesh_meets;

/* --- corners; those of places beyond the last triangle are of others, and nobody asks for them */

/* Corner 2 is loaded twice: lanes without a line would have to be left out. */
LODE__INLINE void mesh_gather_own(const lode__mesh *mesh, const uint32_t (*corners)[3],
                                  mesh_group *g)
{
    const lode_real *vertices = (const lode_real *)(const void *)mesh->vertices;
    const lode_real *from[2][LODE_LANES];
    for (uint32_t k = 0; k < MESH_GROUP; ++k) {
        from[0][k] = vertices + (size_t)3 * corners[k][0];
        from[0][MESH_GROUP + k] = vertices + (size_t)3 * corners[k][1];
        from[1][k] = from[1][MESH_GROUP + k] = vertices + (size_t)3 * corners[k][2];
    }
    for (int half = 0; half < 2; ++half)
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wvec3 v = wf_vector(w_load_fours(from[half] + lane));
            w_store(g->at[half][0].x + lane, v.x);
            w_store(g->at[half][1].x + lane, v.y);
            w_store(g->at[half][2].x + lane, v.z);
        }
}

/* The same of a mesh whose vertices are the caller's. */
LODE__INLINE void mesh_gather_any(const lode__mesh *mesh, const uint32_t (*corners)[3],
                                  mesh_group *g)
{
    for (uint32_t k = 0; k < MESH_GROUP; ++k)
        for (uint32_t c = 0; c < 3; ++c) {
            uint32_t lane = (c & 1) * MESH_GROUP + k;
            lode_vec3 v = mesh_vertex(mesh, corners[k][c]);
            g->at[c >> 1][0].x[lane] = v.x;
            g->at[c >> 1][1].x[lane] = v.y;
            g->at[c >> 1][2].x[lane] = v.z;
        }
}

LODE__INLINE void mesh_gather(const lode__mesh *mesh, uint32_t leaf, mesh_group *g)
{
    const uint32_t place = leaf & (LODE__MESH_PLACES - 1);
    const uint32_t(*corners)[3] = (const uint32_t(*)[3]) & mesh->corners[place];
    g->triangles = &mesh->order[place];
    __builtin_prefetch(g->triangles); /* asked for once one is met */
    g->place = place;
    g->count = (leaf >> 28 & 7) + 1;
    if (mesh->own_vertices)
        mesh_gather_own(mesh, corners, g);
    else
        mesh_gather_any(mesh, corners, g);
}

/* --- a ray */

LODE__INLINE lode__quad mesh_quad(const lode_real *numbers)
{
#ifdef LODE_DOUBLE
    return lode__quad_load(numbers);
#else
    return lode__quad_of_floats(*(const lode__four_floats *)(const void *)numbers);
#endif
}

/* A corner of all, as ray_frame_put(). */
LODE__INLINE void mesh_put(const lode__ray_frame *f, const mesh_group *g, int corner,
                           lode__quad out[3])
{
    const lode__lanes *at = g->at[corner >> 1];
    const int first = (corner & 1) * MESH_GROUP;
    lode__quad along = mesh_quad(at[f->z].x + first) - LODE__QUAD(f->origin[f->z]);
    lode__quad x = mesh_quad(at[f->x].x + first) - LODE__QUAD(f->origin[f->x]);
    lode__quad y = mesh_quad(at[f->y].x + first) - LODE__QUAD(f->origin[f->y]);
    out[0] = x - LODE__QUAD(f->shear_x) * along;
    out[1] = y - LODE__QUAD(f->shear_y) * along;
    out[2] = LODE__QUAD(f->scale) * along;
}

/* Which triangles the ray's line meets, a bit each. */
LODE__INLINE unsigned mesh_pass(const lode__ray_frame *f, const mesh_group *g, mesh_meets *out)
{
    const lode__quad zero = LODE__QUAD(0);
    lode__quad a[3], b[3], c[3];
    mesh_put(f, g, 0, a);
    mesh_put(f, g, 1, b);
    mesh_put(f, g, 2, c);
    lode__quad u = b[0] * c[1] - b[1] * c[0];
    lode__quad v = c[0] * a[1] - c[1] * a[0];
    lode__quad s = a[0] * b[1] - a[1] * b[0];
    lode__quad sum = u + v + s;
    lode__quad_mask left = (u >= zero) & (v >= zero) & (s >= zero);
    lode__quad_mask right = (u <= zero) & (v <= zero) & (s <= zero);
    out->v = v;
    out->s = s;
    out->sum = sum;
    out->along = u * a[2] + v * b[2] + s * c[2];
    return lode__quad_bits((left | right) & (sum != zero)) & ((1u << g->count) - 1);
}

/* False: the triangle is where the ray comes from. */
LODE__INLINE bool mesh_hit_of(const lode__ray_frame *f, const mesh_group *g, const mesh_meets *m,
                              int k, lode__part_hit *out)
{
    const double sum = m->sum[k], at = m->along[k] / sum;
    out->part = (int32_t)g->triangles[k];
    out->place = g->place + (uint32_t)k;
    out->t = (lode_real)at;
    out->u = (lode_real)(m->v[k] / sum);
    out->v = (lode_real)(m->s[k] / sum);
    out->back = (sum > 0) == (f->scale > 0);
    return at >= 0;
}

#endif
