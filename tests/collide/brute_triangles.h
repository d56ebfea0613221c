/* brute_triangles.h: how far two sets of triangles are apart, by every pair of them, in double:
 * corners from triangles and edges from edges; 0 where an edge runs through a triangle. For
 * tests. */
#ifndef LODE_TESTS_BRUTE_TRIANGLES_H
#define LODE_TESTS_BRUTE_TRIANGLES_H

#include "core/double3.h"
#include "tests/collide/meshes.h"

enum { BRUTE_MOST = 4000 };

typedef struct brute_set {
    lode__double3 v[BRUTE_MOST][3];
    int count;
} brute_set;

static inline void brute_place(brute_set *out, const mesh_draft *m, lode_pose pose)
{
    lode__double33 turn = d33_from_quat(pose.rotation);
    out->count = m->triangle_count;
    for (int t = 0; t < m->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const float *p = m->vertices[m->indices[t][k]];
            lode__double3 x = d3((double)p[0], (double)p[1], (double)p[2]);
            out->v[t][k] = d3_add(d3_from(pose.position), d33_mul(&turn, x));
        }
}

/* Of the lowest corner along a direction. */
static inline double brute_height(const brute_set *s, lode_vec3 along)
{
    double least = __builtin_inf();
    for (int i = 0; i < 3 * s->count; ++i)
        least = d_min(least, d3_dot(d3_from(along), s->v[i / 3][i % 3]));
    return least;
}

/* From p to the segment from a to b. */
static inline double brute_to_segment(lode__double3 p, lode__double3 a, lode__double3 b)
{
    lode__double3 u = d3_sub(b, a);
    double t = d3_dot(d3_sub(p, a), u) / d3_dot(u, u);
    return d3_length(d3_sub(p, d3_madd(a, u, t < 0 ? 0 : t > 1 ? 1 : t)));
}

/* Is x, in the plane of the triangle, within it? */
static inline bool brute_within(lode__double3 x, const lode__double3 t[3], lode__double3 n)
{
    for (int k = 0; k < 3; ++k)
        if (d3_dot(d3_cross(d3_sub(t[(k + 1) % 3], t[k]), d3_sub(x, t[k])), n) < 0)
            return false;
    return true;
}

static inline double brute_to_triangle(lode__double3 p, const lode__double3 t[3])
{
    lode__double3 n = d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0]));
    double height = d3_dot(n, d3_sub(p, t[0])) / d3_length(n), least = __builtin_inf();
    if (brute_within(p, t, n))
        return d_abs(height);
    for (int k = 0; k < 3; ++k)
        least = d_min(least, brute_to_segment(p, t[k], t[(k + 1) % 3]));
    return least;
}

static inline bool brute_pierces(lode__double3 a, lode__double3 b, const lode__double3 t[3])
{
    lode__double3 n = d3_cross(d3_sub(t[1], t[0]), d3_sub(t[2], t[0]));
    double x = d3_dot(n, d3_sub(a, t[0])), y = d3_dot(n, d3_sub(b, t[0]));
    if ((x > 0) == (y > 0))
        return false;
    return brute_within(d3_madd(a, d3_sub(b, a), x / (x - y)), t, n);
}

/* Between two segments that do not meet: inside both by the common normal, or at an end. */
static inline double brute_segments(lode__double3 a, lode__double3 b, lode__double3 p,
                                    lode__double3 q)
{
    lode__double3 u = d3_sub(b, a), w = d3_sub(q, p), n = d3_cross(u, w), r = d3_sub(p, a);
    double nn = d3_dot(n, n), least = d_min(brute_to_segment(a, p, q), brute_to_segment(b, p, q));
    least = d_min(least, d_min(brute_to_segment(p, a, b), brute_to_segment(q, a, b)));
    if (nn > 0) {
        double s = d3_dot(d3_cross(r, w), n) / nn, t = d3_dot(d3_cross(r, u), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            least = d_min(least, d_abs(d3_dot(r, n)) / d_sqrt(nn));
    }
    return least;
}

static inline double brute_pair(const lode__double3 a[3], const lode__double3 b[3])
{
    double least = __builtin_inf();
    for (int k = 0; k < 3; ++k) {
        if (brute_pierces(a[k], a[(k + 1) % 3], b) || brute_pierces(b[k], b[(k + 1) % 3], a))
            return 0;
        least = d_min(least, d_min(brute_to_triangle(a[k], b), brute_to_triangle(b[k], a)));
        for (int j = 0; j < 3; ++j)
            least = d_min(least, brute_segments(a[k], a[(k + 1) % 3], b[j], b[(j + 1) % 3]));
    }
    return least;
}

static inline double brute_distance(const brute_set *a, const brute_set *b)
{
    double least = __builtin_inf();
    for (int i = 0; i < a->count && least > 0; ++i)
        for (int k = 0; k < b->count && least > 0; ++k)
            least = d_min(least, brute_pair(a->v[i], b->v[k]));
    return least;
}

#endif
