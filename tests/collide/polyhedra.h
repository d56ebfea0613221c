/* polyhedra.h: hulls for tests, and separating axes by brute force in double: every face of both
 * and every product of edges, every vertex projected on each. */
#ifndef LODE_TESTS_POLYHEDRA_H
#define LODE_TESTS_POLYHEDRA_H

#include "collide/hull.h"
#include "tests/support/random.h"

#include <math.h>
#include <string.h>

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A hull somewhere, in double. */
typedef struct body {
    const lode_hull *hull;
    double q[4], at[3];
} body;

static inline void turn(const double q[4], const double v[3], double out[3])
{
    const double *u = q + 1;
    double t[3], s[3];
    for (int i = 0; i < 3; ++i)
        t[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        s[i] = u[(i + 1) % 3] * t[(i + 2) % 3] - u[(i + 2) % 3] * t[(i + 1) % 3];
    for (int i = 0; i < 3; ++i)
        out[i] = v[i] + q[0] * t[i] + s[i];
}

static inline void place(const body *b, lode_vec3 v, double out[3])
{
    const double p[3] = {(double)v.x, (double)v.y, (double)v.z};
    turn(b->q, p, out);
    for (int i = 0; i < 3; ++i)
        out[i] += b->at[i];
}

/* From where to where the body reaches along `axis`: what its vertices are projected on is turned
 * once, not they, since most of what the tests' processors do is this. */
static inline void reaches_of(const body *b, const double axis[3], double *least, double *most)
{
    const double back[4] = {b->q[0], -b->q[1], -b->q[2], -b->q[3]};
    double own[3], low = 1e300, high = -1e300, at = dot3(axis, b->at);
    turn(back, axis, own);
    for (uint32_t v = 0; v < b->hull->vertex_count; ++v) {
        lode_vec3 p = b->hull->vertices[v];
        double x = own[0] * (double)p.x + own[1] * (double)p.y + own[2] * (double)p.z;
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    *least = low + at;
    *most = high + at;
}

static inline double reach_of(const body *b, const double axis[3])
{
    double least, most;
    reaches_of(b, axis, &least, &most);
    return most;
}

/* The gap along an axis that leads from a to b. */
static inline double gap_along(const body *a, const body *b, const double axis[3])
{
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    return -reach_of(b, back) - reach_of(a, axis);
}

/* The larger of the gaps along an axis and back. */
static inline void try_axis(const body *a, const body *b, const double v[3], double *best)
{
    double length = sqrt(dot3(v, v)), least_a, most_a, least_b, most_b;
    if (length < 1e-9)
        return;
    const double axis[3] = {v[0] / length, v[1] / length, v[2] / length};
    reaches_of(a, axis, &least_a, &most_a);
    reaches_of(b, axis, &least_b, &most_b);
    *best = fmax(*best, fmax(least_b - most_a, least_a - most_b));
}

static inline void face_axis(const body *b, uint32_t face, double out[3])
{
    lode_vec3 n = b->hull->faces[face].normal;
    const double v[3] = {(double)n.x, (double)n.y, (double)n.z};
    turn(b->q, v, out);
}

static inline void edge_axis(const body *b, uint32_t edge, double out[3])
{
    double p[3];
    place(b, b->hull->vertices[hull_end(b->hull, edge)], out);
    place(b, b->hull->vertices[b->hull->edges[edge].origin], p);
    for (int i = 0; i < 3; ++i)
        out[i] -= p[i];
}

/* The largest separation. */
static inline double apart_of(const body *a, const body *b)
{
    double best = -1e300, u[3], v[3], axis[3];
    for (uint32_t f = 0; f < a->hull->face_count; ++f) {
        face_axis(a, f, axis);
        try_axis(a, b, axis, &best);
    }
    for (uint32_t f = 0; f < b->hull->face_count; ++f) {
        face_axis(b, f, axis);
        try_axis(a, b, axis, &best);
    }
    for (uint32_t i = 0; i < a->hull->ridge_count; ++i) {
        edge_axis(a, a->hull->ridges[i].edge, u);
        for (uint32_t k = 0; k < b->hull->ridge_count; ++k) {
            edge_axis(b, b->hull->ridges[k].edge, v);
            double uu = sqrt(dot3(u, u)), vv = sqrt(dot3(v, v));
            for (int j = 0; j < 3; ++j)
                axis[j] = (u[(j + 1) % 3] * v[(j + 2) % 3] - u[(j + 2) % 3] * v[(j + 1) % 3]) /
                          (uu * vv);
            if (sqrt(dot3(axis, axis)) > 1e-6)
                try_axis(a, b, axis, &best);
        }
    }
    return best;
}

/* A hull of some kind, about 1 in size. */
enum { POLYHEDRA = 6 };

static inline lode_hull *polyhedron(test_random *random, int kind)
{
    lode_real points[64][3];
    int count = 0;
    static const int counts[POLYHEDRA] = {8, 4, 12, 12, 30, 60};
    for (; count < counts[kind]; ++count) {
        double v[3], length = 0;
        for (int k = 0; k < 3; ++k) {
            v[k] = random_between(random, -1, 1);
            length += v[k] * v[k];
        }
        if (kind == 0) { /* a box */
            for (int k = 0; k < 3; ++k)
                v[k] = (count >> k & 1 ? 1 : -1) * (0.3 + 0.2 * k);
        } else if (kind == 2) { /* a prism */
            double angle = count / 2 * 1.0471975511965976;
            v[0] = 0.6 * cos(angle);
            v[1] = 0.6 * sin(angle);
            v[2] = count % 2 ? 0.5 : -0.5;
        } else if (kind == 5) { /* about round: so many that the search climbs */
            for (int k = 0; k < 3; ++k)
                v[k] *= 0.7 / sqrt(length);
        }
        for (int k = 0; k < 3; ++k)
            points[count][k] = (lode_real)v[k];
    }
    lode_hull_def def = lode_hull_def_default();
    def.points = points[0];
    def.point_count = count;
    return lode_hull_create(&def);
}

#endif
