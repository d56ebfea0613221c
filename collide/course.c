/* course.c: courses made and followed: see course.h. */
#include "collide/course.h"

#include "simd/scalar_math.h"

/* Of 0 to pi / 2, to 1e-13: the Taylor series. */
static double sine_of(double x)
{
    static const int last = 17;
    double square = x * x, sum = 1;
    for (int i = last; i > 1; i -= 2)
        sum = 1 - square / (i * (i - 1)) * sum;
    return x * sum;
}

/* The angle, 0 to pi / 2, with this sine and cosine: one step of Newton's method from what an
 * arc cosine in the library's precision says. */
static double angle_of(double sine, double cosine)
{
    double angle = (double)lode__acos((lode_real)d_min(cosine, 1));
    double half = sine_of(angle / 2), s = sine_of(angle), c = 1 - 2 * half * half;
    return d_max(angle - (s * cosine - c * sine), 0);
}

lode__course lode__course_make(double begin, const lode__pose *from, const lode__pose *to)
{
    lode__course c = {.begin = begin, .from = d3_from(from->position)};
    double back[4], way[4];
    c.by = d3_sub(d3_from(to->position), c.from);
    turn_from(from->rotation, c.turn_from);
    turn_from(to->rotation, c.turn_to);
    turn_from(q_conj(from->rotation), back);
    turn_mul(c.turn_to, back, way);
    for (int i = 0; i < 4 && way[0] < 0; ++i)
        c.turn_to[i] = -c.turn_to[i];
    lode__double3 sine = d3_scale(d3(way[1], way[2], way[3]), way[0] < 0 ? -1 : 1);
    double size = d3_length(sine), cosine = d_abs(way[0]);
    double unit = d_sqrt(size * size + cosine * cosine);
    c.axis = d3_normalize_or(sine, d3(0, 0, 1));
    c.spin = unit > 0 ? 2 * angle_of(size / unit, cosine / unit) : 0;
    return c;
}

lode__course lode__course_still(double begin, const lode__pose *at)
{
    lode__course c = {.begin = begin, .from = d3_from(at->position), .axis = {0, 0, 1}};
    turn_from(at->rotation, c.turn_from);
    turn_from(at->rotation, c.turn_to);
    return c;
}

lode__pose lode__course_at(const lode__course *course, double share)
{
    double s = course_along(course, share), q[4];
    lode__course_turn(course, s, q);
    lode_quat rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    return (lode__pose){.position = d3_to(d3_madd(course->from, course->by, s)),
                        .rotation = q_normalize(rotation)};
}

void lode__course_turn(const lode__course *course, double s, double out[4])
{
    double half = course->spin / 2, whole = sine_of(half);
    double to = whole > 0 ? sine_of(s * half) / whole : s;
    double from = whole > 0 ? sine_of((1 - s) * half) / whole : 1 - s;
    for (int i = 0; i < 4; ++i)
        out[i] = from * course->turn_from[i] + to * course->turn_to[i];
}
