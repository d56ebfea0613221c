/* mass.c: masses and inertias.
 *
 * A mass that no body can have is told as a message and kept: it may be part of a sum, as a hole of
 * negative density is. Sizes below 0 and what is not finite are refused. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/mass.h"
#include "ode/math/check.h"
#include "ode/odemath.h"

#include <string.h>

#define PI ((dReal)3.14159265358979323846)

/* m (c.c 1 - c c^T): the inertia of m at c about the origin, less that about c. */
static void add_point(dReal I[12], dReal m, const dReal *c)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            I[4 * i + j] += m * ((i == j ? dCalcVectorDot3(c, c) : 0) - c[i] * c[j]);
}

static bool is_definite(const dReal *I)
{
    const dReal packed[6] = {I[0], I[5], I[10], I[4], I[8], I[9]};
    dReal inverse[6];
    return s3_invert(packed, inverse);
}

static bool all_finite(const dMass *m)
{
    return isfinite(m->mass) && v3_finite(vec_of(m->c)) && lode__ode_finite_matrix(m->I);
}

/* What is wrong with it, or null. */
static const char *fault_of(const dMass *m)
{
    dMatrix3 about_center;
    if (!all_finite(m))
        return "is not finite";
    if (!(m->mass > 0))
        return "must be above 0";
    if (!is_definite(m->I))
        return "must have a positive definite inertia";
    memcpy(about_center, m->I, sizeof about_center);
    add_point(about_center, -m->mass, m->c);
    return is_definite(about_center) ? NULL : "has its centre too far away for its inertia";
}

static int check(const dMass *m, const char *function)
{
    const char *fault = fault_of(m);
    if (fault)
        dMessage(d_ERR_UASSERT, "%s: the mass %s", function, fault);
    return !fault;
}

int dMassCheck(const dMass *m)
{
    return CHECK_GIVEN(m) && check(m, __func__);
}

void dMassSetZero(dMass *mass)
{
    if (CHECK_GIVEN(mass))
        memset(mass, 0, sizeof *mass);
}

void dMassSetParameters(dMass *mass, dReal themass, dReal cgx, dReal cgy, dReal cgz, dReal I11,
                        dReal I22, dReal I33, dReal I12, dReal I13, dReal I23)
{
    const dReal rows[3][3] = {{I11, I12, I13}, {I12, I22, I23}, {I13, I23, I33}};
    if (!CHECK_GIVEN(mass) || !CHECK(isfinite(themass), "themass", "must be finite") ||
        !CHECK_FINITE(cgx, cgy, cgz) || !CHECK_FINITE(I11, I22, I33) ||
        !CHECK_FINITE(I12, I13, I23))
        return;
    memset(mass, 0, sizeof *mass);
    mass->mass = themass;
    put_vec(mass->c, v3(cgx, cgy, cgz));
    for (int i = 0; i < 3; ++i)
        memcpy(mass->I + 4 * i, rows[i], sizeof rows[i]);
    check(mass, __func__);
}

/* --- solids */

/* A solid about the origin: its volume, and its inertia for each kilogram. */
typedef struct solid {
    dReal volume, inertia[3];
} solid;

static void set_solid(dMass *mass, dReal total, const solid *s, const char *function)
{
    memset(mass, 0, sizeof *mass);
    mass->mass = total;
    for (int i = 0; i < 3; ++i)
        mass->I[5 * i] = total * s->inertia[i];
    check(mass, function);
}

static solid sphere(dReal r)
{
    dReal i = (dReal)0.4 * r * r;
    return (solid){4 * PI / 3 * r * r * r, {i, i, i}};
}

static solid box(dReal x, dReal y, dReal z)
{
    return (solid){x * y * z, {(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12}};
}

/* `along` is the inertia about the axis. */
static solid round_solid(int direction, dReal volume, dReal along, dReal across)
{
    solid s = {volume, {across, across, across}};
    s.inertia[direction - 1] = along;
    return s;
}

static solid cylinder(int direction, dReal r, dReal l)
{
    return round_solid(direction, PI * r * r * l, r * r / 2, r * r / 4 + l * l / 12);
}

/* A share of the mass is a cylinder, the rest half spheres, whose centres of mass are 3/8 r beyond
 * the cylinder's ends. */
static solid capsule(int direction, dReal r, dReal l)
{
    dReal caps = 4 * r / 3, share = l + caps > 0 ? l / (l + caps) : 0;
    dReal along = share / 2 + (1 - share) * (dReal)0.4;
    dReal across = share * (r * r / 4 + l * l / 12) +
                   (1 - share) * ((dReal)0.4 * r * r + (dReal)0.375 * r * l + l * l / 4);
    return round_solid(direction, PI * r * r * (l + caps), along * r * r, across);
}

#define CHECK_NUMBER(x) CHECK(isfinite(x), #x, "must be finite")
#define CHECK_LENGTH(x) CHECK(isfinite(x) && (x) >= 0, #x, "must be finite and not negative")
#define CHECK_DIRECTION(d) CHECK((d) >= 1 && (d) <= 3, #d, "must be 1, 2 or 3")

void dMassSetSphere(dMass *mass, dReal density, dReal radius)
{
    if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(density) || !CHECK_LENGTH(radius))
        return;
    solid s = sphere(radius);
    set_solid(mass, density * s.volume, &s, __func__);
}

