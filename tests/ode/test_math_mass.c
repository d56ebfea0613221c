/* test_math_mass.c: masses and inertias of the ODE face, held against sums over small parts. */
#include "tests/ode/refusals.h"

#include <ode/mass.h>
#include <ode/rotation.h>

#include <string.h>

#define FAULT(function, what) #function ": the mass " what
#define NOT_ABOVE_0 "must be above 0"
#define NOT_DEFINITE "must have a positive definite inertia"
#define TOO_FAR "has its centre too far away for its inertia"

/* --- solids out of discs */

/* Mass and inertia about the axis and across it of discs of the radius `radius_at` has at x, of the
 * density 1, from -end to end (by the midpoint rule). */
typedef struct turned {
    double mass, along, across;
} turned;

typedef double radius_fn(double x, double r, double l);

static turned turned_solid(radius_fn *radius_at, double r, double l, double end)
{
    enum { DISCS = 20000 };
    turned sum = {0, 0, 0};
    for (int i = 0; i < DISCS; ++i) {
        double dx = 2 * end / DISCS, x = -end + (i + 0.5) * dx, at = radius_at(x, r, l);
        double m = 3.14159265358979323846 * at * at * dx;
        sum.mass += m;
        sum.along += m * at * at / 2;
        sum.across += m * (at * at / 4 + x * x);
    }
    return sum;
}

static double of_ball(double x, double r, double l)
{
    (void)l;
    return sqrt(fmax(r * r - x * x, 0));
}

static double of_rod(double x, double r, double l)
{
    (void)x;
    (void)l;
    return r;
}

static double of_capsule(double x, double r, double l)
{
    double beyond = fmax(fabs(x) - l / 2, 0);
    return sqrt(fmax(r * r - beyond * beyond, 0));
}

static void assert_about(double got, double want)
{
    assert_true(fabs(got - want) <= 1e-6 * fabs(want));
}

static void assert_turned(const dMass *m, double mass, int direction, const turned *want)
{
    assert_about(m->mass, mass);
    for (int i = 0; i < 12; ++i) {
        double inertia = i == 5 * (direction - 1) ? want->along : i % 5 == 0 ? want->across : 0;
        assert_about(m->I[i], inertia * mass / want->mass);
    }
    for (int i = 0; i < 4; ++i)
        assert_true(m->c[i] == 0);
}

static void fill(dMass *m)
{
    memset(m, 0x55, sizeof *m);
}

static void solids_weigh_what_their_parts_weigh(void **state)
{
    (void)state;
    const dReal r = (dReal)0.5, l = 3;
    turned ball = turned_solid(of_ball, r, 0, r), rod = turned_solid(of_rod, r, l, l / 2);
    turned capsule = turned_solid(of_capsule, r, l, l / 2 + r);
    dMass m;
    fill(&m);
    dMassSetSphere(&m, 2, r);
    assert_turned(&m, 2 * ball.mass, 1, &ball);
    fill(&m);
    dMassSetSphereTotal(&m, 7, r);
    assert_turned(&m, 7, 1, &ball);
    for (int direction = 1; direction <= 3; ++direction) {
        fill(&m);
        dMassSetCylinder(&m, 2, direction, r, l);
        assert_turned(&m, 2 * rod.mass, direction, &rod);
        fill(&m);
        dMassSetCylinderTotal(&m, 7, direction, r, l);
        assert_turned(&m, 7, direction, &rod);
        fill(&m);
        dMassSetCapsule(&m, 2, direction, r, l);
        assert_turned(&m, 2 * capsule.mass, direction, &capsule);
        fill(&m);
        dMassSetCapsuleTotal(&m, 7, direction, r, l);
        assert_turned(&m, 7, direction, &capsule);
    }
    dMassSetCapsule(&m, 2, 1, r, 0); /* a ball */
    assert_turned(&m, 2 * ball.mass, 1, &ball);
}

static void old_names_are_capsules(void **state)
{
    (void)state;
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
    void (*set)(dMass *, dReal, int, dReal, dReal) = dMassSetCappedCylinder;
    void (*set_total)(dMass *, dReal, int, dReal, dReal) = dMassSetCappedCylinderTotal;
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
    turned capsule = turned_solid(of_capsule, 1, 2, 2);
    dMass m;
    set(&m, 3, 2, 1, 2);
    assert_turned(&m, 3 * capsule.mass, 2, &capsule);
    set_total(&m, 3, 3, 1, 2);
    assert_turned(&m, 3, 3, &capsule);
}

