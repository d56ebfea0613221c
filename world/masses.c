/* masses.c: the public functions on mass properties: arguments checked, then collide/mass.h. */
#include "lode/mass.h"

#include "collide/mass.h"
#include "world/mass.h"
#include "world/shape.h"

static bool is_finite(const lode_mass *mass)
{
    bool finite = r_finite(mass->mass) && v3_finite(mass->center);
    for (int i = 0; i < 6; ++i)
        finite = finite && r_finite(mass->inertia[i]);
    return finite;
}

/* The result, unless no number holds it. */
static lode_mass finite_or_none(lode_mass mass, const char *function, const char *argument)
{
    bool good = !lode__check(is_finite(&mass), function, argument,
                             "mass or inertia would not be finite");
    return good ? mass : lode__mass_zero();
}

static lode_status check_density(lode_real density, const char *function)
{
    return lode__check(is_at_least(density, 0), function, "density", lode__not_negative);
}

static lode_status check_mass(const lode_mass *mass, const char *function, const char *argument)
{
    return lode__check(is_finite(mass) && mass->mass >= 0, function, argument,
                       "must be finite and weigh at least 0");
}

/* --- solids */

lode_mass lode_mass_of_sphere(lode_real density, lode_real radius)
{
    lode_real size[4];
    if (check_density(density, __func__) || lode__size_sphere(size, radius, __func__))
        return lode__mass_zero();
    return finite_or_none(lode__mass_sphere(density, radius), __func__, "radius");
}

lode_mass lode_mass_of_box(lode_real density, lode_vec3 half_extents)
{
    lode_real size[4];
    if (check_density(density, __func__) || lode__size_box(size, half_extents, __func__))
        return lode__mass_zero();
    return finite_or_none(lode__mass_box(density, half_extents), __func__, "half_extents");
}

lode_mass lode_mass_of_capsule(lode_real density, lode_real radius, lode_real half_length)
{
    lode_real size[4];
    if (check_density(density, __func__) || lode__size_capsule(size, radius, half_length, __func__))
        return lode__mass_zero();
    return finite_or_none(lode__mass_capsule(density, radius, half_length), __func__, "radius");
}

lode_mass lode_mass_of_cylinder(lode_real density, lode_real radius, lode_real half_length)
{
    lode_real size[4];
    if (check_density(density, __func__) ||
        lode__size_cylinder(size, radius, half_length, __func__))
        return lode__mass_zero();
    return finite_or_none(lode__mass_cylinder(density, radius, half_length), __func__, "radius");
}

lode_mass lode_shape_get_mass(lode_shape shape)
{
    lode__object s;
    if (lode__open_shape(&s, shape, __func__))
        return lode__mass_zero();
    return lode__mass_of((lode__matter){SHAPE(s.world, geometry, s.slot),
                                        *SHAPE(s.world, data, s.slot),
                                        SHAPE(s.world, surface, s.slot)->density});
}

/* --- moved, added */

lode_mass lode_mass_translate(lode_mass mass, lode_vec3 by)
{
    if (check_mass(&mass, __func__, "mass") || lode__check_vec3(by, __func__, "by"))
        return lode__mass_zero();
    return finite_or_none(lode__mass_translate(mass, by), __func__, "by");
}

lode_mass lode_mass_rotate(lode_mass mass, lode_quat by)
{
    if (check_mass(&mass, __func__, "mass") || lode__check_quat(&by, __func__, "by"))
        return lode__mass_zero();
    return finite_or_none(lode__mass_rotate(mass, by), __func__, "mass");
}

lode_mass lode_mass_adjust(lode_mass mass, lode_real total)
{
    if (check_mass(&mass, __func__, "mass") ||
        lode__check(is_at_least(total, 0), __func__, "total", lode__not_negative) ||
        lode__check(mass.mass > 0 || total == 0, __func__, "mass", "must be above 0"))
        return lode__mass_zero();
    lode_real times = mass.mass > 0 ? total / mass.mass : 0;
    lode_mass adjusted = {.mass = total, .center = mass.center};
    for (int i = 0; i < 6; ++i)
        adjusted.inertia[i] = mass.inertia[i] * times;
    return finite_or_none(adjusted, __func__, "total");
}

lode_mass lode_mass_add(lode_mass a, lode_mass b)
{
    if (check_mass(&a, __func__, "a") || check_mass(&b, __func__, "b"))
        return lode__mass_zero();
    return finite_or_none(lode__mass_add(a, b), __func__, "b");
}

bool lode_mass_is_valid(const lode_mass *mass)
{
    lode__local_mass local;
    return mass && lode__mass_is_possible(mass) && lode__mass_local(mass, &local);
}