void dMassSetSphereTotal(dMass *mass, dReal total_mass, dReal radius)
{
    if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(total_mass) || !CHECK_LENGTH(radius))
        return;
    solid s = sphere(radius);
    set_solid(mass, total_mass, &s, __func__);
}

void dMassSetBox(dMass *mass, dReal density, dReal lx, dReal ly, dReal lz)
{
    if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(density) || !CHECK_LENGTH(lx) || !CHECK_LENGTH(ly) ||
        !CHECK_LENGTH(lz))
        return;
    solid s = box(lx, ly, lz);
    set_solid(mass, density * s.volume, &s, __func__);
}

void dMassSetBoxTotal(dMass *mass, dReal total_mass, dReal lx, dReal ly, dReal lz)
{
    if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(total_mass) || !CHECK_LENGTH(lx) || !CHECK_LENGTH(ly) ||
        !CHECK_LENGTH(lz))
        return;
    solid s = box(lx, ly, lz);
    set_solid(mass, total_mass, &s, __func__);
}

/* What has a direction; the old name is a capsule's too. */
#define DIRECTED(Name, shape) \
    void dMassSet##Name(dMass *mass, dReal density, int direction, dReal radius, dReal length) \
    { \
        if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(density) || !CHECK_DIRECTION(direction) || \
            !CHECK_LENGTH(radius) || !CHECK_LENGTH(length)) \
            return; \
        solid s = shape(direction, radius, length); \
        set_solid(mass, s.volume *density, &s, __func__); \
    } \
    void dMassSet##Name##Total(dMass *mass, dReal total_mass, int direction, dReal radius, \
                               dReal length) \
    { \
        if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(total_mass) || !CHECK_DIRECTION(direction) || \
            !CHECK_LENGTH(radius) || !CHECK_LENGTH(length)) \
            return; \
        solid s = shape(direction, radius, length); \
        set_solid(mass, total_mass, &s, __func__); \
    }

DIRECTED(Capsule, capsule)
DIRECTED(Cylinder, cylinder)
DIRECTED(CappedCylinder, capsule)

/* --- changes */

void dMassAdjust(dMass *mass, dReal newmass)
{
    if (!CHECK_GIVEN(mass) || !CHECK_NUMBER(newmass) ||
        !CHECK(mass->mass != 0, "mass", "must not be 0: no factor changes it"))
        return;
    dReal factor = newmass / mass->mass;
    mass->mass = newmass;
    for (int i = 0; i < 12; ++i)
        mass->I[i] = i % 4 < 3 ? mass->I[i] * factor : 0;
    check(mass, __func__);
}

/* With the centre c and the way t, (c + t)(c + t)^T - c c^T = c t^T + t c^T + t t^T. */
void dMassTranslate(dMass *mass, dReal x, dReal y, dReal z)
{
    const dReal t[3] = {x, y, z};
    if (!CHECK_GIVEN(mass) || !CHECK_FINITE(x, y, z))
        return;
    const dReal *c = mass->c;
    dReal squares = 2 * dCalcVectorDot3(c, t) + dCalcVectorDot3(t, t);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            mass->I[4 * i + j] += mass->mass * ((i == j ? squares : 0) -
                                                (c[i] * t[j] + t[i] * c[j] + t[i] * t[j]));
    dAddVectors3(mass->c, mass->c, t);
    check(mass, __func__);
}

/* R I R^T, made symmetric again. */
void dMassRotate(dMass *mass, const dMatrix3 R)
{
    dMatrix3 half, whole;
    if (!CHECK_GIVEN(mass) || !CHECK_GIVEN(R) || !CHECK_FINITE_MATRIX(R))
        return;
    dMultiply2_333(half, mass->I, R);
    dMultiply0_333(whole, R, half);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            mass->I[4 * i + j] = (whole[4 * i + j] + whole[4 * j + i]) / 2;
    dMultiply0_331(mass->c, R, mass->c);
    check(mass, __func__);
}

/* Where the masses come to nothing together, the centre stays. */
void dMassAdd(dMass *a, const dMass *b)
{
    if (!CHECK_GIVEN(a) || !CHECK_GIVEN(b) || !CHECK(all_finite(b), "b", "must be finite"))
        return;
    dReal sum = a->mass + b->mass;
    if (sum != 0)
        dAddScaledVectors3(a->c, a->c, b->c, a->mass / sum, b->mass / sum);
    a->mass = sum;
    for (int i = 0; i < 3; ++i)
        dAddVectors3(a->I + 4 * i, a->I + 4 * i, b->I + 4 * i);
}