static void boxes_are_given_by_their_sides(void **state)
{
    (void)state;
    dMass m;
    fill(&m);
    dMassSetBox(&m, 2, 1, 2, 3);
    assert_true(m.mass == 12);
    ASSERT_CLOSE(m.I[0], 13);
    ASSERT_CLOSE(m.I[5], 10);
    ASSERT_CLOSE(m.I[10], 5);
    assert_true(m.I[1] == 0 && m.I[4] == 0 && m.I[8] == 0 && m.I[3] == 0 && m.c[0] == 0);
    dMassSetBoxTotal(&m, 6, 1, 2, 3);
    assert_true(m.mass == 6);
    ASSERT_CLOSE(m.I[0], 6.5);
}

/* --- masses that no body has */

static void impossible_masses_are_told_and_kept(void **state)
{
    (void)state;
    dMass m;
    EXPECT_MESSAGE(dMassSetBox(&m, -2, 1, 2, 3), FAULT(dMassSetBox, NOT_ABOVE_0));
    assert_true(m.mass == -12 && m.I[0] < 0); /* a hole */
    EXPECT_MESSAGE(dMassSetBox(&m, 2, 1, 2, 0), FAULT(dMassSetBox, NOT_ABOVE_0));
    assert_true(m.mass == 0);
    EXPECT_MESSAGE(dMassSetSphere(&m, 0, 1), FAULT(dMassSetSphere, NOT_ABOVE_0));
    EXPECT_MESSAGE(dMassSetSphereTotal(&m, 1, 0), FAULT(dMassSetSphereTotal, NOT_DEFINITE));
    assert_true(m.mass == 1 && m.I[0] == 0);
    EXPECT_MESSAGE(dMassSetCapsuleTotal(&m, 3, 2, 0, 2), FAULT(dMassSetCapsuleTotal, NOT_DEFINITE));
    assert_true(m.mass == 3 && m.I[5] == 0); /* a line */
    ASSERT_CLOSE(m.I[0], 1);
    EXPECT_MESSAGE(dMassSetCapsuleTotal(&m, 3, 2, 0, 0), FAULT(dMassSetCapsuleTotal, NOT_DEFINITE));
    assert_true(m.I[0] == 0);
    dMassSetCylinderTotal(&m, 2, 1, 1, 0); /* a disc is a body */
    ASSERT_CLOSE(m.I[0], 1);
    ASSERT_CLOSE(m.I[5], 0.5);
}

static void masses_are_checked(void **state)
{
    (void)state;
    dMass m;
    dMassSetParameters(&m, 2, (dReal)0.1, (dReal)0.2, (dReal)0.3, 1, 2, 3, (dReal)0.4, (dReal)0.5,
                       (dReal)0.6);
    const dReal c[4] = {(dReal)0.1, (dReal)0.2, (dReal)0.3, 0};
    const dReal I[12] = {1,          (dReal)0.4, (dReal)0.5, 0,          (dReal)0.4, 2,
                         (dReal)0.6, 0,          (dReal)0.5, (dReal)0.6, 3,          0};
    assert_true(m.mass == 2);
    assert_memory_equal(m.c, c, sizeof c);
    assert_memory_equal(m.I, I, sizeof I);
    assert_int_equal(dMassCheck(&m), 1);
    dMassSetParameters(&m, 1, 0, 0, 0, 1, 1, 30, 0, 0, 0); /* no matter has it, but it can turn */
    assert_int_equal(dMassCheck(&m), 1);
    m.c[1] = 5;
    EXPECT_MESSAGE(assert_int_equal(dMassCheck(&m), 0), FAULT(dMassCheck, TOO_FAR));
    m.c[1] = dNaN;
    EXPECT_MESSAGE(assert_int_equal(dMassCheck(&m), 0), FAULT(dMassCheck, "is not finite"));
    m.c[1] = 0;
    m.I[5] = -1;
    EXPECT_MESSAGE(assert_int_equal(dMassCheck(&m), 0), FAULT(dMassCheck, NOT_DEFINITE));
    m.I[5] = dInfinity;
    EXPECT_MESSAGE(assert_int_equal(dMassCheck(&m), 0), FAULT(dMassCheck, "is not finite"));
    dMassSetZero(&m);
    assert_true(m.mass == 0 && m.c[1] == 0 && m.I[5] == 0);
    EXPECT_MESSAGE(assert_int_equal(dMassCheck(&m), 0), FAULT(dMassCheck, NOT_ABOVE_0));
    EXPECT_MESSAGE(dMassSetParameters(&m, 2, 3, 0, 0, 1, 2, 3, 0, 0, 0),
                   FAULT(dMassSetParameters, TOO_FAR));
    assert_true(m.c[0] == 3);
    dMassSetBox(&m, 1, (dReal)0.1, (dReal)0.1, (dReal)0.1);
    dReal far = sizeof(dReal) == sizeof(float) ? 3 : 1000;
    dMassTranslate(&m, far, 2 * far, 3 * far); /* its own inertia is small there, not gone */
    assert_int_equal(dMassCheck(&m), 1);
}

