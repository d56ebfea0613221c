/* joint_type.h: the table of joint types. A joint type is a row here and one file that builds its
 * rows, eight joints at a time, out of the parts in parts.inl. No solver knows a type, no type
 * knows a solver.
 *
 * A joint has the rows that its type always has, and for each axis that its type leaves free a
 * motor row while the axis has a motor and a stop row while it has stops: their number follows from
 * how the joint is set, never from where it stands. Joints of one type and one number of rows share
 * blocks, a bucket for each number; which axis an extra row serves is a matter of each lane.
 *
 * To add one: write NAME.inl with a function build_NAME(), include it in solver/kernels.c, add a
 * row to the list, and, if it has axes, a function in axes.c. */
#ifndef LODE_SOLVER_JOINTS_JOINT_TYPE_H
#define LODE_SOLVER_JOINTS_JOINT_TYPE_H

#include "core/joints.h"

/* clang-format off */
#define LODE__JOINT_TYPES(X) \
    /* public type      name   rows  axes */ \
    X(LODE_JOINT_BALL,  ball,  3,    0) \
    X(LODE_JOINT_HINGE, hinge, 5,    1)
/* clang-format on */

/* The buckets of each type: LODE__BUCKETS_ball and those that follow it. */
#define LODE__TYPE_BUCKETS(type, name, rows, axes) \
    LODE__BUCKETS_##name, LODE__LAST_BUCKET_##name = LODE__BUCKETS_##name + 2 * (axes),
enum { LODE__JOINT_TYPES(LODE__TYPE_BUCKETS) LODE__JOINT_BUCKETS };

typedef struct lode__joint_type {
    const char *name;
    int rows;   /* that a joint of this type always has, none of them bounded */
    int axes;   /* that it leaves free; each adds up to two rows */
    int bucket; /* of joints without extra rows */
} lode__joint_type;

extern const lode__joint_type lode__joint_types[LODE_JOINT_TYPE_COUNT];

/* The type of the joints in a bucket, and how many rows each has. */
int lode__bucket_type(int bucket);
int lode__bucket_rows(int bucket);

/* How many of them not all joints of the type have. */
int lode__bucket_extras(int bucket);

static inline int lode__joint_bucket(const lode__joint *joint)
{
    const lode__joint_type *type = &lode__joint_types[joint->type];
    return type->bucket + (int)joint->rows - type->rows;
}

/* What an extra row of a joint does. */
typedef struct lode__joint_extra {
    int axis;
    bool stop; /* else a motor */
} lode__joint_extra;

/* Writes the extra rows that these axes ask for, in order, and returns how many there are. Stops
 * come last: of two that disagree the last row of a sweep has its way. */
int lode__joint_extras(int type, const lode__joint_axes *axes,
                       lode__joint_extra out[LODE__JOINT_ROWS]);

#endif
