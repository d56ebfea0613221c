/* mass.c: mass properties; see mass.h.
 *
 * Parallel axis theorem: moving the reference by d adds m (|d|^2 1 - d d^T). Products of inertia
 * carry their sign: xy is minus the integral of x y. */
#include "collide/mass.h"

#include "collide/shape_type.h"
#include "core/math.h"

/* How far the sum of two principal moments may fall below the third. */
#define TRIANGLE_SLACK ((lode_real)1e-3)

lode_mass lode__mass_zero(void)
{
    return (lode_mass){0};
}

lode_mass lode__mass_sphere(lode_real density, lode_real radius)
{
    const lode_real pi = (lode_real)3.14159265358979323846;
    lode_mass m = lode__mass_zero();
    m.mass = density * (pi * 4 / 3) * radius * radius * radius;
    m.inertia[0] = m.inertia[1] = m.inertia[2] = m.mass * radius * radius * 2 / 5;
    return m;
}

lode_mass lode__mass_box(lode_real density, lode_vec3 half)
{
    lode_mass m = lode__mass_zero();
    m.mass = density * 8 * half.x * half.y * half.z;
    lode_real x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    m.inertia[0] = m.mass * (y + z) / 3;
    m.inertia[1] = m.mass * (x + z) / 3;
    m.inertia[2] = m.mass * (x + y) / 3;
    return m;
}

/* A cylinder and two halves of a ball. Each half's centre lies 3/8 of the radius beyond the end,
 * and its inertia about that is 83/320 m r^2 across the axis. */
lode_mass lode__mass_capsule(lode_real density, lode_real radius, lode_real half_length)
{
    const lode_real pi = (lode_real)3.14159265358979323846;
    lode_mass ball = lode__mass_sphere(density, radius), m = lode__mass_zero();
    lode_real r = radius, h = half_length, tube = density * (2 * pi) * r * r * h;
    m.mass = tube + ball.mass;
    lode_real across = ball.inertia[0] + ball.mass * h * (h + r * 3 / 4);
    m.inertia[0] = m.inertia[1] = tube * (r * r / 4 + h * h / 3) + across;
    m.inertia[2] = tube * r * r / 2 + ball.inertia[2];
    return m;
}

lode_mass lode__mass_cylinder(lode_real density, lode_real radius, lode_real half_length)
{
    const lode_real pi = (lode_real)3.14159265358979323846;
    lode_mass m = lode__mass_zero();
    lode_real r = radius, h = half_length;
    m.mass = density * (2 * pi) * r * r * h;
    m.inertia[0] = m.inertia[1] = m.mass * (r * r / 4 + h * h / 3);
    m.inertia[2] = m.mass * r * r / 2;
    return m;
}

lode_mass lode__mass_of(lode__matter matter)
{
    const lode__geometry *geometry = matter.geometry;
    const lode__shape_type *type = &lode__shape_types[geometry->type];
    lode__shape_view view = {geometry->size, q_identity(), matter.data};
    lode_mass m = type->mass ? type->mass(&view, matter.density) : lode__mass_zero();
    m = lode__mass_rotate(m, geometry->pose.rotation);
    return lode__mass_translate(m, geometry->pose.position);
}

lode_mass lode__mass_translate(lode_mass mass, lode_vec3 by)
{
    mass.center = v3_add(mass.center, by);
    return mass;
}

lode_mass lode__mass_rotate(lode_mass mass, lode_quat by)
{
    mass.center = q_rotate(by, mass.center);
    s3_rotate(by, mass.inertia, mass.inertia);
    return mass;
}

/* Adds the inertia of a point mass at `d`. */
static void add_point_mass(lode_real inertia[6], lode_real mass, lode_vec3 d)
{
    lode_real xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    inertia[0] += mass * (yy + zz);
    inertia[1] += mass * (xx + zz);
    inertia[2] += mass * (xx + yy);
    inertia[3] -= mass * (d.x * d.y);
    inertia[4] -= mass * (d.x * d.z);
    inertia[5] -= mass * (d.y * d.z);
}

lode_mass lode__mass_add(lode_mass a, lode_mass b)
{
    lode_mass sum = lode__mass_zero();
    sum.mass = a.mass + b.mass;
    if (!(sum.mass > 0))
        return sum;
    sum.center = v3_madd(a.center, v3_sub(b.center, a.center), b.mass / sum.mass);
    for (int i = 0; i < 6; ++i)
        sum.inertia[i] = a.inertia[i] + b.inertia[i];
    add_point_mass(sum.inertia, a.mass, v3_sub(a.center, sum.center));
    add_point_mass(sum.inertia, b.mass, v3_sub(b.center, sum.center));
    return sum;
}

/* The second moments S = trace/2 1 - I of a solid are positive semidefinite, which is the triangle
 * inequality for principal axes, whatever the axes at hand: no eigenvalues are needed. */
static bool moments_are_possible(const lode_real inertia[6])
{
    lode_real half = (inertia[0] + inertia[1] + inertia[2]) / 2, unit[6], s[6], inverse[6];
    for (int i = 0; i < 6; ++i) {
        unit[i] = inertia[i] / half;
        s[i] = (i < 3 ? 1 + TRIANGLE_SLACK : 0) - unit[i];
    }
    return s3_invert(unit, inverse) && s3_invert(s, inverse);
}

bool lode__mass_is_possible(const lode_mass *mass)
{
    if (!(mass->mass > 0) || !r_finite(mass->mass) || !v3_finite(mass->center))
        return false;
    for (int i = 0; i < 6; ++i)
        if (!r_finite(mass->inertia[i]))
            return false;
    return moments_are_possible(mass->inertia);
}
