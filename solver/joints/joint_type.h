/* joint_type.h: the table of joint types. A joint type is a row here and one file that builds its
 * rows, eight joints at a time, out of the parts in parts.inl. No solver knows a type, no type
 * knows a solver.
 *
 * To add one: write NAME.inl with a function build_NAME(), include it in solver/kernels.c, add a
 * row to the list. */
#ifndef LODE_SOLVER_JOINTS_JOINT_TYPE_H
#define LODE_SOLVER_JOINTS_JOINT_TYPE_H

#include "lode/joint.h"

/* X(public type, name, rows) */
#define LODE__JOINT_TYPES(X) X(LODE_JOINT_BALL, ball, 3)

typedef struct lode__joint_type {
    const char *name;
    int rows; /* that a joint of this type builds */
} lode__joint_type;

extern const lode__joint_type lode__joint_types[LODE_JOINT_TYPE_COUNT];

#endif
