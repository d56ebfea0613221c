/* urdf_frames.c: see urdf_frames.h. */
#include "io/urdf_frames.h"

#include <math.h>

#define HALF_PI 1.57079632679489661923
#define TWO_PI 6.28318530717958647692

lode__io_turn lode__io_turn_mul(lode__io_turn a, lode__io_turn b)
{
    return (lode__io_turn){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                           a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

lode_quat lode__io_turn_quat(lode__io_turn turn)
{
    return (lode_quat){(lode_real)turn.w, (lode_real)turn.x, (lode_real)turn.y, (lode_real)turn.z};
}

lode__io_turn lode__io_turn_of(lode_quat q)
{
    return (lode__io_turn){q.w, q.x, q.y, q.z};
}

/* Taylor's series of both, nested, to rounding for |x| up to pi/4. */
static void series(double x, double *sine, double *cosine)
{
    double s = 1, c = 1, xx = x * x;
    for (int n = 16; n >= 2; n -= 2) {
        s = 1 - s * xx / (n * (n + 1));
        c = 1 - c * xx / (n * (n - 1));
    }
    *sine = s * x;
    *cosine = c;
}

/* What whole turns leave of an angle that is at least 0. Exact: what is subtracted is no less than
 * half of what it is subtracted from (Sterbenz). */
static double wrap(double angle)
{
    double turns = TWO_PI;
    while (turns <= angle / 2)
        turns *= 2;
    for (; turns >= TWO_PI; turns /= 2)
        angle -= angle >= turns ? turns : 0;
    return angle;
}

/* Of any finite angle. */
static void sine_cosine(double angle, double *sine, double *cosine)
{
    double x = wrap(fabs(angle)), s, c;
    int quarters = (int)(x / HALF_PI + 0.5), q = quarters & 3;
    series(x - quarters * HALF_PI, &s, &c);
    *sine = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
    *cosine = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
    if (angle < 0)
        *sine = -*sine;
}

lode__io_turn lode__io_turn_rpy(const double angles[3])
{
    double s[3], c[3];
    for (int i = 0; i < 3; ++i)
        sine_cosine(angles[i] / 2, &s[i], &c[i]);
    lode__io_turn roll = {c[0], s[0], 0, 0}, pitch = {c[1], 0, s[1], 0}, yaw = {c[2], 0, 0, s[2]};
    return lode__io_turn_mul(yaw, lode__io_turn_mul(pitch, roll));
}

lode__io_turn lode__io_turn_x_to(const double axis[3])
{
    static const lode__io_turn circles[3] = {
        {1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};
    static const lode__io_turn half_about_z = {0, 0, 0, 1};
    int k = fabs(axis[1]) > fabs(axis[0]);
    k = fabs(axis[2]) > fabs(axis[k]) ? 2 : k;
    lode__io_turn turn = circles[k];
    if (axis[k] < 0)
        turn = lode__io_turn_mul(turn, half_about_z);
    double from[3] = {0}, a = 1 + fabs(axis[k]);
    from[k] = axis[k] < 0 ? -1 : 1;
    lode__io_turn rest = {a, from[1] * axis[2] - from[2] * axis[1],
                          from[2] * axis[0] - from[0] * axis[2],
                          from[0] * axis[1] - from[1] * axis[0]};
    double size = sqrt(rest.w * rest.w + rest.x * rest.x + rest.y * rest.y + rest.z * rest.z);
    rest = (lode__io_turn){rest.w / size, rest.x / size, rest.y / size, rest.z / size};
    return lode__io_turn_mul(rest, turn);
}

bool lode__io_normalize(double v[3])
{
    double largest = 0, sum = 0;
    for (int i = 0; i < 3; ++i)
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    for (int i = 0; i < 3 && largest > 0; ++i) {
        v[i] /= largest;
        sum += v[i] * v[i];
    }
    for (int i = 0; i < 3 && largest > 0; ++i)
        v[i] /= sqrt(sum);
    return largest > 0;
}

void lode__io_turn_rotate(lode__io_turn t, const double v[3], double out[3])
{
    lode__io_turn back = {t.w, -t.x, -t.y, -t.z};
    lode__io_turn r = lode__io_turn_mul(lode__io_turn_mul(t, (lode__io_turn){0, v[0], v[1], v[2]}),
                                        back);
    out[0] = r.x;
    out[1] = r.y;
    out[2] = r.z;
}
