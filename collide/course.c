/* course.c: courses made and followed: see course.h. */
#include "collide/course.h"

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
    lode__double3 sine = d3(way[1], way[2], way[3]);
    double size = d3_length(sine), cosine = d_abs(way[0]);
    c.axis = d3_normalize_or(sine, d3(0, 0, 1));
    c.spin = 4 * size / (d_sqrt(size * size + cosine * cosine) + cosine) * 1.00001;
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
    course_turn_at(course, s, q);
    lode_quat rotation = {(lode_real)q[0], (lode_real)q[1], (lode_real)q[2], (lode_real)q[3]};
    return (lode__pose){.position = d3_to(d3_madd(course->from, course->by, s)),
                        .rotation = q_normalize(rotation)};
}