/* --- changes */

/* A few points with weights, whose mass and inertia are plain sums. */
enum { POINTS = 6 };
typedef struct cloud {
    double m[POINTS], x[POINTS][3];
} cloud;

static cloud make_cloud(void)
{
    cloud c;
    for (int i = 0; i < POINTS; ++i) {
        c.m[i] = 1.5 + (double)draw();
        for (int k = 0; k < 3; ++k)
            c.x[i][k] = (double)draw() * 2;
    }
    return c;
}

static void assert_cloud(const dMass *got, const cloud *c)
{
    double mass = 0, center[3] = {0}, I[3][3] = {{0}};
    for (int i = 0; i < POINTS; ++i) {
        const double *x = c->x[i];
        mass += c->m[i];
        for (int j = 0; j < 3; ++j) {
            center[j] += c->m[i] * x[j];
            for (int k = 0; k < 3; ++k)
                I[j][k] += c->m[i] *
                           ((j == k) * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - x[j] * x[k]);
        }
    }
    assert_true(fabs(got->mass - mass) <= 100 * CLOSE * mass);
    for (int j = 0; j < 3; ++j) {
        assert_true(fabs(got->c[j] - center[j] / mass) <= 100 * CLOSE);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(got->I[4 * j + k] - I[j][k]) <= 100 * CLOSE * I[j][j]);
            assert_true(got->I[4 * j + k] == got->I[4 * k + j]);
        }
        assert_true(got->I[4 * j + 3] == 0);
    }
}

/* By the sums of above, since functions under test are not to make their own oracle. */
static dMass mass_of(const cloud *c)
{
    double mass = 0, center[3] = {0}, I[6] = {0};
    for (int i = 0; i < POINTS; ++i) {
        double m = c->m[i], x = c->x[i][0], y = c->x[i][1], z = c->x[i][2];
        mass += m;
        center[0] += m * x, center[1] += m * y, center[2] += m * z;
        I[0] += m * (y * y + z * z), I[1] += m * (x * x + z * z), I[2] += m * (x * x + y * y);
        I[3] -= m * x * y, I[4] -= m * x * z, I[5] -= m * y * z;
    }
    dMass out;
    dMassSetParameters(&out, (dReal)mass, (dReal)(center[0] / mass), (dReal)(center[1] / mass),
                       (dReal)(center[2] / mass), (dReal)I[0], (dReal)I[1], (dReal)I[2],
                       (dReal)I[3], (dReal)I[4], (dReal)I[5]);
    return out;
}

static void masses_move_and_turn_with_their_points(void **state)
{
    (void)state;
    for (int round = 0; round < 20; ++round) {
        cloud c = make_cloud();
        dMass m = mass_of(&c);
        assert_cloud(&m, &c);
        const dReal t[3] = {1, -2, 3};
        dMassTranslate(&m, t[0], t[1], t[2]);
        for (int i = 0; i < POINTS; ++i)
            for (int k = 0; k < 3; ++k)
                c.x[i][k] += t[k];
        assert_cloud(&m, &c);
        /* x goes to y, y to z, z to x; then a turn about z by 3-4-5 */
        const dMatrix3 R = {0,          (dReal)-0.8, (dReal)0.6, 0, 0, (dReal)0.6,
                            (dReal)0.8, 0,           -1,         0, 0, 0};
        dMassRotate(&m, R);
        for (int i = 0; i < POINTS; ++i) {
            double x = c.x[i][0], y = c.x[i][1], z = c.x[i][2];
            c.x[i][0] = -0.8 * y + 0.6 * z, c.x[i][1] = 0.6 * y + 0.8 * z, c.x[i][2] = -x;
        }
        assert_cloud(&m, &c);
    }
}

static void masses_add_up(void **state)
{
    (void)state;
    cloud c = make_cloud(), all = c, some = c;
    for (int i = 0; i < POINTS; ++i)
        *(i % 2 ? &all.m[i] : &some.m[i]) = 0;
    dMass m = mass_of(&c), a = mass_of(&all), b = mass_of(&some);
    dMassAdd(&a, &b);
    assert_cloud(&a, &c);
    for (int i = 0; i < POINTS; ++i)
        c.m[i] *= 2;
    dMass twice = m;
    dMassAdd(&twice, &twice);
    assert_cloud(&twice, &c);
    dMassAdjust(&m, twice.mass);
    assert_cloud(&m, &c);
    dMassSetZero(&a);
    dMassSetZero(&b);
    dMassAdd(&a, &b);
    assert_true(a.mass == 0 && a.c[0] == 0 && a.I[0] == 0);
    EXPECT_MESSAGE(dMassAdjust(&m, 0), FAULT(dMassAdjust, NOT_ABOVE_0));
    assert_true(m.mass == 0 && m.I[0] == 0);
    EXPECT_REFUSAL(dMassAdjust(&m, 5), "dMassAdjust: mass must not be 0: no factor changes it");
    assert_true(m.mass == 0 && m.I[0] == 0);
}

