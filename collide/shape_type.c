/* shape_type.c: the table of shape types; see shape_type.h. */
#include "collide/shape_type.h"

#include "collide/custom.h"
#include "collide/hull.h"
#include "collide/mass.h"
#include "collide/mesh.h"
#include "core/math.h"

/* --- sizes */

static bool is_length(lode_real x)
{
    return x > 0 && r_finite(x);
}

static bool sphere_size(const lode_real size[4])
{
    return is_length(size[0]);
}

static bool box_size(const lode_real size[4])
{
    return is_length(size[0]) && is_length(size[1]) && is_length(size[2]);
}

static bool plane_size(const lode_real size[4])
{
    lode_real norm2 = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
    return norm2 > (lode_real)0.9 && norm2 < (lode_real)1.1 && r_finite(size[3]);
}

static bool capsule_size(const lode_real size[4])
{
    return is_length(size[0]) && size[1] >= 0 && r_finite(size[1]);
}

static bool cylinder_size(const lode_real size[4])
{
    return is_length(size[0]) && is_length(size[1]);
}

/* The shared part says all. */
static bool no_size(const lode_real size[4])
{
    return size[0] == 0 && size[1] == 0 && size[2] == 0 && size[3] == 0;
}

/* --- reaches */

static lode__reach around_origin(lode_vec3 half)
{
    return (lode__reach){{0, 0, 0}, half};
}

static lode__reach sphere_reach(const lode__shape_view *shape)
{
    lode_real radius = shape->size[0];
    return around_origin(v3(radius, radius, radius));
}

static lode__reach box_reach(const lode__shape_view *shape)
{
    lode__mat3 m = m3_from_quat(shape->rotation);
    lode_vec3 half = v3(shape->size[0], shape->size[1], shape->size[2]);
    return around_origin(
        v3(v3_dot(v3_abs(m.r0), half), v3_dot(v3_abs(m.r1), half), v3_dot(v3_abs(m.r2), half)));
}

static lode__reach capsule_reach(const lode__shape_view *shape)
{
    const lode_real *size = shape->size;
    lode_vec3 axis = v3_abs(q_rotate(shape->rotation, v3(0, 0, 1)));
    return around_origin(v3_madd(v3(size[0], size[0], size[0]), axis, size[1]));
}

/* The end discs reach as far as the sine of the angle with the axis. Squares of the two other
 * components, not what is left of 1: that has no digits where the axis is all but along. */
static lode__reach cylinder_reach(const lode__shape_view *shape)
{
    const lode_real *size = shape->size;
    lode_vec3 axis = v3_abs(q_rotate(shape->rotation, v3(0, 0, 1)));
    lode_real xx = axis.x * axis.x, yy = axis.y * axis.y, zz = axis.z * axis.z;
    lode_vec3 across = v3(r_sqrt(yy + zz), r_sqrt(xx + zz), r_sqrt(xx + yy));
    return around_origin(v3_madd(v3_scale(across, size[0]), axis, size[1]));
}

/* Of a box in the shape's frame; `far` are the numbers whose rounding counts. */
static lode__reach turned_reach(const lode__shape_view *shape, lode_vec3 lower, lode_vec3 upper,
                                lode_vec3 far)
{
    lode__mat3 m = m3_from_quat(shape->rotation);
    lode_vec3 half = v3_scale(v3_sub(upper, lower), (lode_real)0.5);
    lode_vec3 middle = v3_add(lower, half);
    lode_vec3 turned = v3(v3_dot(v3_abs(m.r0), half), v3_dot(v3_abs(m.r1), half),
                          v3_dot(v3_abs(m.r2), half));
    /* the middle's rounding and that of its rotation */
    lode_real slack = 4 * REAL_EPSILON * (far.x + far.y + far.z);
    turned = v3_add(turned, v3(slack, slack, slack));
    return (lode__reach){q_rotate(shape->rotation, middle), turned};
}

