/* What all of the interface shares: reals, vectors and matrices, handles, names of joints and of
   their parameters, feedback.

   Constants whose names have two underscores after the prefix are bounds of a list of elements:
   _MIN is the first one, _MAX the one behind the last. */
#ifndef _ODE_COMMON_H_
#define _ODE_COMMON_H_

#include <ode/odeconfig.h>
#include <ode/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(dSINGLE) && defined(dDOUBLE)
#error "define dSINGLE or dDOUBLE, not both"
#elif defined(dSINGLE)
typedef float dReal;
#elif defined(dDOUBLE)
typedef double dReal;
#else
#error "define dSINGLE or dDOUBLE"
#endif

/* Indices of a triangle mesh; those of single functions may be of another width. */
#if defined(dTRIMESH_16BIT_INDICES) && dTRIMESH_16BIT_INDICES
typedef duint16 dTriIndex;
#else
typedef duint32 dTriIndex;
#endif

/* The length of a matrix row of a elements: a multiple of 4, but 0 and 1 stay. */
#define dPAD(a) ((a) > 1 ? ((a) + 3) / 4 * 4 : (a))

typedef enum { dSA__MIN, dSA_X = dSA__MIN, dSA_Y, dSA_Z, dSA__MAX } dSpaceAxis;

typedef enum { dMD__MIN, dMD_LINEAR = dMD__MIN, dMD_ANGULAR, dMD__MAX } dMotionDynamics;

/* Three linear axes, three angular ones. */
typedef enum {
    dDA__MIN = 0,
    dDA__L_MIN = 0,
    dDA_LX = 0,
    dDA_LY = 1,
    dDA_LZ = 2,
    dDA__L_MAX = 3,
    dDA__A_MIN = 3,
    dDA_AX = 3,
    dDA_AY = 4,
    dDA_AZ = 5,
    dDA__A_MAX = 6,
    dDA__MAX = 6
} dDynamicsAxis;

/* A vector of three has a fourth place that is not used. */
typedef enum {
    dV3E__MIN = 0,
    dV3E__AXES_MIN = 0,
    dV3E_X = 0,
    dV3E_Y = 1,
    dV3E_Z = 2,
    dV3E__AXES_MAX = 3,
    dV3E_PAD = 3,
    dV3E__MAX = 4,
    dV3E__AXES_COUNT = 3
} dVec3Element;

typedef enum {
    dV4E__MIN = 0,
    dV4E_X = 0,
    dV4E_Y = 1,
    dV4E_Z = 2,
    dV4E_O = 3,
    dV4E__MAX = 4
} dVec4Element;

/* Matrices lie row by row; dM3E_XY is in row x, column y. */
typedef enum {
    dM3E__MIN = 0,
    dM3E__X_MIN = 0,
    dM3E__X_AXES_MIN = 0,
    dM3E_XX = 0,
    dM3E_XY = 1,
    dM3E_XZ = 2,
    dM3E__X_AXES_MAX = 3,
    dM3E_XPAD = 3,
    dM3E__X_MAX = 4,
    dM3E__Y_MIN = 4,
    dM3E__Y_AXES_MIN = 4,
    dM3E_YX = 4,
    dM3E_YY = 5,
    dM3E_YZ = 6,
    dM3E__Y_AXES_MAX = 7,
    dM3E_YPAD = 7,
    dM3E__Y_MAX = 8,
    dM3E__Z_MIN = 8,
    dM3E__Z_AXES_MIN = 8,
    dM3E_ZX = 8,
    dM3E_ZY = 9,
    dM3E_ZZ = 10,
    dM3E__Z_AXES_MAX = 11,
    dM3E_ZPAD = 11,
    dM3E__Z_MAX = 12,
    dM3E__MAX = 12
} dMat3Element;

typedef enum {
    dM4E__MIN = 0,
    dM4E__X_MIN = 0,
    dM4E_XX = 0,
    dM4E_XY = 1,
    dM4E_XZ = 2,
    dM4E_XO = 3,
    dM4E__X_MAX = 4,
    dM4E__Y_MIN = 4,
    dM4E_YX = 4,
    dM4E_YY = 5,
    dM4E_YZ = 6,
    dM4E_YO = 7,
    dM4E__Y_MAX = 8,
    dM4E__Z_MIN = 8,
    dM4E_ZX = 8,
    dM4E_ZY = 9,
    dM4E_ZZ = 10,
    dM4E_ZO = 11,
    dM4E__Z_MAX = 12,
    dM4E__O_MIN = 12,
    dM4E_OX = 12,
    dM4E_OY = 13,
    dM4E_OZ = 14,
    dM4E_OO = 15,
    dM4E__O_MAX = 16,
    dM4E__MAX = 16
} dMat4Element;

/* The real part comes first. */
typedef enum {
    dQUE__MIN = 0,
    dQUE_R = 0,
    dQUE__AXIS_MIN = 1,
    dQUE_I = 1,
    dQUE_J = 2,
    dQUE_K = 3,
    dQUE__AXIS_MAX = 4,
    dQUE__MAX = 4
} dQuatElement;

typedef dReal dVector3[dV3E__MAX];
typedef dReal dVector4[dV4E__MAX];
typedef dReal dMatrix3[dM3E__MAX];
typedef dReal dMatrix4[dM4E__MAX];
typedef dReal dMatrix6[6 * 8];
typedef dReal dQuaternion[dQUE__MAX];

/* REAL(1.5) is a constant, the others are functions, all of the precision of dReal. C89's
   mathematics is in double, and has not the last three. */
