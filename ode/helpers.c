/* helpers.c: masses, rotations and directions as ODE lays them out. */
#include "ode/body.h"
#include "ode/check.h"
#include "ode/odemath.h"
#include "ode/rotation.h"

#include <string.h>

/* --- masses */

void dMassSetZero(dMass *mass)
{
    if (CHECK_GIVEN(mass))
        memset(mass, 0, sizeof *mass);
}

void dMassSetParameters(dMass *mass, dReal themass, dReal cgx, dReal cgy, dReal cgz, dReal I11,
                        dReal I22, dReal I33, dReal I12, dReal I13, dReal I23)
{
    const dReal rows[3][3] = {{I11, I12, I13}, {I12, I22, I23}, {I13, I23, I33}};
    if (!CHECK_GIVEN(mass))
        return;
    memset(mass, 0, sizeof *mass);
    mass->mass = themass;
    put_vec(mass->c, v3(cgx, cgy, cgz));
    for (int i = 0; i < 3; ++i)
        memcpy(mass->I + 4 * i, rows[i], sizeof rows[i]);
}

/* --- rotations */

void dRfromQ(dMatrix3 R, const dQuaternion q)
{
    if (!CHECK_GIVEN(R) || !CHECK_GIVEN(q))
        return;
    lode__mat3 m = m3_from_quat(quat_of(q));
    memset(R, 0, sizeof(dMatrix3));
    put_vec(R, m.r0);
    put_vec(R + 4, m.r1);
    put_vec(R + 8, m.r2);
}

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

/* --- directions */

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
