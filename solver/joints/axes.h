/* axes.h: where the free axes of one joint stand: for what is asked of a joint outside of the
 * kernels. */
#ifndef LODE_SOLVER_JOINTS_AXES_H
#define LODE_SOLVER_JOINTS_AXES_H

#include "core/joints.h"
#include "core/lines.h"

typedef struct lode__axis_now {
    lode_vec3 lin, ang_a, ang_b; /* Jacobian; lin is body a's, body b's its negative */
    lode_vec3 direction;         /* unit, of the axis itself */
    lode_real position;          /* m, or rad in (-pi, pi]; 0 where it adds up */
    bool turns, adds_up;
} lode__axis_now;

/* Axis `axis` of a joint with these axes between bodies with these poses; the world's has no
 * rotation and lies at its origin. */
lode__axis_now lode__axis_at(const lode__joint *joint, const lode__joint_axes *axes,
                             const lode__pose *pose_a, const lode__pose *pose_b, int axis);

/* The unit vector of a given direction, in its frame. */
lode_vec3 lode__given_direction(const lode_joint_axis *axis);

/* Its position, given the last: an angle as the one nearest to that of those that differ by whole
 * turns, and what adds up as that. */
lode_real lode__axis_position(const lode__axis_now *axis, lode_real last);

#endif
