/* joints.h: the components of a joint, of whatever type. */
#ifndef LODE_CORE_JOINTS_H
#define LODE_CORE_JOINTS_H

#include "core/pool.h"
#include "lode/joint.h"

enum { LODE__JOINT_ROWS = 12 }; /* most rows of one joint over two bodies */

/* What a row builder reads. Frames are from the bodies' centres of mass, in body axes; a joint to
 * the world has body_b == LODE__NONE and its frame_b in world coordinates; one in limbo has no
 * bodies, and frames as they were given. */
typedef struct lode__joint {
    lode_pose frame_a, frame_b;
    lode_real erp, cfm; /* negative: the world's */
    lode_real distance; /* of types that keep one, m */
    lode_real stop_erp; /* the largest that a stop of it has of its own; -1: none has one */
    uint16_t type;      /* lode_joint_type */
    uint16_t rows;      /* as its type and its axes ask for */
    uint32_t body_a, body_b;
    uint32_t flags;
} lode__joint;

enum {
    LODE__JOINT_COLLIDE_CONNECTED = 1,
    LODE__JOINT_DISABLED = 2,
    LODE__JOINT_BREAKABLE = 4, /* one of its limits is finite */
    LODE__JOINT_OUTLIVES = 8,  /* its bodies */
    LODE__JOINT_ARM = 16,      /* a further record of a joint over many bodies */
    LODE__JOINT_STIFF = 32     /* its lode_stiff, more one, in two bits from this one on */
};

static inline uint32_t joint_flags_of_stiff(lode_stiff stiff)
{
    return (uint32_t)(stiff + 1) * LODE__JOINT_STIFF;
}

static inline lode_stiff joint_stiff(const lode__joint *joint)
{
    return (lode_stiff)((int)(joint->flags / LODE__JOINT_STIFF & 3) - 1);
}

static inline bool joint_in_limbo(const lode__joint *joint)
{
    return joint->body_a == LODE__NONE;
}

/* What the joint breaks above; infinite for never. */
typedef struct lode__joint_limits {
    lode_real max_force, max_torque; /* N, N m */
} lode__joint_limits;

/* A joint over more bodies than two takes further records of the pool, its *arms*, each of which
 * names up to two bodies more. So bodies hang on arms as they hang on joints, and no record is
 * larger for it. Handles, settings and impulses are those of the first record. Record k has the
 * bodies 2 k and 2 k + 1 of the joint, and of a coupling its term k. */
typedef struct lode__joint_arm {
    lode_real ratio;       /* of the term */
    uint32_t head, next;   /* slots of the joint's first record, and of the next or LODE__NONE */
    uint32_t term;         /* slot of the joint whose axis counts, or LODE__NONE */
    uint16_t axis;         /* of that joint */
    uint16_t end_a, end_b; /* which bodies of the coupling it joins, or LODE__NO_END */
    uint16_t ends, rows;   /* of the first record: how many bodies and rows the joint has */
    uint16_t pad;
} lode__joint_arm;

enum { LODE__NO_END = 0xffff, LODE__MOST_ENDS = 4096 };

/* Where the frames' origins lie in the bodies' own frames. A body's centre of mass may wander when
 * shapes come and go; lode__joint's frames are derived from these anew each time. */
typedef struct lode__joint_anchors {
    lode_vec3 a, b;
} lode__joint_anchors;

/* Motors and stops of the axes that the joint's type leaves free. */
typedef struct lode__joint_axes {
    lode_joint_axis axis[LODE_JOINT_AXES];
} lode__joint_axes;

/* Impulses of the last sub-step, N s or N m s, for warm starts. */
typedef struct lode__joint_impulse {
    lode_real row[LODE__JOINT_ROWS];
} lode__joint_impulse;

/* Where the axes stood at the end of the last step, m or rad. Angles count on beyond half a turn:
 * the next is the one nearest to this. */
typedef struct lode__joint_position {
    lode_real axis[LODE_JOINT_AXES];
} lode__joint_position;

/* What the joint did in the last step: impulses of all sub-steps by the step's length. */
typedef struct lode__joint_feedback {
    lode_vec3 force;                 /* on body_a, N; body_b gets the opposite */
    lode_vec3 torque_a, torque_b;    /* about their centres of mass, N m */
    lode_vec3 twist;                 /* on body_a about its anchor, N m: of rows without a force */
    lode_real row[LODE__JOINT_ROWS]; /* N or N m */
} lode__joint_feedback;

/* The articulation that it is a loop joint of, its slot + 1, or 0; and the next of them, a slot or
 * LODE__NONE. */
typedef struct lode__joint_loop {
    uint32_t articulation, next;
} lode__joint_loop;

typedef struct lode__joint_links {
    uint32_t next_edge[2], last_edge[2]; /* in body_a's and body_b's list: behind and before it */
} lode__joint_links;

/* clang-format off */
#define LODE__JOINT_COMPONENTS(X) \
    /* name      type                  keeping           heat */ \
    X(joint,     lode__joint,          LODE__SAVED,     LODE__HOT) \
    X(anchors,   lode__joint_anchors,  LODE__SAVED,     LODE__COLD) \
    X(impulse,   lode__joint_impulse,  LODE__SAVED,     LODE__HOT) \
    X(axes,      lode__joint_axes,     LODE__SAVED,     LODE__COLD) \
    X(limits,    lode__joint_limits,   LODE__CARRIED,   LODE__COLD) /* hashed where finite */ \
    X(arm,       lode__joint_arm,      LODE__SAVED,     LODE__COLD) \
    X(position,  lode__joint_position, LODE__SAVED,     LODE__COLD) \
    X(feedback,  lode__joint_feedback, LODE__CARRIED,   LODE__COLD) \
    X(loop,      lode__joint_loop,     LODE__CARRIED,   LODE__COLD) /* for controllers alone */ \
    X(links,     lode__joint_links,    LODE__TRANSIENT, LODE__COLD) \
    X(user_data, void *,               LODE__CARRIED,   LODE__COLD)
/* clang-format on */

LODE__POOL_DECLARE(joint, LODE__JOINT_COMPONENTS)

#endif
