/* joint_type.h: the table of joint types. A joint type is a row here and one file that builds its
 * rows, eight joints at a time, out of the parts in parts.inl. No solver knows a type, no type
 * knows a solver.
 *
 * A type holds displacements: all three, which keeps the anchors together, some of those along the
 * axes of frame b, or the anchors' distance. It holds turns, and leaves axes free. A joint has a
 * row for each of what its type holds, and for each axis a motor row while the axis has a motor and
 * a stop row while it has stops: their number follows from how the joint is set, never from where
 * it stands. Joints of one type and one number of rows share blocks, a bucket for each number;
 * which axis an extra row serves is a matter of each lane.
 *
 * To add one: write NAME.inl with a function build_NAME(), include it in solver/kernels.c and add a
 * row to the list. A new kind of axis has a function in free_axes.inl and one in axes.c. */
#ifndef LODE_SOLVER_JOINTS_JOINT_TYPE_H
#define LODE_SOLVER_JOINTS_JOINT_TYPE_H

#include "core/joints.h"

/* The kinds of axes that types leave free. Slides are along axes of frame b; the distance is
 * that of the anchors. A twist is the turn about x that is left when the swing of a's x axis
 * away from b's is taken back. Where the axes x of frame a and y of frame b are held across each
 * other, a cross turns about the one and the other. Where no turn is held three angles say how a
 * is turned as b sees it: first about x, then about y, then about z of frame b. A link is the
 * turn, about x of frame b, of the line from b's anchor to a's; along y it is 0. Given slides
 * and turns are along and about directions that each joint has for itself; such turns are added
 * up, as no pose tells them. */
enum {
    LODE__NO_AXIS,
    LODE__SLIDE_X,
    LODE__SLIDE_Y,
    LODE__SLIDE_Z,
    LODE__DISTANCE,
    LODE__GIVEN_SLIDE,
    LODE__TWIST,
    LODE__CROSS_A,
    LODE__CROSS_B,
    LODE__EULER_X,
    LODE__EULER_Y,
    LODE__EULER_Z,
    LODE__LINK,
    LODE__GIVEN_TURN,
    LODE__SUM, /* of other joints' axes */
    LODE__AXIS_KINDS
};

/* X(public type, name, slides and turns that it holds, how many axes are free, their kinds) */
/* clang-format off */
#define LODE__JOINT_TYPES(X) \
    X(LODE_JOINT_BALL,                ball,                3, 0, 0, LODE__NO_AXIS) \
    X(LODE_JOINT_HINGE,               hinge,               3, 2, 1, LODE__TWIST) \
    X(LODE_JOINT_SLIDER,              slider,              2, 3, 1, LODE__SLIDE_X) \
    X(LODE_JOINT_UNIVERSAL,           universal,           3, 1, 2, LODE__CROSS_A, LODE__CROSS_B) \
    X(LODE_JOINT_FIXED,               fixed,               3, 3, 0, LODE__NO_AXIS) \
    X(LODE_JOINT_PISTON,              piston,              2, 2, 2, LODE__SLIDE_X, LODE__TWIST) \
    X(LODE_JOINT_PRISMATIC_ROTOIDE,   prismatic_rotoide,   2, 2, 2, LODE__SLIDE_Y, LODE__TWIST) \
    X(LODE_JOINT_PRISMATIC_UNIVERSAL, prismatic_universal, 2, 1, 3, \
      LODE__SLIDE_Z, LODE__CROSS_A, LODE__CROSS_B) \
    X(LODE_JOINT_PLANE_2D,            plane_2d,            1, 2, 3, \
      LODE__SLIDE_Y, LODE__SLIDE_Z, LODE__TWIST) \
    X(LODE_JOINT_WHEEL,               wheel,               2, 1, 3, \
      LODE__SLIDE_Y, LODE__CROSS_A, LODE__CROSS_B) \
    X(LODE_JOINT_DISTANCE,            distance,            0, 0, 1, LODE__DISTANCE) \
    X(LODE_JOINT_SIX_AXES,            six_axes,            0, 0, 6, \
      LODE__SLIDE_X, LODE__SLIDE_Y, LODE__SLIDE_Z, LODE__EULER_X, LODE__EULER_Y, LODE__EULER_Z) \
    X(LODE_JOINT_DOUBLE_BALL,         double_ball,         1, 0, 0, LODE__NO_AXIS) \
    X(LODE_JOINT_DOUBLE_HINGE,        double_hinge,        2, 2, 2, LODE__LINK, LODE__TWIST) \
    X(LODE_JOINT_ANGULAR_MOTOR,       angular_motor,       0, 0, 3, \
      LODE__GIVEN_TURN, LODE__GIVEN_TURN, LODE__GIVEN_TURN) \
    X(LODE_JOINT_EULER_MOTOR,         euler_motor,         0, 0, 3, \
      LODE__EULER_X, LODE__EULER_Y, LODE__EULER_Z) \
    X(LODE_JOINT_LINEAR_MOTOR,        linear_motor,        0, 0, 3, \
      LODE__GIVEN_SLIDE, LODE__GIVEN_SLIDE, LODE__GIVEN_SLIDE)
