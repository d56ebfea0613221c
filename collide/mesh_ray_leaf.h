/* mesh_ray_leaf.h: a ray and the triangles of a mesh's leaf, all at once; kernel text: the loops
 * over lanes run wide on each instruction set, by the operations of ray_meets() in ray_triangle.h.
 *
 * Corners are loaded once for all rays that come to the leaf, in lines of four numbers where the
 * mesh has its own copy of the vertices: behind the last of these there is one number more. Which
 * triangles a ray meets is told as bits, so that nothing branches on those that it passes by. */
#ifndef LODE_COLLIDE_MESH_RAY_LEAF_H
#define LODE_COLLIDE_MESH_RAY_LEAF_H

#include "collide/kernels.h"
#include "collide/ray_triangle.h"
#include "simd/wide.h"

/* Before a loop over lanes: gcc would unroll it, and then find no loop to run wide. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES _Pragma("GCC unroll 1")
#else
#define LANES
#endif

enum { MESH_GROUP = LODE__MESH_LEAF };

_Static_assert(2 * MESH_GROUP == LODE_LANES, "eight lanes are two corners of a leaf's triangles");

/* Of a leaf's triangles: corners 0 and 1 side by side, then corner 2, by axis. */
typedef struct mesh_group {
    const uint32_t *triangles;
    uint32_t count;
    double at[2][3][LODE_LANES];
} mesh_group;

/* What ray_meets() computes of them. */
typedef struct mesh_meets {
    double v[MESH_GROUP], s[MESH_GROUP], sum[MESH_GROUP], t[MESH_GROUP];
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
    for (int half = 0; half < 2; ++half) {
        lode__lanes x[3];
        for (int lane = 0; lane < LODE_LANES; lane += LODE_WIDTH) {
            wvec3 v = wf_vector(w_load_fours(from[half] + lane));
            w_store(x[0].x + lane, v.x);
            w_store(x[1].x + lane, v.y);
            w_store(x[2].x + lane, v.z);
        }
        for (int i = 0; i < 3; ++i)
            LANES
        for (int lane = 0; lane < LODE_LANES; ++lane)
            g->at[half][i][lane] = (double)x[i].x[lane];
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
            g->at[c >> 1][0][lane] = (double)v.x;
            g->at[c >> 1][1][lane] = (double)v.y;
            g->at[c >> 1][2][lane] = (double)v.z;
        }
}

LODE__INLINE void mesh_gather(const lode__mesh *mesh, uint32_t leaf, mesh_group *g)
{
    const uint32_t place = leaf & (LODE__MESH_PLACES - 1);
    const uint32_t(*corners)[3] = (const uint32_t(*)[3]) & mesh->corners[place];
    g->triangles = &mesh->order[place];
    g->count = (leaf >> 28 & 7) + 1;
    if (mesh->own_vertices)
        mesh_gather_own(mesh, corners, g);
    else
        mesh_gather_any(mesh, corners, g);
}

/* --- a ray */

/* A corner of all, as ray_frame_put(). */
LODE__INLINE void mesh_put(const lode__ray_frame *f, const mesh_group *g, int corner,
                           double out[3][MESH_GROUP])
{
    const double(*at)[LODE_LANES] = g->at[corner >> 1];
    const int first = (corner & 1) * MESH_GROUP;
    const double *x = at[f->x] + first, *y = at[f->y] + first, *z = at[f->z] + first;
    double from_x = f->origin[f->x], from_y = f->origin[f->y], from_z = f->origin[f->z];
    LANES
    for (int k = 0; k < MESH_GROUP; ++k) {
        double along = z[k] - from_z;
        out[0][k] = (x[k] - from_x) - f->shear_x * along;
        out[1][k] = (y[k] - from_y) - f->shear_y * along;
        out[2][k] = f->scale * along;
    }
}

/* Which triangles the ray meets, a bit each. */
LODE__INLINE unsigned mesh_pass(const lode__ray_frame *f, const mesh_group *g, mesh_meets *out)
{
    static const int64_t bit[MESH_GROUP] = {1, 2, 4, 8};
    int64_t met[MESH_GROUP];
    double a[3][MESH_GROUP], b[3][MESH_GROUP], c[3][MESH_GROUP];
    mesh_put(f, g, 0, a);
    mesh_put(f, g, 1, b);
    mesh_put(f, g, 2, c);
    LANES
    for (int k = 0; k < MESH_GROUP; ++k) {
        double u = b[0][k] * c[1][k] - b[1][k] * c[0][k];
        double v = c[0][k] * a[1][k] - c[1][k] * a[0][k];
        double s = a[0][k] * b[1][k] - a[1][k] * b[0][k];
        double sum = u + v + s;
        double t = (u * a[2][k] + v * b[2][k] + s * c[2][k]) / sum;
        double least = u < v ? u : v, most = u > v ? u : v;
        least = s < least ? s : least;
        most = s > most ? s : most;
        out->v[k] = v;
        out->s[k] = s;
        out->sum[k] = sum;
        out->t[k] = t;
        bool meets = ((least >= 0) | (most <= 0)) & (sum != 0) & (t >= 0);
        met[k] = meets ? bit[k] : 0;
    }
    return (unsigned)(met[0] | met[1] | met[2] | met[3]) & ((1u << g->count) - 1);
}

LODE__INLINE lode__mesh_hit mesh_hit_of(const lode__ray_frame *f, const mesh_group *g,
                                        const mesh_meets *m, int k)
{
    return (lode__mesh_hit){.triangle = g->triangles[k],
                            .t = (lode_real)m->t[k],
                            .u = (lode_real)(m->v[k] / m->sum[k]),
                            .v = (lode_real)(m->s[k] / m->sum[k]),
                            .back = (m->sum[k] > 0) == (f->scale > 0)};
}

#endif
