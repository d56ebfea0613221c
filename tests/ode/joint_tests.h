/* joint_tests.h: what the tests of joints share. */
#ifndef LODE_TESTS_ODE_JOINT_TESTS_H
#define LODE_TESTS_ODE_JOINT_TESTS_H

#include <ode/ode.h>

#include "tests/support/test.h"

#include <math.h>

/* Some functions are deprecated, and are to work. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#define STEP ((dReal)0.01)

/* The share of a speed by which CFM makes motors and stops of 1 kg fall short, and the rounding. */
#define SOFT (sizeof(dReal) == 8 ? 1e-6 : 2.1e-3)

static inline void near_to(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g, not %.9g", found, expected);
}

static inline void points_to(const dReal *v, double x, double y, double z, double tolerance)
{
    near_to(v[0], x, tolerance);
    near_to(v[1], y, tolerance);
    near_to(v[2], z, tolerance);
}

/* Two bodies of 1 kg and unit inertia at x = 0 and 1. */
static inline dWorldID make_pair(dBodyID out[2])
{
    dWorldID w = dWorldCreate();
    for (int i = 0; i < 2; ++i) {
        out[i] = dBodyCreate(w);
        dBodySetPosition(out[i], (dReal)i, 0, 0);
    }
    return w;
}

static inline void run(dWorldID w, int steps)
{
    for (int i = 0; i < steps; ++i)
        assert_int_equal(dWorldStep(w, STEP), 1);
}

static int complaints;
static inline void count_complaint(int number, const char *message, va_list arguments)
{
    (void)number, (void)message, (void)arguments;
    ++complaints;
}

#endif
