/* classes.c: see classes.h. */
#include "tests/world/classes.h"

#include <math.h>

/* --- ellipsoids: the farthest point along n is A^2 n / |A n| */

static void ellipsoid_support(const void *data, const double direction[3], double out_point[3])
{
    const ellipsoid *e = data;
    double length = 0;
    for (int i = 0; i < 3; ++i)
        length += pow((double)e->axis[i] * direction[i], 2);
    length = sqrt(length);
    for (int i = 0; i < 3; ++i)
        out_point[i] = (double)e->axis[i] * (double)e->axis[i] * direction[i] / length;
}

static lode_mass ellipsoid_mass(const void *data, lode_real density)
{
    const ellipsoid *e = data;
    lode_real x = e->axis[0], y = e->axis[1], z = e->axis[2];
    lode_real m = density * (lode_real)(4.0 / 3 * 3.14159265358979323846) * x * y * z;
    return (lode_mass){
        .mass = m,
        .inertia = {m / 5 * (y * y + z * z), m / 5 * (x * x + z * z), m / 5 * (x * x + y * y)}};
}

const lode_custom_class ellipsoids = {.name = "ellipsoid",
                                      .data_size = sizeof(ellipsoid),
                                      .support = ellipsoid_support,
                                      .mass = ellipsoid_mass};

/* The nearest point is a_i^2 p_i / (a_i^2 + t), with t the largest root of the sum of (a_i p_i /
 * (a_i^2 + t))^2 = 1; of a point off the planes of symmetry it lies above minus the least a_i^2,
 * where the sum falls (Eberly, "Distance from a point to an ellipsoid"). */
double ellipsoid_distance(const double axis[3], const double point[3])
{
    double least = fmin(axis[0], fmin(axis[1], axis[2])), lo = -least * least, hi = 0;
    for (int i = 0; i < 3; ++i)
        hi += axis[i] * fabs(point[i]);
    for (int step = 0; step < 200; ++step) {
        double t = (lo + hi) / 2, sum = 0;
        for (int i = 0; i < 3; ++i)
            sum += pow(axis[i] * point[i] / (axis[i] * axis[i] + t), 2);
        if (sum > 1)
            lo = t;
        else
            hi = t;
    }
    double t = (lo + hi) / 2, square = 0;
    for (int i = 0; i < 3; ++i) {
        double at = axis[i] * axis[i] * point[i] / (axis[i] * axis[i] + t);
        square += pow(point[i] - at, 2);
    }
    return t < 0 ? -sqrt(square) : sqrt(square);
}

/* --- rings */

static lode_vec3 vec_of(double x, double y, double z)
{
    return (lode_vec3){(lode_real)x, (lode_real)y, (lode_real)z};
}

double ring_distance(double radius, double tube, const double p[3])
{
    return hypot(hypot(p[0], p[1]) - radius, p[2]) - tube;
}

static lode_bounds ring_bounds(const void *data, lode_quat q)
{
    const ring *r = data;
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double axis[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}, half[3];
    for (int i = 0; i < 3; ++i)
        half[i] = (double)r->radius * sqrt(fmax(0, 1 - axis[i] * axis[i])) + (double)r->tube;
    return (lode_bounds){vec_of(-half[0], -half[1], -half[2]), vec_of(half[0], half[1], half[2])};
}

/* From the nearest point of the circle in the tube's middle, and from those a third of a turn
 * away, so that a ball in the hole lies on three. */
static int ring_sphere(const void *data, const lode_custom_other *other, lode_real margin,
                       lode_custom_point *out, int capacity)
{
    const ring *r = data;
    double x = (double)other->pose.position.x, y = (double)other->pose.position.y;
    double z = (double)other->pose.position.z, across = hypot(x, y), big = (double)r->radius;
    double ux = across > 0 ? x / across : 1, uy = across > 0 ? y / across : 0;
    double tube = (double)r->tube, half = sqrt(0.75);
    int count = 0;
    for (int k = 0; k < 3 && count < capacity; ++k) {
        double cosine = k ? -0.5 : 1, sine = k == 1 ? half : k == 2 ? -half : 0;
        double cx = big * (ux * cosine - uy * sine), cy = big * (uy * cosine + ux * sine);
        double away = sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy) + z * z);
        double gap = away - tube - (double)other->radius, at = tube + gap / 2;
        if (gap > (double)margin)
            continue;
        double nx = away > 0 ? (x - cx) / away : 0, ny = away > 0 ? (y - cy) / away : 0;
        double nz = away > 0 ? z / away : 1;
        out[count++] = (lode_custom_point){.position = vec_of(cx + nx * at, cy + ny * at, nz * at),
                                           .normal = vec_of(nx, ny, nz),
                                           .depth = (lode_real)-gap,
                                           .feature = (uint32_t)k + 1,
                                           .child = -1};
    }
    return count;
}

