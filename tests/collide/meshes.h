/* meshes.h: meshes for tests. */
#ifndef LODE_TESTS_MESHES_H
#define LODE_TESTS_MESHES_H

#include "collide/mesh.h"
#include "tests/support/random.h"

#include <math.h>

/* Room for a small mesh in the making. */
typedef struct mesh_draft {
    float vertices[20000][3];
    uint32_t indices[40000][3];
    int vertex_count, triangle_count;
} mesh_draft;

static inline uint32_t draft_vertex(mesh_draft *d, double x, double y, double z)
{
    float *v = d->vertices[d->vertex_count];
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
    return (uint32_t)d->vertex_count++;
}

static inline void draft_triangle(mesh_draft *d, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = d->indices[d->triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static inline lode_mesh_def draft_def(const mesh_draft *d)
{
    lode_mesh_def def = lode_mesh_def_default();
    def.vertices = d->vertices;
    def.vertex_count = d->vertex_count;
    def.double_vertices = false;
    def.indices = d->indices;
    def.triangle_count = d->triangle_count;
    return def;
}

/* n x n squares of two triangles, from -size/2 to size/2, at height(x, y); their diagonals turn
 * from square to square. */
static inline void draft_grid(mesh_draft *d, int n, double size, double (*height)(double, double))
{
    d->vertex_count = d->triangle_count = 0;
    for (int i = 0; i <= n; ++i)
        for (int k = 0; k <= n; ++k) {
            double x = size * i / n - size / 2, y = size * k / n - size / 2;
            draft_vertex(d, x, y, height ? height(x, y) : 0);
        }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            uint32_t row = (uint32_t)n + 1, a = (uint32_t)i * row + (uint32_t)k;
            uint32_t b = a + row, c = b + 1, e = a + 1;
            if ((i + k) % 2 == 0) {
                draft_triangle(d, a, b, c);
                draft_triangle(d, a, c, e);
            } else {
                draft_triangle(d, a, b, e);
                draft_triangle(d, b, c, e);
            }
        }
}

/* A box of twelve triangles, fronts outwards. */
static inline void draft_box(mesh_draft *d, double x, double y, double z)
{
    static const uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    d->vertex_count = d->triangle_count = 0;
    for (int i = 0; i < 8; ++i)
        draft_vertex(d, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (int s = 0; s < 6; ++s) {
        draft_triangle(d, sides[s][0], sides[s][1], sides[s][2]);
        draft_triangle(d, sides[s][0], sides[s][2], sides[s][3]);
    }
}

/* Each triangle in four, `times` times over: the same surface, its new vertices not shared. */
static inline void draft_split(mesh_draft *d, int times)
{
    for (int round = 0; round < times; ++round)
        for (int t = 0, count = d->triangle_count; t < count; ++t) {
            uint32_t c[3], m[3];
            for (int k = 0; k < 3; ++k)
                c[k] = d->indices[t][k];
            for (int k = 0; k < 3; ++k) {
                const float *p = d->vertices[c[k]], *q = d->vertices[c[(k + 1) % 3]];
                m[k] = draft_vertex(d, ((double)p[0] + (double)q[0]) / 2,
                                    ((double)p[1] + (double)q[1]) / 2,
                                    ((double)p[2] + (double)q[2]) / 2);
                d->indices[t][k] = m[k];
            }
            for (int k = 0; k < 3; ++k)
                draft_triangle(d, c[k], m[k], m[(k + 2) % 3]);
        }
}

/* A closed surface around the origin, fronts outwards: 2 + rows * columns vertices on rays from the
 * origin, each at a distance between `least` and 1. It is as pleated as they differ; at both ends
 * on the z axis `columns` triangles meet. */
static inline void draft_star(mesh_draft *d, int rows, int columns, double least,
                              test_random *random)
{
    const double pi = 3.14159265358979;
    d->vertex_count = d->triangle_count = 0;
    uint32_t bottom = draft_vertex(d, 0, 0, -random_between(random, least, 1));
    uint32_t top = draft_vertex(d, 0, 0, random_between(random, least, 1));
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            double up = pi * ((r + 1.0) / (rows + 1) - 0.5), turn = 2 * pi * c / columns;
            double far = random_between(random, least, 1);
            draft_vertex(d, far * cos(up) * cos(turn), far * cos(up) * sin(turn), far * sin(up));
        }
    for (int c = 0; c < columns; ++c) {
        uint32_t a = 2 + (uint32_t)c, b = 2 + (uint32_t)((c + 1) % columns);
        draft_triangle(d, bottom, b, a);
        for (int r = 1; r < rows; ++r, a += (uint32_t)columns, b += (uint32_t)columns) {
            draft_triangle(d, a, b, b + (uint32_t)columns);
            draft_triangle(d, a, b + (uint32_t)columns, a + (uint32_t)columns);
        }
        draft_triangle(d, top, a, b);
    }
}

#endif
