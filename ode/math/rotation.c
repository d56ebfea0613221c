/* rotation.c: rotation matrices and quaternions. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/math/check.h"
#include "ode/odemath.h"
#include "ode/rotation.h"
#include "simd/scalar_math.h"

#include <string.h>

static void put_rows(dReal *R, lode_vec3 r0, lode_vec3 r1, lode_vec3 r2)
{
    memset(R, 0, sizeof(dMatrix3));
    put_vec(R, r0);
    put_vec(R + 4, r1);
    put_vec(R + 8, r2);
}

static void put_columns(dReal *R, lode_vec3 x, lode_vec3 y, lode_vec3 z)
{
    put_rows(R, v3(x.x, y.x, z.x), v3(x.y, y.y, z.y), v3(x.z, y.z, z.z));
}

/* The library's own, as far as their error is small: to some thousand turns. */
static void sine_cosine(dReal angle, dReal *out_sine, dReal *out_cosine)
{
    if (r_abs(angle) <= (dReal)8192) {
        lode__sincos(angle, out_sine, out_cosine);
    } else {
        *out_sine = dSin(angle);
        *out_cosine = dCos(angle);
    }
}

/* The identity about no axis. */
static lode_quat about_axis(dReal ax, dReal ay, dReal az, dReal angle)
{
    lode_vec3 axis = v3_normalize_or(v3(ax, ay, az), v3_zero());
    if (v3_is_zero(axis))
        return q_identity();
    dReal s, c;
    sine_cosine(angle / 2, &s, &c);
    return (lode_quat){c, s * axis.x, s * axis.y, s * axis.z};
}

/* --- matrices */

void dRSetIdentity(dMatrix3 R)
{
    if (CHECK_GIVEN(R))
        put_rows(R, v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1));
}

void dRfromQ(dMatrix3 R, const dQuaternion q)
{
    if (!CHECK_GIVEN(R) || !CHECK_GIVEN(q))
        return;
    lode__mat3 m = m3_from_quat(quat_of(q));
    put_rows(R, m.r0, m.r1, m.r2);
}

void dRFromAxisAndAngle(dMatrix3 R, dReal ax, dReal ay, dReal az, dReal angle)
{
    if (!CHECK_GIVEN(R) || !CHECK_FINITE(ax, ay, az) ||
        !CHECK(isfinite(angle), "angle", "must be finite"))
        return;
    lode__mat3 m = m3_from_quat(about_axis(ax, ay, az, angle));
    put_rows(R, m.r0, m.r1, m.r2);
}

/* The transpose of Z(psi) Y(theta) X(phi), with the turns about x, y and z. */
void dRFromEulerAngles(dMatrix3 R, dReal phi, dReal theta, dReal psi)
{
    if (!CHECK_GIVEN(R) || !CHECK_FINITE(phi, theta, psi))
        return;
    dReal s1, c1, s2, c2, s3, c3;
    sine_cosine(phi, &s1, &c1);
    sine_cosine(theta, &s2, &c2);
    sine_cosine(psi, &s3, &c3);
    put_rows(R, v3(c2 * c3, c2 * s3, -s2),
             v3(s1 * s2 * c3 - c1 * s3, s1 * s2 * s3 + c1 * c3, s1 * c2),
             v3(c1 * s2 * c3 + s1 * s3, c1 * s2 * s3 - s1 * c3, c1 * c2));
}

/* What of v lies across the unit vector x, of unit length; zero if that is not more than rounding.
 * What is left along x after the first time goes the second time. */
static lode_vec3 across(lode_vec3 x, lode_vec3 v)
{
    v = v3_normalize_or(v, v3_zero());
    lode_vec3 y = v3_madd(v, x, -v3_dot(v, x));
    if (v3_length(y) <= 4 * REAL_EPSILON)
        return v3_zero();
    y = v3_normalize_or(y, v3_zero());
    return v3_normalize_or(v3_madd(y, x, -v3_dot(y, x)), v3_zero());
}

/* Axes without a plane are told as messages, as ODE does, and change nothing. */
void dRFrom2Axes(dMatrix3 R, dReal ax, dReal ay, dReal az, dReal bx, dReal by, dReal bz)
{
    if (!CHECK_GIVEN(R) || !CHECK_FINITE(ax, ay, az) || !CHECK_FINITE(bx, by, bz))
        return;
    lode_vec3 x = v3_normalize_or(v3(ax, ay, az), v3_zero());
    lode_vec3 y = across(x, v3(bx, by, bz));
    if (v3_is_zero(x) || v3_is_zero(y))
        dMessage(d_ERR_UASSERT, "dRFrom2Axes: the axes must not be zero or parallel");
    else
        put_columns(R, x, y, v3_cross(x, y));
}