static lode__reach mesh_reach(const lode__shape_view *shape)
{
    const lode__mesh *mesh = mesh_of(shape->data);
    return turned_reach(shape, mesh->lower, mesh->upper,
                        v3_add(v3_abs(mesh->lower), v3_abs(mesh->upper)));
}

/* One that repeats itself has no ends to be rounded; while it is level its heights are exact. */
static lode__reach field_reach(const lode__shape_view *shape)
{
    const lode__field *field = field_of(shape->data);
    lode_bounds bounds = lode__field_bounds(field);
    lode_vec3 far = v3_add(v3_abs(bounds.lower), v3_abs(bounds.upper));
    bool level = shape->rotation.x == 0 && shape->rotation.y == 0;
    if (field->wrap && level)
        far = v3(0, 0, far.z);
    return turned_reach(shape, bounds.lower, bounds.upper, far);
}

/* How far the hull reaches along world axis `axis`, given in its own frame. */
static void reach_along(const lode_hull *hull, lode_vec3 axis, uint32_t hints[2], lode_real *out_lo,
                        lode_real *out_hi)
{
    hints[0] = lode__hull_support(hull, v3_neg(axis), hints[0]);
    hints[1] = lode__hull_support(hull, axis, hints[1]);
    *out_lo = v3_dot(axis, hull->vertices[hints[0]]);
    *out_hi = v3_dot(axis, hull->vertices[hints[1]]);
}

static lode__reach hull_reach(const lode__shape_view *shape)
{
    const lode_hull *hull = shape->data;
    lode__mat3 m = m3_from_quat(shape->rotation);
    lode_vec3 lo, hi;
    uint32_t hints[2] = {0, 0};
    reach_along(hull, m.r0, hints, &lo.x, &hi.x);
    reach_along(hull, m.r1, hints, &lo.y, &hi.y);
    reach_along(hull, m.r2, hints, &lo.z, &hi.z);
    lode_vec3 half = v3_scale(v3_sub(hi, lo), (lode_real)0.5);
    lode_vec3 slack = v3_scale(v3_add(v3_abs(lo), v3_abs(hi)), 4 * REAL_EPSILON);
    return (lode__reach){v3_add(lo, half), v3_add(half, slack)};
}

/* --- masses */

static lode_mass sphere_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mass_sphere(density, shape->size[0]);
}

static lode_mass box_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mass_box(density, v3(shape->size[0], shape->size[1], shape->size[2]));
}

static lode_mass capsule_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mass_capsule(density, shape->size[0], shape->size[1]);
}

static lode_mass cylinder_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mass_cylinder(density, shape->size[0], shape->size[1]);
}

/* One that is not closed has no inside. */
static lode_mass mesh_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mesh_mass(mesh_of(shape->data), density);
}

static lode_mass hull_mass(const lode__shape_view *shape, lode_real density)
{
    return lode__mass_hull(density, shape->data);
}

/* clang-format off */
const lode__shape_type lode__shape_types[LODE_SHAPE_TYPE_COUNT] = {
    [LODE_SPHERE]   = {"sphere",   sphere_size,   sphere_reach,   sphere_mass,   false},
    [LODE_BOX]      = {"box",      box_size,      box_reach,      box_mass,      false},
    [LODE_PLANE]    = {"plane",    plane_size,    NULL,           NULL,          false},
    [LODE_CAPSULE]  = {"capsule",  capsule_size,  capsule_reach,  capsule_mass,  false},
    [LODE_CYLINDER] = {"cylinder", cylinder_size, cylinder_reach, cylinder_mass, false},
    [LODE_MESH]     = {"mesh",     no_size,       mesh_reach,     mesh_mass,     true},
    [LODE_HULL]     = {"hull",     no_size,       hull_reach,     hull_mass,     true},
    [LODE_HEIGHTFIELD] = {"height field", no_size, field_reach,   NULL,          true},
    [LODE_CUSTOM]   = {"custom",   no_size,       lode__custom_reach, lode__custom_mass, true},
};
/* clang-format on */
