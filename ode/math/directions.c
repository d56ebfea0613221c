/* directions.c: vectors of unit length, of any length that numbers can hold before. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/odemath.h"

/* Leaves `a` as it is if it has no direction. */
static bool make_unit3(dReal *a)
{
    lode_vec3 v = vec_of(a);
    if (!v3_finite(v) || v3_is_zero(v))
        return false;
    put_vec(a, v3_normalize_or(v, v));
    return true;
}

static bool make_unit4(dReal *a)
{
    lode_quat q = quat_of(a);
    if (!q_finite(q) || (a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0))
        return false;
    put_quat(a, q_normalize(q));
    return true;
}

int dSafeNormalize3(dVector3 a)
{
    return CHECK_GIVEN(a) && make_unit3(a);
}

int dSafeNormalize4(dVector4 a)
{
    return CHECK_GIVEN(a) && make_unit4(a);
}

void dNormalize3(dVector3 a)
{
    if (CHECK_GIVEN(a))
        CHECK(make_unit3(a), "a", "must have a direction");
}

void dNormalize4(dVector4 a)
{
    if (CHECK_GIVEN(a))
        CHECK(make_unit4(a), "a", "must have a direction");
}

/* p lies across n and that of x and z which n is farther from. */
void dPlaneSpace(const dVector3 n, dVector3 p, dVector3 q)
{
    if (!CHECK_GIVEN(n) || !CHECK_GIVEN(p) || !CHECK_GIVEN(q))
        return;
    bool upright = r_abs(n[2]) > (dReal)0.70710678118654752;
    lode_vec3 normal = vec_of(n), other = upright ? v3(1, 0, 0) : v3(0, 0, 1);
    lode_vec3 first = v3_normalize_or(v3_cross(other, normal), v3(1, 0, 0));
    put_vec(p, first);
    put_vec(q, v3_cross(normal, first));
}
