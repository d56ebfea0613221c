/* Rotation matrices and quaternions. Angles are in radians; axes need not have unit length. */
#ifndef _ODE_ROTATION_H_
#define _ODE_ROTATION_H_

#include <ode/common.h>
#include <ode/compatibility.h>

#ifdef __cplusplus
extern "C" {
#endif

/* About no axis at all there is no turn. */
ODE_API void dRSetIdentity(dMatrix3 R);
ODE_API void dRFromAxisAndAngle(dMatrix3 R, dReal ax, dReal ay, dReal az, dReal angle);
ODE_API void dRFromEulerAngles(dMatrix3 R, dReal phi, dReal theta, dReal psi);

/* The x axis along a, the y axis along b less its part along a. If these are zero or parallel there
   is a message, and R stays. */
ODE_API void dRFrom2Axes(dMatrix3 R, dReal ax, dReal ay, dReal az, dReal bx, dReal by, dReal bz);

/* The z axis along a, the others anywhere. */
ODE_API void dRFromZAxis(dMatrix3 R, dReal ax, dReal ay, dReal az);

ODE_API void dQSetIdentity(dQuaternion q);
ODE_API void dQFromAxisAndAngle(dQuaternion q, dReal ax, dReal ay, dReal az, dReal angle);

/* qa = qb qc, qb* qc, qb qc*, qb* qc*, where * stands for the inverse. */
ODE_API void dQMultiply0(dQuaternion qa, const dQuaternion qb, const dQuaternion qc);
ODE_API void dQMultiply1(dQuaternion qa, const dQuaternion qb, const dQuaternion qc);
ODE_API void dQMultiply2(dQuaternion qa, const dQuaternion qb, const dQuaternion qc);
ODE_API void dQMultiply3(dQuaternion qa, const dQuaternion qb, const dQuaternion qc);

ODE_API void dRfromQ(dMatrix3 R, const dQuaternion q);
ODE_API void dQfromR(dQuaternion q, const dMatrix3 R);

/* The rate at which q changes when its body turns with the angular velocity w (rad/s, world). */
ODE_API void dDQfromW(dReal dq[4], const dVector3 w, const dQuaternion q);

#ifdef __cplusplus
}
#endif

#endif
