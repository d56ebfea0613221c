/* Vectors and matrices of three and four dimensions. Matrices lie row by row, a row is four long.
   Results may be stored over arguments. */
#ifndef _ODE_ODEMATH_H_
#define _ODE_ODEMATH_H_

#include <ode/common.h>

#define dACCESS33(A, i, j) ((A)[(i)*4 + (j)])

/* Whether no element is NaN. */
#define dVALIDVEC3(v) (!_dAnyNaN((v), 3))
#define dVALIDVEC4(v) (!_dAnyNaN((v), 4))
#define dVALIDMAT3(m) (!_dAnyNaN((m), 12))
#define dVALIDMAT4(m) (!_dAnyNaN((m), 16))

ODE_PURE_INLINE int _dAnyNaN(const dReal *v, int n)
{
    int found = 0;
    int i;
    for (i = 0; i < n; ++i)
        found |= v[i] != v[i];
    return found;
}

ODE_PURE_INLINE void dAssignVector3(dVector3 res, dReal x, dReal y, dReal z)
{
    res[0] = x;
    res[1] = y;
    res[2] = z;
}

ODE_PURE_INLINE void dZeroVector3(dVector3 res)
{
    dAssignVector3(res, 0, 0, 0);
}

ODE_PURE_INLINE void dZeroMatrix3(dMatrix3 res)
{
    int i;
    for (i = 0; i < 3; ++i)
        dZeroVector3(res + 4 * i);
}

ODE_PURE_INLINE void dZeroMatrix4(dMatrix4 res)
{
    int i;
    for (i = 0; i < 16; ++i)
        res[i] = 0;
}

