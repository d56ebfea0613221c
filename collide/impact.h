/* impact.h: when two shapes on bodies that move and turn first meet within a step.
 *
 * A body's *course* leads from one pose to another, along a straight line and by the shorter turn.
 * That is not the way the solver took it, but it is a way; and what stops at the first touch of any
 * way is still on its own side. */
#ifndef LODE_COLLIDE_IMPACT_H
#define LODE_COLLIDE_IMPACT_H

#include "collide/gate.h"
#include "collide/pieces.h"
#include "core/bodies.h"

/* From the share `begin` of the step to its end. */
typedef struct lode__course {
    double begin;
    lode__double3 from, by;          /* of the centre of mass, world, m */
    double turn_from[4], turn_to[4]; /* w, x, y, z */
    lode__double3 axis;              /* of the turn, unit, world */
    double spin;                     /* rad: how fast it turns at most, per course */
} lode__course;

lode__course lode__course_make(double begin, const lode__pose *from, const lode__pose *to);

/* The course of a body that stays where it is from `begin` on. */
lode__course lode__course_still(double begin, const lode__pose *at);

/* Where the body is at a share of the step, `begin` or later. */
lode__pose lode__course_at(const lode__course *course, double share);

/* A shape on its way. */
typedef struct lode__mover {
    const lode__course *course;
    const lode__geometry *geometry;
    const lode__shape_data *data; /* or null */
    double reach;                 /* from the body's centre of mass to the shape's farthest point */
    double core_reach;            /* the same without the radius of what is round */
    double inner;                 /* radius of a ball within it; 0 for what is no convex solid */
    lode__double3 middle;         /* of that ball, in the shape's axes */
} lode__mover;

lode__mover lode__mover_of(const lode__geometry *geometry, const lode__shape_data *data,
                           const lode__course *course);

/* How far apart their places can get from `share` on, any point of the one against any of the
 * other, as far as the other is near. */
double lode__movers_shift(const lode__mover *a, const lode__mover *b, double share);

/* The share of the step, at most `most`, at which a, a convex solid, must be stopped: where it is
 * `target` away from b. False if its inner part does not come to b before the step ends, or if it
 * is in b already. The gate is that of b's triangles. */
bool lode__impact(const lode__mover *a, const lode__mover *b, const lode__gate *gate, double target,
                  double most, double *out_share);

#endif