void dRFromZAxis(dMatrix3 R, dReal ax, dReal ay, dReal az)
{
    dVector3 z = {ax, ay, az}, x, y;
    if (!CHECK_GIVEN(R) || !CHECK_FINITE(ax, ay, az) ||
        !CHECK(dSafeNormalize3(z), "ax, ay, az", "must not be zero"))
        return;
    dPlaneSpace(z, x, y);
    put_columns(R, vec_of(x), vec_of(y), vec_of(z));
}

/* The first row keeps its direction, the second one its plane with it, the third follows. */
int dOrthogonalizeR(dMatrix3 m)
{
    if (!CHECK_GIVEN(m) || !CHECK_FINITE_MATRIX(m))
        return 0;
    lode_vec3 first = v3_normalize_or(vec_of(m), v3_zero());
    lode_vec3 second = across(first, vec_of(m + 4));
    if (v3_is_zero(first) || v3_is_zero(second))
        return 0;
    put_rows(m, first, second, v3_cross(first, second));
    return 1;
}

/* --- quaternions */

void dQSetIdentity(dQuaternion q)
{
    if (CHECK_GIVEN(q))
        put_quat(q, q_identity());
}

void dQFromAxisAndAngle(dQuaternion q, dReal ax, dReal ay, dReal az, dReal angle)
{
    if (CHECK_GIVEN(q) && CHECK_FINITE(ax, ay, az) &&
        CHECK(isfinite(angle), "angle", "must be finite"))
        put_quat(q, about_axis(ax, ay, az, angle));
}

/* The suffix tells which factors are inverted: 1 the first, 2 the second, 3 both. */
#define MULTIPLY(suffix, FIRST, SECOND) \
    void dQMultiply##suffix(dQuaternion qa, const dQuaternion qb, const dQuaternion qc) \
    { \
        if (CHECK_GIVEN(qa) && CHECK_GIVEN(qb) && CHECK_GIVEN(qc)) \
            put_quat(qa, q_mul(FIRST(quat_of(qb)), SECOND(quat_of(qc)))); \
    }
#define AS_IT_IS(q) q

MULTIPLY(0, AS_IT_IS, AS_IT_IS)
MULTIPLY(1, q_conj, AS_IT_IS)
MULTIPLY(2, AS_IT_IS, q_conj)
MULTIPLY(3, q_conj, q_conj)

/* From the largest of the four numbers, whose square is at least 1/4: 4 w^2 = 1 + trace, and so on
 * (Shepperd 1978). */
void dQfromR(dQuaternion q, const dMatrix3 R)
{
    if (!CHECK_GIVEN(q) || !CHECK_GIVEN(R))
        return;
    dReal trace = R[0] + R[5] + R[10];
    int i = R[0] >= R[5] ? (R[0] >= R[10] ? 0 : 2) : (R[5] >= R[10] ? 1 : 2);
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace >= 0) {
        dReal s = r_sqrt(trace + 1);
        q[0] = s / 2;
        q[1] = (R[9] - R[6]) / (2 * s);
        q[2] = (R[2] - R[8]) / (2 * s);
        q[3] = (R[4] - R[1]) / (2 * s);
        return;
    }
    dReal s = r_sqrt(1 + R[5 * i] - R[5 * j] - R[5 * k]);
    q[1 + i] = s / 2;
    q[1 + j] = (R[4 * i + j] + R[4 * j + i]) / (2 * s);
    q[1 + k] = (R[4 * i + k] + R[4 * k + i]) / (2 * s);
    q[0] = (R[4 * k + j] - R[4 * j + k]) / (2 * s);
}

/* (0, w) q / 2 */
void dDQfromW(dReal dq[4], const dVector3 w, const dQuaternion q)
{
    if (!CHECK_GIVEN(dq) || !CHECK_GIVEN(w) || !CHECK_GIVEN(q))
        return;
    lode_quat half = {0, w[0] / 2, w[1] / 2, w[2] / 2};
    put_quat(dq, q_mul(half, quat_of(q)));
}
