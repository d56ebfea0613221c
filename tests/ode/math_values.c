/* math_values.c: what ODE's mathematics give for fixed and pseudo-random arguments. The program is
 * built with libode and with the ODE face, and compare_scenarios.py holds the numbers against each
 * other. Each line is a name, how far numbers may be off, and the numbers. What the two differ in
 * on purpose, as for bad arguments, is in the unit tests. */
#include <ode/ode.h>

#include <stdint.h>

enum { MOST = 12, SKIP = 12, ROUNDS = 40 };

/* --- arguments and results */

static uint64_t seed = 88172645463325252u;

/* -1 to 1 */
static dReal draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (dReal)(seed >> 11) / (dReal)4503599627370496.0 - 1;
}

static void draw_many(dReal *out, int count)
{
    for (int i = 0; i < count; ++i)
        out[i] = draw();
}

/* Rows of dPAD(n) elements, whose diagonal outweighs the rest. */
static void draw_definite(dReal *A, int n, int skip)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            A[i * skip + j] = A[j * skip + i] = draw() + (i == j ? (dReal)(n + 1) : 0);
}

static void fill(dReal *a, int count)
{
    for (int i = 0; i < count; ++i)
        a[i] = (dReal)0.625; /* shows what is left alone */
}

static void tell(double x)
{
    printf(" %.17g", x);
}

static void tell_many(const dReal *a, int count)
{
    for (int i = 0; i < count; ++i)
        tell((double)a[i]);
}

static void tell_mass(const dMass *m)
{
    tell((double)m->mass);
    tell_many(m->c, 4);
    tell_many(m->I, 12);
}

/* --- misc.h */

static void random_numbers(void)
{
    static const unsigned long seeds[] = {0, 1, 5, 77, 0x7fffffff, 0xffffffff};
    tell(dTestRand());
    for (int i = 0; i < 6; ++i) {
        dRandSetSeed(seeds[i]);
        tell((double)dRandGetSeed());
        for (int j = 0; j < 20; ++j)
            tell((double)dRand());
        tell((double)dRandGetSeed());
    }
    for (int i = 0; i < 100; ++i)
        tell((double)dRandReal());
}

static void random_integers(void)
{
    static const int ranges[] = {0,   1,   2,   3,   4,    5,     7,     8,     15,      16,
                                 17,  31,  100, 255, 256,  257,   1000,  65535, 65536,   65537,
                                 1e6, 2e9, 64,  32,  1025, 40000, 70000, 12,    INT_MAX, 6};
    dRandSetSeed(12345);
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j < 50; ++j)
            tell(dRandInt(ranges[i]));
}

static void random_matrices(void)
{
    dReal A[48];
    for (int n = 1; n <= 5; ++n) {
        fill(A, 48);
        dRandSetSeed((unsigned long)n);
        dMakeRandomMatrix(A, n, n, (dReal)2.5);
        tell_many(A, 48);
        dClearUpperTriangle(A, n);
        tell_many(A, 48);
        fill(A, 48);
        dMakeRandomVector(A, n, 3);
        tell_many(A, 8);
        fill(A, 48);
        dMakeRandomMatrix(A, n, 1, 1);
        tell_many(A, 8);
    }
}

static void differences(void)
{
    dReal A[MOST * SKIP], B[MOST * SKIP];
    for (int n = 1; n <= MOST; ++n) {
        draw_many(A, MOST * SKIP);
        draw_many(B, MOST * SKIP);
        tell((double)dMaxDifference(A, B, n, 13 - n));
        tell((double)dMaxDifferenceLowerTriangle(A, B, n));
    }
}

