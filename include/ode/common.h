/* common.h: numbers, handles and constants of the ODE face. */
#ifndef LODE_ODE_COMMON_H
#define LODE_ODE_COMMON_H

#include "odeconfig.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(dSINGLE)
typedef float dReal;
#else
typedef double dReal;
#endif

/* Vectors have a fourth number that pads, so that rows of matrices are four apart. A quaternion is
 * w, x, y, z. */
typedef dReal dVector3[4];
typedef dReal dVector4[4];
typedef dReal dMatrix3[4 * 3];
typedef dReal dQuaternion[4];

typedef struct dxWorld *dWorldID;
typedef struct dxBody *dBodyID;
typedef struct dxGeom *dGeomID;
typedef struct dxJoint *dJointID;
typedef struct dxJointGroup *dJointGroupID;

typedef enum {
    dJointTypeNone = 0,
    dJointTypeBall,
    dJointTypeHinge,
    dJointTypeSlider,
    dJointTypeContact,
    dJointTypeUniversal,
    dJointTypeHinge2,
    dJointTypeFixed,
    dJointTypeNull,
    dJointTypeAMotor,
    dJointTypeLMotor,
    dJointTypePlane2D,
    dJointTypePR,
    dJointTypePU,
    dJointTypePiston,
    dJointTypeDBall,
    dJointTypeDHinge,
    dJointTypeTransmission
} dJointType;

/* Parameters of a joint's first axis. Those of the second are 0x100 more, of the third 0x200. */
enum {
    dParamLoStop = 0,  /* m or rad; a low stop above the high one is no stop */
    dParamHiStop,      /* the same */
    dParamVel,         /* of the motor, m/s or rad/s */
    dParamLoVel,       /* without meaning */
    dParamHiVel,       /* without meaning */
    dParamFMax,        /* the most that the motor pushes with, N or N m; 0: no motor */
    dParamFudgeFactor, /* share of it away from a stop, 0..1 */
    dParamBounce,      /* share of the speed that a stop gives back, 0..1 */
    dParamCFM,         /* softness of the motor, or of what a joint holds */
    dParamStopERP,
    dParamStopCFM,
    dParamSuspensionERP,
    dParamSuspensionCFM,
    dParamERP, /* of what a joint holds */
    dParamsInGroup,
    dParamGroup = 0x100
};

/* What a joint did in the last step, N and N m, world: on its first body, and on its second. The
 * first is the body that dJointAttach() was given, whichever of the two arguments it was. */
typedef struct dJointFeedback {
    dVector3 f1, t1;
    dVector3 f2, t2;
} dJointFeedback;

#ifdef __cplusplus
}
#endif

#endif
