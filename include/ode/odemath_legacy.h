/* Old names, for programs that still use them. The macros evaluate an argument several times. */
#ifndef _ODE_ODEMATH_LEGACY_H_
#define _ODE_ODEMATH_LEGACY_H_

#include <ode/odemath.h>

/* It takes operators that are arguments for something else. */
/* clang-format off */

#define _dFOR_EACH_OF_3(assignment) \
    do { \
        int _d_i; \
        for (_d_i = 0; _d_i < 3; ++_d_i) \
            assignment; \
    } while (0)

/* On each of three elements; c is one number where the name ends in C. */
#define dOP(a, op, b, c) _dFOR_EACH_OF_3((a)[_d_i] = (b)[_d_i] op (c)[_d_i])
#define dOPC(a, op, b, c) _dFOR_EACH_OF_3((a)[_d_i] = (b)[_d_i] op (c))
#define dOPE(a, op, b) _dFOR_EACH_OF_3((a)[_d_i] op (b)[_d_i])
#define dOPEC(a, op, c) _dFOR_EACH_OF_3((a)[_d_i] op (c))
#define dOPE2(a, op1, b, op2, c) _dFOR_EACH_OF_3((a)[_d_i] op1 (b)[_d_i] op2 (c)[_d_i])

/* a op b x c, where op assigns (= += -=). The elements are p, q and r places apart, or as many as
   the digits of a name say. The vectors may be the same. */
#define dCROSSpqr(a, op, b, c, p, q, r) \
    do { \
        dReal _d_cross[3]; \
        _dCalcVectorCross3(_d_cross, (b), (c), 1, (q), (r)); \
        (a)[0] op _d_cross[0]; \
        (a)[(p)] op _d_cross[1]; \
        (a)[2 * (p)] op _d_cross[2]; \
    } while (0)
#define dCROSS(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 1, 1)
#define dCROSS114(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 1, 4)
#define dCROSS141(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 4, 1)
#define dCROSS144(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 4, 4)
#define dCROSS411(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 1, 1)
#define dCROSS414(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 1, 4)
#define dCROSS441(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 4, 1)
#define dCROSS444(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 4, 4)

/* The matrix of a cross product by a, for the signs + -, or its negative, for - +. Its diagonal is
   not written. The element of a that is neither row nor column stands at both of their places. */
#define dCROSSMAT(A, a, skip, plus, minus) \
    do { \
        int _d_i = 0, _d_j = 1, _d_k = 2; \
        for (; _d_i < 3; _d_j = _d_k, _d_k = _d_i++) { \
            (A)[_d_k * (skip) + _d_j] = plus (a)[_d_i]; \
            (A)[_d_j * (skip) + _d_k] = minus (a)[_d_i]; \
        } \
    } while (0)

/* clang-format on */

#define dLENGTHSQUARED(a) dCalcVectorLengthSquare3(a)
#define dLENGTH(a) dCalcVectorLength3(a)
#define dDISTANCE(a, b) dCalcPointsDistance3(a, b)

#define dDOT(a, b) dCalcVectorDot3(a, b)
#define dDOT13(a, b) dCalcVectorDot3_13(a, b)
#define dDOT31(a, b) dCalcVectorDot3_31(a, b)
#define dDOT33(a, b) dCalcVectorDot3_33(a, b)
#define dDOT14(a, b) dCalcVectorDot3_14(a, b)
#define dDOT41(a, b) dCalcVectorDot3_41(a, b)
#define dDOT44(a, b) dCalcVectorDot3_44(a, b)

#define dMULTIPLY0_331(A, B, C) dMultiply0_331(A, B, C)
#define dMULTIPLY1_331(A, B, C) dMultiply1_331(A, B, C)
#define dMULTIPLY0_133(A, B, C) dMultiply0_133(A, B, C)
#define dMULTIPLY0_333(A, B, C) dMultiply0_333(A, B, C)
#define dMULTIPLY1_333(A, B, C) dMultiply1_333(A, B, C)
#define dMULTIPLY2_333(A, B, C) dMultiply2_333(A, B, C)

#define dMULTIPLYADD0_331(A, B, C) dMultiplyAdd0_331(A, B, C)
#define dMULTIPLYADD1_331(A, B, C) dMultiplyAdd1_331(A, B, C)
#define dMULTIPLYADD0_133(A, B, C) dMultiplyAdd0_133(A, B, C)
#define dMULTIPLYADD0_333(A, B, C) dMultiplyAdd0_333(A, B, C)
#define dMULTIPLYADD1_333(A, B, C) dMultiplyAdd1_333(A, B, C)
#define dMULTIPLYADD2_333(A, B, C) dMultiplyAdd2_333(A, B, C)

#endif
