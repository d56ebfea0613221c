/* rotation.h: rotations in their two forms. */
#ifndef LODE_ODE_ROTATION_H
#define LODE_ODE_ROTATION_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The quaternion of a rotation matrix, and the matrix of a quaternion of length 1. */
ODE_API void dQfromR(dQuaternion q, const dMatrix3 R);
ODE_API void dRfromQ(dMatrix3 R, const dQuaternion q);

#ifdef __cplusplus
}
#endif

#endif
