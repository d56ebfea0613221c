/* vector.c: the little geometry that scenes and their judge need, in double. */
#include "bench/vector.h"

#include <math.h>

double bench_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double bench_distance(const double a[3], const double b[3])
{
    const double gap[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(bench_dot(gap, gap));
}

void bench_cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* v' = v + 2 w (u x v) + 2 u x (u x v), for the quaternion (w, u). */
void bench_rotate(const double q[4], double sign, const double v[3], double out[3])
{
    double u[3] = {sign * q[1], sign * q[2], sign * q[3]}, t[3], tt[3];
    bench_cross(u, v, t);
    bench_cross(u, t, tt);
    for (int i = 0; i < 3; ++i)
        out[i] = v[i] + 2 * (q[0] * t[i] + tt[i]);
}