/* clang-format on */

/* The buckets of each type: LODE__BUCKETS_ball and those that follow it. */
#define LODE__TYPE_BUCKETS(type, name, slides, turns, axes, ...) \
    LODE__BUCKETS_##name, LODE__LAST_BUCKET_##name = LODE__BUCKETS_##name + 2 * (axes),
enum { LODE__JOINT_TYPES(LODE__TYPE_BUCKETS) LODE__JOINT_BUCKETS };

static inline bool lode__axis_slides(int kind)
{
    return kind <= LODE__GIVEN_SLIDE;
}

typedef struct lode__joint_type {
    const char *name;
    int rows;                  /* that a joint of this type always has, none of them bounded */
    int axes;                  /* that it leaves free; each adds up to two rows */
    int axis[LODE_JOINT_AXES]; /* of what kinds they are */
    bool framed;               /* it matters how its frames are turned */
    int bucket;                /* of joints without extra rows */
} lode__joint_type;

/* Beside the types that join two bodies, which the list has, those over any number (linkage.c). */
enum { LODE__ALL_JOINT_TYPES = LODE_JOINT_ROWS + 1 };

extern const lode__joint_type lode__joint_types[LODE__ALL_JOINT_TYPES];

static inline bool joint_is_linkage(const lode__joint *joint)
{
    return joint->type >= LODE_JOINT_TYPE_COUNT;
}

/* The type of the joints in a bucket, and how many rows each has. */
int lode__bucket_type(int bucket);
int lode__bucket_rows(int bucket);

/* How many of them not all joints of the type have. */
int lode__bucket_extras(int bucket);

/* Does a type keep the anchors at a distance? */
static inline bool lode__keeps_distance(int type)
{
    return type == LODE_JOINT_DOUBLE_BALL || type == LODE_JOINT_DOUBLE_HINGE;
}

/* Is what it holds of a body against one that nobody pushes solved once more, to rounding? */
static inline bool lode__holds_exactly(int type)
{
    return type == LODE_JOINT_PLANE_2D;
}

/* Has each of its joints axes of its own? */
static inline bool lode__axes_are_given(int type)
{
    int kind = lode__joint_types[type].axis[0];
    return kind == LODE__GIVEN_SLIDE || kind == LODE__GIVEN_TURN;
}

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
 * come last: of two that disagree the last row of a sweep has its way. A joint that would have no
 * row at all has that of a motor without force: its bodies are of one island all the same. */
int lode__joint_extras(int type, const lode__joint_axes *axes,
                       lode__joint_extra out[LODE__JOINT_ROWS]);

/* The largest erp that a stop has of its own; -1: none has one. */
lode_real lode__joint_stop_erp(int type, const lode__joint_axes *axes);

/* How many rows a joint has. */
int lode__joint_row_count(int type, const lode__joint_axes *axes, const lode__joint_arm *arm);

#endif
