/* ray_triangle.h: a ray and a triangle, watertight.
 *
 * A ray meets a triangle where it passes its three edges on the same side. Moved so that the ray is
 * the z axis, an edge's side is the sign of a 2 x 2 determinant, and the two triangles at an edge
 * compute the same one with the other sign: a ray that meets an edge meets one of them at least,
 * and none slips through (Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection").
 * Determinants are in double, where products of two singles are exact. */
#ifndef LODE_COLLIDE_RAY_TRIANGLE_H
#define LODE_COLLIDE_RAY_TRIANGLE_H

#include "collide/mesh.h"

typedef struct lode__ray_frame {
    double origin[3], direction[3];
    int x, y, z;                    /* axes: the direction is longest along z */
    double shear_x, shear_y, scale; /* that make it the z axis, of length 1 */
} lode__ray_frame;

static inline void get3(lode_vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

/* Fills it in where it is: a copy of what was just written would wait for it. */
static inline void ray_frame_set(lode__ray_frame *f, lode_vec3 origin, lode_vec3 direction)
{
    get3(origin, f->origin);
    get3(direction, f->direction);
    const double *d = f->direction;
    static const int next[3] = {1, 2, 0};
    double size[3] = {__builtin_fabs(d[0]), __builtin_fabs(d[1]), __builtin_fabs(d[2])};
    int second = (size[1] > size[0]) & (size[1] >= size[2]);
    int third = (size[2] > size[0]) & (size[2] > size[1]);
    f->z = second + 2 * third; /* which it is, nobody can guess: no branches */
    f->x = next[f->z];
    f->y = next[f->x];
    f->scale = 1 / d[f->z];
    f->shear_x = d[f->x] * f->scale;
    f->shear_y = d[f->y] * f->scale;
}

/* A corner in the ray's frame: x and y across it, z along it. */
static inline void ray_frame_put(const lode__ray_frame *f, const double corner[3], double out[3])
{
    double v[3];
    for (int i = 0; i < 3; ++i)
        v[i] = corner[i] - f->origin[i];
    out[0] = v[f->x] - f->shear_x * v[f->z];
    out[1] = v[f->y] - f->shear_y * v[f->z];
    out[2] = f->scale * v[f->z];
}

/* The order of the two ends must not matter but for the sign. */
static inline double ray_edge_side(const double a[3], const double b[3])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* Writes all of `out` but the triangle's number. False where the ray passes by, comes from beyond,
 * or runs in the triangle's plane. */
static inline bool ray_meets(const lode__ray_frame *f, double corners[3][3], lode__part_hit *out)
{
    double a[3], b[3], c[3];
    ray_frame_put(f, corners[0], a);
    ray_frame_put(f, corners[1], b);
    ray_frame_put(f, corners[2], c);
    double u = ray_edge_side(b, c), v = ray_edge_side(c, a), s = ray_edge_side(a, b);
    double sum = u + v + s;
    if (((u < 0 || v < 0 || s < 0) && (u > 0 || v > 0 || s > 0)) || sum == 0)
        return false;
    double at = (u * a[2] + v * b[2] + s * c[2]) / sum;
    out->t = (lode_real)at;
    out->u = (lode_real)(v / sum);
    out->v = (lode_real)(s / sum);
    /* the sum is twice the area seen along the longest axis, above 0 where corners turn left */
    out->back = (sum > 0) == (f->scale > 0);
    return at >= 0;
}

#endif
