/* course.h: how a body goes from where a step begins to where it ends.
 *
 * A body's *course* leads from one pose to another, along a straight line and by the shorter turn,
 * both at a constant rate (Shoemake 1985). That need not be the way the solver took it, but it is a
 * way; and what stops at the first touch of any way is still on its own side. Where the turn is
 * small the course begins about with the velocities that the step ends with, and a point of the
 * body that stands still hardly moves on it; in a large turn such a point goes along a bow. */
#ifndef LODE_COLLIDE_COURSE_H
#define LODE_COLLIDE_COURSE_H

#include "core/bodies.h"
#include "core/double3.h"

/* From the share `begin` of the step to its end. */
typedef struct lode__course {
    double begin;
    lode__double3 from, by;          /* of the centre of mass, world, m */
    double turn_from[4], turn_to[4]; /* w, x, y, z */
    lode__double3 axis;              /* of the turn, unit, world */
    double spin;                     /* its angle, rad */
} lode__course;

lode__course lode__course_make(double begin, const lode__pose *from, const lode__pose *to);

/* The course of a body that stays where it is from `begin` on. */
lode__course lode__course_still(double begin, const lode__pose *at);

/* Where the body is at a share of the step, `begin` or later. */
lode__pose lode__course_at(const lode__course *course, double share);

/* The turn after so much of the course, 0 to 1: w, x, y, z; not normalised. */
void lode__course_turn(const lode__course *course, double s, double out[4]);

/* --- turns: quaternions w, x, y, z in double */

static inline void turn_from(lode_quat q, double out[4])
{
    out[0] = (double)q.w, out[1] = (double)q.x, out[2] = (double)q.y, out[3] = (double)q.z;
}

static inline void turn_mul(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* Of a share of the step, how much of the course. */
static inline double course_along(const lode__course *course, double share)
{
    double length = 1 - course->begin;
    return length > 0 ? d_min((share - course->begin) / length, 1) : 1;
}

/* Where the centre of mass is at a share of the step, world, m. */
static inline lode__double3 course_place(const lode__course *course, double share)
{
    return d3_madd(course->from, course->by, course_along(course, share));
}

#endif
