/* ray_oracle.c: see ray_oracle.h.
 *
 * Each solid is asked twice: grown by a tenth of a millimetre, which an engine in single precision
 * may see, and shrunk by as much, which it must see. The ray hits neither before the first of the
 * grown ones nor behind the first of the shrunk ones. A box that the ray begins in has no front for
 * it. */
#include "bench/ray_oracle.h"

#include <math.h>

#define SLACK 1e-4

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* v in the axes of a body that is turned by q. */
static void turn_back(const double q[4], const double v[3], double out[3])
{
    const double u[3] = {-q[1], -q[2], -q[3]};
    double t[3], s[3];
    cross(u, v, t);
    for (int i = 0; i < 3; ++i)
        t[i] *= 2;
    cross(u, t, s);
    for (int i = 0; i < 3; ++i)
        out[i] = v[i] + q[0] * t[i] + s[i];
}

/* Where the ray enters the box: below 0 if it begins within; infinite if it misses. */
static double enter_box(const double o[3], const double d[3], const double half[3], double grown)
{
    double enter = -INFINITY, leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
        double h = half[i] + grown;
        if (fabs(d[i]) < 1e-12) {
            if (fabs(o[i]) > h)
                return INFINITY;
            continue;
        }
        double a = (-h - o[i]) / d[i], b = (h - o[i]) / d[i];
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter <= leave && leave >= 0 ? enter : INFINITY;
}

static void look_at_box(const bench_body *body, const bench_ray *ray, bench_ray_bounds *out)
{
    double from[3], o[3], d[3];
    for (int i = 0; i < 3; ++i)
        from[i] = ray->origin[i] - body->position[i];
    turn_back(body->rotation, from, o);
    turn_back(body->rotation, ray->direction, d);
    double grown = enter_box(o, d, body->size, SLACK);
    double shrunk = enter_box(o, d, body->size, -SLACK);
    if (shrunk >= 0)
        out->least = fmin(out->least, fmax(grown, 0));
    if (grown >= 0)
        out->most = fmin(out->most, shrunk);
}

/* Moeller and Trumbore 1997; a triangle that is as much larger, or smaller, as the slack. */
static void look_at_triangle(const float *a, const float *b, const float *c, const bench_ray *ray,
                             bench_ray_bounds *out)
{
    double ab[3], ac[3], ao[3], p[3], q[3], n[3];
    for (int i = 0; i < 3; ++i) {
        ab[i] = (double)b[i] - (double)a[i];
        ac[i] = (double)c[i] - (double)a[i];
        ao[i] = ray->origin[i] - (double)a[i];
    }
    cross(ray->direction, ac, p);
    cross(ao, ab, q);
    cross(ab, ac, n);
    double det = dot(ab, p), area = sqrt(dot(n, n));
    if (!(det > 0) || area == 0)
        return;
    double u = dot(ao, p) / det, v = dot(ray->direction, q) / det, t = dot(ac, q) / det;
    double edge = SLACK * sqrt(fmax(dot(ab, ab), dot(ac, ac))) / det;
    double inside = fmin(u, fmin(v, 1 - u - v)), blur = SLACK * area / det;
    if (inside > -edge && t > -blur)
        out->least = fmin(out->least, fmax(t - blur, 0));
    if (inside > edge && t > blur)
        out->most = fmin(out->most, t + blur);
}

bench_ray_bounds bench_ray_oracle(const bench_scene *scene, const bench_ray *ray)
{
    bench_ray_bounds bounds = {ray->length, ray->length};
    for (int i = 0; i < scene->body_count; ++i) {
        const bench_body *body = &scene->bodies[i];
        const bench_mesh *mesh = body->shape == BENCH_MESH ? body->mesh : NULL;
        if (body->shape == BENCH_BOX)
            look_at_box(body, ray, &bounds);
        for (int k = 0; mesh && k < mesh->triangle_count; ++k) {
            const unsigned *t = mesh->triangles[k];
            look_at_triangle(mesh->vertices[t[0]], mesh->vertices[t[1]], mesh->vertices[t[2]], ray,
                             &bounds);
        }
    }
    return bounds;
}