static void a_hole_takes_away(void **state)
{
    (void)state;
    dMass whole, hole, left, right;
    dMassSetBox(&whole, 2, 4, 1, 1);
    EXPECT_MESSAGE(dMassSetBox(&hole, -2, 2, 1, 1), FAULT(dMassSetBox, NOT_ABOVE_0));
    dMassAdd(&whole, &hole);
    dMassSetBox(&left, 2, 1, 1, 1);
    right = left;
    dMassTranslate(&left, (dReal)-1.5, 0, 0);
    dMassTranslate(&right, (dReal)1.5, 0, 0);
    dMassAdd(&left, &right);
    ASSERT_CLOSE(whole.mass, left.mass);
    for (int i = 0; i < 12; ++i)
        ASSERT_CLOSE(whole.I[i], left.I[i]);
    assert_int_equal(dMassCheck(&whole), 1);
}

static void bad_masses_are_refused(void **state)
{
    (void)state;
    dMass m, before;
    const dMatrix3 unknown = {dNaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    dMassSetBox(&m, 1, 1, 1, 1);
    before = m;
    EXPECT_REFUSAL(assert_int_equal(dMassCheck(NULL), 0), "dMassCheck: m must not be null");
    EXPECT_REFUSAL(dMassSetZero(NULL), "dMassSetZero: mass must not be null");
    EXPECT_REFUSAL(dMassSetParameters(NULL, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0),
                   "dMassSetParameters: mass must not be null");
    EXPECT_REFUSAL(dMassSetParameters(&m, 1, 0, dNaN, 0, 1, 1, 1, 0, 0, 0),
                   "dMassSetParameters: cgx, cgy, cgz must be finite");
    EXPECT_REFUSAL(dMassSetSphere(NULL, 1, 1), "dMassSetSphere: mass must not be null");
    EXPECT_REFUSAL(dMassSetSphere(&m, 1, -1),
                   "dMassSetSphere: radius must be finite and not negative");
    EXPECT_REFUSAL(dMassSetSphereTotal(&m, dInfinity, 1),
                   "dMassSetSphereTotal: total_mass must be finite");
    EXPECT_REFUSAL(dMassSetBox(&m, dNaN, 1, 1, 1), "dMassSetBox: density must be finite");
    EXPECT_REFUSAL(dMassSetBox(&m, 1, 1, -1, 1), "dMassSetBox: ly must be finite and not negative");
    EXPECT_REFUSAL(dMassSetBoxTotal(&m, 1, 1, 1, dNaN),
                   "dMassSetBoxTotal: lz must be finite and not negative");
    EXPECT_REFUSAL(dMassSetCapsule(&m, 1, 0, 1, 1), "dMassSetCapsule: direction must be 1, 2 or 3");
    EXPECT_REFUSAL(dMassSetCapsuleTotal(&m, 1, 4, 1, 1),
                   "dMassSetCapsuleTotal: direction must be 1, 2 or 3");
    EXPECT_REFUSAL(dMassSetCylinder(&m, 1, 1, 1, -1),
                   "dMassSetCylinder: length must be finite and not negative");
    EXPECT_REFUSAL(dMassSetCylinderTotal(NULL, 1, 1, 1, 1),
                   "dMassSetCylinderTotal: mass must not be null");
    EXPECT_REFUSAL(dMassAdjust(NULL, 1), "dMassAdjust: mass must not be null");
    EXPECT_REFUSAL(dMassAdjust(&m, dNaN), "dMassAdjust: newmass must be finite");
    EXPECT_REFUSAL(dMassTranslate(&m, 0, dInfinity, 0), "dMassTranslate: x, y, z must be finite");
    EXPECT_REFUSAL(dMassRotate(&m, NULL), "dMassRotate: R must not be null");
    EXPECT_REFUSAL(dMassRotate(&m, unknown), "dMassRotate: R must be finite");
    EXPECT_REFUSAL(dMassAdd(&m, NULL), "dMassAdd: b must not be null");
    dMass bad = m;
    bad.I[4] = dNaN;
    EXPECT_REFUSAL(dMassAdd(&m, &bad), "dMassAdd: b must be finite");
    assert_memory_equal(&m, &before, sizeof m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEARING(solids_weigh_what_their_parts_weigh),
        HEARING(old_names_are_capsules),
        HEARING(boxes_are_given_by_their_sides),
        HEARING(impossible_masses_are_told_and_kept),
        HEARING(masses_are_checked),
        HEARING(masses_move_and_turn_with_their_points),
        HEARING(masses_add_up),
        HEARING(a_hole_takes_away),
        HEARING(bad_masses_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