static void printed(void)
{
    dReal A[16];
    draw_many(A, 16);
    FILE *file = tmpfile();
    dPrintMatrix(A, 3, 3, "%10.4f ", file);
    dPrintMatrix(A, 2, 1, "%g", file);
    dPrintMatrix(A, 1, 5, "<%e>", file);
    dPrintMatrix(A, 2, 0, "%g", file);
    rewind(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        tell(c);
    fclose(file);
}

/* --- timer.h: all that is no time */

static void stopwatches(void)
{
    dStopwatch watch;
    watch.time = 5;
    dStopwatchReset(&watch);
    tell(watch.time);
    tell(dStopwatchTime(&watch));
    dStopwatchStart(&watch);
    dStopwatchStop(&watch);
    tell(watch.time >= 0 && dStopwatchTime(&watch) < 10);
    tell(dTimerTicksPerSecond() >= 1e6);
    tell(dTimerResolution() > 0 && dTimerResolution() < 0.01);
}

/* --- mass.h */

static void solids(void)
{
    dMass m;
    for (int i = 0; i < ROUNDS; ++i) {
        dReal d = 2 + draw(), x = 2 + draw(), y = 2 + draw(), z = 2 + draw();
        int direction = i % 3 + 1;
        dMassSetSphere(&m, d, x), tell_mass(&m);
        dMassSetSphereTotal(&m, d, x), tell_mass(&m);
        dMassSetCapsule(&m, d, direction, x, y), tell_mass(&m);
        dMassSetCapsuleTotal(&m, d, direction, x, y), tell_mass(&m);
        dMassSetCylinder(&m, d, direction, x, y), tell_mass(&m);
        dMassSetCylinderTotal(&m, d, direction, x, y), tell_mass(&m);
        dMassSetBox(&m, d, x, y, z), tell_mass(&m);
        dMassSetBoxTotal(&m, d, x, y, z), tell_mass(&m);
        dMassSetParameters(&m, d, x, y, z, 130 + x, 130 + y, 130 + z, d - 2, x - 2, y - 2);
        tell_mass(&m);
        dMassSetZero(&m), tell_mass(&m);
    }
}

/* Its messages are not compared, only whether there was one. */
static int messages;

static void count(int number, const char *text, va_list ap)
{
    (void)number;
    (void)text;
    (void)ap;
    ++messages;
}

static void bad_solids(void)
{
    dMass m;
    dSetMessageHandler(count);
    messages = 0;
    dMassSetSphere(&m, 0, 1), tell_mass(&m), tell(messages);
    dMassSetSphereTotal(&m, 1, 0), tell_mass(&m), tell(messages);
    dMassSetBox(&m, -2, 1, 2, 3), tell_mass(&m), tell(messages);
    dMassSetBox(&m, 2, 1, 0, 3), tell_mass(&m), tell(messages);
    dMassSetBoxTotal(&m, 2, 1, 0, 3), tell_mass(&m), tell(messages);
    dMassSetCapsule(&m, 2, 1, 1, 0), tell_mass(&m), tell(messages);
    dMassSetCylinder(&m, 2, 2, 1, 0), tell_mass(&m), tell(messages);
    dMassSetCylinderTotal(&m, 2, 3, 1, 0), tell_mass(&m), tell(messages);
    dMassSetParameters(&m, 1, 5, 0, 0, 1, 1, 1, 0, 0, 0), tell_mass(&m), tell(messages);
    tell(dMassCheck(&m)), tell(messages);
    dMassSetParameters(&m, 1, 0, 0, 0, 1, -1, 1, 0, 0, 0), tell_mass(&m), tell(messages);
    dMassSetZero(&m);
    tell(dMassCheck(&m)), tell(messages);
    dSetMessageHandler(NULL);
}

static void moved_masses(void)
{
    dMass m, other;
    dMatrix3 R;
    dMassSetBox(&m, 3, 1, 2, 4);
    for (int i = 0; i < ROUNDS; ++i) {
        dMassTranslate(&m, draw(), draw(), draw()), tell_mass(&m);
        dRFromAxisAndAngle(R, draw(), draw(), draw(), 3 * draw());
        dMassRotate(&m, R), tell_mass(&m);
        dMassSetCapsule(&other, 2 + draw(), 3, 1, 2);
        dMassAdd(&m, &other), tell_mass(&m);
        dMassAdjust(&m, 20 + draw()), tell_mass(&m);
        tell(dMassCheck(&m));
    }
}

/* --- rotation.h and odemath.h */

static void rotations(void)
{
    dMatrix3 R;
    fill(R, 12), dRSetIdentity(R), tell_many(R, 12);
    for (int i = 0; i < ROUNDS; ++i) {
        dReal v[6];
        draw_many(v, 6);
        fill(R, 12), dRFromAxisAndAngle(R, v[0], v[1], v[2], 9 * v[3]), tell_many(R, 12);
        fill(R, 12), dRFromEulerAngles(R, 9 * v[0], 9 * v[1], 9 * v[2]), tell_many(R, 12);
        fill(R, 12), dRFrom2Axes(R, v[0], v[1], v[2], v[3], v[4], v[5]), tell_many(R, 12);
        fill(R, 12), dRFromZAxis(R, v[0], v[1], v[2]), tell_many(R, 12);
        fill(R, 12), dRfromQ(R, v), tell_many(R, 12);
    }
    fill(R, 12), dRFromAxisAndAngle(R, 0, 0, 0, 1), tell_many(R, 12);
    fill(R, 12), dRFromAxisAndAngle(R, 1, 2, 3, 100000), tell_many(R, 12);
    fill(R, 12), dRFromZAxis(R, 0, 0, -1), tell_many(R, 12);
    dSetMessageHandler(count);
    messages = 0;
    fill(R, 12), dRFrom2Axes(R, 1, 2, 3, 2, 4, 6), tell_many(R, 12), tell(messages);
    fill(R, 12), dRFrom2Axes(R, 0, 0, 0, 2, 4, 6), tell_many(R, 12), tell(messages);
    fill(R, 12), dRFrom2Axes(R, 1, 0, 0, 0, 0, 0), tell_many(R, 12), tell(messages);
    dSetMessageHandler(NULL);
}

static void quaternions(void)
{
    dQuaternion q;
    dMatrix3 R;
    fill(q, 4), dQSetIdentity(q), tell_many(q, 4);
    for (int i = 0; i < ROUNDS; ++i) {
        dReal a[4], b[4];
        draw_many(a, 4), draw_many(b, 4);
        dQMultiply0(q, a, b), tell_many(q, 4);
        dQMultiply1(q, a, b), tell_many(q, 4);
        dQMultiply2(q, a, b), tell_many(q, 4);
        dQMultiply3(q, a, b), tell_many(q, 4);
        dDQfromW(q, a, b), tell_many(q, 4);
        dQFromAxisAndAngle(q, a[0], a[1], a[2], 9 * a[3]), tell_many(q, 4);
        dRfromQ(R, q), dQfromR(q, R), tell_many(q, 4);
        dRFromAxisAndAngle(R, b[0], b[1], b[2], (dReal)M_PI * b[3]), dQfromR(q, R), tell_many(q, 4);
    }
    dQFromAxisAndAngle(q, 0, 0, 0, 1), tell_many(q, 4);
}

static void directions(void)
{
    for (int i = 0; i < ROUNDS; ++i) {
        dReal v[4], w[4], p[4], q[4];
        draw_many(v, 4);
        dCopyVector4(w, v), tell(dSafeNormalize3(w)), tell_many(w, 4);
        dCopyVector4(w, v), tell(dSafeNormalize4(w)), tell_many(w, 4);
        dCopyVector4(w, v), dNormalize4(w), tell_many(w, 4);
        dCopyVector4(w, v), dNormalize3(w), tell_many(w, 4);
        fill(p, 4), fill(q, 4), dPlaneSpace(w, p, q), tell_many(p, 4), tell_many(q, 4);
    }
    dReal zero[4] = {0, 0, 0, 0};
    tell(dSafeNormalize3(zero)), tell(dSafeNormalize4(zero)), tell_many(zero, 4);
    dReal large[4] = {(dReal)3e200, 0, (dReal)4e200, 5};
    tell(dSafeNormalize3(large)), tell_many(large, 4);
}

/* Rows that are at right angles; with others libode leaves the second one as it is. */
static void orthogonal(void)
{
    static const dReal rows[][12] = {
        {2, 0, 0, 7, 0, 3, 4, 7, 9, 9, 9, 7},  {0, -1, 0, 7, 5, 0, 1, 7, 1, 2, 3, 7},
        {0, 0, 1, 7, 1, 0, 0, 7, 0, -1, 0, 7}, {0, 0, 0, 7, 0, 1, 0, 7, 0, 0, 1, 7},
        {1, 0, 0, 7, 0, 0, 0, 7, 0, 0, 1, 7},  {1, 0, 0, 7, 2, 0, 0, 7, 0, 0, 1, 7}};
    for (int i = 0; i < 6; ++i) {
        dMatrix3 m;
        for (int k = 0; k < 12; ++k)
            m[k] = rows[i][k];
        tell(dOrthogonalizeR(m));
        tell_many(m, 12);
    }
}

/* --- matrix.h */

static void vectors(void)
{
    dReal a[20], b[20];
    for (int n = 0; n <= 20; ++n) {
        draw_many(a, 20), draw_many(b, 20);
        tell((double)dDot(a, b, n));
        dScaleVector(a, b, n), tell_many(a, 20);
        dSetValue(a, n / 2, (dReal)1.25), tell_many(a, 20);
        dSetZero(a, n / 3), tell_many(a, 20);
    }
}

static void products(void)
{
    dReal A[MOST * SKIP], B[MOST * SKIP], C[MOST * SKIP];
    for (int p = 1; p <= 6; ++p)
        for (int q = 1; q <= 6; ++q)
            for (int r = 1; r <= 6; ++r) {
                draw_many(B, MOST * SKIP), draw_many(C, MOST * SKIP);
                fill(A, 48), dMultiply0(A, B, C, p, q, r), tell_many(A, 48);
                fill(A, 48), dMultiply1(A, B, C, p, q, r), tell_many(A, 48);
                fill(A, 48), dMultiply2(A, B, C, p, q, r), tell_many(A, 48);
            }
}

static void cholesky(void)
{
    dReal A[MOST * SKIP], inverse[MOST * SKIP], b[MOST];
    for (int n = 1; n <= MOST; ++n) {
        int skip = dPAD(n);
        draw_many(A, MOST * SKIP);
        draw_definite(A, n, skip);
        fill(inverse, MOST * SKIP);
        tell(dIsPositiveDefinite(A, n)), tell_many(A, n * skip);
        tell(dInvertPDMatrix(A, inverse, n));
        for (int i = 0; i < n; ++i)
            tell_many(inverse + i * skip, n);
        tell(dFactorCholesky(A, n)), tell_many(A, n * skip);
        draw_many(b, MOST);
        dSolveCholesky(A, b, n), tell_many(b, MOST);
        A[(n - 1) * (skip + 1)] = -3;
        fill(inverse, MOST * SKIP);
        tell(dIsPositiveDefinite(A, n));
        tell(dInvertPDMatrix(A, inverse, n)), tell_many(inverse, n * skip);
        tell(dFactorCholesky(A, n));
    }
}

static void ldlt(void)
{
    dReal A[MOST * SKIP], d[MOST], b[MOST], x[MOST];
    for (int n = 1; n <= MOST; ++n) {
        draw_many(A, MOST * SKIP), draw_many(d, MOST), draw_many(b, MOST);
        draw_definite(A, n, SKIP);
        dFactorLDLT(A, d, n, SKIP), tell_many(A, MOST * SKIP), tell_many(d, MOST);
        for (int i = 0; i < MOST; ++i)
            x[i] = b[i];
        dSolveL1(A, x, n, SKIP), tell_many(x, MOST);
        dSolveL1T(A, x, n, SKIP), tell_many(x, MOST);
        dSolveLDLT(A, d, b, n, SKIP), tell_many(b, MOST);
    }
}

/* What is defined afterwards of factors of n rows: below the diagonal, and d. */
static void tell_factors(const dReal *L, const dReal *d, int n)
{
    for (int i = 0; i < n; ++i)
        tell_many(L + i * SKIP, i);
    tell_many(d, n);
}

static void ldlt_updates(void)
{
    dReal A[MOST * SKIP], L[MOST * SKIP], d[MOST], a[MOST], *rows[MOST];
    int p[MOST];
    for (int i = 0; i < MOST; ++i)
        rows[i] = A + i * SKIP;
    draw_definite(A, MOST, SKIP);
    for (int n = 1; n <= MOST; ++n) {
        for (int k = 0; k < MOST * SKIP; ++k)
            L[k] = A[k];
        dFactorLDLT(L, d, n, SKIP);
        draw_many(a, MOST);
        a[0] = 2 + a[0];
        dLDLTAddTL(L, d, a, n, SKIP), tell_factors(L, d, n);
    }
    for (int n = 1; n <= MOST; ++n)
        for (int r = 0; r < n; ++r) {
            for (int i = 0; i < n; ++i)
                p[i] = (5 * i + 3) % MOST;
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    L[i * SKIP + j] = rows[p[i]][p[j]];
            dFactorLDLT(L, d, n, SKIP);
            dLDLTRemove(rows, p, L, d, MOST, n, r, SKIP), tell_factors(L, d, n - 1);
            draw_many(L, MOST * SKIP);
            dRemoveRowCol(L, n, SKIP, r), tell_many(L, MOST * SKIP);
        }
}

/* --- cooperative.h and matrix_coop.h. Estimates end libode where no threads are given. */

static void cooperation(void)
{
    dCooperativeID cooperative = dCooperativeCreate(NULL, NULL);
    dResourceRequirementsID requirements = dResourceRequirementsCreate(cooperative);
    dResourceRequirementsID copy = dResourceRequirementsClone(requirements);
    dResourceRequirementsMergeIn(requirements, copy);
    dResourceContainerID resources = dResourceContainerAcquire(requirements);
    dReal A[MOST * SKIP], d[MOST], b[MOST];
    for (unsigned n = 1; n <= 8; ++n) {
        draw_many(A, MOST * SKIP), draw_many(d, MOST), draw_many(b, MOST);
        draw_definite(A, (int)n, SKIP);
        dCooperativelyFactorLDLT(resources, 1, A, d, n, SKIP);
        tell_many(A, MOST * SKIP), tell_many(d, MOST);
        dCooperativelySolveL1Straight(resources, 1, A, b, n, SKIP), tell_many(b, MOST);
        dCooperativelySolveL1Transposed(resources, 1, A, b, n, SKIP), tell_many(b, MOST);
        dCooperativelySolveLDLT(resources, 1, A, d, b, n, SKIP), tell_many(b, MOST);
        dCooperativelyScaleVector(resources, 1, b, d, n), tell_many(b, MOST);
    }
    dResourceContainerDestroy(resources);
    dResourceRequirementsDestroy(copy);
    dResourceRequirementsDestroy(requirements);
    dCooperativeDestroy(cooperative);
}

/* --- odemath.h: inline functions */

static void small_vectors(void)
{
    for (int i = 0; i < ROUNDS; ++i) {
        dReal a[16], b[16], c[16], to[16];
        draw_many(a, 16), draw_many(b, 16), draw_many(c, 16), draw_many(to, 16);
        dAddVectors3(to, a, b), tell_many(to, 4);
        dSubtractVectors3(to, b, c), tell_many(to, 4);
        dAddVectorScaledVector3(to, a, b, c[0]), tell_many(to, 4);
        dAddScaledVectors3(to, a, b, c[1], c[2]), tell_many(to, 4);
        dAddThreeScaledVectors3(to, a, b, c, a[5], b[5], c[5]), tell_many(to, 4);
        dScaleVector3(to, a[6]), tell_many(to, 4);
        dCopyScaledVector3(to, b, a[7]), tell_many(to, 4);
        dCopyNegatedVector3(to, c), tell_many(to, 4);
        dNegateVector3(to), tell_many(to, 4);
        dGetMatrixColumn3(to, a, 2), tell_many(to, 4);
        dAssignVector3(to, c[3], c[4], c[5]), tell_many(to, 4);
        dAddVectorCross3(to, a, b), tell_many(to, 4);
        dSubtractVectorCross3(to, b, c), tell_many(to, 4);
        dCopyVector3(to, c), tell_many(to, 4);
        dCopyVector4(to, a), tell_many(to, 16);
        dCopyMatrix4x3(to, b), tell_many(to, 16);
        dCopyMatrix4x4(to, c), tell_many(to, 16);
        tell((double)(dCalcPointDepth3(a, b, c) + dCalcPointsDistance3(a, b)));
        tell((double)(dCalcVectorLength3(a) + dCalcVectorLengthSquare3(b)));
        tell((double)(_dCalcVectorDot3(a, b, 2, 5) + dMin(a[0], b[0]) + 2 * dMax(a[0], b[0])));
        dSetCrossMatrixPlus(to, a, 4), tell_many(to, 16);
        dSetCrossMatrixMinus(to, b, 4), tell_many(to, 16);
    }
}

static void small_matrices(void)
{
    for (int i = 0; i < ROUNDS; ++i) {
        dReal a[16], b[16], to[16];
        draw_many(a, 16), draw_many(b, 16), draw_many(to, 16);
        dMultiplyHelper0_331(to, a, b), tell_many(to, 4);
        dMultiplyHelper1_331(to, a, b), tell_many(to, 4);
        dMultiplyHelper0_133(to, a, b), tell_many(to, 4);
        dMultiplyHelper1_133(to, a, b), tell_many(to, 4);
        _dCalcVectorCross3(to, a, b, 5, 2, 3), tell_many(to, 16);
        for (int k = 0; k < 3; ++k)
            a[5 * k] += 3;
        tell((double)dCalcMatrix3Det(a));
        tell((double)dInvertMatrix3(to, a)), tell_many(to, 16);
        dZeroVector3(to + 4), tell_many(to, 16);
        dZeroMatrix3(to), tell_many(to, 16);
        dZeroMatrix4(to), tell_many(to, 16);
    }
}

/* --- odemath_legacy.h */

static void old_names(void)
{
    for (int i = 0; i < ROUNDS; ++i) {
        dReal a[12], b[12], c[12];
        draw_many(a, 12), draw_many(b, 12), draw_many(c, 12);
        dOP(a, -, b, c);
        dOPC(a, *, b, 3);
        dOPE(a, +=, c);
        dOPEC(a, /=, 3);
        dOPE2(a, -=, b, *, c);
        tell_many(a, 12);
        dCROSS(a, =, b, c);
        tell_many(a, 12);
        dCROSS114(a, +=, b, c);
        tell_many(a, 12);
        dCROSS141(a, -=, b, c);
        tell_many(a, 12);
        dCROSS144(a, +=, b, c);
        tell_many(a, 12);
        dCROSS411(a, +=, b, c);
        tell_many(a, 12);
        dCROSS414(a, = -, b, c);
        tell_many(a, 12);
        dCROSS441(a, +=, b, c);
        tell_many(a, 12);
        dCROSS444(a, *=, b, c);
        tell_many(a, 12);
        dCROSSMAT(a, b, 4, +, -);
        tell_many(a, 12);
        dCROSSMAT(a, c, 3, -, +);
        tell_many(a, 12);
        tell((double)(dLENGTH(a) + dLENGTHSQUARED(b) + dDISTANCE(a, c)));
        tell((double)(dDOT(a, b) + 2 * dDOT13(a, b) + 3 * dDOT31(a, b) + 4 * dDOT33(a, b)));
        tell((double)(dDOT14(a, b) + 2 * dDOT41(a, b) + 3 * dDOT44(a, b)));
        dMULTIPLY0_331(a, b, c), tell_many(a, 12), dMULTIPLYADD0_331(a, b, c), tell_many(a, 12);
        dMULTIPLY1_331(a, b, c), tell_many(a, 12), dMULTIPLYADD1_331(a, b, c), tell_many(a, 12);
        dMULTIPLY0_133(a, b, c), tell_many(a, 12), dMULTIPLYADD0_133(a, b, c), tell_many(a, 12);
        dMULTIPLY0_333(a, b, c), tell_many(a, 12), dMULTIPLYADD0_333(a, b, c), tell_many(a, 12);
        dMULTIPLY1_333(a, b, c), tell_many(a, 12), dMULTIPLYADD1_333(a, b, c), tell_many(a, 12);
        dMULTIPLY2_333(a, b, c), tell_many(a, 12), dMULTIPLYADD2_333(a, b, c), tell_many(a, 12);
    }
}

/* clang-format off */
static const struct {
    const char *name;
    void (*tell)(void);
    double tolerance;
} values[] = {
    {"random numbers",     random_numbers,   0},
    {"random integers",    random_integers,  0},
    {"random matrices",    random_matrices,  1e-15},
    {"differences",        differences,      1e-15},
    {"printed matrices",   printed,          0},
    {"stopwatches",        stopwatches,      0},
    {"masses of solids",   solids,           1e-13},
    {"masses of no body",  bad_solids,       1e-13},
    {"masses that move",   moved_masses,     1e-12},
    {"rotations",          rotations,        1e-13},
    {"quaternions",        quaternions,      1e-13},
    {"directions",         directions,       1e-14},
    {"orthogonal",         orthogonal,       1e-14},
    {"vectors",            vectors,          1e-14},
    {"products",           products,         1e-14},
    {"Cholesky",           cholesky,         1e-13},
    {"LDLT",               ldlt,             1e-13},
    {"LDLT, updates",      ldlt_updates,     1e-12},
    {"cooperation",        cooperation,      1e-13},
    {"vectors of three",   small_vectors,    1e-15},
    {"matrices of three",  small_matrices,   1e-14},
    {"old names",          old_names,        1e-13},
};
/* clang-format on */

int main(void)
{
    dInitODE2(0);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        printf("%s;%g;", values[i].name, values[i].tolerance);
        values[i].tell();
        printf("\n");
    }
    dCloseODE();
    return 0;
}
