/* mass.h: mass, centre of mass and inertia. */
#ifndef LODE_ODE_MASS_H
#define LODE_ODE_MASS_H

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dMass {
    dReal mass; /* kg */
    dVector3 c; /* centre of mass, body's frame, m */
    dMatrix3 I; /* about the body's origin, body's axes, kg m^2; rows of four */
} dMass;

ODE_API void dMassSetZero(dMass *mass);
ODE_API void dMassSetParameters(dMass *mass, dReal themass, dReal cgx, dReal cgy, dReal cgz,
                                dReal I11, dReal I22, dReal I33, dReal I12, dReal I13, dReal I23);

#ifdef __cplusplus
}
#endif

#endif
