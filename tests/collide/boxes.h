/* boxes.h: two boxes in double, and what is true about them: the oracle of the box kernels. It
 * shares no text with them and takes no short cuts. */
#ifndef LODE_TESTS_COLLIDE_BOXES_H
#define LODE_TESTS_COLLIDE_BOXES_H

#include "collide/kernels.h"
#include "tests/support/random.h"

#include <math.h>

typedef struct box {
    double half[3], center[3], axis[3][3]; /* axis[i]: world direction of axis i */
} box;

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void set_axes(box *box, const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            box->axis[i][k] = m[i][k];
}

/* Half the width of the box along a direction. */
static inline double reach(const box *box, const double n[3])
{
    double r = 0;
    for (int i = 0; i < 3; ++i)
        r += box->half[i] * fabs(dot3(box->axis[i], n));
    return r;
}

/* Gap between the boxes along a unit direction; negative: overlap. */
static inline double gap_along(const box *a, const box *b, const double n[3])
{
    double d[3] = {b->center[0] - a->center[0], b->center[1] - a->center[1],
                   b->center[2] - a->center[2]};
    return fabs(dot3(d, n)) - reach(a, n) - reach(b, n);
}

/* The largest gap over all directions that can decide. */
static inline double largest_gap(const box *a, const box *b)
{
    double most = -1e300;
    for (int i = 0; i < 3; ++i)
        most = fmax(most, fmax(gap_along(a, b, a->axis[i]), gap_along(a, b, b->axis[i])));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double *u = a->axis[i], *v = b->axis[j];
            double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                           u[0] * v[1] - u[1] * v[0]};
            double length = sqrt(dot3(n, n));
            if (length < 1e-6)
                continue;
            for (int k = 0; k < 3; ++k)
                n[k] /= length;
            most = fmax(most, gap_along(a, b, n));
        }
    return most;
}

/* How far a point lies outside the box, by its worst axis. */
static inline double outside(const box *box, const double p[3])
{
    double worst = -1e300;
    for (int i = 0; i < 3; ++i) {
        double d[3] = {p[0] - box->center[0], p[1] - box->center[1], p[2] - box->center[2]};
        worst = fmax(worst, fabs(dot3(d, box->axis[i])) - box->half[i]);
    }
    return worst;
}

static inline void random_rotation(test_random *random, double q[4])
{
    double length = 0;
    while (length < 0.01 || length > 1) {
        length = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = random_between(random, -1, 1);
            length += q[i] * q[i];
        }
    }
    for (int i = 0; i < 4; ++i)
        q[i] /= sqrt(length);
}

#endif
