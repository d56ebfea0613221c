/* kinematic.h: where a kinematic body is within a step.
 *
 * Its velocity is constant over the step, so its path has a closed form: a straight line and a turn
 * about one axis, q(t) = (cos |w| t/2, w/|w| sin |w| t/2) q. That is evaluated in place of summed
 * up, since the bodies' lines are shared by groups that run their sub-steps independently; and it
 * takes the body exactly where an application computed its velocity to lead. */
#ifndef LODE_SOLVER_KINEMATIC_H
#define LODE_SOLVER_KINEMATIC_H

#include "core/math.h"
#include "simd/scalar_math.h"
#include "solver/kernels.h"

static inline lode_quat q_turned(lode_quat q, lode_vec3 angular, lode_real time)
{
    lode_vec3 half = v3_scale(angular, time * (lode_real)0.5);
    lode_real angle = v3_length(half), sine, cosine;
    if (angle == 0)
        return q;
    lode__sincos(angle, &sine, &cosine);
    lode_vec3 axis = v3_scale(half, sine / angle);
    return q_normalize(q_mul((lode_quat){cosine, axis.x, axis.y, axis.z}, q));
}

/* The displacement of a line's body since the step began. */
static inline lode__delta delta_at(const lode__dense *lines, int32_t line, lode_real elapsed)
{
    lode__delta delta = lines->delta[line];
    if (line < 0) {
        delta.linear = v3_scale(delta.linear, elapsed);
        delta.angular = v3_scale(delta.angular, elapsed);
    }
    return delta;
}

static inline lode_quat rotation_at(const lode__dense *lines, int32_t line, lode_real elapsed)
{
    lode_quat rotation = lines->pose[line].rotation;
    return line < 0 ? q_turned(rotation, lines->velocity[line].angular, elapsed) : rotation;
}

#endif