#if defined(dSINGLE)
#define REAL(x) (x##f)
#else
#define REAL(x) (x)
#endif
#if !defined(dSINGLE)
#define _dREAL_CALL(function, args) function args
#elif defined(HUGE_VALF)
#define _dREAL_CALL(function, args) function##f args
#else
#define _dREAL_CALL(function, args) ((float)function args)
#endif
#define dSqrt(x) _dREAL_CALL(sqrt, (x))
#define dSin(x) _dREAL_CALL(sin, (x))
#define dCos(x) _dREAL_CALL(cos, (x))
#define dFabs(x) _dREAL_CALL(fabs, (x))
#define dAtan2(y, x) _dREAL_CALL(atan2, (y, x))
#define dAsin(x) _dREAL_CALL(asin, (x))
#define dAcos(x) _dREAL_CALL(acos, (x))
#define dFMod(a, b) _dREAL_CALL(fmod, (a, b))
#define dFloor(x) _dREAL_CALL(floor, (x))
#define dCeil(x) _dREAL_CALL(ceil, (x))
#if defined(dSINGLE)
#define dCopySign(a, b) _ode_copysignf(a, b)
#define dNextAfter(x, y) _ode_nextafterf(x, y)
#else
#define dCopySign(a, b) _ode_copysign(a, b)
#define dNextAfter(x, y) _ode_nextafter(x, y)
#endif
#define dRecip(x) (REAL(1.0) / (x))
#define dRecipSqrt(x) (REAL(1.0) / dSqrt(x))
#define dIsNan(x) isnan(x)

/* Where C's mathematics comes without them. */
#ifndef M_PI
#define M_PI REAL(3.1415926535897932384626433832795029)
#endif
#ifndef M_PI_2
#define M_PI_2 REAL(1.5707963267948966192313216916398)
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 REAL(0.7071067811865475244008443621048490)
#endif

ODE_PURE_INLINE dReal dMin(dReal x, dReal y)
{
    return y < x ? y : x;
}

ODE_PURE_INLINE dReal dMax(dReal x, dReal y)
{
    return x > y ? x : y;
}

struct dxWorld;
struct dxSpace;
struct dxBody;
struct dxGeom;
struct dxJoint;
struct dxJointGroup;

typedef struct dxWorld *dWorldID;
typedef struct dxSpace *dSpaceID;
typedef struct dxBody *dBodyID;
typedef struct dxGeom *dGeomID;
typedef struct dxJoint *dJointID;
typedef struct dxJointGroup *dJointGroupID;

/* Numbers that handlers of errors get: unknown, failed assertions about the library and about the
   program's arguments, the solver of linear complementarity problems. */
enum { d_ERR_UNKNOWN, d_ERR_IASSERT, d_ERR_UASSERT, d_ERR_LCP };

typedef enum {
    dJointTypeNone,
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

/* The parameters of one axis, of stops and motors first, then of suspension, each name as it is or
   with a suffix x. D_ALL_PARAM_NAMES_X() names the axis's group too. */
/* clang-format off */
#define D_ALL_PARAM_NAMES_BY_(NAME, start, x) \
    NAME(dParamLoStop, x) = start, NAME(dParamHiStop, x), NAME(dParamVel, x), \
    NAME(dParamLoVel, x), NAME(dParamHiVel, x), NAME(dParamFMax, x), \
    NAME(dParamFudgeFactor, x), NAME(dParamBounce, x), NAME(dParamCFM, x), \
    NAME(dParamStopERP, x), NAME(dParamStopCFM, x), NAME(dParamSuspensionERP, x), \
    NAME(dParamSuspensionCFM, x), NAME(dParamERP, x),
/* clang-format on */
#define D_PARAM_NAME_PLAIN_(name, x) name
#define D_PARAM_NAME_X_(name, x) name##x
#define D_ALL_PARAM_NAMES(start) D_ALL_PARAM_NAMES_BY_(D_PARAM_NAME_PLAIN_, start, 0)
#define D_ALL_PARAM_NAMES_X(start, x) \
    dParamGroup##x = start, D_ALL_PARAM_NAMES_BY_(D_PARAM_NAME_X_, start, x)

/* Parameter p of the second axis is p + dParamGroup, of the third p + 2 * dParamGroup. */
enum {
    D_ALL_PARAM_NAMES(0) dParamsInGroup,
    D_ALL_PARAM_NAMES_X(0x000, 1) D_ALL_PARAM_NAMES_X(0x100, 2) D_ALL_PARAM_NAMES_X(0x200, 3)
        dParamGroup = 0x100
};

enum { dAMotorUser, dAMotorEuler };

enum { dTransmissionParallelAxes, dTransmissionIntersectingAxes, dTransmissionChainDrive };

/* Forces (N) and torques (N m, about the centres of mass) of a joint on its two bodies in the last
   step. */
typedef struct dJointFeedback {
    dVector3 f1;
    dVector3 t1;
    dVector3 f2;
    dVector3 t2;
} dJointFeedback;

/* Tells the geom's space that it moved; the next geom of its body. Both for use by extensions. */
ODE_API void dGeomMoved(dGeomID);
ODE_API dGeomID dGeomGetBodyNext(dGeomID);

/* What the library was built with, as words with spaces between them (ODE_double_precision ...),
   and whether one of these words is there (1 or 0). */
ODE_API const char *dGetConfiguration(void);
ODE_API int dCheckConfiguration(const char *token);

#ifdef __cplusplus
}
#endif

#endif