/* The lowest point; of a ring that lies flat those of four directions. */
static int ring_plane(const void *data, const lode_custom_other *other, lode_real margin,
                      lode_custom_point *out, int capacity)
{
    const ring *r = data;
    lode_quat q = other->pose.rotation;
    double v[3] = {(double)other->normal.x, (double)other->normal.y, (double)other->normal.z};
    double u[3] = {(double)q.x, (double)q.y, (double)q.z}, w = (double)q.w, n[3], c[3];
    for (int i = 0; i < 3; ++i)
        c[i] = 2 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        n[i] = v[i] + w * c[i] + u[(i + 1) % 3] * c[(i + 2) % 3] - u[(i + 2) % 3] * c[(i + 1) % 3];
    double offset = (double)other->offset + n[0] * (double)other->pose.position.x +
                    n[1] * (double)other->pose.position.y + n[2] * (double)other->pose.position.z;
    double across = hypot(n[0], n[1]), dx = across > 1e-9 ? -n[0] / across : 1;
    double dy = across > 1e-9 ? -n[1] / across : 0;
    int count = 0;
    for (int k = 0; k < 4 && count < capacity; ++k) {
        double x = k & 1 ? -dy : dx, y = k & 1 ? dx : dy, sign = k & 2 ? -1 : 1;
        double px = sign * x * (double)r->radius - n[0] * (double)r->tube;
        double py = sign * y * (double)r->radius - n[1] * (double)r->tube;
        double pz = -n[2] * (double)r->tube;
        double height = n[0] * px + n[1] * py + n[2] * pz - offset;
        if (height > (double)margin)
            continue;
        out[count++] = (lode_custom_point){.position = vec_of(px - n[0] * height / 2,
                                                              py - n[1] * height / 2,
                                                              pz - n[2] * height / 2),
                                           .normal = vec_of(-n[0], -n[1], -n[2]),
                                           .depth = (lode_real)-height,
                                           .feature = (uint32_t)k + 1,
                                           .child = -1};
    }
    return count;
}

static lode_custom_collide_fn *ring_select(lode_shape_type type, const lode_custom_class *other)
{
    (void)other;
    return type == LODE_SPHERE ? ring_sphere : type == LODE_PLANE ? ring_plane : NULL;
}

static lode_mass ring_mass(const void *data, lode_real density)
{
    const ring *r = data;
    lode_real pi = (lode_real)3.14159265358979323846, R = r->radius, t = r->tube;
    lode_real m = density * 2 * pi * pi * R * t * t;
    lode_real along = m * (R * R + t * t * 3 / 4), across = m * (R * R / 2 + t * t * 5 / 8);
    return (lode_mass){.mass = m, .inertia = {across, across, along}};
}

const lode_custom_class rings = {.name = "ring",
                                 .data_size = sizeof(ring),
                                 .bounds = ring_bounds,
                                 .select = ring_select,
                                 .mass = ring_mass};

/* --- shapes */

static lode_shape add(lode_body body, const lode_custom_class *class, const void *data,
                      const lode_shape_def *def)
{
    lode_shape_def defaults = lode_shape_def_default();
    lode_custom *custom = lode_custom_create(class, data);
    lode_shape shape = lode_shape_create_custom(body, def ? def : &defaults, custom);
    lode_custom_release(custom);
    return shape;
}

lode_shape add_ellipsoid(lode_body body, double a, double b, double c, const lode_shape_def *def)
{
    ellipsoid e = {{(lode_real)a, (lode_real)b, (lode_real)c}};
    return add(body, &ellipsoids, &e, def);
}

lode_shape add_ring(lode_body body, double radius, double tube, const lode_shape_def *def)
{
    ring r = {(lode_real)radius, (lode_real)tube};
    return add(body, &rings, &r, def);
}