ODE_PURE_INLINE void dAddVectors3(dReal *res, const dReal *a, const dReal *b)
{
    dAssignVector3(res, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

ODE_PURE_INLINE void dSubtractVectors3(dReal *res, const dReal *a, const dReal *b)
{
    dAssignVector3(res, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

ODE_PURE_INLINE void dCopyScaledVector3(dReal *res, const dReal *a, dReal nScale)
{
    dAssignVector3(res, nScale * a[0], nScale * a[1], nScale * a[2]);
}

ODE_PURE_INLINE void dScaleVector3(dReal *res, dReal nScale)
{
    dCopyScaledVector3(res, res, nScale);
}

ODE_PURE_INLINE void dCopyNegatedVector3(dReal *res, const dReal *a)
{
    dAssignVector3(res, -a[0], -a[1], -a[2]);
}

ODE_PURE_INLINE void dNegateVector3(dReal *res)
{
    dCopyNegatedVector3(res, res);
}

ODE_PURE_INLINE void dAddVectorScaledVector3(dReal *res, const dReal *a, const dReal *b,
                                             dReal b_scale)
{
    dAssignVector3(res, a[0] + b_scale * b[0], a[1] + b_scale * b[1], a[2] + b_scale * b[2]);
}

ODE_PURE_INLINE void dAddScaledVectors3(dReal *res, const dReal *a, const dReal *b, dReal a_scale,
                                        dReal b_scale)
{
    int i;
    for (i = 0; i < 3; ++i)
        res[i] = a_scale * a[i] + b_scale * b[i];
}

ODE_PURE_INLINE void dAddThreeScaledVectors3(dReal *res, const dReal *a, const dReal *b,
                                             const dReal *c, dReal a_scale, dReal b_scale,
                                             dReal c_scale)
{
    int i;
    for (i = 0; i < 3; ++i)
        res[i] = a_scale * a[i] + b_scale * b[i] + c_scale * c[i];
}

ODE_PURE_INLINE void dCopyVector3(dReal *res, const dReal *a)
{
    dAssignVector3(res, a[0], a[1], a[2]);
}

ODE_PURE_INLINE void dCopyVector4(dReal *res, const dReal *a)
{
    int i;
    for (i = 0; i < 4; ++i)
        res[i] = a[i];
}

/* Both copy three rows, whole ones of four elements or the first three elements of each. */
ODE_PURE_INLINE void dCopyMatrix4x4(dReal *res, const dReal *a)
{
    int i;
    for (i = 0; i < 3; ++i)
        dCopyVector4(res + 4 * i, a + 4 * i);
}

ODE_PURE_INLINE void dCopyMatrix4x3(dReal *res, const dReal *a)
{
    int i;
    for (i = 0; i < 3; ++i)
        dCopyVector3(res + 4 * i, a + 4 * i);
}

ODE_PURE_INLINE void dGetMatrixColumn3(dReal *res, const dReal *a, unsigned n)
{
    dAssignVector3(res, a[n], a[n + 4], a[n + 8]);
}

/* The suffixes of products of vectors are the strides of their elements. */
ODE_PURE_INLINE dReal _dCalcVectorDot3(const dReal *a, const dReal *b, unsigned step_a,
                                       unsigned step_b)
{
    return a[0] * b[0] + a[step_a] * b[step_b] + a[2 * step_a] * b[2 * step_b];
}

#define _dDOT3_OF(name, step_a, step_b) \
    ODE_PURE_INLINE dReal name(const dReal *a, const dReal *b) \
    { \
        return _dCalcVectorDot3(a, b, step_a, step_b); \
    }
/* clang-format off */
_dDOT3_OF(dCalcVectorDot3, 1, 1)
_dDOT3_OF(dCalcVectorDot3_13, 1, 3)
_dDOT3_OF(dCalcVectorDot3_31, 3, 1)
_dDOT3_OF(dCalcVectorDot3_33, 3, 3)
_dDOT3_OF(dCalcVectorDot3_14, 1, 4)
_dDOT3_OF(dCalcVectorDot3_41, 4, 1)
_dDOT3_OF(dCalcVectorDot3_44, 4, 4)
#undef _dDOT3_OF

ODE_PURE_INLINE dReal dCalcVectorLengthSquare3(const dReal *a)
{
    return dCalcVectorDot3(a, a);
}
/* clang-format on */

ODE_PURE_INLINE dReal dCalcVectorLength3(const dReal *a)
{
    return dSqrt(dCalcVectorLengthSquare3(a));
}

ODE_PURE_INLINE dReal dCalcPointsDistance3(const dReal *a, const dReal *b)
{
    dReal apart[3];
    dSubtractVectors3(apart, a, b);
    return dCalcVectorLength3(apart);
}

/* How far test_p is behind the plane through plane_p. */
ODE_PURE_INLINE dReal dCalcPointDepth3(const dReal *test_p, const dReal *plane_p,
                                       const dReal *plane_n)
{
    dReal way[3];
    dSubtractVectors3(way, plane_p, test_p);
    return dCalcVectorDot3(way, plane_n);
}

ODE_PURE_INLINE void _dCalcVectorCross3(dReal *res, const dReal *a, const dReal *b,
                                        unsigned step_res, unsigned step_a, unsigned step_b)
{
    dReal x = a[step_a] * b[2 * step_b] - a[2 * step_a] * b[step_b];
    dReal y = a[2 * step_a] * b[0] - a[0] * b[2 * step_b];
    dReal z = a[0] * b[step_b] - a[step_a] * b[0];
    res[0] = x;
    res[step_res] = y;
    res[2 * step_res] = z;
}

#define _dCROSS3_OF(name, step_res, step_a, step_b) \
    ODE_PURE_INLINE void name(dReal *res, const dReal *a, const dReal *b) \
    { \
        _dCalcVectorCross3(res, a, b, step_res, step_a, step_b); \
    }
/* clang-format off */
_dCROSS3_OF(dCalcVectorCross3, 1, 1, 1)
_dCROSS3_OF(dCalcVectorCross3_114, 1, 1, 4)
_dCROSS3_OF(dCalcVectorCross3_141, 1, 4, 1)
_dCROSS3_OF(dCalcVectorCross3_144, 1, 4, 4)
_dCROSS3_OF(dCalcVectorCross3_411, 4, 1, 1)
_dCROSS3_OF(dCalcVectorCross3_414, 4, 1, 4)
_dCROSS3_OF(dCalcVectorCross3_441, 4, 4, 1)
_dCROSS3_OF(dCalcVectorCross3_444, 4, 4, 4)
#undef _dCROSS3_OF

ODE_PURE_INLINE void dAddVectorCross3(dReal *res, const dReal *a, const dReal *b)
{
    dReal cross[3];
    dCalcVectorCross3(cross, a, b);
    dAddVectors3(res, res, cross);
}
/* clang-format on */

ODE_PURE_INLINE void dSubtractVectorCross3(dReal *res, const dReal *a, const dReal *b)
{
    dReal cross[3];
    dCalcVectorCross3(cross, a, b);
    dSubtractVectors3(res, res, cross);
}

/* The matrix that multiplies by a from the left as a cross product, or by its negative. Its
   diagonal is not written. */
ODE_PURE_INLINE void dSetCrossMatrixPlus(dReal *res, const dReal *a, unsigned skip)
{
    dReal x = a[0], y = a[1], z = a[2];
    res[1] = -z;
    res[2] = y;
    res[skip] = z;
    res[skip + 2] = -x;
    res[2 * skip] = -y;
    res[2 * skip + 1] = x;
}

ODE_PURE_INLINE void dSetCrossMatrixMinus(dReal *res, const dReal *a, unsigned skip)
{
    dReal negative[3];
    dCopyNegatedVector3(negative, a);
    dSetCrossMatrixPlus(res, negative, skip);
}

/* Products: 0 is a b, 1 is a^T b, 2 is a b^T; 331 is a matrix by a column, 133 a row by a matrix.
   Those with Add add to res. In dMultiplyHelper1_133() the row b has elements four apart. */
ODE_PURE_INLINE void dMultiplyHelper0_331(dReal *res, const dReal *a, const dReal *b)
{
    dAssignVector3(res, dCalcVectorDot3(a, b), dCalcVectorDot3(a + 4, b),
                   dCalcVectorDot3(a + 8, b));
}

ODE_PURE_INLINE void dMultiplyHelper1_331(dReal *res, const dReal *a, const dReal *b)
{
    dAssignVector3(res, dCalcVectorDot3_41(a, b), dCalcVectorDot3_41(a + 1, b),
                   dCalcVectorDot3_41(a + 2, b));
}

ODE_PURE_INLINE void dMultiplyHelper1_133(dReal *res, const dReal *a, const dReal *b)
{
    dAssignVector3(res, dCalcVectorDot3_44(a, b), dCalcVectorDot3_44(a + 1, b),
                   dCalcVectorDot3_44(a + 2, b));
}

ODE_PURE_INLINE void dMultiplyHelper0_133(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper1_331(res, b, a);
}

ODE_PURE_INLINE void dMultiply0_331(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper0_331(res, a, b);
}

ODE_PURE_INLINE void dMultiply1_331(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper1_331(res, a, b);
}

ODE_PURE_INLINE void dMultiply0_133(dReal *res, const dReal *a, const dReal *b)
{
    dMultiplyHelper0_133(res, a, b);
}

ODE_PURE_INLINE void dMultiplyAdd0_331(dReal *res, const dReal *a, const dReal *b)
{
    dReal sum[3];
    dMultiplyHelper0_331(sum, a, b);
    dAddVectors3(res, res, sum);
}

ODE_PURE_INLINE void dMultiplyAdd1_331(dReal *res, const dReal *a, const dReal *b)
{
    dReal sum[3];
    dMultiplyHelper1_331(sum, a, b);
    dAddVectors3(res, res, sum);
}

ODE_PURE_INLINE void dMultiplyAdd0_133(dReal *res, const dReal *a, const dReal *b)
{
    dReal sum[3];
    dMultiplyHelper0_133(sum, a, b);
    dAddVectors3(res, res, sum);
}

ODE_PURE_INLINE void dMultiply0_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper0_133(sum + 4 * i, a + 4 * i, b);
    for (i = 0; i < 3; ++i)
        dCopyVector3(res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE void dMultiplyAdd0_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper0_133(sum + 4 * i, a + 4 * i, b);
    for (i = 0; i < 3; ++i)
        dAddVectors3(res + 4 * i, res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE void dMultiply1_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper1_133(sum + 4 * i, b, a + i);
    for (i = 0; i < 3; ++i)
        dCopyVector3(res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE void dMultiplyAdd1_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper1_133(sum + 4 * i, b, a + i);
    for (i = 0; i < 3; ++i)
        dAddVectors3(res + 4 * i, res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE void dMultiply2_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper0_331(sum + 4 * i, b, a + 4 * i);
    for (i = 0; i < 3; ++i)
        dCopyVector3(res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE void dMultiplyAdd2_333(dReal *res, const dReal *a, const dReal *b)
{
    dMatrix3 sum;
    int i;
    for (i = 0; i < 3; ++i)
        dMultiplyHelper0_331(sum + 4 * i, b, a + 4 * i);
    for (i = 0; i < 3; ++i)
        dAddVectors3(res + 4 * i, res + 4 * i, sum + 4 * i);
}

ODE_PURE_INLINE dReal dCalcMatrix3Det(const dReal *mat)
{
    dReal cross[3];
    dCalcVectorCross3(cross, mat + 4, mat + 8);
    return dCalcVectorDot3(mat, cross);
}

/* Gives the determinant. If it is 0, dst is not written. */
ODE_PURE_INLINE dReal dInvertMatrix3(dReal *dst, const dReal *ma)
{
    dReal columns[9];
    dReal det = dCalcMatrix3Det(ma);
    int i;
    if (det == 0)
        return 0;
    for (i = 0; i < 3; ++i)
        dCalcVectorCross3(columns + 3 * i, ma + 4 * ((i + 1) % 3), ma + 4 * ((i + 2) % 3));
    for (i = 0; i < 3; ++i)
        dAssignVector3(dst + 4 * i, columns[i] / det, columns[3 + i] / det, columns[6 + i] / det);
    return det;
}

#include <ode/odemath_legacy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Scale to unit length, 1. What has no direction stays: zero or what is not finite. The safe ones
   give 0 then, with the others it is an error. */
ODE_API int dSafeNormalize3(dVector3 a);
ODE_API int dSafeNormalize4(dVector4 a);
ODE_API void dNormalize3(dVector3 a);
ODE_API void dNormalize4(dVector4 a);

/* Two directions p and q = n x p at right angles to n, which has unit length. */
ODE_API void dPlaneSpace(const dVector3 n, dVector3 p, dVector3 q);

/* Makes m a rotation: the first row keeps its direction, the second one its plane with the first,
   the third one follows. 0 if the first two make no plane; m stays. */
ODE_API int dOrthogonalizeR(dMatrix3 m);

#ifdef __cplusplus
}
#endif

#endif
